"""Links of SudokuPad, which hold documents of f-puzzles."""

from __future__ import annotations

import re
from urllib.parse import quote

from exactcover import Encoder, ParameterError
from exactcover.formats.links import Linked, Written
from problems.links.fpuzzles import read_body, read_puzzle, write_body

_LINK = re.compile(
    r"https?://(?:[\w.-]+\.)?(?:sudokupad\.app|sudokupad\.svencodes\.com|crackingthecryptic\.com)/"
    r"(?:sudoku/?)?(?:\?(?:[^#]*&)?puzzleid=)?(.*)",
    re.IGNORECASE | re.DOTALL,
)


def read(link: str) -> Linked | None:
    """Return the puzzle of a link to SudokuPad; None for other links."""
    match = _LINK.match(link)
    if match is None:
        return None
    form = re.match(r"(fpuzzles|fpuz|scl|ctc)/?([^?&#]{12,})", match[1])
    if form is None:
        message = "the link holds no puzzle, only its name on the server; export one that begins with fpuz"
        raise ParameterError("link", message)
    if form[1] in ("scl", "ctc"):
        message = "this link of SudokuPad holds a drawing, which states no rules; those that begin with fpuz state them"
        raise ParameterError("link", message)
    return read_puzzle(read_body(form[2]))


def write(encoder: Encoder, title: str | None = None) -> Written:
    """Return a link to SudokuPad with the puzzle of an encoder, and its title."""
    return write_body(encoder, title, lambda body: f"https://sudokupad.app/fpuz{quote(body, safe='')}", read)
