"""A problem as a JSON document, for exchange with other programs.

::

    {"primary": ["a", "b"], "secondary": ["x"], "multiplicity": {"b": [0, 2]}, "preferred": [],
     "options": [{"label": "A", "items": ["a", ["x", "red"]], "cost": 3}, {"label": "B", "items": ["b"]}]}

Items, labels and colors are strings. A colored item is a pair of strings. Costs are integers, or strings if they are
decimal. The key ``soft`` contains the prices of soft items: ``{"b": 3, "a": [2, 1]}`` lets b stay open at a price of 3,
and a at a price of 2, or be covered too often at a price of 1; ``null`` stands for what is not allowed.

The key ``rules`` contains rules about graphs (:mod:`exactcover.rules`). A switch is the label of an option, a pair of
an item and a color, or ``{"any": [...]}`` with several of these::

    {"rule": "loop", "edges": [["u", "v", ["uv", "on"]], ...], "or_none": false}
    {"rule": "paths", "edges": [["u", "v", "A"], ...], "ends": [["u", "w"], ["v", null]]}
    {"rule": "connected", "graph": [["u", "v"], ...], "on": [["u", ["x", "on"]], ...], "or_none": false}
    {"rule": "regions", "graph": [["u", "v"], ...], "of": [["u", "x"], ...], "colors": ["red"], "sizes": [2, 4]}

Regions may have ``weights``, as pairs of a vertex and a number, and ``sizes`` as triples of a color and two numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
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
from exactcover.rules import Connected, Loop, Paths, Regions, Rule, to_switches

__all__ = ["read", "write"]

_MAX_DIGITS = 1000  # in a whole number
_KEYS = ("primary", "secondary", "multiplicity", "preferred", "soft", "rules", "options")


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
    named = (color for rule in problem.rules if isinstance(rule, Regions) for color in rule.colors)
    shown = [*dict.fromkeys([*problem.colors, *named])]
    colors = dict(zip(shown, distinct_texts("color", shown), strict=True))

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
    if problem.rules:
        names = dict(zip(problem.labels, labels, strict=True))
        header["rules"] = [
            _RuleWriter(rule, names, colors, describe, problem.colors).describe() for rule in problem.rules
        ]
    out.write(dump_json(header)[:-1] + ', "options": [')
    costs = problem.costs
    for number, (text, (label, items)) in enumerate(zip(labels, problem.options.items(), strict=True)):
        option: dict[str, object] = {"label": text, "items": [describe(item) for item in items]}
        if label in costs:
            option["cost"] = _describe_cost(costs[label])
        out.write(f"{',' if number else ''}\n {dump_json(option)}")
    out.write("\n]}\n")


class _RuleWriter:
    """Writes a rule with texts of labels and colors; `given` are the colors that options give."""

    def __init__(
        self,
        rule: Rule,
        labels: Mapping[Label, str],
        colors: Mapping[Hashable, str],
        describe: Callable[[Item], object],
        given: Collection[Hashable],
    ) -> None:
        self._rule, self._labels, self._colors, self._describe, self._given = rule, labels, colors, describe, given
        self._vertices = dict(zip(rule.places, distinct_texts("vertex", list(rule.places)), strict=True))

    def describe(self) -> dict[str, object]:
        rule, name = self._rule, self._vertices
        if isinstance(rule, Loop | Paths):
            edges = [[name[a], name[b], self._describe_switch(on)] for (a, b), on in rule.edges.items()]
            if isinstance(rule, Loop):
                return {"rule": "loop", "edges": edges, "or_none": rule.or_none}
            ends = [[None if end is None else name[end] for end in pair] for pair in rule.ends]
            return {"rule": "paths", "edges": edges, "ends": ends}
        assert isinstance(rule, Connected | Regions)
        graph = [[name[a], name[b]] for a, b in rule.pairs if a in name and b in name]
        graph += [[name[place]] for place in rule.places if name.keys().isdisjoint(rule.neighbors[place])]
        if isinstance(rule, Connected):
            on = [[name[vertex], self._describe_switch(switch)] for vertex, switch in rule.on.items()]
            return {"rule": "connected", "graph": graph, "on": on, "or_none": rule.or_none}
        of = [[name[vertex], self._describe(item)] for vertex, item in rule.of.items()]
        colors = [self._colors[color] for color in rule.colors]
        stated: dict[str, object] = {"rule": "regions", "graph": graph, "of": of, "colors": colors}
        if isinstance(rule.sizes, Mapping):
            pairs = rule.sizes.items()
            stated["sizes"] = [[self._colors[color], *pair] for color, pair in pairs if color in rule.colors]
        elif rule.sizes is not None:
            stated["sizes"] = rule.sizes
        if rule.weights is not None:
            stated["weights"] = [[name[vertex], weight] for vertex, weight in rule.weights.items() if vertex in name]
        return stated

    def _describe_switch(self, switch: Any) -> object:
        known = [
            one
            for one in to_switches(switch)
            if (one.color in self._given if isinstance(one, Colored) else one in self._labels)
        ]
        texts = [self._describe(one) if isinstance(one, Colored) else self._labels[one] for one in known]
        return texts[0] if len(texts) == 1 else {"any": texts}  # without options and colors that were left out


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
    for key in ("multiplicity", "soft"):
        if not isinstance(document.get(key, {}), dict):
            raise _StructureError(f"{key}: expected an object")
    bounds = {item: _read_bounds(entry, item) for item, entry in document.get("multiplicity", {}).items()}
    costs: dict[Label, Cost] = {}
    primary = _read_strings(document["primary"], "primary") if "primary" in document else None
    secondary = _read_strings(document.get("secondary", []), "secondary")
    preferred = _read_strings(document.get("preferred", []), "preferred")
    prices = {item: _read_price(price, f"soft item {item!r}") for item, price in document.get("soft", {}).items()}
    options = stop.watch(_read_options(document["options"], costs))
    return Problem(
        options,
        primary=primary,
        secondary=secondary,
        multiplicity=bounds,
        costs=costs,
        preferred=preferred,
        soft=prices,
        rules=_read_rules(document.get("rules", [])),
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


def _read_rules(rules: Any) -> list[Rule]:
    if not isinstance(rules, list):
        raise _StructureError("rules: expected a list")
    return [_read_rule(rule, f"rule {number}") for number, rule in enumerate(rules, 1)]


_RULE_KEYS = {
    "loop": ("edges", "or_none"),
    "paths": ("edges", "ends"),
    "connected": ("graph", "on", "or_none"),
    "regions": ("graph", "of", "colors", "sizes", "weights"),
}


def _read_rule(rule: Any, where: str) -> Rule:
    kind = rule.get("rule") if isinstance(rule, dict) else None
    keys = _RULE_KEYS.get(kind) if isinstance(kind, str) else None
    if keys is None:
        raise _StructureError(f"{where}: expected an object with 'rule', one of {', '.join(_RULE_KEYS)}")
    unknown = next((key for key in rule if key not in ("rule", *keys)), None)
    if unknown is not None:
        raise _StructureError(f"{where}: unknown key {unknown!r} (keys of a {kind} are {', '.join(keys)})")
    try:
        return _RuleReader(rule, where).read(str(kind))
    except (TypeError, ValueError) as error:
        raise _StructureError(f"{where}: {error}") from None


class _RuleReader:
    """Reads a rule, whose place in the document is `where`."""

    def __init__(self, rule: Mapping[str, Any], where: str) -> None:
        self._rule, self._where = rule, where

    def read(self, kind: str) -> Rule:
        or_none = self._rule.get("or_none", False)
        if kind in ("loop", "paths"):
            edges = self._to_mapping("edges", [((a, b), self._read_switch(on)) for a, b, on in self._rows("edges", 3)])
            if kind == "loop":
                return Loop(edges, or_none)
            ends = [
                [None if end is None else self._name("ends", end) for end in pair] for pair in self._rows("ends", 2)
            ]
            return Paths(edges, ends)  # type: ignore[arg-type]
        graph = [tuple(self._name("graph", one) for one in entry) for entry in self._rows("graph", 1, 2)]
        if kind == "connected":
            on = [(vertex, self._read_switch(switch)) for vertex, switch in self._rows("on", 2)]
            return Connected(graph, self._to_mapping("on", on), or_none)
        of = self._to_mapping("of", [(vertex, self._name("of", item)) for vertex, item in self._rows("of", 2)])
        colors = _read_strings(self._rule.get("colors"), f"{self._where}: colors")
        sizes, weights = self._rule.get("sizes"), self._rule.get("weights")
        if isinstance(sizes, list) and any(isinstance(one, list) for one in sizes):
            sizes = self._to_mapping("sizes", [(color, (low, high)) for color, low, high in self._rows("sizes", 3)])
        if weights is not None:
            weights = self._to_mapping("weights", [(vertex, weight) for vertex, weight in self._rows("weights", 2)])
        return Regions(graph, of, colors, sizes, weights)

    def _rows(self, key: str, *sizes: int) -> list[list[Any]]:
        rows = self._rule.get(key)
        if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) in sizes for row in rows):
            expected = " or ".join(map(str, sizes))
            raise _StructureError(f"{self._where}: {key}: expected a list of lists with {expected} entries")
        return rows

    def _to_mapping(self, key: str, pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
        """Return what pairs map names, or pairs of names, to; none may come twice."""
        found: dict[Any, Any] = {}
        for name, value in pairs:
            for part in name if isinstance(name, tuple) else (name,):
                self._name(key, part)
            if name in found:
                raise _StructureError(f"{self._where}: {key}: {show_json(name)} is named twice")
            found[name] = value
        return found

    def _name(self, key: str, name: Any) -> str:
        if not isinstance(name, str):
            raise _StructureError(f"{self._where}: {key}: names must be strings; got {show_json(name)}")
        return name

    def _read_switch(self, switch: Any) -> Any:
        if isinstance(switch, dict) and switch.keys() == {"any"} and isinstance(switch["any"], list):
            return [self._read_single(one) for one in switch["any"]]
        return self._read_single(switch)

    def _read_single(self, switch: Any) -> Any:
        """Return the label of an option, or an item with a color."""
        if isinstance(switch, str):
            return switch
        if isinstance(switch, list) and len(switch) == 2 and all(isinstance(one, str) for one in switch):
            return Colored(*switch)
        expected = 'the label of an option, a pair [item, color], or {"any": [...]}'
        raise _StructureError(f"{self._where}: expected a switch: {expected}; got {show_json(switch)}")


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
