"""Costs: exact numbers, read from text, checked, and counted in whole units."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

from exactcover.control.arguments import check_arguments, to_exact
from exactcover.pictures.text import show_value

__all__ = ["Cost", "add_costs", "cost_of_units", "parse_cost", "places_of", "read_cost", "units_of_cost"]

Cost: TypeAlias = int | Decimal
"""The cost of an option."""

_MAX_PLACES = 1000  # before or after the point

_FEW_DIGITS = 28
_FAST = Context(prec=_FEW_DIGITS)
_EXACT = Context(prec=4 * _MAX_PLACES)  # for sums of many costs; the context of the caller may round

_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")


def parse_cost(text: str, *, signed: bool = False, decimal_comma: bool = False) -> Decimal:
    """Return the cost that a text states.

    Parameters
    ----------
    text
        A decimal number.
    signed
        Whether it may be negative.
    decimal_comma
        Whether it may have a comma in place of the point.

    Raises
    ------
    ValueError
        If the text is not such a number, or has more than 1,000 digits before or after the point.

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

    Raises
    ------
    ValueError
        If it is not a finite number; is negative, unless it is `signed`; or has more than 1,000 digits before or after
        the point. The message continues the name of an option.

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
