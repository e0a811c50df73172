"""Pictures as text: as they were, in narrow terminals, in ASCII, and with hostile labels."""

import json
import re
import unicodedata
from pathlib import Path

import pytest

from exactcover.config.configuration import read_file
from exactcover.pictures import PAPER, Cell, Dashes, Disc, Edge, Line, Picture, Text, Tile, contact_sheet, render
from exactcover.pictures.shapes import polygon
from exactcover.pictures.text import count_columns, cut, printable, wrap
from problems import CONFIGS, Grid, Polycube, Polysphere, Queens

FILES = Path(__file__).parents[1] / "files" / "pictures"
SOLUTIONS: dict[str, list[str]] = json.loads((FILES / "solutions.json").read_text("utf-8"))
"""For each configuration, the labels of a solution."""
HOSTILE = ["\x1b[2J", "a\x07b", "a\nb\r", "\x85\x9b31m", "\u202eabc", "\u2066x", "\ud800", "\x00", "\u2028", "\ufffe"]


def draw(config: str) -> tuple[Picture, Picture]:
    """Return the picture of the solution, and that of the empty board."""
    encoder = read_file(CONFIGS / f"{config}.yaml").encoder
    labels = {str(label): label for label in encoder.problem().labels}
    picture, nothing = encoder.draw([labels[text] for text in SOLUTIONS[config]]), encoder.draw(())
    assert picture is not None and nothing is not None
    return picture, nothing


@pytest.mark.parametrize("config", SOLUTIONS)
def test_pictures_are_as_they_were(config: str, renew: bool) -> None:
    picture, nothing = draw(config)
    for name, text in {
        f"{config}.txt": render(picture),
        f"{config}.colors.txt": render(picture, colors=True),
        f"{config}.svg": contact_sheet([picture]),
        f"{config}.empty.txt": render(nothing),
        f"{config}.empty.svg": contact_sheet([nothing]),
    }.items():
        file = FILES / name
        if renew:
            file.write_text(text, "utf-8", newline="\n")
        expected = file.read_bytes().decode()
        if expected != text:  # a whole picture is too long to be shown
            ends = [k for k, (one, other) in enumerate(zip(expected, text, strict=False)) if one != other]
            same = min([*ends, len(expected), len(text)])
            shown = slice(max(0, same - 40), same + 40)
            pytest.fail(f"{file}, character {same}: expected {expected[shown]!r}, found {text[shown]!r}")
    assert render(picture, width=200) == render(picture)


def test_signs_of_puzzles_are_shown() -> None:
    cages = {"cages": {"areas": ["AAB", "CAB"], "totals": {"A": "6", "B": "4"}}}
    marks = ({"less": {"pairs": ("r1c2 < r1c1", "r1c1 < r2c1")}}, {"dots": {"black": ["r2c2 r2c3"]}})
    assert render(Grid("1../...", symbols="123", constraints=(cages, *marks)).draw(())).splitlines() == [
        "┌───────┬───┐",
        "│6  >   │4  │",
        "├─∧─┐   │   │",
        "│   │   ●   │",
        "└───┴───┴───┘",
    ]
    regions = Grid("2x3", regions=("AAA", "BBB"), symbols="123", constraints=({"cages": {"areas": ["AAB", "CAB"]}},))
    assert render(regions.draw(())).splitlines() == [
        "┌───────────┐",
        "│       ┊   │",
        "├───────────┤",
        "│   ┊   ┊   │",
        "└───────────┘",
    ]
    assert render(regions.draw(()), ascii=True).splitlines()[1] == "|       :   |"
    around = {"neighbors": "adjacent", "clues": "1.."}
    lights = Grid("#..", symbols="ox", empty="x", constraints=({"lamps": "o"}, {"around": around}))
    assert render(lights.draw(()), ascii=True).splitlines() == ["+---+------+", "|1##|      |", "+---+------+"]
    sums = {"kakuro": "# 4\\ 3\\\n\\4 . .\n\\3 . .\n"}
    assert render(Grid("###/#../#..", symbols="123", constraints=(sums,)).draw(())).splitlines() == [
        "┌─────────────┐",
        "│▒▒▒▒ 4\\▒▒3\\▒▒│",
        "│    ┌────────┤",
        "│\\4▒▒│        │",
        "│\\3▒▒│        │",
        "└────┴────────┘",
    ]


def box(left: float, top: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


@pytest.mark.parametrize("note", ["數" * 12, "x" * 19, "x" * 40])
def test_notes_that_are_too_long_are_cut(note: str) -> None:
    corner = Tile(box(0.03, 0.03, 0.19 * len(note), 0.3), None, sign=note)
    top, row, bottom = render(Picture("", (Cell(0, 0), Cell(0, 1), corner, Text(0, 0, "5")))).splitlines()
    assert count_columns(row) == len(top) == len(bottom) == 42
    assert row[1] == note[0]
    assert "… 5 " in row


def test_signs_and_sides_outside_cells_are_left_out() -> None:
    cells = Cell(0, 0), Cell(0, 1)
    notes = Tile(box(-0.9, 0.1, 0.3, 0.3), None, sign="7"), Tile(box(2.3, 0.1, 0.3, 0.3), None, sign="123456")
    signs = Tile(box(0.9, 0.4, 0.2, 0.2), None, sign="數"), Tile(box(1.9, 0.4, 0.2, 0.2), None, sign="x")
    sides = Dashes((((9, 0), (9, 1)), ((-5, 0), (-5, 1)), ((0, -3), (1, -3)), ((0, 8), (1, 8))))
    assert render(Picture("", (*cells, *notes, *signs, sides))) == render(Picture("", cells))
    inside = Dashes((((1, 0), (1, 1)),))
    assert render(Picture("", (*cells, inside))).splitlines()[1] == "│   │   │"


def shown_columns(line: str) -> int:
    return count_columns(re.sub(r"\x1b\[[0-9;]*m", "", line))


@pytest.mark.parametrize("config", SOLUTIONS)
@pytest.mark.parametrize("colors", [False, True])
def test_no_line_is_longer_than_the_terminal(config: str, colors: bool) -> None:
    picture, _ = draw(config)
    for width in (1, 2, 7, 20, 31):
        for ascii_only in (False, True):
            text = render(picture, colors=colors, width=width, ascii=ascii_only)
            assert max(map(shown_columns, text.split("\n"))) <= width
            assert not ascii_only or text.isascii()


def test_lines_through_cells_run_around_their_texts() -> None:
    cells = [Cell(row, column, None, PAPER) for row in range(2) for column in range(3)]
    lines = [Line(0, 0, right=True), Line(0, 1, left=True, down=True), Line(1, 1, up=True, right=True), Line(1, 2)]
    picture = Picture("a path", (*cells, *lines, Text(0, 0, "A"), Disc(0, 1, "○", hollow=True)))
    assert render(picture).splitlines() == [" A──○", "    └─"]
    assert render(picture, ascii=True).splitlines() == [" A--o", "    +-"]
    drawn = contact_sheet([picture])
    assert drawn.count("<circle") == drawn.count('fill="none"') == 1  # the ring; no cell has a border


def test_edges_between_cells_without_borders() -> None:
    cells = [Cell(0, column, None, PAPER) for column in range(2)]
    picture = Picture("a corner", (*cells, Edge(0, 1, down=True), Edge(1, 1, down=False), Text(0, 0, "3")))
    assert render(picture).splitlines() == [" 3 │", "   └───"]


def test_layers_stand_below_each_other_where_the_terminal_is_narrow() -> None:
    solid = Polycube("2x2x2", {"A": "##/##"}, copies=2)
    picture = solid.draw(next(solid.problem().solve(engine="sets", without=[])))
    beside = render(picture).split("\n")
    first, second = render(picture, width=len(beside[0]) - 1).split("\n\n")
    for line, left, right in zip(beside, first.split("\n"), second.split("\n"), strict=True):
        assert re.fullmatch(rf"{re.escape(left)} {{3,}}{re.escape(right)}", line)


def test_layers_of_spheres_stand_below_each_other() -> None:
    pile = Polysphere("pyramid 3", {"A": "#"}, copies="any")
    assert render(pile.draw(())).split("\n") == ["··· ··  ·", "··· ··", "···"]
    assert render(pile.draw(()), width=5).split("\n") == ["···", "···", "···", "", "··  ·", "··"]
    assert render(pile.draw(()), width=3).split("\n") == ["···", "···", "···", "", "··", "··", "", "·"]


def test_a_wide_table_is_cut_with_a_sign() -> None:
    table = Picture("t", tuple(Cell(0, column, column) for column in range(9)))
    assert render(table, width=10).split("\n") == ["┌───┬───┬…", "│   │   │…", "└───┴───┴…"]
    assert render(table, width=10, ascii=True).split("\n") == ["+---+---+>", "|   |   |>", "+---+---+>"]
    assert render(table, width=37) == render(table)
    with pytest.raises(ValueError, match="at least one column"):
        render(table, width=0)


def test_captions_are_wrapped() -> None:
    picture = Picture("t", (Cell(0, 0),), caption="a rather long caption")
    assert render(picture, width=12).split("\n")[3:] == ["a rather", "long caption"]
    assert wrap("extraordinary word", 6) == ["extra…", "word"]


def test_wide_and_combining_characters_keep_columns_equal() -> None:
    texts = ["數獨", "e\u0301", "ab", "x"]
    picture = Picture("t", tuple(shape for number, text in enumerate(texts)
                                 for shape in (Cell(number // 2, number % 2, number), Text(number // 2, number % 2, text))))  # fmt: skip
    lines = render(picture).split("\n")
    assert {count_columns(line) for line in lines} == {15}
    assert lines[1] == "│ 數獨 │  e\u0301   │"


def test_a_long_label_is_cut_with_a_sign() -> None:
    long = "a name of more than twenty characters"
    assert render(Picture("t", (Cell(0, 0), Text(0, 0, long)))).split("\n")[1] == "│a name of more than…│"
    assert cut(long, 8, ">") == "a name >"


def test_ascii_has_letters_for_discs_and_shades() -> None:
    queens = Queens(n=4, placed=((1, 1),))
    text = render(queens.draw(queens.givens()), ascii=True)
    assert text.isascii()
    assert text.split("\n")[:2] == ["+------------+", "| Q  .     . |"]
    assert "*" in render(Picture("t", (Cell(0, 0), Disc(0, 0))), ascii=True)
    assert "#" in render(Picture("t", (Cell(0, 0, tint=-3),)), ascii=True)
    assert "?" in render(Picture("t", (Text(0, 0, "é"), Cell(0, 0))), ascii=True)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_nothing_that_steers_a_terminal_gets_through(text: str) -> None:
    tile = Tile(polygon((0.5, 0.5), 0.5, 6), row=0, column=0)
    pictures = [
        Picture(text, (Cell(0, 0), Text(0, 0, text)), caption=text),
        Picture(text, (Cell(0, 0), Disc(0, 0, text))),
        Picture(text, (tile, Text(0, 0, text)), caption=text),
    ]
    for picture in pictures:
        for one in render(picture):
            assert one == "\n" or unicodedata.category(one) not in ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn")
    assert all(one.isprintable() for one in printable(text))
    assert len(render(pictures[0]).split("\n")) == 4


def test_printable_text_stays_as_it_is() -> None:
    for text in ("plain", "數獨 ●", "zero\u200dwidth joiner", "no-break\xa0space"):
        assert printable(text) == text
    assert printable("\x1b \n \u202e \U000e0001") == "\\x1b \\n \\u202e \\U000e0001"
