"""Proofs of least costs: a search that ends where prices of items show that no cheaper solution is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exactcover.algorithm_x import Cover, Level
from exactcover.certificates.prices import SCALE, find_prices, raise_prices
from exactcover.certificates.writer import FIRST_ITEM, PRUNED, SOLUTION, STEP, CertificateWriter
from exactcover.control.search_log import encode_numbers
from exactcover.control.stop import Stop
from exactcover.model.matrix import Matrix

__all__ = ["PricedSearch"]


class PricedSearch(Cover):
    """A search for all solutions that cost less than a ceiling, which writes its proof.

    Parameters
    ----------
    matrix
        The matrix, with costs.
    ceiling
        What solutions must cost less than, to matter; None if all of them matter.
    writer
        The certificate.
    stop
        Polled often.
    """

    def __init__(self, matrix: Matrix, ceiling: int | None, writer: CertificateWriter, stop: Stop) -> None:
        rows = [{item: color or None for item, color in matrix.option(k)} for k in range(len(matrix))]
        super().__init__(rows, range(matrix.primary), matrix.multiplicity, stop.poll)
        self._costs, self._ceiling, self._writer = matrix.costs or [0] * len(matrix), ceiling, writer
        self._items = [matrix.origin(item) for item in range(matrix.items)]
        self._prices: Mapping[int, int] = {}
        self.note = self._note_solution

    def write(self) -> None:
        """Search to the end, and write the proof."""
        self._prices = self._find_root_prices()
        self._prices = self._find_prices() if self._prices else {}
        self._add_prices(self._prices, self._items)
        for _ in self:
            pass

    def branch(self) -> Level:
        """Return the item to branch on; without choices if no solution below the ceiling is left."""
        item = min(self.uncovered)
        if self._costs_too_much(self._prices):
            self._writer.add_nodes(bytes((PRUNED,)))
            return Level(item, [])
        if self._ceiling is not None and self._costs_too_much(prices := self._find_prices()):
            self._writer.add_nodes(bytes((STEP, PRUNED)))
            self._add_prices(prices, [])
            return Level(item, [])
        level = super().branch()
        self._writer.add_nodes(encode_numbers((FIRST_ITEM + level.item, len(level.choices))))
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
        if self._ceiling is None:
            return False
        chosen = (level.choices[level.tried - 1] for level in self.levels)
        spent = sum(self._costs[option] for option in chosen if option is not None)
        total = sum(price * max(0, self.need[item]) for item, price in prices.items())
        return spent - -total // SCALE >= self._ceiling

    def _find_root_prices(self) -> dict[int, int]:
        """Return prices for the whole problem."""
        needs = {item: (need, need == self.room[item]) for item, need in self.need.items() if need > 0}
        if self._ceiling is None:
            return {}
        return find_prices([list(row) for row in self.options], self._costs, needs, self._ceiling)

    def _find_prices(self) -> dict[int, int]:
        """Return prices of the items that must still be covered, given what is left."""
        needed = [item for item in self.uncovered if self.need[item] > 0]
        needed.sort(key=lambda item: (len(self.live[item]), item))
        start = {item: self._prices.get(item, 0) for item in needed}
        live = {option for item in needed for option in self.live[item]}
        left = {k: SCALE * self._costs[k] - sum(start.get(item, 0) for item in self.options[k]) for k in live}
        return raise_prices(start, needed, self.live, left)
