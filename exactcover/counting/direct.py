"""The direct count of a matrix, the parts of a count that have one, and what is known of each.

A direct count has several ways, and a rule that shares the time among them.

None of the ways is always the fastest, and which one is fastest shows only while they run. So they run in turn, or
beside each other on several threads; those expected to finish sooner get longer turns. The estimates are updated after
each turn. Whatever ends first is the count.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from exactcover.control.options import SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.counting.scheduler import Scheduler, Task, TimedTask, Turn
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import Subtree
from exactcover.engines.leaves import CountStrategy, Leaf, SearchLeaf, TooLargeError
from exactcover.errors import EngineUnavailableError
from exactcover.model.matrix import Matrix
from exactcover.steps.step import StepResult, Weights, restrict
from exactcover.symmetry.remainders import Remainder, Symmetries, make_matrix, make_remainder

if TYPE_CHECKING:
    from exactcover.symmetry.splitting import Branch, Split, Weight


class DividedSearch(CountStrategy):
    """A search by several leaves, each of a part of the tree; the first one searches it all, until it is divided."""

    can_divide = True

    def __init__(self, first: SearchLeaf, jobs: int, policy: CountingPolicy = DEFAULT_POLICY) -> None:
        self.name = first.name
        self._leaves = [first]
        self._jobs, self._policy = jobs, policy
        self._shares = {first: 1.0}  # of the tree, for each leaf that has more to do
        self._waiting: deque[tuple[Subtree, float]] = deque()
        self._explored = 0.0  # the share of the tree that is done
        self.divisions = 0

    @property
    def spent(self) -> float:
        return sum(leaf.spent for leaf in self._leaves)

    def idle_leaf(self) -> Leaf | None:
        for leaf in self._leaves:
            if not leaf.busy and leaf in self._shares:
                return leaf
        if not self._waiting:
            return None
        subtree, share = self._waiting.popleft()
        free = [leaf for leaf in self._leaves if not leaf.busy and leaf not in self._shares]
        if free:
            leaf = free[0]
            leaf.begin(subtree)
        elif len(self._leaves) < self._jobs:
            leaf = self._leaves[0].make_another(subtree)
            self._leaves.append(leaf)
        else:
            self._waiting.appendleft((subtree, share))
            return None
        self._shares[leaf] = share
        return leaf

    def has_more(self, leaf: Leaf, *, more: bool) -> bool:
        if not more and isinstance(leaf, SearchLeaf):
            self._explored += self._shares.pop(leaf)
        return not self.is_exhausted

    @property
    def is_exhausted(self) -> bool:
        return not self._shares and not self._waiting

    def divide(self) -> bool:
        idle = [leaf for leaf in self._leaves if not leaf.busy and leaf in self._shares]
        if self._waiting or not idle:
            return bool(self._waiting)
        leaf = max(idle, key=lambda leaf: self._shares[leaf] * (1 - leaf.explored()))
        share, explored = self._shares[leaf], leaf.explored()
        if self.left() * share * (1 - explored) < self._policy.least_division * (1 - self.explored()):
            return False
        levels = leaf.take_rest()
        del self._shares[leaf]
        if not any(levels):  # it was at its end
            self._explored += share
            return False
        self._explored += share * explored
        left = share * (1 - explored)
        for depth, subtrees in enumerate(levels):
            ways = len(subtrees) + any(levels[depth + 1 :])
            self._waiting.extend((subtree, left / ways) for subtree in subtrees)
            left /= max(1, ways)
        self.divisions += 1
        return bool(self._waiting)

    def explored(self) -> float:
        return self._explored + sum(share * leaf.explored() for leaf, share in list(self._shares.items()))

    def total(self) -> int:
        return sum(leaf.total() for leaf in self._leaves)

    found = total

    def memory(self) -> int:
        return sum(leaf.memory() for leaf in self._leaves)

    @property
    def nodes(self) -> int:
        return sum(leaf.nodes for leaf in self._leaves)

    @property
    def details(self) -> Mapping[str, int | str]:
        counters = [leaf.details for leaf in self._leaves]
        return {name: sum(int(one.get(name, 0)) for one in counters) for name in counters[0]}


def _note_nothing(seconds: float) -> None:
    pass


class DirectCount(Task):
    """A count of the solutions of one matrix, by leaves in the order in which they begin.

    The ways may hold about as many bytes in total as `memory` returns, which is called when that matters. `jobs`
    threads may share a search.
    """

    def __init__(
        self,
        leaves: Sequence[Leaf],
        memory: Callable[[], int],
        jobs: int = 1,
        policy: CountingPolicy = DEFAULT_POLICY,
    ) -> None:
        self._waiting, self._memory, self._jobs, self._policy = list(leaves), memory, jobs, policy
        self._running: list[CountStrategy] = []
        self._dropped = self._dropped_nodes = 0  # ways that were hopeless, and their nodes
        self._bound = 0  # the solutions that they have found
        self._winner: CountStrategy | None = None
        self._limits: list[str] = []  # why some ways cannot be used
        self._turns: list[Turn] = []  # under way
        self.spent = 0.0
        self.note_turn: Callable[[float], object] = _note_nothing  # called at the end of each turn, with its seconds

    @property
    def is_done(self) -> bool:
        return self._winner is not None

    def next_turn(self) -> Turn | None:
        if self.is_done or self._turns:
            return None
        self._begin_ways()
        way = self._pick_way()
        leaf = way.idle_leaf()
        return None if leaf is None else self._make_turn(way, leaf)

    def spare_turn(self) -> Turn | None:
        if self.is_done:
            return None
        best, *others = sorted(self._running, key=CountStrategy.left)
        late = [way for way in others if way.spent < self._share_of(way, best)]
        for way in (*late, best, *(() if best.can_divide else others)):
            leaf = way.idle_leaf()
            if leaf is not None:
                return self._make_turn(way, leaf)
        return None

    def divide(self) -> bool:
        for way in self._running if not self.is_done else ():
            if way.divide():
                return True
            if way.is_exhausted:
                self._end_with(way)
        return False

    def _end_with(self, way: CountStrategy) -> None:
        """End with the number of a way; turns of others end soon."""
        self._winner = self._winner or way
        for turn in self._turns:
            turn.seconds = 0.0

    def _make_turn(self, way: CountStrategy, leaf: Leaf) -> Turn:
        seconds = max(self._policy.first_turn, self._policy.turn_share * self.spent)
        wait = self._find_wait()
        if wait > 0:
            seconds = min(seconds, wait)
        turn = Turn(leaf, seconds, partial(self._note_end, way))
        self._turns.append(turn)
        return turn

    def _note_end(self, way: CountStrategy, leaf: Leaf, seconds: float, more: bool, error: Exception | None) -> None:
        self._turns = [turn for turn in self._turns if not turn.is_done]
        self.spent += seconds
        if isinstance(error, TooLargeError):
            self._limits.append(str(error))
            self._running.remove(way)
            if not self._running and not self._waiting:
                limits = "; ".join(self._limits)
                raise EngineUnavailableError(f"the problem is too large to be counted this way: {limits}")
        elif not way.has_more(leaf, more=more):
            self._end_with(way)
        elif (
            way in self._running
            and way.is_hopeless(lambda: self._memory() // 2)
            and (len(self._running) > 1 or self._waiting)
        ):
            self._running.remove(way)
            self._dropped += 1
            self._dropped_nodes += way.nodes
            self._bound = max(self._bound, way.found())
        self.note_turn(seconds)

    def may_begin_another(self, left: float) -> bool:
        """Return whether there is another way, and to begin it takes much less time than is left."""
        return bool(self._waiting) and left > self._policy.worth_another * self._waiting[0].find_delay()

    def _begin_ways(self) -> None:
        """Begin further ways while there is none, or while it is time for another, which takes as long as its delay."""
        while self._waiting and (
            not self._running or (self._find_wait() < 0 and self.may_begin_another(self.guess_left()))
        ):
            way: CountStrategy = self._waiting.pop(0)
            if isinstance(way, SearchLeaf) and self._jobs > 1:
                way = DividedSearch(way, self._jobs, self._policy)
            self._running.append(way)

    def _find_wait(self) -> float:
        """Return for how many seconds the ways are tried before another one may begin; infinity if none is worth it."""
        patience, tried = self._policy.strategy_patience, len(self._running) + self._dropped
        if not self._waiting or self.guess_left() <= self._policy.worth_another * patience:
            return math.inf
        wait = patience * tried - self.spent
        return wait if wait >= 0 else self._waiting[0].find_delay() * tried - self.spent  # which takes some time

    def _pick_way(self) -> CountStrategy:
        """Return what goes on next: the way expected to end first, unless another is below its share."""
        best = min(self._running, key=CountStrategy.left)
        for way in self._running:
            if way is not best and way.spent < self._share_of(way, best):
                return way
        return best

    def _share_of(self, way: CountStrategy, best: CountStrategy) -> float:
        """Return how many seconds a way should have had.

        If the best one still needs a long time, a way with a vague estimate gets a share of that time in advance, but
        no more time than the best one has had.
        """
        policy, left, least_left = self._policy, way.left(), best.left()
        ratio = least_left / left if least_left < left < math.inf else float(left < math.inf)
        share = max(policy.least_share, policy.rival_strategy_share * ratio) * self.spent
        if way.vague and left < policy.hopeless_factor * least_left:
            share = max(share, min(best.spent, policy.vague_share * (best.spent + least_left)))
        return share

    # -- the state -----------------------------------------------------------------------------

    @property
    def leader(self) -> CountStrategy | None:
        """The way that has ended, or else the one expected to end first; None before the start."""
        return self._winner or min(self._running, key=CountStrategy.left, default=None)

    @property
    def is_led_by_search(self) -> bool:
        """True if a search that can be divided is expected to end first."""
        return isinstance(self.leader, SearchLeaf | DividedSearch)

    @property
    def solutions(self) -> int:
        """The number of solutions; a lower bound before the end."""
        if self._winner is not None:
            return self._winner.total()
        return max([self._bound, *(way.found() for way in self._running)])

    def left(self) -> float:
        """Return the estimated number of seconds that are left; infinity if nothing is known."""
        return 0.0 if self.is_done else min((way.left_for_sure() for way in self._running), default=math.inf)

    def guess_left(self) -> float:
        """Return the same, also by vague estimates."""
        return 0.0 if self.is_done else min((way.left() for way in self._running), default=math.inf)

    @property
    def nodes(self) -> int:
        """The number of subproblems and states that were visited."""
        return self._dropped_nodes + sum(way.nodes for way in self._running)

    @property
    def memory(self) -> int:
        """The number of bytes that the ways hold."""
        return sum(way.memory() for way in self._running)

    @property
    def details(self) -> Mapping[str, int | str]:
        """The name of the leading way and its counters."""
        leader = self.leader
        return {} if leader is None else {"strategy": leader.name, **leader.details, "memory": self.memory}

    def close(self) -> None:
        """End the count; afterwards only its numbers may be read. Turns under way end soon, and nobody hears of it."""
        self.note_turn = _note_nothing
        for turn in self._turns:
            turn.seconds = 0.0
        for way in self._running:
            way.close()


class Origins(NamedTuple):
    """A matrix as a part of a problem: the origins of its options; those of its items are in the matrix itself."""

    options: Sequence[int]  # of the problem, by its own
    primary: int  # the number of primary items of the problem


@dataclass
class Tally:
    """Sums over the parts of a count so far."""

    total: Weight = 0  # the solutions of the whole that stand for those in parts that are done
    begun_total: Weight = 0  # the same for parts that are not done
    left: float = 0.0  # the estimated seconds, without those of unknown parts
    unknown: int = 0  # the number of parts of which nothing is known
    spent: float = 0.0  # seconds
    nodes: int = 0
    bound: int = 0  # the best lower bound on the solutions so far; it stays when a count is dropped

    def seconds_left(self) -> float:
        """Return the estimated number of seconds that are left; infinity if nothing is known."""
        return math.inf if self.unknown else max(0.0, self.left)

    def found(self) -> Weight:
        """Return how many solutions of the whole are found, by what goes on."""
        return self.total + self.begun_total


class Part:
    """A remainder that stands for all that are isomorphic to it.

    The remainder is None if only its matrix is known; without a matrix to search, one is made of the remainder. The
    weight is the number of solutions of the whole that each of its solutions stands for. `origins` say which part of a
    problem it is, if that matters. At first, `left` is a guess.
    """

    def __init__(
        self,
        tally: Tally,
        start: Callable[[Matrix], DirectCount],
        remainder: Remainder,
        weight: Weight = 1,
        *,
        matrix: Matrix | None = None,
        left: float = math.inf,
        origins: Origins | None = None,
    ) -> None:
        self.remainder, self.weight, self.origins = remainder, weight, origins
        self.symmetries: Symmetries | None = None  # if they are known
        self._tally, self._start = tally, start
        self._matrix = matrix
        self._direct: DirectCount | None = None
        self._found = self._nodes = 0  # by the direct count, up to its last turn
        self.left = 0.0  # seconds, by the last estimate
        self.expect(left)

    @property
    def matrix(self) -> Matrix:
        """The matrix that is searched to count it."""
        if self._matrix is None:
            self._matrix = make_matrix(self.remainder)
        return self._matrix

    def make_remainder(self, stop: Stop) -> None:
        """Make the remainder from the matrix, with the choices that are forced; None if these leave no solution."""
        whole = make_remainder(self.matrix, stop)
        if self.origins is not None:
            items = [*map(self.matrix.origin, range(self.matrix.items))]
            whole = whole.with_origins(items, self.origins.options, self.origins.primary)
        self.remainder = whole.remainder([])

    @property
    def is_begun(self) -> bool:
        """True if it is counted directly."""
        return self._direct is not None

    @property
    def direct(self) -> DirectCount:
        """Its direct count, which begins if there is none."""
        if self._direct is None:
            self._direct = self._start(self.matrix)
            self._direct.note_turn = self.note_turn
        return self._direct

    @property
    def entries(self) -> int:
        """Its size."""
        return len(self.matrix.entries) if self.remainder is None else int(self.remainder.entries)

    def replace_matrix(self, matrix: Matrix) -> None:
        """Search another matrix with as many solutions from now on."""
        self.drop_direct()
        self._matrix = matrix

    def merge(self, other: Part) -> None:
        """Stand for another part as well."""
        other.drop_direct()
        other.expect(0.0)
        self._tally.begun_total += other.weight * self._found
        self.weight += other.weight

    def note_turn(self, seconds: float) -> None:
        """Note what a turn of its direct count has taken and found."""
        assert self._direct is not None
        self._tally.spent += seconds
        self._note_found(self._direct.solutions)
        self.expect(self._direct.left())
        nodes = self._direct.nodes
        self._tally.nodes += nodes - self._nodes
        self._nodes = nodes

    def _note_found(self, found: int) -> None:
        """Note how many solutions have been found here."""
        if found != self._found:
            self._tally.begun_total += self.weight * (found - self._found)
            self._found = found

    def expect(self, left: float) -> None:
        """Note how many seconds are left here; 0 if it leaves the tally, to parts of this part or to another one."""
        for seconds, sign in ((self.left, -1), (left, 1)):
            if seconds < math.inf:
                self._tally.left += sign * seconds
            else:
                self._tally.unknown += sign
        self.left = left

    def drop_direct(self) -> None:
        """End the direct count."""
        if self._direct is not None:
            self._tally.bound = max(self._tally.bound, math.floor(self._tally.found()))
            self._direct.close()
            self._direct, self._nodes = None, 0
        self._note_found(0)

    def finish(self, solutions: int) -> None:
        """End with the number of solutions."""
        self.drop_direct()
        self.expect(0.0)
        self._tally.total += self.weight * solutions


class CountObserver:
    """Sees which parts a count consists of. This one notes nothing.

    Of each part, notes come in the order in which things happen; the last one says how its number is known: by weights,
    by other parts, or by a direct count.
    """

    def note_components(self, part: Part, items: Sequence[Sequence[int]], parts: Sequence[Part]) -> None:
        """Note that a part consists of independent ones, and which of its items each of them has."""

    def note_weights(self, part: Part, weights: Weights) -> None:
        """Note that weights show that a part has no solution."""

    def note_contradiction(self, part: Part) -> None:
        """Note that the choices that are forced in a part leave no solution."""

    def note_reduction(self, part: Part, result: StepResult) -> None:
        """Note that a smaller matrix is counted directly instead of that of a part; with a reason, that ends it."""

    def note_split(self, part: Part, split: Split, branches: Sequence[tuple[Branch, Part | None]]) -> None:
        """Note that a part is split; a branch without solutions has no part."""

    def note_merge(self, part: Part, kept: Part) -> None:
        """Note that a part is isomorphic to another one, which comes before it."""

    def note_end(self, part: Part) -> None:
        """Note that a part is counted directly, to its end."""


class SubtreeCount:
    """The count of a subtree of a matrix, which one leaf searches; `memory` returns how much other ways may hold."""

    def __init__(
        self, matrix: Matrix, subtree: Subtree, search: SearchLeaf, memory: Callable[[], int], stop: Stop
    ) -> None:
        self._search, self._scheduler = search, Scheduler(stop)
        leaves: list[Leaf] = [search]
        left = restrict(matrix, subtree.chosen, subtree.excluded)
        if left.reason is None and "diagram" in ENGINES:
            others = ENGINES["diagram"].leaves(left.matrix, stop, SearchOptions(), DEFAULT_POLICY)
            leaves += (leaf for leaf in others if leaf.name != search.name)
        self._direct = DirectCount(leaves, memory)

    def advance(self, seconds: float) -> bool:
        """Go on for about this many seconds of processor time; return whether there is more to do."""
        self._scheduler.run(TimedTask(self._direct, lambda: self._direct.spent, seconds))
        return not self._direct.is_done

    @property
    def is_led_by_search(self) -> bool:
        """True if the search is expected to end first, so that nothing is lost if it goes on elsewhere."""
        return self._direct.is_led_by_search

    def end(self) -> tuple[int, list[Subtree]]:
        """End the count; return the number of solutions so far, and the rest of the subtree, in order of the tree."""
        self._direct.close()
        if self._direct.is_done:
            return self._direct.solutions, []
        rest = [left for level in reversed(self._search.take_rest()) for left in level]
        return self._search.total(), rest

    @property
    def nodes(self) -> int:
        """The number of subproblems and states that were visited."""
        return self._direct.nodes
