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

The parser is expat of the standard library, which knows the line and column of each element. It is fed in blocks that
are unpacked one at a time. A document type, which is where entities could be declared, is refused.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from typing import Any, BinaryIO, NamedTuple, TypeAlias
from xml.etree import ElementTree  # writes only
from xml.parsers import expat

from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Paintable
from exactcover.errors import ConfigError, Mistake, ProblemError, nearest
from exactcover.files.read import unpack_blocks
from exactcover.formats.registry import FamilyParameters
from exactcover.pictures.text import cut, format_count, printable
from exactcover.problem import Problem

_MAX_BYTES = 1 << 26  # of an unpacked file
_MAX_NUMBER = 10_000  # of copies, and of what a file numbers
_DEEPEST = 6  # elements within each other, of those that say something
_MAX_MISTAKES = 100
_BLOCK = 1 << 16  # bytes that are parsed at once
_VOXEL = re.compile(r"([#+_])([0-9]*)")
_GRIDS = ("cubes", "triangular prisms", "spheres", "rhombic tetrahedra", "tetrahedra and octahedra")
_FAMILIES = {"0": "polycube", "2": "polysphere"}  # by grid

Cell: TypeAlias = tuple[int, int, int]
"""Layer, row and column, from 0."""

Place: TypeAlias = tuple[int, int]
"""Line and column in a file, from 1."""

_CELL = re.compile(r"(z\d+)?r\d+c\d+")  # a name that no piece may have


class PieceCount(NamedTuple):
    """The number of copies of a shape in a problem, at least and at most."""

    shape: int
    low: int
    high: int


@dataclass
class Shape:
    """A shape: its place in the file, its size, and the cells that are filled or may be, with their colors."""

    place: Place
    name: str
    size: Cell
    filled: dict[Cell, int] = field(default_factory=dict)
    optional: dict[Cell, int] = field(default_factory=dict)


@dataclass
class BurrProblem:
    """A problem of a file."""

    place: Place  # the line and column where it begins
    name: str  # may be empty
    max_holes: int | None = None  # how many cells that may stay free do so at most
    parts: list[PieceCount] = field(default_factory=list)  # the pieces
    result: int | None = None  # the shape to fill
    pairs: set[tuple[int, int]] = field(default_factory=set)  # a piece's color, and one of the result that it may fill


def _parse(data: bytes, source: str, stop: Stop) -> tuple[list[Shape], list[BurrProblem], str]:
    """Return the shapes and the problems of a file, packed or not, and the family that they belong to."""
    is_packed = data.startswith(b"\x1f\x8b")
    blocks = unpack_blocks(data, zlib.MAX_WBITS | 16) if is_packed else [data]
    reader, total = _BurrReader(source), 0
    try:
        for block in blocks:
            total += len(block)
            if total > _MAX_BYTES:
                raise ValueError(f"it unpacks to more than {_MAX_BYTES:,} bytes, which is too large")
            for start in range(0, len(block), _BLOCK):
                stop.poll()
                reader.feed(block[start : start + _BLOCK])
        return reader.finish()
    except ConfigError:
        raise
    except ValueError as error:
        raise ConfigError([Mistake(f"cannot be unpacked: {error}", source)]) from None


class _BurrReader:
    """Follows the elements of a document, and collects shapes, problems and mistakes."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.mistakes: list[Mistake] = []
        self.shapes: list[Shape] = []
        self.problems: list[BurrProblem] = []
        self.colors = 0
        self.grid: str | None = None
        self._path: list[str] = []
        self._text: list[str] | None = None
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._close
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._refuse_type

    def feed(self, block: bytes, last: bool = False) -> None:
        try:
            self._parser.Parse(block, last)
        except ConfigError:
            raise
        except (LookupError, ValueError) as error:  # of the encoding that the file states
            raise ConfigError([Mistake(f"not XML: {error}", self.source, *self._place)]) from None
        except expat.ExpatError as error:
            message = expat.ErrorString(error.code)
            raise ConfigError([Mistake(f"not XML: {message}", self.source, error.lineno, error.offset + 1)]) from None

    def finish(self) -> tuple[list[Shape], list[BurrProblem], str]:
        self.feed(b"", True)
        if not self.mistakes and self.grid is None:
            self._complain("there is no element gridType, so the form of the voxels is unknown")
        shapes = [*map(self._turn_spheres, self.shapes, count(1))] if self.grid == "2" else self.shapes
        if self.mistakes:
            raise ConfigError(self.mistakes)
        return shapes, self.problems, _FAMILIES[self.grid or "0"]

    def _turn_spheres(self, shape: Shape, number: int) -> Shape:
        """Return a shape of spheres with rows and columns along the lines in which spheres of a layer touch.

        Voxels of spheres are at places whose coordinates have an even sum; so rows and columns are diagonals.
        """
        cells = [*shape.filled, *shape.optional]
        wrong = next((cell for cell in cells if sum(cell) % 2), None)
        if wrong is not None:
            z, y, x = wrong
            message = f"shape S{number}: a sphere cannot lie at x={x}, y={y}, z={z}"
            self.mistakes.append(Mistake(f"{message}; their sum must be even", self.source, *shape.place))
        turned = {(z, y, x): (z, (x + y - z) // 2, (y - x - z) // 2) for z, y, x in cells}
        first = [min((cell[axis] for cell in turned.values()), default=0) for axis in range(3)]
        moved = {cell: (z - first[0], i - first[1], j - first[2]) for cell, (z, i, j) in turned.items()}
        size = tuple(max((cell[axis] for cell in moved.values()), default=0) + 1 for axis in range(3))
        filled, optional = (
            {moved[cell]: color for cell, color in one.items()} for one in (shape.filled, shape.optional)
        )
        return Shape(shape.place, shape.name, (size[0], size[1], size[2]), filled, optional)

    @property
    def _place(self) -> Place:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _complain(self, message: str) -> None:
        self.mistakes.append(Mistake(message, self.source, *self._place))
        if len(self.mistakes) == _MAX_MISTAKES:
            raise ConfigError(self.mistakes)

    def _refuse_type(self, *_: object) -> None:
        self._complain("a document type, which could declare entities, is not allowed")
        raise ConfigError(self.mistakes)

    def _open(self, name: str, values: dict[str, str]) -> None:
        self._path.append(name)
        if self._path[0] != "puzzle":
            self._complain(f"expected the element puzzle, got {cut(printable(name), 40)}")
            raise ConfigError(self.mistakes)
        match self._path[1:] if len(self._path) <= _DEEPEST else None:
            case []:
                if values.get("version") not in ("1", "2"):
                    self._complain("expected a file of version 1 or 2")
            case ["gridType"]:
                self._set_grid(values)
            case ["colors", "color"]:
                self.colors += 1
            case ["shapes", "voxel"]:
                self._open_shape(values)
            case ["problems", "problem"]:
                self._open_problem(values)
            case ["problems", "problem", "shapes", "shape"]:
                self._add_part(values)
            case ["problems", "problem", "result"]:
                self.problems[-1].result = self._number(values, "id")
            case ["problems", "problem", "bitmap", "pair"]:
                self.problems[-1].pairs.add((self._number(values, "piece") + 1, self._number(values, "result") + 1))

    def _set_grid(self, values: Mapping[str, str]) -> None:
        self.grid = values.get("type", "")
        if self.grid not in _FAMILIES:
            known = self.grid.isdecimal() and len(self.grid) == 1 and int(self.grid) < len(_GRIDS)
            kind = f"{_GRIDS[int(self.grid)]}" if known else f"unknown cells (grid {cut(printable(self.grid), 10)!r})"
            self._complain(f"the puzzle is made of {kind}; only puzzles made of cubes or of spheres can be read")
            raise ConfigError(self.mistakes)

    def _open_shape(self, values: Mapping[str, str]) -> None:
        columns, rows, layers = (self._number(values, key, 1) for key in "xyz")
        if values.get("type", "0") != "0":
            self._complain("voxels of a type other than 0 are unknown")
        self.shapes.append(Shape(self._place, values.get("name", ""), (layers, rows, columns)))
        self._text = []

    def _open_problem(self, values: Mapping[str, str]) -> None:
        problem = BurrProblem(self._place, values.get("name", ""))
        if "maxHoles" in values:
            problem.max_holes = self._number(values, "maxHoles", most=1 << 63)
        if values.get("state") == "2" and "assemblies" in values:
            self._number(values, "assemblies", most=1 << 63)  # not used, but another value shows damage
        self.problems.append(problem)

    def _add_part(self, values: Mapping[str, str]) -> None:
        low, high = (1, 1)
        if "count" in values:
            low = high = self._number(values, "count")
        elif "min" in values and "max" in values:
            low, high = self._number(values, "min"), self._number(values, "max")
            if low > high:
                self._complain(f"min is {low}, which exceeds max, {high}")
        self.problems[-1].parts.append(PieceCount(self._number(values, "id"), low, high))

    def _number(self, values: Mapping[str, str], key: str, least: int = 0, most: int = _MAX_NUMBER) -> int:
        text = values.get(key, "")
        if re.fullmatch(r"[0-9]{1,19}", text) and least <= int(text) <= most:
            return int(text)
        found = f"got {cut(printable(text), 20)!r}" if key in values else "there is none"
        self._complain(f"{key}: expected a whole number from {least} to {most:,}; {found}")
        return least

    def _add_text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _close(self, _: str) -> None:
        self._path.pop()
        if self._text is not None and self._path == ["puzzle", "shapes"]:
            self._fill(self.shapes[-1], "".join(self._text).strip())
            self._text = None

    def _fill(self, shape: Shape, text: str) -> None:
        found, end = [], 0
        for match in _VOXEL.finditer(text):
            if match.start() != end or len(match[2]) > 2:
                break
            found.append((match[1], int(match[2] or 0)))
            end = match.end()
        layers, rows, columns = shape.size
        if end < len(text):
            shown = printable(text[end : end + 10])
            self._complain(
                f"shape S{len(self.shapes)}: {shown!r} is not allowed among voxels; use #, + and _, and colors"
            )
        elif len(found) != layers * rows * columns:
            wanted = f"{columns} x {rows} x {layers} = {columns * rows * layers:,}"
            self._complain(f"shape S{len(self.shapes)} has {len(found):,} voxels; expected {wanted}")
        else:
            for cell, (mark, color) in zip(product(range(layers), range(rows), range(columns)), found, strict=True):
                if color > self.colors:
                    self._complain(f"shape S{len(self.shapes)} uses color {color}, but the file has {self.colors}")
                    break
                if mark != "_":
                    (shape.filled if mark == "#" else shape.optional)[cell] = color


@dataclass(frozen=True)
class PuzzleFile:
    """A file that was read."""

    source: str  # its name, for errors
    shapes: Sequence[Shape]
    problems: Sequence[BurrProblem]
    family: str  # of its puzzles, for which cubes or spheres are written

    def choose(self, wanted: str | None = None) -> FamilyParameters:
        """Return the parameters of a problem, by its number from 1 or by its name; of the only one by default.

        Raise ``ConfigError`` if there is no such problem, if there are several and none is chosen, or if it cannot be
        expressed.
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
        colored = [(cell, color) for cell, color in (board.filled | board.optional).items() if color]
        wrong = {cell for cell, other in colored for color in colors - {0} if (color, other) not in pairs}
        if wrong and len(colors) > 1:
            message = f"shape S{number + 1} has voxels of several colors, which restrict where it can be placed"
            raise self._fail(shape.place, f"{message}; only pieces of one color can be read")
        return " ".join(f"z{z + 1}r{y + 1}c{x + 1}" for z, y, x in sorted(wrong))

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
    """Read a puzzle, packed or not; errors name the source.

    Raise ``ConfigError`` if the file is damaged, is not XML, unpacks to more than 64 MiB, has another grid, or does not
    have the expected structure; the error lists all mistakes, with line and column.
    """
    return PuzzleFile(source, *_parse(content.read(), source, stop or Stop()))


def write(problem: Problem, out: BinaryIO, *, encoder: Paintable) -> None:
    """Write the board and the pieces of an encoder of squares or cubes; BurrTools turns squares over.

    Raise ``ProblemError`` if BurrTools has no place for something: other cells, joined edges, rules for single cells,
    placed pieces, or pieces that may not be rotated, or may be reflected in space, or may not in the plane.
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
