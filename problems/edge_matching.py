"""Edge-matching puzzles: square tiles whose edges must agree; MacMahon's colored squares among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar, Literal, NamedTuple

from exactcover import Colored, Encoder, Item, ParameterError, Picture, pictures
from problems.boards import cell_name, parse_size

__all__ = ["EdgeMatching", "Laid"]

_COLORS = "abcdefgh"
_MARKS = "\ue000\ue001\ue002\ue003"  # no tile has these
_TINTS = (1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


class Laid(NamedTuple):
    """A tile on its cell, its edges clockwise from the top as they lie there; as text ``aabc at r1c2``."""

    edges: str
    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.edges} at {cell_name((self.row, self.column))}"


def _turns(edges: str) -> list[str]:
    return [edges[turn:] + edges[:turn] for turn in range(4)]


class _Motion(NamedTuple):
    """Quarter turns of a board of a size, after a mirror image or not."""

    quarters: int
    mirror: bool
    size: tuple[int, int]

    def cell(self, row: int, column: int) -> tuple[int, int]:
        rows, columns = self.size
        if self.mirror:
            column = columns + 1 - column
        for _ in range(self.quarters):
            row, column, rows, columns = column, rows + 1 - row, columns, rows
        return row, column

    def edges(self, tile: str, table: Mapping[str, str]) -> str:
        """Return the edges of a tile after it, with other characters."""
        if self.mirror:
            tile = tile[0] + tile[:0:-1]
        turned = tile[-self.quarters :] + tile[: -self.quarters] if self.quarters else tile
        return "".join(table.get(one, one) for one in turned)


@dataclass(frozen=True)
class EdgeMatching(Encoder):
    """Lay square tiles on a board so that edges which touch agree.

    Edges are secondary items, and what is on them their color.

    References
    ----------
    P. A. MacMahon, *New Mathematical Pastimes* (1921).

    Examples
    --------
    >>> EdgeMatching(board="2x3", tiles="macmahon 2", border="").problem().count()
    416
    """

    symmetries_complete: ClassVar[bool] = True

    board: str = "4x6"
    """ROWSxCOLUMNS."""

    tiles: str | tuple[str, ...] = "macmahon 3"
    """The tiles, each as the four characters on its edges, clockwise from the top; or "macmahon N": every tile with
    edges of up to N colors, a to h. Tiles that stand twice are there twice; not all tiles need be used."""

    border: str = "a"
    """The character that is all around the board; empty for any."""

    agree: Literal["same", "case"] = "same"
    """What agrees: the same characters, or a capital letter and its small one, like heads and tails."""

    rotate: bool = True
    """Whether tiles may be turned."""

    def __post_init__(self) -> None:
        self._size, self._tiles  # noqa: B018 - a wrong parameter is reported now, not later
        if len(self.border) > 1:
            raise ParameterError("border", f"expected one character or none, got {self.border!r}")

    @cached_property
    def _size(self) -> tuple[int, int]:
        return parse_size(self.board, "board")

    @cached_property
    def _tiles(self) -> Counter[str]:
        """How many there are of each tile, in the turn that comes first in the alphabet."""
        if isinstance(self.tiles, str):
            name, _, number = self.tiles.partition(" ")
            if name != "macmahon" or not number.isdecimal() or not 1 <= int(number) <= len(_COLORS):
                message = f"{self.tiles!r} names no tiles; expected macmahon 1 to macmahon {len(_COLORS)}"
                raise ParameterError("tiles", message)
            return Counter(sorted({self._named("".join(one)) for one in product(_COLORS[: int(number)], repeat=4)}))
        for position, tile in enumerate(self.tiles):
            if len(tile) != 4 or not tile.isprintable() or " " in tile:
                raise ParameterError(("tiles", position), f"{tile!r} is no tile; expected a character for each edge")
        return Counter(self._named(tile) for tile in self.tiles)

    def _named(self, edges: str) -> str:
        return min(_turns(edges)) if self.rotate else edges

    def _cells(self) -> Iterator[tuple[int, int]]:
        return product(range(1, self._size[0] + 1), range(1, self._size[1] + 1))

    def primary(self) -> Iterator[str]:
        yield from map(cell_name, self._cells())
        yield from (f"tile {tile}" for tile in self._tiles)

    def multiplicity(self) -> dict[str, tuple[int, int]]:
        spare = sum(self._tiles.values()) - self._size[0] * self._size[1]
        return {
            f"tile {tile}": (max(0, number - max(0, spare)), number)
            for tile, number in self._tiles.items()
            if number > 1 or spare > 0
        }

    def secondary(self) -> Iterator[str]:
        return iter(dict.fromkeys(edge for cell in self._cells() for edge in _around(*cell)))

    def options(self) -> Iterator[tuple[Laid, list[Item]]]:
        rows, columns = self._size
        for row, column in self._cells():
            outside = (row == 1, column == columns, row == rows, column == 1)
            places = _around(row, column)
            for tile in self._tiles:
                for edges in dict.fromkeys(_turns(tile)) if self.rotate else (tile,):
                    if self.border and any(
                        out and edge != self.border for out, edge in zip(outside, edges, strict=True)
                    ):
                        continue
                    seen = [Colored(place, self._seen(edges[side], side)) for side, place in enumerate(places)]
                    yield (
                        Laid(edges, row, column),
                        [cell_name((row, column)), f"tile {tile}", *seen],
                    )

    def _seen(self, edge: str, side: int) -> str:
        """Return what is on a side of a tile, as the tile below or to the right of it sees it."""
        return edge.swapcase() if self.agree == "case" and side in (1, 2) else edge

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        """Yield turns and mirror images of the board and swaps of characters, in all ways that keep the tiles."""
        return self._symmetries(mirrors=True)

    def rotations(self) -> Iterator[dict[Item, Item]]:
        return self._symmetries(mirrors=False)

    def _symmetries(self, *, mirrors: bool) -> Iterator[dict[Item, Item]]:
        (rows, columns), alphabet = self._size, self._alphabet
        for quarters, mirror in product(range(4), (False, True) if mirrors else (False,)):
            motion = _Motion(quarters, mirror, self._size)
            if quarters % 2 and rows != columns:
                continue
            if quarters or mirror:
                table = self._kept_tiles(motion, {})
                if table is not None:
                    yield self._moved(motion, table)
                continue
            for place, one in enumerate(alphabet):  # the swaps that keep all characters before this one
                for other in alphabet[place + 1 :]:
                    table = self._kept_tiles(motion, {**{kept: kept for kept in alphabet[:place]}, one: other})
                    if table is not None:
                        yield self._moved(motion, table)

    @cached_property
    def _alphabet(self) -> list[str]:
        """What is on edges; where heads meet tails, both."""
        there = {edge for tile in self._tiles for edge in tile}
        return sorted(there | {edge.swapcase() for edge in there} if self.agree == "case" else there)

    def _kept_tiles(self, motion: _Motion, wanted: Mapping[str, str]) -> dict[str, str] | None:
        """Return what all characters become, these as wanted, so that with a motion the tiles are kept; or None."""
        table = self._completed(wanted)
        if table is None:
            return None
        for tile, number in self._tiles.items():
            if table.keys() >= set(tile) and self._tiles[self._named(motion.edges(tile, table))] != number:
                return None
        one = next((one for one in self._alphabet if one not in table), None)
        if one is None:
            return table
        tables = (self._kept_tiles(motion, {**table, one: other}) for other in self._alphabet)
        return next((found for found in tables if found is not None), None)

    def _completed(self, table: Mapping[str, str]) -> dict[str, str] | None:
        """Return what some characters become, the border and what goes with them included; None if that cannot be."""
        border = {self.border: self.border} if self.border in self._alphabet else {}
        full: dict[str, str] = {}
        for one, image in [*border.items(), *table.items()]:
            mates = {one: image, one.swapcase(): image.swapcase()} if self.agree == "case" else {one: image}
            for near, its in mates.items():
                if full.setdefault(near, its) != its or not self._alike(near, its):
                    return None
        return full if len(set(full.values())) == len(full) else None

    def _alike(self, one: str, other: str) -> bool:
        """Whether a character could take the place of another."""
        if self.agree == "case" and (one.isupper(), one.islower()) != (other.isupper(), other.islower()):
            return False
        return self._often[one] == self._often[other]

    @cached_property
    def _often(self) -> dict[str, Counter[tuple[int, int]]]:
        """How many tiles have each character so many times, and how many there are of such a tile."""
        return {
            one: Counter((tile.count(one), number) for tile, number in self._tiles.items()) for one in self._alphabet
        }

    def _moved(self, motion: _Motion, table: Mapping[str, str]) -> dict[Item, Item]:
        images: dict[Item, Item] = {
            f"tile {tile}": f"tile {self._named(motion.edges(tile, table))}" for tile in self._tiles
        }
        for cell in self._cells():
            image = motion.cell(*cell)
            images[cell_name(cell)] = cell_name(image)
            for side, place in enumerate(_around(*cell)):
                there = motion.edges(_MARKS, {}).index(_MARKS[side])
                images[place] = _around(*image)[there]
                for edge in self._alphabet:
                    seen = Colored(place, self._seen(edge, side))
                    images[seen] = Colored(images[place], self._seen(table[edge], there))
        return images

    def impossible(self) -> str | None:
        cells, tiles = self._size[0] * self._size[1], sum(self._tiles.values())
        return f"{tiles} tiles cannot cover {cells} cells" if tiles < cells else None

    def decode(self, solution: Iterable[Laid]) -> tuple[tuple[str, ...], ...]:
        """Return the tiles row by row, as they lie; empty text where there is none."""
        laid = {(row, column): edges for edges, row, column in solution}
        rows, columns = self._size
        return tuple(
            tuple(laid.get((row, column), "") for column in range(1, columns + 1)) for row in range(1, rows + 1)
        )

    def draw(self, solution: Iterable[Laid]) -> Picture:
        """Return the tiles with a triangle for each edge."""
        colors = sorted({edge.lower() if self.agree == "case" else edge for tile in self._tiles for edge in tile})
        tints: Mapping[str, int] = {color: _TINTS[number % len(_TINTS)] for number, color in enumerate(colors)}
        shapes: list[pictures.Shape] = []
        solution = tuple(solution)
        for edges, row, column in solution:
            middle, corners = (column - 0.5, row - 0.5), _corners(row, column)
            for number, edge in enumerate(edges):
                outline = (corners[number], corners[(number + 1) % 4], middle)
                color = edge.lower() if self.agree == "case" else edge
                strength = 0.55 if self.agree == "case" and edge.islower() else 1.0
                shapes.append(pictures.Tile(outline, (row, column, edge), tints[color], strength))
        empty = set(self._cells()) - {(row, column) for _, row, column in solution}
        for row, column in sorted(empty):
            shapes.append(pictures.Tile(_corners(row, column), (row, column), pictures.PAPER))
        return Picture(f"{len(solution)} tiles on a board of {self.board}, edges agree", tuple(shapes))


def _corners(row: int, column: int) -> tuple[pictures.Corner, ...]:
    """Return the corners of a cell in a picture, clockwise from the upper left."""
    return (column - 1, row - 1), (column, row - 1), (column, row), (column - 1, row)


def _around(row: int, column: int) -> list[str]:
    """Return the edges of a cell, clockwise from the top."""
    return [
        f"edge above {cell_name((row, column))}",
        f"edge left of {cell_name((row, column + 1))}",
        f"edge above {cell_name((row + 1, column))}",
        f"edge left of {cell_name((row, column))}",
    ]
