"""The count of a subtree of a search: by that search, and by other ways beside it; whatever ends first is the count.

Unlike other counts it can be ended at any time without losing what the search has done.
"""

from __future__ import annotations

from collections.abc import Callable

from exactcover.control.options import SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler, TimedTask
from exactcover.engines.cursor import Subtree
from exactcover.engines.leaves import LeafMaker, SearchLeaf
from exactcover.engines.registry import ENGINES
from exactcover.model.matrix import Matrix
from exactcover.steps.restriction import restrict

__all__ = ["SubtreeCount"]


class SubtreeCount:
    """The count of a subtree.

    Parameters
    ----------
    matrix
        The matrix that is searched.
    subtree
        The subtree.
    search
        The leaf that searches it.
    memory
        Returns about how many bytes other ways may hold.
    stop
        Polled often.
    policy
        The numbers that divide the time among the ways.
    """

    def __init__(
        self,
        matrix: Matrix,
        subtree: Subtree,
        search: SearchLeaf,
        memory: Callable[[], int],
        stop: Stop,
        policy: CountingPolicy = DEFAULT_POLICY,
    ) -> None:
        self._search, self._scheduler = search, Scheduler(stop)
        makers = [LeafMaker("search", lambda: search)]
        left = restrict(matrix, subtree.chosen, subtree.excluded)
        if left.reason is None and "diagram" in ENGINES:
            others = ENGINES["diagram"].leaves(left.matrix, stop, SearchOptions(), policy)
            makers += (maker for maker in others if maker.name != search.name)
        self._direct = DirectCount(makers, memory, policy=policy)

    def advance(self, seconds: float) -> bool:
        """Go on for about this many seconds of processor time; return whether there is more to do.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        self._scheduler.run(TimedTask(self._direct, lambda: self._direct.spent, seconds))
        return not self._direct.is_done

    @property
    def is_led_by_search(self) -> bool:
        """True if the search is expected to end first, so that nothing is lost if it goes on elsewhere."""
        return self._direct.is_led_by_search

    def end(self) -> tuple[int, list[Subtree]]:
        """End the count.

        Returns
        -------
        tuple
            The number of solutions so far, and the rest of the subtree, in the order of the tree.
        """
        self._direct.close()
        if self._direct.is_done:
            return self._direct.solutions, []
        rest = [left for level in reversed(self._search.take_rest()) for left in level]
        return self._search.total(), rest

    @property
    def nodes(self) -> int:
        """The number of subproblems and states that were visited."""
        return self._direct.nodes
