"""The pieces of a tiling that is played, as they lie in a tray."""

from __future__ import annotations

from typing import Any

from exactcover.encoders.encoder import Encoder
from exactcover.encoders.painting import Paintable
from exactcover.problem import Problem

__all__ = ["MOST_OPTIONS", "describe_tray"]

MOST_OPTIONS = 3_000
"""The most options of a puzzle that can be played."""


def describe_tray(problem: Problem, encoder: Encoder) -> dict[str, Any] | None:
    """Return the pieces of a tiling, the piece of each option, and how many copies there are; None for any number."""
    painted = encoder.paint() if isinstance(encoder, Paintable) and encoder.painted_on else None
    if painted is None or not isinstance(encoder, Paintable):
        return None
    names = list(painted["drawings"])
    most = [_read_most(painted["copies"][name]) for name in names]
    return {"names": names, "most": most, "piece": [names.index(encoder.piece_of(label)) for label in problem.labels]}


def _read_most(copies: Any) -> int | None:
    """Return the largest number of copies, or None for any number."""
    if isinstance(copies, str):
        return None
    return int(max(copies)) if isinstance(copies, list | tuple) else int(copies)
