"""Sudoku puzzles made from a seed, most of them with one solution: clues are removed as long as it stays unique."""

from __future__ import annotations

import random
from math import isqrt

from exactcover import Problem
from problems import Sudoku


def minimal(number: int) -> list[str]:
    """Return 9x9 puzzles from which no clue can be removed, one per line."""
    return ["".join(_dug(Sudoku(), random.Random(seed), 0)) for seed in range(number)]


def large(rows: int, columns: int) -> Problem:
    """Return a puzzle with boxes of rows x columns, with half of its cells given."""
    side = rows * columns
    frame = Sudoku(box=f"{rows}x{columns}")
    return _without_givens(_dug(frame, random.Random(side), side * side // 2), frame)


def with_blanks(rows: int, columns: int, share: float, seed: int) -> Problem:
    """Return a puzzle with boxes of rows x columns, of whose cells a share is open; it may have many solutions."""
    frame, chance = Sudoku(box=f"{rows}x{columns}"), random.Random(seed)
    cells = _filled(frame, chance)
    for place in chance.sample(range(len(cells)), round(share * len(cells))):
        cells[place] = "."
    return _without_givens(cells, frame)


def _without_givens(cells: list[str], frame: Sudoku) -> Problem:
    """Return what a puzzle leaves open, so that every contestant solves the same problem."""
    puzzle = Sudoku("".join(cells), frame.box)
    return puzzle.problem().residual(puzzle.givens())


def _dug(frame: Sudoku, chance: random.Random, least: int) -> list[str]:
    """Return the cells of a puzzle with at least `least` clues, '.' for a blank."""
    problem = frame.problem()
    cells = _filled(frame, chance)
    clues = len(cells)
    for place in chance.sample(range(len(cells)), len(cells)):
        if clues == least:
            break
        symbol, cells[place] = cells[place], "."
        givens = Sudoku("".join(cells), frame.box).givens()
        if len(next(problem.solve_instances([givens], limit=2))) == 1:
            clues -= 1
        else:
            cells[place] = symbol
    return cells


def _filled(frame: Sudoku, chance: random.Random) -> list[str]:
    """Return a full grid: shifted copies of one row, with bands, lines and symbols shuffled."""
    side = frame.side
    rows, columns = (int(part) for part in frame.box.split("x")) if frame.box else (isqrt(side), isqrt(side))
    symbols = chance.sample(frame._symbols, side)
    down = _shuffled(columns, rows, chance)
    across = _shuffled(rows, columns, chance)
    return [symbols[(row % rows * columns + row // rows + column) % side] for row in down for column in across]


def _shuffled(bands: int, lines: int, chance: random.Random) -> list[int]:
    """Return lines in a random order that keeps bands together."""
    order = chance.sample(range(bands), bands)
    return [band * lines + line for band in order for line in chance.sample(range(lines), lines)]
