"""Writers of solutions, one after another: as text, JSON, CSV or Parquet."""

from __future__ import annotations

import csv
import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Protocol, TextIO

from exactcover.control.memory import reserve_for_library
from exactcover.control.statistics import Statistics, Status
from exactcover.encoders.encoder import Encoder
from exactcover.files.json_text import dump_json
from exactcover.formats import solutions
from exactcover.formats.csv_problem import escape_formula
from exactcover.pictures import Picture, Text, printable
from exactcover.pictures.flats import CutSize
from exactcover.pictures.page_formats import import_library
from exactcover.pictures.paper import Paper
from exactcover.pictures.solids import PrintSize
from exactcover.pictures.text import can_encode
from exactcover.problem import Item, Label
from exactcover.version import __version__

_LIBRARY_MEMORY = 512 << 20  # bytes of address space for pyarrow and NumPy
_ROWS_AT_ONCE = 1 << 16
_NUMBER = re.compile(r"[1-9][0-9]{0,8}|0")
_OPEN = "·"  # in a cell that stays open


class Delivery(Protocol):
    """The search, or the long run, that delivers solutions, as far as a writer must know it."""

    @property
    def seed(self) -> int | None: ...
    @property
    def status(self) -> Status: ...
    @property
    def statistics(self) -> Statistics: ...
    @property
    def total(self) -> int | None: ...


def _refuse_page(number: int) -> AbstractContextManager[TextIO]:
    raise ValueError("there is one output only")


@dataclass(frozen=True)
class WriterSettings:
    """Settings of a writer."""

    name: str  # of the problem
    params: Mapping[str, Any]  # of the problem
    render: Callable[[Picture], str]  # returns a picture as text
    title: str = ""  # of pages
    open_page: Callable[[int], AbstractContextManager[TextIO]] = _refuse_page  # opens the file of a page, from page 1
    header: bool = True  # whether to write headers, and the closing record of JSON Lines
    escape_formulas: bool = False  # whether to put ' before CSV cells that a spreadsheet would treat as formulas
    pages: int = 1  # the largest number of sheets of pictures
    most: int = 0  # how many solutions are wanted, or 0 if unknown; a single sheet has room for this many pictures
    print_size: PrintSize = field(default_factory=PrintSize)  # of pieces of STL
    cut_size: CutSize = field(default_factory=CutSize)  # of pieces that are cut
    thickness: float | None = None  # of flat pieces of STL in millimeters, or None for the usual one
    piece_set: bool = False  # whether one piece of each kind is written, and not the pieces of a solution
    piece_files: bool = False  # whether each piece is written to a file of its own
    paper: Paper | None = None  # on which pictures are printed, or None for sheets as large as they need
    link: str = ""  # the address of a page that plays puzzles, for a QR code on the paper; empty for none
    best_effort: bool = False  # whether any item may stay open
    kept: tuple[Label, ...] | None = None  # the labels of the earlier solution that is kept as far as possible


class Writer(ABC):
    """Writes solutions one by one, and then the end of the search.

    After :meth:`close`, `may_replace` tells whether the output may replace an old file. It may not if the search was
    stopped and the format cannot record that.
    """

    def __init__(
        self,
        out: TextIO,
        problem: solutions.ProblemFacts,
        encoder: Encoder | None,
        search: Delivery,
        settings: WriterSettings,
    ) -> None:
        self.out, self.problem, self.encoder = out, problem, encoder
        self.search, self.settings = search, settings
        self.numbers = itertools.count(1)
        self.may_replace = False
        self.may_leave_open = settings.best_effort or bool(problem.soft_prices)
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

    def find_deviations(self, positions: Sequence[int]) -> solutions.Deviations | None:
        """Return the items that a solution leaves open or covers too often; None if it cannot."""
        return solutions.find_deviations(self.problem, positions) if self.may_leave_open else None

    def find_changes(self, positions: Sequence[int]) -> solutions.ChangeRemark | None:
        """Return how a solution differs from the one that is kept, or None if there is none."""
        kept = self.settings.kept
        return None if kept is None else solutions.find_changes(self.problem, kept, positions)

    def get_labels(self, positions: Sequence[int]) -> tuple[Label, ...]:
        return self.problem.labels_of(positions)


class TextWriter(Writer):
    """Draws each solution, or prints its labels if there is nothing to draw."""

    def write_solution(self, positions: Sequence[int]) -> None:
        labels = self.get_labels(positions)
        picture = None if self.encoder is None else draw_for_text(self.encoder, labels)
        cost = self.problem.cost_of(positions) if self.problem.matrix.costs else None
        is_first, deviations = next(self.numbers) == 1, self.find_deviations(positions)
        if picture is not None and self.encoder is not None and deviations is not None:
            picture = mark_open(self.encoder, picture, deviations.under)
        if picture is not None and not is_first:
            self.out.write("\n")
        for remarks in (deviations, self.find_changes(positions)):
            if remarks is not None and (line := remarks.describe()):
                self.out.write(f"{line}\n")
        if picture is None:
            text = ", ".join(printable(str(label)) for label in labels)
            self.out.write(text + ("" if cost is None else f" (cost {cost})") + "\n")
        else:
            self.out.write(self.settings.render(picture) + "\n")
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
        settings = self.settings
        first = solutions.header(self.problem, settings.name, settings.params, __version__, self.search.seed)
        return first | ({"best_effort": True} if settings.best_effort else {})

    def make_closing(self) -> dict[str, Any]:
        """Return the last record."""
        return solutions.closing(self.search.status, self.search.statistics)

    def write_record(self, entry: dict[str, Any]) -> None:
        self.out.write(dump_json(entry, ascii_only=self.ascii_only) + "\n")
        self.out.flush()

    def write_solution(self, positions: Sequence[int]) -> None:
        remarks = self.find_deviations(positions), self.find_changes(positions)
        self.write_record(solutions.record(next(self.numbers), positions, self.problem, *remarks))

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
        self.out.write('{"header": ' + dump_json(self.make_header(), ascii_only=self.ascii_only))

    def write_record(self, entry: dict[str, Any]) -> None:
        self.out.write(self.separator + dump_json(entry, ascii_only=self.ascii_only))
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
        for position in positions:
            self.table.writerow([number, self.format_cell(self.problem.labels[position]), *self.list_costs([position])])
        self.out.flush()

    def format_cell(self, label: Label) -> str:
        """Return a label as the text of a cell."""
        text = printable(str(label))
        return escape_formula(text) if self.settings.escape_formulas else text

    def list_costs(self, positions: Sequence[int]) -> list[int | Decimal]:
        """Return the cost as a list of one cell, or an empty list if the problem has no costs."""
        return [self.problem.cost_of(positions)] if self.has_costs else []


class WideCsvWriter(CsvWriter):
    """Writes one row per solution: its number, its cost, and the labels of its options in one cell."""

    def list_columns(self) -> list[str]:
        return ["solution", *(["cost"] if self.has_costs else []), "options"]

    def write_solution(self, positions: Sequence[int]) -> None:
        text = "; ".join(map(self.format_cell, self.get_labels(positions)))
        self.table.writerow([next(self.numbers), *self.list_costs(positions), text])
        self.out.flush()


class TableWriter(Writer):
    """Writes the table that the family makes of each solution, for spreadsheets; blank rows separate them."""

    def begin(self) -> None:
        self.table = csv.writer(self.out, lineterminator="\n")

    def write_solution(self, positions: Sequence[int]) -> None:
        assert self.encoder is not None  # the format needs a family that has tables
        if next(self.numbers) > 1:
            self.write_row([])
        for row in self.encoder.tabulate(self.get_labels(positions)):
            self.write_row([printable(cell) for cell in row])
        self.out.flush()

    def write_row(self, cells: Sequence[str]) -> None:
        self.table.writerow([escape_formula(cell) if self.settings.escape_formulas else cell for cell in cells])


class WorkbookWriter(TableWriter):
    """Writes the same as a workbook, of which heads stay in view. Texts are never formulas."""

    def begin(self) -> None:
        self.book = import_library("openpyxl", "a workbook").Workbook(write_only=True)
        self.sheet = self.book.create_sheet("plan")
        self.sheet.freeze_panes = "B2"

    def write_row(self, cells: Sequence[str]) -> None:
        from openpyxl.cell import WriteOnlyCell

        row = [WriteOnlyCell(self.sheet, int(cell) if _NUMBER.fullmatch(cell) else cell) for cell in cells]
        for cell in row:
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type
        self.sheet.append(row)

    def close(self) -> str | None:
        self.book.save(self.out.buffer)
        return super().close()


class ParquetWriter(Writer):
    """Writes a table with the columns `solution`, `position` and `option`, one row per chosen option."""

    def begin(self) -> None:
        reserve_for_library("pyarrow", _LIBRARY_MEMORY)
        pyarrow, parquet = (import_library(name, "Parquet") for name in ("pyarrow", "pyarrow.parquet"))
        kinds = {"solution": pyarrow.int64(), "position": pyarrow.int32(), "option": pyarrow.string()}
        self.schema = pyarrow.schema(list(kinds.items()))
        self.table = parquet.ParquetWriter(self.out.buffer, self.schema)
        self.rows: list[tuple[int, int, str]] = []

    def write_solution(self, positions: Sequence[int]) -> None:
        number = next(self.numbers)
        self.rows += [(number, position, printable(str(self.problem.labels[position]))) for position in positions]
        if len(self.rows) >= _ROWS_AT_ONCE:
            self.write_rows()

    def write_rows(self) -> None:
        """Write the rows that are held."""
        import pyarrow

        columns = zip(*self.rows, strict=True) if self.rows else ((), (), ())
        arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, self.schema.types, strict=True)]
        self.table.write_table(pyarrow.Table.from_arrays(arrays, schema=self.schema))
        self.rows = []

    def close(self) -> str | None:
        self.write_rows()
        self.table.close()
        return super().close()


def draw_for_text(encoder: Encoder, labels: Sequence[Label]) -> Picture | None:
    """Return a picture of these options, or None if there is none that can be shown as text."""
    picture = encoder.draw(labels)
    return picture if picture is not None and picture.placed else None


def mark_open(encoder: Encoder, picture: Picture, items: Iterable[Item]) -> Picture:
    """Return a picture in which the cells of some items are marked, because they stay open."""
    places = [place for item in items if (place := encoder.place_of(item)) is not None]
    return replace(picture, shapes=(*picture.shapes, *(Text(*place, _OPEN) for place in places)))
