"""Finding and merging options with the same items and colors."""

from __future__ import annotations

import itertools
from array import array
from typing import TypeVar

from exactcover.algorithm_x import Label
from exactcover.errors import ProblemError
from exactcover.model.costs import Cost
from exactcover.model.model import Model

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
    over = any(prices.over is not None for prices in problem.soft_prices.values())
    if over or any(high > 1 for _, high in problem.matrix.multiplicity.values()):
        raise ProblemError("options cannot be merged: an item may be covered more than once")
    chosen = {*representatives(problem).values(), *problem.givens}
    return problem.derive(
        ((label, items) for label, items in problem.options.items() if label in chosen),
        costs={label: cost for label, cost in problem.costs.items() if label in chosen},
        givens=problem.givens,
    ).instance(without=[label for label in problem.excluded if label in chosen])
