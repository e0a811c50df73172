"""SVG as PNG and PDF, by CairoSVG, which is an extra."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal

from exactcover.control.memory import reserve_for_library
from exactcover.errors import CoverError

PRINT = '"exactcover-toolkit[print]"'
"""The package that pip installs for printing."""
_LIBRARY_MEMORY = 128 << 20  # bytes of address space
_PIXELS = 2400  # width of a picture as PNG
_MOST_PIXELS = 40_000_000


class MissingLibraryError(CoverError, ImportError):
    """A library is not installed, or does not find what it needs."""


def import_library(name: str, what: str, library: str = "", package: str = "") -> Any:
    """Return a module of a library that need not be installed; `what` needs it. The package is what pip installs."""
    try:
        return import_module(name)
    except ImportError:
        library = library or name.partition(".")[0]
        advice = f"install it with: python -m pip install {package or library}"
        raise MissingLibraryError(f"{what} needs {library}; {advice}") from None


def load_converter(kind: Literal["png", "pdf"]) -> Any:
    """Return the module that converts to this format."""
    reserve_for_library("cairosvg", _LIBRARY_MEMORY)
    try:
        return import_library("cairosvg", kind.upper(), "CairoSVG", PRINT)
    except OSError:
        raise MissingLibraryError(
            f"{kind.upper()} needs the library Cairo, which CairoSVG does not find; install it with the package "
            "manager of the system, for instance as libcairo2"
        ) from None


def convert(svg: str, kind: Literal["png", "pdf"]) -> bytes:
    """Return an SVG document of ours in another format; a PNG is 2,400 pixels wide, less if it is very high."""
    converter = load_converter(kind)
    if kind == "pdf":
        return bytes(converter.svg2pdf(bytestring=svg.encode()))
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    width, height = float(size[1]), float(size[2])
    pixels = min(_PIXELS, int((_MOST_PIXELS * width / height) ** 0.5))
    return bytes(
        converter.svg2png(bytestring=svg.encode(), output_width=pixels, output_height=round(pixels * height / width))
    )


def join_pages(pages: Sequence[str]) -> bytes:
    """Return SVG documents of ours as the pages of one PDF."""
    surface: Any = load_converter("pdf").surface
    base: Any = surface.PDFSurface
    out = io.BytesIO()
    whole: list[Any] = []  # the document

    class PageSurface(base):  # type: ignore[misc]  # the library has no types
        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            if not whole:
                whole.append(self.surface_class(out, width, height))
            whole[0].set_size(width, height)
            return whole[0], width, height

    for page in pages:
        PageSurface(surface.Tree(bytestring=page.encode()), out, dpi=96).context.show_page()
    if whole:
        whole[0].finish()
    return out.getvalue()
