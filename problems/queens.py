"""Queens on a chessboard that do not attack each other."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from annotated_types import Ge

from exactcover import Encoder, Item, ParameterError, pictures


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
                square = f"row {row}, column {column}"
                if not (1 <= row <= self.n and 1 <= column <= self.n):
                    raise ParameterError((name, position), f"{square} is not on the {self.n} x {self.n} board")
                if name == "placed" and (row, column) in self.blocked:
                    raise ParameterError((name, position), f"{square} is blocked")

    def primary(self) -> Iterator[str]:
        for line in sorted(range(1, self.n + 1), key=lambda line: abs(2 * line - self.n - 1)):
            yield from (f"row {line}", f"column {line}")

    def secondary(self) -> Iterator[str]:
        yield from (f"rising diagonal {total}" for total in range(2, 2 * self.n + 1))
        yield from (f"falling diagonal {difference}" for difference in range(1 - self.n, self.n))

    def options(self) -> Iterator[tuple[Queen, list[Item]]]:
        squares = list(itertools.product(range(1, self.n + 1), repeat=2))
        random.Random(self.n).shuffle(squares)
        blocked = frozenset(self.blocked)
        for square in squares:
            if square not in blocked:
                yield Queen(*square), _list_lines(*square)

    def symmetries(self, *, mirrors: bool = True) -> Iterator[dict[Item, Item]]:
        """Yield where lines go by each motion of the board that keeps blocked squares blocked."""
        from problems.squares import move_lines  # seldom needed

        return move_lines(self.n, _list_lines, self.blocked, mirrors=mirrors)

    def rotations(self) -> Iterator[dict[Item, Item]]:
        return self.symmetries(mirrors=False)

    def givens(self) -> Iterator[Queen]:
        return (Queen(row, column) for row, column in self.placed)

    def decode(self, solution: Iterable[Queen]) -> tuple[int, ...]:
        """Return the column of the queen in each row."""
        return tuple(queen.column for queen in sorted(solution))

    def describe_rules(self) -> str:
        return f"Place {self.n} queens on the board so that none attacks another."

    def draw(self, solution: Iterable[Queen]) -> pictures.Picture:
        queens = [pictures.Disc(row - 1, column - 1, "♛") for row, column in solution]
        blocked = [pictures.Cell(row - 1, column - 1, tint=pictures.BLOCKED) for row, column in self.blocked]
        title = f"{self.n} queens, none attacking another"
        return pictures.Picture(title, (*pictures.checkered(self.n, self.n), *blocked, *queens))


def _list_lines(row: int, column: int) -> list[Item]:
    """Return the lines of a square, which are items."""
    return [f"row {row}", f"column {column}", f"rising diagonal {row + column}", f"falling diagonal {row - column}"]
