"""The count of a matrix: directly, or by orbits where that pays.

Of options that a symmetry exchanges, one is chosen, and its solutions count for all of them. Let an item be covered
exactly once. The number of solutions is the sum, over the orbits of its options, of the number of options of the item
in that orbit, times the number of solutions with one of them. If the item is covered exactly k times, the sum counts
each solution k times. If k may vary, each k is a case of its own. An orbit of options can take the place of an item;
the cases are how many of them a solution has. Generators of the symmetries are enough for this; the group may have any
order.

What is left when an option is chosen, a remainder, has symmetries of its own, and may be isomorphic to another
remainder, so it is counted in the same way. A remainder is split only if that is expected to pay: each one is counted
directly for about as long as splitting it would take. The direct count of the whole goes on meanwhile, in turn with the
parts, and whatever is done first ends the count.

If a matrix consists of independent components, their numbers of solutions are multiplied instead.

References
----------
B. D. McKay, "Isomorph-free exhaustive generation", *Journal of Algorithms* 26 (1998).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.counting.direct import CountObserver, DirectCount, Origins, Part, Tally
from exactcover.counting.scheduler import Fiber, Flow, Group, Scheduler, Step, Task, TimedTask, Turn
from exactcover.engines.cursor import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.steps.step import StepResult, Weights, rebuild
from exactcover.symmetry.remainders import find_symmetries

if TYPE_CHECKING:
    from exactcover.symmetry.splitting import Branch, Split


class Component(NamedTuple):
    """A part of a matrix that has no item in common with the rest."""

    items: Sequence[int]  # in the matrix
    matrix: Matrix  # of its items and options alone
    origins: Origins | None  # the part of a problem that it is, if known


def find_components(matrix: Matrix, origins: Origins | None = None) -> list[Component]:
    """Return the components of a matrix, the smallest first, or none if there are not several.

    Items without options belong to none. The origins say which part of a problem the matrix is.
    """
    components = matrix.components()
    if len(components) < 2:  # as most matrices have
        return []
    component_of = {item: number for number, items in enumerate(components) for item in items}
    options: dict[int, list[int]] = {}
    for option in range(len(matrix)):
        options.setdefault(component_of[matrix.entries[matrix.starts[option]]], []).append(option)
    if len(options) < 2:  # making a matrix anew would take longer than many a count
        return []
    items: dict[int, list[int]] = {number: [] for number in options}
    for item in range(matrix.items):
        if component_of[item] in items:
            items[component_of[item]].append(item)
    found = []
    for number, held in sorted(options.items(), key=lambda pair: len(pair[1])):
        places = {item: place for place, item in enumerate(items[number])}
        left = None if origins is None else origins._replace(options=[origins.options[k] for k in held])
        found.append(Component(items[number], rebuild(matrix, held, places), left))
    return found


@dataclass(frozen=True)
class CountSetup:
    """The means of a count, shared with the counts of its components."""

    start: Callable[[Matrix], DirectCount]  # starts the direct count of a matrix
    stop: Stop
    reduce: Callable[[Matrix], StepResult] | None = None  # reduces a matrix that takes long to count
    weigh: Callable[[Matrix], Weights | None] | None = None  # finds weights as a proof of no solution
    components: bool = False  # whether a matrix may be counted by these
    symmetry: bool = False  # whether it may be counted by orbits
    eager: bool = False  # splits at once if there are symmetries; the direct count goes on beside the parts
    policy: CountingPolicy = DEFAULT_POLICY
    observer: CountObserver = field(default_factory=CountObserver)  # sees the parts


class Count(Fiber):
    """The count of the solutions of a matrix.

    For the observer, the origins say which part of a problem the matrix is, and the root is the whole as a part.
    """

    def __init__(self, matrix: Matrix, setup: CountSetup, origins: Origins | None = None) -> None:
        super().__init__(self._count())
        self._setup, self._policy, self._stop = setup, setup.policy, setup.stop
        self._weigh = setup.weigh
        self._own, self._tally = Tally(), Tally()  # of the whole, and of its parts
        self.root = Part(self._own, setup.start, None, matrix=matrix, origins=origins)
        self._components: list[Count] = []
        self._rival: DirectCount | None = None  # the count of the whole, beside its parts
        self._expected = math.inf  # seconds for the parts of the whole; infinity if nothing is known
        self._before = 0.0  # seconds that were spent before the whole was split
        self._answer: int | None = None
        self._splits: list[Split] = []
        self._made = self._counted = self._entries = 0
        self._level_entries = 0  # of the parts of the next level so far
        self._seconds = 0.0  # spent on remainders and their symmetries
        self._merged = 1.0  # how many parts of a level were isomorphic to each one, on average
        self._details: Mapping[str, int | str] = {}  # of the last direct count that was finished

    # -- the task ------------------------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        return self._answer is not None or self._rival_won

    @property
    def _rival_won(self) -> bool:
        return self._answer is None and self._rival is not None and self._rival.is_done

    def next_turn(self) -> Turn | None:
        if self.is_done:
            return None
        turn = self._next_weighing()
        if turn is None and self._rival is not None and self._is_rival_due(self._rival):
            turn = self._rival.next_turn()
        return turn or super().next_turn()

    def _is_rival_due(self, rival: DirectCount) -> bool:
        """Return whether the count of the whole is below its share of the time: half if it seems to end first."""
        spent, policy = self._tally.spent - self._before, self._policy
        if spent < policy.root_seconds:
            return False
        expected = min(self._expected, (rival.spent + rival.left()) / self._splits[0].gain)
        is_late = spent > policy.late_factor * expected + policy.late_seconds
        left = self._tally.seconds_left() if is_late else max(0.0, expected - spent)
        guess = rival.guess_left()
        return rival.spent < spent * (1.0 if guess <= left and guess < math.inf else policy.rival_share)

    # -- the whole -----------------------------------------------------------------------------

    def _count(self) -> Flow:
        """Count the whole, by parts where that pays."""
        root, policy = self.root, self._policy
        patience = policy.root_patience * self._cost_of(root, policy.symmetry_seconds)
        if not self._setup.eager and (yield from self._try(root, patience)):
            return
        if self._setup.components and (yield from self._count_components()):
            return
        if not self._setup.symmetry:
            yield from self._settle(root)
            return
        yield self._step(self._find_symmetries_of_root, root)
        if root.symmetries is None:
            self._setup.observer.note_contradiction(root)
            self._finish(root, 0)
            return
        splits = self._find_splits(root) if self._setup.eager else []
        level = (yield from self._split(root, splits[0])) if splits else (yield from self._settle(root))
        while level:
            level = yield from self._count_level(level)
        if self._answer is None:
            self._end_with_sum()

    def _count_components(self) -> Generator[Task, None, bool]:
        """Count the components of the whole, if there are several; return whether there are."""
        root, found = self.root, list[Component]()
        yield self._step(lambda: found.extend(find_components(root.matrix, root.origins)), root)
        if not found or root.matrix.first_underfilled() is not None:
            return False
        self._weigh, setup = None, replace(self._setup, components=False)
        self._components = [Count(one.matrix, setup, one.origins) for one in found]
        setup.observer.note_components(root, [one.items for one in found], [one.root for one in self._components])
        root.drop_direct()
        yield Group(map(self._count_component, self._components))
        self._answer = math.prod(count.solutions for count in self._components)
        return True

    def _count_component(self, count: Count) -> Flow:
        yield count
        if not count.solutions:
            self._answer = 0

    def _next_weighing(self) -> Turn | None:
        """Return the turn that looks for weights, once no solution was found for a while."""
        if (weigh := self._weigh) is None or sum(one.spent for one in self._tallies) <= self._policy.weigh_seconds:
            return None
        self._weigh = None
        if self.solutions:
            return None
        found = list[Weights | None]()

        def note_end(seconds: float) -> None:
            self._note_seconds(seconds)
            if found and found[0] is not None and not self.is_done:  # none after a stop
                self._setup.observer.note_weights(self.root, found[0])
                self._finish(self.root, 0)

        return Step(lambda: found.append(weigh(self.root.matrix)), self._seconds_of(self.root)).turn(note_end)

    def _find_symmetries_of_root(self) -> None:
        root, policy = self.root, self._policy
        root.make_remainder(self._stop)
        if root.remainder is None:
            return
        most = policy.eager_work if self._setup.eager else policy.work_per_entry * (1 + root.entries)
        root.symmetries = find_symmetries(root.remainder, self._stop, most_work=most)

    def _end_with_sum(self) -> None:
        """End with the sum over all parts, each solution of which was counted a whole number of times."""
        tally = self._tally
        if tally.total.denominator != 1 or tally.begun_total or tally.total < tally.bound:
            raise RuntimeError(f"the sum over orbits is {tally.total}, with {tally.begun_total} left over")
        self._answer = int(tally.total)
        if self._rival is not None:
            self._rival.close()

    def _note_turn_of_rival(self, seconds: float) -> None:
        self.root.note_turn(seconds)
        if self._rival_won:
            self._setup.observer.note_end(self.root)

    # -- levels --------------------------------------------------------------------------------

    def _count_level(self, level: list[Part]) -> Generator[Task, None, list[Part]]:
        """Count the parts of a level, or split them; return the next level."""
        slow: list[Part] = []
        yield Group(self._count_quickly(part, slow) for part in level)
        keys: dict[Part, bytes] = {}
        kept: dict[bytes, Part] = {}
        yield Group(self._classify(part, keys, kept) for part in slow)
        self._merged = len(slow) / max(1, len(kept))
        following: dict[int, list[Part]] = {}
        self._level_entries = 0
        yield Group(self._go_down(place, part, following) for place, part in enumerate(kept.values()))
        return [child for _, children in sorted(following.items()) for child in children]

    def _count_quickly(self, part: Part, slow: list[Part]) -> Flow:
        """Count a part for about as long as it takes to find its symmetries; if that is not enough, it is slow."""
        if part.remainder.primary == 0:
            self._setup.observer.note_end(part)
            self._finish(part, 1)
            return
        if not (yield from self._try(part, self._policy.part_patience * self._cost_of(part))):
            slow.append(part)

    def _classify(self, part: Part, keys: dict[Part, bytes], kept: dict[bytes, Part]) -> Flow:
        """Find the symmetries of a part, and merge it with one that is isomorphic."""
        yield self._step(lambda: self._find_form(part, keys), part)
        self._entries += part.entries
        known = kept.setdefault(keys[part] or f"part {len(kept)}".encode(), part)
        if known is not part:
            self._setup.observer.note_merge(part, known)
            known.merge(part)
        elif len(kept) > self._policy.most_waiting_runs or part.direct.memory > self._policy.most_run_memory:
            part.drop_direct()

    def _find_form(self, part: Part, keys: dict[Part, bytes]) -> None:
        """Find the symmetries of a part, and a digest of its canonical form, or nothing if that is not worth it."""
        most = self._policy.least_work + int(self._policy.work_per_second * part.direct.spent)
        part.symmetries = find_symmetries(part.remainder, self._stop, most_work=most)
        keys[part] = b""
        if part.symmetries.order > 1 or self._merged > 1:
            form = part.symmetries.found.form(most)
            if form:
                from hashlib import blake2b  # slow to import

                keys[part] = blake2b(form, digest_size=32).digest()

    def _go_down(self, place: int, part: Part, following: dict[int, list[Part]]) -> Flow:
        """Count or split a part; note what it is split into."""
        may_split = self._level_entries < self._policy.most_level_entries
        following[place] = yield from self._settle(part, may_split=may_split)
        self._level_entries += sum(child.entries for child in following[place])
        part.symmetries = None

    # -- parts ---------------------------------------------------------------------------------

    def _settle(self, part: Part, *, may_split: bool = True) -> Generator[Task, None, list[Part]]:
        """Count a part directly, or split it as soon as that seems to pay; return the parts into which it is split."""
        splits: list[Split] = []
        policy = self._policy
        if may_split and part.symmetries is not None:
            splits = self._find_splits(part)
        seconds = max(part.direct.spent if part.is_begun else 0.0, self._cost_of(part))
        is_slow = False
        while (split := self._find_split_that_pays(part, splits)) is None:
            spent = part.direct.spent
            if is_slow:
                turn = spent if splits else math.inf
            elif spent < policy.reduction_seconds or max(spent, part.direct.left()) < policy.reducing_left:
                turn = min(seconds, policy.reduction_seconds) if splits else policy.reduction_seconds
                seconds *= 2
            elif (yield from self._reduce_part(part)):
                return []
            else:
                is_slow = True
                continue
            if (yield from self._attempt(part, max(turn, policy.first_turn))):  # else it might never begin
                return []
        return (yield from self._split(part, split))

    def _find_splits(self, part: Part) -> list[Split]:
        """Return the splits of a part that save enough."""
        from exactcover.symmetry.splitting import find_splits  # most short counts split nothing

        assert part.symmetries is not None
        return find_splits(part.remainder, part.symmetries, self._merged, self._policy)

    def _find_split_that_pays(self, part: Part, splits: list[Split]) -> Split | None:
        """Return the split that is expected to take the least time; None if it takes less to go on without one."""
        first = next(iter(splits), None)
        if first is None or not part.is_begun:
            return first
        direct, is_root = part.direct, part is self.root
        left, is_long = direct.left(), direct.spent >= self._policy.root_seconds
        if left == math.inf:
            return first if is_long or not is_root else None
        cost, guess = self._cost_of(part), direct.guess_left()
        expected = ((split.children * cost + left / split.gain, split) for split in splits)
        least, split = min(expected, key=itemgetter(0))
        if is_root:
            self._expected = min(least, split.children * (cost + guess))  # no part takes longer than the whole
            is_quick = direct.spent + guess < self._expected and not is_long
            if is_quick or direct.may_begin_another(self._expected):
                return None
        return split if left > least else None

    def _cost_of(self, part: Part, once: float | None = None) -> float:
        """Return about how many seconds it takes to make such a part, besides `once`, and to find its symmetries."""
        rate = self._seconds / self._entries if self._entries else self._policy.seconds_per_entry
        return (self._policy.part_seconds if once is None else once) + rate * part.entries

    def _try(self, part: Part, seconds: float) -> Generator[Task, None, bool]:
        """Count a part directly for this long, or only begin if it seems to take longer; return whether it is done."""
        glance = self._policy.glance * seconds
        if (yield from self._attempt(part, glance)):
            return True
        return part.direct.guess_left() <= seconds - glance and (yield from self._attempt(part, seconds - glance))

    def _attempt(self, part: Part, seconds: float) -> Generator[Task, None, bool]:
        """Go on to count a part directly for this long; return whether it is done."""
        direct = part.direct
        if seconds > 0:
            yield TimedTask(direct, lambda: direct.spent, seconds)
        if direct.is_done:
            self._setup.observer.note_end(part)
            self._finish(part, direct.solutions)
        return direct.is_done

    def _reduce_part(self, part: Part) -> Generator[Task, None, bool]:
        """Reduce a part, if that pays; return whether it is done."""
        if self._setup.reduce is None:
            return False
        from exactcover.steps.reduction import is_much_smaller  # seldom needed

        results: list[StepResult] = []
        reduce = self._setup.reduce
        yield self._step(lambda: results.append(reduce(part.matrix)), part)
        is_impossible = results[0].reason is not None
        if is_impossible or is_much_smaller(results[0].matrix, part.matrix):
            self._setup.observer.note_reduction(part, results[0])
        if is_impossible:
            self._finish(part, 0)
        elif is_much_smaller(results[0].matrix, part.matrix):
            part.replace_matrix(results[0].matrix)
        return is_impossible

    def _finish(self, part: Part, solutions: int) -> None:
        self._counted += 1
        if part.is_begun:
            self._details = part.direct.details
        part.finish(solutions)
        if part is self.root:
            self._answer = solutions

    def _step(self, do: Callable[[], object], part: Part) -> Turn:
        """Return the turn for a step that concerns a remainder and its symmetries."""
        return Step(do, self._seconds_of(part)).turn(self._note_seconds)

    def _seconds_of(self, part: Part) -> float:
        """Return about how many seconds a step takes, by the clock of work."""
        return self._policy.seconds_per_entry * part.entries

    def _note_seconds(self, seconds: float) -> None:
        """Note time that was spent on remainders and their symmetries."""
        self._seconds += seconds
        self._tally.spent += seconds

    def _split(self, part: Part, split: Split) -> Generator[Task, None, list[Part]]:
        """Split a part; return its parts."""
        symmetries = part.symmetries
        branches: list[Branch] = []
        assert symmetries is not None
        self._splits.append(split)
        yield self._step(lambda: branches.extend(split.branches(part.remainder, symmetries)), part)
        if part is self.root and (part.is_begun or self._setup.eager):
            self._rival, self._before = part.direct, self._tally.spent
            part.direct.note_turn = self._note_turn_of_rival
        else:
            part.drop_direct()
        children: list[Part | None] = []
        for branch in branches:
            if branch.remainder is None:
                children.append(None)
            else:
                weight, left = part.weight * branch.weight, part.left * branch.share / split.gain
                children.append(Part(self._tally, self._setup.start, branch.remainder, weight, left=left))
        self._setup.observer.note_split(part, split, list(zip(branches, children, strict=True)))
        parts = [child for child in children if child is not None]
        if part is not self.root:
            part.expect(0.0)
        self._made += len(parts)
        return parts

    # -- the state -----------------------------------------------------------------------------

    @property
    def _tallies(self) -> list[Tally]:
        return [self._own, self._tally] if self._splits else [self._own]

    @property
    def solutions(self) -> int:
        """The number of solutions; a lower bound before the end."""
        if self._answer is not None:
            return self._answer
        if self._rival is not None and self._rival_won:
            return self._rival.solutions
        if self._components:
            return math.prod(count.solutions for count in self._components)
        return max(math.floor(tally.found()) if tally.found() > tally.bound else tally.bound for tally in self._tallies)

    @property
    def nodes(self) -> int:
        """The number of subproblems and states that were visited."""
        return sum(tally.nodes for tally in self._tallies) + sum(count.nodes for count in self._components)

    def explored(self) -> float:
        """Return the estimated share of the time that has passed; 0 if nothing is known."""
        if self.is_done:
            return 1.0
        if self._components:
            return math.fsum(count.explored() for count in self._components) / len(self._components)
        left = min(tally.seconds_left() for tally in self._tallies)
        spent = sum(tally.spent for tally in self._tallies)
        return spent / (spent + left) if spent > 0 else 0.0

    @property
    def details(self) -> Mapping[str, int | str]:
        """The way in which it was counted, in words and numbers."""
        if self._components:
            return {"strategy": "components", "components": len(self._components)}
        if not self._splits or self.root.symmetries is None or self._rival_won:
            return self.root.direct.details if self.root.is_begun else self._details
        first = self._splits[0]
        last = {name: value for name, value in self._details.items() if name == "strategy"}  # of the last part
        return last | {
            "symmetries": self.root.symmetries.order,
            "orbits": f"{first.orbits} of {first.options} options",
            "gain": f"about {first.gain:.1f}",
            "splits": len(self._splits),
            "parts": self._made,
            "counted": self._counted,
        }


class CountRun(EngineRun):
    """A run that counts, and lists nothing."""

    def __init__(self, task: Count, scheduler: Scheduler) -> None:
        super().__init__()
        self._task, self._scheduler, self._listed = task, scheduler, iter(())

    def count(self) -> int:
        self._scheduler.run(self._task)
        return self._task.solutions

    @property
    def solutions(self) -> int:
        return self._task.solutions

    @property
    def nodes(self) -> int:
        return self._task.nodes

    def explored(self) -> float:
        return self._task.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._task.details
