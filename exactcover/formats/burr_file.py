"""The XML of BurrTools: shapes and problems as they are in a file; :mod:`burr_tools` describes the format.

The parser is expat of the standard library, which knows the line and column of each element. It is fed in blocks that
are unpacked one at a time. A document type, which is where entities could be declared, is refused.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from typing import NamedTuple, TypeAlias
from xml.parsers import expat

from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.files.unpack import unpack_blocks
from exactcover.pictures.text import cut, printable

__all__ = ["BurrProblem", "Cell", "Part", "Place", "Shape", "parse"]

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


class Part(NamedTuple):
    """How many copies of a shape a problem has, at least and at most."""

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
    """A problem of a file.

    Attributes
    ----------
    place
        The line and column where it begins.
    name
        Its name, which may be empty.
    assemblies
        The number of assemblies that BurrTools has found, or None if it has not finished.
    max_holes
        How many cells that may stay free do so at most, or None.
    parts, result
        The pieces, and the shape to fill.
    pairs
        The colors of pieces, each with a color of the result that it may fill.
    """

    place: Place
    name: str
    assemblies: int | None = None
    max_holes: int | None = None
    parts: list[Part] = field(default_factory=list)
    result: int | None = None
    pairs: set[tuple[int, int]] = field(default_factory=set)


def parse(data: bytes, source: str, stop: Stop) -> tuple[list[Shape], list[BurrProblem], str]:
    """Return the shapes and the problems of a file, packed or not, and the family that they belong to.

    Raises
    ------
    ConfigError
        As for :func:`burr_tools.read`.
    """
    reader, total = _Reader(source), 0
    try:
        for block in _unpack(data):
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


def _unpack(data: bytes) -> Iterator[bytes]:
    return unpack_blocks(data, zlib.MAX_WBITS | 16) if data.startswith(b"\x1f\x8b") else iter([data])


class _Reader:
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
            message = f"shape S{number}: there is no sphere at x={x}, y={y}, z={z}"
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
        if values.get("state") == "2" and "assemblies" in values:
            problem.assemblies = self._number(values, "assemblies", most=1 << 63)
        if "maxHoles" in values:
            problem.max_holes = self._number(values, "maxHoles", most=1 << 63)
        self.problems.append(problem)

    def _add_part(self, values: Mapping[str, str]) -> None:
        low, high = (1, 1)
        if "count" in values:
            low = high = self._number(values, "count")
        elif "min" in values and "max" in values:
            low, high = self._number(values, "min"), self._number(values, "max")
            if low > high:
                self._complain(f"min is {low}, which exceeds max, {high}")
        self.problems[-1].parts.append(Part(self._number(values, "id"), low, high))

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
        """Read the voxels of a shape."""
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
