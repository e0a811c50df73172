"""Costas arrays: permutation matrices in which all vectors between two dots are different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Annotated, ClassVar, NamedTuple

from annotated_types import Ge

from exactcover import Colored, Encoder, Item, Picture, pictures


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
        yield from (self._flip(across=True, down=False), self._flip(across=False, down=True))

    def rotations(self) -> Iterator[dict[Item, Item]]:
        yield self._flip(across=True, down=True)

    def _flip(self, *, across: bool, down: bool) -> dict[Item, Item]:
        """Return the images of items if left and right are swapped, or top and bottom."""
        last, lines = self.n + 1, range(1, self.n + 1)
        columns, rows = ({line: last - line if is_swapped else line for line in lines} for is_swapped in (across, down))
        images: dict[Item, Item] = {
            Colored(f"row in column {column}", row): Colored(f"row in column {columns[column]}", rows[row])
            for column in lines
            for row in lines
        }
        for pair in self._pairs():
            left, right = sorted(columns[column] for column in pair)
            images[f"columns {pair[0]} and {pair[1]}"] = f"columns {left} and {right}"
        if across != down:
            sizes = [size for size in range(1 - self.n, self.n) if size]
            images |= {f"vector {right} {size}": f"vector {right} {-size}" for right in lines[:-1] for size in sizes}
        return images

    def decode(self, solution: Iterable[Dots]) -> tuple[int, ...]:
        """Return the row of the dot in each column; 0 for an empty column."""
        rows = {column: row for dots in solution for column, row in (dots[:2], dots[2:])}
        return tuple(rows.get(column, 0) for column in range(1, self.n + 1))

    def draw(self, solution: Iterable[Dots]) -> Picture:
        dots = [pictures.Disc(row - 1, column) for column, row in enumerate(self.decode(solution)) if row]
        return Picture(f"Costas array of order {self.n}", (*pictures.checkered(self.n, self.n), *dots))
