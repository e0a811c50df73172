"""Writers of solutions as pictures: sheets, pages, and solids to print."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import ClassVar, Literal, TextIO

from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop
from exactcover.encoders.encoder import defines
from exactcover.errors import ProblemError, StoppedError
from exactcover.formats.solution_tables import Writer
from exactcover.pictures import Picture, contact_sheet
from exactcover.pictures.codes import Code
from exactcover.pictures.page_formats import convert, load_converter
from exactcover.pictures.paper import Words, put_on_paper
from exactcover.pictures.svg import MAX_PICTURES, describe_rest
from exactcover.pictures.text import name_problem
from exactcover.problem import Problem
from exactcover.search.search import Search
from exactcover.viewer.drawing import Draw
from exactcover.viewer.link import NO_CODE, make_puzzle_code
from exactcover.viewer.matrix_page import MAX_COLUMNS, AbstractDrawer, GraphDrawer, MatrixDrawer

_FEW = 12  # pictures on a sheet that are not small
_PATIENCE = 5.0  # seconds to count the solutions of which a printed sheet shows some


class SvgWriter(Writer):
    """Draws contact sheets at the end of the search: pictures of the encoder, or else matrices.

    Raise ``ProblemError`` if there is only a matrix, and it is too large.
    """

    has_pictures: ClassVar[bool] = True  # whether pictures of the encoder are drawn, if it has any
    abstract: ClassVar[type[AbstractDrawer]] = MatrixDrawer  # draws the others
    format: ClassVar[Literal["png", "pdf"] | None] = None  # if it is one of bytes

    def begin(self) -> None:
        if self.format is not None:
            load_converter(self.format)  # before the search
        self.draw = self.choose_drawer()
        pages, most = self.settings.pages, max(MAX_PICTURES, self.settings.most)
        self.sheet_size = most if pages == 1 else MAX_PICTURES
        self.pictures: list[Picture] = []
        self.words = Words(self.settings.title)
        if self.settings.paper is not None:
            try:
                if self.settings.link:
                    code = self.make_code()
                    self.words = replace(self.words, code=code, foot=NO_CODE if code is None else "")
                self.settings.paper.room(replace(self.words, line="..."))  # or that is said before the search
            except ValueError as error:
                raise ProblemError(f"--paper: {error}") from None

    def make_code(self) -> Code | None:
        """Return a code that opens the puzzle on a page that plays it; None if the puzzle is too large for a code."""
        if self.encoder is None or not isinstance(self.problem, Problem):
            raise ProblemError("only a puzzle with pictures of its own can be played from a QR code")
        return make_puzzle_code(self.problem, self.encoder, self.settings.title, self.settings.link)

    def choose_drawer(self) -> Draw:
        """Return the function that draws a solution: that of the encoder, or one for its matrix or graph."""
        if self.has_pictures and self.encoder is not None and defines(self.encoder, "draw"):
            return self.encoder.draw
        assert isinstance(self.problem, Problem)
        drawer = self.abstract(self.problem)
        if not drawer.fits:
            raise ProblemError(
                f"this problem is too large to draw: it has {len(self.problem.items):,} items, and at most "
                f"{MAX_COLUMNS} are drawn"
            )
        return drawer.draw

    def write_solution(self, positions: Sequence[int]) -> None:
        if len(self.pictures) < self.sheet_size * self.settings.pages:
            picture = self.draw(self.get_labels(positions))
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
        paper, note = self.settings.paper, self.describe_proof()
        if paper is not None:
            if more and search.total is None:
                total, more = self.count_all(found)
            note = note or describe_rest(len(self.pictures), total, more=more)
            self.words = replace(self.words, line=note)
        first = 1
        for number, pictures in enumerate(pages, 1):
            small = len(pictures) > _FEW
            if small:
                pictures = [replace(one, caption=one.caption or f"{k:,}") for k, one in enumerate(pictures, first)]
            first += len(pictures)
            sheet = contact_sheet(
                pictures,
                total=total if paper is None else None,
                more=more and search.total is None and paper is None,
                most=len(pictures),
                title=f"page {number} of {len(pages)}: {self.pictures[0].title}" if len(pages) > 1 else None,
                note=note if paper is None else "",
                aspect=4 / 3 if paper is None else paper.aspect(self.words),
                small=small,
            )
            if paper is not None:
                sheet = put_on_paper(sheet, paper, self.words)
            with nullcontext(self.out) if number == 1 else self.settings.open_page(number) as out:
                self.write_sheet(out, sheet)
                out.flush()
        if len(self.pictures) < found:
            drawn = f"only the first {len(self.pictures)} of {found:,} solutions are drawn"
            return (
                f"{drawn}; use {'--limit or --pages' if self.settings.pages == 1 else 'a larger --pages'} to draw more"
            )
        return None

    def count_all(self, found: int) -> tuple[int, bool]:
        """Return how many solutions there are, as far as that is known soon, and whether there may be more."""
        search = self.search
        is_plain = isinstance(search, Search) and not (search.is_projection or search.is_best_effort)
        if not (is_plain and search.status is Status.LIMIT and isinstance(self.problem, Problem)):
            return found, True
        assert isinstance(search, Search)
        if search.classes is not None or search.cheapest is not None or self.settings.kept is not None:
            return found, True
        try:
            return self.problem.count(stop=InnerStop(search.stop, _PATIENCE)), False
        except StoppedError:
            return found, True

    def write_sheet(self, out: TextIO, sheet: str) -> None:
        if self.format is None:
            out.write(sheet)
        else:
            out.buffer.write(convert(sheet, self.format))
            out.buffer.flush()

    def describe_proof(self) -> str:
        """Return the claim that is proved about the solutions drawn."""
        if self.search.status is not Status.OPTIMAL:
            return ""
        number = len(self.pictures)
        if self.settings.best_effort:
            return "no other leaves less open" if number == 1 else f"no others than these {number} leave less open"
        return "the cheapest solution" if number == 1 else f"the {number} cheapest solutions"


class MatrixWriter(SvgWriter):
    """Draws contact sheets of matrices."""

    has_pictures = False


class GraphWriter(MatrixWriter):
    """Draws contact sheets of bipartite graphs."""

    abstract = GraphDrawer


class PngWriter(SvgWriter):
    """Writes contact sheets as PNG."""

    format = "png"


class PdfWriter(SvgWriter):
    """Writes contact sheets as PDF."""

    format = "pdf"


class HtmlWriter(Writer):
    """Writes a page with the solutions and the search at the end."""

    def begin(self) -> None:
        self.found: list[Sequence[int]] = []

    def write_solution(self, positions: Sequence[int]) -> None:
        self.found.append(tuple(positions))

    def close(self) -> str | None:
        from exactcover.viewer.view import ViewOptions, view  # slow to import

        search = self.search
        assert isinstance(search, Search) and isinstance(self.problem, Problem) and self.encoder is not None
        best = "leaves less open" if self.settings.best_effort else "is cheaper"
        notes = {Status.OPTIMAL: f"; no other {best}", Status.COMPLETE: " up to symmetry"}
        every = search.status in (Status.COMPLETE, Status.UNSATISFIABLE) and search.classes is None
        page = view(
            self.problem,
            self.encoder,
            title=self.settings.title or name_problem(self.settings.name, self.settings.params),
            options=ViewOptions(
                heuristics=(search.heuristic,), cheapest=len(self.found) if search.status is Status.OPTIMAL else None
            ),
            solutions=self.found,
            complete=every,
            note=notes.get(search.status, "; there may be more"),
        )
        self.out.write(page)
        return super().close()
