"""The engines by name, and the choice among them."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from types import MappingProxyType

from exactcover.control.memory import is_lack_of_memory
from exactcover.engines.base import Demands, Engine
from exactcover.errors import EngineUnavailableError, nearest
from exactcover.model.matrix import Matrix

__all__ = ["ENGINES", "check_demands", "check_engine_name", "find_remedy", "pick_engine"]


@dataclass(frozen=True)
class _Registration:
    """An engine that can be installed.

    Attributes
    ----------
    name
        The name of the engine.
    place
        The name of its module in this package, and the name of its class.
    needs
        A module that it requires, or None.
    remedy
        The requirement that provides that module, and how to install it.
    """

    name: str
    place: tuple[str, str]
    needs: str | None = None
    remedy: str = ""

    def load(self) -> Engine | None:
        """Return the engine, or None if something that it requires is missing."""
        try:
            if self.needs is not None and importlib.util.find_spec(self.needs) is None:
                return None
            module = importlib.import_module(f"exactcover.engines.{self.place[0]}")
        except ImportError as error:
            if is_lack_of_memory(error, loading=True):
                raise MemoryError from error
            _failures[self.name] = str(error)
            return None
        engine: Engine = getattr(module, self.place[1])()
        return engine


_failures: dict[str, str] = {}
"""The failures of engines that cannot be loaded although their requirements are installed."""

_COMPILER = "a C++ compiler at installation"
_PYSAT = "PySAT; install it with: python -m pip install python-sat"
_HIGHS = "HiGHS; install it with: python -m pip install highspy"
_ORTOOLS = "OR-Tools; install it with: python -m pip install ortools"
_REGISTERED = (
    _Registration("native", ("native", "NativeEngine"), "exactcover._native", _COMPILER),
    _Registration("sets", ("sets", "SetsEngine")),
    _Registration("diagram", ("diagram", "DiagramEngine"), "exactcover._native", _COMPILER),
    _Registration("learning", ("learning", "LearningEngine"), "pysat", _PYSAT),
    _Registration("bounds", ("bounds", "BoundsEngine"), "highspy", _HIGHS),
    _Registration("highs", ("programs", "HighsEngine"), "highspy", _HIGHS),
    _Registration("cpsat", ("programs", "CpSatEngine"), "ortools", _ORTOOLS),
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
_WEIGHS = ("highs", "solves integer programs, where options cover items several times")
_SEARCHES = "the fastest installed engine that can search the problem"


def check_engine_name(name: str) -> None:
    """Check the name of an engine.

    Raises
    ------
    EngineUnavailableError
        If `name` is neither ``auto`` nor the name of an installed engine.
    """
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
    is_there = registration.needs is None or importlib.util.find_spec(registration.needs) is not None
    return None if is_there else registration.remedy  # without loading it, because a search may have been stopped


def check_demands(name: str, demands: Demands, *, counting: bool = False, optimizing: bool = False) -> None:
    """Check that an engine supports what a search asks of it; parameters as for :func:`pick_engine`.

    Raises
    ------
    EngineUnavailableError
        If there is no such engine, or it is not installed; or if it, or with ``"auto"`` every engine that could be
        picked, does not support something.
    """
    candidates = (engine for engine, _ in _list_candidates(name, counting=counting, optimizing=optimizing))
    refusals: list[tuple[str, str]] = []
    for engine in candidates:
        refusal = engine.refusal(demands, counting=counting)
        if refusal is None:
            return
        refusals.append((engine.name, refusal))
    able = [engine.name for engine in ENGINES.values() if engine.refusal(demands, counting=counting) is None]
    remedy = f"; use engine {able[0]!r}" if able else ""
    if name != "auto":
        raise EngineUnavailableError(f"engine {name!r} {refusals[0][1]}{remedy}")
    reasons = "; ".join(f"{engine}: {refusal}" for engine, refusal in refusals)
    raise EngineUnavailableError(f"no engine can run this search ({reasons}){remedy}")


def pick_engine(
    name: str,
    matrix: Matrix,
    demands: Demands = MappingProxyType({}),
    *,
    counting: bool = False,
    optimizing: bool = False,
) -> tuple[Engine, str]:
    """Return an engine for a matrix, and the reason why it was picked.

    Parameters
    ----------
    name
        The name of an engine, or ``"auto"``.
    matrix
        The matrix to search.
    demands
        What the engine must support.
    counting
        Whether only the number of solutions is wanted.
    optimizing
        Whether the cheapest solutions are wanted, or one of any cost.

    Raises
    ------
    EngineUnavailableError
        If the requested engine is not installed, cannot search `matrix`, or does not support something; with
        ``"auto"``, if this holds for every engine.
    """
    passed_over: list[str] = []
    weighs = optimizing and matrix.weighted
    for engine, why in _list_candidates(name, counting=counting, optimizing=optimizing, weighs=weighs):
        obstacle = engine.refusal(demands, counting=counting) or engine.find_obstacle(matrix)
        if obstacle is not None:
            passed_over.append(f"{engine.name}: {obstacle}")
        else:
            return engine, "; ".join([*passed_over, why]) if why is _SEARCHES else why
    if name != "auto":
        raise EngineUnavailableError(f"engine {name!r} cannot search this problem: {passed_over[0].partition(': ')[2]}")
    raise EngineUnavailableError(f"no engine can search this problem ({'; '.join(passed_over)})")


def _list_candidates(
    name: str, *, counting: bool, optimizing: bool = False, weighs: bool = False
) -> Iterator[tuple[Engine, str]]:
    """Yield the engines that may be picked, the best first, and why; raise an error if there is no such engine."""
    check_engine_name(name)
    if name != "auto":
        yield ENGINES[name], "requested"
        return
    for asked, (special, why) in ((counting, _COUNTS), (weighs, _WEIGHS), (optimizing, _OPTIMIZES)):
        if asked and special in ENGINES:
            yield ENGINES[special], why
    for engine in ENGINES.values():
        if engine.searches:
            yield engine, _SEARCHES
