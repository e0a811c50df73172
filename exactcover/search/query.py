"""Queries: a goal, the options of the search, and the options that must and must not be chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from exactcover.control.arguments import check_instance
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.recorder import NOBODY, Observers
from exactcover.control.rules import check_features
from exactcover.engines.base import Demands, find_demands

__all__ = ["Query"]


@dataclass(frozen=True)
class Query:
    """A query for solutions of a model.

    Attributes
    ----------
    goal, options
        The goal, and how to search.
    given, without
        The positions of options that every solution must contain, and must not contain.
    differing
        For the cheapest solutions: positions of options; no two solutions contain the same of them. Empty for all.
    observers
        Observers of the search.
    policy
        The numbers by which a count decides how to go on.
    project
        The positions of options; solutions that choose the same of these count as one. None if all options matter.

    Raises
    ------
    ValueError
        If what is asked for cannot be combined; see :mod:`exactcover.control.rules`.
    TypeError
        If `goal` or `options` have another type.
    """

    goal: Goal = ALL
    options: SearchOptions = field(default_factory=SearchOptions)
    given: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    differing: tuple[int, ...] | None = None
    observers: Observers = NOBODY
    policy: CountingPolicy = DEFAULT_POLICY
    project: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        check_instance("goal", self.goal, Goal, "a Goal")
        check_instance("options", self.options, SearchOptions, "SearchOptions or None")
        goal = self.goal
        kind = "most" if goal.maximize else "limit" if goal.kind == "first" else goal.kind
        asked = {kind: goal.number or True, "gap": goal.gap, "within": goal.within}
        asked |= {"differing": self.differing is not None, "project": self.project is not None}
        watched = {"search_log": self.observers.log, "profile": self.observers.profile}
        check_features(vars(self.options) | asked | watched)

    @property
    def demands(self) -> Demands:
        """The features that the engine must support."""
        demands = dict(find_demands(self.options, self.observers))
        if self.goal.within is not None:
            demands["within"] = str(self.goal.within)
        return demands

    @property
    def reduces(self) -> bool | None:
        """True if the problem is reduced before the search; None if a count may decide to do so later."""
        if self.goal.kind == "diagram":
            return False
        if self.observers.log is not None:  # which shows one tree
            return bool(self.options.reduce)
        if self.options.reduce is None and self.project is not None:
            return False
        if self.options.reduce is None and self.goal.kind == "cheapest":
            return True
        return self.options.reduce
