"""Links to sites where a puzzle can be played, as a format; the sites themselves are plugins."""

from __future__ import annotations

from typing import Any, TextIO

from exactcover.encoders.encoder import Encoder
from exactcover.encoders.links import write_link

__all__ = ["write"]


def write(problem: Any, out: TextIO, *, encoder: Encoder, site: str) -> None:
    """Write a link with the puzzle of an encoder on a line."""
    out.write(f"{write_link(encoder, site)}\n")
