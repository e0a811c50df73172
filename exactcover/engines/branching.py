"""Branch and bound with the linear relaxation, for problems of which prices leave too much to search.

A node allows some of the options. Its prices bound what solutions cost, and tell which options are too dear for any
solution that matters. If few are left, they are searched. Else the node is divided: several ways are tried, and the one
that gives both children the best bounds is taken.

A dive chooses what the relaxation contains most of, again and again. What is left is searched for a while.

References
----------
K. L. Hoffman, M. Padberg, "Solving airline crew scheduling problems by branch-and-cut", *Management Science* 39 (1993).

D. M. Ryan and B. A. Foster, "An integer programming approach to scheduling", in *Computer Scheduling of Public
Transport* (1981).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import chain, combinations, zip_longest
from typing import Any, NamedTuple, TypeVar

import numpy

from exactcover.control.policy import BranchingPolicy
from exactcover.engines.incumbents import Incumbents
from exactcover.engines.relaxation import Basis, DualPrices, Relaxation, make_exact, narrow
from exactcover.model.matrix import ONCE, Matrix

WHOLE = 1e-6
"""The largest difference of a whole share of an option from 0 or 1."""

_PATIENCE = 5  # ways that are tried after the best one
_LEAST_FACTOR = 1e-3  # of a bound, when gains are multiplied
Child = TypeVar("Child")

_ANY_NUMBER = 1 << 62
_WORK_TO_SOLVE_AGAIN = 0.25  # of the relaxation, for each entry, where a node is 1

Array = numpy.ndarray[Any, Any]


class BranchRule(NamedTuple):
    """A way to divide a node."""

    children: tuple[Array, Array]  # the options that each of both children allows
    by: int | tuple[int, int]  # an option that the first child contains; or items, which one option covers there


def choose_way(
    ways: Iterable[BranchRule], relax: Callable[[Array], Child], find_gain: Callable[[Child], float | None]
) -> tuple[BranchRule, list[Child]] | None:
    """Return the way for which the product of the gains of both children is greatest, and its children.

    Some ways are tried, the first ones. A child is made of the options that it allows. Its gain says by how much its
    bound is better; None if it has no solution that matters, which ends the choice.
    """
    best: tuple[BranchRule, list[Child]] | None = None
    most, patience = 0.0, _PATIENCE
    for way in ways:
        children = [relax(allowed) for allowed in way.children]
        one, other = map(find_gain, children)
        if one is None or other is None:
            return way, children
        value = (max(one, 0.0) + _LEAST_FACTOR) * (max(other, 0.0) + _LEAST_FACTOR)
        patience -= 1
        if value > most:
            best, most, patience = (way, children), value, _PATIENCE
        if not patience:
            break
    return best


class Splits:
    """Ways to divide what some options of a matrix allow."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._entries = numpy.frombuffer(matrix.entries, numpy.int32)
        self._starts = numpy.frombuffer(matrix.starts, numpy.int64)
        self._owners = numpy.repeat(numpy.arange(len(matrix)), numpy.diff(self._starts))
        once = [matrix.bounds(item) == ONCE for item in range(matrix.primary)]
        self._once = numpy.array([*once, *[False] * (matrix.items - matrix.primary)], bool)

    def list_ways(self, allowed: Array, shares: Array) -> Iterator[BranchRule]:
        """Yield ways to divide a node whose relaxation contains parts of options, those that seem best first."""
        parts = numpy.flatnonzero((shares > WHOLE) & (shares < 1 - WHOLE) & allowed)
        parts = parts[numpy.argsort(numpy.abs(shares[parts] - 0.5), kind="stable")]
        pairs = self._list_pairs(dict(zip(parts.tolist(), shares[parts].tolist(), strict=True)))
        ways = zip_longest(map(partial(self.divide_by_option, allowed), parts.tolist()),
                           map(partial(self.divide_by_pair, allowed), pairs))  # fmt: skip
        seen = set[bytes]()  # which parts each way allows
        for way in chain.from_iterable(ways):
            # If a child allows as much as before, the relaxation covers items for penalties.
            if way is None or any((children == allowed).all() for children in way.children):
                continue
            key = way.children[1][parts].tobytes()
            if key not in seen:
                seen.add(key)
                yield way

    def _list_pairs(self, shares: Mapping[int, float]) -> list[tuple[int, int]]:
        """Return the pairs of items that are covered once, and by one option most nearly by half, the best first."""
        sums: dict[tuple[int, int], float] = {}
        for option, share in shares.items():
            once = sorted(item for item, _ in self._matrix.option(option) if self._once[item])
            for pair in combinations(once, 2):
                sums[pair] = sums.get(pair, 0.0) + share
        able = [(abs(total - 0.5), pair) for pair, total in sums.items() if WHOLE < total < 1 - WHOLE]
        return [pair for _, pair in sorted(able)]

    def divide_by_option(self, allowed: Array, option: int) -> BranchRule | None:
        """Return the way that chooses an option, or leaves it out; None if choosing it excludes too little."""
        if not self._once[self._entries[self._starts[option] : self._starts[option + 1]]].any():
            return None
        without = allowed.copy()
        without[option] = False
        return BranchRule((self.choose(allowed, option), without), option)

    def divide_by_pair(self, allowed: Array, pair: tuple[int, int]) -> BranchRule:
        """Return the way that covers two items by one option, or by two."""
        first, second = map(self._holds, pair)
        return BranchRule((allowed & (first == second), allowed & ~(first & second)), pair)

    def divide_by_item(self, allowed: Array) -> list[Array]:
        """Return the way by the options of the item that has fewest; empty if no item has several."""
        holders = numpy.bincount(self._entries[allowed[self._owners]], minlength=self._matrix.items)
        several = [item for item in range(self._matrix.primary) if holders[item] > 1 and self._once[item]]
        if not several:
            return []
        item = min(several, key=holders.__getitem__)
        return [self.choose(allowed, int(option)) for option in numpy.flatnonzero(self._holds(item) & allowed)]

    def choose(self, allowed: Array, option: int) -> Array:
        """Return the options that may be chosen besides an option, and that option."""
        items = self._entries[self._starts[option] : self._starts[option + 1]]
        taken = numpy.zeros(self._matrix.items, bool)
        taken[items[self._once[items]]] = True
        rivals = numpy.zeros(len(self._matrix), bool)
        rivals[self._owners[taken[self._entries]]] = True
        left = allowed & ~rivals
        left[option] = True
        return left

    def _holds(self, item: int) -> Array:
        """Return which options contain an item."""
        holds = numpy.zeros(len(self._matrix), bool)
        holds[self._owners[self._entries == item]] = True
        return holds


class _Relaxed(NamedTuple):
    """The relaxation of some options: dual prices, the options that solutions of interest may contain, and a basis."""

    prices: DualPrices
    left: Array
    basis: Basis

    @property
    def value(self) -> float:
        """The lower bound on the cost of solutions with these options."""
        return self.prices.paid / self.prices.scale


class _Node(NamedTuple):
    """A node: what its solutions cost at least, and which options they may contain."""

    bound: int
    number: int  # descending, so that of equal bounds the newest comes first
    value: float  # the bound by the relaxation alone
    allowed: Array
    shares: Array
    basis: Basis


class Branching:
    """Branch and bound, which adds to the cheapest solutions so far.

    In the relaxation, the penalty is the cost of covering an item without an option.
    """

    def __init__(self, matrix: Matrix, penalty: int, incumbents: Incumbents, policy: BranchingPolicy) -> None:
        self._penalty, self._incumbents, self._policy = penalty, incumbents, policy
        self._matrix, self._relaxation, self._splits = matrix, Relaxation(matrix, penalty), Splits(matrix)
        self._numbers, self._next_dive = 0, incumbents.prices
        self._open: list[_Node] = []
        self._few = policy.few_options
        self._push(self._evaluate(numpy.ones(len(matrix), bool), None))

    @property
    def bound(self) -> int | None:
        """The lower bound on the cost of solutions not found yet; None if all that matter are found."""
        return self._open[0].bound if self._open else None

    def advance(self) -> bool:
        """Divide a node; return whether there is more to do."""
        self._incumbents.stop.poll()
        if self._open and self._incumbents.prices >= self._next_dive:
            self._dive(self._open[0])
            self._next_dive = self._incumbents.prices + self._policy.between_dives
        self._drop_dear_nodes()
        if not self._open:
            return False
        node = heappop(self._open)
        for child in self._divide(node):
            self._push(child and child._replace(bound=max(child.bound, node.bound)))
        return bool(self._open)

    def _push(self, node: _Node | None) -> None:
        if node is not None:
            heappush(self._open, node)

    def _drop_dear_nodes(self) -> None:
        ceiling = self._incumbents.ceiling
        if any(node.bound > ceiling for node in self._open):
            self._open = [node for node in self._open if node.bound <= ceiling]
            heapify(self._open)

    def _relax(self, allowed: Array, basis: Basis | None) -> _Relaxed | None:
        """Return the relaxation of some options; None if it shows that no solution matters."""
        self._incumbents.stop.poll()
        self._relaxation.allow(allowed, basis)
        duals, shares = self._relaxation.solve(self._incumbents.stop)
        self._incumbents.prices += 1
        self._incumbents.work += int(_WORK_TO_SOLVE_AGAIN * len(self._matrix.entries))
        found = make_exact(self._matrix, duals, shares, self._penalty, allowed)
        ceiling = self._incumbents.ceiling * found.scale - found.paid
        left = allowed & (found.reduced_costs <= ceiling)
        return None if ceiling < 0 else _Relaxed(found, left, self._relaxation.basis)

    def _examine(self, relaxed: _Relaxed | None, *, nodes: int | None = None) -> _Node | None:
        """Search among few options; return the node that is left, or None if all solutions that matter are found."""
        if relaxed is None:
            return None
        nodes = self._policy.leaf_nodes if nodes is None else nodes
        found, left, basis = relaxed
        ceiling = self._incumbents.ceiling * found.scale - found.paid
        floor = found.paid
        some, limit = self._choose_some(found, left, ceiling, nodes)
        if limit >= 0:
            if self._incumbents.search_among(some, found, limit, nodes):
                if limit == ceiling:
                    return None
                floor = found.paid + limit + 1
                self._few = min(self._policy.most_options, self._few * self._policy.growth)
            else:
                self._few = max(self._policy.least_options, self._few * self._policy.decay)
        self._numbers -= 1
        bound = -(-max(0, floor) // (found.scale * self._incumbents.unit)) * self._incumbents.unit
        if bound > self._incumbents.ceiling:
            return None
        return _Node(bound, self._numbers, relaxed.value, left, found.shares, basis)

    def _evaluate(self, allowed: Array, basis: Basis | None, *, nodes: int | None = None) -> _Node | None:
        """Return the node that allows some options; None if it has no solution that matters, or all are found."""
        return self._examine(self._relax(allowed, basis), nodes=nodes)

    def _choose_some(self, found: DualPrices, left: Array, ceiling: int, nodes: int) -> tuple[Array, int]:
        """Return options that are few enough to be searched, and the reduced cost up to which these are all."""
        few = int(self._few)
        costs = found.reduced_costs[left]
        if len(costs) <= few or nodes == _ANY_NUMBER:
            return left, ceiling
        limit = int(numpy.partition(costs, few)[few]) - 1
        return left & (found.reduced_costs <= limit), limit

    def _enter(self, node: _Node) -> Basis:
        """Leave out of the relaxation what a node does not allow; return where it begins."""
        basis = narrow(node.basis, node.allowed)
        self._relaxation = Relaxation(self._matrix, self._penalty, basis)
        return basis

    def _divide(self, node: _Node) -> list[_Node | None]:
        """Return the children of a node that matter."""
        basis = self._enter(node)

        def find_gain(child: _Relaxed | None) -> float | None:
            return None if child is None else child.value - node.value

        ways, relax = self._splits.list_ways(node.allowed, node.shares), partial(self._relax, basis=basis)
        chosen = choose_way(ways, relax, find_gain)
        return [self._examine(child) for child in chosen[1]] if chosen else self._divide_by_options(node, basis)

    def _divide_by_options(self, node: _Node, basis: Basis) -> list[_Node | None]:
        """Return the children of a node whose relaxation says no more: one for each option of an item."""
        ways = self._splits.divide_by_item(node.allowed)
        if not ways:
            self._evaluate(node.allowed, None, nodes=_ANY_NUMBER)
        return [self._evaluate(allowed, basis) for allowed in ways]

    def _dive(self, start: _Node) -> None:
        """Choose what the relaxation contains most of, again and again, and search among few options."""
        self._enter(start)
        node: _Node | None = start
        chosen = numpy.zeros(len(self._matrix), bool)
        while node is not None:
            allowed, shares = node.allowed, numpy.where(chosen | ~node.allowed, 0.0, node.shares)
            options = numpy.flatnonzero(shares > 1 - WHOLE).tolist() or [int(shares.argmax())]
            if shares[options[0]] <= 0:
                return
            for option in options:
                if allowed[option]:
                    allowed = self._splits.choose(allowed, option)
                    chosen[option] = True
            node = self._evaluate(allowed, None, nodes=self._policy.dive_nodes)
