"""The problem of a run as one document, from which workers search and results are read, years later if need be.

A store may come from a stranger. So what is searched is made of the problem whenever the store is opened, and must have
the digest that the store knows. A reason why there is no solution counts only if the same steps find one, or if the
encoder that the run names states that reason again.
"""

from __future__ import annotations

import hashlib
import json
import math
import pickle
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
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
from exactcover.search.query import Query, prepare_matrix
from exactcover.search.reasons import describe_reason
from exactcover.search.soft_search import find_price_list
from exactcover.steps.reduction import is_much_smaller, reduce
from exactcover.steps.step import StepResult, compose
from exactcover.symmetry.splitting import Choice, Weight

_MAX = 1 << 31  # items, options and colors; they are stored in four bytes


def to_goal(kind: Any, number: Any) -> Goal:
    """Return the goal of a run."""
    if kind not in ("count", "all", "first", "cheapest"):
        raise ValueError(f"{show_value(kind)} is not the goal of a run")
    return Goal(kind, to_number(number) if kind in ("first", "cheapest") else None)


@dataclass(frozen=True, eq=False)
class SearchProblem:
    """The problem of a worker: the matrix to search, and the way to lift its solutions."""

    matrix: Matrix  # for the cheapest solutions its costs ascend
    fixed: tuple[int, ...]  # positions of options that were chosen before the search
    positions: tuple[int, ...]  # of each option of the matrix in the problem
    records: bool  # whether workers keep the nodes of their searches
    any_way: bool  # whether workers may count in any way, and not by a search alone

    def lift(self, solution: Sequence[int]) -> tuple[int, ...]:
        """Return a solution of the matrix as ascending positions in the problem."""
        return tuple(sorted([*self.fixed, *(self.positions[option] for option in solution)]))

    @property
    def digest(self) -> str:
        """A hash of everything that paths of cubes depend on."""
        return _hash([matrix_to_json(self.matrix), self.fixed, self.positions])


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
    reason
        Why there is no solution, if that was seen without a search; else None.
    hash
        The fingerprint of the problem.
    reduced, records, any_way
        Whether the problem is reduced before the search, whether workers keep the nodes of their searches, and whether
        they may count in any way, and not by a search alone.
    digest
        The digest of the problem that workers search.
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
    reason: str | None = None
    hash: str = ""
    reduced: bool = False
    records: bool = False
    any_way: bool = False
    digest: str = ""
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
        positions = self.given_positions, self.excluded_positions
        return _hash([self.hash, matrix_to_json(self.matrix), self.units, *positions])

    def to_bytes(self) -> bytes:
        """Return the problem in a form that :meth:`from_bytes` reads."""
        plan = None if self.plan is None else [self.plan.splits, self.plan.digest]
        content = {one.name: getattr(self, one.name) for one in fields(self)}
        content |= {"matrix": matrix_to_json(self.matrix), "plan": plan}
        data = json.dumps(content, default=str, separators=(",", ":")).encode("utf-8", "surrogatepass")
        packed = zlib.compress(data)
        try:
            unpack(packed)
        except ValueError as error:
            raise ProblemError(f"the problem is too large for a run: {error}") from None
        return packed

    @classmethod
    def from_bytes(cls, data: bytes) -> RunProblem:
        """Read what :meth:`to_bytes` returned.

        Raises
        ------
        ValueError
            If the data are damaged.
        """
        text = unpack(data).decode("utf-8", "surrogatepass")
        content = to_object(text, *(one.name for one in fields(cls)))
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
            None if reason is None else to_text(reason),
            to_text(content["hash"]),
            content["reduced"] is True,
            content["records"] is True,
            content["any_way"] is True,
            to_text(content["digest"]),
            _to_plan(content["plan"]),
        )


def _hash(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _to_plan(value: Any) -> Plan | None:
    if value is None:
        return None
    splits, digest = to_list(value)
    return Plan(tuple(None if split is None else _to_choice(split) for split in to_list(splits)), to_text(digest))


def _to_choice(value: Any) -> Choice:
    kind, number, links = to_list(value)
    return to_text(kind), to_number(number, _MAX), to_numbers(links, _MAX)


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
    """Return a matrix of which engines can rely on that it is one; raise ``ValueError`` if it is not."""
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
    """The problems that are searched below each path; `whole` is searched if there is no plan.

    The children of the root are the parts, if there is a plan and the root was not counted as a whole. Raise
    ``ValueError`` if the plan does not fit the matrix.
    """

    def __init__(self, whole: SearchProblem, plan: Plan | None, stop: Stop) -> None:
        self.whole = whole
        self._parts = [] if plan is None else plan.parts(whole.matrix, stop)
        self.parts = len(self._parts)  # their number; 0 if there is no plan
        self.problem_of = cache(self._make_problem)
        self.data_of = cache(lambda part: zlib.compress(pickle.dumps(self.problem_of(part))))

    def part_of(self, path: CubePath) -> int | None:
        """Return the number of the part to which a path belongs; None for the whole.

        Raise ``ValueError`` if there is no such part.
        """
        if not path or not self._parts:
            return None
        if path[0] >= len(self._parts):
            raise ValueError("the plan has fewer parts")
        return path[0]

    def _make_problem(self, part: int | None) -> SearchProblem:
        """Return the problem to search in a part, or the whole; it is made once."""
        if part is None:
            return self.whole
        matrix = self._parts[part].matrix
        return replace(self.whole, matrix=matrix, fixed=(), positions=tuple(range(len(matrix))))

    def options_of(self, path: CubePath) -> int:
        """Return how many options there are below a path."""
        part = self.part_of(path)
        return len(self.whole.matrix if part is None else self._parts[part].matrix)

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
) -> tuple[RunProblem, PlannedSearch]:
    """Prepare a problem for a run, and plan its searches; the givens and exclusions of the instance apply.

    If `reduced` is None, the problem is reduced if that removes more than a few options. Raise ``ProblemError`` if an
    option covers an item several times; the cheapest solutions are wanted and a cost is negative; or the problem states
    that it has no solution, but neither does that follow from its matrix, nor does an encoder with this name and these
    parameters state it.
    """
    problem.refuse_weights("a run")
    problem.refuse_rules("a run")
    if goal.kind == "cheapest":
        problem.refuse_negative_costs("a run for the cheapest solutions")
    given, without = problem.given_positions, problem.excluded_positions
    wished = False if records else reduced
    prepared, is_reduced = _prepare_matrix(problem.matrix, goal, given, without, wished, stop)
    reason = problem.impossible
    if reason is None and prepared.reason is not None:
        reason = describe_reason(problem, prepared.reason, given)
    whole = _make_search_problem(prepared, stop, records=records, any_way=any_way)
    plan = make_plan(whole.matrix, stop) if symmetry and reason is None else None
    made = RunProblem(
        name,
        dict(params),
        tuple(map(str, problem.labels)),
        tuple(map(str, problem.items)),
        problem.matrix,
        problem.cost_units,
        tuple(given),
        tuple(without),
        reason,
        problem.fingerprint(),
        is_reduced,
        records,
        any_way,
        whole.digest,
        plan,
    )
    if problem.impossible is not None and prepared.reason is None and not _is_stated(made, stop):
        raise ProblemError(
            f"there is no solution, but the store of a run could not show the reason: {problem.impossible}; "
            "a store can show it if it names an installed encoder, and parameters that name no file"
        )
    return made, PlannedSearch(whole, plan, stop)


def plan_search(problem: RunProblem, goal: Goal, stop: Stop) -> PlannedSearch:
    """Make what is searched of the problem of a run.

    Raise ``ValueError`` if the problem is not prepared as its run says, or the reason why there is no solution does not
    follow from it.
    """
    if problem.plan is not None and (goal.kind != "count" or problem.reason is not None):
        raise ValueError("there is a plan, although only a run that counts can have one")
    if problem.any_way and (goal.kind != "count" or problem.records):
        raise ValueError("cubes may be counted in any way, although the run lists solutions or keeps nodes")
    if problem.records and (problem.reduced or goal.kind not in ("count", "all")):
        raise ValueError("nodes are recorded, although the run reduces the problem, or does not visit all of it")
    given, without = problem.given_positions, problem.excluded_positions
    prepared, _ = _prepare_matrix(problem.matrix, goal, given, without, problem.reduced, stop)
    if problem.reason is not None and prepared.reason is None and not _is_stated(problem, stop):
        known = f", and no encoder {problem.name!r} states it here" if problem.name else ""
        raise ValueError(f"it does not follow from the problem that there is no solution ({problem.reason}){known}")
    whole = _make_search_problem(prepared, stop, records=problem.records, any_way=problem.any_way)
    if problem.reason is None and (prepared.reason is not None or whole.digest != problem.digest):
        raise ValueError("the givens and excluded options leave another problem than the one that was searched")
    try:
        return PlannedSearch(whole, problem.plan, stop)
    except ValueError as error:
        raise ValueError(f"the plan of the run is not valid: {error}") from None


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


def _prepare_matrix(
    matrix: Matrix, goal: Goal, given: Sequence[int], without: Sequence[int], reduced: bool | None, stop: Stop
) -> tuple[StepResult, bool]:
    """Return the matrix that is searched, or the reason why there is no solution; and whether it was reduced.

    If `reduced` is None, it is if that removes more than a few options.
    """
    stop.poll()
    plain = prepare_matrix(matrix, Query(goal, SearchOptions(reduce=False), tuple(given), tuple(without)))
    if plain.reason is not None or reduced is False:
        return plain, False
    reduction = reduce(plain.matrix, stop)
    if reduced is None and reduction.reason is None and not is_much_smaller(reduction.matrix, plain.matrix):
        return plain, False
    return StepResult(reduction.matrix, compose([plain.lift, reduction.lift]), reduction.reason), True


def _make_search_problem(prepared: StepResult, stop: Stop, *, records: bool, any_way: bool) -> SearchProblem:
    fixed = tuple(prepared.lift(()))
    images = (set(prepared.lift((option,))) - set(fixed) for option in stop.watch(range(len(prepared.matrix))))
    return SearchProblem(prepared.matrix, fixed, tuple(image.pop() for image in images), records, any_way)
