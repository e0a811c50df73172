"""Configurations as puzzles of the page "Try it", where it has the same kind of puzzle."""

from __future__ import annotations

import dataclasses
import json
from typing import Any
from urllib.parse import quote

from exactcover.encoders.encoder import Encoder
from problems import Polyomino, Queens, Sudoku
from problems.boards import Board

__all__ = ["make_address"]

_SETS = {  # as in docs/try/puzzles.js
    "dominoes": ["domino.I"],
    "trominoes": [f"trominoes.{letter}" for letter in "IV"],
    "tetrominoes": [f"tetrominoes.{letter}" for letter in "ILOST"],
    "pentominoes": [f"pentominoes.{letter}" for letter in "FILNPTUVWXYZ"],
}
_PIECES = {name: name for names in _SETS.values() for name in names}


def make_address(encoder: Encoder) -> str | None:
    """Return the address of the page with this puzzle, or None if the page has no such puzzle."""
    puzzle: dict[str, Any] | None = None
    changed = {field.name for field in dataclasses.fields(encoder) if getattr(encoder, field.name) != _default(field)}
    if isinstance(encoder, Queens) and changed <= {"n"}:
        puzzle = {"kind": "queens", "n": encoder.n}
    elif isinstance(encoder, Sudoku) and changed <= {"grid"}:
        lines = [encoder.grid] if isinstance(encoder.grid, str) else encoder.grid
        cells = "".join("".join(map(str, line)) for line in lines).replace(" ", "").replace("\n", "")
        puzzle = {"kind": "sudoku", "grid": cells} if len(cells) == 81 else None
    elif isinstance(encoder, Polyomino) and changed <= {"board", "pieces", "copies", "holes"}:
        puzzle = _make_tiling(encoder)
    return None if puzzle is None else f"try.html#{quote(json.dumps(puzzle))}"


def _default(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _make_tiling(encoder: Polyomino) -> dict[str, Any] | None:
    wanted = [encoder.pieces] if isinstance(encoder.pieces, str) else list(encoder.pieces)
    names = [name for one in wanted for name in _SETS.get(str(one), [_PIECES.get(str(one), "")])]
    board = Board.parse(encoder.board, encoder.holes)
    if "" in names or board.optional or encoder.copies not in ("any", *range(1, 1000)):
        return None
    height, width = (max(cell[k] for cell in board.required) for k in (0, 1))
    cells = set(board.required)
    rows = ["".join(".#"[(r, c) in cells] for c in range(1, width + 1)) for r in range(1, height + 1)]
    return {"kind": "tiling", "rows": rows, "pieces": dict.fromkeys(names, encoder.copies)}
