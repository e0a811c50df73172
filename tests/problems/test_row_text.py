"""Boards as rows of text, in the spellings of people and programs."""

from pathlib import Path
from typing import Any

import pytest

from exactcover import ParameterError
from problems import Grid, Masyu, Numberlink, Slitherlink

SPELLINGS: list[Any] = [
    "3.2\n.0.",
    "3.2/.0.",
    "\n\n3-2\r\n-0-\r\n\n",
    "2 3\n3 . 2\n. 0 .",
    "2x3\n3_2\n_0_",
    "# from a book\n3, ,2\n,0,",
    "3;.;2\n.;0;.",
    "3 ? 2\n? 0 ?",
    "+-+-+ +\n|3|. 2\n+-+-+ +\n   0|\n+ + + +",
    ("3.2", ".0."),
    ((3, None, 2), (None, 0, None)),
    (("3", ".", "2"), ("-", "0", "")),
]


@pytest.mark.parametrize("given", SPELLINGS)
def test_one_board_in_many_spellings(given: Any) -> None:
    puzzle = Slitherlink(given)
    assert [str(clue) for clue in puzzle.givens()] == ["r1c1=3", "r1c3=2", "r2c2=0"]
    assert puzzle.unparse(puzzle.givens()) == "3.2\n.0."


def test_a_board_may_be_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "board.txt").write_text("3.2\n.0.\n")
    monkeypatch.chdir(tmp_path)
    assert len(Slitherlink("board.txt").givens()) == 3
    with pytest.raises(ParameterError, match=r"'b' is not a number from 0 to 4"):
        Slitherlink().parse("board.txt")  # an instance names no file


def test_numbers_of_two_digits_stand_between_spaces() -> None:
    assert Numberlink("10 . 2\n2 . 10", fill=False).decode([]) == {}
    assert Numberlink("12 21/21 12").decode([]) == {}
    assert Numberlink("11/22").unparse([]) == "11\n22"


def test_a_stream_of_boards() -> None:
    lines = ["# two boards\n", "3.2\n", ".0.\n", "\n", "3.2/.0.\n", "3 .\n", ". .\n"]
    texts = list(Slitherlink().instances(lines))
    assert [(text.splitlines(), text.line) for text in texts] == [  # type: ignore[attr-defined]
        (["3.2", ".0."], 2), (["3.2/.0."], 5), (["3 .", ". ."], 6)
    ]  # fmt: skip


def test_a_row_whose_words_are_cells_is_one_row() -> None:
    for row in ("aa bb", ("aa bb",), "aa,bb", "aa bb cc"):
        assert Grid(row, symbols=("aa", "bb", "cc")).board.size[0] == 1
    for clues in (("3 . . 3",), "3,.", "3 3"):
        assert Slitherlink(clues).problem().items
    assert Masyu(("W. .B",)).problem().items
