"""What a page needs to let a puzzle be played: its board, its options, its pieces, and whether it has a solution."""

from __future__ import annotations

from typing import Any

from exactcover.control.stop import InnerStop, Stop
from exactcover.encoders.encoder import Encoder
from exactcover.errors import ProblemError
from exactcover.problem import Problem
from exactcover.viewer.tray import MOST_OPTIONS, describe_tray
from exactcover.viewer.view import describe_drawing

__all__ = ["describe_play", "find_position"]

_SECONDS = 2.0


def describe_play(problem: Problem, encoder: Encoder, stop: Stop) -> dict[str, Any]:
    """Return the board of a puzzle with all its options, its pieces, and whether it has a solution, if that is known.

    Raises
    ------
    ProblemError
        If the puzzle has too many options.
    StoppedError
        If `stop` asks for it.
    """
    if len(problem.labels) > MOST_OPTIONS:
        raise ProblemError(
            f"the puzzle has {len(problem.labels):,} options; at most {MOST_OPTIONS:,} can be played with"
        )
    solvable, sample = find_position(problem, [], stop)
    return {
        **describe_drawing(problem, encoder, [] if sample is None else [sample], stop),
        "tray": describe_tray(problem, encoder),
        "solvable": solvable,
    }


def find_position(problem: Problem, chosen: list[Any], stop: Stop) -> tuple[bool | None, tuple[int, ...] | None]:
    """Return whether a solution contains these options, or None if that is not known in time, and the solution."""
    search = problem.full().solve(
        given=[*problem.givens, *chosen], without=problem.excluded, limit=1, stop=InnerStop(stop, _SECONDS)
    )
    found = next(iter(search.positions()), None)
    return (True if found is not None else None if search.status.stopped else False), found
