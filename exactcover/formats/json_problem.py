"""A problem as one JSON document, for other programs to read and write.

::

    {"primary": ["a", "b"], "secondary": ["x"], "multiplicity": {"b": [0, 2]}, "preferred": [],
     "options": [{"label": "A", "items": ["a", ["x", "red"]], "cost": 3}, {"label": "B", "items": ["b"]}]}

Everything is text, an item with a color is a pair of texts, costs are whole numbers, or texts where they are not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, TextIO

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake, ProblemError
from exactcover.model.matrix import Bounds
from exactcover.problem import Cost, Problem

__all__ = ["read", "write"]

_KEYS = ("primary", "secondary", "multiplicity", "preferred", "options")


def write(problem: Problem, out: TextIO) -> None:
    """Write a problem, an option a line.

    Raises
    ------
    ValueError
        If two items or two labels are the same as text.

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a"]}, costs={"A": 2}), sys.stdout)
    {"primary": ["a"], "secondary": [], "multiplicity": {}, "preferred": [], "options": [
     {"label": "A", "items": ["a"], "cost": 2}
    ]}
    """
    for kind, names in (("items", problem.items), ("labels", problem.labels)):
        name, times = max(Counter(map(str, names)).items(), key=lambda pair: pair[1], default=("", 0))
        if times > 1:
            raise ValueError(f"{times} {kind} are {name!r} as text, so JSON cannot tell them apart")
    head = {
        "primary": [str(item) for item in problem.primary],
        "secondary": [str(item) for item in problem.secondary],
        "multiplicity": {str(item): bounds for item, bounds in problem.multiplicity.items()},
        "preferred": [str(item) for item in problem.preferred],
    }
    out.write(json.dumps(head, ensure_ascii=False)[:-1] + ', "options": [')
    costs = problem.costs
    for number, (label, items) in enumerate(problem.options.items()):
        option: dict[str, object] = {"label": str(label), "items": [_written(item) for item in items]}
        if label in costs:
            option["cost"] = costs[label] if isinstance(costs[label], int) else str(costs[label])
        out.write(f"{',' if number else ''}\n {json.dumps(option, ensure_ascii=False)}")
    out.write("\n]}\n")


def _written(item: Item) -> object:
    return [str(item.item), str(item.color)] if isinstance(item, Colored) else str(item)


def read(text: str, source: str = "<text>", *, stop: Stop | None = None) -> Problem:
    """Read a problem that :func:`write` or another program has written; polls `stop`.

    Only ``options`` must be there; labels that are missing are numbers from 1.

    Raises
    ------
    ConfigError
        If it is no JSON, with line and column; if something in it is not as it should be, or breaks the rules of a
        :class:`Problem`.

    Examples
    --------
    >>> read('{"options": [{"items": ["a", "b"]}, {"items": ["a"]}, {"items": ["b"]}]}').count()
    2
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError([Mistake(f"this is no JSON: {error.msg}", source, error.lineno, error.colno)]) from None
    except (ValueError, RecursionError) as error:
        raise ConfigError([Mistake(f"this is no JSON: {error}", source)]) from None
    try:
        return _problem(document, stop or Stop())
    except (ProblemError, _WrongError) as error:
        raise ConfigError([Mistake(str(error), source)]) from None


class _WrongError(Exception):
    """Something in the document is not as it should be; never leaves this module."""


def _problem(document: Any, stop: Stop) -> Problem:
    if not isinstance(document, dict) or "options" not in document:
        raise _WrongError("expected an object with the key 'options'")
    unknown = next((key for key in document if key not in _KEYS), None)
    if unknown is not None:
        raise _WrongError(f"unknown key {unknown!r} (keys are {', '.join(_KEYS)})")
    multiplicity = document.get("multiplicity", {})
    if not isinstance(multiplicity, dict):
        raise _WrongError("multiplicity: expected an object")
    bounds = {item: _bounds(often, item) for item, often in multiplicity.items()}
    costs: dict[Label, Cost] = {}
    primary = _texts(document["primary"], "primary") if "primary" in document else None
    secondary = _texts(document.get("secondary", []), "secondary")
    preferred = _texts(document.get("preferred", []), "preferred")
    options = stop.watch(_options(document["options"], costs))
    return Problem(options, primary=primary, secondary=secondary, multiplicity=bounds, costs=costs, preferred=preferred)


def _bounds(often: Any, item: str) -> int | Bounds:
    """Read a number, or a pair of them."""
    if type(often) is int:
        return often
    if isinstance(often, list) and len(often) == 2 and all(type(number) is int for number in often):
        return often[0], often[1]
    raise _WrongError(f"multiplicity of {item!r}: expected a whole number or a pair of them")


def _texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _WrongError(f"{where}: expected a list of texts")
    return value


def _options(options: Any, costs: dict[Label, Cost]) -> Iterator[tuple[Label, Iterable[Item]]]:
    if not isinstance(options, list):
        raise _WrongError("options: expected a list")
    for number, option in enumerate(options, 1):
        where = f"option {number}"
        if not isinstance(option, dict) or not option.keys() <= {"label", "items", "cost"} or "items" not in option:
            raise _WrongError(f"{where}: expected an object with items, and perhaps a label and a cost")
        label = option.get("label", str(number))
        if not isinstance(label, str) or not isinstance(option["items"], list):
            raise _WrongError(f"{where}: expected a text as label and a list as items")
        if "cost" in option:
            costs[label] = _cost(option["cost"], where)
        yield label, [_entry(entry, where) for entry in option["items"]]


def _entry(entry: Any, where: str) -> Item:
    if isinstance(entry, str):
        return entry
    if isinstance(entry, list) and len(entry) == 2 and all(isinstance(one, str) for one in entry):
        return Colored(*entry)
    raise _WrongError(f"{where}: expected an item as text, or a pair [item, color]; got {json.dumps(entry)[:60]}")


def _cost(cost: Any, where: str) -> Cost:
    if isinstance(cost, int) and not isinstance(cost, bool):
        return cost
    try:
        return Decimal(cost if isinstance(cost, str) else str(cost))
    except InvalidOperation:
        raise _WrongError(f"{where}: the cost {cost!r} is no number") from None
