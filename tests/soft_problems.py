"""Small problems with soft items."""

import random
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from exactcover import Colored, Label, Problem, Weighted
from exactcover.engines.base import ENGINES
from exactcover.problem import Cost

PRICING = [name for name in ("auto", "native", "sets", "highs", "cpsat") if name in ("auto", *ENGINES)]
"""Engines that know prices, and all of them together."""


def random_problem(number: int, *, weighted: bool = False) -> Problem:
    """A small problem with soft items of every kind, and a few colors, multiplicities and costs, maybe with weights.

    Without weights, each fourth one is crowded: more options cover soft items, too often, than its bounds allow.
    """
    generator = random.Random(number)
    if not weighted and generator.random() < 0.25:
        return _crowded_problem(generator)
    primary = [f"p{k}" for k in range(generator.randint(1, 5))]
    secondary = [f"s{k}" for k in range(generator.randint(0, 2))]
    options: dict[Label, list[Any]] = {}
    for label in range(generator.randint(0, 7)):
        items: list[Any] = generator.sample(primary, generator.randint(1, min(3, len(primary))))
        if weighted:
            items = [Weighted(item, generator.choice([1, 1, 2, 3, 5])) for item in items]
        shared = generator.sample(secondary, generator.randint(0, len(secondary)))
        items += [one if generator.random() < 0.3 else Colored(one, generator.choice("ab")) for one in shared]
        options[label] = items
    bounds: dict[Any, tuple[int, int]] = {}
    for item in primary:
        if generator.random() < (0.8 if weighted else 0.4):
            low = generator.randint(0, 3)
            bounds[item] = (low, max(1, low + generator.randint(0, 4 if weighted else 2)))
    places = generator.choice([1, 1, 1, 10])

    def price() -> Cost:
        units = generator.randint(0, 6)
        return units if places == 1 else Decimal(units) / 10

    soft: dict[Any, Any] = {}
    for item in primary:
        kind = generator.randint(0, 4)
        if kind == 1:
            soft[item] = price()
        elif kind > 1:
            pair = (price() if kind != 2 else None, price() if kind != 3 else None)
            soft[item] = pair if pair != (None, None) else price()
    least = generator.choice([0, -4])
    costs = {label: generator.randint(least, 4) for label in options} if generator.random() < 0.5 else {}
    return Problem(options, primary=primary, secondary=secondary, multiplicity=bounds, costs=costs, soft=soft)


def _crowded_problem(generator: random.Random) -> Problem:
    """A problem in which many dear options cover one item too often; a free option is in place of nearly all others."""
    others = [f"p{k}" for k in range(generator.randint(1, 3))]
    shared = [f"s{k}" for k in range(generator.randint(2, 4))]
    options: list[list[str]] = [["crowded", item] for item in shared] + [[item] for item in others]
    costs = {label: generator.choice([9, 10, 10]) for label in range(len(options))}
    options.append(["crowded", *(item for item in (*others, *shared) if generator.random() < 0.9)])
    price = generator.choice([0, 0, generator.randint(1, 9)])
    soft: dict[Any, Any] = {"crowded": (generator.choice([0, price, None]), price)}
    soft |= {item: (price, None) for item in others if generator.random() < 0.2}
    bounds = {"crowded": (0, generator.randint(1, 2))} if generator.random() < 0.2 else {}
    parts: dict[str, Any] = {"primary": ["crowded", *others], "secondary": shared, "multiplicity": bounds}
    return Problem(enumerate(options), costs=costs, soft=soft, **parts)


def draw_labels(generator: random.Random, labels: Sequence[Label]) -> list[Label]:
    """Some of these labels: of each about half of the time, or the first ones."""
    if generator.random() < 0.3:
        return list(labels[: generator.randint(0, len(labels))])
    return [label for label in labels if generator.random() < 0.5]
