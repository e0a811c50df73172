"""Prices of items, no more in any option than what it costs: what must be covered bounds the cost of solutions.

They are found by the subgradient method for the Lagrangian dual, lowered where an option costs less than its items,
and then raised one after another as far as possible.

References
----------
M. Held, P. Wolfe, H. P. Crowder, "Validation of subgradient optimization", *Mathematical Programming* 6 (1974).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

__all__ = ["SCALE", "find_prices", "raise_prices"]

SCALE = 840
"""Prices are multiples of 1 / 840, so that most shares of a cost are whole numbers."""

_ROUNDS = 200
_PATIENCE = 10  # rounds without progress before the steps get shorter
_SHRINK = 0.7


def raise_prices(
    start: Mapping[int, int], items: Sequence[int], holders: Mapping[int, Set[int]], left: Mapping[int, int]
) -> dict[int, int]:
    """Return prices of items that are at least as high, each raised as far as the costs of its options allow.

    Parameters
    ----------
    start
        The prices to start from.
    items
        The items, in the order in which their prices are raised.
    holders
        The options of each item.
    left
        What each option costs more than its items, by the prices to start from.
    """
    prices, rest = {item: start.get(item, 0) for item in items}, dict(left)
    for item in items:
        raised = min((rest[option] for option in holders[item]), default=0)
        prices[item] += raised
        for option in holders[item]:
            rest[option] -= raised
    return prices


def find_prices(
    rows: Sequence[Sequence[int]], costs: Sequence[int], needs: Mapping[int, tuple[int, bool]], ceiling: float
) -> dict[int, int]:
    """Return prices with a high total for what must be covered.

    Parameters
    ----------
    rows, costs
        The items and the cost of each option.
    needs
        For each item that has a price: how many options must cover it, and whether that is fixed, so that its price may
        be negative.
    ceiling
        A cost that the total can hardly exceed; it sets the length of steps.
    """
    priced = [[item for item in row if item in needs] for row in rows]
    prices = dict.fromkeys(needs, 0.0)
    best, best_prices, length, stalled = float("-inf"), prices, 1.0, 0
    for _ in range(_ROUNDS):
        total, covered = sum(price * needs[item][0] for item, price in prices.items()), dict.fromkeys(needs, 0)
        for row, cost in zip(priced, costs, strict=True):
            reduced = cost - sum([prices[item] for item in row])
            if reduced < 0:
                total += reduced
                for item in row:
                    covered[item] += 1
        stalled += 1
        if total > best:
            best, best_prices, stalled = total, prices, 0
        elif stalled > _PATIENCE:
            length, stalled, prices = _SHRINK * length, 0, best_prices
            continue
        slopes = {item: need - covered[item] for item, (need, _) in needs.items()}
        size = sum(slope * slope for slope in slopes.values())
        if not size:
            break
        step = length * max(1.0, ceiling - total) / size
        moved = {item: price + step * slopes[item] for item, price in prices.items()}
        prices = {item: price if needs[item][1] else max(0.0, price) for item, price in moved.items()}
    return _repair({item: int(SCALE * price // 1) for item, price in best_prices.items()}, priced, costs, needs)


def _repair(
    prices: dict[int, int], rows: Sequence[Sequence[int]], costs: Sequence[int], needs: Mapping[int, tuple[int, bool]]
) -> dict[int, int]:
    """Lower prices until no option costs less than its items; prices that may not be negative stay at 0 or above."""
    for row, cost in zip(rows, costs, strict=True):
        for parts in (len(row), 1):  # equal shares, then whatever is left
            excess = sum(prices[item] for item in row) - SCALE * cost
            for item in row:
                share = -(-excess // parts)
                lowered = min(share, sum(prices[k] for k in row) - SCALE * cost)
                if lowered > 0:
                    prices[item] -= lowered if needs[item][1] else min(lowered, prices[item])
    return prices
