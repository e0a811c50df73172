"""Costs: exact numbers, read from text, checked, and counted in whole units; and the prices of soft items.

Soft items are primary items that may stay open, or be covered more often, at a price.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import reduce
from itertools import chain, pairwise
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from exactcover.algorithm_x import Item
from exactcover.control.arguments import check_arguments, to_exact, to_list
from exactcover.errors import ProblemError
from exactcover.model.matrix import Bounds, Matrix
from exactcover.pictures.text import show_value

Cost: TypeAlias = int | Decimal
"""The cost of an option."""

_MAX_PLACES = 1000  # before or after the point

_FEW_DIGITS = 28
_FAST = Context(prec=_FEW_DIGITS)
_EXACT = Context(prec=4 * _MAX_PLACES)  # for sums of many costs; the context of the caller may round

_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")


def parse_cost(text: str, *, signed: bool = False, decimal_comma: bool = False) -> Decimal:
    """Return the cost that a decimal number states, as text, maybe with a comma in place of the point.

    Raise ``ValueError`` if the text is not such a number, is negative without being `signed`, or has more than 1,000
    digits before or after the point.

    Examples
    --------
    >>> parse_cost("2.90")
    Decimal('2.90')
    """
    shown = show_value(text)
    plain = text.replace(",", ".") if decimal_comma else text
    if _NUMBER.fullmatch(plain) is None or (plain[0] == "-" and not signed):
        raise ValueError(f"the cost {shown} is not a number{'' if signed else ' of at least 0'}")
    try:
        cost = Decimal(plain)
        read_cost(cost, signed=signed)
    except (ValueError, ArithmeticError):
        raise ValueError(f"the cost {shown} has more than {_MAX_PLACES:,} digits") from None
    return cost


def read_cost(value: Any, *, signed: bool = False) -> Cost:
    """Return a cost that may come from anywhere; a float is the decimal number that it is shown as.

    Raise ``ValueError`` if it is not a finite number; is negative, unless it is `signed`; or has more than 1,000 digits
    before or after the point. The message continues the name of an option.

    Examples
    --------
    >>> read_cost(2.5), read_cost(3.0)
    (Decimal('2.5'), 3)
    """
    cost = to_exact(value)
    if cost is None:
        raise ValueError(f"has the cost {show_value(value)}; expected a number, such as an int, a Decimal or a float")
    if isinstance(cost, Decimal) and not cost.is_finite():
        raise ValueError(f"has the cost {cost}; expected a finite number")
    exponent = int(cost.as_tuple().exponent) if isinstance(cost, Decimal) else 0
    if abs(exponent) > _MAX_PLACES:
        raise ValueError(f"has the cost {show_value(cost)}; its exponent must be from -{_MAX_PLACES} to {_MAX_PLACES}")
    size = cost.copy_abs() if isinstance(cost, Decimal) else abs(cost)  # abs() of a Decimal rounds
    if size >= 10**_MAX_PLACES:
        raise ValueError(f"has a cost of more than {_MAX_PLACES} digits")
    if cost < 0 and not signed:
        raise ValueError(f"has the cost {cost}; it must not be negative")
    return cost


def places_of(cost: Cost) -> int:
    """Return how many decimal places a cost has."""
    return max(0, -int(cost.as_tuple().exponent)) if isinstance(cost, Decimal) else 0


def units_of_cost(cost: Cost, places: int) -> int:
    """Return a cost in units of the last of that many decimal places."""
    return int(Fraction(cost) * 10**places)


@check_arguments
def add_costs(costs: Iterable[Cost]) -> Decimal:
    """Return the sum of costs; exact, whatever the context of :mod:`decimal`.

    Examples
    --------
    >>> add_costs([2, parse_cost("2.90")])
    Decimal('4.90')
    """
    return reduce(_EXACT.add, costs, Decimal(0))


def cost_of_units(total: int, units: int) -> Cost:
    """Return the cost of a number of units, of which that many make a cost of 1; exact, whatever its size.

    Examples
    --------
    >>> cost_of_units(29, 10), cost_of_units(29, 1)
    (Decimal('2.9'), 29)
    """
    if units == 1:
        return total
    context = _FAST if abs(total) < 10**_FEW_DIGITS else _EXACT  # every solution has a cost
    return context.divide(Decimal(total), units)


_MOST_TIMES = 10_000
"""The greatest number of times that a soft item may have to be covered; each of them takes an option of its own."""

SoftPrice: TypeAlias = Cost | tuple[Cost | None, Cost | None]
"""The price for each time that an item is short by one; or two prices, also for each time that it is covered too
often. None stands for what is not allowed."""


class SoftPrices(NamedTuple):
    """The prices of a soft item, in units of cost; None for those that are not allowed."""

    under: int | None  # for each time that it is short by one
    over: int | None  # for each time too often

    def scale(self, factor: int) -> SoftPrices:
        """Return so many times these prices."""
        return SoftPrices(*(one and one * factor for one in self))


_FORBIDDEN = SoftPrices(None, None)


def read_soft_price(item: Item, price: Any) -> tuple[Cost | None, Cost | None]:
    """Return the two prices that somebody states for a soft item.

    Raise ``ProblemError`` if it is neither a price nor two of them; both are None; or one is negative or not exact.

    Examples
    --------
    >>> read_soft_price("a", 3), read_soft_price("a", (None, 2))
    ((3, None), (None, 2))
    """
    listed = to_list(price)
    pair = (price, None) if listed is None else tuple(listed)
    if len(pair) != 2 or all(one is None for one in pair):
        raise ProblemError(
            f"item {str(item)!r} has the soft price {show_value(price)}; expected a price, or two of them: for each "
            "time that it is covered too rarely, and too often, where None means that this is not allowed"
        )
    try:
        under, over = (None if one is None else read_cost(one) for one in pair)
    except ValueError as error:
        raise ProblemError(f"soft item {str(item)!r} {error}") from None
    return under, over


def scale_prices(
    stated: Mapping[int, tuple[Cost | None, Cost | None]], earlier: Mapping[int, SoftPrices], matrix: Matrix, units: int
) -> tuple[dict[int, SoftPrices], Matrix, int]:
    """Add prices to earlier ones, all in units that are fine enough.

    Return the prices, the matrix with its costs in the same units, and the number of them in a cost of 1.
    """
    places = max((places_of(one) for pair in stated.values() for one in pair if one is not None), default=0)
    wider = max(units, 10**places)
    factor = wider // units
    if factor > 1 and matrix.costs:
        matrix = replace(matrix, costs=[cost * factor for cost in matrix.costs])
    exponent = len(str(wider)) - 1
    scaled = {
        item: SoftPrices(*(None if one is None else units_of_cost(one, exponent) for one in pair))
        for item, pair in stated.items()
    }
    return {item: pair.scale(factor) for item, pair in earlier.items()} | scaled, matrix, wider


def count_covers(matrix: Matrix, positions: Iterable[int]) -> list[int]:
    """Return how many of these options cover each item."""
    covers = [0] * matrix.items
    for position in positions:
        for item in matrix.entries[matrix.starts[position] : matrix.starts[position + 1]]:
            covers[item] += 1
    return covers


def find_deviations(matrix: Matrix, positions: Iterable[int]) -> dict[int, int]:
    """Return how many times each primary item is covered too often, or, as negative numbers, too rarely."""
    covers = count_covers(matrix, positions)
    found: dict[int, int] = {}
    for item in range(matrix.primary):
        low, high = matrix.bounds(item)
        if not low <= covers[item] <= high:
            found[item] = covers[item] - (low if covers[item] < low else high)
    return found


def check_size(item: Item, bounds: Bounds) -> None:
    """Raise ``ProblemError`` if a soft item must be covered more than 10,000 times."""
    if bounds[0] > _MOST_TIMES:
        raise ProblemError(
            f"the soft item {str(item)!r} must be covered {show_value(bounds[0])} times; at most "
            f"{_MOST_TIMES:,} times are possible"
        )


def price_deviations(soft: Mapping[int, tuple[int | None, int | None]], deviations: Mapping[int, int]) -> int:
    """Return the price of deviations together; those without a price cost nothing."""
    return sum(price_of_deviation(soft.get(item), deviation) or 0 for item, deviation in deviations.items())


def price_of_deviation(prices: tuple[int | None, int | None] | None, deviation: int) -> int | None:
    """Return the price of an item that is covered too often, or too rarely; None if that is not allowed.

    Examples
    --------
    >>> price_of_deviation(SoftPrices(3, None), -2), price_of_deviation(SoftPrices(3, None), 1)
    (6, None)
    """
    price = None if prices is None else prices[deviation > 0]
    return None if price is None else price * abs(deviation)


def most_options(matrix: Matrix, soft: Mapping[int, SoftPrices]) -> int:
    """Return how many options a cover can have at most; soft items may be covered too often if that has a price.

    Whatever has to outweigh something relies on this bound: that changes come before costs, and what stays open before
    changes (:func:`exactcover.steps.soft.keep_near`); dropped givens before everything else
    (:func:`exactcover.steps.soft.want_options`); what a best effort leaves open before what a cover costs
    (:func:`rank_deviations`), which :func:`rank_costs` recognizes; and what any solution costs, in searches by prices
    (:class:`exactcover.engines.bounds.PriceSearch`).
    """
    most = [matrix.capped(item)[1] for item in range(matrix.primary)]
    often = [item for item, prices in soft.items() if prices.over is not None]
    holders = count_covers(matrix, range(len(matrix))) if often else []
    for item in often:
        most[item] = max(most[item], holders[item])
    return min(len(matrix), sum(most))  # each option covers a primary item


def find_unit(costs: Iterable[int | None]) -> int:
    """Return the largest number that divides all costs; 1 if all are 0."""
    return gcd(*filter(None, costs)) or 1


def most_cost(matrix: Matrix, soft: Mapping[int, SoftPrices]) -> int:
    """Return by how much a cover can cost more than another one at most, without prices of deviations."""
    number = most_options(matrix, soft)
    dear, cheap = ([max(0, sign * cost) for cost in matrix.costs] for sign in (1, -1))
    return sum(map(sum, (sorted(costs, reverse=True)[:number] for costs in (dear, cheap))))


def _most_price(matrix: Matrix, soft: Mapping[int, SoftPrices]) -> int:
    """Return the highest price of the deviations of a cover."""
    holders, most = count_covers(matrix, range(len(matrix))) if soft else [], 0
    for item, (under, over) in soft.items():
        low, high = matrix.bounds(item)
        most += max((under or 0) * low, (over or 0) * max(0, holders[item] - high))
    return most


def rank_deviations(
    matrix: Matrix, soft: Mapping[int, SoftPrices], weights: Mapping[int, SoftPrices]
) -> dict[int, SoftPrices]:
    """Return prices with which deviations that have none come before all costs and stated prices.

    The weights are those of deviations without a stated price; None for those that are not allowed.
    """

    def fill(unit: int) -> dict[int, SoftPrices]:
        filled = dict(soft)
        for item, pair in weights.items():
            pairs = zip(soft.get(item, _FORBIDDEN), pair.scale(unit), strict=True)
            filled[item] = SoftPrices(*(one if stated is None else stated for stated, one in pairs))
        return filled

    free = fill(0)  # allows the same deviations
    unit = find_unit([*matrix.costs, *chain.from_iterable(soft.values())])
    return fill(unit + most_cost(matrix, free) + _most_price(matrix, free))


def rank_costs(matrix: Matrix, most: int) -> list[tuple[int, Sequence[int]]] | None:
    """Return the costs of a matrix by rank, the highest first: a unit, and costs in it; None if they are too large.

    The costs of each rank add up to less than `most` units, and a unit is at least what lower ranks can make up for. So
    of all solutions that are cheapest in the highest rank, and of these in the next one, each is one of the cheapest.
    Such are the costs where something comes before other costs, as what stays open in a best effort.

    Examples
    --------
    >>> from exactcover import Problem
    >>> ranked = Problem({"A": [1], "B": [1], "C": [2], "D": [2]}, costs={"A": 7, "B": 3 << 40, "C": 5, "D": 1 << 40})
    >>> rank_costs(ranked.matrix, 1 << 30)
    [(1099511627776, [0, 3, 0, 1]), (1, [7, 0, 5, 0])]
    """
    unit, counts = find_unit(matrix.costs), Counter(matrix.costs)
    if sum(matrix.costs) // unit < most:
        return [(unit, [cost // unit for cost in matrix.costs])]
    splits, unit, total = [(0, 0, 0)], 0, 0
    for cost, low in pairwise(sorted(counts, reverse=True)):
        unit, total = gcd(unit, cost), total + cost * counts[cost]
        if low and total // unit < most:
            splits.append((unit // low, unit, low))
    _, unit, low = max(splits)
    lower = replace(matrix, costs=[cost * (cost <= low) for cost in matrix.costs])
    others = rank_costs(lower, most) if unit and unit >= most_cost(lower, {}) else None
    return others and [(unit, [cost // unit * (cost > low) for cost in matrix.costs]), *others]
