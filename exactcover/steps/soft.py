"""The step that turns soft items into plain ones: slack options stand for what stays open, or is covered too often.

An item that may be covered from 0 to T times is covered T times exactly, with the help of slack. Its slack is a chain
of levels, each of which is used or not, and used only if the one before it is. So every choice of the options of before
has exactly one completion, whose cost is the price of what it leaves open; counts and lists count it once.

An item that is covered once and may stay open has a chain of one level, which is one slack option with that item alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from exactcover.algorithm_x import Item
from exactcover.errors import ProblemError
from exactcover.model.costs import Cost, places_of, read_cost, units_of_cost
from exactcover.model.matrix import ONCE, Bounds, Matrix
from exactcover.model.model import Model
from exactcover.model.names import read_mapping
from exactcover.model.soft import Prices, check_size, count_covers, price_of_deviation

__all__ = ["Relaxation", "Slack", "relax", "soften_all"]

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Slack:
    """The name of a slack option, or of an item that keeps slack in order.

    Attributes
    ----------
    kind
        ``"open"`` for the only slack of an item; ``"used"`` or ``"unused"`` for a level of a chain, and ``"level"`` or
        ``"order"`` for its items.
    item
        The soft item.
    level
        The level, from 1.
    """

    kind: str
    item: Item
    level: int = 1

    def __str__(self) -> str:
        return f"open: {self.item}" if self.kind == "open" else f"slack {self.level} {self.kind}: {self.item}"


class _Chain(NamedTuple):
    """The slack of an item.

    Attributes
    ----------
    item
        The item.
    total
        How often it is covered together with its slack.
    used, unused
        What it costs to use, and not to use, each level.
    first
        The position of its first slack option.
    """

    item: int
    total: int
    used: tuple[int, ...]
    unused: tuple[int, ...]
    first: int

    @property
    def is_simple(self) -> bool:
        """Whether one slack option suffices, because not to use it costs nothing."""
        return len(self.used) == 1 and self.unused == (0,)

    @property
    def size(self) -> int:
        """The number of its options."""
        return 1 if self.is_simple else 2 * len(self.used)

    def choose(self, covers: int) -> list[int]:
        """Return the slack options that are chosen if other options cover the item that often."""
        missing = self.total - covers
        if not 0 <= missing <= len(self.used):
            return []
        if self.is_simple:
            return [self.first] * missing
        return [self.first + 2 * level + (level >= missing) for level in range(len(self.used))]


@dataclass(frozen=True)
class Relaxation(Generic[M]):
    """A problem whose soft items have become plain, and the way back.

    Attributes
    ----------
    model
        The plain problem: the options of before, in their order, and then the slack options.
    size
        The number of options of before.
    chains
        The slack of each item that has any.
    """

    model: M
    size: int
    chains: Sequence[_Chain]

    def hide(self, solution: Iterable[int]) -> tuple[int, ...]:
        """Return a solution of the plain problem without its slack options."""
        return tuple([option for option in solution if option < self.size])

    def complete(self, options: Sequence[int]) -> tuple[int, ...]:
        """Return options of before with the slack options that make them a solution of the plain problem."""
        covers = count_covers(self.model.matrix, options)
        slack = [option for chain in self.chains for option in chain.choose(covers[chain.item])]
        return (*options, *sorted(slack))


def relax(model: M) -> Relaxation[M]:
    """Return the plain problem in which the soft items of a problem have slack.

    Its solutions, without their slack, are the choices of options that cover every item within its bounds, or against
    a price; their costs include that price. A stated proof that there is no solution, and stated symmetries, are
    dropped.

    Raises
    ------
    ProblemError
        If a soft item must be covered more than 10,000 times.
    """
    chains = _make_chains(model)
    before = model.matrix
    levels = sum(len(chain.used) for chain in chains if not chain.is_simple)
    orders = sum(len(chain.used) - 1 for chain in chains if not chain.is_simple)
    builder = _SlackBuilder(model, levels)
    for chain in chains:
        builder.add(chain)
    multiplicity = dict(before.multiplicity)
    for chain in chains:
        multiplicity.pop(chain.item, None)
        if (chain.total, chain.total) != ONCE:
            multiplicity[chain.item] = (chain.total, chain.total)
    matrix = Matrix(
        before.items + levels + orders,
        before.primary + levels,
        builder.starts,
        builder.entries,
        builder.colors,
        dict(sorted(multiplicity.items())),
        [*(before.costs or [0] * len(before)), *builder.costs] if before.costs or any(builder.costs) else (),
        before.preferred,
    )
    items = (*model.primary, *builder.levels, *model.secondary, *builder.orders)
    return Relaxation(model.extend(items, builder.labels, matrix, model.cost_units), len(before), chains)


class _SlackBuilder:
    """Appends slack options to the options of a problem; new primary items go before the secondary ones."""

    def __init__(self, model: Model, levels: int) -> None:
        before = model.matrix
        self.model = model
        self.starts = before.starts[:]
        self.colors = before.colors[:]
        self.entries = before.entries[:]
        if levels and before.items > before.primary:
            primary = before.primary
            self.entries = array("i", [item if item < primary else item + levels for item in before.entries])
        self.labels: list[Slack] = []
        self.costs: list[int] = []
        self.levels: list[Slack] = []
        self.orders: list[Slack] = []
        self._first_level, self._first_order = before.primary, before.items + levels

    def add(self, chain: _Chain) -> None:
        """Add the slack options of an item, and the items that keep them in order."""
        item, name = chain.item, self.model.items[chain.item]
        if chain.is_simple:
            self._append(Slack("open", name), [item], chain.used[0])
            return
        last = len(chain.used)
        for level in range(1, last + 1):
            held = self._first_level + len(self.levels)
            self.levels.append(Slack("level", name, level))
            before = [self._first_order + len(self.orders) - 1] if level > 1 else []
            after = [self._first_order + len(self.orders)] if level < last else []
            if level < last:
                self.orders.append(Slack("order", name, level))
            self._append(Slack("used", name, level), [item, held, *before], chain.used[level - 1])
            self._append(Slack("unused", name, level), [held, *after], chain.unused[level - 1])

    def _append(self, label: Slack, items: Sequence[int], cost: int) -> None:
        self.labels.append(label)
        self.costs.append(cost)
        self.entries.extend(items)
        self.colors.extend([0] * len(items))
        self.starts.append(len(self.entries))


def _make_chains(model: Model) -> list[_Chain]:
    """Return the slack of each soft item that may be covered too rarely or too often."""
    matrix, first = model.matrix, len(model.matrix)
    holders = count_covers(matrix, range(len(matrix))) if model.soft_prices else []
    chains: list[_Chain] = []
    for item, prices in sorted(model.soft_prices.items()):
        bounds = low, high = matrix.bounds(item)
        check_size(model.items[item], bounds)
        total = max(low, holders[item] if prices.over is not None else min(high, holders[item]))
        least = 0 if prices.under is not None else low
        if (low if prices.under is not None else 0) == 0 and total <= high:
            continue  # it cannot be covered too rarely or too often
        costs = [_price(prices, bounds, covers) for covers in range(total, least - 1, -1)]
        steps = [after - before for before, after in pairwise(costs)]
        used, unused = tuple([max(0, step) for step in steps]), tuple([max(0, -step) for step in steps])
        if used:
            chains.append(_Chain(item, total, used, unused, first))
            first += chains[-1].size
    return chains


def _price(prices: Prices, bounds: Bounds, covers: int) -> int:
    """Return what it costs that an item is covered that often."""
    low, high = bounds
    return price_of_deviation(prices, min(0, covers - low) or max(0, covers - high)) or 0


def soften_all(model: M, weights: Mapping[Item, Cost] | None = None, *, widen: bool = False) -> M:
    """Return the problem in which every primary item may stay open, at a price above that of any cover.

    Items that are soft already keep their price for what stays open. So of all choices, one of least price leaves least
    open of the other items, by weight, and among these it is the cheapest.

    Parameters
    ----------
    model
        The problem.
    weights
        How much leaving an item open counts, for each time that it is covered too rarely; 1 for the other items.
    widen
        Whether items with a multiplicity may also be covered too often, which counts as much, or 1 if leaving them open
        does not count.

    Raises
    ------
    ProblemError
        If `weights` name something that is not a primary item, or a weight is negative or not an exact number.
    """
    weights = {} if weights is None else dict(read_mapping("weights", weights))
    for item, weight in weights.items():
        try:
            weights[item] = read_cost(weight)
        except ValueError as error:
            raise ProblemError(f"weights: item {str(item)!r} {error}") from None
    places = max(map(places_of, weights.values()), default=0)
    stated = dict.fromkeys(range(model.matrix.primary), 10**places)
    for item, weight in weights.items():
        stated[model.primary_number(item, "weights")] = units_of_cost(weight, places)
    pairs = {
        item: Prices(weight, (weight or 10**places) if widen and item in model.matrix.multiplicity else None)
        for item, weight in stated.items()  # to cover one too often is never free
    }
    return model.with_prices(model.stated_prices, weights=pairs)
