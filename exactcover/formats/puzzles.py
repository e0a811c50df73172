"""Puzzles as text, as lines, as JSON Lines, or as YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO, TypeAlias

from exactcover.analysis.generate import Puzzle
from exactcover.encoders.encoder import Encoder, defines
from exactcover.files.json_text import dump_json
from exactcover.formats.texts import draw_for_text
from exactcover.pictures import Dashes, Picture, Shape, Tile, printable
from exactcover.pictures.text import format_count

__all__ = ["Puzzles", "write_documents", "write_lines", "write_records", "write_text"]

Puzzles: TypeAlias = Iterable[tuple[Encoder, Puzzle]]
"""Puzzles as they are made, each with the encoder that shows it."""


Document: TypeAlias = Callable[[Encoder, Puzzle], str]
"""Returns a puzzle as YAML."""


def write_text(puzzles: Puzzles, out: TextIO, *, render: Callable[[Picture], str], document: Document) -> None:
    """Write a picture and text for each puzzle; YAML, if the picture has parts that text does not show."""
    for count, (encoder, puzzle) in enumerate(puzzles):
        picture = draw_for_text(encoder, puzzle.givens)
        out.write("\n" if count else "")
        if picture is not None:
            out.write(render(picture) + "\n")
        if picture is not None and any(map(_is_unseen, picture.shapes)):
            out.write(document(encoder, puzzle))
        elif defines(encoder, "parse"):
            out.write(encoder.unparse(puzzle.givens) + "\n")
        else:
            out.write(", ".join(printable(str(label)) for label in puzzle.givens) + "\n")
        out.write(f"{format_count(len(puzzle.givens), 'given')}, {format_count(puzzle.nodes, 'node')}\n")
        out.flush()


def _is_unseen(shape: Shape) -> bool:
    """Whether a shape appears only in SVG."""
    return isinstance(shape, Dashes) or (isinstance(shape, Tile) and shape.row is None)


def write_lines(puzzles: Puzzles, out: TextIO) -> None:
    """Write one line per puzzle."""
    for encoder, puzzle in puzzles:
        out.write(encoder.unparse(puzzle.givens) + "\n")
        out.flush()


def write_records(puzzles: Puzzles, out: TextIO, *, seed: int) -> None:
    """Write one JSON object per puzzle."""
    for _, puzzle in puzzles:
        givens, solution = ([str(label) for label in labels] for labels in (puzzle.givens, puzzle.solution))
        out.write(dump_json({"givens": givens, "solution": solution, "nodes": puzzle.nodes, "seed": seed}) + "\n")
        out.flush()


def write_documents(puzzles: Puzzles, out: TextIO, *, document: Document) -> None:
    """Write a puzzle as a configuration."""
    for encoder, puzzle in puzzles:
        out.write(document(encoder, puzzle))
