"""The table of all file formats. The command line, configurations and the documentation are made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TextIO, TypeAlias

from exactcover.control.stop import Stop
from exactcover.pictures.text import show_value

Method: TypeAlias = Literal["draw", "blocks", "parse", "paint", "tabulate"]


@dataclass(frozen=True)
class Format:
    """A format for one kind of content.

    `reader`, which reads it as a target, and `writer` are ``module:name`` in this folder, since modules are slow to
    import; or None for what cannot be read or written.
    """

    name: str  # on the command line and in configurations
    suffix: str  # of its files, or an empty text
    about: str  # the contents of a file, for the documentation
    reader: str | None = None
    writer: str | None = None
    binary: bool = False  # whether a file contains bytes, not text
    takes: tuple[str, ...] = ()  # the settings of the writer that apply, beside those that apply to all formats
    needs: tuple[Method, ...] = ()  # methods of which the encoder must define one, or none
    streamed: bool = False  # whether solutions are written while the search runs, so that a partial file is of use
    chooses: bool = False  # whether problems of families are read, of which one is chosen, not items and options

    def read(self, content: Any, source: str, stop: Stop) -> Any:
        """Read a file, given as its lines, or as a file of bytes for a binary format."""
        return _load(self.reader)(content, source, stop=stop)

    def write(self, content: Any, out: TextIO, **settings: object) -> None:
        """Write a file; settings that do not apply to this format are left out."""
        applicable = {name: value for name, value in settings.items() if name in self.takes}
        _load(self.writer)(content, out.buffer if self.binary else out, **applicable)

    def load_writer(self) -> Callable[..., Any]:
        """Return the class of a writer of solutions."""
        return _load(self.writer)


class FamilyParameters(NamedTuple):
    """The problem that a reader chooses: a family, parameters of it, and a title, which may be empty."""

    family: str
    params: Mapping[str, Any]
    title: str = ""
    givens: Sequence[str] | None = None  # labels as text, which the parameters need not state; None if they do


Formats: TypeAlias = dict[str, Format]
"""The formats of one kind of content, by name."""


def _load(place: str | None) -> Callable[..., Any]:
    assert place is not None
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"exactcover.formats.{module}"), name)
    return function


_TABLE = ("header", "escape_formulas")
_PIECES = ("block_size", "block_gap", "piece_files", "piece_set")
_SHEET = ("pages", "paper", "margin", "link")
_SITE = ("encoder", "site", "title")


def _by_name(*formats: Format) -> Formats:
    return {one.name: one for one in formats}


CONFIGURATIONS = _by_name(
    Format("yaml", ".yaml", "a problem family with its parameters, and what to do with it"),
    Format("yml", ".yml", "the same"),
)

PROBLEMS = _by_name(
    Format("dlx", ".dlx", "items and options, as D. E. Knuth's programs read them", "dlx:read", "dlx:write",
           takes=("long_names",)),
    Format("json", ".json", "the same as one JSON document, for other programs",
           "json_problem:read", "json_problem:write"),
    Format("csv", ".csv", "a table: one row per option, one column per item",
           "csv_problem:read", "csv_problem:write", takes=("escape_formulas",)),
    Format("spp", ".spp", "set partitioning, as in the OR-Library and CSPLib", "set_partitioning:read",
           "set_partitioning:write"),
    Format("xmpuzzle", ".xmpuzzle", "a puzzle of cubes or spheres, of [BurrTools](#burrtools)",
           "burr_tools:read", "burr_tools:write", binary=True, takes=("encoder",), needs=("paint",), chooses=True),
    Format("cnf", ".cnf", "clauses for SAT solvers (DIMACS)", None, "models:write_cnf"),
    Format("opb", ".opb", "pseudo-Boolean constraints, with costs as the objective", None, "models:write_opb"),
    Format("lp", ".lp", "an integer linear program (CPLEX LP)", None, "models:write_lp"),
    Format("mps", ".mps", "the same as MPS", None, "models:write_mps"),
    Format("mtx", ".mtx", "the matrix of options and items (Matrix Market)", None, "models:write_matrix_market"),
)  # fmt: skip

LINKS = _by_name(
    Format("fpuzzles", "", "variants of Sudoku, to edit on f-puzzles", None, "links:write", takes=_SITE),
    Format("sudokupad", "", "the same, to play on SudokuPad", None, "links:write", takes=_SITE),
    Format("puzzlink", "", "loops, star battles, kakuro and others, to play on puzz.link", None, "links:write",
           takes=_SITE),
    Format("penpa", "", "drawings of most of these, to edit and play on penpa-edit", None, "links:write",
           takes=_SITE),
    Format("sdk", ".sdk", "the rows of a Sudoku", None, "links:write", takes=_SITE),
    Format("ss", ".ss", "the same, with bars between boxes", None, "links:write", takes=_SITE),
    Format("sdm", ".sdm", "the same on one line", None, "links:write", takes=_SITE),
    Format("yaml", ".yaml", "a configuration, to edit a puzzle that a link holds", None, "links:write_configuration",
           takes=("document",)),
    Format("yml", ".yml", "the same", None, "links:write_configuration", takes=("document",)),
)  # fmt: skip
"""Whole puzzles: links of sites, and configurations."""

DIAGRAMS = _by_name(
    Format("zdd", ".zdd", "all solutions, as a [diagram](diagrams.md)",
           "diagrams:read", "diagrams:write", binary=True, takes=("version", "name", "params")),
    Format("dot", ".dot", "a graph, for Graphviz", None, "diagrams:write_dot"),
    Format("dddmp", ".dddmp", "a diagram for OxiDD and CUDD", None, "diagrams:write_dddmp"),
    Format("graphillion", ".graphillion", "a diagram for Graphillion", None, "diagrams:write_graphillion"),
    Format("svg", ".svg", "a heat map: how often each kind of piece lies at each place",
           None, "diagrams:write_heat_map", takes=("encoder",), needs=("draw",)),
)  # fmt: skip

SOLUTIONS = _by_name(
    Format("text", ".txt", "pictures, or labels if there is nothing to draw",
           None, "solution_tables:TextWriter", streamed=True),
    Format("jsonl", ".jsonl",
           "a header, one record per solution, and a closing record; `--no-header` writes the solutions alone",
           None, "solution_tables:JsonLinesWriter", takes=("header",), streamed=True),
    Format("json", ".json", "the same records as one document", None, "solution_tables:JsonWriter"),
    Format("csv", ".csv", "one row per chosen option: number of the solution, label, cost",
           None, "solution_tables:CsvWriter", takes=_TABLE, streamed=True),
    Format("csv-wide", ".csv", "one row per solution: number, cost, and the labels in one cell, separated by `; `",
           None, "solution_tables:WideCsvWriter", takes=_TABLE, streamed=True),
    Format("csv-table", ".csv", "a table of the family, such as people and days; blank rows separate solutions",
           None, "solution_tables:TableWriter", takes=("escape_formulas",), needs=("tabulate",), streamed=True),
    Format("xlsx", ".xlsx", "the same as a workbook; needs the extra `sheets`",
           None, "solution_tables:WorkbookWriter", binary=True, needs=("tabulate",)),
    Format("parquet", ".parquet",
           "one row per chosen option: number of the solution, position, label; needs pyarrow, and a file or a pipe",
           None, "solution_tables:ParquetWriter", binary=True, streamed=True),
    Format("svg", ".svg", "one sheet of up to 60 pictures (of the matrix, if there are no others), or of more if "
           "`--limit` asks for more; "
           "`--pages N` writes up to N sheets of 60",
           None, "solution_pictures:SvgWriter", takes=_SHEET),
    Format("matrix", ".svg", "the matrix of options and items, with each solution marked",
           None, "solution_pictures:MatrixWriter", takes=_SHEET),
    Format("graph", ".svg", "options and items as a bipartite graph, with each solution marked",
           None, "solution_pictures:GraphWriter", takes=_SHEET),
    Format("png", ".png", "the same as `svg`, as PNG; needs the extra `print`",
           None, "solution_pictures:PngWriter", binary=True, takes=_SHEET),
    Format("pdf", ".pdf", "the same as `svg`, as PDF; needs the extra `print`",
           None, "solution_pictures:PdfWriter", binary=True, takes=_SHEET),
    Format("html", ".html", "[a page](view.md) with the solutions and the search",
           None, "solution_pictures:HtmlWriter"),
    Format("stl", ".stl", "the pieces of the first solution, for [3-D printing](view.md#print-the-pieces)",
           None, "pieces:StlWriter", binary=True, takes=(*_PIECES, "thickness"), needs=("blocks", "draw")),
    Format("dxf", ".dxf", "the outlines of flat pieces of the first solution, for [cutting](view.md#print-the-pieces)",
           None, "pieces:DxfWriter", takes=(*_PIECES, "kerf"), needs=("draw",)),
    Format("cut", ".svg", "the same as SVG in millimeters, with thin red lines",
           None, "pieces:CutWriter", takes=(*_PIECES, "kerf"), needs=("draw",)),
)  # fmt: skip

PUZZLES = _by_name(
    Format("text", ".txt", "pictures with text", None, "puzzle_sheets:write_text",
           takes=("render", "document"), streamed=True),
    Format("lines", "", "the text that `batch` reads, one line per puzzle",
           None, "puzzle_sheets:write_lines", needs=("parse",), streamed=True),
    Format("jsonl", ".jsonl", "one record per puzzle", "puzzle_folder:read", "puzzle_folder:write_records",
           takes=("seed", "describe", "problem"), streamed=True, chooses=True),
    Format("folder", "", "such records, rated, in a new folder, with a certificate of each puzzle and a schema",
           None, "puzzle_folder:write_folder", takes=("folder", "seed", "describe", "problem", "stop")),
    Format("yaml", ".yaml", "a configuration with one puzzle",
           None, "puzzle_sheets:write_documents", takes=("document",)),
    Format("svg", ".svg", "a sheet of numbered pictures with the pieces to place, and a file NAME-answers.svg",
           None, "puzzle_sheets:write_svg", takes=("problem", "open_answers"), needs=("draw",)),
    Format("png", ".png", "the same as PNG; needs the extra `print`", None, "puzzle_sheets:write_png", binary=True,
           takes=("problem", "open_answers"), needs=("draw",)),
    Format("pdf", ".pdf", "the same on pages of A4, the answers at the end; needs the extra `print`",
           None, "puzzle_sheets:write_pdf", binary=True, takes=("problem", "title"), needs=("draw",)),
)  # fmt: skip


def suffix_of(file: str | PurePath) -> str:
    """Return the suffix of a file in small letters, as the table has it.

    Examples
    --------
    >>> suffix_of("puzzle.JSON")
    '.json'
    """
    return PurePath(file).suffix.lower()


def by_suffix(formats: Formats) -> dict[str, Format]:
    """Return the formats by the suffix of their files; the first with a suffix is the usual one.

    Examples
    --------
    >>> by_suffix(SOLUTIONS)[".csv"].name
    'csv'
    """
    found: dict[str, Format] = {}
    for one in formats.values():
        found.setdefault(one.suffix, one)
    return {suffix: one for suffix, one in found.items() if suffix}


def describe_format(stated: object, expected: int) -> str:
    """Return why a file cannot be read that states another format than the expected one.

    Examples
    --------
    >>> describe_format(1, 2)
    'written by an earlier version of exactcover, in format 1; this version reads format 2'
    >>> describe_format("x", 2)
    "unsupported format version 'x'; expected 2"
    """
    if type(stated) is int and 0 < stated < expected:
        return f"written by an earlier version of exactcover, in format {stated}; this version reads format {expected}"
    return f"unsupported format version {show_value(stated)}; expected {expected}"
