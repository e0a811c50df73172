"""Writers of pieces: solids and plates to print, and outlines to cut.

Outlines are DXF, or SVG with thin lines, both in millimeters. The colors of pieces are areas below the lines in SVG,
and closed lines in DXF, on a layer for each color that is named by it. DXF is written here in the form of release 12,
which every program reads: closed polylines need some twenty lines, and a library for all of DXF brings sixty
megabytes. The tests read it with one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from colorsys import rgb_to_hsv
from contextlib import nullcontext
from itertools import chain

from exactcover.algorithm_x import Label
from exactcover.encoders.encoder import Encoder, Paintable, defines
from exactcover.errors import ProblemError
from exactcover.formats.solution_tables import Writer
from exactcover.pictures.flats import CutSize, Flat, Loop, Polygon, arrange, find_box, find_polygons
from exactcover.pictures.palette import rgb
from exactcover.pictures.solids import write_meshes, write_stl

_THICKNESS = 3.0
_MARGIN = 5.0  # millimeters around the pieces, and between them
_LINE = 0.1  # the width of a line, in millimeters
_CUT = "#ff0000"  # the color that programs of laser cutters take as a cut
_RED = 1  # the same in DXF
_HUES = 24  # of the numbered colors of DXF, of which there are ten for each hue, from 10


class _PieceWriter(Writer):
    """Writes the pieces of the first solution, or one of each kind, at the end.

    Raise ``ProblemError`` if the problem has no pieces that can be written.
    """

    def begin(self) -> None:
        assert self.encoder is not None
        self.shown_by: Encoder = self.encoder
        self.labels: list[Label] = []
        labels = self.problem.labels
        if self.settings.piece_set:
            if not isinstance(self.encoder, Paintable):
                raise ProblemError("--piece-set: this problem has no set of pieces")
            self.labels = list({self.encoder.piece_of(label): label for label in reversed(labels)}.values())[::-1]
        self.check(labels[:1])

    @abstractmethod
    def check(self, labels: Sequence[Label]) -> None:
        """Refuse a problem without such pieces, before the search; these options are examples."""

    @abstractmethod
    def render(self, labels: Sequence[Label]) -> bytes:
        """Return the file with the pieces of these options."""

    def write_solution(self, positions: Sequence[int]) -> None:
        if not self.labels:
            self.labels = list(self.get_labels(positions))

    def close(self) -> str | None:
        found = self.search.statistics.solutions
        if not self.labels or not found:
            return None
        files = [[label] for label in self.labels] if self.settings.piece_files else [self.labels]
        contents = [self.render(file) for file in files]  # nothing is replaced unless all of them can be made
        self.may_replace = True
        for number, content in enumerate(contents, 1):
            with nullcontext(self.out) if number == 1 else self.settings.open_page(number) as out:
                out.flush()
                out.buffer.write(content)
                out.buffer.flush()
        if self.settings.piece_set or found == 1:
            return None
        return f"only the pieces of the first of {found:,} solutions are written"

    def find_flats(self, labels: Iterable[Label], width: float) -> Iterator[Flat]:
        """Yield the pieces of options as polygons."""
        for label in labels:
            polygons = self.find_polygons(label)
            if not polygons:
                continue
            try:
                yield Flat(polygons, width)
            except ValueError as error:
                raise ProblemError(f"the piece {label} cannot be written: {error}") from None

    def find_polygons(self, label: Label) -> list[Polygon]:
        """Return the cells of an option; none if it has no flat piece."""
        board, picture = self.shown_by.draw(()), self.shown_by.draw((label,))
        return [] if board is None or picture is None else find_polygons(picture, board.shapes)

    def check_flat(self, labels: Sequence[Label]) -> None:
        if labels and not any(map(self.find_polygons, labels)):
            raise ProblemError(
                "this problem has no flat pieces: its options are not cells of one size that share edges; sticks, for "
                "instance, meet only in corners"
            )


class StlWriter(_PieceWriter):
    """Writes pieces as solids to print; flat ones become plates."""

    def check(self, labels: Sequence[Label]) -> None:
        if not defines(self.shown_by, "blocks"):
            self.check_flat(labels)
        elif self.settings.thickness is not None:
            raise ProblemError("--thickness applies only to flat pieces; those of this problem are solid")

    def render(self, labels: Sequence[Label]) -> bytes:
        size, name = self.settings.print_size, " + ".join(map(str, labels))
        if defines(self.shown_by, "blocks"):
            return write_stl([list(self.shown_by.blocks(one)) for one in labels], self.shown_by.block_shape, size, name)
        thickness = self.settings.thickness or _THICKNESS
        flats = self.find_flats(labels, 1.0)
        meshes = [flat.mesh(thickness / size.block, -size.gap / 2 / size.block) for flat in flats]
        return write_meshes(meshes, size.block, name)


class DxfWriter(_PieceWriter):
    """Writes the outlines of flat pieces as DXF."""

    def check(self, labels: Sequence[Label]) -> None:
        if defines(self.shown_by, "blocks"):
            raise ProblemError("only flat pieces can be cut, and these are solid; -o FILE.stl writes them for printing")
        self.check_flat(labels)

    def render(self, labels: Sequence[Label]) -> bytes:
        colored = any(len({one.color for one in self.find_polygons(label)}) > 1 for label in self.labels)
        return self.draw(list(self.find_flats(labels, self.settings.cut_size.cell)), colored=colored).encode()

    def draw(self, flats: Sequence[Flat], *, colored: bool) -> str:
        """Return the drawing of the pieces, with their colors if one has several."""
        return write_dxf(flats, self.settings.cut_size, colored=colored)


class CutWriter(DxfWriter):
    """Writes the outlines of flat pieces as SVG."""

    def draw(self, flats: Sequence[Flat], *, colored: bool) -> str:
        return write_cut_svg(flats, self.settings.cut_size, colored=colored)


def write_dxf(pieces: Sequence[Flat], size: CutSize, *, colored: bool = False) -> str:
    """Return the outlines of pieces as DXF, in millimeters, on the layer CUT, and on request their colors on others.

    Examples
    --------
    >>> square = Flat([Polygon(((0, 0), (1, 0), (1, 1), (0, 1)))], width=20)
    >>> write_dxf([square], CutSize()).splitlines()[:4]
    ['0', 'SECTION', '2', 'HEADER']
    """
    outlines, areas, _ = _lay_out(pieces, size, colored=colored)
    layers = {"CUT": _RED} | {_name_layer(color): _number_color(color) for _, color in areas}
    lines = [("CUT", loop) for loop in outlines] + [(_name_layer(color), loop) for loop, color in areas]
    groups: list[tuple[int, object]] = [
        *((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, 4), (0, "ENDSEC")),
        *((0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, len(layers))),
        *chain.from_iterable(
            ((0, "LAYER"), (2, name), (70, 0), (62, number), (6, "CONTINUOUS")) for name, number in layers.items()
        ),
        *((0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")),
        *(group for layer, loop in lines for group in _polyline(layer, loop)),
        *((0, "ENDSEC"), (0, "EOF")),
    ]
    return "".join(f"{code}\n{value}\n" for code, value in groups)


def _polyline(layer: str, loop: Loop) -> Iterable[tuple[int, object]]:
    yield from ((0, "POLYLINE"), (8, layer), (66, 1), (70, 1), (10, 0.0), (20, 0.0), (30, 0.0))
    for x, y in loop:
        yield from ((0, "VERTEX"), (8, layer), (10, f"{x:.4f}"), (20, f"{y:.4f}"), (30, 0.0))
    yield from ((0, "SEQEND"), (8, layer))


def _name_layer(color: str) -> str:
    return f"COLOR_{color[1:].upper()}"


def _number_color(color: str) -> int:
    """Return the number of a color of this hue in DXF."""
    hue, _, _ = rgb_to_hsv(*(part / 255 for part in rgb(color)))
    return 10 + 10 * (round(_HUES * hue) % _HUES)


def write_cut_svg(pieces: Sequence[Flat], size: CutSize, *, colored: bool = False) -> str:
    """Return the outlines of pieces as SVG of that size, with thin red lines, and on request their colors below."""
    outlines, areas, (width, height) = _lay_out(pieces, size, colored=colored)

    def draw(loop: Loop, more: str = "") -> str:
        return f'<path{more} d="M{" ".join(f"{x:.4f} {height - y:.4f}" for x, y in loop)}z"/>\n'

    filled = "".join(draw(loop, f' fill="{color}"') for loop, color in areas)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.4f}mm" height="{height:.4f}mm"'
        f' viewBox="0 0 {width:.4f} {height:.4f}">\n'
        + (f"<g>\n{filled}</g>\n" if filled else "")
        + f'<g fill="none" stroke="{_CUT}" stroke-width="{_LINE}">\n{"".join(map(draw, outlines))}</g>\n</svg>\n'
    )


def _lay_out(
    pieces: Sequence[Flat], size: CutSize, *, colored: bool
) -> tuple[list[Loop], list[Polygon], tuple[float, float]]:
    """Return pieces beside each other: their outlines, the areas of their colors, and the size of it all."""
    offset = (size.kerf - size.gap) / 2
    outlined = [piece.outlines(offset) for piece in pieces]
    boxes = [find_box(chain.from_iterable(loops)) for loops in outlined]
    places = arrange([(right - left, top - bottom) for left, bottom, right, top in boxes], _MARGIN)
    outlines: list[Loop] = []
    areas: list[Polygon] = []
    for piece, loops, (left, bottom, _, _), (right, up) in zip(pieces, outlined, boxes, places, strict=True):
        step = (right - left + _MARGIN, up - bottom + _MARGIN)
        outlines += [_shift(loop, step) for loop in loops]
        areas += [Polygon(_shift(area.corners, step), area.color) for area in piece.areas(offset) if colored]
    _, _, width, height = find_box(chain.from_iterable(outlines))
    return outlines, areas, (width + _MARGIN, height + _MARGIN)


def _shift(loop: Loop, step: tuple[float, float]) -> Loop:
    return tuple((x + step[0], y + step[1]) for x, y in loop)
