"""Drawings of flat pieces for machines that cut: DXF, and SVG with thin lines, both in millimeters.

DXF is written here in the form of release 12, which every program reads: closed polylines need some twenty lines, and a
library for all of DXF brings sixty megabytes. The tests read it with one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from exactcover.pictures.flats import CutSize, Flat, Loop, arrange, find_box

__all__ = ["write_cut_svg", "write_dxf"]

_MARGIN = 5.0  # millimeters around the pieces, and between them
_LINE = 0.1  # the width of a line, in millimeters
_CUT = "#ff0000"  # the color that programs of laser cutters take as a cut


def write_dxf(pieces: Sequence[Flat], size: CutSize) -> str:
    """Return the outlines of pieces as DXF, in millimeters, on the layer CUT.

    Examples
    --------
    >>> square = Flat([((0, 0), (1, 0), (1, 1), (0, 1))], width=20)
    >>> write_dxf([square], CutSize()).splitlines()[:4]
    ['0', 'SECTION', '2', 'HEADER']
    """
    loops, _ = _lay_out(pieces, size)
    groups: list[tuple[int, object]] = [
        *((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, 4), (0, "ENDSEC")),
        *((0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, 1)),
        *((0, "LAYER"), (2, "CUT"), (70, 0), (62, 1), (6, "CONTINUOUS"), (0, "ENDTAB"), (0, "ENDSEC")),
        *((0, "SECTION"), (2, "ENTITIES")),
        *(group for loop in loops for group in _polyline(loop)),
        *((0, "ENDSEC"), (0, "EOF")),
    ]
    return "".join(f"{code}\n{value}\n" for code, value in groups)


def _polyline(loop: Loop) -> Iterable[tuple[int, object]]:
    yield from ((0, "POLYLINE"), (8, "CUT"), (66, 1), (70, 1), (10, 0.0), (20, 0.0), (30, 0.0))
    for x, y in loop:
        yield from ((0, "VERTEX"), (8, "CUT"), (10, f"{x:.4f}"), (20, f"{y:.4f}"), (30, 0.0))
    yield from ((0, "SEQEND"), (8, "CUT"))


def write_cut_svg(pieces: Sequence[Flat], size: CutSize) -> str:
    """Return the outlines of pieces as SVG of that size, with thin red lines and nothing else."""
    loops, (width, height) = _lay_out(pieces, size)
    lines = (" ".join(f"{x:.4f} {height - y:.4f}" for x, y in loop) for loop in loops)
    paths = "".join(f'<path d="M{line}z"/>\n' for line in lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.4f}mm" height="{height:.4f}mm"'
        f' viewBox="0 0 {width:.4f} {height:.4f}">\n'
        f'<g fill="none" stroke="{_CUT}" stroke-width="{_LINE}">\n{paths}</g>\n</svg>\n'
    )


def _lay_out(pieces: Sequence[Flat], size: CutSize) -> tuple[list[Loop], tuple[float, float]]:
    """Return the outlines of all pieces beside each other, and the size of the sheet."""
    outlined = [piece.outlines((size.kerf - size.gap) / 2) for piece in pieces]
    boxes = [find_box(chain.from_iterable(loops)) for loops in outlined]
    places = arrange([(right - left, top - bottom) for left, bottom, right, top in boxes], _MARGIN)
    found = [
        tuple((x - left + right + _MARGIN, y - bottom + up + _MARGIN) for x, y in loop)
        for loops, (left, bottom, _, _), (right, up) in zip(outlined, boxes, places, strict=True)
        for loop in loops
    ]
    return found, tuple(max(corner[k] for loop in found for corner in loop) + _MARGIN for k in (0, 1))  # type: ignore[return-value]
