"""The direct count of a whole problem, which goes on beside the count of its parts and may end first."""

from __future__ import annotations

import math
import time

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.symmetry.parts import Part

__all__ = ["Rival"]


class Rival:
    """The direct count of a whole problem.

    Parameters
    ----------
    part
        The whole problem, with a run that has begun.
    gain
        The factor that symmetries are expected to save.
    policy
        When it gets its turns.
    """

    def __init__(self, part: Part, gain: float, policy: CountingPolicy = DEFAULT_POLICY) -> None:
        self.part, self._gain, self._policy = part, gain, policy
        self._progress = 0.0, 0.0  # seconds and explored share of the parts when that last increased

    def take_turn(self, spent: float, explored: float) -> bool:
        """Go on for the time that is due; return whether the count is done.

        Parameters
        ----------
        spent
            Seconds spent on the parts.
        explored
            The share of the whole that the parts have explored.
        """
        part = self.part
        assert part.run is not None and part.patience is not None
        policy = self._policy
        if explored > policy.progress_factor * self._progress[1]:
            self._progress = spent, explored
        share = policy.rival_late_share if self._are_parts_late(spent) else policy.rival_share
        due = share * (spent + part.spent) - part.spent
        least = max(policy.rival_turn, policy.rival_turn_share * part.spent)
        if due < least:  # a short turn might not even begin another strategy
            return False
        began = time.perf_counter()
        done = part.patience.attempt(due, part.run.count)
        part.spent += time.perf_counter() - began
        return done

    def _are_parts_late(self, spent: float) -> bool:
        assert self.part.run is not None
        policy = self._policy
        explored = self.part.run.explored()
        predicted = self.part.spent / explored / self._gain if explored > 0 else math.inf
        stalled = spent > policy.stall_factor * self._progress[0] + policy.stall_seconds
        return stalled or spent > policy.late_factor * predicted + policy.late_seconds
