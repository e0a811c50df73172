"""A search that several threads share: what one of them has left of its subtree is divided when another has nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.engines.leaves import DivisibleLeaf, Leaf, Way
from exactcover.engines.trees import Subtree

__all__ = ["DividedSearch"]


class DividedSearch(Way):
    """A search by several leaves, each of a part of the tree.

    Parameters
    ----------
    first
        Searches the whole tree, until it is divided.
    jobs
        The number of leaves, at most.
    policy
        What is worth dividing.
    """

    can_divide = True

    def __init__(self, first: DivisibleLeaf, jobs: int, policy: CountingPolicy = DEFAULT_POLICY) -> None:
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
        if not more and isinstance(leaf, DivisibleLeaf):
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
