"""Links of penpa-edit, made here from plain numbers of points, as the site numbers them."""

import base64
import json
import random
import re
import zlib
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactcover import ParameterError
from exactcover.errors import ConfigError
from problems import Grid, Sudoku
from problems.links import penpa

Parts = dict[str, Any]


def _pack(text: str) -> str:
    machine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(machine.compress(text.encode()) + machine.flush()).decode()


def _cell(row: int, column: int, columns: int) -> int:
    """Return the number of a cell, counted from 1; there are two unused rows and columns on each side."""
    return (row + 1) * (columns + 4) + column + 1


def _make_text(
    size: tuple[int, int], parts: Parts, title: str = "", tags: list[str] | None = None, top: int = 0
) -> str:
    """Return the text of a drawing, with so many rows in the margin above it."""
    rows, columns = size
    cells = [_cell(row + top, column, columns) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    steps = [cells[0], *(last - one for one, last in pairwise(cells))]
    header = f"square,{columns},{rows + top},38,0,1,1,1,1,1,1,0,0,0,0,Title: {title},Author: ,,,OFF,false"
    lines = [header, f"[{top},0,0,0]", '["1","2","1"]~"surface"~["",1]', json.dumps(parts), "", json.dumps(steps)]
    lines += ["[]", "{}", '"x"', '"x"', "[3,2,3]", "{}", '"x"', "0", "{}", "x", "{}", json.dumps(tags or []), ""]
    text = "\n".join(lines)
    return text.replace("z", "zZ").replace('"number"', "zN").replace("null", "zO")


def _make_link(*args: Any, **kwargs: Any) -> str:
    return f"https://swaroopg92.github.io/penpa-edit/#m=solve&p={_pack(_make_text(*args, **kwargs)).rstrip('=')}"


NUMBERS = {"number": {str(_cell(1, 1, 2)): ["3", 1, "1"], str(_cell(2, 2, 2)): [2, 1, "10"]}}
SLITHERLINK = {"clues": [["3", "."], [".", "2"]]}


def _read(link: str) -> tuple[str, dict[str, Any]]:
    found = penpa.read(link)
    assert found is not None
    return found[:2]


@pytest.mark.parametrize(("title", "tags", "more"), [
    ("Slitherlink", [], ""),
    ("slitherlink!", ["fillomino"], ""),
    ("", ["slitherlink"], ""),
    ("Puzzle 7", [], "&kind=slitherlink"),
    ("Puzzle", [], "&kind=++Slitherlink"),
])  # fmt: skip
def test_the_kind_is_stated_or_a_title_or_a_tag(title: str, tags: list[str], more: str) -> None:
    link = _make_link((2, 2), NUMBERS, title, tags) + more
    assert _read(link) == ("slitherlink", SLITHERLINK)
    assert _read(link.replace("#m=", "?m=").replace("&", "&amp;")) == ("slitherlink", SLITHERLINK)


@pytest.mark.parametrize(("title", "tags", "more", "message"), [
    ("", [], "", "the drawing does not say which kind of puzzle it is; if you know, add &kind= and one of"),
    ("Slitherlink (Liar)", ["slitherlink"], "", "which kind of puzzle it is (Slitherlink (Liar)); if you"),
    ("", ["slitherlink", "masyu"], "", "which kind of puzzle it is (slitherlink, masyu)"),
    ("Slitherlink", ["nonconsecutive"], "", "its tags (nonconsecutive) say more than its title"),
    ("Slitherlink 0-8", [], "", "which kind of puzzle it is (Slitherlink 0-8)"),
    ("Slitherlink (対)", [], "", "which kind of puzzle it is (Slitherlink (対))"),
    ("Slitherlink", [], "&kind=slitherlnk", "unknown kind 'slitherlnk'; did you mean 'slitherlink'?"),
])  # fmt: skip
def test_no_kind_is_guessed(title: str, tags: list[str], more: str, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        penpa.read(_make_link((2, 2), NUMBERS, title, tags) + more)


TOTAL = 8 * 6  # the points of one kind, on 4 x 2 cells


@pytest.mark.parametrize(("title", "parts", "message"), [
    ("Slitherlink", {"symbol": {str(_cell(1, 1, 2)): [1, "circle_L", 1]}}, "the symbol circle_L on r1c1 does not belong to such puzzles"),
    ("Slitherlink", {"symbol": {str(_cell(1, 1, 2)): [3, 7, 1]}}, "the symbol on r1c1 in the drawing cannot be read"),
    ("Slitherlink", {"numberS": {str(4 * TOTAL + 4 * _cell(1, 2, 2)): ["9", 1]}}, "'9' in a corner of r1c2 does not belong"),
    ("Slitherlink", {"lineE": {f"{TOTAL + _cell(1, 1, 2)},{TOTAL + _cell(1, 1, 2) - 6}": 2}}, "a border at r1c1 does not belong"),
    ("Slitherlink", {"thermo": [[_cell(1, 1, 2), _cell(1, 2, 2)]]}, "thermo does not belong to such puzzles"),
    ("Slitherlink", {"line": {f"{_cell(1, 1, 2)},{_cell(1, 2, 2)}": 3}}, "lines (line) in the drawing cannot be stated"),
    ("Slitherlink", {"cage": {"200,201": 10}}, "dashed lines (cage) that are no cages cannot be stated"),
    ("Slitherlink", {"number": {str(_cell(1, 1, 2)): ["S", 1, "1"]}}, "expected a number, got 'S'"),
    ("Slitherlink", {"number": {str(_cell(1, 1, 2)): ["6", 1, "1"]}}, "the number 6 is too large; expected 0 to 4"),
    ("Slitherlink", {"number": {str(_cell(1, 1, 2)): [" ", 6, "1"]}}, "the circle without a number in r1c1"),
    ("Slitherlink", {"number": {f"0{_cell(1, 1, 2)}": ["3", 1, "1"]}}, "the point '0"),
    ("Slitherlink", {"lineE": {f"{TOTAL + _cell(0, 0, 2)},{TOTAL + _cell(1, 1, 2)}": 12}}, "a line between cells"),
    ("Slitherlink", {"arrows": [[_cell(1, 1, 2), _cell(4, 2, 2)]]}, "arrows in the drawing has cells twice, or too few"),
    ("Slitherlink", {"unheard": {"1": 2}}, "unheard in the drawing cannot be read"),
    ("Slitherlink", {"number": {str(_cell(1, 1, 2)): ["1234", 1, "7"]}}, "the number in r1c1 in the drawing cannot be read"),
    ("Slitherlink", {"number": {str(_cell(1, 1, 2)): ["3"]}}, "the number in r1c1 in the drawing cannot be read"),
    ("Slitherlink", {"number": {str(_cell(0, 1, 2)): ["3", 1, "1"]}}, "'3' in the margin does not belong"),
    ("Slitherlink", {"number": {"999999": ["3", 1, "1"]}}, "the point '999999' in the drawing cannot be read"),
    ("Slitherlink", {"lineE": {"1,2": 8}}, "a line between cells in the drawing cannot be read"),
    ("Slitherlink", {"symbol": []} | {"number": [1]}, "number in the drawing cannot be read"),
    ("Slitherlink", [], "what in the drawing cannot be read"),
    ("Slitherlink", {"surface": {str(_cell(1, 1, 2)): 4}}, "a dark cell at r1c1 does not belong to such puzzles"),
    ("Hitori", {"number": {str(_cell(1, 1, 4)): ["?", 1, "1"]}}, "the sign ? for a number cannot be stated"),
    ("Sudoku", {"symbol": {str(2 * 64 + _cell(1, 1, 4)): [3, "circle_L", 1]}}, "the symbol circle_L on r1c1 does not"),
    ("Irregular Sudoku", {}, "expected borders around the regions of an irregular Sudoku; there are none"),
    ("Kakuro", {"symbol": {str(_cell(1, 1, 4)): [6, "kakuro", 1]}}, "expected black cells in the first row"),
    ("Killer Sudoku", {"killercages": [[_cell(1, 1, 4), _cell(1, 2, 4)]], "numberS": {str(4 * 64 + 4 * _cell(1, 2, 4)): ["5", 1]}},
     "'5' in a corner of r1c2 does not belong"),
])  # fmt: skip
def test_what_does_not_belong_to_the_kind_is_refused(title: str, parts: Parts, message: str) -> None:
    size = (4, 2) if title == "Slitherlink" else (4, 4)
    with pytest.raises(ParameterError, match=re.escape(message)):
        penpa.read(_make_link(size, parts, title))


def test_what_states_no_rule_is_named() -> None:
    parts = NUMBERS | {"surface": {str(_cell(1, 1, 2)): 7}, "lineE": {"50,51": 12}}
    found = penpa.read(_make_link((2, 2), parts, "Slitherlink"))
    assert found is not None and found.left_out == ("colors", "thin lines")
    assert found.params == SLITHERLINK and found.title == "Slitherlink"


def test_a_star_battle_has_one_number_and_regions() -> None:
    """Its only number, and a star beside it, stand in the margin; the first row is a region."""
    ends = [TOTAL + _cell(2, column, 2) for column in range(3)]
    stars: Parts = {"number": {str(_cell(1, 1, 2)): ["1", 1, "1"]}, "symbol": {str(_cell(1, 2, 2)): [2, "star", 1]}}
    border, loose = {f"{one},{other}": 2 for one, other in pairwise(ends)}, {f"{ends[0]},{ends[1]}": 21}
    problem, params = _read(_make_link((3, 2), stars | {"lineE": border}, "Star Battle", top=1))
    assert problem == "grid" and params["constraints"][0]["count"]["times"] == 1
    assert Grid(**params).regions == ("aa", "bb", "bb")
    for parts, message in (
        ({"lineE": border}, "does not tell the number of stars; expected one number"),
        ({"lineE": border, "number": {str(_cell(1, 1, 2)): ["10x10", 1, "1"]}}, "does not tell the number of stars"),
        (stars, "expected borders around regions; there are none"),
        (stars | {"lineE": loose}, "expected borders around regions; that at r1c1 ends inside of one"),
    ):
        with pytest.raises(ParameterError, match=message):
            penpa.read(_make_link((3, 2), parts, "Star Battle", top=1))


def test_lamps_stand_around_dark_cells() -> None:
    parts = NUMBERS | {"surface": {str(_cell(1, 1, 2)): 4, str(_cell(2, 2, 2)): 4, str(_cell(2, 1, 2)): 1}}
    problem, params = _read(_make_link((2, 2), parts, "Akari"))
    grid = Grid(**params)
    assert (problem, grid.board.cells) == ("grid", [(1, 2)])
    assert params["constraints"][1]["around"]["clues"] == [["3", "."], [".", "2"]]
    for text in ("5", "x"):
        with pytest.raises(ParameterError, match=f"expected a number from 0 to 4 in a dark cell, got '{text}'"):
            penpa.read(_make_link((2, 2), parts | {"number": {str(_cell(1, 1, 2)): [text, 7, "1"]}}, "Akari"))
    with pytest.raises(ParameterError, match="'3' in r1c1 does not belong"):
        penpa.read(_make_link((2, 2), NUMBERS, "Light Up"))
    with pytest.raises(ParameterError, match="expected black cells only"):
        penpa.read(_make_link((2, 2), {"surface": {str(_cell(1, 1, 2)): 3}}, "Light Up"))


def test_ships_have_a_fleet_beside_the_board() -> None:
    """The fleet is in the first row of the margin, and the numbers are in the third one, above the board."""
    fleet = {str(_cell(1, column, 5)): [style, "battleship_G", 1] for column, style in ((1, 3), (2, 5), (5, 1))}
    given = {str(_cell(5, 1, 5)): [4, "battleship_B", 1], str(_cell(5, 5, 5)): [7, "battleship_W", 1]}
    numbers: Parts = {"number": {str(_cell(3, 1, 5)): ["2", 1, "1"], str(_cell(4, 3, 5)): ["?", 1, "1"]}}
    problem, params = _read(_make_link((3, 5), numbers | {"symbol": fleet | given}, "Battleships", top=3))
    ships, count, only = params["constraints"]
    assert problem == "grid" and ships["ships"]["fleet"] == {2: 1, 1: 1}
    assert count["count"] | {"of": ""} == {"where": "columns", "times": ["2", ".", ".", ".", "."], "of": ""}
    assert only["only"]["cells"] == "r1c3"
    assert [[*row] for row in params["cells"]] == [[*"....."], [*"^...w"], [*"....."]]
    grid = Grid(**params)
    assert [grid.unparse(one) for one in grid.solve()] == ["wwoww\n^wwww\nvwwww"]
    for more, message in (
        ({}, "does not tell the fleet"),
        ({1: 3, 2: 2}, "expected whole ships beside the board"),
        ({1: 7}, "expected whole ships beside the board"),
        ({1: 4, 2: 6}, "expected whole ships beside the board"),
    ):
        drawn = {str(_cell(1, column, 5)): [style, "battleship_B", 1] for column, style in more.items()}
        with pytest.raises(ParameterError, match=message):
            penpa.read(_make_link((3, 5), {"symbol": drawn}, "Battleships", top=3))
    drawn = {str(_cell(1, column, 5)): [style, "battleship_B", 1] for column, style in enumerate((3, 5, 1, 1), 1)}
    _, params = _read(_make_link((3, 5), {"symbol": drawn}, "Battleships", top=3))
    assert params["constraints"][0]["ships"]["fleet"] == {2: 1, 1: 2}
    both: Parts = {"symbol": fleet | given, "number": {str(_cell(5, 5, 5)): ["?", 1, "1"]}}
    with pytest.raises(ParameterError, match=re.escape("'?' in r2c5 does not belong")):
        penpa.read(_make_link((3, 5), both, "Battleships", top=3))


def test_letters_have_a_range() -> None:
    numbers: Parts = {str(_cell(1, 3, 3)): ["(A-B)", 1, "8"], str(_cell(2, 1, 3)): ["B", 1, "1"]}
    problem, params = _read(_make_link((3, 3), {"number": numbers}, "Easy as ABC", top=2))
    assert problem == "grid" and params["symbols"] == "ABx"
    assert params["constraints"][1] == {"first": {"top": ["B", ".", "."]}}
    for change, message in (
        ({str(_cell(1, 3, 3)): ["A", 1, "8"]}, "does not tell the letters; expected a text such as"),
        ({str(9 * 7 + _cell(1, 3, 3)): ["(A-C)", 1, "8"]}, "does not tell the letters"),
        ({str(_cell(2, 1, 3)): ["2", 1, "1"]}, "expected a letter, got '2'"),
        ({str(_cell(2, 1, 3)): ["C", 1, "1"]}, "the letter 3 is not one of the first 2"),
    ):
        with pytest.raises(ParameterError, match=message):
            penpa.read(_make_link((3, 3), {"number": numbers | change}, "Easy as ABC", top=2))


def test_a_kenken_has_cages_or_borders() -> None:
    """A column beside a column, and then the same cages as lists; the total 3 has no sign."""
    ends = [6 * 6 + _cell(row, 1, 2) for row in range(3)]
    totals = {str(4 * 36 + 4 * _cell(1, column, 2)): [text, 1] for column, text in ((1, "2÷"), (2, "3"))}
    border: Parts = {"lineE": {f"{one},{other}": 2 for one, other in pairwise(ends)}, "numberS": totals}
    cages: Parts = {"killercages": [[_cell(row, column, 2) for row in (1, 2)] for column in (1, 2)], "numberS": totals}
    for parts in (border, cages):
        problem, params = _read(_make_link((2, 2), parts, "", ["tomtom"]))
        assert problem == "grid" and params["constraints"][1]["cages"]["totals"] == {"A": "2÷", "B": "3?"}
        assert Grid(**params).count() == 2
    for more, message in (
        ({"killercages": [[_cell(1, 1, 2), _cell(1, 2, 2)], [_cell(1, 2, 2)]]}, "that do not overlap"),
        ({"killercages": [[_cell(1, 1, 2), _cell(3, 1, 2)]]}, "expected cages on the board"),
        ({"number": {str(_cell(1, 1, 2)): ["#", 1, "1"]}}, "expected a number, got '#'"),
    ):
        with pytest.raises(ParameterError, match=message):
            penpa.read(_make_link((2, 2), cages | more, "KenKen"))
    with pytest.raises(ParameterError, match=r"expected a number with \+, -, x or / in r1c1, got 'x2'"):
        penpa.read(_make_link((2, 2), border | {"numberS": {str(4 * 36 + 4 * _cell(1, 1, 2)): ["x2", 1]}}, "KenKen"))


@pytest.mark.parametrize(("change", "message"), [
    (lambda text: text.replace("square,", "hex,", 1), "a board of the kind 'hex' cannot be stated"),
    (lambda text: text.replace(",38,0,1,1", ",38,90,1,1", 1), "a board that is turned or mirrored"),
    (lambda text: text.replace("square,2,", "square,x,", 1), "the size of the board in the drawing cannot be read"),
    (lambda text: text.replace("[14, 1,", "[14, 2,", 1), "a board with holes, or cells beside it"),
    (lambda text: text[:120], "the size of the board in the drawing cannot be read"),
    (lambda text: text + " " * (1 << 23), "cannot be decompressed: it is too long, or ends early"),
])  # fmt: skip
def test_other_boards_are_refused(change: Any, message: str) -> None:
    text = _make_text((2, 2), NUMBERS, "Slitherlink")
    assert change(text) != text
    with pytest.raises(ParameterError, match=re.escape(message)):
        penpa.read(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={_pack(change(text))}")


def test_a_link_may_refer_to_puzz_link() -> None:
    link = "https://swaroopg92.github.io/penpa-edit/?p=https://puzz.link/p?slither/2/2/dg"
    assert _read(link) == ("slitherlink", {"clues": [["3", "."], [".", "."]]})
    assert penpa.read("https://example.org/?p=abc") is None


@pytest.mark.parametrize("encoder", [
    Sudoku(("12..", "....", "....", "..1."), box="2x2"),
    Sudoku(("12..", "....", "....", "..1."), regions=("aaab", "cabb", "ccdb", "cddd")),
    Grid("4x4", constraints=({"once": "rows columns 2x2"}, {"cages": {"areas": "AAB./A.BB/..../....", "totals": {"A": 7}}},
                             {"thermometers": ["r3c1 r3c2 r4c3"]}, {"even": "r4c4"}, {"odd": "r4c1"})),
])  # fmt: skip
def test_drawings_of_sudokus_are_read_again(encoder: Sudoku | Grid) -> None:
    link = penpa.write(encoder).text
    problem, params = _read(link)
    again = (Sudoku if problem == "sudoku" else Grid)(**params)
    assert type(again) is type(encoder) and penpa.write(again).text == link
    assert [again.unparse(one) for one in again.solve()] == [encoder.unparse(one) for one in encoder.solve()]


@pytest.mark.parametrize("encoder", [
    Grid("4x4", constraints=({"once": "rows columns"}, {"visible": {"top": "1 . . 3"}})),
    Grid("4x4", "ABCx", "x", constraints=({"once": "rows columns"}, {"first": {"left": "A . . C"}})),
    Grid("4x4", ("1", "2", "■"), constraints=(
        {"count": {"where": "rows columns", "of": "■", "times": 2}},
        {"count": {"where": "rows columns", "of": "1", "times": 1}},
        {"count": {"where": "rows columns", "of": "2", "times": 1}},
        {"between": {"of": "■", "top": "3 . . .", "left": ". 0 . ."}})),
], ids=["skyscrapers", "easy as abc", "doppelblock"])  # fmt: skip
def test_boards_with_clues_alone_are_drawn(encoder: Grid) -> None:
    _, params = _read(penpa.write(encoder).text)
    assert Grid(**params).count() == encoder.count() > 0


def test_rules_in_words_are_the_instructions_of_a_grid() -> None:
    rules = 'Fill it, with 1 & 2 = both.\n\nz null "line" 100%'
    grid = Grid("2x2", constraints=({"once": "rows columns"}, {"visible": {"top": "1 ."}}), instructions=rules)
    assert penpa.write(grid).left_out == ()
    assert _read(penpa.write(grid).text)[1]["instructions"] == rules
    strange = Grid("2x2", constraints=grid.constraints, instructions="%2C")
    assert penpa.write(strange).left_out == ("instructions",)


def test_texts_that_state_no_rules_are_named() -> None:
    text = _make_text((2, 2), NUMBERS, "Slitherlink")
    text = text.replace("Author: ,,,", "Author: Ann,https://example.org,Draw a loop.,")
    linked = penpa.read(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={_pack(text)}")
    assert linked is not None
    assert linked.left_out == ("author", "source", "rules in words")


@pytest.mark.parametrize(("encoder", "message"), [
    (Sudoku(("12..", "....", "....", "...."), box="2x2", diagonals=True), "such links have plain Sudokus only"),
    (Grid("3x3", constraints=({"path": "king"},), symbols="1-9"), "no kind of puzzles in such links has just"),
    (Grid("4x4", constraints=({"once": "rows columns"},)), "the drawing of this puzzle would mean another one"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(encoder: Sudoku | Grid, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        penpa.write(encoder)


@settings(max_examples=300)
@given(st.randoms(use_true_random=False))
def test_hostile_drawings_are_refused(chance: random.Random) -> None:
    parts = NUMBERS | {"killercages": [[26, 27]], "symbol": {"26": [3, "square_L", 1]}, "numberS": {"200": ["3", 1]}}
    text = _make_text((2, 2), parts, chance.choice(["Sudoku", "Slitherlink", "Star Battle", "Kropki"]))
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(text))
        piece = "".join(chance.choice('0129[]{},":-\n~zé') for _ in range(chance.randint(0, 2)))
        text = text[:place] + piece + text[place + chance.randint(0, 3) :]
    letters = _pack(text)
    if chance.random() < 0.2:
        letters = letters[: chance.randrange(len(letters))]
    try:
        penpa.read(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={letters}")
    except (ParameterError, ConfigError) as error:
        assert str(error)
