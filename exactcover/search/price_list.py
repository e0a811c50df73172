"""Prices of the items of a model: how much of its cost each option pays for each of its items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactcover.control.stop import Stop
from exactcover.engines.registry import ENGINES
from exactcover.model.matrix import Matrix
from exactcover.steps.order import find_taxes
from exactcover.steps.restriction import restrict

__all__ = ["PriceList", "find_price_list"]


@dataclass(frozen=True)
class PriceList:
    """Valid prices: no option that is left costs less than the prices of its items.

    Attributes
    ----------
    prices
        The price of each item of the matrix, in units of cost; 0 for items that no solution has to pay for.
    bound
        How many units every solution costs at least.
    """

    prices: tuple[Fraction, ...]
    bound: int


def find_price_list(matrix: Matrix, given: Sequence[int], without: Sequence[int], stop: Stop) -> PriceList | None:
    """Return prices of items, the best known ones if HiGHS is installed; None if the givens contradict each other.

    Raises
    ------
    Stopped
        If `stop` asks for it.
    """
    left = restrict(matrix, given, without)
    if left.reason is not None:
        return None
    scale, prices = _find_prices(left.matrix, stop)
    paid = sum(price * left.matrix.bounds(item)[0] for item, price in enumerate(prices) if price)
    listed = [Fraction(0)] * matrix.items
    for item, price in enumerate(prices):
        listed[left.matrix.origin(item)] = Fraction(price, scale)
    return PriceList(tuple(listed), left.paid + max(0, -(-paid // scale)))


def _find_prices(matrix: Matrix, stop: Stop) -> tuple[int, list[int]]:
    """Return how many parts a unit of cost has, and the price of each item in such parts."""
    bounds = ENGINES.get("bounds")
    if bounds is None or bounds.obstacle(matrix) is not None or not any(matrix.costs) or not matrix.primary:
        return 1, find_taxes(matrix)
    from exactcover.engines.relaxation import find_prices  # slow to import, like what it uses

    try:
        found = find_prices(matrix, stop, sum(matrix.costs))
    except (MemoryError, ImportError):  # of HiGHS
        return 1, find_taxes(matrix)
    return found.scale, found.prices.tolist()
