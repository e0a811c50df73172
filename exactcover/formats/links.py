"""Whole puzzles as formats: links to sites where they can be played, which are plugins, and configurations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TextIO

from exactcover.encoders.encoder import Encoder
from exactcover.encoders.links import Linked, write_link

__all__ = ["Linked", "write", "write_configuration"]


def write(problem: Any, out: TextIO, *, encoder: Encoder, site: str) -> None:
    """Write a link with the puzzle of an encoder on a line."""
    out.write(f"{write_link(encoder, site)}\n")


def write_configuration(problem: Any, out: TextIO, *, document: Callable[[], str]) -> None:
    """Write the document of a puzzle."""
    out.write(document())
