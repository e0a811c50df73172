"""The contract of an encoder: its parameters, and what its methods take and must return.

Mistakes name the class and the parameter or the method. Files and the command line go through :mod:`exactcover.config`,
which validates parameters with pydantic. Programs pass Python objects, and should not wait until pydantic is imported;
so the usual types and bounds are read here. Types that are not known here are left to the encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields
from functools import cache, wraps
from inspect import getattr_static, unwrap
from types import FunctionType
from typing import Any, get_type_hints

from exactcover.control.arguments import read_call
from exactcover.control.kinds import Fault, ReadValue, make_reader
from exactcover.errors import ParameterError, ProblemError
from exactcover.model.symmetry import Symmetry
from exactcover.model.text_form import TextForm
from exactcover.pictures.text import show_value

__all__ = ["check_symmetry", "keep_contract", "read_parameters"]


def read_parameters(encoder: object) -> None:
    """Read the fields of an encoder, which may be frozen, as the types of its parameters.

    Raises
    ------
    ParameterError
        If a value does not have the type of its parameter, or is out of its bounds.
    """
    kind: Any = type(encoder)
    for name, read in _find_readers(kind).items():
        value = getattr(encoder, name)
        try:
            plain = read(value)
        except Fault as fault:
            path = (name, *fault.path)
            place = f"{type(encoder).__name__}: {'.'.join(map(str, path))}"
            raise ParameterError(path, f"expected {fault.expected}, got {show_value(fault.found)}", place) from None
        if plain is not value:
            object.__setattr__(encoder, name, plain)


@cache
def _find_readers(encoder: type) -> dict[str, ReadValue]:
    """Return a reader for each parameter; none if the types name something that does not exist when programs run."""
    try:
        hints = get_type_hints(encoder, include_extras=True)
    except (NameError, TypeError, AttributeError):
        return {}
    return {field.name: make_reader(hints[field.name]) for field in fields(encoder) if field.init}


def keep_contract(base: type, encoder: type) -> None:
    """Let those methods of a class that override the ones of `base` check what they are given and what they return.

    They raise a ``TypeError`` if an argument is not of the kind that `base` states, and a ``ProblemError`` if they
    return something else than expected; and a ``ParameterError`` that comes out of them names the class and the
    parameter.
    """
    for name in _EXPECTED:
        method = getattr_static(encoder, name, None)
        if not isinstance(method, FunctionType) or method is getattr_static(base, name, None):
            continue
        if not hasattr(method, _CHECKED):
            setattr(encoder, name, _check_calls(name, method, getattr(base, name, None)))


_CHECKED = "_keeps_contract"


def _check_calls(name: str, method: Callable[..., Any], stated: Callable[..., Any] | None) -> Callable[..., Any]:
    is_valid, expected = _EXPECTED[name]
    stated = unwrap(stated) if stated is not None and stated.__annotations__.keys() > {"return"} else None

    @wraps(method)
    def checked(self: Any, *values: Any, **named: Any) -> Any:
        if stated is not None:
            (self, *values), named = read_call(stated, (self, *values), named)  # type: ignore[assignment]
        try:
            if name == "__post_init__":
                read_parameters(self)
            returned = method(self, *values, **named)
        except ParameterError as error:
            error.place = error.place or _describe_parameter(self, error)
            raise
        if name in ("blocks", "tabulate") and isinstance(returned, Iterator):
            returned = list(returned)  # can be read twice
        if not is_valid(returned):
            raise ProblemError(
                f"{name}() returned {show_value(returned)}; expected {expected}", place=type(self).__name__
            )
        return returned

    setattr(checked, _CHECKED, True)
    return checked


def _describe_parameter(encoder: object, error: ParameterError) -> str:
    """Return the class of an encoder and the parameter at fault; characters of a text are not named."""
    name, *inside = error.path
    value: Any = getattr(encoder, str(name), "")
    path = [name]
    for part in inside:
        if isinstance(value, str):
            break
        path.append(part)
        try:
            value = value[part]
        except (LookupError, TypeError):
            break
    return f"{type(encoder).__name__}: {'.'.join(map(str, path))}"


def check_symmetry(symmetry: object, place: str) -> None:
    """Check that a stated symmetry is one; `place` names the method that stated it.

    Raises
    ------
    ProblemError
        If it is neither a map of items nor a ``Symmetry``.
    """
    if not isinstance(symmetry, Mapping | Symmetry):
        raise ProblemError(f"got {show_value(symmetry)}; expected a map of items, or a Symmetry", place=place)


def _is_iterable(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, str | bytes)


def _is_picture(value: Any) -> bool:
    from exactcover.pictures import Cell, Dashes, Disc, Edge, Picture, Text, Tile  # most searches draw nothing

    return isinstance(value, Picture) and all(
        isinstance(shape, Cell | Tile | Text | Disc | Edge | Dashes) for shape in value.shapes
    )


def _are_blocks(value: Any) -> bool:
    return _is_iterable(value) and all(_is_iterable(block) and len(tuple(block)) == 3 for block in value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(number, int) for number in value)


def _are_rows(value: Any) -> bool:
    return _is_iterable(value) and all(
        _is_iterable(row) and all(isinstance(cell, str) for cell in row) for row in value
    )


def _is_encoder(value: Any) -> bool:
    return hasattr(value, "problem") and hasattr(value, "givens")


def _or_none(is_valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_valid(value)


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


_EXPECTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "__post_init__": (_or_none(_is(object)), "nothing"),
    "options": (_is_iterable, "a list or another iterable of (label, items)"),
    "primary": (_or_none(_is_iterable), "a list or another iterable of items, or None"),
    "secondary": (_is_iterable, "a list or another iterable of items"),
    "multiplicity": (_is(Mapping), "a mapping from items to numbers or to (low, high)"),
    "costs": (_is(Mapping), "a mapping from labels to costs"),
    "soft": (_is(Mapping), "a mapping from items to prices or to (price of too few, price of too many)"),
    "open_weights": (_is(Mapping), "a mapping from items to numbers"),
    "fewest_clues": (_is(tuple), "a number of givens and a text that says why"),
    "preferred": (_is_iterable, "a list or another iterable of items"),
    "givens": (_is_iterable, "a list or another iterable of labels"),
    "impossible": (_or_none(_is(str)), "a text that says why there is no solution, or None"),
    "reduces": (_is(bool), "True or False"),
    "additions": (_is_iterable, "a list or another iterable of (items, change)"),
    "symmetries": (_is_iterable, "a list or another iterable of maps of items"),
    "rotations": (_is_iterable, "a list or another iterable of maps of items"),
    "decode": (_is(object), "anything"),
    "draw": (_or_none(_is_picture), "a Picture of cells, tiles, texts, discs and edges, or None"),
    "piece_of": (_or_none(_is(str)), "the name of a piece, or None"),
    "place_of": (_or_none(_is_pair), "a row and a column, or None"),
    "blocks": (_are_blocks, "a list of places (right, back, up)"),
    "tabulate": (_are_rows, "a list of rows, each a list of texts"),
    "parse": (_is_encoder, "an encoder"),
    "unparse": (_is(str), "text"),
    "instances": (_is_iterable, "a list or another iterable of texts"),
    "text_form": (_or_none(_is(TextForm)), "a TextForm, or None"),
    "frame": (_is(Hashable), "a value that is hashable"),
}
