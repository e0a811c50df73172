"""Minimal and smallest conflicts, which are sets of things that are impossible together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeVar

from exactcover.algorithm_x import Item, Label
from exactcover.control.stop import InnerStop, Stop
from exactcover.engines.registry import pick_engine
from exactcover.model.soft import find_deviations
from exactcover.problem import Problem
from exactcover.steps.restriction import restrict

__all__ = [
    "ItemQuestions",
    "Patience",
    "Questions",
    "UndecidedError",
    "direct_clash",
    "minimal_conflict",
    "smallest_conflict",
]

T = TypeVar("T")


class UndecidedError(Exception):
    """A question was given up because it takes too long; never leaves the package."""


class Patience(InnerStop):
    """Gives up a question after a number of polls, `left`, by an :class:`UndecidedError`."""

    left = math.inf

    def poll(self) -> None:
        super().poll()
        self.left -= 1
        if self.left < 0:
            raise UndecidedError


class Questions:
    """Answers whether a problem has a solution with some givens, and remembers the answers.

    Patience is measured in polls of the stop. Their number does not depend on the machine or its load, so the same
    questions are given up everywhere.

    Attributes
    ----------
    left
        How many questions may still be asked.
    patience
        A number of polls that suffices for easy questions.
    engine
        The name of the engine.
    """

    def __init__(self, problem: Problem, stop: Stop, engine: str = "auto") -> None:
        self._patience, self.left, self.engine = Patience(stop), math.inf, engine
        self._setup_polls = len(problem.labels) // 64  # allowed in addition
        self.patience = 64 + min(1000, 2 * len(problem.primary))  # an engine may poll at every node
        self._known: dict[frozenset[Any], tuple[Any, ...] | None] = {}
        self._solver = problem.reusable_solver(engine=engine)

    def solution(self, given: Sequence[Any], patience: float = math.inf) -> tuple[Any, ...] | None:
        """Return a solution with some givens, or None if there is none.

        Raises
        ------
        UndecidedError
            If the answer takes more than `patience` polls, or no more questions may be asked.
        StoppedError
            If the stop asks for it.
        """
        key = frozenset(given)
        if key not in self._known:
            if self.left <= 0:
                raise UndecidedError
            self.left -= 1
            self._patience.left = patience + self._setup_polls
            self._known[key] = self._find(given, self._patience)
        return self._known[key]

    def _find(self, given: Sequence[Any], stop: Stop) -> tuple[Any, ...] | None:
        return next(iter(self._solver.solutions(given=given, stop=stop)), None)


class ItemQuestions(Questions):
    """Answers which items, by number, can be covered together with some of them, if others may be left uncovered.

    The upper bounds of all items stay as they are.
    """

    def __init__(self, problem: Problem, stop: Stop, engine: str = "auto") -> None:
        super().__init__(problem, stop, engine)
        self.matrix = restrict(problem.matrix, (), problem.excluded_positions).matrix  # the items keep their numbers

    def _find(self, given: Sequence[int], stop: Stop) -> tuple[int, ...] | None:
        matrix, wanted = self.matrix, set(given)
        optional = {item: (0, matrix.bounds(item)[1]) for item in range(matrix.primary) if item not in wanted}
        relaxed = replace(matrix, multiplicity={**matrix.multiplicity, **optional}, costs=())
        picked, _ = pick_engine(self.engine, relaxed)
        found = next(iter(picked.start(relaxed, stop)), None)
        if found is None:
            return None
        deviations = find_deviations(matrix, found)
        return tuple(item for item in range(matrix.primary) if item not in deviations)


def direct_clash(problem: Problem, givens: Sequence[Label]) -> list[Label]:
    """Return a smallest set of givens that cover one item too often, or do not all give it the same color.

    Ties go to the first set in the order of the givens. If no item shows a clash, the list is empty.

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
    """Return a minimal conflict: things that are impossible together, but possible if any one of them is removed.

    Parameters
    ----------
    things
        Things that are impossible together.
    impossible
        Says whether some of the things, in any order, are impossible together. Adding things to an impossible
        selection must not make it possible.

    Returns
    -------
    list
        The conflict; empty if `things` is empty, or if no things at all are already impossible.

    Notes
    -----
    It calls `impossible` about k log(n/k) times for a conflict of k out of n things.

    References
    ----------
    U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", AAAI 2004.

    Examples
    --------
    >>> minimal_conflict(range(100), lambda some: {7, 70} <= set(some))
    [7, 70]
    """

    def search(background: list[T], extended: bool, candidates: list[T]) -> list[T]:
        if extended and impossible(background):
            return []
        if len(candidates) == 1:
            return candidates
        first, second = candidates[: len(candidates) // 2], candidates[len(candidates) // 2 :]
        from_second = search([*background, *first], bool(first), second)
        from_first = search([*background, *from_second], bool(from_second), first)
        return [*from_first, *from_second]

    everything = list(things)
    return [] if not everything or impossible([]) else search([], False, everything)


def smallest_conflict(
    things: Sequence[T], conflict: Sequence[T], possible: Callable[[Sequence[T]], Collection[T] | None], stop: Stop
) -> tuple[list[T], bool]:
    """Return a smallest conflict, and whether it is proved to be a smallest one.

    Parameters
    ----------
    things
        Different things that are impossible together.
    conflict
        Some of these things that are impossible together.
    possible
        Returns None for things that are impossible together. Otherwise it returns things that are possible together and
        include the given ones. It may raise :class:`UndecidedError`.
    stop
        Polled often.

    Returns
    -------
    tuple
        The conflict, in the order of `things`; and whether it is proved to be a smallest one. If a question was not
        decided, the conflict is `conflict`, and the second value is False.

    Notes
    -----
    Every conflict contains at least one thing that is missing from any given possible set. So the method finds a
    smallest set of things that contains at least one missing thing of each possible set found so far. If this hitting
    set is impossible, it is a smallest conflict. If it is possible, it is extended to another possible set.

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
    missing: list[list[int]] = []  # for each possible set found, the numbers of the things that it lacks
    size = 0
    try:
        while size < len(conflict):
            hitting = _find_hitting_set(missing, size, stop)
            if hitting is None:
                size += 1
                continue
            selection = possible([things[number] for number in hitting])
            if selection is None:
                return [things[number] for number in hitting], True
            extended = set(_extend(things, selection, possible))
            missing.append([number for number, thing in enumerate(things) if thing not in extended])
        proved = True
    except UndecidedError:
        proved = False
    kept = set(conflict)
    return [thing for thing in things if thing in kept], proved


def _find_hitting_set(sets: Sequence[Sequence[int]], size: int, stop: Stop) -> list[int] | None:
    """Return at most `size` numbers, ascending, of which each set contains at least one; None if this is impossible."""
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


def _extend(
    things: Sequence[T], selection: Collection[T], possible: Callable[[Sequence[T]], Collection[T] | None]
) -> Collection[T]:
    """Return a possible selection extended by every other thing, in order, with which it is found to stay possible."""
    for thing in things:
        if thing not in selection:
            try:
                selection = possible([*selection, thing]) or selection
            except UndecidedError:  # any possible selection will do
                continue
    return selection
