"""From a problem to what a run searches; and back: whether what a store holds follows from its problem.

A store may come from a stranger. So what was made of its problem, be it a matrix to search or a reason why there is no
solution, counts only if the same steps make it again, or if the encoder that the run names states that reason again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exactcover.control.options import Goal, SearchOptions
from exactcover.control.stop import Stop, Stopped
from exactcover.counting.plan import make_plan
from exactcover.encoders.finding import find_encoder
from exactcover.errors import ConfigError, ProblemError, StoppedError, UnknownProblemError
from exactcover.files.access import Access, access
from exactcover.model.matrix import Matrix
from exactcover.problem import Problem
from exactcover.runs.problem import RunProblem, SearchProblem, matrix_to_json
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
        If the problem states that it has no solution, but neither does that follow from its matrix, nor does an encoder
        with this name and these parameters state it.
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
    from exactcover.config.reading import encode_as  # slow to import

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
