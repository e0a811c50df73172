"""Counting by orbits: of options that a symmetry exchanges, one is chosen, and its solutions count for all of them.

Let an item be covered exactly once. The number of solutions is the sum, over the orbits of its options, of the number
of options of the item in that orbit, times the number of solutions with one of them. If the item is covered exactly k
times, the sum counts each solution k times. If k may vary, each k is a case of its own. Generators of the symmetries
are enough for this; the group may have any order.

What is left when an option is chosen, a remainder, has symmetries of its own, and may be isomorphic to another
remainder, so it is counted in the same way. A remainder is split only if that is expected to pay: each one is counted
directly for about as long as splitting it would take.

References
----------
B. D. McKay, "Isomorph-free exhaustive generation", *Journal of Algorithms* 26 (1998).
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from exactcover.control.options import Strategy
from exactcover.control.patience import Patience
from exactcover.control.stop import Stop
from exactcover.engines.base import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.steps.reduction import reduce
from exactcover.symmetry.remainders import Remainder, Symmetries, find_symmetries, make_matrix, make_remainder

__all__ = ["OrbitCountRun", "StartRun", "count_patience"]

StartRun = Callable[[Matrix, Stop, int, Strategy | None], EngineRun]
"""Starts a run that counts the solutions of a matrix: with this many threads, and by this strategy or any."""

_SECONDS_PER_ENTRY = 1e-7  # to see that a matrix has no symmetries
_PATIENCE = 8  # a count goes on for this many times as long before it looks for symmetries
_WORK_PER_SECOND = 1 << 27  # edges that a search for symmetries visits
_WORK_PER_ENTRY = 400  # edges that the first such search may visit
_PENALTY = 0.6  # exponent of the price of branching on an item with many options
_LEAST_GAIN = 1.3
_PART_SECONDS = 2e-4  # to make a part and to start its run, besides what depends on its size
_REDUCTION_PATIENCE = 1.0  # seconds
_THREADS_PATIENCE = 0.1
_MOST_KEPT = 0.97  # a reduction is used only if at most this share of the options remains
_STRATEGIES: Mapping[object, Strategy] = {name: name for name in get_args(Strategy)}
_WINS = 2  # in a row make a habit
_WORTH_NOTING = 0.001  # seconds
_MOST_RUNS = 16  # that wait for the others of their level


def count_patience(entries: int) -> float:
    """Return how many seconds the count of a matrix with so many entries goes on before it looks for symmetries."""
    return _PATIENCE * _SECONDS_PER_ENTRY * entries


@dataclass(frozen=True)
class Split:
    """The item on which a remainder is split.

    Attributes
    ----------
    item
        The item.
    options, orbits
        How many options it has, and to how many orbits they belong.
    gain
        An estimate of the factor that this saves.
    bounds
        How often the item must be covered at least, and may be covered at most.
    """

    item: int
    options: int
    orbits: int
    gain: float
    bounds: tuple[int, int]

    @property
    def children(self) -> int:
        """The number of remainders that it makes."""
        low, high = self.bounds
        return self.orbits if low == high else high - low + 1


def find_split(remainder: Remainder, symmetries: Symmetries, merged: float = 1.0) -> Split | None:
    """Return the item on which a remainder is best split, or None if that would save nothing.

    Items that are covered a fixed number of times are preferred; ties go to the first.

    Parameters
    ----------
    remainder, symmetries
        The remainder and its symmetries.
    merged
        How many remainders were isomorphic to each one at the level above, on average.
    """
    branches, bounds = symmetries.found.branches(), remainder.bounds
    fewest = min((options for options, _ in branches if options), default=1)
    best: Split | None = None
    for fixed in (True, False):
        for item, (options, orbits) in enumerate(branches):
            if not options or (bounds[item][0] == bounds[item][1]) is not fixed:
                continue
            gain = merged * options / orbits / (options / fewest) ** _PENALTY
            if gain >= _LEAST_GAIN and (best is None or gain > best.gain):
                best = Split(item, options, orbits, gain, bounds[item])
        if best is not None:
            break
    return best


@dataclass
class _Part:
    """A remainder that stands for all that are isomorphic to it.

    Attributes
    ----------
    remainder, symmetries
        The remainder, and its symmetries if they are known.
    weight
        How many solutions of the problem each of its solutions stands for.
    share
        Its share of the whole count, by Knuth's estimate.
    run, patience, spent, strategy
        The run that counts it directly, if it has begun; the stop of that run, the seconds that it has run, and the
        only strategy that it uses, or None if it may use any.
    """

    remainder: Remainder
    weight: Fraction
    share: float
    symmetries: Symmetries | None = None
    run: EngineRun | None = None
    patience: Patience | None = None
    spent: float = 0.0
    strategy: Strategy | None = None


class _Habit:
    """Which strategy was the fastest for several parts in a row; the next part is counted by that one alone.

    Attributes
    ----------
    strategy
        Its name, or None if there is none.
    longest
        The seconds that the longest of these counts took.
    """

    def __init__(self) -> None:
        self._last: Strategy | None = None
        self._wins = 0
        self.longest = 0.0

    @property
    def strategy(self) -> Strategy | None:
        return self._last if self._wins >= _WINS else None

    def note(self, strategy: Strategy | None, seconds: float) -> None:
        """Note which strategy has counted a part."""
        if strategy != self._last:
            self._last, self._wins, self.longest = strategy, 0, 0.0
        self._wins += 1
        self.longest = max(self.longest, seconds)


class OrbitCountRun(EngineRun):
    """A run that counts by orbits, if that pays.

    Parameters
    ----------
    matrix
        The problem.
    start
        Starts the runs that count remainders.
    jobs
        The number of threads for remainders that take long.
    stop
        Polled often.
    """

    def __init__(self, matrix: Matrix, start: StartRun, jobs: int, stop: Stop) -> None:
        super().__init__()
        self._start, self._jobs, self._stop = start, jobs, stop
        self._order = 1
        self._root = _Part(make_remainder(matrix, stop), Fraction(1), 1.0)
        self._level: list[_Part] = []
        self._current: _Part | None = None
        self._total, self._explored, self._nodes = Fraction(0), 0.0, 0
        self._counted = self._made = self._splits = 0
        self._seconds = 0.0  # spent on remainders and their symmetries
        self._entries = 0  # of these
        self._merged = 1.0
        self._habit = _Habit()

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration  # it only counts

    def split(self, run: EngineRun | None, spent: float) -> bool:
        """Find symmetries of the problem, and split it if that pays; return whether it was split.

        Parameters
        ----------
        run
            A run that has begun to count the problem directly, or None to split it whatever that costs.
        spent
            The seconds that it has run.
        """
        root = self._root
        root.run, root.spent = run, spent
        most = _WORK_PER_ENTRY * (1 + root.remainder.entries)
        root.symmetries = find_symmetries(root.remainder, self._stop, most_work=most)
        self._order = root.symmetries.order
        split = self._choose_split(root)
        if split is None:
            return False
        self._drop_run(root)
        self._level = self._split(root, split)
        return True

    def count(self) -> int:
        before = self.solutions
        root = self._root
        begun = root.symmetries is not None or self._attempt(root, count_patience(root.remainder.entries))
        if not begun and not self.split(root.run, root.spent):
            self._count_to_the_end(root)
        while self._level:
            self._level = self._count_level(self._level)
        return self.solutions - before

    # -- levels --------------------------------------------------------------------------------

    def _count_level(self, level: list[_Part]) -> list[_Part]:
        """Count the parts of a level, or split them; return the next level."""
        kept: dict[bytes, _Part] = {}
        slow = [part for part in level if not self._count_quickly(part)]
        for part in slow:
            key = self._classify(part) or f"part {len(kept)}".encode()
            known = kept.setdefault(key, part)
            if known is not part:
                known.weight += part.weight
                known.share += part.share
                self._drop_run(part)
            elif len(kept) > _MOST_RUNS:
                self._drop_run(part)
        self._merged = len(slow) / max(1, len(kept))
        following: list[_Part] = []
        for part in kept.values():
            split = self._choose_split(part)
            if split is None:
                self._count_to_the_end(part)
            else:
                self._drop_run(part)
                following += self._split(part, split)
        return following

    def _count_quickly(self, part: _Part) -> bool:
        """Count a part for about as long as it takes to find its symmetries; return whether that was enough."""
        if part.remainder.primary == 0:
            self._finish(part, 1)
            return True
        patience = 1.0 if self._merged > _LEAST_GAIN else 4.0
        return self._attempt(part, patience * self._cost_of(part))

    def _cost_of(self, part: _Part) -> float:
        """Return about how many seconds it takes to make such a part and to find its symmetries."""
        rate = self._seconds / self._entries if self._entries else 2 * _SECONDS_PER_ENTRY
        return float(_PART_SECONDS + rate * part.remainder.entries)

    def _attempt(self, part: _Part, seconds: float) -> bool:
        """Go on to count a part directly for this long; return whether it is done."""
        if part.run is None:
            part.strategy = self._habit.strategy
            self._start_run(part, make_matrix(part.remainder), 1)
        assert part.run is not None and part.patience is not None
        self._current, began = part, time.perf_counter()
        done = part.patience.attempt(seconds, part.run.count)
        part.spent += time.perf_counter() - began
        if done:
            if part.spent > _WORTH_NOTING:
                self._habit.note(_STRATEGIES.get(part.run.details.get("strategy")), part.spent)
            self._finish(part, part.run.solutions)
        self._current = None
        return done

    def _start_run(self, part: _Part, matrix: Matrix, jobs: int) -> None:
        part.patience = Patience(self._stop)
        part.run = self._start(matrix, part.patience, jobs, part.strategy)
        part.spent = 0.0

    def _finish(self, part: _Part, solutions: int) -> None:
        self._total += part.weight * solutions
        self._explored += part.share
        self._counted += 1
        self._drop_run(part)

    def _drop_run(self, part: _Part) -> None:
        if part.run is not None:
            self._nodes += part.run.nodes
            part.run.close()
            part.run = None

    # -- symmetries ----------------------------------------------------------------------------

    def _classify(self, part: _Part) -> bytes:
        """Find the symmetries of a part; return a digest of its canonical form, or nothing if that is not worth it."""
        began = time.perf_counter()
        most = int(_WORK_PER_SECOND * max(part.spent, 0.001) * 4)
        part.symmetries = find_symmetries(part.remainder, self._stop, most_work=most)
        digest = b""
        if part.symmetries.order > 1 or self._merged > 1:
            form = part.symmetries.found.form(most)
            digest = hashlib.blake2b(form, digest_size=32).digest() if form else b""
        self._seconds += time.perf_counter() - began
        self._entries += part.remainder.entries
        return digest

    def _choose_split(self, part: _Part) -> Split | None:
        """Return how to split a part, or None if it had better be counted directly."""
        assert part.symmetries is not None
        split = find_split(part.remainder, part.symmetries, self._merged)
        if split is None or part.run is None:
            return split
        explored = part.run.explored()
        left = part.spent / explored - part.spent if explored > 0 else math.inf
        cost = 2 * split.children * self._cost_of(part)
        return split if left > cost + left / split.gain else None

    def _split(self, part: _Part, split: Split) -> list[_Part]:
        """Return the parts of a part."""
        self._stop.poll()
        self._splits += 1
        began = time.perf_counter()
        parts = self._split_by_cases(part, split) if split.bounds[0] < split.bounds[1] else self._branch(part, split)
        self._seconds += time.perf_counter() - began
        self._made += len(parts)
        return parts

    def _branch(self, part: _Part, split: Split) -> list[_Part]:
        """Return one part per orbit of the options of an item that is covered a fixed number of times."""
        assert part.symmetries is not None
        parts = []
        for option, size in part.symmetries.found.orbits_of(split.item):
            share = part.share * size / split.options
            left = part.remainder.remainder([option])
            if left is None:
                self._explored += share
            else:
                parts.append(_Part(left, part.weight * Fraction(size, split.bounds[0]), share))
        return parts

    def _split_by_cases(self, part: _Part, split: Split) -> list[_Part]:
        """Return one part for each number of times that an item may be covered."""
        assert part.symmetries is not None
        low, high = split.bounds
        parts, share = [], part.share / (high - low + 1)
        for number in range(max(1, low), high + 1):
            parts.append(_Part(part.remainder.bounded(split.item, number), part.weight, share))
        if low == 0:
            holders = part.remainder.holders_of(split.item)
            left = part.remainder.remainder([], holders)
            if left is None:
                self._explored += share
            else:
                parts.append(_Part(left, part.weight, share))
        return parts

    # -- to the end ----------------------------------------------------------------------------

    def _count_to_the_end(self, part: _Part) -> None:
        """Count a part directly; if that takes long, reduce it, and use the threads."""
        patience = _REDUCTION_PATIENCE if self._jobs == 1 else _THREADS_PATIENCE
        if part.strategy is not None:
            if self._attempt(part, min(patience, _PATIENCE * self._habit.longest)):
                return
            self._drop_run(part)
            part.strategy = None
            self._start_run(part, make_matrix(part.remainder), 1)
        if self._attempt(part, patience):
            return
        explored = 0.0 if part.run is None else part.run.explored()
        matrix = make_matrix(part.remainder)
        smaller = reduce(matrix, self._stop)
        pays = smaller.reason is not None or len(smaller.matrix) <= _MOST_KEPT * len(matrix)
        if self._jobs > 1 or (pays and explored < _REDUCTION_PATIENCE / 3):
            self._drop_run(part)
            if smaller.reason is not None:
                self._finish(part, 0)
                return
            self._start_run(part, smaller.matrix if pays else matrix, self._jobs)
        self._attempt(part, math.inf)

    # -- statistics ----------------------------------------------------------------------------

    @property
    def solutions(self) -> int:
        current = self._current
        running = 0 if current is None or current.run is None else current.weight * current.run.solutions
        return math.floor(self._total + running)

    @property
    def nodes(self) -> int:
        current = self._current
        return self._nodes + (0 if current is None or current.run is None else current.run.nodes)

    def explored(self) -> float:
        current = self._current
        running = 0.0 if current is None or current.run is None else current.share * current.run.explored()
        return min(1.0, self._explored + running)

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"symmetries": self._order, "splits": self._splits, "parts": self._made, "counted": self._counted}

    def close(self) -> None:
        if self._current is not None:
            self._drop_run(self._current)
            self._current = None
