"""The built-in encoders, one file a family. Each is a plugin, announced like anybody's.

``lattices``, ``boards``, ``pieces``, ``tiling`` and ``drawings`` are what the families on a board share, ``squares``
what those share that fill a square with symbols, ``graphs`` what those on graphs do; an encoder of yours may use them
too.
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
"""The bundled YAML files: inside this package once installed, beside it in a clone."""
