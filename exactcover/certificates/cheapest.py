"""Proofs of least costs: a search that ends where prices of items show that no cheaper solution is left."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from exactcover.algorithm_x import Cover, Level
from exactcover.certificates.prices import SCALE, find_prices, raise_prices
from exactcover.certificates.writer import STEP, CertificateWriter
from exactcover.control.search_log import PRUNED, SOLUTION
from exactcover.control.stop import Stop
from exactcover.engines.covers import BoundedCover
from exactcover.model.matrix import Matrix

__all__ = ["PricedSearch"]


class PricedSearch(BoundedCover):
    """A search for all solutions that cost less than a ceiling, which writes its proof.

    Parameters
    ----------
    matrix
        The matrix, with costs.
    ceiling
        What solutions must cost less than, to matter; infinite if all of them matter.
    writer
        The certificate.
    stop
        Polled often.
    """

    def __init__(self, matrix: Matrix, ceiling: float, writer: CertificateWriter, stop: Stop) -> None:
        rows = list(map(matrix.row, range(len(matrix))))
        super().__init__(rows, range(matrix.primary), matrix.multiplicity, stop.poll)
        self.costs, self.ceiling, self._writer = matrix.costs or [0] * len(matrix), ceiling, writer
        self._items = [matrix.origin(item) for item in range(matrix.items)]
        self._prices: Mapping[int, int] = {}
        self.note = self._note_solution

    def write(self) -> None:
        """Search to the end, and write the proof."""
        if self.ceiling < math.inf:
            needs = {item: (need, need == self.room[item]) for item, need in self.need.items() if need > 0}
            self._prices = find_prices([list(row) for row in self.options], self.costs, needs, self.ceiling)
            self._prices = self._raise_prices()
        self._add_prices(self._prices, self._items)
        for _ in self:
            pass

    def branch(self) -> Level:
        """Return the item to branch on; without choices if no solution below the ceiling is left."""
        item = min(self.uncovered)
        if self._costs_too_much(self._prices):
            self._writer.add_nodes(bytes((PRUNED,)))
            return Level(item, [])
        if self.ceiling < math.inf and self._costs_too_much(prices := self._raise_prices()):
            self._writer.add_nodes(bytes((STEP, PRUNED)))
            self._add_prices(prices, [])
            return Level(item, [])
        level = Cover.branch(self)  # with choices that cost too much, which are pruned one by one
        self._writer.add_branch(level.item, len(level.choices))
        return level

    def _add_prices(self, prices: Mapping[int, int], items: Sequence[int]) -> None:
        """Add the steps for prices, and for a tree with these items."""
        stated = [[self._items[item], price] for item, price in prices.items() if price]
        self._writer.add_step("prices", prices=stated, scale=SCALE)
        self._writer.add_step("search", items=items)

    def _note_solution(self, depth: int, choices: int, item: int) -> None:
        if item < 0:
            self._writer.add_nodes(bytes((SOLUTION,)))

    def _costs_too_much(self, prices: Mapping[int, int]) -> bool:
        """Return whether these prices show that no solution below the ceiling is left."""
        total = sum(price * max(0, self.need[item]) for item, price in prices.items())
        return self.spent - -total // SCALE >= self.ceiling

    def _raise_prices(self) -> dict[int, int]:
        """Return prices of the items that must still be covered, as high as the options that are left allow."""
        needed = [item for item in self.uncovered if self.need[item] > 0]
        needed.sort(key=lambda item: (len(self.live[item]), item))
        start = {item: self._prices.get(item, 0) for item in needed}
        live = {option for item in needed for option in self.live[item]}
        left = {k: SCALE * self.costs[k] - sum(start.get(item, 0) for item in self.options[k]) for k in live}
        return raise_prices(start, needed, self.live, left)
