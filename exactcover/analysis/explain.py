"""Explanations why an instance has one solution, several or none, in terms of options and items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from exactcover.algorithm_x import Item, Label
from exactcover.analysis.conflicts import (
    ItemQuestions,
    Questions,
    UndecidedError,
    direct_clash,
    minimal_conflict,
    smallest_conflict,
)
from exactcover.control.arguments import check_arguments, read_whole
from exactcover.control.statistics import Statistics
from exactcover.control.stop import Stop, Stopped, make_stop
from exactcover.engines.registry import check_engine_name
from exactcover.errors import StoppedError
from exactcover.model.soft import count_covers
from exactcover.problem import Problem
from exactcover.search.reasons import describe_reason
from exactcover.steps.restriction import restrict
from exactcover.steps.step import Shortage, find_shortage

__all__ = ["Explanation", "explain", "minimal_conflict"]

_MAX_LISTED = 10_000  # solutions that are listed to find the options that distinguish them
MAX_QUESTIONS = 2_000  # asked to find out whether fewer givens conflict
MAX_ITEM_QUESTIONS = 200  # whether fewer items do


@dataclass(frozen=True)
class Explanation:
    """The explanation of a number of solutions.

    The order of everything is fixed: `solutions` are in the order of the search, `needless` and `conflict` in the order
    of the givens, and `decisive` and `items` in the order of the problem.

    Attributes
    ----------
    solutions
        No solution, the only one, or the first two of several.
    count
        The number of solutions, if it is at most 10,000; else None.
    needless
        If there is one solution: each given without which there is still only one solution.
    decisive
        If there are several solutions: each option that leaves only one solution if it is given as well. If there are
        more than 10,000 solutions, only the options in which the first two differ are examined.
    conflict
        If there is no solution: givens that conflict with each other or with excluded options.
    minimal
        Whether removing any one given of `conflict` resolves the conflict. It is false only if that could not be
        decided in reasonable time.
    smallest
        Whether it is proved that no smaller set of givens, or of items, is a conflict. It is false if this would take
        too long.
    items
        If there is no solution even without the givens: items that cannot be covered together. Removing any one of them
        resolves this.
    reason
        Why there is no solution, if that can be seen without a search.
    further
        Further conflicts of givens, or of items, if they were asked for. No two conflicts overlap; each is minimal, but
        perhaps not a smallest one. If there are fewer than were asked for, there is no other without these givens or
        items.
    """

    solutions: tuple[tuple[Label, ...], ...]
    count: int | None
    needless: tuple[Label, ...] = ()
    decisive: tuple[Label, ...] = ()
    conflict: tuple[Label, ...] = ()
    minimal: bool = True
    smallest: bool = False
    items: tuple[Item, ...] = ()
    reason: str | None = None
    further: tuple[tuple[Label | Item, ...], ...] = ()


@check_arguments
def explain(
    problem: Problem,
    given: Iterable[Label] = (),
    *,
    conflicts: int = 1,
    engine: str = "auto",
    stop: Stop | None = None,
) -> Explanation:
    """Explain the number of solutions that contain some givens.

    Parameters
    ----------
    problem
        The problem; its own givens are among the givens.
    given
        Labels of further givens.
    conflicts
        How many conflicts to look for, at least 1; they do not overlap.
    engine
        The name of the engine that searches, as for :meth:`Problem.solve`.
    stop
        Polled often.

    Raises
    ------
    ProblemError
        If a label is unknown.
    ValueError
        If `conflicts` is less than 1.
    EngineUnavailableError
        If there is no such engine, or it cannot search the problem.
    StoppedError
        If `stop` asks for it before the explanation is complete.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})
    >>> explain(problem).decisive
    ('B', 'C', 'D')
    >>> explain(problem, ["C"]).count
    1
    >>> explain(problem, ["B", "C"]).conflict
    ('B', 'C')
    """
    check_engine_name(engine)
    conflicts = read_whole("conflicts", conflicts, 1)
    givens, stop = list(problem.instance(given).givens), make_stop(stop=stop)
    problem = problem.full().instance(without=problem.excluded)
    explanation = _explain_without_search(problem)
    if explanation is not None:
        return _add_conflicts(problem, givens, explanation, conflicts, engine, stop)
    search = problem.solve(given=givens, limit=_MAX_LISTED + 1, engine=engine, stop=stop)
    found: list[tuple[Label, ...]] = []
    try:
        reason, questions = search.reason, Questions(problem, stop, engine)
        if not _prove_no_solution(givens, reason, questions):
            found += search
        stop.poll()
        if not found:
            explanation = _explain_no_solution(problem, givens, reason, questions, stop)
            return _add_conflicts(problem, givens, explanation, conflicts, engine, stop)
        if len(found) == 1:
            return Explanation(tuple(found), 1, needless=_find_needless(problem, givens, engine, stop))
        count = len(found) if len(found) <= _MAX_LISTED else None
        return Explanation(tuple(found[:2]), count, decisive=_find_decisive(problem, givens, found, engine, stop))
    except (Stopped, StoppedError) as stopped:
        raise StoppedError(stopped.status, len(found), Statistics()) from None


def _explain_without_search(problem: Problem) -> Explanation | None:
    """Explain why there is no solution whatever is given, if that can be seen without a search; else return None."""
    if problem.impossible is not None:
        return Explanation((), 0, reason=problem.impossible)
    shortage = find_shortage(restrict(problem.matrix, (), problem.excluded_positions).matrix).reason
    if not isinstance(shortage, Shortage):
        return None
    return Explanation((), 0, items=(problem.items[shortage.item],), reason=describe_reason(problem, shortage, ()))


def _prove_no_solution(givens: Sequence[Label], reason: str | None, questions: Questions) -> bool:
    """Try to prove that there is no solution with the givens, or none even without them; return whether this succeeds.

    Each proof may be quick where the other takes a long time. So both questions are asked in turn, with growing
    patience, until one is decided.
    """
    if reason is not None:
        return True
    patience: float = questions.patience
    while givens:
        for some in (givens, ()):
            try:
                return questions.solution(some, patience) is None
            except UndecidedError:
                patience *= 2
    return False


def _find_needless(problem: Problem, givens: Sequence[Label], engine: str, stop: Stop) -> tuple[Label, ...]:
    fewer = [[other for other in givens if other != label] for label in givens]
    ambiguous = _find_ambiguous(problem, fewer, engine, stop)
    return tuple(label for label, several in zip(givens, ambiguous, strict=True) if not several)


def _find_ambiguous(problem: Problem, instances: Iterable[Sequence[Label]], engine: str, stop: Stop) -> list[bool]:
    """Return, for each set of givens, whether it has more than one solution."""
    solver = problem.reusable_solver(engine=engine)
    return [len(solver.solutions(given=given, limit=2, stop=stop)) > 1 for given in instances]


def _find_decisive(
    problem: Problem, givens: list[Label], found: list[tuple[Label, ...]], engine: str, stop: Stop
) -> tuple[Label, ...]:
    if len(found) <= _MAX_LISTED:
        counts = Counter(label for solution in found for label in solution)
        return tuple(label for label in problem.labels if counts[label] == 1)
    differing = sorted(set(found[0]) ^ set(found[1]), key=problem.position)
    ambiguous = _find_ambiguous(problem, ([*givens, label] for label in differing), engine, stop)
    return tuple(label for label, several in zip(differing, ambiguous, strict=True) if not several)


def _explain_no_solution(
    problem: Problem, givens: list[Label], reason: str | None, questions: Questions, stop: Stop
) -> Explanation:
    """Explain why there is no solution: by givens, if there may be a solution without them; else by items."""
    possible, patience = True, questions.patience if givens else math.inf
    try:
        possible = questions.solution((), patience) is not None
        patience = math.inf
    except UndecidedError:
        pass
    if possible:
        return _explain_conflict(problem, givens, reason, questions, patience, stop)
    covers, numbers = ItemQuestions(problem, stop, questions.engine), range(problem.matrix.primary)
    holders = count_covers(covers.matrix, range(len(covers.matrix)))
    rare_first = sorted(numbers, key=holders.__getitem__)  # a conflict of what few options contain tends to be small
    items = minimal_conflict(rare_first, lambda some: covers.solution(some) is None)
    covers.left = MAX_ITEM_QUESTIONS
    items, smallest = smallest_conflict(numbers, items, lambda some: covers.solution(some, covers.patience), stop)
    named = tuple(problem.items[item] for item in items)
    return Explanation((), 0, items=named, smallest=smallest, reason=reason)


def _explain_conflict(
    problem: Problem, givens: list[Label], reason: str | None, questions: Questions, patience: float, stop: Stop
) -> Explanation:
    """Explain which givens conflict; givens count as possible if deciding takes more than `patience`."""
    undecided = False

    def impossible(some: Sequence[Label]) -> bool:
        nonlocal undecided
        try:
            return questions.solution(some, patience) is None
        except UndecidedError:
            undecided = True
            return False

    def possible(some: Sequence[Label]) -> list[Label] | None:
        found = questions.solution(some, questions.patience)
        return None if found is None else [label for label in givens if label in set(found)]

    conflict = minimal_conflict(direct_clash(problem, givens) or givens, impossible)
    questions.left = MAX_QUESTIONS
    conflict, smallest = smallest_conflict(givens, conflict, possible, stop)
    minimal = smallest or not undecided
    return Explanation((), 0, conflict=tuple(conflict), minimal=minimal, smallest=smallest, reason=reason)


def _add_conflicts(
    problem: Problem, givens: list[Label], explanation: Explanation, most: int, engine: str, stop: Stop
) -> Explanation:
    """Return the explanation with further conflicts, none of which overlaps another."""
    found: list[tuple[Label | Item, ...]] = [explanation.conflict or explanation.items]
    try:
        while found[0] and len(found) < most:
            known = {one for conflict in found for one in conflict}
            if explanation.conflict:
                further = _find_conflict_of_givens(problem, [one for one in givens if one not in known], engine, stop)
            else:
                further = _find_conflict_of_items(problem, known, engine, stop)
            if not further:
                break
            found.append(further)
    except Stopped as stopped:
        raise StoppedError(stopped.status, 0, Statistics()) from None
    return replace(explanation, further=tuple(found[1:]))


def _find_conflict_of_givens(problem: Problem, givens: list[Label], engine: str, stop: Stop) -> tuple[Label, ...]:
    solver = problem.reusable_solver(engine=engine)

    def impossible(some: Sequence[Label]) -> bool:
        return not solver.solutions(given=some, stop=stop)

    return tuple(minimal_conflict(givens, impossible)) if impossible(givens) else ()


def _find_conflict_of_items(problem: Problem, known: Set[Item], engine: str, stop: Stop) -> tuple[Item, ...]:
    covers = ItemQuestions(problem, stop, engine)
    left = [item for item in range(problem.matrix.primary) if problem.items[item] not in known]

    def impossible(some: Sequence[int]) -> bool:
        return covers.solution(some) is None

    conflict = minimal_conflict(left, impossible) if impossible(left) else []
    return tuple(problem.items[item] for item in sorted(conflict))
