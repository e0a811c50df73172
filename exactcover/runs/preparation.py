"""From a problem to what a run searches; and back: whether what a store holds follows from its problem.

A store may come from a stranger. So what was made of its problem, be it a matrix to search or a reason why there is no
solution, counts only if the same steps make it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exactcover.control.options import Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.matrix import Matrix
from exactcover.problem import Problem
from exactcover.runs.problem import RunProblem, SearchProblem
from exactcover.search.prepare import prepare, prepare_matrix
from exactcover.search.query import Query
from exactcover.steps.reduction import is_much_smaller, reduce
from exactcover.steps.step import Lift, StepResult, compose

__all__ = ["find_preparation_fault", "prepare_run"]


def prepare_run(
    problem: Problem,
    goal: Goal,
    *,
    reduced: bool | None,
    records: bool,
    stop: Stop,
    name: str,
    params: Mapping[str, Any],
) -> RunProblem:
    """Prepare a problem for a run; the givens and exclusions of the instance apply.

    Raises
    ------
    ProblemError
        If the problem states that it has no solution, and a store could not show that this is true.
    Stopped
        If `stop` asks for it.
    """
    given, without = problem.given_positions, problem.excluded_positions
    query = Query(goal, SearchOptions(reduce=bool(reduced)), given, without)
    prepared = prepare(problem, query, stop)
    if reduced is None and not records and prepared.reason is None:
        smaller = prepared.reduce(problem, query, stop)
        if smaller.reason is not None or is_much_smaller(smaller.matrix, prepared.matrix):
            prepared = smaller
    made = RunProblem(
        name,
        dict(params),
        tuple(map(str, problem.labels)),
        tuple(map(str, problem.items)),
        problem.matrix,
        problem.cost_units,
        tuple(given),
        tuple(without),
        _make_search_problem(prepared.matrix, prepared.lift, records, stop),
        prepared.reason,
        problem.fingerprint(),
    )
    if problem.impossible is not None and find_preparation_fault(made, goal, stop) is not None:
        raise ProblemError(
            f"there is no solution, but the store of a run could not show the reason: {problem.impossible}"
        )
    return made


def find_preparation_fault(problem: RunProblem, goal: Goal, stop: Stop) -> str | None:
    """Return what does not follow from the problem of a run, as a sentence, or None if all of it does.

    Parameters
    ----------
    problem, goal
        What a store says about its run.
    stop
        Polled often.

    Raises
    ------
    Stopped
        If `stop` asks for it.
    """
    results = _prepare_again(problem, goal, stop)
    if problem.reason is not None:
        if any(result.reason is not None for result in results):
            return None
        return f"it does not follow from the problem that there is no solution ({problem.reason})"
    stored, records = problem.searched.to_json(), problem.searched.records
    for result in results:
        if result.reason is None:
            made = _make_search_problem(result.matrix, result.lift, records, stop)
            if made.to_json() == stored:
                return None
    return "what was searched is not what the givens and excluded options leave of the problem"


def _prepare_again(problem: RunProblem, goal: Goal, stop: Stop) -> Iterator[StepResult]:
    """Yield what a preparation makes of a problem, without a reduction and, if that is possible, with one."""
    stop.poll()
    query = Query(goal, SearchOptions(reduce=False), problem.given_positions, problem.excluded_positions)
    plain = prepare_matrix(problem.matrix, query)
    yield plain
    if plain.reason is None and (problem.reason is not None or not problem.searched.records):
        reduction = reduce(plain.matrix, stop)
        yield StepResult(reduction.matrix, compose([plain.lift, reduction.lift]), reduction.reason)


def _make_search_problem(matrix: Matrix, lift: Lift, records: bool, stop: Stop) -> SearchProblem:
    fixed = tuple(lift(()))
    images = (set(lift((option,))) - set(fixed) for option in stop.watch(range(len(matrix))))
    return SearchProblem(matrix, fixed, tuple(image.pop() for image in images), records)
