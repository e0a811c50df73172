"""Generating puzzles, which are givens that leave exactly one solution, for any problem."""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from exactcover.algorithm_x import Label
from exactcover.control.arguments import check_arguments, read_whole
from exactcover.control.options import MOST_NODES, SearchOptions
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, make_stop
from exactcover.errors import CoverError, StoppedError
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.reasons.deductions import LEVELS, StepKind, StepLevel, solve_by_deductions
from exactcover.reasons.position import Sets

_MAX_NODES = 1 << 20  # of a search, after which it is not counted further

Grouping = Callable[[Sequence[Label]], Iterable[Iterable[Label]]]
"""Splits a solution into groups of options; the options of a group are given together, or not at all."""


class NoPuzzleError(CoverError, ValueError):
    """There is no solution to start from, or too many attempts in a row found no such puzzle."""


@dataclass(frozen=True)
class Puzzle:
    """Givens, and the only solution that contains them.

    Attributes
    ----------
    givens, solution
        Labels of options, in the order of the problem.
    nodes
        How many nodes a search visits to find the solution and to prove that it is the only one. Harder puzzles need
        more nodes. A search is stopped after a million nodes, or as many as are asked for.
    difficulty
        The difficulty of the hardest step, as :class:`SolvingPath` states it, if a level or a step was asked for.
    """

    givens: tuple[Label, ...]
    solution: tuple[Label, ...]
    nodes: int
    difficulty: float | None = None


@check_arguments
def generate(
    problem: Problem,
    *,
    seed: int | None = None,
    givens: Iterable[Label] = (),
    clues: int | None = None,
    nodes: tuple[int, float] = (0, math.inf),
    level: str | None = None,
    most_step: str | None = None,
    together: Grouping | None = None,
    fewest: tuple[int, str] = (0, ""),
    boards: Problem | None = None,
    attempts: int = 1000,
    stop: Stop | None = None,
) -> Iterator[Puzzle]:
    """Yield puzzles without end. Each begins as a random solution; givens are removed while the solution stays unique.

    Parameters
    ----------
    problem
        The problem; its own givens are among `givens`.
    seed
        The seed of the random numbers; the puzzles depend only on it.
    givens
        Options that every puzzle must contain. Each comes with its whole group.
    clues
        The number of givens, including `givens`. None for puzzles in which every other given is necessary.
    nodes
        The hardness of a puzzle: the least and the largest number of nodes of a search.
    level
        ``"easy"``, ``"medium"``, ``"hard"`` or ``"expert"``: the puzzle is solved by steps, the hardest of which has a
        difficulty from 1, 1.6, 3 or 5 on, and less than that of the next level.
    most_step
        The kind of steps that suffice, with simpler ones: ``"last"``, ``"block"``, ``"rule"``, ``"subset"``,
        ``"chain"`` or ``"weights"``.
    together
        The groups of a solution; by default every option is a group. If it is stated, whole groups are removed, and
        every remaining group is necessary. An option of the solution that is in no group is not given.
    fewest
        The smallest number of givens of a puzzle, and why, as :meth:`Encoder.fewest_clues` says.
    boards
        The problem whose solutions are the random ones; they must be solutions of `problem`, too. By default itself.
    attempts
        The number of attempts in a row that may find no puzzle.
    stop
        Polled often.

    Raises
    ------
    ValueError
        If `attempts` is not positive, `clues` is negative, `nodes` is not a pair of numbers, or there is no such level
        or step.
    NoPuzzleError
        If there is no solution, it is known that no puzzle has so few or so many `clues`, or `attempts` in a row found
        no puzzle with these groups, `clues`, `nodes` or steps.
    StoppedError
        If `stop` asks for it.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})
    >>> next(generate(problem, seed=1)).givens in [("B",), ("C",), ("D",)]
    True
    """
    attempts = read_whole("attempts", attempts, 1)
    if clues is not None:
        clues = read_whole("clues", clues, 0, ", or None")
    fixed = frozenset(problem.instance(givens).givens)
    stop = make_stop(stop=stop)
    maker = _PuzzleMaker(problem, boards or problem, fixed, clues, nodes, read_level(level, most_step), together, stop)
    maker.check_clues(fewest)
    maker.check_level()
    generator = random.Random(seed)
    failures: list[_Failure] = []
    while True:
        attempt = maker.make(generator)
        if isinstance(attempt, Puzzle):
            yield attempt
            failures.clear()
        else:
            failures.append(attempt)
        if len(failures) >= attempts:
            raise NoPuzzleError(_describe_failures(failures))


def read_level(name: str | None, kind: str | None) -> StepLevel | None:
    """Return the level that was asked for; None for none.

    Raise ``ValueError`` if there is no such level or kind, or no puzzle of the level is solved by such steps.
    """
    level, kinds = LEVELS.get(name or "", StepLevel()), [one.value for one in StepKind]
    if name is not None and name not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}; got {name!r}")
    if kind is not None and kind not in kinds:
        raise ValueError(f"most_step must be one of {', '.join(kinds)}; got {kind!r}")
    if name is None and kind is None:
        return None
    if kind is not None and level.least >= 3 and StepKind(kind) in (StepKind.LAST, StepKind.BLOCK):
        raise ValueError(f"puzzles of level {name} need other steps than {kind}")
    return level if kind is None else replace(level, kind=StepKind(kind))


class _Failure(NamedTuple):
    """An attempt that led to no puzzle: the number of its givens or nodes, and the requirement that it failed."""

    number: float
    requirement: str


class _PuzzleMaker:
    """Attempts to make puzzles; the parameters are those of :func:`generate`."""

    def __init__(
        self,
        problem: Problem,
        boards: Problem,
        fixed: Set[Label],
        clues: int | None,
        nodes: tuple[int, float],
        level: StepLevel | None,
        together: Grouping | None,
        stop: Stop,
    ) -> None:
        self._problem = problem.full().instance(without=problem.excluded)
        self._boards = boards.full().instance(without=boards.excluded)
        self._solver = self._problem.reusable_solver()
        self._fixed, self._clues, self._nodes, self._together, self._stop = fixed, clues, nodes, together, stop
        self._level, self._sets = level, None if level is None else Sets(problem)

    def check_clues(self, fewest: tuple[int, str]) -> None:
        """Raise ``NoPuzzleError`` if it is known that no puzzle has this number of givens."""
        clues, fixed, matrix, reason = self._clues, len(self._fixed), self._problem.matrix, ""
        if clues is None:
            return
        sizes = (sum(item < matrix.primary for item, _ in option) for option in matrix.list_options())
        most = sum(matrix.capped(item)[1] for item in range(matrix.primary)) // min(sizes, default=1)
        if clues < fewest[0]:
            reason = fewest[1]
        elif clues < fixed:
            reason = f"{format_count(fixed, 'option')} must be given"
        elif clues > most:
            reason = f"a solution has at most {format_count(most, 'option')}"
        elif clues == fixed and self._find_solution(0) and not self._is_unique(self._fixed):
            reason = f"{'these givens leave' if fixed else 'without a given there is'} more than one solution"
        if reason:
            raise NoPuzzleError(f"no puzzle has {format_count(clues, 'given')}: {reason}")

    def check_level(self) -> None:
        """Raise ``NoPuzzleError`` if no puzzle has the level, because what is given leaves one solution already."""
        if self._level is None or not self._is_unique(self._fixed):
            return
        difficulty = self._rate(self._fixed, StepLevel())
        if not self._level.allows(difficulty):
            found = "it needs a guess" if math.isinf(difficulty) else f"its steps have a difficulty of {difficulty:,}"
            raise NoPuzzleError(f"there is one solution without further givens, and {found}")

    def make(self, generator: random.Random) -> Puzzle | _Failure:
        """Remove givens from a random solution while it stays unique."""
        solution = self._find_solution(generator.randrange(1 << 32))
        groups = [set(group) for group in (self._together(solution) if self._together else zip(solution))]
        kept = set[Label]().union(*groups)
        if not self._fixed <= kept or (len(kept) < len(solution) and not self._is_unique(kept)):
            return _Failure(len(kept), "this pattern of givens and exactly one solution")
        groups = _find_removable_groups(groups, self._fixed)
        generator.shuffle(groups)
        kept = _remove_groups(kept, groups, self._clues or 0, partial(self._find_needed, solution))
        if self._level is not None:
            kept = self._ease(kept, groups, self._level)
        if self._clues not in (None, len(kept)):
            return _Failure(len(kept), format_count(self._clues, "given"))
        givens = tuple(label for label in solution if label in kept)
        difficulty = None if self._level is None else self._rate(givens, StepLevel())  # the easiest way by any steps
        if self._level is not None and difficulty is not None and not self._level.allows(difficulty):
            return _Failure(difficulty, "the requested steps")
        nodes = self._count_nodes(givens)
        if not self._nodes[0] <= nodes <= self._nodes[1]:
            return _Failure(nodes, "the requested number of nodes")
        return Puzzle(givens, solution, nodes, difficulty)

    def _count_nodes(self, givens: Sequence[Label]) -> int:
        """Return the number of nodes that a search for all solutions visits, or at which it is stopped."""
        most = max(_MAX_NODES, *(int(bound) for bound in self._nodes if bound < math.inf))
        options = SearchOptions(nodes=min(most, MOST_NODES))
        search = self._problem.solve(given=givens, options=options, stop=self._stop)
        list(search)
        if search.status not in (Status.COMPLETE, Status.NODES):
            raise StoppedError(search.status, 0, search.statistics)
        return search.statistics.nodes

    def _find_solution(self, seed: int) -> tuple[Label, ...]:
        search = self._boards.solve(limit=1, seed=seed, given=self._fixed, stop=self._stop)
        solution = next(search, None)
        if self._stop.status is not None:
            raise StoppedError(self._stop.status)
        if solution is None:
            raise NoPuzzleError(f"there is no solution{': ' + search.reason if search.reason else ''}")
        return solution

    def _is_unique(self, givens: Iterable[Label]) -> bool:
        ordered = sorted(givens, key=self._problem.position)
        return len(self._solver.solutions(given=ordered, limit=2, stop=self._stop)) == 1

    def _find_needed(self, solution: Sequence[Label], givens: Set[Label]) -> Set[Label] | None:
        """Return givens that leave one solution; None if there are more."""
        ordered = sorted(givens, key=self._problem.position)
        needed = self._solver.prove_only(solution, given=ordered, stop=self._stop)
        return None if needed is None else set(needed)

    def _ease(self, kept: set[Label], groups: Sequence[set[Label]], level: StepLevel) -> set[Label]:
        """Return givens to which as few groups are added again as steps of a level need; all are needed then."""
        removed = [group for group in groups if not group <= kept]

        def suffices(givens: Set[Label]) -> bool:
            return self._rate(givens, level) < math.inf

        def restore(number: int) -> set[Label]:
            return kept.union(*removed[len(removed) - number :])

        if suffices(kept):
            return kept
        fewest = bisect_left(range(len(removed)), True, key=lambda number: suffices(restore(number)))
        eased = restore(fewest)
        own = [group for group in groups if group <= eased]
        return _remove_groups(eased, own, self._clues or 0, lambda givens: givens if suffices(givens) else None)

    def _rate(self, givens: Iterable[Label], level: StepLevel) -> float:
        """Return the difficulty of the hardest step; infinite if steps of this level do not suffice."""
        problem = self._problem.instance(sorted(givens, key=self._problem.position))
        return solve_by_deductions(problem, self._stop, level=level, explain=False, sets=self._sets).hardest


def _format_number(number: float) -> str:
    return "a guess" if math.isinf(number) else f"{number:,}"


def _describe_failures(failures: Sequence[_Failure]) -> str:
    """Return in words which requirements the attempts failed, and which numbers they had instead."""
    parts = []
    for requirement in dict.fromkeys(failure.requirement for failure in failures):
        numbers = [failure.number for failure in failures if failure.requirement == requirement]
        least, most = min(numbers), max(numbers)
        more = f" to {_format_number(most)}" if least < most else ""
        parts.append(f"{requirement} (those found had {_format_number(least)}{more})")
    return f"{format_count(len(failures), 'attempt')} found no puzzle with {', nor with '.join(parts)}"


def _find_removable_groups(groups: Iterable[Iterable[Label]], fixed: Collection[Label]) -> list[set[Label]]:
    """Return the groups that may be removed: they share no option with `fixed` or with a group that must stay."""
    removable, kept = [set(group) for group in groups], set(fixed)
    while not all(map(kept.isdisjoint, removable)):
        kept.update(*(group for group in removable if not kept.isdisjoint(group)))
        removable = [group for group in removable if not group <= kept]
    return removable


def _remove_groups(
    kept: set[Label],
    groups: Iterable[set[Label]],
    clues: int,
    find_needed: Callable[[Set[Label]], Set[Label] | None],
) -> set[Label]:
    """Remove one group after another while at least `clues` givens remain, unless another solution appears.

    A group that was necessary once stays necessary, so one pass is enough. Groups that the last proof did not need go
    without another one.
    """
    needed: Set[Label] = kept
    for group in groups:
        if not group or len(kept) - len(group) < clues:
            continue
        left = kept - group
        if not needed <= left:
            found = find_needed(left)
            if found is None:
                continue
            needed = found
        kept = left
    return kept
