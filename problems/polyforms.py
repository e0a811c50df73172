"""Tilings by polyforms: pieces made of squares, cubes, hexagons, triangles, sticks or spheres."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from problems.lattices import CUBES, HEXAGONS, SPHERES, STICKS, TRIANGLES
from problems.polyform import Polyform, SolidPolyform

__all__ = ["Polycube", "Polyform", "Polyhex", "Polyiamond", "Polyomino", "Polysphere", "Polystick"]


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
class Polycube(SolidPolyform):
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
class Polysphere(SolidPolyform):
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
