"""The built-in encoders, one module per family. Each is announced as a plugin, like any third-party encoder.

Some modules are shared by several families; your own encoders may use them too:

- boards: ``lattices``, ``boards``, ``pieces``, ``tiling`` and ``drawings``;
- squares filled with symbols: ``squares``, and ``grids`` for constraints on them;
- graphs: ``graphs``.

A family is loaded when it is used.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from problems.coloring import Coloring
    from problems.costas import Costas
    from problems.crossword import Crossword
    from problems.design import Design
    from problems.districts import Districts
    from problems.edge_matching import EdgeMatching
    from problems.grid import Grid
    from problems.langford import Langford
    from problems.latin import Latin
    from problems.loops import Loops
    from problems.masyu import Masyu
    from problems.matching import Matching
    from problems.numberlink import Numberlink
    from problems.options import Options
    from problems.polyforms import Polycube, Polyhex, Polyiamond, Polyomino, Polysphere, Polystick
    from problems.queens import Queens
    from problems.rectangles import Rectangles
    from problems.roster import Roster
    from problems.samurai import Samurai
    from problems.slitherlink import Slitherlink
    from problems.staffing import Staffing
    from problems.sudoku import Sudoku
else:
    _MODULES = {"EdgeMatching": "edge_matching"} | dict.fromkeys(
        ("Polycube", "Polyhex", "Polyiamond", "Polyomino", "Polysphere", "Polystick"), "polyforms"
    )  # all others have the name of their family

    def __getattr__(name: str) -> Any:
        """Load a family when it is used first."""
        if name not in FAMILIES.values():
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = getattr(import_module(f"problems.{_MODULES.get(name, name.lower())}"), name)
        return globals()[name]

    def __dir__() -> list[str]:
        """Return the families too that are not loaded yet."""
        return sorted({*globals(), *__all__})


__all__ = [
    "CONFIGS",
    "Coloring",
    "Costas",
    "Crossword",
    "Design",
    "Districts",
    "EdgeMatching",
    "Grid",
    "Langford",
    "Latin",
    "Loops",
    "Masyu",
    "Matching",
    "Numberlink",
    "Options",
    "Polycube",
    "Polyhex",
    "Polyiamond",
    "Polyomino",
    "Polysphere",
    "Polystick",
    "Queens",
    "Rectangles",
    "Roster",
    "Samurai",
    "Slitherlink",
    "Staffing",
    "Sudoku",
]

FAMILIES = {name.lower(): name for name in __all__ if name != "CONFIGS"}
"""The class of each family by the name of its entry point."""

_HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (_HERE / "configs", _HERE.parent / "configs") if folder.is_dir())
"""The folder of the bundled YAML files: inside this package when installed, beside it in a clone."""
