"""Problems that are made of a problem: what is left of it, or what is left when equal options are one."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.errors import ProblemError
from exactcover.reader import Cost
from exactcover.steps import Contradiction, restrict

if TYPE_CHECKING:  # the front door is above this room; only its face is known here
    from exactcover.problem import Problem

__all__ = ["duplicates", "merged", "representatives", "rest"]


def duplicates(problem: Problem) -> dict[Label, Label]:
    """Return for each option that has the same items and colors as an earlier one the first such option.

    They are options of their own: a solution with one of them is another solution than that with the other.

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


def representatives(problem: Problem) -> dict[Label, Label]:
    """Return for each option the one that is kept when equal ones are merged.

    A given is kept, an excluded option only where all are excluded; else it is the cheapest. Ties go to the first.

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


def merged(problem: Problem) -> Problem:
    """Return the problem with one option for all that have the same items and colors; all givens are kept.

    Raises
    ------
    ProblemError
        If an item must or may be covered several times: equal options may then be chosen together.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [1], "C": [2]})
    >>> problem.count(), merged(problem).count()
    (2, 1)
    """
    if any(high > 1 for _, high in problem.matrix.multiplicity.values()):
        raise ProblemError("equal options cannot be merged where items may be covered several times")
    chosen = {*representatives(problem).values(), *problem.givens}
    return type(problem)(
        ((label, items) for label, items in problem.options.items() if label in chosen),
        primary=problem.primary,
        secondary=problem.secondary,
        multiplicity=problem.multiplicity,
        costs={label: cost for label, cost in problem.costs.items() if label in chosen},
        preferred=problem.preferred,
        impossible=problem.impossible,
        givens=problem.givens,
    ).instance(without=[label for label in problem.excluded if label in chosen])


def rest(problem: Problem, given: Iterable[Label]) -> Problem:
    """Return what is left to solve once these options and the problem's givens are chosen, as a problem of its own.

    Its solutions, each together with those options, are the solutions of this problem that contain `given`.

    Raises
    ------
    ProblemError
        If a label is unknown, or two of these options exclude each other.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2, 3], "C": [2], "D": [3], "E": [1, 2]})
    >>> list(rest(problem, ["A"]).solve())
    [('B',), ('C', 'D')]
    """
    instance = problem.instance(given)
    try:
        matrix, lift = restrict(problem.matrix, instance.given_positions, instance.excluded_positions)
    except Contradiction as clash:
        names = clash.names(problem.labels)
        if len(clash.options) == 1:
            raise ProblemError(f"option {names} is both given and excluded") from None
        raise ProblemError(f"the options {names} exclude each other") from None
    taken = Counter(_item(entry) for label in instance.givens for entry in problem.options[label])
    bounds = {item: problem.matrix.bounds(number) for number, item in enumerate(problem.primary)}
    primary = [item for item, (_, high) in bounds.items() if taken[item] < high]
    left = {*primary, *(item for item in problem.secondary if not taken[item])}
    kept = [problem.labels[lift([k])[-1]] for k in range(len(matrix))]
    return type(problem)(
        ((label, [entry for entry in problem.options[label] if _item(entry) in left]) for label in kept),
        primary=primary,
        secondary=[item for item in problem.secondary if item in left],
        multiplicity={item: (max(0, bounds[item][0] - taken[item]), bounds[item][1] - taken[item]) for item in primary},
        costs={label: problem.cost([label]) for label in kept} if problem.matrix.costs else None,
        preferred=[item for item in problem.preferred if item in left],
        impossible=problem.impossible,
    )


def _item(entry: Item) -> Item:
    return entry.item if isinstance(entry, Colored) else entry
