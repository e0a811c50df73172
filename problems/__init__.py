"""The built-in encoders, one file a family. Each is a plugin, announced like anybody's.

``boards``, ``tiling`` and ``pieces`` are what the families on a board share, ``squares`` what those share that fill a
square with symbols; an encoder of yours may use them too.
"""

from pathlib import Path

from problems.langford import Langford
from problems.latin import Latin
from problems.options import Options
from problems.polyforms import Polycube, Polyhex, Polyiamond, Polyomino, Polysphere, Polystick
from problems.queens import Queens
from problems.rectangles import Rectangles
from problems.sudoku import Sudoku

__all__ = [
    "CONFIGS",
    "Langford",
    "Latin",
    "Options",
    "Polycube",
    "Polyhex",
    "Polyiamond",
    "Polyomino",
    "Polysphere",
    "Polystick",
    "Queens",
    "Rectangles",
    "Sudoku",
]

_HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (_HERE / "configs", _HERE.parent / "configs") if folder.is_dir())
"""The bundled YAML files: inside this package once installed, beside it in a clone."""
