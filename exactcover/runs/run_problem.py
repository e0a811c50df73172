"""The problem of a run as one document, from which workers search and results are read, years later if need be.

A store may come from a stranger. So what was made of its problem, be it a matrix to search or a reason why there is no
solution, counts only if the same steps make it again, or if the encoder that the run names states that reason again.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from exactcover.control.options import Goal, SearchOptions
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.discovery import find_encoder
from exactcover.errors import ConfigError, ProblemError, StoppedError, UnknownProblemError
from exactcover.files.read import Access, access, unpack
from exactcover.model.costs import Cost, cost_of_units
from exactcover.model.matrix import Matrix
from exactcover.pictures.text import show_value
from exactcover.problem import Problem
from exactcover.runs.cube import CubePath
from exactcover.runs.plan import Plan, make_plan
from exactcover.runs.records import to_list, to_number, to_numbers, to_object, to_text
from exactcover.search.query import Query, prepare, prepare_matrix
from exactcover.search.soft_search import find_price_list
from exactcover.steps.reduction import reduce
from exactcover.steps.step import Lift, StepResult, compose
from exactcover.symmetry.splitting import Choice, Weight

_MAX = 1 << 31  # items, options and colors; they are stored in four bytes


def to_goal(kind: Any, number: Any) -> Goal:
    """Return the goal of a run."""
    if kind not in ("count", "all", "first", "cheapest"):
        raise ValueError(f"{show_value(kind)} is not the goal of a run")
    return Goal(kind, to_number(number) if kind in ("first", "cheapest") else None)


@dataclass(frozen=True, eq=False)
class SearchProblem:
    """The problem of a worker: the matrix to search, and the way to lift its solutions.

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
        The number of units of cost that make a cost of 1.
    given_positions, excluded_positions
        The positions of options that every solution must contain, and must not contain.
    searched
        The problem that workers search.
    reason
        Why there is no solution, if that was seen without a search; else None.
    hash
        The fingerprint of the problem.
    plan
        The plan that splits the matrix that is searched into parts, if there is one.
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
        """The number of units of cost that make a cost of 1, under the name that a problem uses."""
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
        """The lower bound on the cost of every solution, by dual prices; None if the givens contradict each other."""
        found = find_price_list(self.matrix, self.given_positions, self.excluded_positions, Stop())
        return None if found is None else cost_of_units(found.bound, self.units)

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
        costs = tuple(to_list(content["costs"]))
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
        and {*map(type, costs)} <= {int}
    )
    if not is_valid:
        raise ValueError("the matrix is not valid")
    arrays = array("q", starts), array("i", entries), array("i", colors)
    return Matrix(items, primary, *arrays, multiplicity, costs, preferred)


class PlannedSearch:
    """The problems that are searched below each path.

    The children of the root are the parts, if there is a plan and the root was not counted as a whole.

    Parameters
    ----------
    problem
        The problem of the run.
    stop
        Polled while the parts are made.

    Attributes
    ----------
    parts
        The number of parts; 0 if there is no plan.

    Raises
    ------
    ValueError
        If the plan of the problem does not fit its matrix.
    Stopped
        If `stop` asks for it.
    """

    def __init__(self, problem: RunProblem, stop: Stop) -> None:
        self._whole = problem.searched
        self._parts = [] if problem.plan is None else problem.plan.parts(problem.searched.matrix, stop)
        self.parts = len(self._parts)
        self.problem_of, self.data_of = cache(self._make_problem), cache(self._make_data)

    def part_of(self, path: CubePath) -> int | None:
        """Return the number of the part to which a path belongs; None for the whole.

        Raises
        ------
        ValueError
            If there is no such part.
        """
        if not path or not self._parts:
            return None
        if path[0] >= len(self._parts):
            raise ValueError("the plan has fewer parts")
        return path[0]

    def _make_problem(self, part: int | None) -> SearchProblem:
        """Return the problem to search in a part, or the whole; it is made once."""
        if part is None:
            return self._whole
        matrix = self._parts[part].matrix
        return SearchProblem(
            matrix, (), tuple(range(len(matrix))), records=self._whole.records, any_way=self._whole.any_way
        )

    def _make_data(self, part: int | None) -> bytes:
        """Return the problem to search as bytes; they are made once."""
        return self.problem_of(part).to_bytes()

    def options_of(self, path: CubePath) -> int:
        """Return how many options there are below a path."""
        part = self.part_of(path)
        return len(self._whole.matrix if part is None else self._parts[part].matrix)

    def weight_of(self, path: CubePath) -> Weight:
        """Return how many solutions of the problem each solution below a path stands for."""
        part = self.part_of(path)
        return 1 if part is None else self._parts[part].weight


def prepare_run(
    problem: Problem,
    goal: Goal,
    *,
    reduced: bool | None,
    records: bool,
    symmetry: bool,
    any_way: bool,
    stop: Stop,
    name: str,
    params: Mapping[str, Any],
) -> RunProblem:
    """Prepare a problem for a run; the givens and exclusions of the instance apply.

    Parameters
    ----------
    problem, goal
        The problem, and what the run is for.
    reduced
        Whether to reduce it; None to do so if that removes more than a few options.
    records
        Whether nodes are recorded.
    symmetry
        Whether to split the problem by its symmetries.
    any_way
        Whether workers may count in any way.
    stop
        Polled often.
    name, params
        The name of the encoder or file, and its parameters.

    Raises
    ------
    ProblemError
        If an option covers an item several times; the cheapest solutions are wanted and a cost is negative; or the
        problem states that it has no solution, but neither does that follow from its matrix, nor does an encoder with
        this name and these parameters state it.
    Stopped
        If `stop` asks for it.
    """
    problem.refuse_weights("a run")
    problem.refuse_rules("a run")
    if goal.kind == "cheapest":
        problem.refuse_negative_costs("a run for the cheapest solutions")
    given, without = problem.given_positions, problem.excluded_positions
    query = Query(goal, SearchOptions(reduce=bool(reduced)), given, without)
    prepared = prepare(problem, query, stop)
    if reduced is None and not records and prepared.reason is None:
        prepared.reduce(stop, only_much=True)
    plans = symmetry and prepared.reason is None
    made = RunProblem(
        name,
        dict(params),
        tuple(map(str, problem.labels)),
        tuple(map(str, problem.items)),
        problem.matrix,
        problem.cost_units,
        tuple(given),
        tuple(without),
        _make_search_problem(prepared.matrix, prepared.lift, stop, records=records, any_way=any_way),
        prepared.reason,
        problem.fingerprint(),
        make_plan(prepared.matrix, stop) if plans else None,
    )
    if problem.impossible is not None and find_preparation_fault(made, goal, stop) is not None:
        raise ProblemError(
            f"there is no solution, but the store of a run could not show the reason: {problem.impossible}; "
            "a store can show it if it names an installed encoder, and parameters that name no file"
        )
    return made


def find_preparation_fault(problem: RunProblem, goal: Goal, stop: Stop) -> str | None:
    """Return the first thing in a run that does not follow from its problem, as a sentence, or None.

    Parameters
    ----------
    problem, goal
        The problem and the goal in the store of the run.
    stop
        Polled often.

    Raises
    ------
    Stopped
        If `stop` asks for it.
    """
    if problem.plan is not None and (goal.kind != "count" or problem.reason is not None):
        return "there is a plan, although only a run that counts can have one"
    results = _prepare_again(problem, goal, stop)
    if problem.reason is not None:
        if any(result.reason is not None for result in results) or _is_stated(problem, stop):
            return None
        known = f", and no encoder {problem.name!r} states it here" if problem.name else ""
        return f"it does not follow from the problem that there is no solution ({problem.reason}){known}"
    stored = problem.searched
    if stored.any_way and (goal.kind != "count" or stored.records):
        return "cubes may be counted in any way, although the run lists solutions or keeps nodes"
    for result in results:
        if result.reason is None:
            made = _make_search_problem(
                result.matrix, result.lift, stop, records=stored.records, any_way=stored.any_way
            )
            if made.to_json() == stored.to_json():
                return None
    return "what was searched is not what the givens and excluded options leave of the problem"


def _is_stated(problem: RunProblem, stop: Stop) -> bool:
    """Return whether the encoder that a run names states, of the same problem, that it has no solution."""
    from exactcover.config.configuration import encode_as  # slow to import

    try:
        with access(Access(none=True)):
            encoder = encode_as(find_encoder(problem.name), problem.params)
        made = encoder.problem(stop)
        made = made if len(made.labels) == len(problem.labels) else made.merged()
    except (UnknownProblemError, ConfigError, ProblemError):
        return False
    except StoppedError as stopped:
        raise Stopped(stopped.status) from None
    return (
        made.impossible is not None
        and (made.fingerprint(), matrix_to_json(made.matrix)) == (problem.hash, matrix_to_json(problem.matrix))
        and {*made.given_positions}.issubset(problem.given_positions)
        and {*made.excluded_positions}.issubset(problem.excluded_positions)
    )


def _prepare_again(problem: RunProblem, goal: Goal, stop: Stop) -> Iterator[StepResult]:
    """Yield what a preparation makes of a problem, without a reduction and, if that is possible, with one."""
    stop.poll()
    query = Query(goal, SearchOptions(reduce=False), problem.given_positions, problem.excluded_positions)
    plain = prepare_matrix(problem.matrix, query)
    yield plain
    if plain.reason is None and (problem.reason is not None or not problem.searched.records):
        reduction = reduce(plain.matrix, stop)
        yield StepResult(reduction.matrix, compose([plain.lift, reduction.lift]), reduction.reason)


def _make_search_problem(matrix: Matrix, lift: Lift, stop: Stop, *, records: bool, any_way: bool) -> SearchProblem:
    fixed = tuple(lift(()))
    images = (set(lift((option,))) - set(fixed) for option in stop.watch(range(len(matrix))))
    return SearchProblem(matrix, fixed, tuple(image.pop() for image in images), records, any_way)
