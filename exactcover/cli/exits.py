"""The exit statuses of the command line."""

from __future__ import annotations

from enum import IntEnum

from exactcover.control.statistics import Statistics, Status
from exactcover.errors import StoppedError

__all__ = ["Exit", "ReportedStopError"]


class Exit(IntEnum):
    """An exit status. NO_SOLUTION always means a proof; 20 is what SAT solvers use, and Python itself never does.

    An interrupted process ends with 128 plus the number of the signal, as is usual in shells.
    """

    DELIVERED = 0
    BAD_INPUT = 2
    STOPPED = 3
    NOT_VERIFIED = 4
    NO_SOLUTION = 20
    FAULT = 70
    NOT_WRITTEN = 74
    INTERRUPTED = 130

    @classmethod
    def from_status(cls, status: Status) -> Exit:
        """Return the exit status for a search that ended with `status`."""
        return {
            Status.UNSATISFIABLE: cls.NO_SOLUTION,
            Status.TIMEOUT: cls.STOPPED,
            Status.MEMORY: cls.STOPPED,
            Status.NODES: cls.STOPPED,
            Status.INTERRUPTED: cls.INTERRUPTED,
        }.get(status, cls.DELIVERED)


class ReportedStopError(StoppedError):
    """A stop that has already been reported on standard error."""

    def __init__(self, status: Status) -> None:
        super().__init__(status, 0, Statistics())
