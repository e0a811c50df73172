"""Problems derived from others: with options of the same items and colors merged, or what remains after a choice."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Collection, Iterable
from typing import TypeVar

from exactcover.algorithm_x import Label, item_of
from exactcover.errors import ProblemError
from exactcover.model.costs import Cost, count_covers
from exactcover.model.matrix import ONCE
from exactcover.model.model import Model
from exactcover.steps.step import Contradiction, find_kept, restrict

M = TypeVar("M", bound=Model)


def duplicates(problem: Model) -> dict[Label, Label]:
    """Return the options with the same items and colors as an earlier option, each with the first option like it.

    Equal options are still different options: replacing one by the other in a solution gives another solution.

    Examples
    --------
    >>> from exactcover import Problem
    >>> duplicates(Problem({"A": [1, 2], "B": [2, 1], "C": [1]}))
    {'B': 'A'}
    """
    first: dict[bytes, int] = {}
    found: dict[Label, Label] = {}
    for position, label in enumerate(problem.labels):
        entries = array("i", itertools.chain.from_iterable(sorted(problem.matrix.option(position))))
        original = first.setdefault(entries.tobytes(), position)
        if original != position:
            found[label] = problem.labels[original]
    return found


def representatives(problem: Model) -> dict[Label, Label]:
    """Return, for each option, the option that represents it when equal options are merged.

    Givens are preferred to other options, then options that are not excluded to those that are, then cheaper options to
    more expensive ones. Ties go to the first.

    Examples
    --------
    >>> from exactcover import Problem
    >>> representatives(Problem({"A": [1], "B": [1], "C": [2]}, costs={"A": 3, "B": 2}))
    {'A': 'B', 'B': 'B', 'C': 'C'}
    """
    originals = duplicates(problem)
    given, excluded = set(problem.givens), set(problem.excluded)

    def rank(label: Label) -> tuple[bool, bool, Cost]:
        return label not in given, label in excluded, problem.cost([label])

    best: dict[Label, Label] = {}
    for label in problem.labels:
        original = originals.get(label, label)
        if original not in best or rank(label) < rank(best[original]):
            best[original] = label
    return {label: best[originals.get(label, label)] for label in problem.labels}


def merge(problem: M) -> M:
    """Return the problem with one option in place of all that have the same items and colors. All givens are kept.

    Raises
    ------
    ProblemError
        If an item may be covered several times, because then equal options may be chosen together.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [1], "C": [2]})
    >>> problem.count(), merge(problem).count()
    (2, 1)
    """
    problem.refuse_rules("merging options")
    over = any(prices.over is not None for prices in problem.soft_prices.values())
    if over or any(high > 1 for _, high in problem.matrix.multiplicity.values()):
        raise ProblemError("options cannot be merged: an item may be covered more than once")
    chosen = {*representatives(problem).values(), *problem.givens}
    return problem.derive(
        ((label, items) for label, items in problem.options.items() if label in chosen),
        costs={label: cost for label, cost in problem.costs.items() if label in chosen},
        givens=problem.givens,
    ).instance(without=[label for label in problem.excluded if label in chosen])


def residual(problem: M, given: Iterable[Label]) -> M:
    """Return the residual problem after these options and the givens of the problem are chosen.

    The solutions of the residual problem, each together with the chosen options, are the solutions of `problem` that
    contain `given`. Where there are rules about graphs, which may look at these options, they stay as the only ones of
    their items.

    Raises
    ------
    ProblemError
        If a label is unknown, chosen options conflict, or one of them is excluded; or if they cover a soft item as
        often as is free, so that what remains could not state the price of more; or if there are rules, and one of them
        has no item that is covered once.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2, 3], "C": [2], "D": [3], "E": [1, 2]})
    >>> list(residual(problem, ["A"]).solve())
    [('B',), ('C', 'D')]
    """
    instance = problem.instance(given)
    restriction = restrict(problem.matrix, instance.given_positions, instance.excluded_positions)
    if isinstance(restriction.reason, Contradiction):
        names, options = restriction.reason.names(problem.labels), restriction.reason.options
        if instance.excluded_positions and options[0] in instance.excluded_positions:
            raise ProblemError(f"option {names} is both given and excluded")
        raise ProblemError(f"the options {names} conflict" if len(options) > 1 else f"option {names} covers too much")
    kept = find_kept(restriction.lift, len(restriction.matrix))
    if problem.rules:
        return _keep_givens(problem, instance.given_positions, kept)
    covers = count_covers(problem.matrix, instance.given_positions)
    taken = dict(zip(problem.items, covers, strict=True))
    bounds = {item: problem.matrix.bounds(number) for number, item in enumerate(problem.primary)}
    primary = [item for item, (_, high) in bounds.items() if taken[item] < high]
    soft = problem.soft
    full = next((item for item, (_, over) in soft.items() if over is not None and taken[item] >= bounds[item][1]), None)
    if full is not None:
        raise ProblemError(f"the soft item {str(full)!r} is covered already, so its price for more cannot be stated")
    left = {*primary, *(item for item in problem.secondary if not taken[item])}
    labels = [problem.labels[k] for k in kept]
    return problem.derive(
        ((label, [entry for entry in problem.options[label] if item_of(entry) in left]) for label in labels),
        primary=primary,
        secondary=[item for item in problem.secondary if item in left],
        multiplicity={item: (max(0, bounds[item][0] - taken[item]), bounds[item][1] - taken[item]) for item in primary},
        costs={label: problem.cost([label]) for label in labels} if problem.matrix.costs else None,
        preferred=[item for item in problem.preferred if item in left],
        soft={item: prices for item, prices in soft.items() if item in left},
    )


def _keep_givens(problem: M, given: Collection[int], others: Iterable[int]) -> M:
    """Return the problem with options that are given and others that fit them alone, so that the givens are chosen."""
    matrix, soft = problem.matrix, {*problem.soft}
    forced = {item for item in range(matrix.primary) if matrix.bounds(item) == ONCE and problem.items[item] not in soft}
    free = next((k for k in given if forced.isdisjoint(item for item, _ in matrix.option(k))), None)
    if free is not None:
        label = str(problem.labels[free])
        raise ProblemError(f"option {label!r} is given, but has no item that is covered once, so rules might miss it")
    kept = [problem.labels[k] for k in sorted({*given, *others})]
    costs = {label: problem.cost([label]) for label in kept} if matrix.costs else None
    return problem.derive(((label, problem.options[label]) for label in kept), costs=costs)
