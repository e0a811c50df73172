"""The files in which programs share plain Sudokus of 9x9: rows (.sdk), rows with bars (.ss), and lines (.sdm)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exactcover import Encoder, ParameterError
from exactcover.formats.links import Written
from problems.sudoku import Sudoku

__all__ = ["SDK", "SDM", "SS", "SudokuFile"]


@dataclass(frozen=True)
class SudokuFile:
    """A form of such files. Files are read as any text with a Sudoku.

    Attributes
    ----------
    join
        Returns the text of nine rows.
    """

    join: Callable[[Sequence[str]], str]

    def write(self, encoder: Encoder, title: str | None = None) -> Written:
        """Return the text of a Sudoku, without its title.

        Raises
        ------
        ParameterError
            If it is none of 9x9, or has rules beside rows, columns and boxes.

        Examples
        --------
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
