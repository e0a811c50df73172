"""Tilings by polyforms: pieces made of squares, cubes, hexagons, triangles, sticks or spheres."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from exactcover import Item, Paintable, ParameterError, Picture, Symmetry, pictures
from exactcover.errors import FormatWarning, nearest
from problems.boards import Board, Joined, cell_name, parse_cell
from problems.drawings import TilingDrawer
from problems.lattices import CUBES, HEXAGONS, SPHERES, SQUARES, STICKS, TRIANGLES, Lattice, Place
from problems.pieces import Piece, Shape, named_pieces, orientations, read_piece, set_names, shape_of
from problems.placements import Placement, list_placements, place_pieces
from problems.tiling import (
    Bounds,
    Copies,
    area_proof,
    bounded_copies,
    copy_bounds,
    crossings,
    tiling_symmetries,
)

_LATTICE_NAMES: dict[Lattice, Literal["squares", "hexagons", "triangles", "cubes", "spheres"]] = {
    SQUARES: "squares", HEXAGONS: "hexagons", TRIANGLES: "triangles", CUBES: "cubes", SPHERES: "spheres",
}  # fmt: skip
"""The kinds of cells that can be painted."""


def _draw_shape(shape: Shape, lattice: Lattice) -> str:
    """Return a drawing of a shape: rows end with ``/``, layers with ``//``.

    The shape may be rotated, because the first triangle of a drawing must point up.

    >>> _draw_shape(((0, 0), (0, 1), (1, 1)), SQUARES)
    '##/.#'
    """
    for turned in orientations(shape, lattice, reflect=False):
        drawing = _write(dict.fromkeys(map(lattice.place, turned), "#")).replace("\n", "/")
        if shape_of(drawing, lattice) == turned:
            return drawing
    raise AssertionError(f"no orientation of {shape} can be drawn")


def _draw_board(board: Board) -> list[str]:
    """Return a drawing of a board, as rows or as layers; every cell stays in its place."""
    kinds = ((board.required, "."), (board.optional, "?"), (board.blocked, "#"))
    characters = {place: one for places, one in kinds for place in places}
    corner = next(iter(characters))
    text = _write(characters, "_", tuple(1 for _ in corner))
    return text.split("\n\n") if board.lattice.layered else text.split("\n")


def _write(characters: Mapping[Place, str], blank: str = ".", corner: Place | None = None) -> str:
    """Write characters at places, from the corner or the first of them; layers are separated by blank lines."""
    places = [*characters, *([] if corner is None else [corner])]
    *outer, rows, columns = (_range(place[k] for place in places) for k in range(len(places[0])))
    layers = [(layer,) for layer in outer[0]] if outer else [()]
    return "\n\n".join(
        "\n".join("".join(characters.get((*layer, row, column), blank) for column in columns) for row in rows)
        for layer in layers
    )


def _range(numbers: Iterable[int]) -> range:
    found = list(numbers)
    return range(min(found), max(found) + 1)


@dataclass(frozen=True)
class Polyform(Paintable):
    """Cover a board with pieces, rotated and reflected as allowed; the base class for all lattices."""

    lattice: ClassVar[Lattice] = SQUARES
    symmetries_complete: ClassVar[bool] = True

    def __init_subclass__(cls, **keywords: Any) -> None:
        """State the kind of cells that can be painted."""
        super().__init_subclass__(**keywords)
        cls.painted_on = _LATTICE_NAMES.get(cls.lattice, "")

    board: str | tuple[str, ...] = ""
    """A size, a form and a size, or a drawing: . for a cell to cover, ? for a cell that may stay free, # for a blocked
    cell, space or _ for no cell. A drawing may be a list of rows. In space, it is a list of layers from the bottom up,
    or one text with blank lines between layers."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = ""
    """A set, one piece of a set (SET.PIECE), a list of these, or a mapping from your own names to drawings with #
    (rows end with a line break or /, layers with a blank line or //; draw sticks with - | and +) or to pieces."""

    copies: Copies | Mapping[str, Copies] = 1
    """The number of copies of each piece: a number, [low, high] or 2-3, or any; or a mapping from pieces to these,
    with 1 for pieces that it does not name. Copies of a piece are interchangeable."""

    holes: tuple[tuple[int, ...], ...] = ()
    """Blocked cells, as [row, column], or [layer, row, column] in space, numbered from 1."""

    rotate: bool = True
    """Whether pieces may be rotated."""

    reflect: bool | None = None
    """Whether pieces may be reflected, except one-sided ones. By default true in the plane, where pieces can be turned
    over, and false in space."""

    joined: Joined = ""
    """Opposite edges of the board to join: columns or rows for a cylinder, both for a torus. The board must be given by
    its size."""

    placed: tuple[str, ...] = ()
    """Placements that every solution must contain, written as in solutions: "X r1c2 r2c1 r2c2 r2c3 r3c2"."""

    takes: Mapping[str, str] = field(default_factory=dict)
    """Cells reserved for a piece: a mapping from pieces to cells, like "r1c2 r1c3". The piece must cover them, and no
    other piece may."""

    avoids: Mapping[str, str] = field(default_factory=dict)
    """Cells that a piece must not cover: a mapping from pieces to cells."""

    def __post_init__(self) -> None:
        self._warn_about_equal_pieces()
        self._board, self._copies, self._placed, self._takes, self._avoids  # noqa: B018 - reports mistakes now

    @cached_property
    def _board(self) -> Board:
        return Board.parse(self.board, self.holes, self.lattice, self.joined)

    @property
    def _reflects(self) -> bool:
        """True if pieces may be reflected, except one-sided ones."""
        return not self.lattice.layered if self.reflect is None else self.reflect

    @cached_property
    def _shapes(self) -> dict[str, list[Shape]]:
        """The orientations of every piece, by name."""
        return {
            name: orientations(shape, self.lattice, rotate=self.rotate, reflect=self._reflects and two_sided)
            for name, (shape, two_sided) in self._read_pieces().items()
        }

    @cached_property
    def _copies(self) -> dict[str, Bounds | None]:
        """The bounds on the copies of each piece; None for any number, on a board without optional cells."""
        if not isinstance(self.copies, Mapping):
            copies: dict[str, Bounds | None] = dict.fromkeys(self._shapes, copy_bounds(self.copies, "copies"))
        else:
            for name in self.copies:
                self._check_piece(name, ("copies", name))
            copies = {name: copy_bounds(self.copies.get(name, 1), ("copies", name)) for name in self._shapes}
        if self._board.optional:
            area = len(self._board.free)
            copies = {name: own or (0, max(1, area // len(self._shapes[name][0]))) for name, own in copies.items()}
        return copies

    def _warn_about_equal_pieces(self) -> None:
        """Warn if two pieces with names of the user's own have the same shape."""
        if not isinstance(self.pieces, Mapping):
            return
        names: dict[frozenset[Shape], str] = {}
        for name, shapes in self._shapes.items():
            first = names.setdefault(frozenset(shapes), name)
            if first != name:
                message = f"pieces {first!r} and {name!r} have the same shape"
                hint = "solutions that differ by swapping them are counted separately (use copies instead)"
                warnings.warn(f"{message}; {hint}", FormatWarning, stacklevel=4)

    def _check_piece(self, name: str, parameter: tuple[str | int, ...]) -> None:
        if name not in self._shapes:
            raise ParameterError(parameter, f"there is no piece {name!r}{nearest(name, self._shapes)}")

    def _read_pieces(self) -> dict[str, Piece]:
        if not self.pieces:
            raise ParameterError("pieces", "there are no pieces; expected a set, pieces of sets, or drawings")
        if isinstance(self.pieces, Mapping):
            return {name: read_piece(name, drawing, self.lattice) for name, drawing in self.pieces.items()}
        named: dict[str, Piece] = {}
        for position, reference in enumerate([self.pieces] if isinstance(self.pieces, str) else self.pieces):
            for name, piece in named_pieces(reference, self.lattice, ("pieces", position)).items():
                full_name = f"{reference.partition('.')[0]}.{name}"
                unused = next((one for one in (name, full_name) if one not in named), None)
                if unused is None or piece in named.values():
                    message = f"piece {full_name} is listed twice; set the number of pieces with copies"
                    raise ParameterError(("pieces", position), message)
                named[unused] = piece
        return named

    @cached_property
    def _placed(self) -> tuple[Placement, ...]:
        return tuple(self._read_placed(position, text) for position, text in enumerate(self.placed))

    def _read_placed(self, position: int, text: str) -> Placement:
        name, *names = text.split() or [""]
        self._check_piece(name, ("placed", position))
        cells = [parse_cell(cell) for cell in names]
        if not cells or None in cells:
            example = " ".join(map(cell_name, self._board.free[:2]))
            message = f"{text!r} is not a valid placement; expected {name} {example} ..."
            raise ParameterError(("placed", position), message)
        placement = Placement(name, tuple(sorted(cell for cell in cells if cell is not None)))
        if placement not in set(place_pieces({name: self._shapes[name]}, self._board)):
            raise ParameterError(("placed", position), f"piece {name} cannot be placed on {' '.join(names)}")
        return placement

    @cached_property
    def _takes(self) -> dict[Place, str]:
        """The piece that must cover each reserved cell."""
        takes: dict[Place, str] = {}
        for name, cells in self._cells_by_piece("takes", self.takes):
            for cell in cells:
                if takes.setdefault(cell, name) != name:
                    message = f"{cell_name(cell)} is reserved for both {takes[cell]} and {name}"
                    raise ParameterError(("takes", name), message)
        return takes

    @cached_property
    def _avoids(self) -> dict[str, set[Place]]:
        return {name: set(cells) for name, cells in self._cells_by_piece("avoids", self.avoids)}

    def _cells_by_piece(self, parameter: str, texts: Mapping[str, str]) -> Iterator[tuple[str, list[Place]]]:
        free = set(self._board.free)
        for name, text in texts.items():
            self._check_piece(name, (parameter, name))
            cells = {one: parse_cell(one) for one in text.split()}
            strange = next((one for one, cell in cells.items() if cell not in free), None)
            if strange is not None or not cells:
                example = cell_name(self._board.free[-1])
                message = f"{strange or text!r} is not a cell of the board; expected names like {example}"
                raise ParameterError((parameter, name), message)
            yield name, [cell for cell in cells.values() if cell is not None]

    @cached_property
    def _required(self) -> list[Place]:
        """The cells to cover, including optional cells that are reserved for a piece."""
        return [*self._board.along_short_side(), *(cell for cell in self._board.optional if cell in self._takes)]

    def primary(self) -> list[str]:
        return [*self.multiplicity(), *map(cell_name, self._required)]

    def multiplicity(self) -> dict[str, Bounds]:
        return bounded_copies(self._copies)

    def open_weights(self) -> dict[str, int]:
        """Return that only open cells count, and not pieces that are left."""
        return dict.fromkeys(self.multiplicity(), 0)

    def secondary(self) -> Iterator[str]:
        yield from (cell_name(cell) for cell in self._board.optional if cell not in self._takes)
        if self.lattice.crosses:
            yield from dict.fromkeys(item for one in self._placements for item in crossings(one, self._board))

    @cached_property
    def _placements(self) -> Sequence[Placement]:
        required = set(self._required)
        used = {name: shapes for name, shapes in self._shapes.items() if self._copies[name] != (0, 0)}
        return [
            placement
            for placement in list_placements(used, self._board)
            if (self._copies[placement.piece] is not None or not required.isdisjoint(placement.cells))
            and self._is_allowed(placement)
        ]

    def _is_allowed(self, placement: Placement) -> bool:
        if not self.takes and not self.avoids:
            return True
        name, cells = placement
        owned = all(self._takes.get(cell, name) == name for cell in cells)
        return owned and self._avoids.get(name, set()).isdisjoint(cells)

    def options(self) -> Iterator[tuple[Placement, list[str]]]:
        pieces = {name: [] if bounds is None else [name] for name, bounds in self._copies.items()}
        for placement in self._placements:
            items = [*pieces[placement.piece], *map(cell_name, placement.cells)]
            yield placement, items + crossings(placement, self._board)

    def additions(self) -> Iterator[tuple[Sequence[str], str]]:
        """Yield the placements of one more copy of each piece."""
        for placement, items in self.options():
            if self._copies[placement.piece] is not None:
                yield items[1:], f"take one more {placement.piece}"

    def givens(self) -> tuple[Placement, ...]:
        return self._placed

    def symmetries(self, *, mirrors: bool = True) -> Iterator[Symmetry]:
        rules = [(True, name, cell) for cell, name in self._takes.items() if not self._is_fulfilled(name, cell)]
        rules += [(False, name, cell) for name, cells in self._avoids.items() for cell in cells]
        return tiling_symmetries(self._board, self._shapes, self._copies, self._placements, rules, mirrors=mirrors)

    def rotations(self) -> Iterator[Symmetry]:
        return self.symmetries(mirrors=False)

    def _is_fulfilled(self, name: str, cell: Place) -> bool:
        """Return whether a cell must be covered, and only this piece is used, so that a rule says nothing."""
        used = {other for other in self._shapes if self._copies[other] != (0, 0)}
        return used == {name} and cell not in self._board.optional

    def impossible(self) -> str | None:
        return area_proof(self._board, [(len(shapes[0]), self._copies[name]) for name, shapes in self._shapes.items()])

    def place_of(self, item: Item) -> tuple[int, int] | None:
        return self._drawer.place_of(item)

    def describe_rules(self) -> str:
        often = {frozenset([(1, 1)]): "Use each piece once", frozenset([None]): "Use pieces as often as you like"}
        moves = " and ".join(["turned"] * self.rotate + ["flipped"] * self._reflects) or "moved, but not turned"
        rules = [
            super().describe_rules(),
            f"{often.get(frozenset(self._copies.values()), 'Use as many pieces as there are')}; they may be {moves}.",
        ]
        free = "Some cells" if self._board.required else "Cells"
        return " ".join([*rules, *[f"{free} may stay free."] * bool(self._board.optional)])

    def draw(self, solution: Iterable[Placement]) -> Picture:
        solution = tuple(solution)
        cells = pictures.format_count(len(self._board.free), self.lattice.cells.removesuffix("s"))
        title = f"{pictures.format_count(len(solution), 'piece')} on a board of {cells}"
        return self._drawer.draw(title, solution)

    @classmethod
    def piece_sets(cls) -> Sequence[str]:
        return set_names(cls.lattice)

    @classmethod
    def draw_pieces(cls, reference: str) -> Mapping[str, str]:
        pieces = named_pieces(reference, cls.lattice)
        return {name: _draw_shape(shape, cls.lattice) for name, (shape, _) in pieces.items()}

    def paint(self) -> Mapping[str, Any] | None:
        turns = self.rotate or self.lattice is not TRIANGLES  # a drawing of triangles may turn a piece
        if self.joined or self.takes or self.avoids or not turns:
            return None
        stated = self.copies if isinstance(self.copies, Mapping) else dict.fromkeys(self._shapes, self.copies)
        copies = {name: copy_bounds(stated.get(name, 1), "copies") for name in self._shapes}
        drawings = {name: _draw_shape(shapes[0], self.lattice) for name, shapes in self._shapes.items()}
        return {
            "board": _draw_board(self._board),
            "pieces": drawings | dict(self._references()),
            "drawings": drawings,
            "copies": {name: _write_copies(bounds) for name, bounds in copies.items()},
            "placed": [str(placement) for placement in self._placed],
            "rotate": self.rotate,
            "reflect": self._reflects,
        }

    def _references(self) -> Iterator[tuple[str, str]]:
        """Yield the one-sided pieces with their references, because a drawing says nothing about sides."""
        if isinstance(self.pieces, Mapping):
            yield from ((name, text) for name, text in self.pieces.items() if text.startswith("one-sided "))
            return
        for reference in [self.pieces] if isinstance(self.pieces, str) else self.pieces:
            family = reference.partition(".")[0]
            for name in named_pieces(reference, self.lattice) if family.startswith("one-sided ") else ():
                yield (name if name in self._shapes else f"{family}.{name}"), f"{family}.{name}"

    @cached_property
    def _drawer(self) -> TilingDrawer:
        single = ((1, 1), (0, 1))
        return TilingDrawer(self._board, {name: self._copies[name] not in single for name in self._shapes})


def _write_copies(bounds: Bounds | None) -> int | list[int] | str:
    return "any" if bounds is None else bounds[0] if bounds[0] == bounds[1] else list(bounds)


class _SolidPolyform(Polyform):
    """A polyform in space."""

    def blocks(self, label: Placement) -> Iterator[tuple[float, float, float]]:
        yield from map(self.lattice.middle, label.cells)


@dataclass(frozen=True)
class Polyomino(Polyform):
    """Cover a board of squares with polyominoes.

    References
    ----------
    S. W. Golomb, *Polyominoes* (1965).

    Examples
    --------
    >>> tiling = Polyomino(board="3x20")
    >>> tiling.problem()
    <Problem: 72 items, 1,236 options>
    """

    board: str | tuple[str, ...] = "6x10"
    """ROWSxCOLUMNS, "triangle N" (a staircase), "diamond N" (an Aztec diamond), or a drawing, as text or a list of
    rows: . for a cell to cover, ? for a cell that may stay free, # for a blocked cell, space or _ for no cell."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = "pentominoes"
    """A set (monominoes to heptominoes, also "one-sided pentominoes"), one piece of a set (tetrominoes.O), a list of
    these, or a mapping from your own names to drawings with # (rows end with a line break or /) or to pieces."""


@dataclass(frozen=True)
class Polycube(_SolidPolyform):
    """Fill a solid with polycubes.

    Examples
    --------
    >>> Polycube().problem().count(distinct=True)
    240
    """

    lattice = CUBES

    board: str | tuple[str, ...] = "3x3x3"
    """LAYERSxROWSxCOLUMNS, "pyramid N", or a list of layers from the bottom up, each a size or a drawing: . for a cell
    to cover, ? for a cell that may stay free, # for a blocked cell, space or _ for no cell. The layers may also be
    given as a single string, with blank lines between them."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = "soma"
    """A set (monocubes to pentacubes, with both mirror images; soma; sets of polyominoes, one cube thick), one piece of
    a set (tetracubes.A), a list of these, or a mapping from your own names to drawings with # (rows end with a line
    break or /, layers with a blank line or //) or to pieces."""


@dataclass(frozen=True)
class Polyhex(Polyform):
    """Cover a board of hexagons with polyhexes.

    Examples
    --------
    >>> Polyhex().problem().count(distinct=True)
    9
    """

    lattice = HEXAGONS

    board: str | tuple[str, ...] = "4x7"
    """ROWSxCOLUMNS (a parallelogram), "triangle N", "hexagon N", or a drawing. Neighbors in a row are two columns
    apart, and adjacent rows are offset by one column: . for a cell to cover, ? for a cell that may stay free, # for a
    blocked cell, space or _ for no cell."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = "tetrahexes"
    """A set (monohexes to hexahexes, also "one-sided tetrahexes"), one piece of a set (tetrahexes.O), a list of these,
    or a mapping from your own names to drawings with #, spaced like boards, or to pieces."""


@dataclass(frozen=True)
class Polyiamond(Polyform):
    """Cover a board of triangles with polyiamonds.

    References
    ----------
    T. H. O'Beirne, "Pentominoes and hexiamonds", New Scientist 259 (1961).

    Examples
    --------
    >>> Polyiamond().problem().count(distinct=True)
    156
    """

    lattice = TRIANGLES

    board: str | tuple[str, ...] = "6x6"
    """ROWSxCOLUMNS (a parallelogram; each column is a pair of triangles), "triangle N", "hexagon N", or a drawing.
    Triangles alternate between up and down, and the very first points up: . for a cell to cover, ? for a cell that may
    stay free, # for a blocked cell, space or _ for no cell."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = "hexiamonds"
    """A set (moniamonds to heptiamonds, also "one-sided hexiamonds"), one piece of a set (hexiamonds.O), a list of
    these, or a mapping from your own names to drawings with #, whose first triangle points up, or to pieces."""


@dataclass(frozen=True)
class Polystick(Polyform):
    """Cover the sides of squares with polysticks that do not cross.

    References
    ----------
    B. R. Barwell, "Polysticks", Journal of Recreational Mathematics 22 (1990); D. E. Knuth, "Dancing Links" (2000).

    Examples
    --------
    >>> Polystick("2x2", "disticks.V", copies=2).problem().count()
    2
    """

    lattice = STICKS

    board: str | tuple[str, ...] = "3x4"
    """ROWSxCOLUMNS, counted in corners, or a drawing: - and | for sticks to cover, ? for a stick that may stay free, #
    for a blocked stick, + and space for no stick."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = ("disticks.V", "tristicks")
    """A set (monosticks to tetrasticks, also "one-sided tetrasticks"), one piece of a set (tetrasticks.X), a list of
    these, or a mapping from your own names to drawings with - | and + (rows end with a line break or /) or to
    pieces."""


@dataclass(frozen=True)
class Polysphere(_SolidPolyform):
    """Build a pile of spheres from pieces made of spheres; each layer sits in the hollows of the one below it.

    Examples
    --------
    >>> Polysphere("pyramid 2", {"row": "##", "corner": "##/#"}, copies="any").problem().count()
    4
    """

    lattice = SPHERES
    block_shape = "sphere"

    board: str | tuple[str, ...] = "pyramid 3"
    """LAYERSxROWSxCOLUMNS, "pyramid N", or a list of layers from the bottom up, each a size or a drawing: . for a cell
    to cover, ? for a cell that may stay free, # for a blocked cell, space or _ for no cell. A sphere in row r and
    column c rests on the four spheres in rows r and r + 1 and columns c and c + 1 of the layer below."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = ("dispheres", "trispheres")
    """A set (monospheres to tetraspheres; sets of polyominoes, with spheres in place of squares), one piece of a set, a
    list of these, or a mapping from your own names to drawings with # (rows end with a line break or /, layers with a
    blank line or //) or to pieces."""
