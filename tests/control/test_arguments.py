"""Arguments are checked against the kinds that annotations state."""

import io
import os
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, TextIO

import pytest

from exactcover.control.arguments import check_arguments


class Named(Protocol):
    @property
    def name(self) -> str: ...


LIST: list[Any] = []
MAPPING: dict[Any, Any] = {}
THING = object()
VALUES: list[Any] = [None, 0, -1, "a", b"", LIST, MAPPING, THING, nan]
KINDS: list[tuple[Any, list[Any], list[Any], str]] = [  # which of VALUES are right, what else is, the words
    (int, [0, -1], [2.0], "a whole number"),
    (float, [0, -1], [inf, Fraction(1, 2), Decimal(1)], "a number"),
    (str, ["a"], [], "text"),
    (bool, [], [True], "True or False"),
    (int | None, [None, 0, -1], [], "a whole number or None"),
    (Literal["a", "b"], ["a"], ["b"], "'a' or 'b'"),
    (Sequence[int], [LIST], [[1], (1,)], "a list"),
    (tuple[float, float], [], [(1, 2.5)], "a list of 2 entries"),
    (Mapping[str, int], [MAPPING], [{"a": 1}], "a mapping"),
    (Iterable[str], [LIST, MAPPING], [iter("a"), {"a"}], "a list or another iterable"),
    (Collection[str], [LIST, MAPPING], [{"a"}], "a list or another collection"),
    (Hashable, [None, 0, -1, "a", b"", THING, nan], [], "a hashable value"),
    (Callable[[int], int], [], [len], "a function"),
    (str | os.PathLike[str], ["a"], [Path("a")], "text or a path"),
    (BinaryIO, [], [io.BytesIO()], "an open binary file"),
    (TextIO, [], [io.StringIO()], "an open text file"),
    (type[ValueError], [], [UnicodeError], "a class derived from ValueError"),
    (Path, [], [Path("a")], "a Path"),
    (OSError | None, [None], [OSError()], "an OSError or None"),
    (Decimal, [0, -1, nan], [Decimal(1), 0.5], "a Decimal"),
    (Named, [], [Path("a")], "a Named"),
    (object, VALUES, [], ""),
    (Any, VALUES, [], ""),
]


@pytest.mark.parametrize(("kind", "right", "more", "words"), KINDS, ids=[str(case[0]) for case in KINDS])
def test_a_value_of_another_kind_is_an_error(kind: Any, right: list[Any], more: list[Any], words: str) -> None:
    def take(first: str, value: Any) -> int:
        return 7

    take.__annotations__["value"] = kind
    checked: Any = check_arguments(take)
    for value in VALUES + more:
        if any(value is one for one in right + more):
            assert checked("a", value) == checked("a", value=value) == 7
        else:
            for values, named in ((("a", value), {}), (("a",), {"value": value})):
                with pytest.raises(TypeError) as caught:
                    checked(*values, **named)
                assert str(caught.value).startswith(f"value must be {words}; got ")


@pytest.mark.parametrize(("file", "kind"), [(io.StringIO(), BinaryIO), (io.BytesIO(), TextIO)])
def test_a_file_of_the_other_kind_is_an_error(file: Any, kind: Any) -> None:
    def take(file: Any) -> None: ...

    take.__annotations__["file"] = kind
    with pytest.raises(TypeError, match=r"file must be an open (binary|text) file"):
        check_arguments(take)(file)


def test_the_place_inside_an_argument_is_told_and_a_huge_value_cut() -> None:
    @check_arguments
    def take(rows: Sequence[Mapping[str, tuple[int, ...]]]) -> None: ...

    loose: Any = take
    with pytest.raises(TypeError, match=r"^rows\[1\]\['b'\]\[1\] must be a whole number; got 'x'$"):
        loose([{}, {"a": (1, 2), "b": (1, "x")}])
    with pytest.raises(TypeError) as caught:
        loose("x" * 10**5)
    assert len(str(caught.value)) < 100
    for values, named, message in (((), {}, "missing"), (([], []), {}, "positional"), (([],), {"b": 1}, "'b'")):
        with pytest.raises(TypeError, match=message):
            loose(*values, **named)
