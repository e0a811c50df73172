"""Puzzles of BurrTools: shapes of cubes or spheres, and problems that say how many of each fill which result.

A file is XML, packed by gzip. The voxels of a shape are written along x, then y, then z; ``#`` is filled, ``+`` may be
filled, ``_`` is empty, and digits are the number of a color::

    <puzzle version="2">
     <gridType type="0"/>
     <colors/>
     <shapes>
      <voxel x="3" y="1" z="1" type="0">###</voxel>
      <voxel x="2" y="2" z="1" name="corner" type="0">###_</voxel>
      <voxel x="3" y="2" z="1" type="0">######</voxel>
     </shapes>
     <problems>
      <problem><shapes><shape id="1" min="0" max="2"/><shape id="0" count="0"/></shapes><result id="2"/></problem>
     </problems>
    </puzzle>

A problem becomes parameters of the family `polycube`: z is the layer, y the row and x the column. Spheres become
`polysphere`, where rows and columns are the diagonals (x + y - z)/2 and (y - x - z)/2. What only matters for
taking a puzzle apart (weights, groups, stored solutions) is left out. A piece of one color avoids the cells of the
result that its color may not fill.

References
----------
A. Röver, *BurrTools*, https://burrtools.sourceforge.net.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, BinaryIO, NamedTuple
from xml.etree import ElementTree  # writes only

from exactcover.control.stop import Stop
from exactcover.encoders.painting import Paintable
from exactcover.errors import ConfigError, Mistake, ProblemError, nearest
from exactcover.formats.burr_file import BurrProblem, Place, Shape, parse
from exactcover.pictures.text import cut, format_count, printable
from exactcover.problem import Problem

__all__ = ["FamilyParameters", "PuzzleFile", "read", "write"]

_CELL = re.compile(r"(z\d+)?r\d+c\d+")  # a name that no piece may have


class FamilyParameters(NamedTuple):
    """A family of problems, parameters of it, and a title, which may be empty."""

    family: str
    params: Mapping[str, Any]
    title: str


@dataclass(frozen=True)
class PuzzleFile:
    """A file that was read.

    Attributes
    ----------
    source
        Its name, for errors.
    shapes, problems
        What it contains.
    family
        The family of its puzzles, for which cubes or spheres are written.
    """

    source: str
    shapes: Sequence[Shape]
    problems: Sequence[BurrProblem]
    family: str

    def choose(self, wanted: str | None = None) -> FamilyParameters:
        """Return the parameters of a problem, by its number from 1 or by its name; of the only one by default.

        Raises
        ------
        ConfigError
            If there is no such problem, if there are several and none is chosen, or if it cannot be expressed.
        """
        if not self.problems:
            raise self._fail((1, 1), "the file has no problem; make one in the tab Puzzle of BurrTools")
        numbered = dict(enumerate(self.problems, 1))
        if wanted is None and len(numbered) == 1:
            return self._convert(self.problems[0])
        found = [one for number, one in numbered.items() if str(number) == wanted]
        found = found or [one for one in self.problems if one.name == wanted]
        if len(found) == 1:
            return self._convert(found[0])
        names = [f"problem={number} ({printable(cut(one.name or 'no name', 40))})" for number, one in numbered.items()]
        choices = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
        why = f"the file has {len(found) or len(names)} problems" + (f" called {wanted!r}" if found else "")
        if wanted is not None and not found:
            why = f"there is no problem {wanted!r}{nearest(wanted, [one.name for one in self.problems])}"
        raise self._fail(self.problems[0].place, f"{why}; choose {'one of ' * (len(names) > 1)}{choices}")

    def _convert(self, problem: BurrProblem) -> FamilyParameters:
        if problem.result is None:
            raise self._fail(problem.place, "the problem has no result")
        board = self._shape(problem.result, problem.place)
        if not board.filled and not board.optional:
            raise self._fail(board.place, "the result has no filled voxel")
        counts: dict[int, tuple[int, int]] = {}
        for part in problem.parts:
            low, high = counts.get(part.shape, (0, 0))
            counts[part.shape] = low + part.low, high + part.high
        pieces: dict[str, str] = {}
        copies: dict[str, int | list[int]] = {}
        avoids: dict[str, str] = {}
        least = 0
        used = {number: often for number, often in counts.items() if often[1]}
        for number, (low, high) in (used or counts).items():
            shape = self._shape(number, problem.place)
            self._check_piece(shape, number)
            name = _choose_name(shape.name, number, pieces)
            least += low * len(shape.filled)
            pieces[name] = _draw(shape)
            copies[name] = low if low == high else [low, high]
            cells = self._avoid(shape, number, board, problem.pairs)
            if cells:
                avoids[name] = cells
        if not pieces:
            raise self._fail(problem.place, "the problem has no pieces")
        holes = len(board.filled) + len(board.optional) - least
        if problem.max_holes is not None and problem.max_holes < holes:
            message = f"at most {format_count(problem.max_holes, 'hole')} of up to {holes} cannot be expressed"
            raise self._fail(problem.place, f"{message}; remove that limit in BurrTools, or state piece ranges")
        params: dict[str, Any] = {"board": _draw_layers(board), "pieces": pieces, "copies": copies}
        return FamilyParameters(self.family, params | ({"avoids": avoids} if avoids else {}), problem.name)

    def _shape(self, number: int, place: Place) -> Shape:
        if number >= len(self.shapes):
            raise self._fail(
                place,
                f"there is no shape {number} (the first is 0); the file has {format_count(len(self.shapes), 'shape')}",
            )
        return self.shapes[number]

    def _check_piece(self, shape: Shape, number: int) -> None:
        if shape.optional:
            raise self._fail(shape.place, f"shape S{number + 1} is a piece, so it cannot have variable voxels")
        if not shape.filled:
            raise self._fail(shape.place, f"shape S{number + 1} is a piece, but has no filled voxel")

    def _avoid(self, shape: Shape, number: int, board: Shape, pairs: set[tuple[int, int]]) -> str:
        """Return the names of the cells of the result that a piece must avoid because of its color."""
        colors = set(shape.filled.values())
        wrong = {
            color: [
                cell for cell, other in (board.filled | board.optional).items() if other and (color, other) not in pairs
            ]
            for color in colors - {0}
        }
        if not any(wrong.values()):
            return ""
        if len(colors) > 1:
            message = f"shape S{number + 1} has voxels of several colors, which restrict where it can be placed"
            raise self._fail(shape.place, f"{message}; only pieces of one color can be read")
        (cells,) = wrong.values()
        return " ".join(f"z{z + 1}r{y + 1}c{x + 1}" for z, y, x in sorted(cells))

    def _fail(self, place: Place, message: str) -> ConfigError:
        return ConfigError([Mistake(message, self.source, *place)])


def _choose_name(name: str, number: int, taken: Mapping[str, str]) -> str:
    """Return the name of a piece as one word that no other piece has."""
    word = "_".join(name.split())
    if word and word not in taken and word.isprintable() and not _CELL.fullmatch(word):
        return word
    names = (f"S{number + 1}" + "'" * times for times in count())
    return next(one for one in names if one not in taken)


def _draw(shape: Shape) -> str:
    """Return the drawing of a piece, without empty margins."""
    spans = [range(min(line), max(line) + 1) for line in zip(*shape.filled, strict=True)]
    layers, rows, columns = spans
    return "//".join("/".join("".join(".#"[(z, y, x) in shape.filled] for x in columns) for y in rows) for z in layers)


def _draw_layers(shape: Shape) -> list[str]:
    marks = dict.fromkeys(shape.filled, ".") | dict.fromkeys(shape.optional, "?")
    layers, rows, columns = map(range, shape.size)
    return ["\n".join("".join(marks.get((z, y, x), "_") for x in columns) for y in rows) for z in layers]


def read(content: BinaryIO, source: str = "<file>", *, stop: Stop | None = None) -> PuzzleFile:
    """Read a puzzle, packed or not.

    Parameters
    ----------
    content
        The file.
    source
        The name used in errors.
    stop
        Polled while reading.

    Raises
    ------
    ConfigError
        If the file is damaged, is not XML, unpacks to more than 64 MiB, has another grid, or does not have
        the expected structure; the error lists all mistakes, with line and column.
    """
    return PuzzleFile(source, *parse(content.read(), source, stop or Stop()))


def write(problem: Problem, out: BinaryIO, *, encoder: Paintable) -> None:
    """Write the board and the pieces of an encoder of squares or cubes; BurrTools turns squares over.

    Raises
    ------
    ProblemError
        If BurrTools has no place for something: other cells, joined edges, rules for single cells, placed pieces, or
        pieces that may not be rotated, or may be reflected in space, or may not in the plane.
    """
    del problem  # a file has the puzzle, not its items and options
    painted = encoder.paint() if encoder.painted_on in ("squares", "cubes") else None
    if painted is None:
        raise ProblemError("BurrTools files hold boards and pieces of squares or cubes, without rules for single cells")
    solid = encoder.painted_on == "cubes"
    if painted["placed"]:
        raise ProblemError(f"BurrTools files have no place for placed pieces, such as {painted['placed'][0]!r}")
    one_sided = [name for name, text in painted["pieces"].items() if text.startswith("one-sided ")]
    if not painted["rotate"] or painted["reflect"] == solid or one_sided:
        only = "rotates pieces in space" if solid else "turns flat pieces, also over"
        raise ProblemError(f"BurrTools {only}; it cannot be told otherwise, so the file would have other solutions")
    layers = painted["board"] if solid else ["\n".join(painted["board"])]
    board = [layer.split("\n") for layer in layers]
    area = sum(row.count(".") + row.count("?") for layer in board for row in layer)
    root = ElementTree.Element("puzzle", version="2")
    ElementTree.SubElement(root, "gridType", type="0")
    ElementTree.SubElement(root, "colors")
    shapes = ElementTree.SubElement(root, "shapes")
    stated = ElementTree.SubElement(ElementTree.SubElement(root, "problems"), "problem", state="0")
    parts = ElementTree.SubElement(stated, "shapes")
    for number, (name, drawing) in enumerate(painted["drawings"].items()):
        if not name.isprintable():
            raise ProblemError(f"BurrTools files cannot hold the name of piece {printable(name)!r}")
        cells = [layer.split("/") for layer in drawing.split("//")]
        _add_shape(shapes, name, cells, {"#": "#"})
        low, high = _bounds(painted["copies"][name], area // drawing.count("#"))
        bounds = {"count": str(low)} if low == high else {"min": str(low), "max": str(high)}
        ElementTree.SubElement(parts, "shape", {"id": str(number), **bounds})
    _add_shape(shapes, "Result", board, {".": "#", "?": "+"})
    ElementTree.SubElement(stated, "result", id=str(len(shapes) - 1))
    ElementTree.SubElement(stated, "bitmap")
    ElementTree.SubElement(root, "comment")
    ElementTree.indent(root, " ")
    out.write(gzip.compress(ElementTree.tostring(root, "utf-8", xml_declaration=True), mtime=0))


def _add_shape(shapes: ElementTree.Element, name: str, layers: Sequence[Sequence[str]], marks: dict[str, str]) -> None:
    """Add a shape, drawn as layers of rows, which need not be equally long."""
    height = max(map(len, layers))
    width = max(len(row) for layer in layers for row in layer)
    rows = [row.ljust(width) for layer in layers for row in [*layer, *[""] * (height - len(layer))]]
    size = {"x": str(width), "y": str(height), "z": str(len(layers))}
    voxels = ElementTree.SubElement(shapes, "voxel", size | {"name": name, "type": "0"})
    voxels.text = "".join(marks.get(one, "_") for row in rows for one in row)


def _bounds(copies: int | Sequence[int] | str, most: int) -> tuple[int, int]:
    """Return the least and greatest number of copies."""
    if copies == "any":
        return 0, most
    low, high = (copies, copies) if isinstance(copies, int) else map(int, copies)
    return low, high
