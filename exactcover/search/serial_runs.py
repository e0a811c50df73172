"""Runs that consist of several searches.

They find all solutions within a margin, the cheapest that differ in some options, or one solution for each projection.
Listing by orbits searches one of the options that symmetries exchange; symmetries make the other solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from exactcover.control.options import Goal, Margin
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.base import Engine, MatrixQuery
from exactcover.engines.cursor import EngineRun, SerialRun, Subtree
from exactcover.model.matrix import ONCE, Matrix
from exactcover.steps.step import find_shortage, restrict, run_steps
from exactcover.symmetry.permutations import Permutation, multiply, trace_orbit
from exactcover.symmetry.remainders import find_symmetries, make_remainder


class WithinRun(SerialRun):
    """A run that finds the cheapest solution, and then all that cost little more, the cheapest first.

    The first run finds the cheapest solution of the matrix. `find_margin` returns by how much others may cost more than
    a solution of this cost; `start` starts a run that finds those that cost less than a ceiling.
    """

    def __init__(
        self, first: EngineRun, matrix: Matrix, find_margin: Callable[[int], int], start: Callable[[int], EngineRun]
    ) -> None:
        super().__init__(first)
        self._costs = matrix.costs or [0] * len(matrix)
        self._find_margin, self._start = find_margin, start
        self._least: int | None = None
        self._listed = self._search()

    def _search(self) -> Iterator[tuple[int, ...]]:
        assert self._run is not None
        for solution in self._run:
            try:
                next(self._run, None)
            except Stopped:
                yield solution
                raise
            self._least = sum(self._costs[option] for option in solution)
            ceiling = min(self._least + self._find_margin(self._least), sum(self._costs)) + 1
            self._end_run()
            self._run = self._start(ceiling)
            yield from self._run
            return

    @property
    def best(self) -> int | None:
        return self._least if self._least is not None or self._run is None else self._run.best

    @property
    def bound(self) -> int | None:
        return self._least if self._least is not None or self._run is None else self._run.bound


class _Subproblem(NamedTuple):
    """A part of the solutions: those that contain all of `given` and none of `without`; and the cheapest of them."""

    cost: int
    number: int
    solution: tuple[int, ...]
    given: tuple[int, ...]
    without: tuple[int, ...]


class DifferentRun(SerialRun):
    """A run that finds the cheapest solutions of which no two contain the same of some options.

    When a solution is delivered, the others are divided by where they first differ from it, and `start` starts a run
    that finds the cheapest solution of each part.

    References
    ----------
    E. L. Lawler, "A procedure for computing the K best solutions to discrete optimization problems", *Management
    Science* 18 (1972).
    """

    def __init__(
        self, matrix: Matrix, options: Collection[int], wanted: int, start: Callable[[Matrix], EngineRun]
    ) -> None:
        super().__init__()
        self._matrix, self._options, self._wanted, self._start = matrix, frozenset(options), wanted, start
        self._costs = matrix.costs or [0] * len(matrix)
        self._parts: list[_Subproblem] = []
        self._numbers = 0
        self._listed = self._search()
        self._least: int | None = None
        self._is_proved = False  # whether no solution costs less
        self._floor: int | None = 0  # what all solutions cost at least, if that is not proved

    def _search(self) -> Iterator[tuple[int, ...]]:
        stopped = self._add((), ())
        self._is_proved = stopped is None
        while self._parts:
            part = heappop(self._parts)
            self._least = part.cost if self._least is None else self._least
            yield part.solution
            if stopped is not None:
                raise stopped
            if self._delivered == self._wanted:
                return
            for given, without in self._divide(part):
                stopped = self._add(given, without)
                if stopped is not None:
                    raise stopped
        if stopped is not None:
            raise stopped

    def _add(self, given: tuple[int, ...], without: tuple[int, ...]) -> Stopped | None:
        """Find the cheapest solution of a part; return what has stopped the search for it."""
        left = run_steps(self._matrix, [lambda matrix: restrict(matrix, given, without), find_shortage])
        if left.reason is not None:
            return None
        self._run = self._start(left.matrix)
        stopped = None
        try:
            for solution in self._run:
                lifted = tuple(sorted(left.lift(solution)))
                self._numbers += 1
                cost = sum(self._costs[option] for option in lifted)
                heappush(self._parts, _Subproblem(cost, self._numbers, lifted, given, without))
        except Stopped as error:
            stopped = error
        self._floor = self._run.bound
        self._end_run()
        return stopped

    def _divide(self, part: _Subproblem) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the options that the others in a part contain and lack, by the first option in which they differ."""
        given, without = part.given, part.without
        chosen = self._options.intersection(part.solution)
        for option in sorted(chosen.difference(given)):
            yield given, (*without, option)
            given = (*given, option)
        for option in sorted(self._options.difference(chosen, without)):
            yield (*given, option), without
            without = (*without, option)

    @property
    def best(self) -> int | None:
        return self._least

    @property
    def bound(self) -> int | None:
        if self._is_proved and self._least is not None:
            return self._least
        return self._floor if self._run is None else self._run.bound


class GapStop(InnerStop):
    """A stop that asks to stop when no solution can be cheaper than the best one by more than a margin.

    If the margin is a share, it is one of the cost of the best solution. Each solution costs `paid` units above the
    cost in the run, and `units` make a cost of 1.
    """

    def __init__(self, outer: Stop, margin: Margin, paid: int, units: int) -> None:
        super().__init__(outer)
        self._margin, self._paid, self._units = margin, paid, units
        self.run: EngineRun | None = None  # set afterwards, since the run is made with this stop

    def poll(self) -> None:
        super().poll()
        run = self.run
        if run is None or run.best is None or run.bound is None:
            return
        if run.best <= run.bound:
            raise Stopped(Status.OPTIMAL)
        if run.best - run.bound <= self._margin.find_units(self._paid + run.best, self._units):
            raise Stopped(Status.GAP)


class ProjectionRun(EngineRun):
    """A run that delivers one solution for each projection onto some options.

    It decides option by option whether these are chosen, and always holds a solution that agrees with what is decided.
    So it never meets a dead end: between two projections, it asks the engine at most once for each option whether a
    solution decides otherwise.
    """

    nodes = 0  # the number of times that a solution was asked for

    def __init__(self, engine: Engine, matrix: Matrix, options: Collection[int], stop: Stop) -> None:
        super().__init__()
        self._engine, self._matrix, self._stop = engine, matrix, stop
        self._options = sorted(options)
        self._reusable = engine.reusable(matrix, stop)
        self._decided: list[bool] = []
        self._open: list[int] = []  # how many decisions come before each one that may be made otherwise
        self._listed = self._list()

    def _list(self) -> Iterator[tuple[int, ...]]:
        solution = self._find()
        while True:
            if solution is not None:
                chosen = set(solution)
                for number in range(len(self._decided), len(self._options)):
                    self._open.append(number)
                    self._decided.append(self._options[number] in chosen)
                yield solution
            if not self._open:
                return
            number = self._open.pop()
            otherwise = not self._decided[number]
            del self._decided[number:]
            self._decided.append(otherwise)
            solution = self._find()

    def _find(self) -> tuple[int, ...] | None:
        """Return a solution that agrees with what is decided, or None if there is none."""
        self._stop.poll()
        self.nodes += 1
        given = [option for option, chosen in zip(self._options, self._decided, strict=False) if chosen]
        without = [option for option, chosen in zip(self._options, self._decided, strict=False) if not chosen]
        if self._reusable is not None:
            return next(iter(self._reusable.list_first(Subtree(tuple(given), tuple(without)), 1, self._stop)), None)
        restriction = restrict(self._matrix, given, set(without))
        if restriction.reason is not None:
            return None
        found = next(self._engine.start(MatrixQuery(restriction.matrix, self._stop, goal=Goal("first", 1))), None)
        return None if found is None else tuple(sorted(restriction.lift(found)))

    def explored(self) -> float:
        """Return the share of all decisions that are made for good."""
        return 1.0 - sum(0.5 ** (number + 1) for number in self._open) if self._delivered else 0.0


class OrbitListRun(SerialRun):
    """A run that searches for solutions with one option of each orbit, and delivers their images as well.

    One item is chosen that is covered exactly once. Each solution covers it by one option, so it is the image of
    exactly one solution that is searched for. The order depends on the matrix alone. The images are those of
    :func:`find_images`; `start` starts a run over the solutions of a matrix.
    """

    def __init__(
        self,
        matrix: Matrix,
        images: Mapping[int, Sequence[Permutation]],
        start: Callable[[Matrix], EngineRun],
    ) -> None:
        super().__init__()
        self._matrix, self._images, self._start = matrix, images, start
        self._done = 0
        self._listed = self._list()

    def _list(self) -> Iterator[tuple[int, ...]]:
        for option, symmetries in self._images.items():
            restriction = restrict(self._matrix, [option], ())
            if restriction.matrix.first_underfilled() is None:
                self._run = self._start(restriction.matrix)
                for found in self._run:
                    solution = restriction.lift(found)
                    for symmetry in symmetries:
                        yield tuple(sorted([symmetry[one] for one in solution]))
                self._end_run()
            self._done += 1

    def explored(self) -> float:
        return min(1.0, (self._done + super().explored()) / len(self._images))

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"orbits": len(self._images), "options": sum(map(len, self._images.values()))}


def find_images(matrix: Matrix, stop: Stop) -> dict[int, list[Permutation]] | None:
    """Return which options of one item to search, and the symmetries that map each of them to the others of its orbit.

    The item is covered exactly once and has the smallest share of orbits among its options; ties go to the first. The
    result is None if no two options of such an item are exchanged by a symmetry.
    """
    symmetries = find_symmetries(make_remainder(matrix, stop), stop)
    branches = symmetries.branches
    items = [item for item, (options, _) in enumerate(branches) if options and matrix.bounds(item) == ONCE]
    if not items:
        return None
    best = min(items, key=lambda item: (branches[item][1] / branches[item][0], branches[item][1]))
    if branches[best][1] == branches[best][0]:
        return None
    generators = [tuple(image) for image, _ in symmetries.generators()]
    holders = {option for option, _ in matrix.holders()[best]}
    return {
        option: _find_transversal(option, holders, generators, len(matrix))
        for option, _ in symmetries.found.orbits_of(best)
    }


def _find_transversal(option: int, wanted: set[int], generators: Sequence[Permutation], size: int) -> list[Permutation]:
    """Return a symmetry for each wanted option of the orbit of an option, which maps the option there."""
    origins = trace_orbit(option, generators)
    found = []
    for member in sorted(wanted & origins.keys()):
        steps = []
        while (origin := origins[member]) is not None:
            member = origin[0]
            steps.append(tuple(origin[1]))
        symmetry = tuple(range(size))
        for generator in reversed(steps):
            symmetry = multiply(symmetry, generator)
        found.append(symmetry)
    return found
