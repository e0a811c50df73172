"""The problem of a run as one document, from which workers search and results are read, years later if need be."""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from exactcover.control.options import Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.errors import StoreError
from exactcover.model.matrix import Matrix
from exactcover.problem import Cost, Problem
from exactcover.search.prepare import prepare
from exactcover.search.query import Query
from exactcover.steps.reduction import is_much_smaller

__all__ = ["RunProblem", "SearchProblem"]


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
    """

    matrix: Matrix
    fixed: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    records: bool = False

    def lift(self, solution: Sequence[int]) -> tuple[int, ...]:
        """Return a solution of the matrix as ascending positions in the problem."""
        return tuple(sorted([*self.fixed, *(self.positions[option] for option in solution)]))

    def to_bytes(self) -> bytes:
        """Return the problem in a form that :meth:`from_bytes` reads."""
        numbers = {"fixed": self.fixed, "positions": self.positions, "records": self.records}
        return _pack({"matrix": _matrix_to_json(self.matrix), **numbers})

    @classmethod
    def from_bytes(cls, data: bytes) -> SearchProblem:
        """Read what :meth:`to_bytes` returned."""
        content = _unpack(data)
        fixed, positions = tuple(content["fixed"]), tuple(content["positions"])
        return cls(_matrix_from_json(content["matrix"]), fixed, positions, content.get("records", False))


@dataclass(frozen=True, eq=False)
class RunProblem:
    """A problem with everything that its results depend on, as texts and numbers.

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

    @classmethod
    def prepare(
        cls,
        problem: Problem,
        goal: Goal,
        *,
        reduce: bool | None,
        records: bool,
        stop: Stop,
        name: str,
        params: Mapping[str, Any],
    ) -> RunProblem:
        """Prepare a problem for a run; the givens and exclusions of the instance apply.

        Raises
        ------
        Stopped
            If `stop` asks for it.
        """
        given, without = problem.given_positions, problem.excluded_positions
        query = Query(goal, SearchOptions(reduce=bool(reduce)), given, without)
        prepared = prepare(problem, query, stop)
        if reduce is None and not records and prepared.reason is None:
            smaller = prepared.reduce(problem, query, stop)
            if smaller.reason is not None or is_much_smaller(smaller.matrix, prepared.matrix):
                prepared = smaller
        fixed = tuple(prepared.lift(()))
        images = (set(prepared.lift((option,))) - set(fixed) for option in stop.watch(range(len(prepared.matrix))))
        positions = tuple(image.pop() for image in images)
        return cls(
            name,
            dict(params),
            tuple(map(str, problem.labels)),
            tuple(map(str, problem.items)),
            problem.matrix,
            problem.cost_units,
            tuple(given),
            tuple(without),
            SearchProblem(prepared.matrix, fixed, positions, records),
            prepared.reason,
            problem.fingerprint(),
        )

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
        return total if self.units == 1 else Decimal(total) / self.units

    @property
    def key(self) -> str:
        """A hash over the whole problem: items, options, colors, multiplicities, costs, givens and exclusions."""
        parts = [self.hash, _matrix_to_json(self.matrix), self.units, self.given_positions, self.excluded_positions]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def to_bytes(self) -> bytes:
        """Return the problem in a form that :meth:`from_bytes` reads."""
        own = ("name", "params", "labels", "items", "units", "given_positions", "excluded_positions")
        content = {name: getattr(self, name) for name in (*own, "reason", "hash")}
        searched = self.searched
        return _pack(
            content
            | {"matrix": _matrix_to_json(self.matrix), "searched": _matrix_to_json(searched.matrix)}
            | {"fixed": searched.fixed, "positions": searched.positions, "records": searched.records}
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> RunProblem:
        """Read what :meth:`to_bytes` returned.

        Raises
        ------
        StoreError
            If the data are damaged.
        """
        content = _unpack(data)
        searched = SearchProblem(
            _matrix_from_json(content.pop("searched")),
            tuple(content.pop("fixed")),
            tuple(content.pop("positions")),
            content.pop("records", False),
        )
        matrix = _matrix_from_json(content.pop("matrix"))
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in content.items()
        }
        return cls(matrix=matrix, searched=searched, **values)


def _pack(content: object) -> bytes:
    return zlib.compress(json.dumps(content, default=str, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def _unpack(data: bytes) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    except (zlib.error, ValueError) as error:
        raise StoreError(f"the stored problem is damaged: {error}") from None
    return content


def _matrix_to_json(matrix: Matrix) -> dict[str, Any]:
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


def _matrix_from_json(content: Mapping[str, Any]) -> Matrix:
    return Matrix(
        content["items"],
        content["primary"],
        array("q", content["starts"]),
        array("i", content["entries"]),
        array("i", content["colors"]),
        {item: (low, high) for item, low, high in content["multiplicity"]},
        content["costs"],
        frozenset(content["preferred"]),
    )
