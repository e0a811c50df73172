"""Puzzles: givens that leave one solution, for every problem whose options can be given."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from exactcover.algorithm_x import Label
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop
from exactcover.errors import CoverError, StoppedError
from exactcover.problem import Problem

__all__ = ["NoPuzzleError", "Puzzle", "generate"]

Partner = Callable[[Sequence[Label]], Iterable[Iterable[Label]]]
"""Splits a solution into groups of options that are given together, or not at all."""

_ATTEMPTS = 1000  # in a row that fail


class NoPuzzleError(CoverError, ValueError):
    """There is no solution to begin with, or a thousand attempts in a row came to no puzzle as wanted."""


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
    nodes: tuple[int, float] = (0, math.inf),
    together: Partner | None = None,
    stop: Stop | None = None,
) -> Iterator[Puzzle]:
    """Yield puzzles without end, each from a random solution by leaving out givens as long as no other appears.

    Parameters
    ----------
    seed
        All that chance depends on.
    givens
        What every puzzle holds, and with it what is given together with any of these.
    clues
        How many givens there must be, these included; None for puzzles in which each given is needed.
    nodes
        How hard a puzzle must and may be: at least and at most so many nodes of a search.
    together
        What is given together or not at all; by default every option by itself. Then each *group* is needed. An option
        of a solution that is in none of its groups is not given.

    Raises
    ------
    NoPuzzleError
        If there is no solution; or a thousand attempts in a row came to no puzzle with so many clues or nodes.
    StoppedError
        If `stop` says so.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})
    >>> next(generate(problem, seed=1)).givens in [("B",), ("C",), ("D",)]
    True
    """
    chance, stop = random.Random(seed), stop or Stop()
    fixed = frozenset([*problem.givens, *givens])
    problem = problem.full().instance(without=problem.excluded)
    solver = problem.solver()

    def unique(some: Iterable[Label]) -> bool:
        return len(solver.solve(given=sorted(some, key=problem.position), limit=2, stop=stop)) == 1

    failed: list[tuple[int, str]] = []  # how many givens or nodes there were
    while True:
        found = problem.solve(limit=1, seed=chance.randrange(1 << 32), given=fixed, stop=stop)
        solution = next(found, None)
        if stop.status is not None:
            raise StoppedError(stop.status, 0, Statistics())
        if solution is None:
            raise NoPuzzleError(f"there is no solution{': ' + found.reason if found.reason else ''}")
        groups = [set(group) for group in (together(solution) if together else ([label] for label in solution))]
        held = set[Label]().union(*groups)
        if not fixed <= held or (len(held) < len(solution) and not unique(held)):
            failed.append((len(held), "givens that have all their partners"))
            if len(failed) == _ATTEMPTS:
                raise NoPuzzleError(_failure(failed))
            continue
        groups = _loose(groups, fixed)
        chance.shuffle(groups)
        held = _thinned(held, groups, clues or 0, unique)
        ordered = tuple(label for label in solution if label in held)
        if clues not in (None, len(held)):
            failed.append((len(held), f"{clues} givens"))
        else:
            hardness = _nodes(problem, ordered, stop)
            if nodes[0] <= hardness <= nodes[1]:
                yield Puzzle(ordered, solution, hardness)
                failed.clear()
            else:
                failed.append((hardness, "a search of so many nodes"))
        if len(failed) == _ATTEMPTS:
            raise NoPuzzleError(_failure(failed))


def _failure(failed: Sequence[tuple[int, str]]) -> str:
    """Say what came of attempts in place of what was wanted."""
    parts = []
    for wanted in dict.fromkeys(wanted for _, wanted in failed):
        came = [number for number, other in failed if other == wanted]
        parts.append(f"{wanted}, but to {min(came)}" + (f" to {max(came)}" if min(came) < max(came) else ""))
    return f"{len(failed)} attempts came to no puzzle with {', nor with '.join(parts)}"


def _loose(groups: Iterable[Iterable[Label]], fixed: Collection[Label]) -> list[set[Label]]:
    """Return the groups that may be left out: those that neither hold what is fixed nor meet a group that does."""
    loose, held = [set(group) for group in groups], set(fixed)
    while not all(map(held.isdisjoint, loose)):
        held.update(*(group for group in loose if not held.isdisjoint(group)))
        loose = [group for group in loose if not group <= held]
    return loose


def _thinned(
    held: set[Label], groups: Iterable[set[Label]], clues: int, unique: Callable[[Iterable[Label]], bool]
) -> set[Label]:
    """Leave out one group after another, unless another solution appears. What was needed once stays so."""
    for group in groups:
        if group and len(held) - len(group) >= clues and unique(held - group):
            held -= group
    return held


def _nodes(problem: Problem, givens: Sequence[Label], stop: Stop) -> int:
    search = problem.solve(given=givens, stop=stop)
    list(search)
    if search.status is not Status.COMPLETE:
        raise StoppedError(search.status, 0, search.statistics)
    return search.statistics.nodes
