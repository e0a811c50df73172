"""Edge-matching puzzles: square tiles whose edges must agree, such as MacMahon's colored squares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar, Literal, NamedTuple

from exactcover import Colored, Item, ParameterError, Picture, pictures
from problems.boards import Board, CellEncoder, cell_name, list_cells, parse_size
from problems.lattices import SQUARES, Place, transform
from problems.tiling import images_of_board

_COLORS = "abcdefgh"
_SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))  # what is beyond each edge of a cell
_TINTS = (1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


class PlacedTile(NamedTuple):
    """A tile on a cell, with its edges clockwise from the top as placed; as text ``aabc at r1c2``."""

    edges: str
    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.edges} at {cell_name((self.row, self.column))}"


def _rotations(edges: str) -> list[str]:
    return [edges[turn:] + edges[:turn] for turn in range(4)]


def _turn(edges: str, sides: Sequence[int], table: Mapping[str, str]) -> str:
    """Return edges that are moved to other sides, with other characters."""
    return "".join(table.get(edges[sides.index(side)], edges[sides.index(side)]) for side in range(len(sides)))


@dataclass(frozen=True)
class EdgeMatching(CellEncoder):
    """Place square tiles on a board so that touching edges agree.

    Edges are secondary items; the character on an edge is its color.

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
    """The size of the board, ROWSxCOLUMNS."""

    tiles: str | tuple[str, ...] = "macmahon 3"
    """The tiles, each as the four characters on its edges, clockwise from the top; or "macmahon N" for all
    tiles with at most N colors on their edges (N from 1 to 8, colors a to h). A tile listed twice may be used twice.
    Tiles may be left over."""

    border: str = "a"
    """The character required on all outer edges of the board; empty for no restriction."""

    agree: Literal["same", "case"] = "same"
    """Which edges agree: those with the same character (same), or a lowercase letter with its uppercase letter (case),
    like heads and tails."""

    rotate: bool = True
    """Whether tiles may be rotated."""

    def __post_init__(self) -> None:
        self._size, self._tiles  # noqa: B018 - reports mistakes now
        if len(self.border) > 1:
            raise ParameterError("border", f"expected one character or none, got {self.border!r}")

    @cached_property
    def _size(self) -> tuple[int, int]:
        return parse_size(self.board, "board")

    @cached_property
    def _tiles(self) -> Counter[str]:
        """The number of copies of each tile, in the rotation that comes first in alphabetical order."""
        if isinstance(self.tiles, str):
            name, _, number = self.tiles.partition(" ")
            if name != "macmahon" or not number.isdecimal() or not 1 <= int(number) <= len(_COLORS):
                message = f"{self.tiles!r} is not a set of tiles; expected macmahon 1 to macmahon {len(_COLORS)}"
                raise ParameterError("tiles", message)
            every = product(_COLORS[: int(number)], repeat=4)
            return Counter(sorted({self._canonical_tile("".join(edges)) for edges in every}))
        for position, tile in enumerate(self.tiles):
            if len(tile) != 4 or not tile.isprintable() or " " in tile:
                message = f"{tile!r} is not a valid tile; expected four characters, one for each edge"
                raise ParameterError(("tiles", position), message)
        return Counter(self._canonical_tile(tile) for tile in self.tiles)

    def _canonical_tile(self, edges: str) -> str:
        """Return the edges of a tile in the rotation that names it in items."""
        return min(_rotations(edges)) if self.rotate else edges

    def primary(self) -> Iterator[str]:
        yield from map(cell_name, list_cells(self._size))
        yield from (f"tile {tile}" for tile in self._tiles)

    def multiplicity(self) -> dict[str, tuple[int, int]]:
        spare = sum(self._tiles.values()) - self._size[0] * self._size[1]
        return {
            f"tile {tile}": (max(0, number - max(0, spare)), number)
            for tile, number in self._tiles.items()
            if number > 1 or spare > 0
        }

    def open_weights(self) -> dict[str, int]:
        """Return that only open cells count, and not tiles that are left."""
        return {f"tile {tile}": 0 for tile in self._tiles}

    def secondary(self) -> Iterator[str]:
        return iter(dict.fromkeys(edge for cell in list_cells(self._size) for edge in _edges_of_cell(*cell)))

    def options(self) -> Iterator[tuple[PlacedTile, list[Item]]]:
        rows, columns = self._size
        for row, column in list_cells(self._size):
            outside = (row == 1, column == columns, row == rows, column == 1)
            items = _edges_of_cell(row, column)
            for tile in self._tiles:
                for edges in dict.fromkeys(_rotations(tile)) if self.rotate else (tile,):
                    if self.border and any(
                        out and edge != self.border for out, edge in zip(outside, edges, strict=True)
                    ):
                        continue
                    colored = [Colored(item, self._edge_color(edges[side], side)) for side, item in enumerate(items)]
                    yield PlacedTile(edges, row, column), [cell_name((row, column)), f"tile {tile}", *colored]

    def _edge_color(self, edge: str, side: int) -> str:
        """Return the color of an edge: its character, in the other case on some sides if edges agree by case."""
        return edge.swapcase() if self.agree == "case" and side in (1, 2) else edge

    def symmetries(self, *, mirrors: bool = True) -> Iterator[dict[Item, Item]]:
        """Yield the motions of the board and the permutations of characters that preserve the set of tiles."""
        board, alphabet = Board.parse(self.board), self._alphabet
        for number, motion in enumerate(SQUARES.motions(reflect=mirrors)):
            sides = [_SIDES.index(transform(motion, side)) for side in _SIDES]
            wanted: list[dict[str, str]] = [{}]
            if number == 0:  # permutations that fix all characters before one
                wanted = [{**dict(zip(alphabet[:k], alphabet, strict=False)), one: other}
                          for k, one in enumerate(alphabet) for other in alphabet[k + 1 :]]  # fmt: skip
            for cells in images_of_board(board, motion):
                for table in filter(None, (self._find_table(sides, fixed) for fixed in wanted)):
                    yield self._item_images(cells, sides, table)

    def rotations(self) -> Iterator[dict[Item, Item]]:
        return self.symmetries(mirrors=False)

    @cached_property
    def _alphabet(self) -> list[str]:
        """The characters on edges, in both cases if edges agree by case."""
        found = {edge for tile in self._tiles for edge in tile}
        return sorted(found | {edge.swapcase() for edge in found} if self.agree == "case" else found)

    def _find_table(self, sides: Sequence[int], wanted: Mapping[str, str]) -> dict[str, str] | None:
        """Return a permutation of the characters that extends `wanted` and, with that of sides, preserves the tiles.

        Return None if there is no such permutation.
        """
        table = self._complete_table(wanted)
        if table is None:
            return None
        for tile, number in self._tiles.items():
            if table.keys() >= set(tile) and self._tiles[self._canonical_tile(_turn(tile, sides, table))] != number:
                return None
        one = next((one for one in self._alphabet if one not in table), None)
        if one is None:
            return table
        tables = (self._find_table(sides, {**table, one: other}) for other in self._alphabet)
        return next((found for found in tables if found is not None), None)

    def _complete_table(self, table: Mapping[str, str]) -> dict[str, str] | None:
        """Return the table with the border and, if edges agree by case, the other cases; None for a contradiction."""
        border = {self.border: self.border} if self.border in self._alphabet else {}
        full: dict[str, str] = {}
        for one, image in [*border.items(), *table.items()]:
            pairs = {one: image, one.swapcase(): image.swapcase()} if self.agree == "case" else {one: image}
            for source, target in pairs.items():
                if full.setdefault(source, target) != target or not self._are_exchangeable(source, target):
                    return None
        return full if len(set(full.values())) == len(full) else None

    def _are_exchangeable(self, one: str, other: str) -> bool:
        """Return whether a permutation could map one character to the other."""
        if self.agree == "case" and (one.isupper(), one.islower()) != (other.isupper(), other.islower()):
            return False
        return self._usage[one] == self._usage[other]

    @cached_property
    def _usage(self) -> dict[str, Counter[tuple[int, int]]]:
        """For each character, a counter of the pairs (occurrences on a tile, copies of that tile)."""
        return {
            one: Counter((tile.count(one), number) for tile, number in self._tiles.items()) for one in self._alphabet
        }

    def _item_images(
        self, cells: Mapping[Place, Place], sides: Sequence[int], table: Mapping[str, str]
    ) -> dict[Item, Item]:
        images: dict[Item, Item] = {
            f"tile {tile}": f"tile {self._canonical_tile(_turn(tile, sides, table))}" for tile in self._tiles
        }
        for cell, image in cells.items():
            images[cell_name(cell)] = cell_name(image)
            for side, item in enumerate(_edges_of_cell(*cell)):
                images[item] = _edges_of_cell(*image)[sides[side]]
                for edge in self._alphabet:
                    colored = Colored(item, self._edge_color(edge, side))
                    images[colored] = Colored(images[item], self._edge_color(table[edge], sides[side]))
        return images

    def impossible(self) -> str | None:
        cells, tiles = self._size[0] * self._size[1], sum(self._tiles.values())
        return (
            f"{pictures.format_count(tiles, 'tile')} cannot cover {pictures.format_count(cells, 'cell')}"
            if tiles < cells
            else None
        )

    def decode(self, solution: Iterable[PlacedTile]) -> tuple[tuple[str, ...], ...]:
        """Return the tiles row by row, as placed; empty text for a cell without a tile."""
        tiles = {(row, column): edges for edges, row, column in solution}
        rows, columns = self._size
        return tuple(
            tuple(tiles.get((row, column), "") for column in range(1, columns + 1)) for row in range(1, rows + 1)
        )

    def piece_of(self, label: PlacedTile) -> str:
        return self._canonical_tile(label.edges)

    def describe_rules(self) -> str:
        agree = "agree" if self.agree == "same" else "have one color, pale on one side"
        border = f" Outer edges have the color {self.border}." if self.border else ""
        return f"Place square tiles on the board so that touching edges {agree}.{border}"

    def draw(self, solution: Iterable[PlacedTile]) -> Picture:
        """Return the tiles, with a triangle for each edge, on a board of empty cells."""
        colors = sorted({edge.lower() if self.agree == "case" else edge for tile in self._tiles for edge in tile})
        tints: Mapping[str, int] = {color: _TINTS[number % len(_TINTS)] for number, color in enumerate(colors)}
        solution = tuple(solution)
        shapes: list[pictures.Shape] = [
            pictures.Tile(_corners(row, column), (row, column), pictures.PAPER)
            for row, column in list_cells(self._size)
        ]
        for edges, row, column in solution:
            middle, corners = (column - 0.5, row - 0.5), _corners(row, column)
            for number, edge in enumerate(edges):
                outline = (corners[number], corners[(number + 1) % 4], middle)
                color = edge.lower() if self.agree == "case" else edge
                strength = 0.55 if self.agree == "case" and edge.islower() else 1.0
                shapes.append(pictures.Tile(outline, (row, column, edge), tints[color], strength))
        return Picture(
            f"{pictures.format_count(len(solution), 'tile')} on a board of {self.board}, with matching edges",
            tuple(shapes),
        )


def _corners(row: int, column: int) -> tuple[pictures.Corner, ...]:
    """Return the corners of a cell in the picture, clockwise from the upper left."""
    return (column - 1, row - 1), (column, row - 1), (column, row), (column - 1, row)


def _edges_of_cell(row: int, column: int) -> list[str]:
    """Return the items for the edges of a cell, clockwise from the top."""
    return [
        f"edge above {cell_name((row, column))}",
        f"edge left of {cell_name((row, column + 1))}",
        f"edge above {cell_name((row + 1, column))}",
        f"edge left of {cell_name((row, column))}",
    ]
