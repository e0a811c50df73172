"""A heat map: how often each kind of piece lies at each place, in all solutions."""

from __future__ import annotations

from typing import TextIO

from exactcover.diagram.diagram import Diagram
from exactcover.encoders.encoder import Encoder
from exactcover.pictures import contact_sheet, heat_maps
from exactcover.pictures.text import format_count
from exactcover.problem import Problem

__all__ = ["write_heat_map"]


def write_heat_map(diagram: Diagram[Problem], out: TextIO, *, encoder: Encoder) -> None:
    """Draw each option by itself, in a strength that shows its frequency.

    Raises
    ------
    ValueError
        If there is no solution, or the pictures of the encoder show no board.
    """
    draw, count = encoder.draw, diagram.count
    board = draw(())
    options = ((draw((label,)), frequency / count) for label, frequency in diagram.marginals().items() if frequency)
    if board is None or not count:
        raise ValueError("there is no solution to draw")
    sheets = heat_maps(board, ((picture, share) for picture, share in options if picture is not None))
    if not sheets:
        raise ValueError("there is no heat map, because the pictures of this problem show no board")
    out.write(contact_sheet(sheets, title=f"placement frequencies in {format_count(count, 'solution')}"))
