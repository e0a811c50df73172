"""The direct count of a whole problem, which goes on beside the count of its parts and may end first."""

from __future__ import annotations

import math
import time

from exactcover.symmetry.parts import Part

__all__ = ["Rival"]

_LEAST_TURN = 0.01  # seconds
_TURN_SHARE = 0.2  # length of a turn, as a share of the time spent so far
_SHARE = 0.15  # of the time, while the parts are not late
_LATE_SHARE = 0.6  # after that
_TOLERANCE = 2  # the parts are late if they take this factor on what was predicted, plus this many seconds,
_TOLERANCE_SECONDS = 0.05
_STALL = 1.3  # or if this factor on their time, plus this many seconds, brings no progress
_STALL_SECONDS = 0.05
_PROGRESS = 1.2  # factor on the share explored that counts as progress


class Rival:
    """The direct count of a whole problem.

    Parameters
    ----------
    part
        The whole problem, with a run that has begun.
    gain
        The factor that symmetries are expected to save.
    """

    def __init__(self, part: Part, gain: float) -> None:
        self.part, self._gain = part, gain
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
        if explored > _PROGRESS * self._progress[1]:
            self._progress = spent, explored
        share = _LATE_SHARE if self._are_parts_late(spent) else _SHARE
        due = share * (spent + part.spent) - part.spent
        if due < max(_LEAST_TURN, _TURN_SHARE * part.spent):  # a short turn might not even begin another strategy
            return False
        began = time.perf_counter()
        done = part.patience.attempt(due, part.run.count)
        part.spent += time.perf_counter() - began
        return done

    def _are_parts_late(self, spent: float) -> bool:
        assert self.part.run is not None
        explored = self.part.run.explored()
        predicted = self.part.spent / explored / self._gain if explored > 0 else math.inf
        stalled = spent > _STALL * self._progress[0] + _STALL_SECONDS
        return stalled or spent > _TOLERANCE * predicted + _TOLERANCE_SECONDS
