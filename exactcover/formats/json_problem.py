"""A problem as a JSON document, for exchange with other programs.

::

    {"primary": ["a", "b"], "secondary": ["x"], "multiplicity": {"b": [0, 2]}, "preferred": [],
     "options": [{"label": "A", "items": ["a", ["x", "red"]], "cost": 3}, {"label": "B", "items": ["b"]}]}

Items, labels and colors are strings. A colored item is a pair of strings. Costs are integers, or strings if they are
decimal. The key ``soft`` contains the prices of soft items: ``{"b": 3, "a": [2, 1]}`` lets b stay open at a price of 3,
and a at a price of 2, or be covered too often at a price of 1; ``null`` stands for what is not allowed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from types import NoneType
from typing import Any, TextIO

from exactcover.algorithm_x import Colored, Item, Label, Weighted
from exactcover.control.arguments import check_arguments
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake, ProblemError
from exactcover.files.json_text import dump_json, load_json
from exactcover.model.costs import SoftPrice, parse_cost
from exactcover.model.matrix import StatedBounds
from exactcover.model.names import distinct_texts
from exactcover.pictures.text import show_json
from exactcover.problem import Cost, Problem

__all__ = ["read", "write"]

_MAX_DIGITS = 1000  # in a whole number
_KEYS = ("primary", "secondary", "multiplicity", "preferred", "soft", "options")


@check_arguments
def write(problem: Problem, out: TextIO) -> None:
    """Write a problem, one option per line.

    Raises
    ------
    ProblemError
        If two items, two labels or two colors have the same text.

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a"]}, costs={"A": 2}), sys.stdout)
    {"primary": ["a"], "secondary": [], "multiplicity": {}, "preferred": [], "options": [
     {"label": "A", "items": ["a"], "cost": 2}
    ]}
    """
    texts = dict(zip(problem.items, distinct_texts("item", problem.items), strict=True))
    labels = distinct_texts("label", problem.labels)
    colors = dict(zip(problem.colors, distinct_texts("color", problem.colors), strict=True))

    def describe(entry: Item) -> object:
        if isinstance(entry, Weighted):
            return [texts[entry.item], entry.times]
        return [texts[entry.item], colors[entry.color]] if isinstance(entry, Colored) else texts[entry]

    header: dict[str, object] = {
        "primary": [texts[item] for item in problem.primary],
        "secondary": [texts[item] for item in problem.secondary],
        "multiplicity": {texts[item]: bounds for item, bounds in problem.multiplicity.items()},
        "preferred": [texts[item] for item in problem.preferred],
    }
    if problem.soft_prices:
        header["soft"] = {texts[item]: _describe_price(pair) for item, pair in problem.soft.items()}
    out.write(dump_json(header)[:-1] + ', "options": [')
    costs = problem.costs
    for number, (text, (label, items)) in enumerate(zip(labels, problem.options.items(), strict=True)):
        option: dict[str, object] = {"label": text, "items": [describe(item) for item in items]}
        if label in costs:
            option["cost"] = _describe_cost(costs[label])
        out.write(f"{',' if number else ''}\n {dump_json(option)}")
    out.write("\n]}\n")


def _describe_cost(cost: Cost | None) -> int | str | None:
    return cost if cost is None or isinstance(cost, int) else str(cost)


def _describe_price(pair: tuple[Cost | None, Cost | None]) -> object:
    under, over = map(_describe_cost, pair)
    return under if over is None else [under, over]


@check_arguments
def read(text: str | Iterable[str], source: str = "<text>", *, stop: Stop | None = None) -> Problem:
    """Read a problem from JSON.

    Only ``options`` is required. An option without a label gets its number, from 1.

    Parameters
    ----------
    text
        The JSON document, as a text or as its lines.
    source
        The name used in errors.
    stop
        Polled while reading.

    Raises
    ------
    ConfigError
        If the text is not JSON, with line and column; if the document does not have the expected structure; or if it
        breaks the rules of a :class:`~exactcover.Problem`.

    Examples
    --------
    >>> read('{"options": [{"items": ["a", "b"]}, {"items": ["a"]}, {"items": ["b"]}]}').count()
    2
    """
    whole = "".join(text)  # decoded outside of the block below, so that an error names UTF-8 and not JSON
    try:
        document = load_json(whole, parse_int=_read_whole, parse_float=Decimal, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ConfigError([Mistake(f"invalid JSON: {error.msg}", source, error.lineno, error.colno)]) from None
    except (ValueError, RecursionError) as error:
        raise ConfigError([Mistake(f"invalid JSON: {error}", source)]) from None
    try:
        return _build_problem(document, stop or Stop())
    except (ProblemError, _StructureError) as error:
        raise ConfigError([Mistake(str(error), source)]) from None


class _StructureError(Exception):
    """The document does not have the expected structure; never leaves this module."""


def _build_problem(document: Any, stop: Stop) -> Problem:
    if not isinstance(document, dict) or "options" not in document:
        raise _StructureError("expected an object with the key 'options'")
    unknown = next((key for key in document if key not in _KEYS), None)
    if unknown is not None:
        raise _StructureError(f"unknown key {unknown!r} (keys are {', '.join(_KEYS)})")
    multiplicity = document.get("multiplicity", {})
    if not isinstance(multiplicity, dict):
        raise _StructureError("multiplicity: expected an object")
    bounds = {item: _read_bounds(entry, item) for item, entry in multiplicity.items()}
    costs: dict[Label, Cost] = {}
    primary = _read_strings(document["primary"], "primary") if "primary" in document else None
    secondary = _read_strings(document.get("secondary", []), "secondary")
    preferred = _read_strings(document.get("preferred", []), "preferred")
    soft = document.get("soft", {})
    if not isinstance(soft, dict):
        raise _StructureError("soft: expected an object")
    prices = {item: _read_price(price, f"soft item {item!r}") for item, price in soft.items()}
    options = stop.watch(_read_options(document["options"], costs))
    return Problem(
        options,
        primary=primary,
        secondary=secondary,
        multiplicity=bounds,
        costs=costs,
        preferred=preferred,
        soft=prices,
    )


def _read_price(price: Any, where: str) -> SoftPrice:
    """Read a price, or a pair of prices, which may be null."""
    if isinstance(price, list) and len(price) == 2:
        under, over = (None if one is None else _read_cost(one, where) for one in price)
        return under, over
    return _read_cost(price, where)


def _read_bounds(entry: Any, item: str) -> int | StatedBounds:
    """Read a number or a pair of numbers, of which the second may be null."""
    if type(entry) is int:
        return entry
    if isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and type(entry[1]) in (int, NoneType):
        return entry[0], entry[1]
    raise _StructureError(f"multiplicity of {item!r}: expected a whole number or a pair of whole numbers")


def _read_strings(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _StructureError(f"{where}: expected a list of strings")
    return value


def _read_options(options: Any, costs: dict[Label, Cost]) -> Iterator[tuple[Label, Iterable[Item]]]:
    if not isinstance(options, list):
        raise _StructureError("options: expected a list")
    for number, option in enumerate(options, 1):
        where = f"option {number}"
        if not isinstance(option, dict) or not option.keys() <= {"label", "items", "cost"} or "items" not in option:
            raise _StructureError(f"{where}: expected an object with 'items', and optionally 'label' and 'cost'")
        label = option.get("label", str(number))
        if not isinstance(label, str) or not isinstance(option["items"], list):
            raise _StructureError(f"{where}: expected a string as the label and a list as the items")
        if "cost" in option:
            costs[label] = _read_cost(option["cost"], where, signed=True)
        yield label, [_read_entry(entry, where) for entry in option["items"]]


def _read_entry(entry: Any, where: str) -> Item:
    if isinstance(entry, str):
        return entry
    if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and type(entry[1]) in (str, int):
        return Colored(*entry) if isinstance(entry[1], str) else Weighted(*entry)
    expected = "a string, a pair [item, color], or [item, times] with a whole number"
    raise _StructureError(f"{where}: expected an item: {expected}; got {show_json(entry)}")


def _read_cost(cost: Any, where: str, *, signed: bool = False) -> Cost:
    if type(cost) is int:
        return cost
    if not isinstance(cost, str | Decimal):
        raise _StructureError(f"{where}: the cost {show_json(cost)} is not a number")
    try:
        return parse_cost(str(cost), signed=signed)
    except ValueError as error:
        raise _StructureError(f"{where}: {error}") from None


def _read_whole(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS:,} digits")
    return int(text)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a finite number")
