"""Pictures: shapes, and how they are rendered as text for terminals and as SVG.

Public: the names in ``__all__``.
"""

from exactcover.pictures.heat import heat_maps
from exactcover.pictures.shapes import (
    BLOCKED,
    PAGE,
    PAPER,
    SHADED,
    STRENGTHS,
    Cell,
    Corner,
    Disc,
    Edge,
    Picture,
    Shape,
    Text,
    Tile,
    checkered,
    polygon,
    tell_apart,
)
from exactcover.pictures.svg import contact_sheet
from exactcover.pictures.terminal import render
from exactcover.pictures.text import format_count, printable

Picture.to_svg = lambda picture: contact_sheet([picture])

__all__ = [
    "BLOCKED",
    "PAGE",
    "PAPER",
    "SHADED",
    "STRENGTHS",
    "Cell",
    "Corner",
    "Disc",
    "Edge",
    "Picture",
    "Shape",
    "Text",
    "Tile",
    "checkered",
    "contact_sheet",
    "format_count",
    "heat_maps",
    "polygon",
    "printable",
    "render",
    "tell_apart",
]
