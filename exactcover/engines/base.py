"""The interface of engines, which is all that a search knows of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol, TypeAlias

from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, DEFAULTS, OPTIONS, Goal, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.recorder import TreeRecorder
from exactcover.control.stop import Stop
from exactcover.engines.runs import EngineRun
from exactcover.engines.trees import DivisibleLeaf, LeafMaker, RunLeaf, Subtree, SubtreeSearch, Tree
from exactcover.model.matrix import Matrix

__all__ = ["Demands", "Engine", "ReusableRun", "TextRun", "describe_demands", "find_demands"]

Demands: TypeAlias = Mapping[str, object]
"""The options that do not have their default values, and the observers, by name; a heuristic may be a ``function``."""

_OBSERVERS = {"profile": "a profile", "log": "a search log"}
_WORDS = {"function": "a function as heuristic", **_OBSERVERS}


def find_demands(options: SearchOptions, observers: Observers) -> Demands:
    """Return what the engine of a search must support.

    Examples
    --------
    >>> from exactcover.control.observers import NOBODY
    >>> find_demands(SearchOptions(jobs=4, seed=1), NOBODY)
    {'jobs': 4}
    """
    values = {name: getattr(options, name) for name, facts in OPTIONS.items() if facts.of_engine}
    demands = {name: value for name, value in values.items() if value != getattr(DEFAULTS, name)}
    if callable(demands.get("heuristic")):
        demands["function"] = demands.pop("heuristic")
    watching = {name: getattr(observers, name) for name in _OBSERVERS}
    return demands | {name: observer for name, observer in watching.items() if observer is not None}


def describe_demands(demands: Demands) -> str:
    """Return demands in words; what is only asked for or not has no value.

    Examples
    --------
    >>> describe_demands({"jobs": 4, "restarts": True})
    'jobs=4, restarts'
    """
    return ", ".join(
        _WORDS.get(name) or (name if value is True else f"{name}={value!r}") for name, value in demands.items()
    )


class ReusableRun(Protocol):
    """A search over one matrix that can be repeated with different givens."""

    def solve(self, given: Sequence[int], without: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        """Return at most `limit` solutions that contain all of `given` and none of `without`.

        Returns
        -------
        list of tuple
            Ascending option numbers.

        Raises
        ------
        Stopped
            If `stop` asks for it.
        """
        ...


class TextRun(Protocol):
    """A search over one problem that can be repeated for instances that are written as text."""

    def answer(self, texts: list[str], seconds: float, stop: Stop) -> list[tuple[int, str] | None]:
        """Return the answers to the first of some instances, as many as are found in about this time, at least one.

        Returns
        -------
        list of tuple or None
            The number of solutions, 1 or 2, where 2 stands for more as well, and the first solution as text. None if
            there is no solution, or the text has another form.

        Raises
        ------
        Stopped
            If `stop` asks for it.
        """
        ...


class Engine(ABC):
    """A way to search. All engines find the same set of solutions.

    Attributes
    ----------
    name
        The name by which users request it.
    searches
        Whether ``engine="auto"`` may pick it to search. Of such engines, the first one registered that can search the
        matrix is picked.
    divides
        Whether it can search subtrees; see :meth:`subtrees`.
    supports
        The names of the options and observers that it can honor, with ``function`` for a function as heuristic; see
        :mod:`exactcover.engines.base`.
    supports_counts
        What it can honor besides `supports` if only the number of solutions is wanted.
    """

    name: str
    searches: ClassVar[bool] = False
    divides: ClassVar[bool] = False
    supports: ClassVar[frozenset[str]] = frozenset()
    supports_counts: ClassVar[frozenset[str]] = frozenset()

    def obstacle(self, matrix: Matrix) -> str | None:
        """Return why this engine cannot search a matrix, or None if it can."""
        return None

    @abstractmethod
    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> EngineRun:
        """Start a search. It polls `stop`, also during the setup.

        Options and observers that the engine does not support are refused before; see :func:`pick_engine`.
        """

    def start_below(self, matrix: Matrix, stop: Stop, wanted: int, ceiling: int) -> EngineRun:
        """Start a search for the cheapest solutions of those that cost less than a ceiling.

        Only engines that support ``within`` can do so; the costs of the matrix ascend.
        """
        from exactcover.engines.trees import BelowRun  # seldom needed

        search = self.subtrees(matrix, stop)
        assert search is not None
        return BelowRun(search, wanted, ceiling)

    def leaves(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions,
        policy: CountingPolicy,
        log: TreeRecorder | None = None,
    ) -> list[LeafMaker]:
        """Return what makes the leaves of a count, in the order in which these should begin.

        Parameters
        ----------
        matrix
            The matrix, whose costs do not matter.
        stop
            Polled while a leaf begins.
        options
            How to count.
        policy
            When a leaf begins, and what is hopeless.
        log
            Records the nodes of leaves that search.
        """

        def list_all() -> RunLeaf:
            return RunLeaf(lambda: self.start(matrix, stop, options, observers=Observers(log=log)))

        return [LeafMaker("list", list_all)]

    def subtree_leaf(self, search: SubtreeSearch, subtree: Subtree) -> DivisibleLeaf | None:
        """Return a leaf that counts a subtree by a search of this engine, or None if its searches cannot do that."""
        return None

    def refusal(self, demands: Demands, *, counting: bool = False) -> str | None:
        """Return which demands this engine does not support, in words, or None if it supports them all."""
        supported = self.supports | self.supports_counts if counting else self.supports
        refused = {name: value for name, value in demands.items() if name not in supported}
        return f"does not support {describe_demands(refused)}" if refused else None

    def tree(self, matrix: Matrix, stop: Stop) -> Tree | None:
        """Return the tree of the search, or None if this engine cannot probe it; polls `stop` during the setup."""
        return None

    def reusable(self, matrix: Matrix, stop: Stop) -> ReusableRun | None:
        """Return a search that can be repeated cheaply, or None if this engine has none; polls `stop`."""
        return None

    def text_run(self, matrix: Matrix, layouts: list[str], table: array[int], stop: Stop) -> TextRun | None:
        """Return a search for instances that are written as text, or None if this engine has none; polls `stop`.

        Parameters
        ----------
        matrix
            The matrix.
        layouts, table
            How instances are written; see :class:`~exactcover.model.text_form.TextForm`.
        stop
            Polled during the setup.
        """
        return None

    def subtrees(self, matrix: Matrix, stop: Stop, log: TreeRecorder | None = None) -> SubtreeSearch | None:
        """Return a search of subtrees, or None if this engine cannot divide a search; both poll `stop`.

        Parameters
        ----------
        matrix
            The matrix.
        stop
            Polled often.
        log
            Records the nodes that searches and :meth:`SubtreeSearch.children` visit.
        """
        return None
