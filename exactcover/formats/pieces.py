"""Writers of pieces: solids and plates to print, and outlines to cut."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext

from exactcover.algorithm_x import Label
from exactcover.encoders.encoder import Encoder, defines
from exactcover.encoders.painting import Paintable
from exactcover.errors import ProblemError
from exactcover.formats.solution_tables import Writer
from exactcover.pictures.cutting import write_cut_svg, write_dxf
from exactcover.pictures.flats import Flat, Polygon, find_polygons
from exactcover.pictures.solids import write_meshes, write_stl


class _PieceWriter(Writer):
    """Writes the pieces of the first solution, or one of each kind, at the end.

    Raises
    ------
    ProblemError
        If the problem has no pieces that can be written.
    """

    def begin(self) -> None:
        assert self.encoder is not None
        self.shown_by: Encoder = self.encoder
        self.labels: list[Label] = []
        labels = self.problem.labels
        if self.settings.piece_set:
            if not isinstance(self.encoder, Paintable):
                raise ProblemError("--piece-set: this problem has no set of pieces")
            self.labels = list({self.encoder.piece_of(label): label for label in reversed(labels)}.values())[::-1]
        self.check(labels[:1])

    @abstractmethod
    def check(self, labels: Sequence[Label]) -> None:
        """Refuse a problem without such pieces, before the search; these options are examples."""

    @abstractmethod
    def render(self, labels: Sequence[Label]) -> bytes:
        """Return the file with the pieces of these options."""

    def write_solution(self, positions: Sequence[int]) -> None:
        if not self.labels:
            self.labels = list(self.get_labels(positions))

    def close(self) -> str | None:
        found = self.search.statistics.solutions
        if not self.labels or not found:
            return None
        files = [[label] for label in self.labels] if self.settings.piece_files else [self.labels]
        contents = [self.render(file) for file in files]  # nothing is replaced unless all of them can be made
        self.may_replace = True
        for number, content in enumerate(contents, 1):
            with nullcontext(self.out) if number == 1 else self.settings.open_page(number) as out:
                out.flush()
                out.buffer.write(content)
                out.buffer.flush()
        if self.settings.piece_set or found == 1:
            return None
        return f"only the pieces of the first of {found:,} solutions are written"

    def find_flats(self, labels: Iterable[Label], width: float) -> Iterator[Flat]:
        """Yield the pieces of options as polygons."""
        for label in labels:
            polygons = self.find_polygons(label)
            if not polygons:
                continue
            try:
                yield Flat(polygons, width)
            except ValueError as error:
                raise ProblemError(f"the piece {label} cannot be written: {error}") from None

    def find_polygons(self, label: Label) -> list[Polygon]:
        """Return the cells of an option; none if it has no flat piece."""
        board, picture = self.shown_by.draw(()), self.shown_by.draw((label,))
        return [] if board is None or picture is None else find_polygons(picture, board.shapes)

    def check_flat(self, labels: Sequence[Label]) -> None:
        if labels and not any(map(self.find_polygons, labels)):
            raise ProblemError(
                "this problem has no flat pieces: its options are not cells of one size that share edges; sticks, for "
                "instance, meet only in corners"
            )


class StlWriter(_PieceWriter):
    """Writes pieces as solids to print; flat ones become plates."""

    def check(self, labels: Sequence[Label]) -> None:
        if not defines(self.shown_by, "blocks"):
            self.check_flat(labels)
        elif self.settings.thickness is not None:
            raise ProblemError("--thickness applies only to flat pieces; those of this problem are solid")

    def render(self, labels: Sequence[Label]) -> bytes:
        size, name = self.settings.print_size, " + ".join(map(str, labels))
        if defines(self.shown_by, "blocks"):
            return write_stl([list(self.shown_by.blocks(one)) for one in labels], self.shown_by.block_shape, size, name)
        thickness = self.settings.thickness or _THICKNESS
        flats = self.find_flats(labels, 1.0)
        meshes = [flat.mesh(thickness / size.block, -size.gap / 2 / size.block) for flat in flats]
        return write_meshes(meshes, size.block, name)


_THICKNESS = 3.0


class DxfWriter(_PieceWriter):
    """Writes the outlines of flat pieces as DXF."""

    def check(self, labels: Sequence[Label]) -> None:
        if defines(self.shown_by, "blocks"):
            raise ProblemError("only flat pieces can be cut, and these are solid; -o FILE.stl writes them for printing")
        self.check_flat(labels)

    def render(self, labels: Sequence[Label]) -> bytes:
        colored = any(len({one.color for one in self.find_polygons(label)}) > 1 for label in self.labels)
        return self.draw(list(self.find_flats(labels, self.settings.cut_size.cell)), colored=colored).encode()

    def draw(self, flats: Sequence[Flat], *, colored: bool) -> str:
        """Return the drawing of the pieces, with their colors if one has several."""
        return write_dxf(flats, self.settings.cut_size, colored=colored)


class CutWriter(DxfWriter):
    """Writes the outlines of flat pieces as SVG."""

    def draw(self, flats: Sequence[Flat], *, colored: bool) -> str:
        return write_cut_svg(flats, self.settings.cut_size, colored=colored)
