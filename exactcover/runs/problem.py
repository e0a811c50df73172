"""The problem of a run as one document, from which workers search and results are read, years later if need be."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from exactcover.control.stop import Stop
from exactcover.counting.plan import Plan
from exactcover.errors import ProblemError
from exactcover.files.unpack import unpack
from exactcover.model.costs import Cost, cost_of_units
from exactcover.model.matrix import Matrix
from exactcover.runs.fields import to_list, to_number, to_numbers, to_object, to_text
from exactcover.search.price_list import find_price_list
from exactcover.symmetry.branches import Choice

__all__ = ["RunProblem", "SearchProblem", "matrix_to_json"]

_MAX = 1 << 31  # items, options and colors; they are stored in four bytes


@dataclass(frozen=True, eq=False)
class SearchProblem:
    """What a worker needs: the matrix to search, and how to lift its solutions.

    Attributes
    ----------
    matrix
        The matrix; for the cheapest solutions its costs ascend.
    fixed
        Positions of options that were chosen before the search.
    positions
        The position of each option of the matrix in the problem.
    records
        Whether workers keep the nodes of their searches.
    any_way
        Whether workers may count in any way, and not by a search alone.
    """

    matrix: Matrix
    fixed: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    records: bool = False
    any_way: bool = False

    def lift(self, solution: Sequence[int]) -> tuple[int, ...]:
        """Return a solution of the matrix as ascending positions in the problem."""
        return tuple(sorted([*self.fixed, *(self.positions[option] for option in solution)]))

    def to_bytes(self) -> bytes:
        """Return the problem in a form that :meth:`from_bytes` reads."""
        return _pack(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the problem as a value that JSON can express."""
        return {"matrix": matrix_to_json(self.matrix)} | self.how_to_json()

    def how_to_json(self) -> dict[str, Any]:
        """Return everything but the matrix as a value that JSON can express."""
        return {name: getattr(self, name) for name in ("fixed", "positions", "records", "any_way")}

    @classmethod
    def from_bytes(cls, data: bytes) -> SearchProblem:
        """Read what :meth:`to_bytes` returned.

        Raises
        ------
        ValueError
            If the data are damaged.
        """
        content = to_object(unpack(data).decode("utf-8", "surrogatepass"), "matrix", *_SEARCH_KEYS)
        return cls._from_json(content, content["matrix"])

    @classmethod
    def _from_json(cls, content: Mapping[str, Any], matrix: Any, options: int = 1 << 32) -> SearchProblem:
        """Return the problem that is part of a document; `options` is the number of options of the whole problem."""
        found = cls(
            _matrix_from_json(matrix),
            to_numbers(content["fixed"], options),
            to_numbers(content["positions"], options),
            content["records"] is True,
            content.get("any_way") is True,  # documents of earlier versions lack it
        )
        named = [*found.fixed, *found.positions]
        if len(found.positions) != len(found.matrix) or len(set(named)) != len(named):
            raise ValueError("the positions of the options are not valid")
        return found


@dataclass(frozen=True, eq=False)
class RunProblem:
    """A problem with everything that its results depend on, as texts and numbers; made by :meth:`Run.create`.

    Attributes
    ----------
    name, params
        The name of the encoder or file, and its parameters, for people.
    labels, items
        The labels of the options, and the items, as texts.
    matrix
        The matrix of the whole problem, with costs in units.
    units
        How many units of cost make a cost of 1.
    given_positions, excluded_positions
        The positions of options that every solution must contain, and must not contain.
    searched
        What workers search.
    reason
        Why there is no solution, if that was seen without a search; else None.
    hash
        The fingerprint of the problem.
    plan
        How the matrix that is searched is split into parts, if it is.
    """

    name: str
    params: Mapping[str, Any]
    labels: tuple[str, ...]
    items: tuple[str, ...]
    matrix: Matrix
    units: int
    given_positions: tuple[int, ...]
    excluded_positions: tuple[int, ...]
    searched: SearchProblem
    reason: str | None = None
    hash: str = ""
    plan: Plan | None = None

    @property
    def cost_units(self) -> int:
        """How many units of cost make a cost of 1, under the name that a problem uses."""
        return self.units

    @property
    def soft_prices(self) -> Mapping[int, tuple[int | None, int | None]]:
        """No prices: solutions of a run leave nothing open."""
        return {}

    @property
    def primary(self) -> tuple[str, ...]:
        """The primary items."""
        return self.items[: self.matrix.primary]

    @property
    def secondary(self) -> tuple[str, ...]:
        """The secondary items."""
        return self.items[self.matrix.primary :]

    def fingerprint(self) -> str:
        """Return the hash of the problem; see :meth:`Problem.fingerprint`."""
        return self.hash

    def cost_of(self, positions: Sequence[int]) -> Cost:
        """Return the total cost of the options at these positions."""
        total = sum(self.matrix.costs[position] for position in positions) if self.matrix.costs else 0
        return cost_of_units(total, self.units)

    def labels_of(self, positions: Sequence[int]) -> tuple[str, ...]:
        """Return the labels of the options at these positions."""
        return tuple(self.labels[position] for position in positions)

    @cached_property
    def least_cost(self) -> Cost | None:
        """What every solution costs at least, by prices of items; None if the givens contradict each other."""
        found = find_price_list(self.matrix, self.given_positions, self.excluded_positions, Stop())
        return None if found is None else cost_of_units(found.bound, self.units)

    @property
    def plan_digest(self) -> str:
        """The hash of the parts of the plan; empty without a plan."""
        return "" if self.plan is None else self.plan.digest

    @property
    def key(self) -> str:
        """A hash over the whole problem: items, options, colors, multiplicities, costs, givens and exclusions."""
        parts = [self.hash, matrix_to_json(self.matrix), self.units, self.given_positions, self.excluded_positions]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def to_bytes(self) -> bytes:
        """Return the problem in a form that :meth:`from_bytes` reads."""
        own = ("name", "params", "labels", "items", "units", "given_positions", "excluded_positions")
        content = {name: getattr(self, name) for name in (*own, "reason", "hash")}
        searched = self.searched
        return _pack(
            content
            | {"matrix": matrix_to_json(self.matrix), "searched": matrix_to_json(searched.matrix)}
            | searched.how_to_json()
            | {"plan": None if self.plan is None else [self.plan.splits, self.plan.digest]}
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> RunProblem:
        """Read what :meth:`to_bytes` returned.

        Raises
        ------
        ValueError
            If the data are damaged.
        """
        keys = ("name", "params", "labels", "items", "units", "given_positions", "excluded_positions", "reason", "hash")
        text = unpack(data).decode("utf-8", "surrogatepass")
        content = to_object(text, *keys, "matrix", "searched", *_SEARCH_KEYS)
        matrix = _matrix_from_json(content["matrix"])
        if not all(any(item < matrix.primary for item, _ in matrix.option(k)) for k in range(len(matrix))):
            raise ValueError("an option has no primary item")
        labels, items = (tuple(map(to_text, to_list(content[key]))) for key in ("labels", "items"))
        if (len(labels), len(items)) != (len(matrix), matrix.items):
            raise ValueError("the numbers of labels and items are not those of the matrix")
        params, reason = content["params"], content["reason"]
        if not isinstance(params, dict):
            raise ValueError("the parameters are not a JSON object")
        return cls(
            to_text(content["name"]),
            params,
            labels,
            items,
            matrix,
            max(1, to_number(content["units"], math.inf)),
            to_numbers(content["given_positions"], len(labels)),
            to_numbers(content["excluded_positions"], len(labels)),
            SearchProblem._from_json(content, content["searched"], len(labels)),
            None if reason is None else to_text(reason),
            to_text(content["hash"]),
            _to_plan(content.get("plan")),  # stores of format 3 have none
        )


_SEARCH_KEYS = ("fixed", "positions", "records")


def _to_plan(value: Any) -> Plan | None:
    if value is None:
        return None
    splits, digest = to_list(value)
    return Plan(tuple(None if split is None else _to_choice(split) for split in to_list(splits)), to_text(digest))


def _to_choice(value: Any) -> Choice:
    kind, number, links = to_list(value)
    return to_text(kind), to_number(number, _MAX), to_numbers(links, _MAX)


def _pack(content: object) -> bytes:
    data = zlib.compress(json.dumps(content, default=str, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    try:
        unpack(data)
    except ValueError as error:
        raise ProblemError(f"the problem is too large for a run: {error}") from None
    return data


def matrix_to_json(matrix: Matrix) -> dict[str, Any]:
    """Return a matrix as a value that JSON can express."""
    return {
        "items": matrix.items,
        "primary": matrix.primary,
        "starts": matrix.starts.tolist(),
        "entries": matrix.entries.tolist(),
        "colors": matrix.colors.tolist(),
        "multiplicity": [[item, *bounds] for item, bounds in matrix.multiplicity.items()],
        "costs": list(matrix.costs),
        "preferred": sorted(matrix.preferred),
    }


def _matrix_from_json(content: Any) -> Matrix:
    """Return a matrix of which engines can rely on that it is one.

    Raises
    ------
    ValueError
        If it is not.
    """
    if not isinstance(content, dict):
        raise ValueError("the matrix is not a JSON object")
    try:
        items = to_number(content["items"], _MAX)
        primary = to_number(content["primary"], items + 1)
        entries, colors = to_numbers(content["entries"], items), to_numbers(content["colors"], _MAX)
        starts = to_numbers(content["starts"], len(entries) + 1)
        bounds = [to_numbers(one, math.inf) for one in to_list(content["multiplicity"])]
        costs = to_numbers(content["costs"], math.inf)
        preferred = frozenset(to_numbers(content["preferred"], primary))
    except KeyError as error:
        raise ValueError(f"the matrix has no {error}") from None
    multiplicity = {item: (low, high) for item, low, high in bounds}
    options = [entries[start:end] for start, end in pairwise(starts)]
    is_valid = (
        (starts[:1], starts[-1:], len(colors)) == ((0,), (len(entries),), len(entries))
        and all(first <= last for first, last in pairwise(starts))
        and all(len(set(option)) == len(option) for option in options)
        and not any(color for item, color in zip(entries, colors, strict=True) if item < primary)
        and all(item < primary and low <= high and high for item, (low, high) in multiplicity.items())
        and len(costs) in (0, len(options))
    )
    if not is_valid:
        raise ValueError("the matrix is not valid")
    arrays = array("q", starts), array("i", entries), array("i", colors)
    return Matrix(items, primary, *arrays, multiplicity, costs, preferred)
