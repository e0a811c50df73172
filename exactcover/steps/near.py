"""The step that makes covers near an earlier solution cheap: its options become items that are soft.

Each option of the earlier solution gets an item of its own, which stays open, at a price, if the option is dropped. Any
other option costs that price more. So what a solution costs more is its number of changes, times the price.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from exactcover.algorithm_x import Label
from exactcover.errors import ProblemError
from exactcover.model.costs import Cost, read_cost
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.model.names import check_list
from exactcover.model.soft import Prices, most_cost, most_options, scale_cost

__all__ = ["Changes", "Kept", "find_changes", "keep_near", "want_options"]

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Kept:
    """The name of the item that stays open if an option of an earlier solution is dropped."""

    label: Label

    def __str__(self) -> str:
        return f"kept: {self.label}"


class Changes(NamedTuple):
    """How a solution differs from an earlier one.

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

    Parameters
    ----------
    model
        The problem.
    earlier
        The labels of an earlier solution. Labels that are not options any more cannot be kept.
    price
        What a change costs; None if a change counts more than all costs, but less than what soft items leave open.

    Raises
    ------
    ProblemError
        If none of the labels is an option, the price is negative or not an exact number, or the problem ranks changes
        before costs already.
    """
    model.check_unranked()
    kept = sorted(_find_positions(model, earlier)[0])
    if price is None:
        soft, matrix, units = model.stated_prices, model.matrix, model.cost_units
        allowed = model.soft_prices
        change = 1 + most_cost(matrix, allowed)
        rank = change * (1 + len(kept) + most_options(matrix, allowed))
        soft = {item: Prices(*(one and one * rank for one in prices)) for item, prices in soft.items()}
    else:
        try:
            price = read_cost(price)
        except ValueError as error:
            raise ProblemError(f"the change {error}") from None
        change, soft, matrix, units = scale_cost(price, model.stated_prices, model.matrix, model.cost_units)
    extended = _add_items(matrix, kept, change)
    items = (*model.primary, *(Kept(model.labels[position]) for position in kept), *model.secondary)
    soft |= {matrix.primary + number: Prices(change, None) for number in range(len(kept))}
    near = model.extend(items, (), extended, units)
    return near.with_prices(soft, weights=model.weights, ranked=price is None)


def want_options(model: M, labels: Iterable[Label]) -> M:
    """Return a problem with the same options whose cheapest solutions drop the fewest of these.

    What is dropped counts more than all costs, and than what soft items leave open.
    """
    wanted = sorted({model.position(label) for label in labels})
    if not wanted:
        return model
    matrix = model.matrix
    items = (*model.primary, *(Kept(model.labels[position]) for position in wanted), *model.secondary)
    extended = model.extend(items, (), _add_items(matrix, wanted, 0), model.cost_units)
    dropped = {matrix.primary + number: Prices(1, None) for number in range(len(wanted))}
    return extended.with_prices(model.soft_prices, weights=dropped)


def _add_items(matrix: Matrix, kept: list[int], change: int) -> Matrix:
    """Return the matrix with an item for each option that is kept; the other options cost more."""
    added = len(kept)
    entries, colors, starts = array("i"), array("i"), array("q")
    begin = 0
    for number, position in enumerate(kept):
        end = matrix.starts[position + 1]
        entries.extend(matrix.entries[begin:end])
        entries.append(-1 - number)
        colors.extend(matrix.colors[begin:end])
        colors.append(0)
        begin = end
    entries.extend(matrix.entries[begin:])
    colors.extend(matrix.colors[begin:])
    for place, item in enumerate(entries):
        if item < 0:
            entries[place] = matrix.primary - 1 - item
        elif item >= matrix.primary:
            entries[place] = item + added
    held, before = set(kept), 0
    for position, start in enumerate(matrix.starts):
        starts.append(start + before)
        before += position in held
    costs = list(matrix.costs) or [0] * len(matrix)
    return Matrix(
        matrix.items + added,
        matrix.primary + added,
        starts,
        entries,
        colors,
        matrix.multiplicity,
        [cost if position in held else cost + change for position, cost in enumerate(costs)],
        matrix.preferred,
    )
