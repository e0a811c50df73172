"""Sheets with puzzles, with their pieces and numbers, and pages with the answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import chain
from typing import Any, BinaryIO, TextIO, TypeAlias

from exactcover.algorithm_x import Label
from exactcover.analysis.generate import Puzzle
from exactcover.encoders.encoder import Encoder, Paintable, defines
from exactcover.formats.puzzle_folder import Puzzles
from exactcover.formats.solution_tables import draw_for_text
from exactcover.pictures import PAPER, Cell, Dashes, Picture, Shape, Text, Tile, contact_sheet, printable
from exactcover.pictures.flats import arrange, find_box
from exactcover.pictures.page_formats import convert, join_pages, load_converter
from exactcover.pictures.paper import Paper, Words, put_on_paper
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.viewer.view import describe_tray

Document: TypeAlias = Callable[[Encoder, Puzzle], str]
"""Returns a puzzle as YAML."""

CUT = "Cut out the pieces and cover the board."
"""The instruction on a sheet of pieces."""

_BLANKS = {*".#/ \n"}  # and holes
_FAR = 10_000  # rows; more than a board has
_MOST_PIECES = 60  # of a puzzle, on a sheet
_ON_PAGE, _ANSWERS_ON_PAGE = 6, 20  # puzzles and answers on a page of paper
_ASPECT = 4 / 3

OpenAnswers = Callable[[], AbstractContextManager[TextIO]]
"""Opens the file of the answers."""


def write_text(puzzles: Puzzles, out: TextIO, *, render: Callable[[Picture], str], document: Document) -> None:
    """Write a picture and text for each puzzle; YAML if the picture has more than cells, or the text is blank."""
    for count, (encoder, puzzle) in enumerate(puzzles):
        picture = draw_for_text(encoder, puzzle.givens)
        text = encoder.unparse(puzzle.givens) if defines(encoder, "parse") else None
        out.write("\n" if count else "")
        if picture is not None:
            out.write(render(picture) + "\n")
        shapes = () if picture is None else picture.shapes
        is_cut = any(isinstance(one, Dashes) or (isinstance(one, Tile) and one.row is None) for one in shapes)
        if is_cut or (text and {*text} <= _BLANKS):
            out.write(document(encoder, puzzle))
        elif text is not None:
            out.write(text + "\n")
        else:
            out.write(", ".join(printable(str(label)) for label in puzzle.givens) + "\n")
        rating = "" if puzzle.difficulty is None else f", difficulty {puzzle.difficulty:g}"
        out.write(f"{format_count(len(puzzle.givens), 'given')}, {format_count(puzzle.nodes, 'node')}{rating}\n")
        out.flush()


def write_lines(puzzles: Puzzles, out: TextIO) -> None:
    """Write one line per puzzle; blank lines stand between puzzles that else would be read as one."""
    for number, (encoder, puzzle) in enumerate(puzzles):
        text = encoder.unparse(puzzle.givens)
        is_joined = len([*encoder.instances(text.splitlines() * 2)]) < 2
        out.write("\n" * (is_joined and number > 0) + text + "\n")
        out.flush()


def write_documents(puzzles: Puzzles, out: TextIO, *, document: Document) -> None:
    """Write a puzzle as a configuration."""
    for encoder, puzzle in puzzles:
        out.write(document(encoder, puzzle))


def write_svg(puzzles: Puzzles, out: TextIO, *, problem: Problem, open_answers: OpenAnswers | None) -> None:
    """Draw all puzzles on one sheet, and the answers on another."""
    sheet, answers = _draw_sheets(puzzles, problem)
    out.write(sheet)
    if open_answers is not None:
        with open_answers() as file:
            file.write(answers)


def write_png(puzzles: Puzzles, out: BinaryIO, *, problem: Problem, open_answers: OpenAnswers | None) -> None:
    """Write the same as PNG."""
    load_converter("png")  # before the puzzles are made
    sheet, answers = _draw_sheets(puzzles, problem)
    out.write(convert(sheet, "png"))
    if open_answers is not None:
        with open_answers() as file:
            file.buffer.write(convert(answers, "png"))


def write_pdf(puzzles: Puzzles, out: BinaryIO, *, problem: Problem, title: str) -> None:
    """Write pages of paper with the puzzles, and then pages with the answers."""
    load_converter("pdf")  # before the puzzles are made
    paper = Paper.read("a4")
    words, answer_words = Words(title), Words(f"Answers: {title}")
    both = list(_draw_puzzles(puzzles, problem, paper.aspect(words)))
    drawn, answers = ([pair[k] for pair in both] for k in (0, 1))
    pages = []
    for pictures, size, around in ((drawn, _ON_PAGE, words), (answers, _ANSWERS_ON_PAGE, answer_words)):
        for start in range(0, len(pictures), size):
            sheet = contact_sheet(pictures[start : start + size], aspect=paper.aspect(around))
            pages.append(put_on_paper(sheet, paper, around))
    out.write(join_pages(pages))


def _draw_sheets(puzzles: Puzzles, problem: Problem) -> tuple[str, str]:
    """Return the sheet with the puzzles, and the one with the answers."""
    drawn = list(_draw_puzzles(puzzles, problem, _ASPECT))
    count = format_count(len(drawn), "puzzle")
    pictures, answers = zip(*drawn, strict=True)
    return tuple(  # type: ignore[return-value]
        contact_sheet(some, title=f"{what}: {some[0].title}", most=len(some))
        for what, some in ((count, pictures), (f"answers to {count}", answers))
    )


def _draw_puzzles(puzzles: Puzzles, problem: Problem, aspect: float) -> Iterator[tuple[Picture, Picture]]:
    """Yield the picture of each puzzle with its pieces, and that of its answer; several have numbers."""
    made = list(puzzles)
    for number, (encoder, puzzle) in enumerate(made, 1):
        picture, answer = (draw(encoder, labels) for labels in (puzzle.givens, puzzle.solution))
        if has_flat_pieces(encoder):
            picture = add_pieces(picture, encoder, problem, puzzle.givens, aspect)
        caption = f"{number:,}" if len(made) > 1 else ""
        yield replace(picture, caption=caption), replace(answer, caption=caption)


def draw(encoder: Encoder, labels: Any) -> Picture:
    """Return the picture of some options; a ``ValueError`` if the puzzle has none."""
    picture = encoder.draw(labels)
    if picture is None:
        raise ValueError("this puzzle has no picture")
    return picture


def has_flat_pieces(encoder: Encoder) -> bool:
    """Return whether the pieces of a puzzle can be cut out of paper."""
    return isinstance(encoder, Paintable) and not defines(encoder, "blocks") and bool(encoder.painted_on)


def add_pieces(picture: Picture, encoder: Encoder, problem: Problem, givens: Sequence[Label], aspect: float) -> Picture:
    """Return a picture of these givens with the pieces that are left below, large on a sheet of this shape."""
    board = set(draw(encoder, ()).shapes)
    pieces = list(_list_pieces(picture, encoder, problem, givens, board))
    if not pieces:
        return picture
    boxes = [find_box(chain.from_iterable(map(_corners, shapes))) for shapes in pieces]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in boxes]
    least = math.ceil(max(picture.columns, *(across for across, _ in sizes)))
    width = min(range(least, 4 * least), key=lambda width: _find_scale(picture, sizes, width, aspect))
    places = _arrange_centered(sizes, width)
    tiled = any(isinstance(shape, Tile) for shape in picture.shapes)
    moved = [
        _move(shape, round(right - left), round(picture.rows + 1 + down - top), number, tiled=tiled)
        for number, (shapes, (left, top, _, _), (right, down)) in enumerate(zip(pieces, boxes, places, strict=True))
        for shape in shapes
    ]
    middle = (width - picture.columns) // 2
    return Picture(picture.title, (*(_shift(shape, middle, 0, tiled=tiled) for shape in picture.shapes), *moved))


def _list_pieces(
    picture: Picture, encoder: Encoder, problem: Problem, givens: Sequence[Label], board: set[Shape]
) -> Iterator[list[Shape]]:
    """Yield the shapes of each piece that is not among the givens, as often as it can be used."""
    tray = describe_tray(problem, encoder)
    if tray is None:
        return
    free = sum(shape.tint == PAPER for shape in picture.placed.values())
    used = Counter(tray["piece"][problem.position(label)] for label in givens)
    labels = dict(zip(reversed(tray["piece"]), reversed(problem.labels), strict=True))
    drawn = ((piece, draw(encoder, (label,)).shapes) for piece, label in sorted(labels.items()))
    pieces = {piece: [shape for shape in shapes if shape not in board] for piece, shapes in drawn}
    counts = {}
    for piece, shapes in pieces.items():
        fitting = free // max(1, sum(isinstance(shape, Cell | Tile) for shape in shapes))
        most = tray["most"][piece]
        counts[piece] = fitting if most is None else max(0, min(most - used[piece], fitting))
    share = max(1, _MOST_PIECES // max(1, len(pieces)))  # of each piece, if they would be too many for a sheet
    for piece, count in counts.items():
        yield from [pieces[piece]] * (count if sum(counts.values()) <= _MOST_PIECES else min(count, share))


def _find_scale(picture: Picture, sizes: Sequence[tuple[float, float]], width: int, aspect: float) -> float:
    """Return the width of a sheet in cells, given the largest width of rows of pieces."""
    places = arrange(sizes, 1.0, width)
    height = picture.rows + 1 + max(up + along for (_, up), (_, along) in zip(places, sizes, strict=True))
    return max(width, height * aspect)


def _arrange_centered(sizes: Sequence[tuple[float, float]], width: int) -> list[tuple[float, float]]:
    """Return how far right and down to put the pieces, in rows that are centered."""
    places = arrange(sizes, 1.0, width)
    ends: dict[float, float] = {}
    for (right, down), (across, _) in zip(places, sizes, strict=True):
        ends[down] = right + across
    return [(right + (width - ends[down]) // 2, down) for right, down in places]


def _corners(shape: Shape) -> list[tuple[float, float]]:
    if isinstance(shape, Tile):
        return list(shape.outline)
    return [(shape.column, shape.row), (shape.column + 1, shape.row + 1)] if isinstance(shape, Cell) else []


def _move(shape: Shape, right: int, down: int, number: int, *, tiled: bool) -> Shape:
    """Return a part of a piece at another place; its region tells it from its likes on the board."""
    moved = _shift(shape, right, down, tiled=tiled)
    if tiled and isinstance(moved, Tile | Text) and moved.row is not None:
        moved = replace(moved, row=moved.row + _FAR * (number + 1))  # of no other tile
    return replace(moved, region=("piece", number)) if isinstance(moved, Cell | Tile) else moved


def _shift(shape: Shape, right: int, down: int, *, tiled: bool) -> Shape:
    """Return a shape at another place; what stands in tiles goes with them."""
    if isinstance(shape, Tile):
        return replace(shape, outline=tuple((x + right, y + down) for x, y in shape.outline))
    if tiled or isinstance(shape, Dashes):
        return shape
    return replace(shape, row=shape.row + down, column=shape.column + right)
