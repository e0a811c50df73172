"""Langford pairs and their kin: numbers in a row, the two of each as far apart as it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple

from annotated_types import Ge

from exactcover import Encoder, Item, Picture, pictures

__all__ = ["Langford", "Pair"]


class Pair(NamedTuple):
    """The places of the two copies of a number; written ``3 at 1 and 5``."""

    number: int
    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.number} at {self.first} and {self.second}"


@dataclass(frozen=True)
class Langford(Encoder):
    """Put two copies of each of 1 to n in a row, k numbers between the two of k.

    References
    ----------
    C. D. Langford, "Problem", Mathematical Gazette 42 (1958); R. S. Nickerson, Problem E1845, American Mathematical
    Monthly 73 (1966); OEIS A014552 (up to reversal) and A004075.

    Examples
    --------
    >>> pairs = Langford(n=4)
    >>> [pairs.decode(solution) for solution in pairs.problem().solve(distinct=True)]
    [(2, 3, 4, 2, 1, 3, 1, 4)]
    """

    symmetries_complete: ClassVar[bool] = True

    n: Annotated[int, Ge(0)] = 8
    """The greatest number."""

    kind: Literal["Langford", "Nickerson"] = "Langford"
    """Whether there are k numbers between the two of k (Langford), or k - 1 (Nickerson, also called Skolem)."""

    def _apart(self, number: int) -> int:
        return number + (self.kind == "Langford")

    def primary(self) -> Iterator[Item]:
        """The greatest numbers first: they have the fewest places."""
        yield from (f"number {number}" for number in range(self.n, 0, -1))
        yield from (f"place {place}" for place in range(1, 2 * self.n + 1))

    def options(self) -> Iterator[tuple[Pair, list[str]]]:
        for number in range(self.n, 0, -1):
            for first in range(1, 2 * self.n + 1 - self._apart(number)):
                pair = Pair(number, first, first + self._apart(number))
                yield pair, [f"number {number}", f"place {pair.first}", f"place {pair.second}"]

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        yield {f"place {place}": f"place {2 * self.n + 1 - place}" for place in range(1, 2 * self.n + 1)}

    def impossible(self) -> str | None:
        """Return the proof by parity of the places."""
        possible = (0, 3) if self.kind == "Langford" else (0, 1)
        if self.n % 4 in possible:
            return None
        return f"n must leave {possible[0]} or {possible[1]} when divided by 4, for the sum of the places to come out"

    def decode(self, solution: Iterable[Pair]) -> tuple[int, ...]:
        """Return the number at each place, 0 where there is none."""
        row = [0] * (2 * self.n)
        for number, first, second in solution:
            row[first - 1] = row[second - 1] = number
        return tuple(row)

    def draw(self, solution: Iterable[Pair]) -> Picture:
        """Return the row; the two of a number have its color."""
        shapes: list[pictures.Shape] = []
        for place, number in enumerate(self.decode(solution)):
            shapes.append(pictures.Cell(0, place, place, number - 1 if number else pictures.PAPER))
            if number:
                shapes.append(pictures.Label(0, place, str(number)))
        return Picture(f"{self.kind} pairs of 1 to {self.n}", tuple(shapes))
