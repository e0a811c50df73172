"""Margins: how much more than the least cost is still wanted, as an amount or a share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from exactcover.control.arguments import read_fields
from exactcover.control.kinds import to_exact

__all__ = ["Margin", "make_margin"]

_MARGIN = re.compile(r"\s*([0-9]{1,100}(?:\.[0-9]{1,100})?)\s*(%?)\s*")


@dataclass(frozen=True)
class Margin:
    """An amount of cost, or a share of a cost.

    Attributes
    ----------
    amount
        The amount, or the number of percent.
    percent
        Whether it is a share.

    Examples
    --------
    >>> str(Margin(Decimal("2.5"), percent=True)), str(Margin(3))
    ('2.5%', '3')
    """

    amount: int | Decimal
    percent: bool = False

    def __post_init__(self) -> None:
        read_fields(self)

    def __str__(self) -> str:
        return f"{Decimal(self.amount):f}{'%' if self.percent else ''}"

    def find_units(self, cost: int, units: int) -> int:
        """Return the margin of a cost in units, of which that many make a cost of 1; rounded down.

        Examples
        --------
        >>> Margin(3).find_units(50, 10), Margin(1, percent=True).find_units(250, 1)
        (30, 2)
        """
        return int(Fraction(self.amount) * (Fraction(abs(cost), 100) if self.percent else units))


def make_margin(value: Margin | float | Decimal | str) -> Margin:
    """Return the margin that a number, or a text such as ``"1%"``, states.

    Raises
    ------
    ValueError
        If it is neither, or negative, or has more than 100 digits before or after the point.

    Examples
    --------
    >>> make_margin("1.5%"), make_margin(10)
    (Margin(amount=Decimal('1.5'), percent=True), Margin(amount=Decimal('10'), percent=False))
    """
    if isinstance(value, Margin):
        return value
    text: Any = value if isinstance(value, str) else to_exact(value)
    if isinstance(text, Decimal) and text.is_finite() and abs(text.adjusted()) < 100:
        text = f"{text:f}"
    found = _MARGIN.fullmatch(str(text)[:300])
    if found is None:
        raise ValueError(f"expected an amount of cost or a percentage, such as 20 or 1.5%; got {str(value)[:60]!r}")
    return Margin(Decimal(found[1]), percent=bool(found[2]))
