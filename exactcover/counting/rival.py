"""The direct count of a whole problem, which goes on beside the count of its parts and may end first."""

from __future__ import annotations

import math

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.counting.direct import DirectCount
from exactcover.counting.task import TimedTask, Turn

__all__ = ["Rival"]


class Rival:
    """The direct count of a whole problem.

    Parameters
    ----------
    direct
        The count, which has begun.
    gain
        The factor that symmetries are expected to save.
    policy
        When it gets its turns.
    risk
        The share of the parts that may take longer than expected.
    """

    def __init__(
        self, direct: DirectCount, gain: float, policy: CountingPolicy = DEFAULT_POLICY, risk: float = 1.0
    ) -> None:
        self.direct, self._gain, self._policy, self._risk = direct, gain, policy, risk
        self._progress = 0.0, 0.0  # seconds and explored share of the parts when that last increased
        self._current: TimedTask | None = None  # what it has got last

    def next_turn(self, spent: float, explored: float, left: float = math.inf) -> Turn | None:
        """Return its next turn, if it is due.

        Parameters
        ----------
        spent
            Seconds spent on the parts.
        explored
            The share of the whole that the parts have explored.
        left
            The estimated seconds that the parts still need; infinity if nothing is known.
        """
        own, policy = self.direct.spent, self._policy
        if self._current is None or self._current.is_done:
            if explored > policy.progress_factor * self._progress[1]:
                self._progress = spent, explored
            is_late = left >= self.direct.left() and self._are_parts_late(spent)
            share = policy.rival_late_share if is_late else policy.rival_share * self._risk
            due = share * (spent + own) - own
            if due < max(policy.rival_turn, policy.rival_turn_share * own):  # it might not even begin another way
                return None
            due = min(due, max(policy.rival_turn, own))  # a better estimate may show that the parts are not late
            self._current = TimedTask(self.direct, lambda: self.direct.spent, due)
        return self._current.next_turn()

    def _are_parts_late(self, spent: float) -> bool:
        policy, own, explored = self._policy, self.direct.spent, self.direct.explored()
        is_stalled = spent > policy.stall_factor * self._progress[0] + policy.stall_seconds
        return is_stalled or (
            explored > 0 and spent > policy.late_factor * (own / explored / self._gain) + policy.late_seconds
        )
