"""Why an instance has one solution, several or none: what makes it so, in options and items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from exactcover.algorithm_x import Item, Label
from exactcover.engines import Tactics, pick_engine
from exactcover.errors import StoppedError
from exactcover.matrix import Matrix
from exactcover.problem import Problem
from exactcover.stop import Statistics, Stop, Stopped

__all__ = ["Explanation", "explain", "minimal_conflict"]

T = TypeVar("T")

_MANY = 10_000  # solutions that are listed to see what tells them apart


@dataclass(frozen=True)
class Explanation:
    """What is behind the number of solutions.

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
        Where there is none: givens that exclude each other, none of them too many.
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
    search = problem.solve(given=givens, limit=_MANY + 1, stop=stop)
    found = list(search)
    if stop.status is not None:
        raise StoppedError(stop.status, len(found), Statistics())
    try:
        if not found:
            return _none(problem, givens, search.reason, stop)
        if len(found) == 1:
            fewer = [[other for other in givens if other != label] for label in givens]
            needless = [
                label for label, several in zip(givens, _several(problem, fewer, stop), strict=True) if not several
            ]
            return Explanation(tuple(found), 1, needless=tuple(needless))
        count = len(found) if len(found) <= _MANY else None
        return Explanation(tuple(found[:2]), count, decisive=_decisive(problem, givens, found, stop))
    except Stopped as stopped:
        raise StoppedError(stopped.status, len(found), Statistics()) from None


def _several(problem: Problem, instances: Iterable[Sequence[Label]], stop: Stop) -> list[bool]:
    """Return for each set of givens whether it has more than one solution."""
    return [len(found) > 1 for found in problem.solve_many(instances, limit=2, stop=stop)]


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


def _none(problem: Problem, givens: list[Label], reason: str | None, stop: Stop) -> Explanation:
    def impossible(some: Sequence[Label]) -> bool:
        return not next(iter(problem.solve_many([some], limit=1, stop=stop)))

    if not impossible([]):
        return Explanation((), 0, conflict=tuple(minimal_conflict(givens, impossible)), reason=reason)
    if problem.impossible is not None:
        return Explanation((), 0, reason=problem.impossible)
    matrix = problem.matrix
    items = minimal_conflict(range(matrix.primary), lambda some: not _coverable(matrix, some, stop))
    return Explanation((), 0, items=tuple(problem.items[item] for item in sorted(items)), reason=reason)


def _coverable(matrix: Matrix, required: Iterable[int], stop: Stop) -> bool:
    """Whether these items can be covered if the other primary ones need not be, but no more often than before."""
    wanted = set(required)
    relaxed = {item: (0, matrix.bounds(item)[1]) for item in range(matrix.primary) if item not in wanted}
    eased = replace(matrix, multiplicity={**matrix.multiplicity, **relaxed}, costs=())
    engine, _ = pick_engine("auto", eased)
    return any(True for _ in islice(engine.start(eased, stop, Tactics()), 1))


def minimal_conflict(things: Sequence[T], impossible: Callable[[Sequence[T]], bool]) -> list[T]:
    """Return some of the things that are impossible together, while any one less is not.

    Parameters
    ----------
    things
        Which are impossible together.
    impossible
        Of some things, in any order; more of them must not make possible what was not.

    Notes
    -----
    It asks about k log(n/k) times for k of n things.

    References
    ----------
    U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", AAAI 2004.

    Examples
    --------
    >>> minimal_conflict(range(100), lambda some: {7, 70} <= set(some))
    [7, 70]
    """

    def part(background: list[T], grown: bool, some: list[T]) -> list[T]:
        if grown and impossible(background):
            return []
        if len(some) == 1:
            return some
        first, second = some[: len(some) // 2], some[len(some) // 2 :]
        from_second = part([*background, *first], bool(first), second)
        from_first = part([*background, *from_second], bool(from_second), first)
        return [*from_first, *from_second]

    everything = list(things)
    return [] if not everything or impossible([]) else part([], False, everything)
