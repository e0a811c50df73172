"""Tilings by polyominoes: pieces, boards, copies and placed pieces."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused
from exactcover import ParameterError
from oracles import brute_force
from problems import Polyomino
from problems.boards import Board


def test_optional_cells_and_own_pieces(installed_engine: str) -> None:
    """An L on three required cells and one that may stay free."""
    tiling = Polyomino("..\n.?", {"L": "##/#"}, copies="any")
    assert tiling.problem().count(engine=installed_engine) == 1
    assert Polyomino("?.\n.?", {"D": "##"}, copies="any").problem().count(engine=installed_engine) == 4 - 2
    for board in ("..?\n???", "????", ".???"):
        ranged = Polyomino(board, ("dominoes", "monominoes"), copies=(0, 6)).problem()
        free = Polyomino(board, ("dominoes", "monominoes"), copies="any").problem()
        assert free.count(engine=installed_engine) == ranged.count()


def test_own_pieces_by_reference() -> None:
    assert Polyomino("2x2", {"square": "tetrominoes.O"}).problem().count() == 1
    with pytest.raises(ParameterError, match="is a whole set; expected one piece"):
        Polyomino("2x2", {"square": "tetrominoes"})


def test_placed_pieces_stay() -> None:
    tiling = Polyomino("3x20", placed=("U r1c1 r2c1 r3c1 r1c2 r3c2",))
    problem = tiling.problem()
    found = list(problem.solve(given=tiling.givens()))
    assert sorted(found) == sorted(one for one in problem.solve() if tiling.givens()[0] in one)
    assert 0 < len(found) < 8


SETS = st.sampled_from(["trominoes.V", "trominoes.I", "dominoes", "monominoes"])


@given(
    st.lists(st.text(".?# ", min_size=1, max_size=4), min_size=1, max_size=3),
    st.lists(SETS, min_size=1, max_size=2, unique=True),
)
def test_the_proof_by_areas_never_lies(rows: list[str], pieces: list[str]) -> None:
    board = "\n".join(rows)
    if not {".", "?"} & set(board) or ("\n" not in board.strip() and " " in board.strip()):
        return  # nothing, or rows on one line
    for copies in (1, "any", 2, (0, 2)):
        tiling = Polyomino(board, tuple(pieces), copies=copies)
        problem = tiling.problem()
        if tiling.impossible() and len(problem.labels) <= 12:
            assert brute_force(problem) == set()


def test_copies_are_not_told_apart() -> None:
    assert Polyomino("4x4", "dominoes", copies=(7, 9)).problem().count() == 36
    assert Polyomino("4x4", "dominoes", copies=(0, 7)).problem().count() == 0
    tray = Polyomino("??????", "dominoes", copies=2)
    assert tray.problem().count() == 6
    assert all(len(solution) == 2 for solution in tray.problem().solve())
    assert Polyomino("????", "dominoes", copies=(0, 2)).problem().count() == 1 + 3 + 1
    several = Polyomino("3x4", ("trominoes", "dominoes", "monominoes"), copies={"I": 0, "V": 2, "O": "any"})
    bare = Polyomino("3x4", ("trominoes", "dominoes", "monominoes"), copies="any")
    found = [Counter(placement.piece for placement in solution) for solution in bare.problem().solve()]
    wanted = sum(one["V"] == 2 and one["I"] == 0 and one["dominoes.I"] == 1 for one in found)
    assert several.problem().count() == wanted > 0


def test_boards_are_ordered_along_their_short_side() -> None:
    assert Board.parse("2x3").along_short_side()[:3] == [(1, 1), (2, 1), (1, 2)]
    assert Board.parse("3x2").along_short_side()[:3] == [(1, 1), (1, 2), (2, 1)]


@pytest.mark.parametrize("family", ["polyomino", "polyiamond", "polyhex"])
def test_rows_on_one_line_are_not_a_board(family: str, tmp_path: Path) -> None:
    """YAML joins the lines of a text without | ."""
    (tmp_path / "board.yaml").write_text(f"problem: {family}\nparams:\n  board:\n    .....\n    ...\n    .\n")
    words = "board.yaml:3:3: board: the rows stand on one line; did you forget `|` behind `board:`?"
    assert_refused(words, "count", str(tmp_path / "board.yaml"))
