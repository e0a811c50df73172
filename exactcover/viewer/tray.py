"""The pieces of a puzzle that is played, as they lie in a tray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactcover.encoders.encoder import Encoder, defines
from exactcover.encoders.painting import Paintable
from exactcover.problem import Problem

__all__ = ["MOST_OPTIONS", "describe_tray"]

MOST_OPTIONS = 5_000
"""The most options of a puzzle that can be played."""


def describe_tray(problem: Problem, encoder: Encoder) -> dict[str, Any] | None:
    """Return the pieces of a puzzle, the piece of each option, and how many copies there are; None for any number.

    There is no tray if an option is not a piece.
    """
    painted = encoder.paint() if isinstance(encoder, Paintable) and encoder.painted_on else None
    if painted is not None:
        names = list(painted["drawings"])
        most = [_read_most(painted["copies"][name]) for name in names]
        pieces = [str(encoder.piece_of(label)) for label in problem.labels]
        return {"names": names, "most": most, "piece": [names.index(name) for name in pieces]}
    if isinstance(encoder, Paintable) or not defines(encoder, "piece_of"):
        return None
    placed = [encoder.piece_of(label) for label in problem.labels]
    if not placed or None in placed:
        return None
    names = [str(name) for name in dict.fromkeys(placed)]
    numbers = [names.index(str(name)) for name in placed]
    return {"names": names, "most": _count_copies(problem, numbers, len(names)), "piece": numbers}


def _count_copies(problem: Problem, pieces: Sequence[int], count: int) -> list[int | None]:
    """Return how often each piece can be used: an item that all its options cover says so."""
    matrix = problem.matrix
    shared: dict[int, set[int]] = {}
    for option, piece in enumerate(pieces):
        items = {item for item, _ in matrix.option(option) if item < matrix.primary}
        shared[piece] = shared[piece] & items if piece in shared else items
    return [min((matrix.bounds(item)[1] for item in shared[piece]), default=None) for piece in range(count)]


def _read_most(copies: Any) -> int | None:
    """Return the largest number of copies, or None for any number."""
    if isinstance(copies, str):
        return None
    return int(max(copies)) if isinstance(copies, list | tuple) else int(copies)
