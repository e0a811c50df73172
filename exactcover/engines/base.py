"""The interface of engines, which is all that a search knows of them."""

from __future__ import annotations

from abc import ABC
from array import array
from collections.abc import Mapping
from typing import ClassVar, Protocol, TypeAlias

from exactcover.control.options import ALL, DEFAULTS, OPTIONS, Goal, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.recorder import NOBODY, Observers, TreeRecorder
from exactcover.control.stop import Stop
from exactcover.engines.cursor import MAX_BATCH, ROOT, CheapestCursorRun, Cursor, CursorRun, Pace, ReusableCursor
from exactcover.engines.leaves import Leaf, RunLeaf, SearchLeaf
from exactcover.engines.runs import EngineRun
from exactcover.errors import EngineUnavailableError
from exactcover.model.matrix import Matrix
from exactcover.steps.step import drop_costs

__all__ = ["Demands", "Engine", "TextRun", "describe_demands", "find_demands"]

Demands: TypeAlias = Mapping[str, object]
"""The options that do not have their default values, and the observers, by name; a heuristic may be a ``function``."""

_OBSERVERS = {"profile": "a profile", "log": "a search log"}
_WORDS = {"function": "a function as heuristic", **_OBSERVERS}


def find_demands(options: SearchOptions, observers: Observers = NOBODY) -> Demands:
    """Return the features that the engine of a search must support.

    Examples
    --------
    >>> find_demands(SearchOptions(jobs=4, seed=1))
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
        Whether its cursors can be divided, and their trees be probed.
    supports
        The names of the options and observers that it can honor: fields of ``SearchOptions``; ``function`` for a
        function as heuristic; ``profile`` and ``log``; and ``within`` for a ceiling of costs.
    supports_counts
        The features that it supports besides `supports` if only the number of solutions is wanted.
    takes_weights
        Whether it can search where an option covers an item several times.
    """

    name: str
    searches: ClassVar[bool] = False
    divides: ClassVar[bool] = False
    supports: ClassVar[frozenset[str]] = frozenset()
    supports_counts: ClassVar[frozenset[str]] = frozenset()
    takes_weights: ClassVar[bool] = False

    def obstacle(self, matrix: Matrix) -> str | None:
        """Return why this engine cannot search a matrix without weights, or None if it can."""
        return None

    def find_obstacle(self, matrix: Matrix) -> str | None:
        """Return why this engine cannot search a matrix, or None if it can."""
        if matrix.weighted and not self.takes_weights:
            return "it takes no options that cover an item several times"
        return self.obstacle(matrix)

    def cursor(
        self, matrix: Matrix, stop: Stop, options: SearchOptions = DEFAULTS, observers: Observers = NOBODY
    ) -> Cursor:
        """Return a cursor over a matrix; an engine that has none defines :meth:`start`.

        Parameters
        ----------
        matrix
            The matrix.
        stop
            Polled often, also during the setup.
        options
            Those that the engine supports matter.
        observers
            Observers of the nodes.
        """
        raise NotImplementedError

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions = DEFAULTS,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
        ceiling: int | None = None,
    ) -> EngineRun:
        """Start a search. It polls `stop`, also during the setup.

        Options and observers that the engine does not support are refused before; see :func:`pick_engine`. Only engines
        that support ``within`` take a ceiling, which the cheapest solutions must cost less than; costs ascend then.
        """
        cursor = self.cursor(matrix, stop, options, observers)
        if goal.cheapest is not None and not cursor.finds_cheapest:
            raise EngineUnavailableError(f"engine {self.name!r} does not look for the cheapest solutions")
        cursor.pace = Pace(is_steady=options.restarts or goal.limit is not None or options.nodes is not None)
        cursor.begin(ROOT, goal.cheapest or 0, ceiling)
        most = MAX_BATCH if observers.log is None else 1  # a log ends with the last solution
        run = CursorRun(cursor, most, goal.limit)
        return run if goal.cheapest is None else CheapestCursorRun(run, matrix.costs)

    def leaves(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions,
        policy: CountingPolicy,
        log: TreeRecorder | None = None,
    ) -> list[Leaf]:
        """Return the leaves of a count, in the order in which these should begin.

        Parameters
        ----------
        matrix
            The matrix, whose costs do not matter.
        stop
            Polled while a leaf begins.
        options
            Options of the count.
        policy
            The numbers that decide when a leaf begins, and what is hopeless.
        log
            Records the nodes of leaves that search.
        """
        observers = Observers(log=log)
        if not self.divides:
            return [RunLeaf(lambda: self.start(matrix, stop, options, observers=observers))]

        def make_cursor() -> Cursor:
            return self.cursor(drop_costs(matrix).matrix, stop, options, observers)

        return [SearchLeaf(make_cursor)]

    def refusal(self, demands: Demands, *, counting: bool = False) -> str | None:
        """Return which demands this engine does not support, in words, or None if it supports them all."""
        supported = self.supports | self.supports_counts if counting else self.supports
        refused = {name: value for name, value in demands.items() if name not in supported}
        return f"does not support {describe_demands(refused)}" if refused else None

    def reusable(self, matrix: Matrix, stop: Stop) -> ReusableCursor | None:
        """Return a search that can be repeated cheaply, or None if this engine has none; polls `stop`."""
        return None

    def text_run(self, matrix: Matrix, layouts: list[str], table: array[int], stop: Stop) -> TextRun | None:
        """Return a search for instances that are written as text, or None if this engine has none; polls `stop`.

        Parameters
        ----------
        matrix
            The matrix.
        layouts, table
            The form of instances; see :class:`~exactcover.model.text_form.TextForm`.
        stop
            Polled during the setup.
        """
        return None
