"""The step that chooses the givens and removes the excluded options."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TypeVar

from exactcover.algorithm_x import Label, item_of
from exactcover.errors import ProblemError
from exactcover.model.costs import count_covers
from exactcover.model.matrix import ONCE, Bounds, Matrix, may_share
from exactcover.model.model import Model
from exactcover.steps.step import Contradiction, StepResult, find_kept, rebuild, unchanged

M = TypeVar("M", bound=Model)


def restrict(matrix: Matrix, given: Iterable[int], without: Collection[int]) -> StepResult:
    """Choose the options `given` and remove the options `without`: a step.

    The new matrix lacks each primary item that the givens cover as often as it may be covered, and each secondary item
    that a given contains. It also lacks the options with such an item, except those that give a secondary item the same
    color as the givens do.

    If givens clash, or an option is both given and excluded, the reason is a contradiction, and the matrix is the old
    one.
    """
    chosen = sorted(set(given))
    for option in chosen:
        if option in without:
            return StepResult(matrix, unchanged, Contradiction((option,), matrix.option(option)[0][0]))
    takers: dict[int, list[tuple[int, int]]] = {}  # item -> the givens that contain it, with the color they give it
    for option in chosen:
        for item, color in matrix.option(option):
            takers.setdefault(item, []).append((option, color))
    number: dict[int, int] = {}
    multiplicity: dict[int, Bounds] = {}
    for item in range(matrix.items):
        taken = takers.get(item, ())
        low, high = (bound - len(taken) for bound in matrix.bounds(item))
        if high < 0 if item < matrix.primary else not may_share([color for _, color in taken]):
            return StepResult(matrix, unchanged, Contradiction(tuple(dict(taken)), item))
        if not taken or (item < matrix.primary and high > 0):
            number[item] = len(number)
            if item < matrix.primary and (low, high) != ONCE:
                multiplicity[number[item]] = (max(0, low), high)
    gone = {item for item in range(matrix.items) if item not in number}

    def stays(option: int) -> bool:
        items = matrix.entries[matrix.starts[option] : matrix.starts[option + 1]]
        return gone.isdisjoint(items) or all(
            item not in gone or may_share((takers[item][0][1], color)) for item, color in matrix.option(option)
        )

    removed = {*without, *chosen}
    kept = [option for option in range(len(matrix)) if option not in removed and stays(option)]
    left = replace(rebuild(matrix, kept, number), multiplicity=multiplicity)
    paid = sum(matrix.costs[option] for option in chosen) if matrix.costs else 0
    return StepResult(left, lambda solution: [*chosen, *(kept[k] for k in solution)], paid=paid)


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
        names, options = restriction.reason.names(problem.labels), restriction.reason.options
        if instance.excluded_positions and options[0] in instance.excluded_positions:
            raise ProblemError(f"option {names} is both given and excluded")
        raise ProblemError(f"the options {names} conflict" if len(options) > 1 else f"option {names} covers too much")
    covers = count_covers(problem.matrix, instance.given_positions)
    taken = dict(zip(problem.items, covers, strict=True))
    bounds = {item: problem.matrix.bounds(number) for number, item in enumerate(problem.primary)}
    primary = [item for item, (_, high) in bounds.items() if taken[item] < high]
    soft = problem.soft
    full = next((item for item, (_, over) in soft.items() if over is not None and taken[item] >= bounds[item][1]), None)
    if full is not None:
        raise ProblemError(f"the soft item {str(full)!r} is covered already, so its price for more cannot be stated")
    left = {*primary, *(item for item in problem.secondary if not taken[item])}
    kept = [problem.labels[k] for k in find_kept(restriction.lift, len(restriction.matrix))]
    return problem.derive(
        ((label, [entry for entry in problem.options[label] if item_of(entry) in left]) for label in kept),
        primary=primary,
        secondary=[item for item in problem.secondary if item in left],
        multiplicity={item: (max(0, bounds[item][0] - taken[item]), bounds[item][1] - taken[item]) for item in primary},
        costs={label: problem.cost([label]) for label in kept} if problem.matrix.costs else None,
        preferred=[item for item in problem.preferred if item in left],
        soft={item: prices for item, prices in soft.items() if item in left},
    )
