"""The step that turns soft items into plain ones: slack options stand for what stays open, or is covered too often.

An item that may be covered from 0 to T times is covered T times exactly, with the help of slack. Its slack is a chain
of levels, each of which is used or not, and used only if the one before it is. So every choice of the options of before
has exactly one completion, whose cost is the price of what it leaves open; counts and lists count it once.

An item that is covered once and may stay open has a chain of one level, which is one slack option with that item alone.

Each option of the earlier solution gets an item of its own, which stays open, at a price, if the option is dropped. Any
other option costs that price more. So what a solution costs more is its number of changes, times the price.
"""

from __future__ import annotations

import operator
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Generic, NamedTuple, TypeVar

from exactcover.algorithm_x import Item, Label
from exactcover.errors import ProblemError
from exactcover.model.costs import (
    Cost,
    SoftPrices,
    check_size,
    count_covers,
    find_unit,
    most_cost,
    most_options,
    places_of,
    price_of_deviation,
    read_cost,
    scale_prices,
    units_of_cost,
)
from exactcover.model.matrix import ONCE, Bounds, Matrix
from exactcover.model.model import Model
from exactcover.model.names import check_list, read_mapping

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Slack:
    """The name of a slack option, or of an item that keeps slack in order."""

    kind: str  # "open": the only slack; "used" or "unused": a level of a chain; "level" or "order": its items
    item: Item  # the soft one
    level: int = 1  # from 1

    def __str__(self) -> str:
        return f"open: {self.item}" if self.kind == "open" else f"slack {self.level} {self.kind}: {self.item}"


class _SlackChain(NamedTuple):
    """The slack of an item."""

    item: int
    total: int  # the number of times that it is covered together with its slack
    used: tuple[int, ...]  # the costs of using each level
    unused: tuple[int, ...]  # and of not using it
    first: int  # the position of its first slack option

    @property
    def is_simple(self) -> bool:
        """True if one slack option suffices, because not to use it costs nothing."""
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
class PlainProblem(Generic[M]):
    """A problem whose soft items have become plain, and the way back."""

    model: M  # the options of before, in their order, and then the slack options
    size: int  # the number of options of before
    chains: Sequence[_SlackChain]  # of each item that has slack
    paid: int = 0  # the units that each solution costs above what it costs in the plain problem

    def hide(self, solution: Iterable[int]) -> tuple[int, ...]:
        """Return a solution of the plain problem without its slack options."""
        return tuple([option for option in solution if option < self.size])

    def complete(self, options: Sequence[int]) -> tuple[int, ...]:
        """Return options of before with the slack options that make them a solution of the plain problem."""
        covers = count_covers(self.model.matrix, options)
        slack = [option for chain in self.chains for option in chain.choose(covers[chain.item])]
        return (*options, *sorted(slack))


def relax(model: M) -> PlainProblem[M]:
    """Return the plain problem in which the soft items of a problem have slack.

    Its solutions, without their slack, are the choices of options that cover every item within its bounds, or against a
    price; their costs include that price. A stated proof that there is no solution, and stated symmetries, are dropped.
    Raise ``ProblemError`` if a soft item must be covered more than 10,000 times.
    """
    chains = _make_chains(model)
    builder = _SlackBuilder(model, sum(len(chain.used) for chain in chains if not chain.is_simple))
    for chain in chains:
        builder.add(chain)
    totals = {chain.item: (chain.total, chain.total) for chain in chains}
    return builder.finish(replace(model.matrix, multiplicity={**model.matrix.multiplicity, **totals}), chains)


def relax_for_one(model: M) -> PlainProblem[M]:
    """Return a plain problem whose cheapest solution, without its slack, is that of a problem with soft items.

    Slack comes in powers of two, by options that cover an item several times, and dearer solutions may occur with
    several kinds of slack. What an item is covered too often is made up for by leaving out slack that is there for
    that, at its price. Errors are those of :func:`relax`.
    """
    matrix = model.matrix
    holders, multiplicity = count_covers(matrix, range(len(matrix))), dict(matrix.multiplicity)
    parts: list[tuple[int, list[int], list[int]]] = []
    for item, prices in sorted(model.soft_prices.items()):
        low, high = matrix.bounds(item)
        check_size(model.items[item], (low, high))
        excess = 0 if prices.over is None else max(0, holders[item] - high)
        parts.append((item, _split(0 if prices.under is None else low), _split(excess)))
        multiplicity[item] = (low + excess, high + excess)
    builder = _SlackBuilder(model, sum(len(over) for _, _, over in parts))
    for item, under, over in parts:
        builder.add_weighted(item, under, over)
    return builder.finish(replace(matrix, multiplicity=multiplicity, weighted=True), ())


def _split(total: int) -> list[int]:
    """Return numbers whose sums are all numbers up to a total: powers of two, and the rest.

    Examples
    --------
    >>> _split(10), _split(7)
    ([1, 2, 4, 3], [1, 2, 4])
    """
    parts = list[int]()
    while total:
        parts.append(min(total, 1 << len(parts)))
        total -= parts[-1]
    return parts


def negate_costs(model: M) -> M:
    """Return the problem with the opposite costs of options; prices of soft items stay as they are."""
    negated = replace(model.matrix, costs=[-cost for cost in model.matrix.costs])
    return model.extend(model.items, (), negated, model.cost_units).with_prices(
        model.stated_prices, weights=model.weights, ranked=model.is_ranked
    )


def charge_omissions(plain: PlainProblem[M]) -> PlainProblem[M]:
    """Return a plain problem of the same options in which it costs something to leave out those of negative cost.

    To choose them costs nothing then. Options with an item that is covered a fixed number of times keep their costs,
    because its tax makes them positive; see :func:`exactcover.steps.step.find_taxes`.
    """
    model, matrix = plain.model, plain.model.matrix
    fixed = {item for item in range(matrix.primary) if len({*matrix.bounds(item)}) == 1 and not matrix.weighted}
    charged = [
        option
        for option, cost in enumerate(matrix.costs)
        if cost < 0 and fixed.isdisjoint(item for item, _ in matrix.option(option))
    ]
    if not charged:
        return plain
    costs = list(matrix.costs)
    for option in charged:
        costs[option] = 0
    extended = _add_items(model, replace(matrix, costs=costs), model.cost_units, charged, 0, _Charged)
    prices = {matrix.primary + k: SoftPrices(-matrix.costs[option], None) for k, option in enumerate(charged)}
    paid = sum(matrix.costs[option] for option in charged)
    return replace(plain, model=relax(extended.with_prices(prices)).model, paid=paid)


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

    def add(self, chain: _SlackChain) -> None:
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

    def add_weighted(self, item: int, under: Sequence[int], over: Sequence[int]) -> None:
        """Add slack options that cover an item so often, and options that choose or leave out what is for excess."""
        prices, name = self.model.soft_prices[item], self.model.items[item]
        for level, times in enumerate(under, 1):
            self._append(Slack("open", name, level), [item] * times, times * (prices.under or 0))
        for level, times in enumerate(over, 1):
            held = self._first_level + len(self.levels)
            self.levels.append(Slack("level", name, level))
            self._append(Slack("used", name, level), [item] * times + [held], 0)
            self._append(Slack("unused", name, level), [held], times * (prices.over or 0))

    def finish(self, before: Matrix, chains: Sequence[_SlackChain]) -> PlainProblem[Any]:
        """Return the plain problem, given the matrix of before with the bounds that hold with slack."""
        multiplicity = {item: bounds for item, bounds in sorted(before.multiplicity.items()) if bounds != ONCE}
        matrix = replace(
            before,
            items=before.items + len(self.levels) + len(self.orders),
            primary=before.primary + len(self.levels),
            starts=self.starts,
            entries=self.entries,
            colors=self.colors,
            multiplicity=multiplicity,
            costs=[*(before.costs or [0] * len(before)), *self.costs] if before.costs or any(self.costs) else (),
        )
        model, items = self.model, (*self.model.primary, *self.levels, *self.model.secondary, *self.orders)
        return PlainProblem(model.extend(items, self.labels, matrix, model.cost_units), len(before), chains)

    def _append(self, label: Slack, items: Sequence[int], cost: int) -> None:
        self.labels.append(label)
        self.costs.append(cost)
        self.entries.extend(items)
        self.colors.extend([0] * len(items))
        self.starts.append(len(self.entries))


def _make_chains(model: Model) -> list[_SlackChain]:
    """Return the slack of each soft item that may be covered too rarely or too often."""
    matrix, first = model.matrix, len(model.matrix)
    holders = count_covers(matrix, range(len(matrix))) if model.soft_prices else []
    chains: list[_SlackChain] = []
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
            chains.append(_SlackChain(item, total, used, unused, first))
            first += chains[-1].size
    return chains


def _price(prices: SoftPrices, bounds: Bounds, covers: int) -> int:
    """Return the price of an item that is covered that often."""
    low, high = bounds
    return price_of_deviation(prices, min(0, covers - low) or max(0, covers - high)) or 0


def soften_all(model: M, weights: Mapping[Item, Cost] | None = None, *, widen: bool = False) -> M:
    """Return the problem in which every primary item may stay open, at a price above that of any cover.

    Items that are soft already keep their price for what stays open. So of all choices, one of least price leaves least
    open of the other items, by weight, and among these it is the cheapest. An item has its weight, by default 1, for
    each time that it is covered too rarely. With `widen`, items with a multiplicity may also be covered too often,
    which counts as much, or 1 if leaving them open does not count.

    Raise ``ProblemError`` if `weights` name something that is not a primary item, or a weight is negative or not an
    exact number.
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
        item: SoftPrices(weight, (weight or 10**places) if widen and item in model.matrix.multiplicity else None)
        for item, weight in stated.items()  # to cover one too often is never free
    }
    return model.with_prices(model.stated_prices, weights=pairs).without_proof()


@dataclass(frozen=True)
class SlackMatrix:
    """A matrix with slack options, each of which has one item and costs nothing, after its options of before."""

    matrix: Matrix
    items: Sequence[int]  # of each slack option, as it was numbered before
    before: Matrix

    def complete(self, solutions: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """Return solutions of the matrix of before with the slack options that they need."""
        completed = []
        for solution in solutions:
            covered = Counter(item for option in solution for item, _ in self.before.option(option))
            missing = [
                len(self.before) + k
                for k, item in enumerate(self.items)
                if covered[item] < (self.before.bounds(item)[1] if item < self.before.primary else 1)
            ]
            completed.append((*solution, *missing))
        return completed


def add_slack(matrix: Matrix) -> SlackMatrix:
    """Add a slack option for each item that may be covered once less, or not at all; colored items are left alone.

    Each solution of the matrix corresponds to one solution with slack options, of the same cost.
    """
    colored = {item for item, color in zip(matrix.entries, matrix.colors, strict=True) if color}
    holders = Counter(matrix.entries)
    ranges = [item for item, (low, high) in sorted(matrix.multiplicity.items()) if low + 1 == high]
    free = [item for item in range(matrix.primary, matrix.items) if item not in colored and holders[item] > 1]
    others = [item for item in range(matrix.primary, matrix.items) if item in colored or holders[item] <= 1]
    place = {item: number for number, item in enumerate([*range(matrix.primary), *free, *others])}
    slack = [*ranges, *free]
    entries = array("i", [*map(place.__getitem__, matrix.entries), *map(place.__getitem__, slack)])
    first = matrix.starts[-1]
    multiplicity = {item: bounds for item, bounds in matrix.multiplicity.items() if item not in ranges}
    for item in ranges:
        high = matrix.multiplicity[item][1]
        if (high, high) != ONCE:
            multiplicity[item] = (high, high)
    new = replace(
        matrix,
        primary=matrix.primary + len(free),
        starts=array("q", [*matrix.starts, *range(first + 1, first + 1 + len(slack))]),
        entries=entries,
        colors=array("i", [*matrix.colors, *[0] * len(slack)]),
        multiplicity=multiplicity,
        costs=[*(matrix.costs or [0] * len(matrix)), *[0] * len(slack)],
        origins=[matrix.origin(item) for item in place],
    )
    return SlackMatrix(new, slack, matrix)


@dataclass(frozen=True)
class Kept:
    """The name of the item that stays open if an option of an earlier solution is dropped."""

    label: Label

    def __str__(self) -> str:
        return f"kept: {self.label}"


class _Charged(Kept):
    """The name of the item that stays open if an option of negative cost is left out, which may be kept, too."""


class Changes(NamedTuple):
    """The changes from an earlier solution to a later one.

    Attributes
    ----------
    dropped
        The labels of the earlier solution that the later one lacks; the last ones are not options any more.
    added
        The labels that only the later solution has.
    """

    dropped: tuple[Label, ...]
    added: tuple[Label, ...]


def find_changes(model: Model, earlier: Iterable[Label], later: Iterable[Label]) -> Changes:
    """Return how a solution differs from an earlier one, in the order of the problem."""
    old, gone = _find_positions(model, earlier)
    new = set(model.positions_of(later))
    labels = model.labels
    dropped = [labels[position] for position in sorted(old - new)]
    return Changes((*dropped, *gone), tuple(labels[position] for position in sorted(new - old)))


def _find_positions(model: Model, earlier: Iterable[Label]) -> tuple[set[int], list[Label]]:
    """Return the positions of an earlier solution, and those of its labels that are not options any more."""
    check_list("near", earlier, "labels")
    positions, gone = set[int](), dict[Label, None]()
    for label in earlier:
        if model.has_option(label):
            positions.add(model.position(label))
        else:
            gone[label] = None
    if gone and not positions:
        model.position(next(iter(gone)))  # which says what is wrong
    return positions, list(gone)


def keep_near(model: M, earlier: Iterable[Label], price: Cost | None = None) -> M:
    """Return a problem with the same options whose cheapest solutions are those with the fewest changes.

    Of the earlier solution, labels that are not options any more cannot be kept. If the price of a change is None, a
    change counts more than all costs, but less than what soft items leave open. Raise ``ProblemError`` if none of the
    labels is an option, the price is negative or not an exact number, or the problem ranks changes before costs
    already.
    """
    model.check_unranked()
    kept = sorted(_find_positions(model, earlier)[0])
    if price is None:
        soft, matrix, units = model.stated_prices, model.matrix, model.cost_units
        allowed = model.soft_prices
        change = find_unit(matrix.costs) + most_cost(matrix, allowed)
        rank = change * (1 + len(kept) + most_options(matrix, allowed))
        soft = {item: prices.scale(rank) for item, prices in soft.items()}
    else:
        try:
            price = read_cost(price)
        except ValueError as error:
            raise ProblemError(f"the change {error}") from None
        stated = {-1: (price, None)}  # no item has this number
        soft, matrix, units = scale_prices(stated, model.stated_prices, model.matrix, model.cost_units)
        change = soft.pop(-1).under or 0
    near = _add_items(model, matrix, units, kept, change)
    soft |= {matrix.primary + number: SoftPrices(change, None) for number in range(len(kept))}
    return near.with_prices(soft, weights=model.weights, ranked=price is None)


def want_options(model: M, labels: Iterable[Label]) -> M:
    """Return a problem with the same options whose cheapest solutions drop the fewest of these.

    What is dropped counts more than all costs, and than what soft items leave open.
    """
    wanted = sorted({model.position(label) for label in labels})
    if not wanted:
        return model
    extended = _add_items(model, model.matrix, model.cost_units, wanted, 0)
    dropped = {model.matrix.primary + number: SoftPrices(1, None) for number in range(len(wanted))}
    return extended.with_prices(model.soft_prices, weights=dropped)


def _add_items(model: M, matrix: Matrix, units: int, kept: Sequence[int], change: int, name: type[Kept] = Kept) -> M:
    """Return the model of a matrix with an item for each option that is kept; the other options cost more."""
    added, primary, begin = len(kept), matrix.primary, 0
    moved = array("i", [item if item < primary else item + added for item in matrix.entries])
    entries, colors = array("i"), array("i")
    for number, position in enumerate(kept):
        end = matrix.starts[position + 1]
        entries.extend(moved[begin:end])
        entries.append(primary + number)
        colors.extend(matrix.colors[begin:end])
        colors.append(0)
        begin = end
    entries.extend(moved[begin:])
    colors.extend(matrix.colors[begin:])
    held = set(kept)
    before = accumulate((position in held for position in range(len(matrix))), initial=0)
    costs = list(matrix.costs) or [0] * len(matrix)
    extended = replace(
        matrix,
        items=matrix.items + added,
        primary=primary + added,
        starts=array("q", map(operator.add, matrix.starts, before)),
        entries=entries,
        colors=colors,
        costs=[cost if position in held else cost + change for position, cost in enumerate(costs)],
    )
    items = (*model.primary, *(name(model.labels[position]) for position in kept), *model.secondary)
    return model.extend(items, (), extended, units)
