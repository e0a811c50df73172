"""The check of links that are written: each is read again, and what it does not hold is named."""

from __future__ import annotations

from collections.abc import Callable

from exactcover import Encoder, ParameterError, find_encoder
from exactcover.formats.links import Linked, Written
from problems.grid import Grid
from problems.links.puzzlink_kinds import split_cells
from problems.numberlink import Numberlink
from problems.sudoku import Sudoku


def check_link(
    link: str,
    encoder: Encoder,
    title: str | None,
    read: Callable[[str], Linked | None],
    write: Callable[[Encoder], object],
) -> Written:
    """Return a link that was written, with the names of what it does not hold.

    It is refused if it cannot be read, or holds a puzzle that cannot be written once more.
    """
    try:
        linked = read(link)
        assert linked is not None
        again = find_encoder(linked.problem)(**linked.params)
        if not linked.left_out:
            write(again)
    except ParameterError as error:
        where = "".join(f"{part}: " for part in error.path if part != "link")
        raise ParameterError("problem", f"its link would be refused: {where}{error.message}") from None
    kept = {
        "title": title in (None, linked.title),
        "instructions": getattr(encoder, "instructions", "") == getattr(again, "instructions", ""),
        "symbols": _list_symbols(encoder) == _list_symbols(again),
    }
    return Written(link, tuple(name for name, is_kept in kept.items() if not is_kept))


def _list_symbols(encoder: Encoder) -> set[str]:
    """Return the symbols of a puzzle; none for loops."""
    if isinstance(encoder, Sudoku):
        return {*encoder.alphabet}
    if isinstance(encoder, Numberlink):
        return {one for row in split_cells(encoder.unparse(())) for one in row}
    return {*encoder.board.symbols} if isinstance(encoder, Grid) else set()
