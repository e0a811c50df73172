"""Whole puzzles as formats: links to sites where they can be played, which are plugins, and configurations."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TextIO

from exactcover.encoders.encoder import Encoder
from exactcover.encoders.links import Linked, Written, write_link
from exactcover.errors import FormatWarning

__all__ = ["Linked", "Written", "write", "write_configuration"]


def write(problem: Any, out: TextIO, *, encoder: Encoder, site: str, title: str | None = None) -> None:
    """Write a link with the puzzle of an encoder on a line, and warn of what has no place in it."""
    text, left_out = write_link(encoder, site, title)
    if left_out:
        message = f"left out, because the format {site} has no place for it: {', '.join(left_out)}"
        warnings.warn(message, FormatWarning, stacklevel=2)
    out.write(f"{text}\n")


def write_configuration(problem: Any, out: TextIO, *, document: Callable[[], str]) -> None:
    """Write the document of a puzzle."""
    out.write(document())
