"""A QR code that opens a puzzle on a page."""

from __future__ import annotations

from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder
from exactcover.errors import ProblemError
from exactcover.pictures.codes import MOST_CHARACTERS, Code, make_code
from exactcover.problem import Problem
from exactcover.viewer.link import pack_link

__all__ = ["NO_CODE", "make_puzzle_code"]

NO_CODE = "To play this puzzle, open its file in exactcover studio."
"""The text of a sheet in place of a code that would be too fine."""


def make_puzzle_code(
    problem: Problem, encoder: Encoder, title: str, address: str, stop: Stop | None = None
) -> Code | None:
    """Return a code of a link with the puzzle, without solutions; None if it is too long, or cannot be played.

    An address with a ``#`` is that of a page of the puzzle itself, and is the whole link.

    Raises
    ------
    ImportError
        If segno is not installed.
    ValueError
        If the address alone is too long.
    """
    if "#" in address or len(address) > MOST_CHARACTERS:
        return make_code(address)
    start = f"{address}#puzzle="
    try:
        link = pack_link(problem, encoder, title=title, letters=MOST_CHARACTERS - len(start.encode()), stop=stop)
    except ProblemError:
        return None
    return make_code(start + link.text)
