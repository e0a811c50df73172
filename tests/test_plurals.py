"""A noun after a number is in the plural if the number is not 1."""

import re
from pathlib import Path

import pytest

from commands import invoke
from exactcover import Encoder, Problem, pictures
from problems import Coloring, Design, Matching, Polyomino, Sudoku

ONE = Problem({"A": [1]})
PICTURES = [
    Sudoku(box="1x1", grid="1"),
    Design(points=1, block=1, together=1),
    Matching(graph="path 2"),
    Coloring(graph="path 1", colors=1),
    Polyomino(board="1x1", pieces="monominoes"),
]


def find_plurals_of_one(text: str) -> list[str]:
    return re.findall(r"(?<![\w.,-])1 (?!class\b)[a-z]+s\b", text)


def test_a_plural_of_one_is_found() -> None:
    assert find_plurals_of_one("the problem with 1 items and 11 nodes, 1 class, 1.1 nodes") == ["1 items"]


@pytest.mark.parametrize("encoder", PICTURES, ids=lambda encoder: type(encoder).__name__)
def test_titles_of_pictures(encoder: Encoder) -> None:
    solution = encoder.problem().find()
    assert solution is not None
    picture = encoder.draw(solution)
    assert picture is not None
    assert picture.title[:1].isalnum()
    assert find_plurals_of_one(picture.title) == []


def test_representations_of_values() -> None:
    search = ONE.solve()
    assert len(list(search)) == 1
    assert repr(search) == "<Search: complete, 1 solution>"
    assert repr(ONE.diagram()) == "<Diagram: 1 solution, 1 node>"
    with pytest.raises(IndexError, match=r"^there is 1 solution; got 1$"):
        ONE.diagram()[1]


def test_a_sheet_with_the_first_solution() -> None:
    sheet = pictures.contact_sheet([pictures.Picture("one", (pictures.Cell(0, 0, "a"),))], more=True)
    assert "the first solution; there may be more" in sheet


@pytest.mark.parametrize(
    "args",
    [
        ["count", "--distinct", "odd.dlx"],
        ["check", "--reduce", "one.dlx"],
        ["explain", "one.dlx"],
        ["estimate", "one.dlx"],
        ["solve", "one.dlx", "--all", "-v"],
        ["solve", "one.dlx", "--stats", "--engine", "sets"],
        ["count", "one.dlx", "--distinct", "-v"],
        ["count", "one.dlx", "--certificate", "one.cert"],
        ["certify", "one.cert"],
        ["diagram", "one.dlx"],
        ["solve", "one.dlx", "--all", "-o", "one.jsonl"],
        ["verify", "one.dlx", "one.jsonl"],
        ["run", "start", "one.dlx", "--store", "one.run", "--workers", "1"],
        ["run", "status", "one.run"],
        ["run", "check", "one.run"],
    ],
    ids=" ".join,
)
def test_messages_of_verbs(args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.dlx").write_text("a\na\n")
    Path("odd.dlx").write_text("a b c\na b\nb c\na c\n")
    for needed, maker in {
        "one.cert": ["count", "one.dlx", "--certificate", "one.cert"],
        "one.jsonl": ["solve", "one.dlx", "--all", "-o", "one.jsonl"],
        "one.run": ["run", "start", "one.dlx", "--store", "one.run", "--workers", "1"],
    }.items():
        if needed in args[1:] and maker != args:
            assert invoke(*maker).returncode == 0
    result = invoke(*args)
    assert result.returncode == 0, result
    assert find_plurals_of_one(result.stdout + result.stderr) == []
