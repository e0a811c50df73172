"""Why an instance has one solution, several or none: what makes it so, in options and items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from exactcover.algorithm_x import Item, Label
from exactcover.analysis.conflicts import Questions, UndecidedError, direct_clash, minimal_conflict, smallest_conflict
from exactcover.control.statistics import Statistics
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.registry import pick_engine
from exactcover.errors import StoppedError
from exactcover.model.matrix import Matrix
from exactcover.problem import Problem
from exactcover.search.reasons import describe_reason
from exactcover.steps.restriction import restrict
from exactcover.steps.step import Shortage, find_shortage

__all__ = ["Explanation", "explain", "minimal_conflict"]

_MANY = 10_000  # solutions that are listed to see what tells them apart
_MOST_QUESTIONS = 2_000  # asked to see whether fewer givens conflict


@dataclass(frozen=True)
class Explanation:
    """What is behind the number of solutions.

    The order is the same every time: `solutions` come as the search finds them, `needless` and `conflict` in the order
    of the givens, `decisive` and `items` in that of the problem.

    Attributes
    ----------
    solutions
        None, the only one, or the first two of several.
    count
        How many there are, if no more than 10,000; else None.
    needless
        Where there is just one: the givens of which any one could be left out.
    decisive
        Where there are several: the options of which any one, given besides, leaves just one. Where there are more
        than 10,000, only those of the first two are looked at.
    conflict
        Where there is none: givens that exclude each other, in the order in which they were given.
    minimal
        Whether any one of the `conflict` could be left out, and the others would not exclude each other: true unless a
        search that would tell takes too long.
    smallest
        Whether no fewer givens exclude each other. Where it would take too long to tell, it is false.
    items
        Where there is none even without givens: items that cannot be covered together, none of them too many.
    reason
        Why there is none, where that needs no search.
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


def explain(problem: Problem, given: Iterable[Label] = (), *, stop: Stop | None = None) -> Explanation:
    """Look into the number of solutions that hold some givens.

    Raises
    ------
    ProblemError
        If there is no option of such a label.
    StoppedError
        If `stop` says so before all is clear.

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
    givens, stop = list(dict.fromkeys([*problem.givens, *given])), stop or Stop()
    problem = problem.full().instance(without=problem.excluded)
    hopeless = _hopeless(problem)
    if hopeless is not None:
        return hopeless
    search = problem.solve(given=givens, limit=_MANY + 1, stop=stop)
    found: list[tuple[Label, ...]] = []
    try:
        reason, questions = search.reason, Questions(problem, stop)
        if not _refuted(givens, reason, questions):
            found += search
        stop.poll()
        if not found:
            return _none(problem, givens, reason, questions, stop)
        if len(found) == 1:
            return Explanation(tuple(found), 1, needless=_needless(problem, givens, stop))
        count = len(found) if len(found) <= _MANY else None
        return Explanation(tuple(found[:2]), count, decisive=_decisive(problem, givens, found, stop))
    except (Stopped, StoppedError) as stopped:
        raise StoppedError(stopped.status, len(found), Statistics()) from None


def _hopeless(problem: Problem) -> Explanation | None:
    """Explain what shows without a search that there is no solution, whatever is given; None if nothing does."""
    if problem.impossible is not None:
        return Explanation((), 0, reason=problem.impossible)
    shortage = find_shortage(_allowed(problem)).reason
    if not isinstance(shortage, Shortage):
        return None
    return Explanation((), 0, items=(problem.items[shortage.item],), reason=describe_reason(problem, shortage, ()))


def _refuted(givens: Sequence[Label], reason: str | None, questions: Questions) -> bool:
    """Whether it is soon seen that there is no solution: with the givens, or none without them either.

    Each may be quick where the other takes long. So both are asked in turn with growing patience, until one is decided.
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


def _needless(problem: Problem, givens: Sequence[Label], stop: Stop) -> tuple[Label, ...]:
    fewer = [[other for other in givens if other != label] for label in givens]
    return tuple(label for label, several in zip(givens, _several(problem, fewer, stop), strict=True) if not several)


def _several(problem: Problem, instances: Iterable[Sequence[Label]], stop: Stop) -> list[bool]:
    """Return for each set of givens whether it has more than one solution."""
    solver = problem.solver()
    return [len(solver.solve(given=given, limit=2, stop=stop)) > 1 for given in instances]


def _decisive(problem: Problem, givens: list[Label], found: list[tuple[Label, ...]], stop: Stop) -> tuple[Label, ...]:
    if len(found) <= _MANY:
        often = Counter(label for solution in found for label in solution)
        return tuple(label for label in problem.labels if often[label] == 1)
    apart = sorted(set(found[0]) ^ set(found[1]), key=problem.position)
    return tuple(
        label
        for label, several in zip(apart, _several(problem, ([*givens, label] for label in apart), stop), strict=True)
        if not several
    )


def _none(problem: Problem, givens: list[Label], reason: str | None, questions: Questions, stop: Stop) -> Explanation:
    """Explain why there is no solution: by givens, if there may be one without them, else by items."""
    possible, patience = True, questions.patience if givens else math.inf
    try:
        possible = questions.solution((), patience) is not None
        patience = math.inf
    except UndecidedError:
        pass
    if possible:
        return _conflict(problem, givens, reason, questions, patience, stop)
    matrix = _allowed(problem)
    items = minimal_conflict(range(matrix.primary), lambda some: not _coverable(matrix, some, stop))
    return Explanation((), 0, items=tuple(problem.items[item] for item in sorted(items)), reason=reason)


def _conflict(
    problem: Problem, givens: list[Label], reason: str | None, questions: Questions, patience: float, stop: Stop
) -> Explanation:
    """Explain which givens exclude each other; what takes more patience counts as possible."""
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
    questions.left = _MOST_QUESTIONS
    conflict, smallest = smallest_conflict(givens, conflict, possible, stop)
    minimal = smallest or not undecided
    return Explanation((), 0, conflict=tuple(conflict), minimal=minimal, smallest=smallest, reason=reason)


def _allowed(problem: Problem) -> Matrix:
    """Return the matrix without the options that are excluded; the items keep their numbers."""
    return restrict(problem.matrix, (), problem.excluded_positions).matrix


def _coverable(matrix: Matrix, required: Iterable[int], stop: Stop) -> bool:
    """Whether these items can be covered if the other primary ones need not be, but no more often than before."""
    wanted = set(required)
    relaxed = {item: (0, matrix.bounds(item)[1]) for item in range(matrix.primary) if item not in wanted}
    eased = replace(matrix, multiplicity={**matrix.multiplicity, **relaxed}, costs=())
    engine, _ = pick_engine("auto", eased)
    return any(True for _ in islice(engine.start(eased, stop), 1))
