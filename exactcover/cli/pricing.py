"""What items and options are worth, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from exactcover.analysis.prices import PriceTag, Pricing
from exactcover.model.costs import Cost
from exactcover.pictures import printable

__all__ = ["collect_pricing", "describe_pricing"]


def describe_pricing(pricing: Pricing, *, shows_items: bool) -> Iterator[str]:
    """Yield lines that say what the cheapest solution costs, and what items and options are worth."""
    if pricing.least is None:
        yield "no solution"
        return
    yield f"the cheapest solution costs {_show(pricing.least)}"
    yield f"prices of items prove that every solution costs at least {_show(pricing.bound)}"
    if shows_items:
        dearest = sorted(pricing.prices.items(), key=lambda pair: -pair[1])
        for item, price in dearest:
            yield f"item {printable(str(item))} costs {_show(price)}"
    for label, tag in pricing.tags.items():
        yield f"option {printable(str(label))} costs {_show(tag.cost)}: {_describe_tag(tag)}"


def _describe_tag(tag: PriceTag) -> str:
    if tag.must_cost is None or tag.least_with is None:
        return "no solution contains it"
    if tag.must_cost == tag.cost:
        return "a cheapest solution contains it"
    least = f"the cheapest solution with it costs {_show(tag.least_with)}"
    if tag.must_cost < 0:
        return f"{least}, so it would not be taken even for nothing"
    return f"{least}, so it would be taken if it cost {_show(tag.must_cost)}"


def _show(cost: Cost) -> str:
    return f"{Decimal(cost):f}"


def collect_pricing(pricing: Pricing) -> dict[str, Any]:
    """Return the same as facts, with items and labels as text."""
    return {
        "least": pricing.least,
        "bound": pricing.bound,
        "prices": {str(item): price for item, price in pricing.prices.items()},
        "options": {str(label): asdict(tag) for label, tag in pricing.tags.items()},
    }
