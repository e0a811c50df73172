"""Writers of solutions, one per format."""

from __future__ import annotations

import csv
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TextIO

from exactcover import __version__
from exactcover.cli.messages import describe_problem
from exactcover.cli.output import can_encode
from exactcover.cli.terminal import PictureRenderer, draw_for_text
from exactcover.config.configuration import Configuration
from exactcover.control.statistics import Status
from exactcover.formats import solutions
from exactcover.formats.csv_problem import escape_formula
from exactcover.formats.numbers import json_text
from exactcover.pictures import Picture, contact_sheet, printable
from exactcover.pictures.solids import Block, PrintSize, write_stl
from exactcover.pictures.svg import MOST_PICTURES
from exactcover.problem import Label, Problem
from exactcover.search.search import Search

__all__ = ["WRITERS", "Writer", "WriterSettings"]

OpenPage = Callable[[int], AbstractContextManager[TextIO]]
"""Opens the file of a page; pages count from 1."""


@dataclass(frozen=True)
class WriterSettings:
    """Settings of a writer.

    Attributes
    ----------
    header
        Whether to write headers, and the closing record of JSON Lines.
    escape_formulas
        Whether to put ``'`` before CSV cells that a spreadsheet would treat as formulas.
    pages
        The largest number of sheets of pictures.
    most
        How many solutions are wanted, if known, else 0. A single sheet has room for this many pictures.
    open_page
        Opens the files of further sheets or pieces.
    print_size
        The size of pieces of STL.
    piece_files
        Whether each piece is written to a file of its own.
    """

    header: bool
    escape_formulas: bool
    pages: int
    most: int
    open_page: OpenPage
    print_size: PrintSize
    piece_files: bool


class Writer(ABC):
    """Writes solutions one by one, and then the end of the search.

    Attributes
    ----------
    may_replace
        After :meth:`close`: whether the output may replace an old file. It may not if the search was stopped and the
        format cannot record that.
    """

    def __init__(
        self, out: TextIO, configuration: Configuration, problem: Problem, search: Search, settings: WriterSettings
    ) -> None:
        self.out, self.configuration, self.problem = out, configuration, problem
        self.search, self.settings = search, settings
        self.numbers = itertools.count(1)
        self.may_replace = False
        self.begin()

    def begin(self) -> None:  # noqa: B027 - most formats write nothing before the first solution
        """Write the part before the first solution."""

    @abstractmethod
    def write_solution(self, positions: Sequence[int]) -> None:
        """Write one solution."""

    def close(self) -> str | None:
        """Write the end of the search; return a note for the user, if any."""
        self.out.flush()
        self.may_replace = not self.search.status.stopped
        return None

    def get_labels(self, positions: Sequence[int]) -> tuple[Label, ...]:
        """Return the labels of a solution."""
        return tuple([self.problem.labels[position] for position in positions])


class TextWriter(Writer):
    """Draws each solution, or prints its labels if there is nothing to draw."""

    def begin(self) -> None:
        self.renderer = PictureRenderer(self.out)

    def write_solution(self, positions: Sequence[int]) -> None:
        labels = self.get_labels(positions)
        picture = draw_for_text(self.configuration.encoder, labels)
        cost = self.problem.cost(labels) if self.problem.matrix.costs else None
        if picture is None:
            text = ", ".join(printable(str(label)) for label in labels)
            self.out.write(text + ("" if cost is None else f" (cost {cost})") + "\n")
        else:
            self.out.write(("" if next(self.numbers) == 1 else "\n") + self.renderer.render(picture) + "\n")
            self.out.write("" if cost is None or f"cost {cost}" in picture.caption else f"cost {cost}\n")
        self.out.flush()


class JsonLinesWriter(Writer):
    """Writes and flushes one record at a time; see :mod:`exactcover.formats.solutions`."""

    def begin(self) -> None:
        self.ascii_only = not can_encode(self.out, "\U0010ffff")
        if self.settings.header:
            self.write_record(self.make_header())

    def make_header(self) -> dict[str, Any]:
        """Return the first record."""
        configuration = self.configuration
        return solutions.header(
            self.problem, configuration.problem, configuration.params, __version__, self.search.seed
        )

    def make_closing(self) -> dict[str, Any]:
        """Return the last record."""
        return solutions.closing(self.search.status, self.search.statistics)

    def write_record(self, entry: dict[str, Any]) -> None:
        """Write one record."""
        self.out.write(json_text(entry, ascii_only=self.ascii_only) + "\n")
        self.out.flush()

    def write_solution(self, positions: Sequence[int]) -> None:
        self.write_record(solutions.record(next(self.numbers), positions, self.problem))

    def close(self) -> str | None:
        if self.settings.header:
            self.write_record(self.make_closing())
        super().close()
        self.may_replace = self.may_replace or self.settings.header
        return None


class JsonWriter(JsonLinesWriter):
    """Writes the same records as one JSON document."""

    def begin(self) -> None:
        self.ascii_only = not can_encode(self.out, "\U0010ffff")
        self.separator = ', "solutions": [\n'
        self.out.write('{"header": ' + json_text(self.make_header(), ascii_only=self.ascii_only))

    def write_record(self, entry: dict[str, Any]) -> None:
        self.out.write(self.separator + json_text(entry, ascii_only=self.ascii_only))
        self.separator = ",\n"

    def close(self) -> str | None:
        self.separator = '\n], "closing": ' if self.separator == ",\n" else ', "solutions": [], "closing": '
        self.write_record(self.make_closing())
        self.out.write("}\n")
        self.out.flush()
        self.may_replace = True
        return None


class CsvWriter(Writer):
    """Writes one row per chosen option: the number of the solution, the option's label and its cost."""

    def begin(self) -> None:
        self.table = csv.writer(self.out, lineterminator="\n")
        self.has_costs = bool(self.problem.matrix.costs)
        if self.settings.header:
            self.table.writerow(self.list_columns())

    def list_columns(self) -> list[str]:
        """Return the names of the columns."""
        return ["solution", "option", *(["cost"] if self.has_costs else [])]

    def write_solution(self, positions: Sequence[int]) -> None:
        number = next(self.numbers)
        for label in self.get_labels(positions):
            self.table.writerow([number, self.format_cell(label), *self.list_costs([label])])
        self.out.flush()

    def format_cell(self, label: Label) -> str:
        """Return a label as the text of a cell."""
        text = printable(str(label))
        return escape_formula(text) if self.settings.escape_formulas else text

    def list_costs(self, labels: Sequence[Label]) -> list[int | Decimal]:
        """Return the cost as a list of one cell, or an empty list if the problem has no costs."""
        return [self.problem.cost(labels)] if self.has_costs else []


class WideCsvWriter(CsvWriter):
    """Writes one row per solution: its number, its cost, and the labels of its options in one cell."""

    def list_columns(self) -> list[str]:
        return ["solution", *(["cost"] if self.has_costs else []), "options"]

    def write_solution(self, positions: Sequence[int]) -> None:
        labels = self.get_labels(positions)
        self.table.writerow([next(self.numbers), *self.list_costs(labels), "; ".join(map(self.format_cell, labels))])
        self.out.flush()


class SvgWriter(Writer):
    """Draws contact sheets at the end of the search."""

    def begin(self) -> None:
        pages, most = self.settings.pages, max(MOST_PICTURES, self.settings.most)
        self.sheet_size = most if pages == 1 else MOST_PICTURES
        self.pictures: list[Picture] = []

    def write_solution(self, positions: Sequence[int]) -> None:
        if len(self.pictures) < self.sheet_size * self.settings.pages:
            picture = self.configuration.encoder.draw(self.get_labels(positions))
            if picture is not None:
                self.pictures.append(picture)

    def close(self) -> str | None:
        if not self.pictures:
            return None
        self.may_replace = True
        search, size = self.search, self.sheet_size
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
                note=self.describe_proof(),
            )
            if number == 1:
                self.out.write(sheet)
                self.out.flush()
            else:
                with self.settings.open_page(number) as out:
                    out.write(sheet)
        if len(self.pictures) < found:
            drawn = f"only the first {len(self.pictures)} of {found:,} solutions are drawn"
            return (
                f"{drawn}; use {'--limit or --pages' if self.settings.pages == 1 else 'a larger --pages'} to draw more"
            )
        return None

    def describe_proof(self) -> str:
        """Return what is proved about the solutions drawn."""
        if self.search.status is not Status.OPTIMAL:
            return ""
        number = len(self.pictures)
        return "the cheapest solution" if number == 1 else f"the {number} cheapest solutions"


class HtmlWriter(Writer):
    """Writes a page with the solutions and the search at the end."""

    def begin(self) -> None:
        self.found: list[Sequence[int]] = []

    def write_solution(self, positions: Sequence[int]) -> None:
        self.found.append(tuple(positions))

    def close(self) -> str | None:
        from exactcover.viewer.view import ViewOptions, view  # slow to import

        configuration, search = self.configuration, self.search
        notes = {Status.OPTIMAL: "; no other is cheaper", Status.COMPLETE: " up to symmetry"}
        every = search.status in (Status.COMPLETE, Status.UNSATISFIABLE) and search.classes is None
        page = view(
            self.problem,
            configuration.encoder,
            title=describe_problem(configuration.problem, configuration.params),
            options=ViewOptions(heuristics=(search.heuristic,)),
            solutions=self.found,
            complete=every,
            note=notes.get(search.status, "; there may be more"),
        )
        self.out.write(page)
        return super().close()


class StlWriter(Writer):
    """Writes the pieces of the first solution as solids to print."""

    def begin(self) -> None:
        self.pieces: list[tuple[str, list[Block]]] = []

    def write_solution(self, positions: Sequence[int]) -> None:
        if not self.pieces:
            encoder = self.configuration.encoder
            self.pieces = [(str(label), list(encoder.blocks(label))) for label in self.get_labels(positions)]

    def close(self) -> str | None:
        pieces = [piece for piece in self.pieces if piece[1]]
        if not pieces:
            return None
        self.may_replace = True
        files = [[piece] for piece in pieces] if self.settings.piece_files else [pieces]
        for number, file in enumerate(files, 1):
            opened = nullcontext(self.out) if number == 1 else self.settings.open_page(number)
            with opened as out:
                out.flush()
                name = " + ".join(name for name, _ in file)
                shape = self.configuration.encoder.block_shape
                out.buffer.write(write_stl([blocks for _, blocks in file], shape, self.settings.print_size, name))
                out.buffer.flush()
        found = self.search.statistics.solutions
        return f"only the pieces of the first of {found:,} solutions are written" if found > 1 else None


WRITERS: dict[str, type[Writer]] = {
    "text": TextWriter,
    "jsonl": JsonLinesWriter,
    "json": JsonWriter,
    "csv": CsvWriter,
    "csv-wide": WideCsvWriter,
    "svg": SvgWriter,
    "html": HtmlWriter,
    "stl": StlWriter,
}
"""The writers, by the name of the format."""
