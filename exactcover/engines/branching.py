"""Branch and bound with the linear relaxation, for problems of which prices leave too much to search.

A node allows some of the options. Its prices bound what solutions cost, and tell which options are too dear for any
solution that matters. If few are left, they are searched. Else the node is divided: several ways are tried, and the one
that gives both children the best bounds is taken. Items of cliques are added at the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

import numpy

from exactcover.control.policy import BranchingPolicy
from exactcover.engines.cliques import tighten
from exactcover.engines.diving import Dive
from exactcover.engines.relaxation import Basis, Prices, Relaxation, make_exact, narrow
from exactcover.engines.rest_search import Aim, search_among
from exactcover.engines.splits import WHOLE, Splits, choose_way
from exactcover.model.matrix import Matrix
from exactcover.steps.order import reorder

__all__ = ["Branching"]

_ANY_NUMBER = 1 << 62
_WORK_PER_ENTRY = 0.25  # of solving the relaxation again, where a node is 1

Array = numpy.ndarray[Any, Any]


class _Relaxed(NamedTuple):
    """What the relaxation says of some options: prices, which of them may be in solutions that matter, and a basis."""

    prices: Prices
    left: Array
    basis: Basis

    @property
    def value(self) -> float:
        """What solutions cost at least."""
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
    """Branch and bound.

    Parameters
    ----------
    matrix
        The matrix; its items that are covered a fixed number of times have prices.
    penalty
        The cost of covering an item without an option, in the relaxation.
    aim
        What it is for.
    policy
        When it searches, dives, and begins again.

    Attributes
    ----------
    nodes, work, solved
        How many nodes searches have visited, how much was done, and how often the relaxation was solved.
    """

    def __init__(
        self,
        matrix: Matrix,
        penalty: int,
        aim: Aim,
        policy: BranchingPolicy,
    ) -> None:
        self._penalty, self._aim, self._policy = penalty, aim, policy
        self._options, self._positions = len(matrix), numpy.arange(len(matrix))
        self._load(matrix)
        self.nodes = self.work = self.solved = 0
        self._numbers = self._next_dive = self.dived = 0
        self._diving: Dive | None = None
        self._open: list[_Node] = []
        self._few = policy.few_options
        self._begin()

    def _load(self, matrix: Matrix) -> None:
        """Take a matrix, whose options are those at `_positions`."""
        self._matrix = matrix = tighten(matrix, self._penalty, self._aim.stop)
        more = numpy.full(len(matrix) - len(self._positions), self._options)
        self._positions = numpy.concatenate([self._positions, more])
        self._relaxation, self._splits = Relaxation(matrix, self._penalty), Splits(matrix)

    @property
    def bound(self) -> int | None:
        """What solutions cost at least that are not found yet; None if all that matter are found."""
        return self._open[0].bound if self._open else None

    def advance(self) -> bool:
        """Divide a node; return whether there is more to do.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        self._aim.stop.poll()
        if self._diving is None and self._open and self.solved >= self._next_dive:
            self._begin_dive(self._open[0])
        if self._diving is not None and (not self._next_dive or self.dived < self.work // 2):
            self._go_down(self._diving)
            return True
        if self._open and self._is_dear_mostly():
            self._begin_again()
        self._drop_dear_nodes()
        if not self._open:
            return False
        node = heappop(self._open)
        for child in self._divide(node):
            self._push(child and child._replace(bound=max(child.bound, node.bound)))
        return bool(self._open)

    def _is_dear_mostly(self) -> bool:
        """Return whether the best solution so far makes many options too dear that were not before."""
        prices, ceiling = self._root, self._aim.get_ceiling()
        left = int((prices.rest <= ceiling * prices.scale - prices.paid).sum())
        return 0 < left < self._policy.kept * len(self._matrix)

    def _begin_again(self) -> None:
        """Begin again without the options that are too dear at the root."""
        prices, ceiling = self._root, self._aim.get_ceiling()
        kept = numpy.flatnonzero(prices.rest <= ceiling * prices.scale - prices.paid)
        self._positions = self._positions[kept]
        self._load(reorder(self._matrix, kept.tolist(), range(self._matrix.items)).matrix)
        self._begin()

    def _begin(self) -> None:
        """Begin at the root."""
        self._open = []
        self._push(self._evaluate(numpy.ones(len(self._matrix), bool), None))
        self._root = self._latest

    def _push(self, node: _Node | None) -> None:
        if node is not None:
            heappush(self._open, node)

    def _drop_dear_nodes(self) -> None:
        ceiling = self._aim.get_ceiling()
        if any(node.bound > ceiling for node in self._open):
            self._open = [node for node in self._open if node.bound <= ceiling]
            heapify(self._open)

    def _relax(self, allowed: Array, basis: Basis | None) -> _Relaxed | None:
        """Return what the relaxation says of some options; None if it says that no solution matters."""
        self._aim.stop.poll()
        self._relaxation.allow(allowed, basis)
        duals, shares = self._relaxation.solve(self._aim.stop)
        self.solved += 1
        self.work += int(_WORK_PER_ENTRY * len(self._matrix.entries))
        self._latest = found = make_exact(self._matrix, duals, shares, self._penalty, allowed)
        ceiling = self._aim.get_ceiling() * found.scale - found.paid
        return None if ceiling < 0 else _Relaxed(found, allowed & (found.rest <= ceiling), self._relaxation.basis)

    def _examine(self, relaxed: _Relaxed | None, *, nodes: int | None = None) -> _Node | None:
        """Search among few options; return the node that is left, or None if all solutions that matter are found."""
        if relaxed is None:
            return None
        nodes = self._policy.leaf_nodes if nodes is None else nodes
        found, left, basis = relaxed
        ceiling = self._aim.get_ceiling() * found.scale - found.paid
        floor = found.paid
        some, limit = self._choose_some(found, left, ceiling, nodes)
        if limit >= 0:
            if self._search(some, found, limit, nodes):
                if limit == ceiling:
                    return None
                floor = found.paid + limit + 1
                self._few = min(self._policy.most_options, self._few * self._policy.growth)
            else:
                self._few = max(self._policy.least_options, self._few * self._policy.decay)
        self._numbers -= 1
        bound = -(-max(0, floor) // (found.scale * self._aim.unit)) * self._aim.unit
        if bound > self._aim.get_ceiling():
            return None
        return _Node(bound, self._numbers, relaxed.value, left, found.shares, basis)

    def _evaluate(self, allowed: Array, basis: Basis | None, *, nodes: int | None = None) -> _Node | None:
        """Return the node that allows some options; None if it has no solution that matters, or all are found."""
        return self._examine(self._relax(allowed, basis), nodes=nodes)

    def _choose_some(self, found: Prices, left: Array, ceiling: int, nodes: int) -> tuple[Array, int]:
        """Return options that are few enough to be searched, and up to which rest these are all."""
        few = int(self._few)
        rest = found.rest[left]
        if len(rest) <= few or nodes == _ANY_NUMBER:
            return left, ceiling
        limit = int(numpy.partition(rest, few)[few]) - 1
        return left & (found.rest <= limit), limit

    def _search(self, allowed: Array, found: Prices, ceiling: int, nodes: int) -> bool:
        """Search among some options; return whether all solutions that matter are found."""
        kept = numpy.flatnonzero(allowed)
        order = kept[numpy.lexsort((-found.shares[kept], found.rest[kept]))]
        rest = found.rest[order].tolist()
        searched = search_among(self._matrix, order.tolist(), rest, ceiling, self._aim.wanted, nodes, self._aim.stop)
        self.nodes += searched.nodes
        self.work += searched.nodes
        for solution in searched.solutions:
            self._note(self._positions, solution)
        return searched.is_complete

    def _note(self, positions: Array, solution: Sequence[int]) -> None:
        """Note a solution by the positions of its options, without the options that only items of cliques have."""
        options = positions[numpy.array(solution, int)].tolist()
        self._aim.note([option for option in options if option < self._options])

    def _enter(self, node: _Node) -> Basis:
        """Leave out of the relaxation what a node does not allow; return where it begins."""
        basis = narrow(node.basis, node.allowed)
        self._relaxation = Relaxation(self._matrix, self._penalty, basis)
        return basis

    def _divide(self, node: _Node) -> list[_Node | None]:
        """Return the children of a node that matter."""
        basis = self._enter(node)

        def relax(allowed: Array) -> _Relaxed | None:
            return self._relax(allowed, basis)

        def find_gain(child: _Relaxed | None) -> float | None:
            return None if child is None else child.value - node.value

        chosen = choose_way(self._splits.list_ways(node.allowed, node.shares), relax, find_gain)
        return [self._examine(child) for child in chosen[1]] if chosen else self._divide_by_options(node, basis)

    def _divide_by_options(self, node: _Node, basis: Basis) -> list[_Node | None]:
        """Return the children of a node whose relaxation says no more: one for each option of an item."""
        ways = self._splits.divide_by_item(node.allowed)
        if not ways:
            self._evaluate(node.allowed, None, nodes=_ANY_NUMBER)
        return [self._evaluate(allowed, basis) for allowed in ways]

    def _begin_dive(self, node: _Node) -> None:
        """Look for a better solution below a node; if a quick look finds none, a thorough one begins."""
        ceiling = self._aim.get_ceiling()
        self._enter(node)
        self._look_below(node)
        if self._aim.get_ceiling() < ceiling:
            self._next_dive = self.solved + self._policy.between_dives
            return
        kept = numpy.flatnonzero(node.allowed)
        part = reorder(self._matrix, kept.tolist(), range(self._matrix.items)).matrix
        note = partial(self._note, self._positions[kept])  # the search may begin again before the dive ends
        self._diving = Dive(part, replace(self._aim, note=note), self._policy.dive_nodes)

    def _look_below(self, node: _Node | None) -> None:
        """Choose what the relaxation contains most of, again and again, and search among few options."""
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

    def _go_down(self, dive: Dive) -> None:
        """Go on with a thorough look."""
        before = dive.nodes, dive.work, dive.solved
        more = dive.advance()
        self.nodes += dive.nodes - before[0]
        self.work += dive.work - before[1]
        self.dived += dive.work - before[1]
        self.solved += dive.solved - before[2]
        if not more:
            self._diving = None
            self._next_dive = self.solved + self._policy.between_dives
