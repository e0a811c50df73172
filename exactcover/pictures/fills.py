"""The fill colors of cells and tiles."""

from __future__ import annotations

from exactcover.pictures.palette import shade
from exactcover.pictures.shapes import Cell, Picture, Tile

__all__ = ["Fill", "fill", "fill_colors"]

Fill = tuple[int, float]
"""The color of a place: its tint, and the strength of the tint."""


def fill_colors(picture: Picture) -> dict[tuple[int, int], str]:
    """Return the light fill color of every place as ``#rrggbb``, by (row, column).

    Examples
    --------
    >>> from exactcover.pictures import Cell
    >>> fill_colors(Picture("", (Cell(0, 0, tint=0), Cell(0, 1, tint=0, strength=0.5))))
    {(0, 0): '#5bbab6', (0, 1): '#addddb'}
    """
    return {place: shade(*fill(picture, shape)) for place, shape in picture.placed.items()}


def fill(picture: Picture, shape: Cell | Tile) -> Fill:
    """Return the tint and strength of a cell or tile."""
    return picture.tint(shape), picture.strength(shape)
