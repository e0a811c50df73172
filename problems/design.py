"""Block designs, such as Steiner systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Annotated, ClassVar

from annotated_types import Ge

from exactcover import Encoder, Item, ParameterError, Picture, pictures

_MAX_BLOCKS = 5_000_000


class Block(tuple[int, ...]):
    """A set of points, in ascending order; as text ``1 2 4``."""

    __slots__ = ()

    def __str__(self) -> str:
        return " ".join(map(str, self))


@dataclass(frozen=True)
class Design(Encoder):
    """Choose blocks of points so that every t points lie together in the same number of blocks.

    By default, t is 2, and the blocks form a Steiner triple system: every two points lie in one block of three.

    References
    ----------
    C. J. Colbourn and J. H. Dinitz, *Handbook of Combinatorial Designs*; OEIS A030128.

    Examples
    --------
    >>> fano = Design(points=7)
    >>> fano.problem().count(), fano.problem().count(distinct=True)
    (30, 1)
    """

    symmetries_complete: ClassVar[bool] = True

    points: Annotated[int, Ge(1)] = 7
    """The number of points."""

    block: Annotated[int, Ge(1)] = 3
    """The number of points in a block."""

    together: Annotated[int, Ge(1)] = 2
    """The number t of points that must lie together in a block."""

    times: Annotated[int, Ge(1)] = 1
    """The number of blocks in which each t points lie. All blocks are different."""

    def __post_init__(self) -> None:
        if not self.together <= self.block <= self.points:
            raise ParameterError("block", f"expected {self.together} to {self.points} points, got {self.block}")
        if comb(self.points, self.block) > _MAX_BLOCKS:
            message = f"more than {_MAX_BLOCKS:,} blocks of {self.block} points are possible; use fewer points"
            raise ParameterError("points", message)

    def _subsets(self, points: Iterable[int], size: int) -> Iterator[Block]:
        return map(Block, combinations(points, size))

    def options(self) -> Iterator[tuple[Block, list[str]]]:
        for block in self._subsets(range(1, self.points + 1), self.block):
            yield block, list(map(str, self._subsets(block, self.together)))

    def multiplicity(self) -> dict[str, int]:
        if self.times == 1:
            return {}
        return {str(subset): self.times for subset in self._subsets(range(1, self.points + 1), self.together)}

    def impossible(self) -> str | None:
        """Return a proof that counts the blocks through some of the points."""
        for fixed in range(self.together):
            left = self.together - fixed
            blocks = self.times * comb(self.points - fixed, left)
            if blocks % comb(self.block - fixed, left):
                through = f"through {fixed} point{'s' if fixed > 1 else ''} " if fixed else ""
                parts = comb(self.block - fixed, left)
                return f"the number of blocks {through}would be {blocks} / {parts}, which is not a whole number"
        return None

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        """Yield a swap and a rotation of the points, which generate all their permutations."""
        every = range(1, self.points + 1)
        for image in ({1: 2, 2: 1}, {point: point % self.points + 1 for point in every}):
            if self.points > 1:
                yield {
                    str(subset): str(Block(sorted(image.get(point, point) for point in subset)))
                    for subset in self._subsets(every, self.together)
                }

    def draw(self, solution: Iterable[Block]) -> Picture:
        """Return the incidence table: one row per block, one column per point."""
        shapes: list[pictures.Shape] = []
        blocks = list(solution)
        for row, block in enumerate(blocks):
            for column in range(self.points):
                held = column + 1 in block
                shapes.append(pictures.Cell(row, column, "", 0 if held else pictures.PAPER))
                if held:
                    shapes.append(pictures.Text(row, column, str(column + 1)))
        points, number = pictures.format_count(self.points, "point"), pictures.format_count(len(blocks), "block")
        return Picture(f"{points} in {number} of {self.block}", tuple(shapes), grid=True)
