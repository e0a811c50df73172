"""What a count has to work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.counting.direct import DirectCount
from exactcover.counting.observer import CountObserver
from exactcover.model.matrix import Matrix
from exactcover.steps.step import StepResult, Weights

__all__ = ["CountSetup"]


@dataclass(frozen=True)
class CountSetup:
    """What a count, and those of its components, have to work with.

    Attributes
    ----------
    start
        Starts the direct count of a matrix.
    stop
        Polled often.
    reduce
        Reduces a matrix that takes long to count; None to reduce none.
    weigh
        Finds weights that show that a matrix has no solution; None to find none.
    components
        Whether a matrix may be counted by components.
    symmetry
        Whether it may be counted by orbits.
    eager
        Whether it is split at once if it has symmetries, without counting it directly for a while before; the direct
        count goes on beside the parts.
    policy
        What pays.
    observer
        Sees what the count consists of.
    """

    start: Callable[[Matrix], DirectCount]
    stop: Stop
    reduce: Callable[[Matrix], StepResult] | None = None
    weigh: Callable[[Matrix], Weights | None] | None = None
    components: bool = False
    symmetry: bool = False
    eager: bool = False
    policy: CountingPolicy = DEFAULT_POLICY
    observer: CountObserver = field(default_factory=CountObserver)
