"""How solutions are written: one writer per format, told of every solution and of the end."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TextIO

from exactcover import __version__
from exactcover.cli.output import can_show
from exactcover.cli.terminal import Look
from exactcover.config import Configuration
from exactcover.encoder import Encoder
from exactcover.formats import solutions
from exactcover.formats.csv_problem import escape_formula
from exactcover.numbers import json_text
from exactcover.pictures import Picture, contact_sheet, printable
from exactcover.pictures.svg import MOST_PICTURES
from exactcover.problem import Label, Problem
from exactcover.search import Search
from exactcover.stop import Status

__all__ = ["STOPPED", "WRITERS", "Style", "Writer", "picture_of"]

STOPPED = (Status.TIMEOUT, Status.MEMORY, Status.INTERRUPTED)
"""How a search ends that may have left solutions out."""

OpenPage = Callable[[int], AbstractContextManager[TextIO]]
"""Opens the file of a page, from 1."""


class Style:
    """How a writer writes, besides its format.

    Parameters
    ----------
    header
        Whether JSON Lines have a header and a closing record.
    escape_formulas
        Whether CSV cells that a spreadsheet would take for formulas are quoted.
    pages, most
        How many sheets of pictures there may be, and how many pictures one of them holds at least.
    open_page
        Opens further sheets.
    """

    def __init__(
        self, *, header: bool, escape_formulas: bool, pages: int, most: int | None, open_page: OpenPage
    ) -> None:
        self.header, self.escape_formulas = header, escape_formulas
        self.pages, self.most, self.open_page = pages, max(MOST_PICTURES, most or 0), open_page


def picture_of(encoder: Encoder, labels: Sequence[Label]) -> Picture | None:
    """Return a picture of these options that text can show, or None."""
    picture = encoder.draw(labels)
    return picture if picture is not None and picture.placed else None


class Writer(Protocol):
    """Is told of every solution, and of the end.

    Attributes
    ----------
    whole
        After the end: whether what was written may take the place of an old file. A format that cannot say that the
        search was stopped may not.
    """

    whole: bool

    def solution(self, positions: Sequence[int]) -> None:
        """Take one solution."""
        ...

    def close(self, search: Search) -> str | None:
        """Take the end, whichever it is; return what is worth saying of it."""
        ...


class TextWriter:
    """Draws each solution, or prints its labels where there is nothing to draw."""

    whole = False

    def __init__(
        self, out: TextIO, configuration: Configuration, problem: Problem, search: Search, style: Style
    ) -> None:
        self.out, self.encoder, self.problem = out, configuration.encoder, problem
        self.look = Look(out)
        self.first = True

    def solution(self, positions: Sequence[int]) -> None:
        labels = tuple([self.problem.labels[position] for position in positions])
        picture = picture_of(self.encoder, labels)
        cost = self.problem.cost(labels) if self.problem.matrix.costs else None
        if picture is None:
            text = ", ".join(printable(str(label)) for label in labels)
            self.out.write(text + ("" if cost is None else f" (cost {cost})") + "\n")
        else:
            self.out.write(("" if self.first else "\n") + self.look.render(picture) + "\n")
            self.out.write("" if cost is None or f"cost {cost}" in picture.caption else f"cost {cost}\n")
        self.first = False
        self.out.flush()

    def close(self, search: Search) -> None:
        self.out.flush()
        self.whole = search.status not in STOPPED


class JsonLinesWriter:
    """Writes and flushes one record after another; see :mod:`exactcover.formats.solutions`."""

    def __init__(
        self, out: TextIO, configuration: Configuration, problem: Problem, search: Search, style: Style
    ) -> None:
        self.out, self.problem = out, problem
        self.ascii = not can_show(out, "\U0010ffff")
        self.number = itertools.count(1)
        self.framed, self.whole = style.header, False
        if self.framed:
            self.write(solutions.header(problem, configuration.problem, configuration.params, __version__, search.seed))

    def write(self, entry: dict[str, Any]) -> None:
        self.out.write(json_text(entry, ascii_only=self.ascii) + "\n")
        self.out.flush()

    def solution(self, positions: Sequence[int]) -> None:
        self.write(solutions.record(next(self.number), positions, self.problem))

    def close(self, search: Search) -> None:
        if self.framed:
            self.write(solutions.closing(search.status, search.statistics))
        self.whole = self.framed or search.status not in STOPPED


class JsonWriter(JsonLinesWriter):
    """Writes the same records as one JSON document."""

    _before = '{"header": '

    def __init__(
        self, out: TextIO, configuration: Configuration, problem: Problem, search: Search, style: Style
    ) -> None:
        style.header = True
        super().__init__(out, configuration, problem, search, style)

    def write(self, entry: dict[str, Any]) -> None:
        self.out.write(self._before + json_text(entry, ascii_only=self.ascii))
        self._before = ', "solutions": [\n' if self._before.startswith("{") else ",\n"

    def close(self, search: Search) -> None:
        self._before = ', "solutions": [], "closing": ' if self._before != ",\n" else '\n], "closing": '
        self.write(solutions.closing(search.status, search.statistics))
        self.out.write("}\n")
        self.out.flush()
        self.whole = True


class CsvWriter:
    """Writes one row per chosen option: the number of the solution, the option's label and its cost."""

    whole = False

    def __init__(
        self, out: TextIO, configuration: Configuration, problem: Problem, search: Search, style: Style
    ) -> None:
        self.problem, self.out, self.style = problem, out, style
        self.rows = csv.writer(out, lineterminator="\n")
        self.number = itertools.count(1)
        self.priced = bool(problem.matrix.costs)
        if style.header:
            self.rows.writerow(self.columns())

    def columns(self) -> list[str]:
        return ["solution", "option", *(["cost"] if self.priced else [])]

    def solution(self, positions: Sequence[int]) -> None:
        number = next(self.number)
        for position in positions:
            label = self.problem.labels[position]
            cost = [self.problem.cost([label])] if self.priced else []
            self.rows.writerow([number, self.cell(label), *cost])
        self.out.flush()

    def cell(self, label: Label) -> str:
        """Return a label as the text of a cell."""
        text = printable(str(label))
        return escape_formula(text) if self.style.escape_formulas else text

    def close(self, search: Search) -> None:
        self.out.flush()
        self.whole = search.status not in STOPPED


class WideCsvWriter(CsvWriter):
    """Writes one row per solution: its number, its cost, and the labels of its options in one cell."""

    def columns(self) -> list[str]:
        return ["solution", *(["cost"] if self.priced else []), "options"]

    def solution(self, positions: Sequence[int]) -> None:
        labels = [self.problem.labels[position] for position in positions]
        cost = [self.problem.cost(labels)] if self.priced else []
        self.rows.writerow([next(self.number), *cost, "; ".join(map(self.cell, labels))])
        self.out.flush()


class SvgWriter:
    """Draws contact sheets when the search has ended."""

    whole = False

    def __init__(
        self, out: TextIO, configuration: Configuration, problem: Problem, search: Search, style: Style
    ) -> None:
        self.out, self.encoder, self.problem, self.style = out, configuration.encoder, problem, style
        self.room = style.most if style.pages == 1 else style.pages * MOST_PICTURES
        self.pictures: list[Picture] = []

    def solution(self, positions: Sequence[int]) -> None:
        if len(self.pictures) < self.room:
            picture = self.encoder.draw(tuple(self.problem.labels[position] for position in positions))
            if picture is not None:
                self.pictures.append(picture)

    def close(self, search: Search) -> str | None:
        if not self.pictures:
            return None
        self.whole = True
        found = search.statistics.solutions
        ended = (Status.COMPLETE, Status.OPTIMAL)
        more = search.status not in ended and not (search.status is Status.LIMIT and found == 1)
        total = found if search.total is None else search.total
        size = self.style.most if self.style.pages == 1 else MOST_PICTURES
        pages = [self.pictures[start : start + size] for start in range(0, len(self.pictures), size)]
        for number, pictures in enumerate(pages, 1):
            title = self._title(len(pages), number)
            sheet = contact_sheet(
                pictures,
                total=total,
                more=more and search.total is None,
                most=len(pictures),
                title=title,
                note=self._note(search),
            )
            if number == 1:
                self.out.write(sheet)
                self.out.flush()
            else:
                with self.style.open_page(number) as out:
                    out.write(sheet)
        if len(self.pictures) < found:
            return f"drawn are the first {len(self.pictures)} of {found:,} solutions; --limit or --pages draws more"
        return None

    def _note(self, search: Search) -> str:
        """Return what is proved of the solutions shown."""
        if search.status is not Status.OPTIMAL:
            return ""
        number = len(self.pictures)
        return "the cheapest solution" if number == 1 else f"the {number} cheapest solutions"

    def _title(self, pages: int, number: int) -> str | None:
        return f"page {number} of {pages}: {self.pictures[0].title}" if pages > 1 else None


WRITERS: dict[str, Callable[[TextIO, Configuration, Problem, Search, Style], Writer]] = {
    "text": TextWriter,
    "jsonl": JsonLinesWriter,
    "json": JsonWriter,
    "csv": CsvWriter,
    "csv-wide": WideCsvWriter,
    "svg": SvgWriter,
}
"""How to write solutions, by the name of the format."""
