"""What is asked of a model: a goal, how to search, and which options must and must not be chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from exactcover.control.options import ALL, Goal, SearchOptions

__all__ = ["Query"]


@dataclass(frozen=True)
class Query:
    """What is asked of a model.

    Attributes
    ----------
    goal, options
        What is wanted, and how to search for it.
    given, without
        The positions of options that every solution must contain, and must not.

    Raises
    ------
    ValueError
        If the goal and the options exclude each other.
    """

    goal: Goal = ALL
    options: SearchOptions = field(default_factory=SearchOptions)
    given: tuple[int, ...] = ()
    without: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.options.distinct and self.goal.kind == "cheapest":
            raise ValueError("one solution of each class cannot be looked for by restarts or costs")
        if self.options.restarts and self.goal.limit != 1:
            raise ValueError("restarts are for one solution; limit must be 1")

    @property
    def engine(self) -> str:
        """The name of the engine; the shape of the search tree is written by the core."""
        return "sets" if self.options.writes_shape else self.options.engine

    @property
    def reduces(self) -> bool | None:
        """Whether to reduce the problem before the search; None where a count may do so later."""
        if self.options.writes_shape or self.goal.kind == "diagram":
            return False
        if self.options.reduce is None and self.goal.kind == "cheapest":
            return True
        return self.options.reduce
