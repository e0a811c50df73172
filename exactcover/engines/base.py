"""The interface of engines, which is all that a search knows of them; engines by name, and the choice among them."""

from __future__ import annotations

import importlib
import importlib.util
from abc import ABC
from array import array
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from exactcover.control.memory import is_lack_of_memory
from exactcover.control.options import ALL, DEFAULTS, OPTIONS, Goal, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.recorder import NOBODY, Observers, TreeRecorder
from exactcover.control.stop import Stop
from exactcover.engines.cursor import (
    MAX_BATCH,
    ROOT,
    CheapestCursorRun,
    Cursor,
    CursorRun,
    EngineRun,
    Pace,
)
from exactcover.engines.leaves import Leaf, SearchLeaf
from exactcover.errors import EngineUnavailableError, nearest
from exactcover.model.matrix import Matrix
from exactcover.steps.step import drop_costs

if TYPE_CHECKING:
    import exactcover._native as _native
    from exactcover.model.text_form import TextForm

Demands: TypeAlias = Mapping[str, object]
"""The options that do not have their default values, and the observers, by name; a heuristic may be a ``function``."""

_OBSERVERS = {"profile": "a profile", "log": "a search log"}
_WORDS = {"function": "a function as heuristic", **_OBSERVERS}


def find_demands(options: SearchOptions, observers: Observers = NOBODY) -> Demands:
    """Return the features that the engine of a search must support."""
    demands: dict[str, object] = {}
    for name, facts in OPTIONS.items():
        value = getattr(options, name)
        if facts.of_engine and value != getattr(DEFAULTS, name):
            demands["function" if callable(value) else name] = value
    for name in _OBSERVERS:
        if (observer := getattr(observers, name)) is not None:
            demands[name] = observer
    return demands


class TextRun:
    """A search in C++ for instances that are written as text; those with several kinds of blanks have no answers."""

    def __init__(self, solver: _native.InstanceSolver, blanks: str) -> None:
        self._solver, self._blanks = solver, blanks

    def answer(self, texts: list[str], seconds: float, stop: Stop) -> list[tuple[int, str] | None]:
        """Return the answers to the first of some instances, as many as are found in about this time, at least one.

        Each is the number of solutions, 1 or 2, where 2 stands for more as well, and the first solution as text; or
        None if there is no solution, or the text has another form.
        """
        own = [text if sum(map(text.__contains__, self._blanks)) < 2 else "" for text in texts]
        answers = self._solver.answer(own, seconds, stop.poll)
        return [None if answer is None or answer[0] == 0 else answer for answer in answers]


class MatrixQuery(NamedTuple):
    """A question to an engine."""

    matrix: Matrix
    stop: Stop
    options: SearchOptions = DEFAULTS
    goal: Goal = ALL
    observers: Observers = NOBODY
    ceiling: int | None = None


class Engine(ABC):
    """A way to search. All engines find the same set of solutions.

    `supports` holds the names of the options and observers that it can honor: fields of ``SearchOptions``; ``function``
    for a function as heuristic; ``profile`` and ``log``; and ``within`` for a ceiling of costs. Of the engines that
    "auto" may pick and that can search a matrix, the first one registered is picked.
    """

    name: str  # the name by which users request it
    searches: ClassVar[bool] = False  # whether "auto" may pick it to search
    has_cursor: ClassVar[bool] = True  # whether it defines `cursor`
    divides: ClassVar[bool] = False  # whether its cursors can be divided, and their trees be probed
    supports: ClassVar[frozenset[str]] = frozenset()
    supports_counts: ClassVar[frozenset[str]] = frozenset()  # what else, if only the number of solutions is wanted
    takes_weights: ClassVar[bool] = False  # whether it can search where an option covers an item several times
    takes_rules: ClassVar[bool] = False  # whether it keeps rules about graphs

    def find_obstacle(self, matrix: Matrix) -> str | None:
        """Return why this engine cannot search a matrix, or None if it can; derived classes add to this."""
        if matrix.weighted and not self.takes_weights:
            return "it takes no options that cover an item several times"
        if matrix.rules and not self.takes_rules:
            return "it does not know rules about graphs"
        return None

    def cursor(
        self, matrix: Matrix, stop: Stop, options: SearchOptions = DEFAULTS, observers: Observers = NOBODY
    ) -> Cursor:
        """Return a cursor over a matrix; an engine that has none defines :meth:`start`.

        The stop is polled often, also during the setup. Of the options, those matter that the engine supports.
        """
        raise NotImplementedError

    def start(self, query: MatrixQuery) -> EngineRun:
        """Start a search, by default with a cursor; the stop is polled often, also during the setup.

        Options and observers that the engine does not support are refused before; see :func:`pick_engine`. Only engines
        that support ``within`` take a ceiling, which the cheapest solutions must cost less than; costs ascend then.
        """
        matrix, stop, options, goal, observers, ceiling = query
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
        """Return the leaves of a count, for which costs do not matter, in the order in which these should begin.

        The stop is polled while a leaf begins. The policy decides when a leaf begins, and what is hopeless. The log
        records the nodes of leaves that search.
        """
        observers = Observers(log=log)
        return [SearchLeaf(lambda: self.cursor(drop_costs(matrix).matrix, stop, options, observers))]

    def refusal(self, demands: Demands, *, counting: bool = False) -> str | None:
        """Return which demands this engine does not support, in words, or None if it supports them all."""
        supported = self.supports | self.supports_counts if counting else self.supports
        refused = [
            _WORDS.get(name) or (name if value is True else f"{name}={value!r}")
            for name, value in demands.items()
            if name not in supported
        ]
        return f"does not support {', '.join(refused)}" if refused else None

    def reusable(self, matrix: Matrix, stop: Stop) -> Cursor | None:
        """Return a cursor for one instance after another, or None if this engine has none; polls `stop`."""
        return None

    def text_run(self, matrix: Matrix, form: TextForm, table: array[int], stop: Stop) -> TextRun | None:
        """Return a search for instances of a form and its table, or None if this engine has none; polls `stop`."""
        return None


class _Registration(NamedTuple):
    """An engine that can be installed."""

    name: str
    module: str  # in this package
    kind: str  # the name of its class
    needs: str | None = None  # a module that it requires
    remedy: str = ""  # the requirement that provides that module, and how to install it

    def load(self) -> Engine | None:
        """Return the engine, or None if something that it requires is missing."""
        try:
            if not self.can_load():
                return None
            module = importlib.import_module(f"exactcover.engines.{self.module}")
        except ImportError as error:
            if is_lack_of_memory(error, loading=True):
                raise MemoryError from error
            _failures[self.name] = str(error)
            return None
        engine: Engine = getattr(module, self.kind)()
        return engine

    def can_load(self) -> bool:
        """Return whether the module that it requires is there."""
        return self.needs is None or importlib.util.find_spec(self.needs) is not None


_failures: dict[str, str] = {}
"""The failures of engines that cannot be loaded although their requirements are installed."""

_COMPILER = "a C++ compiler at installation"
_PYSAT = "PySAT; install it with: python -m pip install python-sat"
_HIGHS = "HiGHS; install it with: python -m pip install highspy"
_ORTOOLS = "OR-Tools; install it with: python -m pip install ortools"
_REGISTERED = (
    _Registration("native", "native", "NativeEngine", "exactcover._native", _COMPILER),
    _Registration("sets", "sets", "SetsEngine"),
    _Registration("diagram", "diagram", "DiagramEngine", "exactcover._native", _COMPILER),
    _Registration("learning", "learning", "LearningEngine", "pysat", _PYSAT),
    _Registration("bounds", "bounds", "BoundsEngine", "highspy", _HIGHS),
    _Registration("highs", "programs", "HighsEngine", "highspy", _HIGHS),
    _Registration("cpsat", "programs", "CpSatEngine", "ortools", _ORTOOLS),
)


class _Engines(MutableMapping[str, Engine]):
    """The engines that are installed, by name; each is loaded when it is used first."""

    def __init__(self, registered: Iterable[_Registration]) -> None:
        self._entries: dict[str, _Registration | Engine] = {one.name: one for one in registered}

    def __getitem__(self, name: str) -> Engine:
        entry = self._entries[name]
        if isinstance(entry, Engine):
            return entry
        engine = entry.load()
        if engine is None:
            del self._entries[name]
            raise KeyError(name)
        self._entries[name] = engine
        return engine

    def __setitem__(self, name: str, engine: Engine) -> None:
        self._entries[name] = engine

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in [*self._entries] if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


ENGINES: MutableMapping[str, Engine] = _Engines(_REGISTERED)
"""The engines that are installed; of those that search, the fastest comes first."""

_COUNTS = ("diagram", "counts by the strategy that finishes first")
_OPTIMIZES = ("bounds", "bounds what solutions cost, where a search takes long")
_WEIGHS = ("highs", "solves integer programs, where items may be covered several times")
_CUTS = ("learning", "learns clauses from what breaks a rule")
_SEARCHES = "the fastest installed engine that can search the problem"


def check_engine_name(name: str) -> None:
    """Raise ``EngineUnavailableError`` if a name is neither ``auto`` nor that of an installed engine."""
    if not isinstance(name, str):
        raise EngineUnavailableError(f"engine must be the name of an engine; got {name!r}")
    if name == "auto" or name in ENGINES:
        return
    for registration in _REGISTERED:
        if registration.name == name:
            why = f"cannot be loaded: {_failures[name]}" if name in _failures else f"needs {registration.remedy}"
            raise EngineUnavailableError(f"engine {name!r} {why}")
    known = ["auto", *ENGINES]
    raise EngineUnavailableError(
        f"there is no engine called {name!r}{nearest(name, known)} (available: {', '.join(known)})"
    )


def find_remedy(name: str) -> str | None:
    """Return the missing requirement of an engine, and how to install it; None if the engine is there."""
    registration = next(one for one in _REGISTERED if one.name == name)
    # Nothing is loaded, because a search may have been stopped.
    return None if registration.can_load() else registration.remedy


def pick_engine(
    name: str,
    matrix: Matrix | None,
    demands: Demands = MappingProxyType({}),
    *,
    counting: bool = False,
    optimizing: bool = False,
) -> tuple[Engine, str]:
    """Return an engine for a matrix, and the reason why it was picked; the matrix is None if it is not known yet.

    A search that optimizes wants the cheapest solutions, or one of any cost; one that counts, only their number. Raise
    ``EngineUnavailableError`` if the requested engine is not installed, cannot search the matrix, or does not support
    something; with ``"auto"``, if this holds for every engine.
    """
    passed_over: list[str] = []
    weighs = ruled = False
    if matrix is not None:
        is_unsorted = any(cost > later for cost, later in pairwise(matrix.costs))  # is left to integer programs alone
        weighs = optimizing and (matrix.weighted or is_unsorted)
        ruled = bool(matrix.rules) and not optimizing and not counting
    for engine, why in _list_candidates(name, counting=counting, optimizing=optimizing, weighs=weighs, ruled=ruled):
        obstacle = engine.refusal(demands, counting=counting)
        if obstacle is None and matrix is not None:
            obstacle = engine.find_obstacle(matrix)
        if obstacle is None:
            return engine, "; ".join([*passed_over, why]) if why is _SEARCHES else why
        passed_over.append(f"{engine.name}: {obstacle}")
    able = [engine.name for engine in ENGINES.values() if engine.refusal(demands, counting=counting) is None]
    remedy = f"; use engine {able[0]!r}" if able and matrix is None else ""
    if name == "auto":
        what = "run this search" if matrix is None else "search this problem"
        raise EngineUnavailableError(f"no engine can {what} ({'; '.join(passed_over)}){remedy}")
    why = f"{'' if matrix is None else 'cannot search this problem: '}{passed_over[0].partition(': ')[2]}"
    raise EngineUnavailableError(f"engine {name!r} {why}{remedy}")


def _list_candidates(
    name: str, *, counting: bool, optimizing: bool, weighs: bool, ruled: bool
) -> Iterator[tuple[Engine, str]]:
    """Yield the engines that may be picked, the best first, and why; raise an error if there is no such engine."""
    check_engine_name(name)
    if name != "auto":
        yield ENGINES[name], "requested"
        return
    special_ones = ((counting, _COUNTS), (weighs, _WEIGHS), (optimizing, _OPTIMIZES), (ruled, _CUTS))
    for asked, (special, why) in special_ones:
        if asked and special in ENGINES:
            yield ENGINES[special], why
    for engine in ENGINES.values():
        if engine.searches:
            yield engine, _SEARCHES
