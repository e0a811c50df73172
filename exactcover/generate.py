"""Puzzles: givens that leave one solution, for every problem whose options can be given."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from exactcover.algorithm_x import Label
from exactcover.errors import StoppedError
from exactcover.problem import Problem
from exactcover.stop import Statistics, Status, Stop

__all__ = ["Puzzle", "generate"]

Partner = Callable[[Sequence[Label]], Iterable[Iterable[Label]]]
"""Splits a solution into groups of options that are given together, or not at all."""

_ATTEMPTS = 1000  # in a row that fail


@dataclass(frozen=True)
class Puzzle:
    """Givens, and the one solution they leave.

    Attributes
    ----------
    givens, solution
        In the order of the problem.
    nodes
        How many nodes a search visits to find the solution and see that it is the only one: the harder, the more.
    """

    givens: tuple[Label, ...]
    solution: tuple[Label, ...]
    nodes: int


def generate(
    problem: Problem,
    *,
    seed: int | None = None,
    givens: Iterable[Label] = (),
    clues: int | None = None,
    together: Partner | None = None,
    stop: Stop | None = None,
) -> Iterator[Puzzle]:
    """Yield puzzles without end, each from a random solution by leaving out givens as long as no other appears.

    Parameters
    ----------
    seed
        All that chance depends on.
    givens
        What every puzzle holds.
    clues
        How many givens there must be, these included; None for puzzles in which each given is needed.
    together
        What is given together or not at all; by default every option by itself. Then each *group* is needed.

    Raises
    ------
    ValueError
        If there is no solution; or a thousand attempts in a row came to no puzzle with so many clues.
    StoppedError
        If `stop` says so.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})
    >>> next(generate(problem, seed=1)).givens in [("B",), ("C",), ("D",)]
    True
    """
    chance, stop = random.Random(seed), stop or Stop()
    fixed = frozenset(givens)
    unique = _Asked(problem, stop)
    failed: list[int] = []  # how many givens there were
    while True:
        found = problem.solve(limit=1, seed=chance.randrange(1 << 32), given=fixed, stop=stop)
        solution = next(found, None)
        if stop.status is not None:
            raise StoppedError(stop.status, 0, Statistics())
        if solution is None:
            raise ValueError(f"there is no solution{': ' + found.reason if found.reason else ''}")
        groups = [set(group) - fixed for group in (together(solution) if together else ([label] for label in solution))]
        chance.shuffle(groups)
        held = _thinned(set(solution), groups, clues or 0, unique)
        if clues in (None, len(held)):
            ordered = tuple(label for label in solution if label in held)
            yield Puzzle(ordered, solution, _nodes(problem, ordered, stop))
            failed.clear()
            continue
        failed.append(len(held))
        if len(failed) == _ATTEMPTS:
            others = f"{min(failed)} to {max(failed)}" if min(failed) < max(failed) else f"{failed[0]}"
            raise ValueError(f"{_ATTEMPTS} attempts came to no puzzle with {clues} givens, but to {others}")


def _thinned(
    held: set[Label], groups: Iterable[set[Label]], clues: int, unique: Callable[[Iterable[Label]], bool]
) -> set[Label]:
    """Leave out one group after another, unless another solution appears. What was needed once stays so."""
    for group in groups:
        if group and len(held) - len(group) >= clues and unique(held - group):
            held -= group
    return held


class _Asked:
    """Tells whether some givens leave one solution; the engine is set up once."""

    def __init__(self, problem: Problem, stop: Stop) -> None:
        self._position = problem.position
        self._givens: list[Label] = []
        self._answers = problem.solve_many(iter(lambda: self._givens, None), limit=2, stop=stop)

    def __call__(self, givens: Iterable[Label]) -> bool:
        self._givens = sorted(givens, key=self._position)
        return len(next(self._answers)) == 1


def _nodes(problem: Problem, givens: Sequence[Label], stop: Stop) -> int:
    search = problem.solve(given=givens, stop=stop)
    list(search)
    if search.status is not Status.COMPLETE:
        raise StoppedError(search.status, 0, search.statistics)
    return search.statistics.nodes
