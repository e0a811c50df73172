"""Sudoku squares of order 4 with random cages and thermometers, from the definition of these rules."""

from __future__ import annotations

import functools
import itertools
import random
from typing import Any

Square = dict[tuple[int, int], int]

PLACES = [(row, column) for row in range(1, 5) for column in range(1, 5)]


@functools.cache
def list_squares() -> list[Square]:
    """Return all squares, by trying every four rows."""
    found = []
    for square in itertools.product(itertools.permutations(range(1, 5)), repeat=4):
        houses = [*zip(*square, strict=True)]
        houses += [square[r][c : c + 2] + square[r + 1][c : c + 2] for r in (0, 2) for c in (0, 2)]
        if all(len(set(house)) == 4 for house in houses):
            found.append({(row, column): square[row - 1][column - 1] for row, column in PLACES})
    return found


def write_square(square: Square) -> tuple[str, ...]:
    """Return the rows of a square as text."""
    return tuple("".join(str(square[row, column]) for column in range(1, 5)) for row in range(1, 5))


def draw_rules(chance: random.Random) -> dict[str, Any]:
    """Return cages that fit a random square, and thermometers that mostly do."""
    square, letters = chance.choice(list_squares()), dict.fromkeys(PLACES, ".")
    sums: dict[str, int] = {}
    for letter in "ABCDE"[: chance.randint(0, 5)]:
        own = [cell for cell in _walk(chance, chance.randint(1, 4)) if letters[cell] == "."]
        values = {square[cell] for cell in own}
        if own and len(values) == len(own):
            letters |= dict.fromkeys(own, letter)
            sums[letter] = sum(values)
    thermometers = []
    for _ in range(chance.randint(0, 3)):
        cells = [chance.choice(PLACES)]
        for _ in range(chance.randint(1, 3)):
            around = [cell for cell in PLACES if _touch(cell, cells[-1]) and cell not in cells]
            rising = [cell for cell in around if square[cell] > square[cells[-1]]]
            cells.append(chance.choice(rising or around))
        thermometers.append(" ".join(f"r{row}c{column}" for row, column in cells))
    drawing = " ".join("".join(letters[row, column] for column in range(1, 5)) for row in range(1, 5))
    return {"cages": drawing, "sums": sums, "thermometers": tuple(thermometers)}


def _walk(chance: random.Random, steps: int) -> list[tuple[int, int]]:
    """Return different cells, each of which touches one before it."""
    cells = [chance.choice(PLACES)]
    for _ in range(steps - 1):
        cells.append(chance.choice([cell for cell in PLACES if any(_touch(cell, one) for one in cells)]))
    return list(dict.fromkeys(cells))


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one != other and max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def keeps_rules(square: Square, cages: str, sums: dict[str, int], thermometers: tuple[str, ...]) -> bool:
    """Return whether a square keeps the rules."""
    letter = {(row, column): line[column - 1] for row, line in enumerate(cages.split(), 1) for column in range(1, 5)}
    for name, total in sums.items():
        inside = [square[cell] for cell in PLACES if letter[cell] == name]
        if len(set(inside)) < len(inside) or sum(inside) != total:
            return False
    for text in thermometers:
        along = [square[int(word[1]), int(word[3])] for word in text.split()]
        if any(one >= other for one, other in itertools.pairwise(along)):
            return False
    return True
