"""Conflicts: things that are impossible together, as few as may be."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import TypeVar

from exactcover.algorithm_x import Item, Label
from exactcover.control.stop import InnerStop, Stop
from exactcover.problem import Problem

__all__ = ["Questions", "UndecidedError", "direct_clash", "minimal_conflict", "smallest_conflict"]

T = TypeVar("T")


class UndecidedError(Exception):
    """A question would take too long; never leaves the package."""


class _Patience(InnerStop):
    """A number of polls after which a question is given up."""

    left = math.inf

    def poll(self) -> None:
        super().poll()
        self.left -= 1
        if self.left < 0:
            raise UndecidedError


class Questions:
    """Asks whether a problem has a solution with some givens, again and again, and remembers the answers.

    Patience is counted in looks at the stop. There are as many of these whatever the machine or its load, so the same
    questions are given up everywhere.

    Attributes
    ----------
    left
        How many questions may still be asked.
    patience
        How many looks are enough for easy questions.
    """

    def __init__(self, problem: Problem, stop: Stop) -> None:
        self._patience, self.left = _Patience(stop), math.inf
        self._setting_up = len(problem.labels) // 64  # looks that do not count
        self.patience = 64 + min(1000, 2 * len(problem.primary))  # an engine may look at every node
        self._known: dict[frozenset[Label], tuple[Label, ...] | None] = {}
        self._solver = problem.solver()

    def solution(self, given: Sequence[Label], patience: float = math.inf) -> tuple[Label, ...] | None:
        """Return a solution with some givens, or None if there is none.

        Raises
        ------
        UndecidedError
            If it takes more looks at the stop than `patience`, or no more questions may be asked.
        StoppedError
            If the stop says so.
        """
        key = frozenset(given)
        if key not in self._known:
            if self.left <= 0:
                raise UndecidedError
            self.left -= 1
            self._patience.left = patience + self._setting_up
            self._known[key] = next(iter(self._solver.solve(given=given, stop=self._patience)), None)
        return self._known[key]


def direct_clash(problem: Problem, givens: Sequence[Label]) -> list[Label]:
    """Return the fewest givens that cover one item too often or give it different colors; none if no item shows it.

    Of several such sets it is the first in the order of the givens.

    Examples
    --------
    >>> direct_clash(Problem({"A": [1, 2], "B": [3], "C": [2, 3]}), ["A", "B", "C"])
    ['A', 'C']
    """
    matrix = problem.matrix
    holders: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, label in enumerate(givens):
        for item, color in matrix.option(problem.position(label)):
            holders[item].append((place, color))
    clashes: list[list[int]] = []
    for item, taken in holders.items():
        if item < matrix.primary:
            most = matrix.bounds(item)[1]
            clashes += [[place for place, _ in taken[: most + 1]]] if len(taken) > most else []
        else:
            pairs = combinations(taken, 2)
            clashes += [[one, other] for (one, color), (other, its) in pairs if color != its or not color][:1]
    return [givens[place] for place in min(clashes, key=lambda clash: (len(clash), clash), default=[])]


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


def smallest_conflict(
    things: Sequence[T], conflict: Sequence[T], possible: Callable[[Sequence[T]], Collection[T] | None], stop: Stop
) -> tuple[list[T], bool]:
    """Return as few things as are impossible together, and whether it is certain that no fewer are.

    Parameters
    ----------
    things
        Which are impossible together; all different.
    conflict
        Some of them that are.
    possible
        None of things that are impossible together; else some things, these among them, that are possible together. It
        may raise :class:`UndecidedError`.
    stop
        Polled on the way.

    Returns
    -------
    tuple
        The things in their order; and False where a question was not decided on the way.

    Notes
    -----
    A conflict holds at least one thing of what any possible set lacks. So the fewest things that meet all that the
    possible sets seen so far lack are the smallest conflict, if they are impossible; if not, they grow to one more
    possible set.

    References
    ----------
    A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, "Smallest MUS extraction with minimal hitting set
    dualization", CP 2015.

    Examples
    --------
    >>> def possible(some):
    ...     return None if {1, 2, 3} <= set(some) or {3, 4} <= set(some) else some
    >>> smallest_conflict([1, 2, 3, 4], [1, 2, 3], possible, Stop())
    ([3, 4], True)
    """
    lacking: list[list[int]] = []
    size = 0
    try:
        while size < len(conflict):
            met = _meeting(lacking, size, stop)
            if met is None:
                size += 1
                continue
            most = possible([things[number] for number in met])
            if most is None:
                return [things[number] for number in met], True
            grown = set(_grown(things, most, possible))
            lacking.append([number for number, thing in enumerate(things) if thing not in grown])
        certain = True
    except UndecidedError:
        certain = False
    kept = set(conflict)
    return [thing for thing in things if thing in kept], certain


def _meeting(sets: Sequence[Sequence[int]], size: int, stop: Stop) -> list[int] | None:
    """Return so many numbers at most that meet each of some sets, ascending; None if so few cannot."""
    if not sets or size == 0:
        return None if sets else []
    options: dict[Label, list[Item]] = defaultdict(lambda: ["size"])
    for place, numbers in enumerate(sets):
        for number in numbers:
            options[number].append(place)
    bounds: dict[Item, tuple[int, int]] = {place: (1, len(numbers)) for place, numbers in enumerate(sets)}
    problem = Problem(options, multiplicity={**bounds, "size": (0, size)})
    questions = Questions(problem, stop)
    found = questions.solution((), questions.patience)
    return None if found is None else sorted(number for number in found if isinstance(number, int))


def _grown(
    things: Sequence[T], most: Collection[T], possible: Callable[[Sequence[T]], Collection[T] | None]
) -> Collection[T]:
    """Return possible things and all others that go with them, the first ones first."""
    for thing in things:
        if thing not in most:
            more = possible([*most, thing])
            most = most if more is None else more
    return most
