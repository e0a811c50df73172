"""How solutions are written: one writer per format, told of every solution and of the end."""

from __future__ import annotations

import csv
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TextIO

from exactcover import __version__
from exactcover.cli.output import can_show
from exactcover.cli.terminal import Look
from exactcover.config.configuration import Configuration
from exactcover.control.statistics import Status
from exactcover.encoders.encoder import Encoder
from exactcover.formats import solutions
from exactcover.formats.csv_problem import escape_formula
from exactcover.formats.numbers import json_text
from exactcover.pictures import Picture, contact_sheet, printable
from exactcover.pictures.svg import MOST_PICTURES
from exactcover.problem import Label, Problem
from exactcover.search.search import Search

__all__ = ["WRITERS", "Style", "Writer", "picture_of"]

OpenPage = Callable[[int], AbstractContextManager[TextIO]]
"""Opens the file of a page, from 1."""


@dataclass(frozen=True)
class Style:
    """How a writer writes, besides its format.

    Attributes
    ----------
    header
        Whether JSON Lines have a header and a closing record.
    escape_formulas
        Whether CSV cells that a spreadsheet would take for formulas are quoted.
    pages, most
        How many sheets of pictures there may be, and how many pictures a single sheet holds at least.
    open_page
        Opens further sheets.
    """

    header: bool
    escape_formulas: bool
    pages: int
    most: int
    open_page: OpenPage


def picture_of(encoder: Encoder, labels: Sequence[Label]) -> Picture | None:
    """Return a picture of these options that text can show, or None."""
    picture = encoder.draw(labels)
    return picture if picture is not None and picture.placed else None


class Writer(ABC):
    """Is told of every solution, and of the end.

    Attributes
    ----------
    whole
        After the end: whether what was written may take the place of an old file. A format that cannot say that the
        search was stopped may not.
    """

    def __init__(
        self, out: TextIO, configuration: Configuration, problem: Problem, search: Search, style: Style
    ) -> None:
        self.out, self.configuration, self.problem, self.search, self.style = out, configuration, problem, search, style
        self.number = itertools.count(1)
        self.whole = False
        self.begin()

    def begin(self) -> None:  # noqa: B027 - most formats write nothing before the first solution
        """Write what stands before the first solution."""

    @abstractmethod
    def solution(self, positions: Sequence[int]) -> None:
        """Take one solution."""

    def close(self) -> str | None:
        """Take the end of the search, whichever it is; return what is worth saying of it."""
        self.out.flush()
        self.whole = not self.search.status.stopped
        return None

    def labels(self, positions: Sequence[int]) -> tuple[Label, ...]:
        """Return the labels of a solution."""
        return tuple([self.problem.labels[position] for position in positions])


class TextWriter(Writer):
    """Draws each solution, or prints its labels where there is nothing to draw."""

    def begin(self) -> None:
        self.look = Look(self.out)

    def solution(self, positions: Sequence[int]) -> None:
        labels = self.labels(positions)
        picture = picture_of(self.configuration.encoder, labels)
        cost = self.problem.cost(labels) if self.problem.matrix.costs else None
        if picture is None:
            text = ", ".join(printable(str(label)) for label in labels)
            self.out.write(text + ("" if cost is None else f" (cost {cost})") + "\n")
        else:
            self.out.write(("" if next(self.number) == 1 else "\n") + self.look.render(picture) + "\n")
            self.out.write("" if cost is None or f"cost {cost}" in picture.caption else f"cost {cost}\n")
        self.out.flush()


class JsonLinesWriter(Writer):
    """Writes and flushes one record after another; see :mod:`exactcover.formats.solutions`."""

    def begin(self) -> None:
        self.ascii = not can_show(self.out, "\U0010ffff")
        if self.style.header:
            self.write(self.header())

    def header(self) -> dict[str, Any]:
        """Return the first record."""
        configuration = self.configuration
        return solutions.header(
            self.problem, configuration.problem, configuration.params, __version__, self.search.seed
        )

    def closing(self) -> dict[str, Any]:
        """Return the last record."""
        return solutions.closing(self.search.status, self.search.statistics)

    def write(self, entry: dict[str, Any]) -> None:
        """Write one record."""
        self.out.write(json_text(entry, ascii_only=self.ascii) + "\n")
        self.out.flush()

    def solution(self, positions: Sequence[int]) -> None:
        self.write(solutions.record(next(self.number), positions, self.problem))

    def close(self) -> str | None:
        if self.style.header:
            self.write(self.closing())
        super().close()
        self.whole = self.whole or self.style.header
        return None


class JsonWriter(JsonLinesWriter):
    """Writes the same records as one JSON document."""

    def begin(self) -> None:
        self.ascii = not can_show(self.out, "\U0010ffff")
        self.before = ', "solutions": [\n'
        self.out.write('{"header": ' + json_text(self.header(), ascii_only=self.ascii))

    def write(self, entry: dict[str, Any]) -> None:
        self.out.write(self.before + json_text(entry, ascii_only=self.ascii))
        self.before = ",\n"

    def close(self) -> str | None:
        self.before = '\n], "closing": ' if self.before == ",\n" else ', "solutions": [], "closing": '
        self.write(self.closing())
        self.out.write("}\n")
        self.out.flush()
        self.whole = True
        return None


class CsvWriter(Writer):
    """Writes one row per chosen option: the number of the solution, the option's label and its cost."""

    def begin(self) -> None:
        self.rows = csv.writer(self.out, lineterminator="\n")
        self.priced = bool(self.problem.matrix.costs)
        if self.style.header:
            self.rows.writerow(self.columns())

    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return ["solution", "option", *(["cost"] if self.priced else [])]

    def solution(self, positions: Sequence[int]) -> None:
        number = next(self.number)
        for label in self.labels(positions):
            self.rows.writerow([number, self.cell(label), *self.cost([label])])
        self.out.flush()

    def cell(self, label: Label) -> str:
        """Return a label as the text of a cell."""
        text = printable(str(label))
        return escape_formula(text) if self.style.escape_formulas else text

    def cost(self, labels: Sequence[Label]) -> list[int | Decimal]:
        """Return the cells of a cost: none where nothing has one."""
        return [self.problem.cost(labels)] if self.priced else []


class WideCsvWriter(CsvWriter):
    """Writes one row per solution: its number, its cost, and the labels of its options in one cell."""

    def columns(self) -> list[str]:
        return ["solution", *(["cost"] if self.priced else []), "options"]

    def solution(self, positions: Sequence[int]) -> None:
        labels = self.labels(positions)
        self.rows.writerow([next(self.number), *self.cost(labels), "; ".join(map(self.cell, labels))])
        self.out.flush()


class SvgWriter(Writer):
    """Draws contact sheets when the search has ended."""

    def begin(self) -> None:
        pages, most = self.style.pages, max(MOST_PICTURES, self.style.most)
        self.size = most if pages == 1 else MOST_PICTURES
        self.pictures: list[Picture] = []

    def solution(self, positions: Sequence[int]) -> None:
        if len(self.pictures) < self.size * self.style.pages:
            picture = self.configuration.encoder.draw(self.labels(positions))
            if picture is not None:
                self.pictures.append(picture)

    def close(self) -> str | None:
        if not self.pictures:
            return None
        self.whole = True
        search, size = self.search, self.size
        found = search.statistics.solutions
        ended = (Status.COMPLETE, Status.OPTIMAL)
        more = search.status not in ended and not (search.status is Status.LIMIT and found == 1)
        total = found if search.total is None else search.total
        pages = [self.pictures[start : start + size] for start in range(0, len(self.pictures), size)]
        for number, pictures in enumerate(pages, 1):
            sheet = contact_sheet(
                pictures,
                total=total,
                more=more and search.total is None,
                most=len(pictures),
                title=f"page {number} of {len(pages)}: {self.pictures[0].title}" if len(pages) > 1 else None,
                note=self.note(),
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

    def note(self) -> str:
        """Return what is proved of the solutions shown."""
        if self.search.status is not Status.OPTIMAL:
            return ""
        number = len(self.pictures)
        return "the cheapest solution" if number == 1 else f"the {number} cheapest solutions"


WRITERS: dict[str, type[Writer]] = {
    "text": TextWriter,
    "jsonl": JsonLinesWriter,
    "json": JsonWriter,
    "csv": CsvWriter,
    "csv-wide": WideCsvWriter,
    "svg": SvgWriter,
}
"""How to write solutions, by the name of the format."""
