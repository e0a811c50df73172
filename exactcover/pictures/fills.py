"""The colors of what lies on a picture."""

from __future__ import annotations

from exactcover.pictures.palette import shade
from exactcover.pictures.shapes import Cell, Picture, Tile

__all__ = ["fill", "fills"]


def fills(picture: Picture) -> dict[tuple[int, int], str]:
    """Return the color of every place.

    Examples
    --------
    >>> from exactcover.pictures import Cell
    >>> fills(Picture("", (Cell(0, 0, tint=0), Cell(0, 1, tint=0, strength=0.5))))
    {(0, 0): '#38a8a0', (0, 1): '#9ad1cb'}
    """
    return {place: fill(picture, shape) for place, shape in picture.placed.items()}


def fill(picture: Picture, shape: Cell | Tile) -> str:
    """Return the color of one cell or tile."""
    return shade(picture.tint(shape), shape.strength)
