"""The files in which programs share plain Sudokus of 9x9: rows (.sdk), rows with bars (.ss), and lines (.sdm)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exactcover import Encoder, ParameterError
from exactcover.formats.links import Written
from problems.sudoku import Sudoku


@dataclass(frozen=True)
class SudokuFile:
    """A form of such files, by what joins nine rows. Files are read as any text with a Sudoku."""

    join: Callable[[Sequence[str]], str]

    def write(self, encoder: Encoder, title: str | None = None) -> Written:
        """Return the text of a Sudoku of 9x9 without further rules; its title is left out.

        >>> print(SS.write(Sudoku(grid="53..7...." + 72 * ".")).text.partition("-")[0].strip())
        53.|.7.|...
        ...|...|...
        ...|...|...
        """
        if not isinstance(encoder, Sudoku) or encoder.frame() != Sudoku().frame():
            raise ParameterError("grid", "only Sudokus of 9x9 without further rules can be stated")
        cells = Sudoku().unparse(encoder.givens())  # on one line, however it was stated
        text = self.join([cells[start : start + 9] for start in range(0, 81, 9)])
        return Written(text, ("title",) if title else ())


def _draw_bars(rows: Sequence[str]) -> str:
    """Return rows with bars between boxes, as in Simple Sudoku."""
    lines = ["|".join(row[start : start + 3] for start in (0, 3, 6)) for row in rows]
    return "\n-----------\n".join("\n".join(lines[start : start + 3]) for start in (0, 3, 6))


SDK, SS, SDM = SudokuFile("\n".join), SudokuFile(_draw_bars), SudokuFile("".join)
