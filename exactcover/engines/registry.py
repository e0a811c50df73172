"""The engines by name, and how one is picked."""

from __future__ import annotations

import importlib.util

from exactcover.engines.base import Drawer, Engine, Heuristic, Run, Strategy, Tactics
from exactcover.engines.cpsat import CpSatEngine
from exactcover.engines.sets import SetsEngine
from exactcover.errors import EngineUnavailableError, nearest
from exactcover.model.matrix import Matrix

__all__ = ["ENGINES", "Drawer", "Engine", "Heuristic", "Run", "Strategy", "Tactics", "check_engine_name", "pick_engine"]

try:
    from exactcover.engines.counting import DiagramEngine
    from exactcover.engines.native import NativeEngine
except ImportError:  # installed without a C++ compiler
    _INSTALLED: tuple[Engine, ...] = (SetsEngine(),)
    _OTHERS: dict[str, Engine] = {}
else:
    _INSTALLED = (NativeEngine(), SetsEngine())
    _OTHERS = {"diagram": DiagramEngine()}

ENGINES: dict[str, Engine] = {engine.name: engine for engine in _INSTALLED}
"""The engines that search, as they are installed, the quickest first."""
if importlib.util.find_spec("ortools"):
    _OTHERS["cpsat"] = CpSatEngine()
# Those are asked for by name; but counts are the business of "diagram", where it is there.


def check_engine_name(name: str) -> None:
    """Raise :class:`EngineUnavailableError` unless `name` is ``auto`` or an installed engine."""
    if name == "cpsat" and name not in _OTHERS:
        raise EngineUnavailableError("engine 'cpsat' needs OR-Tools; install it with: python -m pip install ortools")
    if name != "auto" and name not in ENGINES | _OTHERS:
        there = ["auto", *ENGINES, *_OTHERS]
        raise EngineUnavailableError(
            f"no engine is called {name!r}{nearest(name, there)} (there are: {', '.join(there)})"
        )


def pick_engine(name: str, matrix: Matrix, *, counting: bool = False) -> tuple[Engine, str]:
    """Return the engine for `matrix` and the reason it was picked; `counting` if only the number is wanted.

    Raises
    ------
    EngineUnavailableError
        If the engine asked for is missing or cannot search `matrix`.
    """
    check_engine_name(name)
    if name != "auto":
        engine = (ENGINES | _OTHERS)[name]
        obstacle = engine.supports(matrix)
        if obstacle is not None:
            raise EngineUnavailableError(f"engine {name!r} cannot search this problem: {obstacle}")
        return engine, "asked for"
    if counting and "diagram" in _OTHERS:
        return _OTHERS["diagram"], "counts by whatever gets there first"
    passed_over: list[str] = []
    for engine in ENGINES.values():
        obstacle = engine.supports(matrix)
        if obstacle is None:
            return engine, "; ".join([*passed_over, "the quickest installed that can"])
        passed_over.append(f"{engine.name}: {obstacle}")
    raise EngineUnavailableError(f"no engine can search this problem ({'; '.join(passed_over)})")
