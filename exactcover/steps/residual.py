"""The residual problem: what remains to be solved after some options are chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.steps.restriction import restrict
from exactcover.steps.step import Contradiction, find_kept

__all__ = ["residual"]


M = TypeVar("M", bound=Model)


def residual(problem: M, given: Iterable[Label]) -> M:
    """Return the residual problem after these options and the givens of the problem are chosen.

    The solutions of the residual problem, each together with the chosen options, are the solutions of `problem` that
    contain `given`.

    Raises
    ------
    ProblemError
        If a label is unknown, chosen options conflict, or one of them is excluded; or if they cover a soft item as
        often as is free, so that what remains could not state the price of more.

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
        names = restriction.reason.names(problem.labels)
        if len(restriction.reason.options) == 1:
            raise ProblemError(f"option {names} is both given and excluded")
        raise ProblemError(f"the options {names} conflict")
    taken = Counter(_item(entry) for label in instance.givens for entry in problem.options[label])
    bounds = {item: problem.matrix.bounds(number) for number, item in enumerate(problem.primary)}
    primary = [item for item, (_, high) in bounds.items() if taken[item] < high]
    soft = problem.soft
    full = next((item for item, (_, over) in soft.items() if over is not None and taken[item] >= bounds[item][1]), None)
    if full is not None:
        raise ProblemError(f"the soft item {str(full)!r} is covered already, so its price for more cannot be stated")
    left = {*primary, *(item for item in problem.secondary if not taken[item])}
    kept = [problem.labels[k] for k in find_kept(restriction.lift, len(restriction.matrix))]
    return problem.derive(
        ((label, [entry for entry in problem.options[label] if _item(entry) in left]) for label in kept),
        primary=primary,
        secondary=[item for item in problem.secondary if item in left],
        multiplicity={item: (max(0, bounds[item][0] - taken[item]), bounds[item][1] - taken[item]) for item in primary},
        costs={label: problem.cost([label]) for label in kept} if problem.matrix.costs else None,
        preferred=[item for item in problem.preferred if item in left],
        soft={item: prices for item, prices in soft.items() if item in left},
    )


def _item(entry: Item) -> Item:
    return entry.item if isinstance(entry, Colored) else entry
