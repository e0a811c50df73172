"""Costas arrays: permutation matrices in which all vectors between two dots are different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Annotated, ClassVar, NamedTuple

from annotated_types import Ge

from exactcover import Colored, Encoder, Item, Picture, pictures

__all__ = ["Costas", "Dots"]


class Dots(NamedTuple):
    """The dots in two columns, rows and columns from 1; as text ``r3c1 and r1c4``."""

    column: int
    row: int
    other_column: int
    other_row: int

    def __str__(self) -> str:
        return f"r{self.row}c{self.column} and r{self.other_row}c{self.other_column}"


@dataclass(frozen=True)
class Costas(Encoder):
    """Put a dot in every row and column of a square so that no two pairs of dots differ by the same vector.

    An option places the dots of two columns; the row of a dot is the color of its column. The symmetries are the
    reflections that swap left and right, or top and bottom. Swapping rows and columns does not map these
    items to one another.

    References
    ----------
    J. P. Costas (1984); S. W. Golomb and H. Taylor, "Constructions and properties of Costas arrays", Proceedings of the
    IEEE 72 (1984); OEIS A008404.

    Examples
    --------
    >>> Costas(n=4).problem().count(), Costas(n=4).problem().count(distinct=True)
    (12, 3)
    """

    symmetries_complete: ClassVar[bool] = True

    n: Annotated[int, Ge(2)] = 6
    """The number of rows, columns and dots."""

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return combinations(range(1, self.n + 1), 2)

    def primary(self) -> Iterator[str]:
        return (f"columns {one} and {other}" for one, other in self._pairs())

    def secondary(self) -> Iterator[str]:
        yield from (f"row in column {column}" for column in range(1, self.n + 1))
        for right in range(1, self.n):
            yield from (f"vector {right} {down}" for down in range(1 - self.n, self.n) if down)

    def options(self) -> Iterator[tuple[Dots, list[Item]]]:
        for one, other in self._pairs():
            for row, other_row in permutations(range(1, self.n + 1), 2):
                yield (
                    Dots(one, row, other, other_row),
                    [
                        f"columns {one} and {other}",
                        Colored(f"row in column {one}", row),
                        Colored(f"row in column {other}", other_row),
                        f"vector {other - one} {other_row - row}",
                    ],
                )

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        """Yield the reflections that swap left and right, and top and bottom."""
        return self._symmetries(mirrors=True)

    def rotations(self) -> Iterator[dict[Item, Item]]:
        return self._symmetries(mirrors=False)

    def _symmetries(self, *, mirrors: bool) -> Iterator[dict[Item, Item]]:
        last, lines = self.n + 1, range(1, self.n + 1)
        downs = [down for down in range(1 - self.n, self.n) if down]
        negated: dict[Item, Item] = {
            f"vector {right} {down}": f"vector {right} {-down}" for right in range(1, self.n) for down in downs
        }
        columns: dict[Item, Item] = {f"row in column {column}": f"row in column {last - column}" for column in lines}
        pairs: dict[Item, Item] = {
            f"columns {one} and {other}": f"columns {last - other} and {last - one}" for one, other in self._pairs()
        }
        flipped = columns | pairs | negated
        rows: dict[Item, Item] = {
            Colored(f"row in column {column}", row): Colored(f"row in column {column}", last - row)
            for column in lines
            for row in lines
        }
        if mirrors:
            yield flipped
            yield rows | negated
        else:  # the half turn: one reflection after the other
            both: dict[Item, Item] = {
                Colored(f"row in column {column}", row): Colored(f"row in column {last - column}", last - row)
                for column in lines
                for row in lines
            }
            yield columns | pairs | both

    def decode(self, solution: Iterable[Dots]) -> tuple[int, ...]:
        """Return the row of the dot in each column; 0 for an empty column."""
        rows = {column: row for dots in solution for column, row in (dots[:2], dots[2:])}
        return tuple(rows.get(column, 0) for column in range(1, self.n + 1))

    def draw(self, solution: Iterable[Dots]) -> Picture:
        dots = [pictures.Disc(row - 1, column) for column, row in enumerate(self.decode(solution)) if row]
        return Picture(f"Costas array of order {self.n}", (*pictures.checkered(self.n, self.n), *dots))
