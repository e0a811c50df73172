"""Counting by orbits: of options that a symmetry exchanges, one is chosen, and its solutions count for all of them.

Let an item be covered exactly once. The number of solutions is the sum, over the orbits of its options, of the number
of options of the item in that orbit, times the number of solutions with one of them. If the item is covered exactly k
times, the sum counts each solution k times. If k may vary, each k is a case of its own. An orbit of options can take
the place of an item; the cases are how many of them a solution has. Generators of the symmetries are enough for this;
the group may have any order.

What is left when an option is chosen, a remainder, has symmetries of its own, and may be isomorphic to another
remainder, so it is counted in the same way. A remainder is split only if that is expected to pay: each one is counted
directly for about as long as splitting it would take. The direct count of the whole problem goes on meanwhile, in turn
with the parts, and whatever is done first ends the count.

References
----------
B. D. McKay, "Isomorph-free exhaustive generation", *Journal of Algorithms* 26 (1998).
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Generator, Mapping
from fractions import Fraction

from exactcover.control.patience import Patience
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.engines.base import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.steps.reduction import is_much_smaller
from exactcover.steps.step import StepResult
from exactcover.symmetry.parts import Part
from exactcover.symmetry.remainders import find_symmetries, make_matrix, make_remainder
from exactcover.symmetry.rival import Rival
from exactcover.symmetry.splitting import Split, find_split

__all__ = ["OrbitCountRun"]


class OrbitCountRun(EngineRun):
    """A run that counts by orbits where that pays.

    Parameters
    ----------
    matrix
        The problem.
    start
        Starts a run that counts the solutions of a matrix with a number of threads.
    reduce
        Reduces a matrix that takes long to count; None to reduce none.
    jobs
        The number of threads for remainders that take long.
    stop
        Polled often.
    eager
        Whether to split the problem at once if it has symmetries, without counting it directly for a while.
    policy
        What pays.
    """

    def __init__(
        self,
        matrix: Matrix,
        start: Callable[[Matrix, Stop, int], EngineRun],
        reduce: Callable[[Matrix], StepResult] | None,
        jobs: int,
        stop: Stop,
        *,
        eager: bool = False,
        policy: CountingPolicy = DEFAULT_POLICY,
    ) -> None:
        super().__init__()
        self._policy = policy
        self._start, self._reduce, self._jobs, self._stop, self._eager = start, reduce, jobs, stop, eager
        whole = make_remainder(matrix, stop)
        self._root = Part(whole.remainder([]) or whole, Fraction(1), 1.0, matrix=matrix)  # without forced choices
        self._current: Part | None = None
        self._total, self._explored, self._nodes = Fraction(0), 0.0, 0
        # of parts that are not done: the share explored, and what was found
        self._begun, self._begun_total = 0.0, Fraction(0)
        # of runs that were dropped: how many solutions they know, and the share explored
        self._bound, self._reached = 0, 0.0
        self._splits: list[Split] = []
        self._made = self._counted = 0
        self._seconds = 0.0  # spent on remainders and their symmetries
        self._entries = 0  # of these
        self._spent = 0.0  # on parts
        self._rival: Rival | None = None
        self._answer: int | None = None
        self._merged = 1.0  # how many parts of a level were isomorphic to each one, on average
        self._details: Mapping[str, int | str] = {}  # of the last run that was finished

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration  # it only counts

    def count(self) -> int:
        before = self.solutions
        for _ in self._count_in_turns():
            if self._rival is not None and self._rival.take_turn(self._spent, self._explored + self._begun):
                self._end_with(self._rival.part)
                break
        else:
            self._end_with_sum()
        return self.solutions - before

    def _end_with_sum(self) -> None:
        """End with the sum over all parts, each solution of which was counted a whole number of times."""
        if self._total.denominator != 1 or self._begun_total or self._total < self._bound:
            raise RuntimeError(f"the sum over orbits is {self._total}, with {self._begun_total} left over")
        self._answer = int(self._total)

    def _count_in_turns(self) -> Generator[None, None, None]:
        """Count the problem, by parts where that pays; yield between turns."""
        root = self._root
        patience = self._policy.root_patience * self._policy.seconds_per_entry * root.remainder.entries
        if not self._eager and (yield from self._attempt(root, patience)):
            return
        most = self._policy.eager_work if self._eager else self._policy.work_per_entry * (1 + root.remainder.entries)
        began = time.perf_counter()
        root.symmetries = find_symmetries(root.remainder, self._stop, most_work=most)
        self._spent += time.perf_counter() - began
        split = find_split(root.remainder, root.symmetries, policy=self._policy) if self._eager else None
        level = (yield from self._settle(root)) if split is None else self._split(root, split)
        while level:
            level = yield from self._count_level(level)

    def _end_with(self, whole: Part) -> None:
        """End with the direct count of the whole problem."""
        assert whole.run is not None
        self._answer, self._details = whole.run.solutions, whole.run.details
        self._splits.clear()  # they did not help
        self._drop_run(whole)

    # -- levels --------------------------------------------------------------------------------

    def _count_level(self, level: list[Part]) -> Generator[None, None, list[Part]]:
        """Count the parts of a level, or split them; return the next level."""
        kept: dict[bytes, Part] = {}
        slow = []
        for part in level:
            if not (yield from self._count_quickly(part)):
                slow.append(part)
        for part in slow:
            key = self._classify(part) or f"part {len(kept)}".encode()
            yield
            known = kept.setdefault(key, part)
            if known is not part:
                known.weight += part.weight
                known.share += part.share
                self._drop_run(part)
            elif len(kept) > self._policy.most_waiting_runs or part.memory > self._policy.most_run_memory:
                self._drop_run(part)
        self._merged = len(slow) / max(1, len(kept))
        following: list[Part] = []
        entries = 0
        for part in kept.values():
            children = yield from self._settle(part, may_split=entries < self._policy.most_level_entries)
            entries += sum(child.remainder.entries for child in children)
            following += children
            part.symmetries = None
        return following

    def _count_quickly(self, part: Part) -> Generator[None, None, bool]:
        """Count a part for about as long as it takes to find its symmetries; return whether that was enough."""
        if part.remainder.primary == 0:
            self._finish(part, 1)
            return True
        patience = 1 if self._merged > self._policy.least_gain else self._policy.part_patience
        return (yield from self._attempt(part, patience * self._cost_of(part)))

    def _classify(self, part: Part) -> bytes:
        """Find the symmetries of a part; return a digest of its canonical form, or nothing if that is not worth it."""
        began = time.perf_counter()
        most = self._policy.least_work + int(self._policy.work_per_second * part.spent)
        part.symmetries = find_symmetries(part.remainder, self._stop, most_work=most)
        digest = b""
        if part.symmetries.order > 1 or self._merged > 1:
            form = part.symmetries.found.form(most)
            digest = hashlib.blake2b(form, digest_size=32).digest() if form else b""
        self._note_time(began)
        self._entries += part.remainder.entries
        return digest

    def _note_time(self, began: float) -> None:
        """Note the time since then as spent on remainders and their symmetries."""
        seconds = time.perf_counter() - began
        self._seconds += seconds
        self._spent += seconds

    def _settle(self, part: Part, *, may_split: bool = True) -> Generator[None, None, list[Part]]:
        """Count a part directly, or split it as soon as that seems to pay; return the parts into which it is split."""
        assert part.symmetries is not None
        split = find_split(part.remainder, part.symmetries, self._merged, self._policy) if may_split else None
        seconds = max(part.spent, self._cost_of(part))
        patience = self._policy.reduction_seconds if self._jobs == 1 else self._policy.threads_seconds
        is_slow = False
        while split is None or not self._pays(part, split):
            if is_slow:
                once = split is None or self._jobs > 1 or part.run is None
                turn = math.inf if once else part.spent
            elif part.spent < patience:
                turn = patience if split is None else min(seconds, patience)
                seconds *= 2
            elif self._start_slow_run(part):
                is_slow = True
                continue
            else:
                return []
            if (yield from self._attempt(part, turn)):
                return []
        return self._split(part, split)

    def _pays(self, part: Part, split: Split) -> bool:
        """Return whether it is expected to be faster to split a part than to go on counting it."""
        if part.run is None:
            return True
        explored = part.run.explored()
        if explored == 0:
            return part is not self._root or part.spent >= self._policy.root_seconds
        left = part.spent / explored - part.spent
        return left > split.children * self._cost_of(part) + left / split.gain

    def _cost_of(self, part: Part) -> float:
        """Return about how many seconds it takes to make such a part and to find its symmetries."""
        rate = self._seconds / self._entries if self._entries else self._policy.seconds_per_entry
        return float(self._policy.part_seconds + rate * part.remainder.entries)

    # -- parts ---------------------------------------------------------------------------------

    def _split(self, part: Part, split: Split) -> list[Part]:
        """Return the parts of a part."""
        self._stop.poll()
        if part is self._root and part.run is not None and part.run.resumable:
            self._rival = Rival(part, split.gain, self._policy)
        else:
            self._drop_run(part)
        self._splits.append(split)
        assert part.symmetries is not None
        began, parts = time.perf_counter(), []
        for branch in split.branches(part.remainder, part.symmetries):
            share = part.share * branch.share
            if branch.remainder is None:
                self._explored += share
            else:
                parts.append(Part(branch.remainder, part.weight * branch.weight, share))
        self._note_time(began)
        self._made += len(parts)
        return parts

    def _attempt(self, part: Part, seconds: float) -> Generator[None, None, bool]:
        """Go on to count a part directly for this long, in turns; return whether it is done."""
        if part.run is None:
            self._start_run(part, 1)
        assert part.run is not None and part.patience is not None
        while seconds > 0:
            in_turns = self._rival is not None and part.run.resumable
            turn = (
                min(seconds, max(self._policy.part_turn, self._policy.part_turn_share * self._spent))
                if in_turns
                else seconds
            )
            self._current, began = part, time.perf_counter()
            done = part.patience.attempt(turn, part.run.count)
            took = time.perf_counter() - began
            self._current = None
            part.spent += took
            if part is not self._root:
                self._spent += took
                self._note_progress(part)
            if done:
                self._finish(part, part.run.solutions)
                return True
            seconds -= max(turn, took)
            yield
        if not part.run.resumable:
            self._drop_run(part)
        return False

    def _note_progress(self, part: Part) -> None:
        """Note which share of the whole has been explored in a part that is not done, and what has been found there."""
        explored, found = 0.0, Fraction(0)
        if part.run is not None:
            explored, found = part.share * part.run.explored(), part.weight * part.run.solutions
        self._begun += explored - part.explored
        self._begun_total += found - part.found
        part.explored, part.found = explored, found

    def _start_slow_run(self, part: Part) -> bool:
        """Reduce a part, if that pays, and start a run with all threads; return whether it may have solutions."""
        if part.matrix is None:
            part.matrix = make_matrix(part.remainder)
        nearly_done = part.run is not None and self._jobs == 1 and part.run.explored() > self._policy.nearly_done
        smaller = None if self._reduce is None or nearly_done else self._reduce(part.matrix)
        if smaller is not None and smaller.reason is not None:
            self._finish(part, 0)
            return False
        pays = smaller is not None and is_much_smaller(smaller.matrix, part.matrix)
        if pays or self._jobs > 1:
            if smaller is not None and pays:
                part.matrix = smaller.matrix
            self._drop_run(part)
            self._start_run(part, self._jobs)
        return True

    def _start_run(self, part: Part, jobs: int) -> None:
        if part.matrix is None:
            part.matrix = make_matrix(part.remainder)
        part.patience = Patience(self._stop)
        part.run = self._start(part.matrix, part.patience, jobs)
        part.spent = 0.0

    def _drop_run(self, part: Part) -> None:
        if part.run is not None:
            self._bound = self.solutions
            self._nodes += part.run.nodes
            part.run.close()
            part.run = None
        if part is not self._root:
            self._note_progress(part)

    def _finish(self, part: Part, solutions: int) -> None:
        if part.run is not None:
            self._details = part.run.details
        self._drop_run(part)
        self._total += part.weight * solutions
        self._explored += part.share
        self._counted += 1

    # -- statistics ----------------------------------------------------------------------------

    def _running(self) -> list[Part]:
        """Return the part that is being counted, and the whole problem if it is still counted directly."""
        others = [] if self._current in (None, self._root) else [self._current]
        return [part for part in (self._root, *others) if part is not None and part.run is not None]

    @property
    def solutions(self) -> int:
        if self._answer is not None:
            return self._answer
        found = [self._bound]
        total = self._total + self._begun_total
        for part in self._running():
            assert part.run is not None
            if part is self._root:
                found.append(part.run.solutions)
            else:
                total += part.weight * part.run.solutions - part.found
        return max(math.floor(total), *found)

    @property
    def nodes(self) -> int:
        return self._nodes + sum(part.run.nodes for part in self._running() if part.run is not None)

    def explored(self) -> float:
        shares = [self._reached]
        total = self._explored + self._begun
        for part in self._running():
            assert part.run is not None
            if part is self._root:
                shares.append(part.run.explored())
            else:
                total += part.share * part.run.explored() - part.explored
        return min(1.0, max(total, *shares))

    @property
    def details(self) -> Mapping[str, int | str]:
        if not self._splits or self._root.symmetries is None:
            current = self._current
            return self._details if current is None or current.run is None else current.run.details
        first = self._splits[0]
        last = {name: value for name, value in self._details.items() if name == "strategy"}  # of the last part
        return last | {
            "symmetries": self._root.symmetries.order,
            "orbits": f"{first.orbits} of {first.options} options",
            "gain": f"about {first.gain:.1f}",
            "splits": len(self._splits),
            "parts": self._made,
            "counted": self._counted,
        }

    def close(self) -> None:
        self._reached = self.explored()
        for part in self._running():
            self._drop_run(part)
        self._current = self._rival = None
