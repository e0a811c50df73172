"""Exit statuses: what a process says when it ends."""

from __future__ import annotations

from enum import IntEnum

from exactcover.control.statistics import Statistics, Status
from exactcover.errors import StoppedError

__all__ = ["Exit", "ToldStopError"]


class Exit(IntEnum):
    """What a process says when it ends. NO_SOLUTION is a proof, and nothing else ends with it.

    An interrupted process ends with 128 and the number of the signal, as shells have it.
    """

    DELIVERED = 0
    NO_SOLUTION = 1
    BAD_INPUT = 2
    STOPPED = 3
    NOT_VERIFIED = 4
    FAULT = 70
    NOT_WRITTEN = 74
    INTERRUPTED = 130

    @classmethod
    def after(cls, status: Status) -> Exit:
        """Return the exit status for a search that ended so."""
        return {
            Status.UNSATISFIABLE: cls.NO_SOLUTION,
            Status.TIMEOUT: cls.STOPPED,
            Status.MEMORY: cls.STOPPED,
            Status.INTERRUPTED: cls.INTERRUPTED,
        }.get(status, cls.DELIVERED)


class ToldStopError(StoppedError):
    """Something was stopped, and whoever raises this has said so."""

    def __init__(self, status: Status) -> None:
        super().__init__(status, 0, Statistics())
