"""The fill colors of cells and tiles."""

from __future__ import annotations

from exactcover.pictures.palette import shade
from exactcover.pictures.shapes import Cell, Picture, Tile

__all__ = ["fill_color", "fill_colors"]


def fill_colors(picture: Picture) -> dict[tuple[int, int], str]:
    """Return the fill color of every place as ``#rrggbb``, by (row, column).

    Examples
    --------
    >>> from exactcover.pictures import Cell
    >>> fill_colors(Picture("", (Cell(0, 0, tint=0), Cell(0, 1, tint=0, strength=0.5))))
    {(0, 0): '#38a8a0', (0, 1): '#9ad1cb'}
    """
    return {place: fill_color(picture, shape) for place, shape in picture.placed.items()}


def fill_color(picture: Picture, shape: Cell | Tile) -> str:
    """Return the fill color of a cell or tile as ``#rrggbb``."""
    return shade(picture.tint(shape), shape.strength)
