"""A count as a run, which is what a search knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from exactcover.counting.count import Count
from exactcover.counting.scheduler import Scheduler
from exactcover.engines.runs import EngineRun

if TYPE_CHECKING:  # seldom needed
    from exactcover.counting.classes import ClassCount

__all__ = ["CountRun"]


class CountRun(EngineRun):
    """A run that counts, and lists nothing.

    Parameters
    ----------
    task
        The count.
    scheduler
        What does it.
    """

    def __init__(self, task: Count | ClassCount, scheduler: Scheduler) -> None:
        super().__init__()
        self._task, self._scheduler, self._listed = task, scheduler, iter(())

    def count(self) -> int:
        self._scheduler.run(self._task)
        return self._task.solutions

    @property
    def solutions(self) -> int:
        return self._task.solutions

    @property
    def nodes(self) -> int:
        return self._task.nodes

    def explored(self) -> float:
        return self._task.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._task.details
