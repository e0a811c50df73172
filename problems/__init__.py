"""The built-in encoders, one module per family. Each is announced as a plugin, like any third-party encoder.

Some modules are shared by several families; your own encoders may use them too:

- boards: ``lattices``, ``boards``, ``pieces``, ``tiling`` and ``drawings``;
- squares filled with symbols: ``squares``;
- graphs: ``graphs``.
"""

from pathlib import Path

from problems.coloring import Coloring
from problems.costas import Costas
from problems.crossword import Crossword
from problems.design import Design
from problems.edge_matching import EdgeMatching
from problems.langford import Langford
from problems.latin import Latin
from problems.matching import Matching
from problems.options import Options
from problems.polyforms import Polycube, Polyhex, Polyiamond, Polyomino, Polysphere, Polystick
from problems.queens import Queens
from problems.rectangles import Rectangles
from problems.roster import Roster
from problems.samurai import Samurai
from problems.sudoku import Sudoku

__all__ = [
    "CONFIGS",
    "Coloring",
    "Costas",
    "Crossword",
    "Design",
    "EdgeMatching",
    "Langford",
    "Latin",
    "Matching",
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
    "Sudoku",
]

_HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (_HERE / "configs", _HERE.parent / "configs") if folder.is_dir())
"""The folder of the bundled YAML files: inside this package when installed, beside it in a clone."""
