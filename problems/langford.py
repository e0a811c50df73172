"""Langford and Nickerson pairs: two copies of each number in a row, at a distance that depends on the number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple

from annotated_types import Ge

from exactcover import Encoder, Item, Picture, pictures


class Pair(NamedTuple):
    """The places of the two copies of a number; as text ``3 at 1 and 5``."""

    number: int
    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.number} at {self.first} and {self.second}"


@dataclass(frozen=True)
class Langford(Encoder):
    """Put two copies of each number from 1 to n in a row, with k numbers between the two copies of k.

    References
    ----------
    C. D. Langford, "Problem", Mathematical Gazette 42 (1958); R. S. Nickerson, Problem E1845, American Mathematical
    Monthly 73 (1966); OEIS A014552 (up to reversal) and A004075.

    Examples
    --------
    >>> pairs = Langford(n=4)
    >>> pairs.decode(next(pairs.solve())), pairs.count(distinct=True)
    ((4, 1, 3, 1, 2, 4, 3, 2), 1)
    """

    symmetries_complete: ClassVar[bool] = True

    n: Annotated[int, Ge(0)] = 8
    """The greatest number."""

    kind: Literal["Langford", "Nickerson"] = "Langford"
    """Whether there are k numbers between the two copies of k (Langford), or k - 1 (Nickerson, also called Skolem)."""

    def _distance(self, number: int) -> int:
        return number + (self.kind == "Langford")

    def primary(self) -> Iterator[Item]:
        """Return the numbers, greatest first because they have the fewest options, then the places."""
        yield from (f"number {number}" for number in range(self.n, 0, -1))
        yield from (f"place {place}" for place in range(1, 2 * self.n + 1))

    def options(self) -> Iterator[tuple[Pair, list[str]]]:
        for number in range(self.n, 0, -1):
            for first in range(1, 2 * self.n + 1 - self._distance(number)):
                pair = Pair(number, first, first + self._distance(number))
                yield pair, [f"number {number}", f"place {pair.first}", f"place {pair.second}"]

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        yield {f"place {place}": f"place {2 * self.n + 1 - place}" for place in range(1, 2 * self.n + 1)}

    def impossible(self) -> str | None:
        """Return the proof by the parity of the places."""
        possible = (0, 3) if self.kind == "Langford" else (0, 1)
        if self.n % 4 in possible:
            return None
        return f"the parity of the places requires n modulo 4 to be {possible[0]} or {possible[1]}, not {self.n % 4}"

    def decode(self, solution: Iterable[Pair]) -> tuple[int, ...]:
        """Return the number at each place; 0 for an empty place."""
        row = [0] * (2 * self.n)
        for number, first, second in solution:
            row[first - 1] = row[second - 1] = number
        return tuple(row)

    def piece_of(self, label: Pair) -> str:
        return str(label.number)

    def describe_rules(self) -> str:
        between = f"k{' - 1' * (self.kind == 'Nickerson')} numbers between"
        return f"Put two copies of each number from 1 to {self.n} in a row, with {between} the two copies of k."

    def draw(self, solution: Iterable[Pair]) -> Picture:
        """Return the row; the two copies of a number have the same color."""
        shapes: list[pictures.Shape] = []
        for place, number in enumerate(self.decode(solution)):
            shapes.append(pictures.Cell(0, place, place, number - 1 if number else pictures.PAPER))
            if number:
                shapes.append(pictures.Text(0, place, str(number)))
        return Picture(f"{self.kind} pairs of 1 to {self.n}", tuple(shapes))
