"""Queens on a chessboard that do not attack each other."""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, ClassVar, NamedTuple

from annotated_types import Ge

from exactcover import Encoder, Item, ParameterError, pictures
from exactcover.model.bulk import BulkOptions

__all__ = ["Queen", "Queens"]

_ITEMS = 4  # of an option
_DRAWS = 4096  # that are made at once


class Queen(NamedTuple):
    """A queen on a square, rows and columns from 1; as text ``r1c5``."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}"


@dataclass(frozen=True)
class Queens(Encoder):
    """Place n queens on an n x n board so that none attacks another.

    Rows and columns are primary items; the 2(2n - 1) diagonals are secondary. Rows and columns are ordered from the
    middle outward: a queen in the middle attacks the most squares, so wrong choices fail early. Squares are in a fixed,
    scrambled order. With a regular order, searches with hundreds of queens run into the same dead ends again and again;
    with this order, they rarely do.

    Examples
    --------
    >>> Queens(n=8).problem().count()
    92
    """

    symmetries_complete: ClassVar[bool] = True

    n: Annotated[int, Ge(0)] = 8
    """The side of the board and the number of queens."""

    placed: tuple[tuple[int, int], ...] = ()
    """Squares of queens already placed, as [row, column], numbered from 1."""

    blocked: tuple[tuple[int, int], ...] = ()
    """Squares where no queen may stand, as [row, column]. Queens attack across them."""

    def __post_init__(self) -> None:
        for name, squares in (("placed", self.placed), ("blocked", self.blocked)):
            for position, (row, column) in enumerate(squares):
                if not (1 <= row <= self.n and 1 <= column <= self.n):
                    raise ParameterError(
                        (name, position), f"row {row}, column {column} is not on the {self.n} x {self.n} board"
                    )
        for position, (row, column) in enumerate(self.placed):
            if (row, column) in self.blocked:
                raise ParameterError(("placed", position), f"row {row}, column {column} is blocked")

    def _lines_from_middle(self) -> list[int]:
        return sorted(range(1, self.n + 1), key=lambda line: (abs(2 * line - self.n - 1), line))

    def primary(self) -> Iterator[str]:
        for line in self._lines_from_middle():
            yield f"row {line}"
            yield f"column {line}"

    def secondary(self) -> Iterator[str]:
        for total in range(2, 2 * self.n + 1):
            yield f"rising diagonal {total}"
        for difference in range(1 - self.n, self.n):
            yield f"falling diagonal {difference}"

    def options(self) -> BulkOptions:
        items, n = [*self.primary(), *self.secondary()], self.n
        number_of = {item: number for number, item in enumerate(items)}
        rows, columns = ([number_of[f"{kind} {line}"] for line in range(1, n + 1)] for kind in ("row", "column"))
        rising = [number_of[f"rising diagonal {total}"] for total in range(2, 2 * n + 1)]
        falling = [number_of[f"falling diagonal {difference}"] for difference in range(n - 1, -n, -1)]
        by_square = array("i", bytes(4 * _ITEMS * n * n))
        by_square[0::_ITEMS] = array("i", [row for row in rows for _ in range(n)])
        by_square[1::_ITEMS] = array("i", columns * n)
        for place, diagonals in ((2, rising), (3, falling)):
            shift = [diagonals[row : row + n] for row in (range(n) if place == 2 else range(n - 1, -1, -1))]
            by_square[place::_ITEMS] = array("i", list(chain.from_iterable(shift)))
        entries = _shuffle_options(by_square, random.Random(n))
        lines, blocked = self._lines_from_middle(), frozenset(self.blocked)

        def label(position: int) -> Queen:
            row, column = entries[_ITEMS * position : _ITEMS * position + 2]
            return Queen(lines[row // 2], lines[column // 2])

        if blocked:
            places = [_ITEMS * position for position in range(n * n) if label(position) not in blocked]
            entries = array("i", [item for place in places for item in entries[place : place + _ITEMS]])
        return BulkOptions(items, array("q", range(0, len(entries) + 1, _ITEMS)), entries, label)

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        return self._symmetries(mirrors=True)

    def rotations(self) -> Iterator[dict[Item, Item]]:
        return self._symmetries(mirrors=False)

    def _symmetries(self, *, mirrors: bool) -> Iterator[dict[Item, Item]]:
        lines, last = range(1, self.n + 1), self.n + 1
        turned: dict[Item, Item] = {f"row {line}": f"column {line}" for line in lines}
        turned |= {f"column {line}": f"row {last - line}" for line in lines}
        turned |= {f"rising diagonal {total}": f"falling diagonal {last - total}" for total in range(2, 2 * last - 1)}
        turned |= {f"falling diagonal {k}": f"rising diagonal {last + k}" for k in range(1 - self.n, self.n)}
        mirrored: dict[Item, Item] = {f"row {line}": f"column {line}" for line in lines}
        mirrored |= {f"column {line}": f"row {line}" for line in lines}
        mirrored |= {f"falling diagonal {k}": f"falling diagonal {-k}" for k in range(1 - self.n, self.n)}
        generators = [turned, mirrored] if mirrors else [turned]
        yield from self._find_kept(generators) if self.blocked else generators

    def _find_kept(self, generators: Iterable[dict[Item, Item]]) -> Iterator[dict[Item, Item]]:
        """Yield the symmetries made of these that map blocked squares to blocked squares."""
        items: list[Item] = [*self.primary(), *self.secondary()]
        blocked = {frozenset({f"row {row}", f"column {column}"}) for row, column in self.blocked}
        waiting = [dict(zip(items, items, strict=True))]
        found = {tuple(items)}
        while waiting:
            symmetry = waiting.pop()
            if {frozenset(symmetry[line] for line in square) for square in blocked} == blocked:
                yield symmetry
            for generator in generators:
                product: dict[Item, Item] = {item: generator.get(symmetry[item], symmetry[item]) for item in items}
                if (image := tuple(product.values())) not in found:
                    found.add(image)
                    waiting.append(product)

    def givens(self) -> Iterator[Queen]:
        return (Queen(row, column) for row, column in self.placed)

    def decode(self, solution: Iterable[Queen]) -> tuple[int, ...]:
        """Return the column of the queen in each row."""
        return tuple(queen.column for queen in sorted(solution))

    def draw(self, solution: Iterable[Queen]) -> pictures.Picture:
        queens = [pictures.Disc(row - 1, column - 1, "♛") for row, column in solution]
        blocked = [pictures.Cell(row - 1, column - 1, tint=pictures.BLOCKED) for row, column in self.blocked]
        return pictures.Picture(
            f"{self.n} queens, none attacking another", (*pictures.checkered(self.n, self.n), *blocked, *queens)
        )


def _shuffle_options(entries: array[int], generator: random.Random) -> array[int]:
    """Return the items of options in the order that ``generator.shuffle`` gives a list of the options."""
    size, stored = _ITEMS * entries.itemsize, entries.tobytes()
    options = [stored[place : place + size] for place in range(0, len(stored), size)]
    _shuffle(options, generator)
    return array("i", b"".join(options))


def _shuffle(things: list[bytes], generator: random.Random) -> None:
    """Shuffle in place to the same order as ``generator.shuffle``, which takes several times as long.

    A draw of b bits is the upper b bits of a number of 32 bits, so many such numbers are drawn at once.
    """
    last, bits = len(things) - 1, len(things).bit_length()
    least = (1 << bits >> 1) - 1  # for which that many bits are drawn
    while last > 0:
        draws = array("I", generator.getrandbits(32 * _DRAWS).to_bytes(4 * _DRAWS, "little"))
        if sys.byteorder == "big":
            draws.byteswap()
        for draw in draws:
            other = draw >> 32 - bits
            if other <= last:
                things[last], things[other] = things[other], things[last]
                last -= 1
                if last < least:
                    bits, least = bits - 1, least >> 1
                    if not last:
                        break
