"""Pictures: shapes, and how they are rendered as text for terminals and as SVG.

Public: the names in ``__all__``. Each is loaded when it is used first, because most searches draw nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactcover.pictures.heat import heat_maps
    from exactcover.pictures.shapes import (
        BLOCKED,
        PAGE,
        PAPER,
        SHADED,
        STRENGTHS,
        Cell,
        Corner,
        Dashes,
        Disc,
        Edge,
        Line,
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
else:
    _MODULES = {
        "heat_maps": "heat",
        "contact_sheet": "svg",
        "render": "terminal",
        "format_count": "text",
        "printable": "text",
    }

    def __getattr__(name: str) -> Any:
        """Load a public name when it is used first."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        globals()[name] = getattr(import_module(f"{__name__}.{_MODULES.get(name, 'shapes')}"), name)
        return globals()[name]

    def __dir__() -> list[str]:
        """Return the public names too that are not loaded yet."""
        return sorted({*globals(), *__all__})


__all__ = [
    "BLOCKED",
    "PAGE",
    "PAPER",
    "SHADED",
    "STRENGTHS",
    "Cell",
    "Corner",
    "Dashes",
    "Disc",
    "Edge",
    "Line",
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
