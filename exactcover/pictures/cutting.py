"""Drawings of flat pieces for machines that cut: DXF, and SVG with thin lines, both in millimeters.

The colors of pieces are areas below the lines in SVG, and closed lines in DXF, on a layer for each color that is named
by it. DXF is written here in the form of release 12, which every program reads: closed polylines need some twenty
lines, and a library for all of DXF brings sixty megabytes. The tests read it with one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from colorsys import rgb_to_hsv
from dataclasses import dataclass
from itertools import chain

from exactcover.pictures.flats import CutSize, Flat, Loop, Polygon, arrange, find_box
from exactcover.pictures.palette import rgb

_MARGIN = 5.0  # millimeters around the pieces, and between them
_LINE = 0.1  # the width of a line, in millimeters
_CUT = "#ff0000"  # the color that programs of laser cutters take as a cut
_RED = 1  # the same in DXF
_HUES = 24  # of the numbered colors of DXF, of which there are ten for each hue, from 10


def write_dxf(pieces: Sequence[Flat], size: CutSize, *, colored: bool = False) -> str:
    """Return the outlines of pieces as DXF, in millimeters, on the layer CUT, and on request their colors on others.

    Examples
    --------
    >>> square = Flat([Polygon(((0, 0), (1, 0), (1, 1), (0, 1)))], width=20)
    >>> write_dxf([square], CutSize()).splitlines()[:4]
    ['0', 'SECTION', '2', 'HEADER']
    """
    sheet = _lay_out(pieces, size, colored=colored)
    layers = {"CUT": _RED} | {_name_layer(color): _number_color(color) for _, color in sheet.areas}
    lines = [("CUT", loop) for loop in sheet.outlines] + [
        (_name_layer(area.color), area.corners) for area in sheet.areas
    ]
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
    sheet = _lay_out(pieces, size, colored=colored)
    width, height = sheet.size

    def draw(loop: Loop, more: str = "") -> str:
        return f'<path{more} d="M{" ".join(f"{x:.4f} {height - y:.4f}" for x, y in loop)}z"/>\n'

    areas = "".join(draw(area.corners, f' fill="{area.color}"') for area in sheet.areas)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.4f}mm" height="{height:.4f}mm"'
        f' viewBox="0 0 {width:.4f} {height:.4f}">\n'
        + (f"<g>\n{areas}</g>\n" if areas else "")
        + f'<g fill="none" stroke="{_CUT}" stroke-width="{_LINE}">\n{"".join(map(draw, sheet.outlines))}</g>\n</svg>\n'
    )


@dataclass(frozen=True)
class _CuttingSheet:
    """Pieces beside each other: their outlines, the areas of their colors, and the size of it all."""

    outlines: list[Loop]
    areas: list[Polygon]
    size: tuple[float, float]


def _lay_out(pieces: Sequence[Flat], size: CutSize, *, colored: bool) -> _CuttingSheet:
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
    return _CuttingSheet(outlines, areas, (width + _MARGIN, height + _MARGIN))


def _shift(loop: Loop, step: tuple[float, float]) -> Loop:
    return tuple((x + step[0], y + step[1]) for x, y in loop)
