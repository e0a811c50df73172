"""Options that would have to be added so that there is a solution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from exactcover.algorithm_x import Item, item_of
from exactcover.analysis.repair import find_cheapest
from exactcover.control.arguments import check_arguments
from exactcover.control.stop import Stop, make_stop
from exactcover.errors import ProblemError
from exactcover.problem import Cost, Problem

Stated: TypeAlias = "tuple[Iterable[Item], str] | tuple[Iterable[Item], str, Cost]"
"""An addition of an encoder: items, a change in words, and what it costs; 1 by default."""


@dataclass(frozen=True)
class Addition:
    """An option that does not exist, but would after a change.

    Attributes
    ----------
    items
        The items that it would cover.
    change
        The change, in words.
    cost
        What it costs: more for a change that is less plausible.
    """

    items: tuple[Item, ...]
    change: str
    cost: Cost = 1

    @property
    def covered(self) -> Set[Item]:
        """The items without their colors."""
        return {item_of(one) for one in self.items}


@dataclass(frozen=True)
class _Added:
    """The label of an addition."""

    number: int


@check_arguments
def list_additions(problem: Problem, stated: Iterable[Stated] = ()) -> list[Addition]:
    """Return possible additions to a problem: the options that it excludes, and then those that its encoder states.

    Givens are not added, even if they are excluded: the problem would have no solution all the same.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [2]}).instance(without=["B"])
    >>> list_additions(problem, [([2], "find somebody for 2")])
    [Addition(items=(2,), change="allow 'B'", cost=1), Addition(items=(2,), change='find somebody for 2', cost=1)]
    """
    options = problem.options
    givens = set(problem.givens)
    allowed = [label for label in problem.excluded if label not in givens]
    excluded = [Addition(tuple(options[label]), f"allow {str(label)!r}") for label in allowed]
    return excluded + [Addition(tuple(items), *words) for items, *words in stated]


@check_arguments
def list_changes(problem: Problem, items: Sequence[Item], additions: Iterable[Addition]) -> dict[Item, list[str]]:
    """Return for each item of a conflict the changes that could cover it, without those that surely do not help.

    The cheapest changes come first. A change does not help if an option that covers the item needs nothing else. For
    an item that cannot be covered alone, it does not help either if it excludes such an option.

    Examples
    --------
    >>> problem = Problem({"Ann": ["day", "who: Ann"]}, secondary=["who: Ann"], multiplicity={"day": 2})
    >>> some = [Addition(("day", "who: Ann"), "Ann again"), Addition(("day",), "somebody else")]
    >>> list_changes(problem, ["day"], some)
    {'day': ['somebody else']}
    """
    excluded, secondary = set(problem.excluded), set(problem.secondary)
    existing = [Addition(tuple(own), "") for label, own in problem.options.items() if label not in excluded]
    changes: dict[Item, list[str]] = {}
    listed = [(one.covered, one.change) for one in sorted(additions, key=lambda one: one.cost)]
    for item in items:
        rivals = [one.covered for one in existing if item in one.covered]
        shared = secondary & set[Item]().union(*rivals) if len(items) == 1 else set[Item]()
        helpful = [
            change
            for covered, change in listed
            if item in covered and shared.isdisjoint(covered) and not any(rival <= covered for rival in rivals)
        ]
        changes[item] = list(dict.fromkeys(helpful))
    return changes


@check_arguments
def find_additions(
    problem: Problem, additions: Sequence[Addition], *, engine: str = "auto", stop: Stop | None = None
) -> tuple[Addition, ...] | None:
    """Return the cheapest additions with which there is a solution; None if there is none even with all of them.

    If a given is excluded, there is none, since additions do not change givens.

    Parameters
    ----------
    problem
        The problem; its givens stay. A proof that it is impossible is left aside, since it does not know additions.
    additions
        The options that could be added, each once; items that the problem does not have are secondary.
    engine
        The name of the engine that searches, as for :meth:`Problem.cheapest`.
    stop
        Polled often.

    Raises
    ------
    ProblemError
        If an addition cannot be an option: it has no primary item, names one twice, or gives one a color.
    EngineUnavailableError
        If there is no such engine, it is not installed, or it cannot search the problem.
    StoppedError
        If `stop` asks for it before they are found, and proved to be the cheapest.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [2, 3]}, primary=[1, 2, 3, 4])
    >>> some = [Addition((2,), "two"), Addition((3, 4), "three and four"), Addition((4,), "four")]
    >>> find_additions(problem, some)
    (Addition(items=(4,), change='four', cost=1),)
    """
    excluded, known = set(problem.excluded), set(problem.items)
    if not excluded.isdisjoint(problem.givens):
        return None
    options = {label: items for label, items in problem.options.items() if label not in excluded}
    wanted = {_Added(number): one.items for number, one in enumerate(additions)}
    named = [item_of(one) for addition in additions for one in addition.items]
    primary = set(problem.primary)
    for number, one in enumerate(additions):
        if primary.isdisjoint(item_of(item) for item in one.items):
            name = f"additions[{number}] ({one.change!r})"
            raise ProblemError(f"{name} has no primary item, so it could never be chosen")
    try:
        enlarged = Problem(
            {**options, **wanted},
            primary=problem.primary,
            multiplicity=problem.multiplicity,
            costs={label: additions[label.number].cost for label in wanted},
            secondary=[*problem.secondary, *(item for item in dict.fromkeys(named) if item not in known)],
            givens=problem.givens,
        )
    except ProblemError as error:
        added = error.label
        if not isinstance(added, _Added):
            raise
        name = f"additions[{added.number}] ({additions[added.number].change!r})"
        raise ProblemError(error.message.replace(f"option {str(added)!r}", name)) from None
    solution = find_cheapest(enlarged, engine, make_stop(stop=stop))
    return None if solution is None else tuple(additions[one.number] for one in solution if isinstance(one, _Added))
