"""Queries: a goal, the options of the search, and the options that must and must not be chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from exactcover.control.arguments import check_instance
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.engines.base import Demands, describe_demands, find_demands

__all__ = ["KnownSolution", "Query"]


@dataclass(frozen=True)
class KnownSolution:
    """A solution that is known before a search: the positions of its options, and the nodes visited for it."""

    positions: tuple[int, ...]
    nodes: int


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
    known
        For the cheapest solution: a solution that is known already, or None.
    observers
        Observers of the search.
    policy
        How a count decides which way to go on.
    project
        The positions of options; solutions that choose the same of these count as one. None if all options matter.

    Raises
    ------
    ValueError
        If `options` asks for a race, and the goal is not the cheapest solutions; if a projection is wanted, and the
        goal is not to list or count solutions, or options ask for a certain search; if the goal is the cheapest ones,
        and `options` asks for distinct solutions, a seed, symmetry or several jobs; if the goal is a diagram, and
        `options` asks for distinct solutions, symmetry or a reduction; if `options.restarts` is set, and the goal is
        not the first solution; or if somebody watches the nodes of a search that does not visit one tree in the usual
        way.
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
    known: KnownSolution | None = None

    def __post_init__(self) -> None:
        check_instance("goal", self.goal, Goal, "a Goal")
        check_instance("options", self.options, SearchOptions, "SearchOptions or None")
        if self.goal.kind == "cheapest":
            self._check_cheapest()
        elif self.options.race:
            raise ValueError("a race is about the cheapest solutions, and does not apply to other goals")
        if self.options.restarts and self.goal.limit != 1:
            raise ValueError("a search with restarts finds one solution; limit must be 1")
        if self.goal.kind == "diagram":
            self._check_diagram()
        self._check_observers()
        if self.project is not None:
            self._check_projection()

    def _check_projection(self) -> None:
        if self.goal.kind not in ("first", "all", "count"):
            raise ValueError("a projection can be listed and counted; project does not apply to cheapest or diagrams")
        for name in ("distinct", "symmetry", "restarts"):
            if getattr(self.options, name):
                raise ValueError(f"a projection is searched in a way of its own, so {name} does not apply")
        if self.demands:
            raise ValueError(
                f"a projection is searched in a way of its own; leave out {describe_demands(self.demands)}"
            )

    def _check_cheapest(self) -> None:
        options, goal = self.options, self.goal
        if self.differing is not None and (goal.gap is not None or goal.within is not None):
            raise ValueError("solutions that differ are the cheapest ones, so neither a gap nor within applies")
        if self.observers and (self.differing is not None or goal.within is not None):
            raise ValueError("several searches find these solutions, so neither a search log nor a profile applies")
        if options.distinct:
            raise ValueError("the cheapest solutions cannot be one of each class, so distinct does not apply")
        if options.seed is not None:
            raise ValueError("the cheapest solutions are searched for in the order of cost, so a seed does not apply")
        if options.symmetry:
            raise ValueError("the cheapest solutions are searched for one by one, so symmetry does not apply")
        if options.jobs > 1:
            raise ValueError("the cheapest solutions are searched for by one thread; jobs must be 1")

    def _check_diagram(self) -> None:
        for name in ("distinct", "symmetry", "reduce"):
            value = getattr(self.options, name)
            if value:
                raise ValueError(f"a diagram contains all solutions of the problem; {name} must not be {value!r}")

    def _check_observers(self) -> None:
        options, observers = self.options, self.observers
        if observers.profile is not None and options.jobs > 1:
            raise ValueError("the nodes of each level are counted by one thread; jobs must be 1")
        if observers.log is not None and (options.restarts or options.distinct):
            raise ValueError("a search log cannot be combined with restarts or distinct")
        if observers and options.symmetry:
            raise ValueError("symmetry cannot be combined with a search log or a profile")

    @property
    def demands(self) -> Demands:
        """What the engine must support."""
        demands = dict(find_demands(self.options, self.observers))
        if self.goal.within is not None:
            demands["within"] = str(self.goal.within)
        return demands

    @property
    def reduces(self) -> bool | None:
        """Whether to reduce the problem before the search; None if a count may decide to do so later."""
        if self.goal.kind == "diagram":
            return False
        if self.observers.log is not None:  # which shows one tree
            return bool(self.options.reduce)
        if self.options.reduce is None and self.project is not None:
            return False
        if self.options.reduce is None and self.goal.kind == "cheapest":
            return True
        return self.options.reduce
