"""Parameters that programs pass are checked like those in files."""

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Interval, Len
from pydantic import Field

from commands import run_script
from exactcover import Encoder, ParameterError
from exactcover.config.configuration import encode
from exactcover.encoders.discovery import find_encoder

families: list[Any] = [find_encoder(name) for name in ("queens", "sudoku", "polyomino", "options")]
Queens, Sudoku, Polyomino, Options = families  # as a program without a type checker sees them


@dataclass(frozen=True)
class Chairs(Encoder):
    """A stranger's encoder, with parameters of many types."""

    n: Annotated[int, Interval(gt=0, lt=9)] = 3
    share: Annotated[float, Field(ge=0, le=1)] = 0.5
    names: Annotated[tuple[str, ...], Len(0, 2)] = ()
    pair: tuple[int, str] = (1, "a")
    prices: Mapping[str, int | Decimal] = field(default_factory=dict)
    kind: Literal["round", "square"] = "round"
    loose: object = None
    twice: int = field(init=False, default=2)

    def __post_init__(self) -> None:
        if self.n > len(self.kind):
            raise ParameterError("n", "too many chairs")

    def options(self) -> Iterator[tuple[int, list[int]]]:
        return ((chair, [chair]) for chair in range(self.n))


Seats: Any = Chairs


@pytest.mark.parametrize(("make", "path", "text"), [
    (lambda: Queens(n="a"), ("n",), "Queens: n: expected a whole number, got 'a'"),
    (lambda: Queens("a"), ("n",), "Queens: n: expected a whole number, got 'a'"),
    (lambda: replace(Queens(), n=None), ("n",), "Queens: n: expected a whole number, got None"),
    (lambda: Queens(n=True), ("n",), "Queens: n: expected a whole number, got True"),
    (lambda: Queens(n=-1), ("n",), "Queens: n: expected at least 0, got -1"),
    (lambda: Queens(placed=5), ("placed",), "Queens: placed: expected a list, got 5"),
    (lambda: Queens(placed=[(1, "a")]), ("placed", 0, 1), "Queens: placed.0.1: expected a whole number, got 'a'"),
    (lambda: Sudoku(grid=5), ("grid",), "Sudoku: grid: expected text or a list, got 5"),
    (lambda: Sudoku(box="2x2", grid="0" * 15 + "7"), ("grid", 15), "Sudoku: grid: row 4, column 4: '7' is not one of"),
    (lambda: Polyomino(copies={"X": (1, "b")}), ("copies", "X", 1), "Polyomino: copies.X.1: expected a whole"),
    (lambda: Polyomino(copies="all"), ("copies",), "a range such as 2-3, or any; got 'all'"),
    (lambda: Options(table={"a": ("b", "b")}), ("table", "a"), "Options: table.a: option 'a' contains item 'b'"),
    (lambda: Seats(n=0), ("n",), "Chairs: n: expected more than 0, got 0"),
    (lambda: Seats(n=9), ("n",), "Chairs: n: expected less than 9, got 9"),
    (lambda: Seats(n=8), ("n",), "Chairs: n: too many chairs"),
    (lambda: Seats(share=float("nan")), ("share",), "Chairs: share: expected a finite number, got nan"),
    (lambda: Seats(share=1.5), ("share",), "Chairs: share: expected at most 1, got 1.5"),
    (lambda: Seats(names=("a", "b", "c")), ("names",), "Chairs: names: expected a length of at most 2, got"),
    (lambda: Seats(pair=(1,)), ("pair",), "Chairs: pair: expected a list of 2 entries, got (1,)"),
    (lambda: Seats(prices={1: 2}), ("prices", 1), "Chairs: prices.1: expected text, got 1"),
    (lambda: Seats(prices={"a": "b"}), ("prices", "a"), "expected a whole number or a Decimal, got 'b'"),
    (lambda: Seats(kind="oval"), ("kind",), "Chairs: kind: expected 'round' or 'square', got 'oval'"),
])  # fmt: skip
def test_values_of_another_type_or_out_of_bounds_name_family_and_parameter(
    make: Callable[[], Any], path: tuple[object, ...], text: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert caught.value.path == path
    assert text in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_python_objects_that_mean_the_same_are_accepted() -> None:
    class Whole(int):
        pass

    assert Queens(n=Whole(4), placed=[[1, 2]]).count() == 1
    assert Seats(share=1, names=["a"], pair=[1, "a"], prices={"a": Decimal("0.5")}, loose=object()).n == 3


def test_checked_encoders_are_copied_and_pickled() -> None:
    queens = Queens(n=6)
    assert copy.deepcopy(queens) == pickle.loads(pickle.dumps(queens)) == queens == encode("queens", n=6)


def test_types_that_exist_for_type_checkers_only_are_left_alone() -> None:
    @dataclass(frozen=True)
    class Odd(Encoder):
        value: "Nowhere" = None  # type: ignore[name-defined]  # noqa: F821

        def options(self) -> Iterator[tuple[int, list[int]]]:
            yield 1, [1]

    assert Odd(value=3).count() == 1


def test_programs_do_not_wait_for_pydantic() -> None:
    code = (
        "import sys, exactcover, problems\n"
        "try: problems.Queens(n='a')\n"
        "except exactcover.ParameterError: print('pydantic' in sys.modules)\n"
    )
    assert run_script(code).stdout == "False\n"
