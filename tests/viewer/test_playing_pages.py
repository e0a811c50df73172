"""Puzzles of several kinds that are played on a page, each in its own way."""

import re
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from exactcover import Encoder
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from playing import Play, PlayedPage, open_player, solve_by_hints
from problems import (
    Districts,
    EdgeMatching,
    Grid,
    Langford,
    Polycube,
    Polyhex,
    Polyomino,
    Queens,
    Roster,
    Slitherlink,
    Staffing,
    Sudoku,
)
from problems.squares import Entry

KILLER = Sudoku(box="2x2", cages="AABB CCBD EFFD EGGD", sums={"A": 3, "B": 8, "C": 7, "D": 7, "E": 5, "F": 3, "G": 7})

PAIR = ".....9....71....484..8......9.5.......23.76..5....4......98.2.116.....7..83.....4"

KILLER_9 = " ".join(["AA" + "." * 7, *["." * 9] * 8])


def test_a_killer_sudoku_is_written_and_its_sums_are_checked(play: Play) -> None:
    (solution,) = KILLER.problem().solve(limit=2)
    digits = {(entry.row, entry.column): entry.symbol for entry in solution if hasattr(entry, "row")}
    page = play(KILLER)
    assert page.status.startswith("16 cells left")
    rules = page.text("#play-rules")
    assert "add up to its number. Click a cell, then choose a digit." in rules and rules.startswith("Fill a square")
    page.keys("1", Keys.ARROW_RIGHT, "3")  # the sum is 3
    page.wait(lambda: page.status == "Nothing fits the 3-cage at row 1, column 1. Since when?")
    (wrong,) = page.find(".hits [aria-label*='in conflict']")
    assert "column 2: 3" in wrong.get_attribute("aria-label")
    page.button("Start again").click()
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ARROW_LEFT)
    for row in range(1, 5):
        for column in range(1, 5) if row % 2 else range(4, 0, -1):
            page.keys(digits[row, column])
            page.keys((Keys.ARROW_RIGHT if row % 2 else Keys.ARROW_LEFT) if column != (4 if row % 2 else 1)
                      else Keys.ARROW_DOWN)  # fmt: skip
    page.wait(lambda: page.status == "Solved.")
    page.assert_accessible()


def test_edges_of_tiles_that_do_not_agree_are_marked(play: Play) -> None:
    page = play(EdgeMatching(board="2x3", tiles="macmahon 2", border=""))
    page.run("arguments[0].focus()", page.piece("aaaa"))
    page.keys(Keys.ENTER, Keys.ENTER)  # on the first place
    page.run("arguments[0].focus()", page.piece("bbbb"))
    page.keys(Keys.ENTER, Keys.ARROW_LEFT, Keys.ENTER)  # from the third place to the second
    page.wait(lambda: "piece bbbb in row 1, column 2 conflict" in page.status)
    assert page.run("return document.querySelector('.clash-edge').getAttribute('d')") == "M40 0L40 40"
    assert not page.run("return document.querySelector('.clash').getAttribute('d')")
    placed = page.status
    page.press_with_control("z")
    page.press_with_control("y")
    page.wait(lambda: page.status == placed)
    page.press_with_control("z")
    page.button("Undo").click()
    solve_by_hints(page)
    page.assert_accessible()


def test_tiles_are_turned_with_their_colors_and_never_flipped(play: Play) -> None:
    page = play(EdgeMatching(board="2x3", tiles="macmahon 2", border=""))
    drawn = "return arguments[0].querySelector('svg').innerHTML"
    before = page.run(drawn, page.piece("abbb"))
    page.run("arguments[0].focus()", page.piece("abbb"))
    found = []
    for _ in range(4):
        page.keys("r")
        found.append(page.run(drawn, page.piece("abbb")))
    assert len(set(found)) == 4 and found[3] == before
    assert not page.run("return [...document.querySelectorAll('button')].some((one) => one.textContent === 'flip')")


def test_a_piece_that_was_chosen_with_the_mouse_is_moved_with_keys(play: Play) -> None:
    page = play(Polyomino("2x3", {"I": "###"}, "any"))
    page.piece("I").click()
    page.keys(Keys.ARROW_DOWN)
    assert page.ghost() == (2, 1)
    page.keys(Keys.ENTER)
    page.wait(lambda: page.status.startswith("1 piece left"))


def test_pairs_of_numbers_are_placed(play: Play) -> None:
    page = play(Langford(n=4))
    assert page.piece("3").text.split() == ["3", "3"]
    page.run("arguments[0].focus()", page.piece("4"))
    page.keys(Keys.ENTER, Keys.ENTER)
    page.wait(lambda: page.status.startswith("3 pieces left"))
    page.button("Undo").click()
    solve_by_hints(page)
    page.assert_accessible()


def test_a_solid_is_seen_in_space_while_it_is_played(play: Play) -> None:
    page = play(Polycube("3x2x2", {"L": "##/#"}, "any"))
    canvas = page.find(".stack canvas")[0]
    pixels = "return arguments[0].toDataURL()"
    before = page.run(pixels, canvas)
    page.run("arguments[0].focus()", page.piece("L"))
    page.keys(Keys.ENTER)
    page.wait(lambda: page.run(pixels, canvas) != before)
    assert page.text(".stack p").startswith("Layer 1 of ")
    assert page.run("return document.querySelector('.layer').getAttribute('d')")
    held = page.run(pixels, canvas)
    page.keys(Keys.ENTER)
    page.wait(lambda: page.run(pixels, canvas) != held)
    canvas.send_keys(Keys.ARROW_LEFT)
    solve_by_hints(page)
    page.wait(lambda: page.text(".stack p").startswith("Drag to rotate"))  # no layer stands out from the solid
    page.assert_accessible()


def test_a_hint_that_comes_late_is_not_shown(play: Play) -> None:
    page = play(Langford(n=4))
    page.run(
        """
        const hint = [...document.querySelectorAll("button")].find((one) => one.textContent === "Hint");
        hint.click();
        const piece = document.querySelector(".tray [data-piece='4']");
        piece.focus();
        piece.click();
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        """
    )
    page.wait(lambda: page.status.startswith("3 pieces left. Still"))
    assert page.text("#hint") == ""


@pytest.mark.parametrize(("encoder", "wanted"), [
    (Sudoku(box="2x2", grid="12.. 34.. 21.. 4..."),
     ["Hidden single: only one place is left for 3 in box 3.", "3 goes into row 4, column 2"]),
    (Queens(n=4), ["Look at row 2.", "A queen goes into row "]),
    (Polyomino("2x3", {"I": "###", "V": "##/#"}, "any"),
     ["The piece I goes into row 2, columns 1 to 3: the board shows its outline."]),
    (Sudoku(grid=PAIR),
     ["Pointing: 1 in box 5 can only be in the yellow cells with a small 1, which 1 in row 1, column 5 would all rule out.",
      "Claiming: 2 in row 2 can only be in the yellow cells with a small 2, which 2 in row 1, column 4 would all rule out.",
      "Naked pair: row 2, column 4 and row 6, column 4 can only hold 2 and 6, so these are nowhere else in column 4."]),
    (Polyhex((". . .", " . . ."), {"A": "# #"}, "any"), ["Look at row 1, column 1."]),
    (Polycube("2x2x2", {"I": "##"}, "any"), ["Look at layer 1, row 1, column 1."]),
    (KILLER, ["Hidden single: only one place is left for 2 in box 2", "2 goes into row 2, column 4"]),
    (Sudoku(box="2x2", cages="DDFF GACB GACB .EE.", sums={"A": 5, "B": 5, "C": 5, "D": 4, "E": 3, "F": 6, "G": 5}),
     ["Suppose 1 in row 2, column 1: then no place is left for 1 in the 4-cage at row 1, column 1, "
      "whose sum needs it (1+3)."]),
    (Langford(n=4), ["Look at the piece 4.", "The other choice for place 2 leaves no place for the piece 1."]),
], ids=lambda one: type(one).__name__)  # fmt: skip
def test_hints_name_pieces_and_places_in_words_of_the_board(play: Play, encoder: Encoder, wanted: list[str]) -> None:
    texts = solve_by_hints(play(encoder))
    assert not [text for text in texts if re.search(r"\dc\d|=|'|undefined|NaN", text)]
    for words in wanted:
        assert any(words in text for text in texts), texts


def test_a_board_with_holes_has_all_numbers_and_says_how_many_pieces_fit(play: Play) -> None:
    rows = ["___..___", "__....__", "_......_", "........", "__....__", "__....__", "__....__", "__...___"]
    page = play(Polyomino("\n".join(rows), "pentominoes", (0, 1)))
    numbers = page.run("return [...document.querySelectorAll('.numbers text')].map((one) => one.textContent)")
    assert sorted(numbers) == sorted([*"12345678"] * 2)
    assert page.status.startswith("7 pieces left")
    assert page.find("#large svg") == []  # no solution before a click
    page.find("#tab-solutions")[0].click()
    assert page.find("#large svg") != []


def test_a_plan_is_played_in_the_cells_of_duties(play: Play) -> None:
    encoder = Staffing(people=("who", "Ann", "Bob"), shifts=("shift,needs", "early,1", "late,0-1", "night,1-2"), days=2)
    page = play(encoder)
    assert page.status.startswith("2 early and at least 2 night left")  # of four cells
    assert "E = early, L = late, N = night" in page.text(".view-side") and page.find("#play-cost:not([hidden])") == []
    first = page.find(".hits [tabindex='0']")[0]
    assert first.get_attribute("data-key") == "1 1" and len(page.find(".hits path")) == 4  # no names and days
    assert page.button("Symbol") and "digit" not in page.text(".play")
    first.send_keys("e")
    page.wait(lambda: page.status.startswith("1 early and"))
    assert "Ann: day 2 early can be chosen: it is marked on the board." in solve_by_hints(page)
    page.button("Start again").click()
    page.find(".hits [tabindex='0']")[0].send_keys("e", Keys.ARROW_DOWN, "e")
    page.wait(lambda: page.status == "Ann: day 1 early and Bob: day 1 early conflict. Take it back")


def test_the_last_step_of_a_hint_marks_one_option_of_a_list(play: Play) -> None:
    page = play(Roster())
    assert re.match(r"\d+ possible choices\. ", page.status)
    marked, shape = [], "const box = document.querySelector('.hint-shape, .mark').getBBox();"
    for _ in page.ask_for_hint():
        marked.append([one.text for one in page.find(".choices .hinted")])
        box = page.run(f"{shape} return [box.x, box.y, box.width, box.height]")
    assert len(marked[0]) > 1 and len(marked[2]) == 1
    name, costs = marked[2][0].split(" (")
    assert costs in ("2: day)", "3: night)", "4: day, night)")
    places = {"Ann: early": [1, 1, 1, 1], "Ann: late": [2, 1, 1, 1], "Bob: double": [1, 2, 2, 1]}
    assert [part / 40 for part in box] == places[name]
    assert page.find(".choices button")[0].text == f"Take back {name}"


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_areas_are_chosen_by_drawing_over_them(play: Play, kind: str) -> None:
    page = play(Districts("A..B/.#../....", 2, sizes="4-7"))
    assert "Draw over cells to choose" in page.text(".how")

    def draw(*cells: tuple[int, int]) -> None:
        page.draw_over([f"{row} {column}" for row, column in cells], kind=kind)

    def taken() -> list[str]:
        texts = [str(one.get_attribute("textContent")) for one in page.find(".choices button")]
        return [text for text in texts if text.startswith("Take back ")]

    draw((0, 0), (0, 1))
    assert page.text("#message") == "No choice covers just these 2 cells." and not taken()
    draw((0, 0), (0, 1), (0, 0), (2, 0))  # as of a quick pointer, which is not seen on the cell between
    assert page.text("#message") == ""
    assert taken() == ["Take back row 1, columns 1 and 2; row 2, column 1; row 3, column 1"]
    draw((0, 1), (0, 0), (1, 0), (2, 0), (2, 1))  # in place of what it overlaps
    assert taken() == ["Take back row 1, columns 1 and 2; row 2, column 1; row 3, columns 1 and 2"]
    draw((0, 2), (0, 3), (1, 3), (1, 2), (2, 2), (2, 3))
    assert page.status == "Solved."
    draw((2, 1))
    assert len(taken()) == 1 and page.status != "Solved."


def test_rectangles_are_chosen_from_corner_to_corner(play: Play) -> None:
    board = ({"rectangles": "4 . .\n. . 2\n"},)
    page = play(Grid("2x3", symbols="none", constraints=board))
    assert "from corner to corner" in page.text(".how")
    for first, last in [("0 0", "1 1"), ("1 2", "0 2")]:
        page.draw_over([first, last])
    assert page.status == "Solved."


HEIGHTS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.getBoundingClientRect().height)"


@pytest.mark.parametrize("first", [True, False])
def test_numbers_can_be_read_on_a_phone_also_after_its_window_changed(play: Play, first: bool, phone: Any) -> None:
    if first:
        phone()
    page = play(Polyomino("2x30", {"I": "###"}, "any"))
    phone()
    page.wait(lambda: len(heights := page.run(HEIGHTS, ".numbers text")) == 32 and min(heights) >= 10)


def test_the_board_stays_beside_the_controls_on_a_phone_in_landscape(play: Play, phone: Any) -> None:
    phone(844, 390)
    page = play(Sudoku(grid="." * 81))
    assert page.run("return document.documentElement.scrollWidth") <= 844
    box = "return document.querySelector(arguments[0]).getBoundingClientRect()"
    board, pad = page.run(box, ".board svg"), page.run(box, ".pad")
    assert board["right"] <= pad["left"] and board["width"] > 300 and pad["bottom"] <= 390
    page.run("scrollTo(0, 1000)")
    board = page.run(box, ".board svg")
    assert board["top"] > -1 and board["bottom"] <= 390
    targets = "button, summary, .rules label"
    sizes = f"return [...document.querySelectorAll('{targets}')].filter((one) => one.checkVisibility()).map((one) => "
    boxes = page.run(f"{sizes}one.getBoundingClientRect())")
    assert len(boxes) > 20 and all(min(one["width"], one["height"]) >= 30 for one in boxes)


def test_layers_and_pieces_of_a_solid_have_room_on_a_phone_also_after_its_window_changed(
    play: Play, phone: Any
) -> None:
    page = play(Polycube(board="3x3x3", pieces="soma"))
    page.button("Hint").click()
    widths = "return [...document.querySelectorAll('.tray svg')].map((one) => one.getBoundingClientRect())"
    phone()
    page.wait(lambda: page.run("return document.querySelector('.board svg').viewBox.baseVal.height") > 250)
    boxes = page.run(widths)
    assert len(boxes) == 7 and all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    for k, one in enumerate(boxes):
        assert not any(one["left"] < other["right"] and other["left"] < one["right"] and one["top"] < other["bottom"]
                       and other["top"] < one["bottom"] for other in boxes[:k])  # fmt: skip
    assert page.run("return document.documentElement.scrollWidth") <= 390
    assert page.status.startswith("7 pieces left")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)], ids=str)
def test_what_a_solid_is_played_with_is_seen_without_scrolling(play: Play, size: tuple[int, int], phone: Any) -> None:
    pieces = dict.fromkeys("ABCDEFGHIJKLMNOP", "##/##")
    page = play(Polycube(board="4x4x4", pieces=pieces), is_alone=True)
    phone(*size)
    box = "return document.querySelector(arguments[0])?.getBoundingClientRect()"
    page.wait(lambda: page.run(box, ".board svg")["right"] <= size[0])
    seen = [".board svg", "#play-rules", ".tray li:nth-child(4)"]
    for name in [*seen, ".tray", ".stack canvas"] if size[0] > 900 else seen:
        assert page.run(box, name)["top"] >= 0 and page.run(box, name)["bottom"] <= size[1], name
    assert page.run(HEIGHTS, ".board svg")[0] / 6 > 17  # pixels a cell, with numbers and at most two rows of layers
    assert page.run("return document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize(
    ("encoder", "pieces"), [(KILLER, 0), (Polyomino("2x3", {"I": "###"}, "any"), 1), (Roster(), 3)]
)
def test_a_page_is_printed_with_its_rules_and_pieces_alone(
    play: Play, encoder: Encoder, pieces: int, browser: Any
) -> None:
    page = play(encoder, is_alone=True)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    is_shown = "(one) => one.checkVisibility() && getComputedStyle(one).display !== 'none'"  # of parts of pictures, too
    seen = f"return [...document.querySelectorAll(arguments[0])].filter({is_shown}).length"
    try:
        assert all(page.run(seen, name) for name in ("h1", "#play-rules", ".board svg"))
        assert page.run(seen, ".tray .piece, .choices button") == pieces
        assert not page.run(seen, "button:not(.tray button, .choices button), input, .how, #play-status, .hits, .brand")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_large_board_scrolls_on_a_phone_and_messages_leave_the_keys_where_they_are(play: Play, phone: Any) -> None:
    phone()
    page = play(Queens(20))
    fade = "return parseFloat(getComputedStyle(document.querySelector('.board')).getPropertyValue('--fade'))"
    page.wait(lambda: page.run(fade) > 40)  # there is more at the right
    page.run("document.querySelector('.board').scrollLeft = 1000")
    page.wait(lambda: page.run(fade) < 1)
    assert page.run(HEIGHTS, ".hits path")[0] >= 27
    assert page.run("return document.documentElement.scrollWidth") <= 390
    page = play(Sudoku(box="2x2", grid="1... ..2. .3.. ...4"))
    top = "return document.querySelector('.pad').getBoundingClientRect().top + scrollY"
    before = page.run(top)
    page.button("Hint").click()
    page.wait(lambda: "Hint 1 of 3: " in page.text("#hint"))
    assert page.run(top) == before
    page.find(".hits [data-key='0 1']")[0].send_keys("1")
    page.wait(lambda: "conflict" in page.status)
    assert page.run(top) == before


SYMBOLS = "123456789ABCDEFG"
LAST_OPEN = ["".join(SYMBOLS[(4 * (row % 4) + row // 4 + column) % 16] for column in range(16)) for row in range(16)]
LAST_OPEN[-1] = LAST_OPEN[-1][:-1] + "."


@pytest.mark.parametrize("size", [(390, 844), (1024, 768)], ids=str)
def test_a_hint_shows_its_cell_and_covers_no_button(play: Play, size: tuple[int, int], phone: Any) -> None:
    phone(*size)
    page = play(Sudoku(box="4x4", grid=tuple(LAST_OPEN)), is_alone=True)
    page.run("document.querySelector('.board').scrollTo(0, 0); scrollTo(0, 0)")
    page.button("Hint").click()
    page.wait(lambda: "Hint 1 of 3: " in page.text("#hint"))
    seen = """
        const [mark, board, hint] = [".hint-marks > *", ".board", "#hint"].map((name) =>
            document.querySelector(name).getBoundingClientRect());
        const isCovered = (box) => box.left < hint.right && hint.left < box.right && box.top < hint.bottom
            && hint.top < box.bottom;
        return {
            shown: mark.left >= Math.max(0, board.left) && mark.right <= Math.min(innerWidth, board.right)
                && mark.top >= Math.max(0, board.top) && mark.bottom <= Math.min(innerHeight, board.bottom),
            covered: [...document.querySelectorAll("button")].filter((one) => one.checkVisibility()
                && !one.closest("#hint") && isCovered(one.getBoundingClientRect())).map((one) => one.textContent),
        };
    """
    assert page.run(seen) == {"shown": True, "covered": []}
    page.run("scrollTo(0, 0)")
    assert page.run(seen)["covered"] == []


ROWS = "Ann,both,5,x,x", "Ann,morning,3,x,", "Bob,late start,1,,x", "Cid,morning,3,x,"
COSTLY = Roster(("who,shift,cost,Mo early,Mo late", *ROWS))


@pytest.mark.parametrize("is_linked", [True, False])
def test_hints_lead_to_the_cheapest_plan_whose_text_can_be_read(
    play: Play, is_linked: bool, phone: Any, browser: Any, tmp_path: Path
) -> None:
    phone()
    problem = COSTLY.problem()
    least = problem.cost(next(problem.cheapest()))
    costs = {problem.cost(solution) for solution in problem.solve()}
    assert least == min(costs) < max(costs)
    page = open_player(browser, tmp_path, COSTLY)[0] if is_linked else play(COSTLY)
    page.wait(lambda: "Still solvable" in page.status)
    assert page.text("#play-cost") == f"Cost so far: 0. The least known for a solution: {least}."
    solve_by_hints(page)
    assert page.text("#play-cost") == f"Cost so far: {least}. The least known for a solution: {least}."
    sizes = "return [...document.querySelectorAll('.board text')].map((one) => one.getAttribute('font-size') * one.getScreenCTM().a)"
    assert min(page.run(sizes)) >= 10.9
    assert page.run("return document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("kind", "marks"), [("Mark by rules", ""), ("Corner", "3456"), ("Center", "34567")])
def test_marks_stand_inside_the_line_of_a_cage_and_below_its_sum(play: Play, kind: str, marks: str) -> None:
    page = play(Sudoku(cages=KILLER_9, sums={"A": 12}), is_alone=True)
    page.button(kind).click()
    if marks:
        page.find(".hits [data-key='0 0']")[0].send_keys(*marks)
    page.wait(lambda: page.text(".pencil").endswith(marks or "9"))
    boxes = """return [...document.querySelectorAll(arguments[0])].map((one) => {
        const [x, y, size] = ["x", "y", "font-size"].map((name) => Number(one.getAttribute(name)));
        const [wide, high] = [0.28 * size * one.textContent.length, 0.36 * size]; // of digits
        return [x - wide, y - high, x + wide, y + high];
    })"""
    (total,) = page.run(boxes, ".board > svg > g:not(.pencil, .numbers) text")
    for left, top, right, bottom in page.run(boxes, ".pencil text"):
        assert left > total[2] or top > total[3] or right < total[0] or bottom < total[1]
        inside = 40 * 0.07 + 0.75  # with half of the width of the line
        assert left % 40 > inside and right % 40 < 40 - inside and bottom % 40 < 40 - inside


def test_marks_are_what_cages_and_thermometers_leave(play: Play) -> None:
    cages = " ".join(["AA.......", "." * 9, "...BBB...", *["." * 9] * 6])
    puzzle = Sudoku(cages=cages, sums={"A": 6, "B": 8}, thermometers=("r9c1 r9c2 r9c3",), grid=f"{'.' * 72}....4....")
    page = play(puzzle, is_alone=True)
    marks = """
        const label = document.querySelector(`.hits [data-key="${arguments[0]}"]`).getAttribute("aria-label");
        return label.split(": ")[1].replace("pencil marks ", "").replaceAll(" ", "");
    """
    page.button("Mark by rules").click()
    assert [page.run(marks, cell) for cell in ("0 0", "2 3", "1 0")] == ["1245", "12345", "123456789"]
    assert [page.run(marks, f"8 {column}") for column in range(3)] == ["123567", "235678", "356789"]
    page.button("Start again").click()
    page.find(".hits [data-key='0 8']")[0].click()
    page.keys("4", Keys.ARROW_DOWN, Keys.ARROW_DOWN, "3")
    page.button("Mark by rules").click()
    assert [page.run(marks, cell) for cell in ("0 0", "2 3")] == ["15", "125"]  # 4 is ruled out, and so is 2 beside it


def test_marks_are_written_into_several_cells(play: Play) -> None:
    page = play(Sudoku(box="2x3", grid="......" * 6))
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.SHIFT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    page.keys("5")  # in several cells, a mark in the middle
    assert page.run("return document.querySelectorAll('.pencil text').length") == 3
    page.button("Corner").click()
    page.run("document.querySelector('.hits [tabindex=\"0\"]').focus()")
    page.keys("1", "2")
    assert page.text(".pencil") == "555121212"
    assert "pencil marks 1 2 5" in page.find(".hits [tabindex='0']")[0].get_attribute("aria-label")
    page.keys(Keys.DELETE)
    assert page.text(".pencil") == ""
    page.assert_accessible()


def test_what_hints_rule_out_is_struck_out_in_its_cell(play: Play) -> None:
    page = play(Sudoku(box="2x3", grid="....1.1.2....3.5..5.4.....32.......4"))
    while not page.find(".board .pencil .out text"):
        assert [*page.ask_for_hint()] == [1, 2, 3]
    struck = page.run("return [...document.querySelectorAll('.board .pencil .out text')].map((one) => one.textContent)")
    labels = [str(one.get_attribute("aria-label")) for one in page.find(".hits path")]
    without = [one.partition("empty, without ")[2].split() for one in labels]
    assert sorted(struck) == sorted(symbol for own in without for symbol in own)
    page.button("Corner").click()
    page.find(".hits [aria-label*='empty, without']")[0].click()
    page.keys(next(digit for digit in "123456" if digit not in struck))  # marks of the player come first
    assert not page.find(".board .pencil .out text")


def follow(page: PlayedPage, wanted: str) -> str:
    """Follow hints up to the second step of one that says something; return what this step says."""
    for _ in range(99):
        for step in page.ask_for_hint():
            if step == 2 and wanted in page.text("#hint"):
                return page.text("#hint")
    raise AssertionError(f"no hint says {wanted!r}")


WRITTEN = "return [...document.querySelectorAll('.hint-marks {} text')].map((one) => one.textContent)"


def count_squares(page: PlayedPage, name: str) -> int:
    return str(page.run(f"return document.querySelector('.hint-marks .{name}')?.getAttribute('d') ?? ''")).count("M")


def test_a_hint_marks_what_it_rests_on(play: Play) -> None:
    page = play(Sudoku(grid=PAIR))
    assert not page.find(".hits [aria-pressed='true']")  # no cell is chosen yet
    page.button("5").click()
    page.wait(lambda: "First choose a cell." in page.text("body"))
    text = follow(page, "only one place is left for")
    assert "what has a blue frame leaves no other" in text
    assert count_squares(page, "hint-cell") == 9 and 1 <= count_squares(page, "hint-cause") <= 8
    assert page.run(WRITTEN.format("")) == []  # not yet
    page.button("More").click()
    page.wait(lambda: len(page.find(".hint-marks > text")) == 1)  # what goes into the cell
    page.find("#hint button")[0].click()
    follow(page, "Naked pair: row 2, column 4 and row 6, column 4")
    assert count_squares(page, "hint-cell") == 2 and page.run(WRITTEN.format(".hint-text")) == ["2", "6", "2", "6"]
    page.button("More").click()
    page.wait(lambda: "can be ruled out" in page.text("#hint"))
    assert page.run(WRITTEN.format(".hint-text")) == ["2", "6", "2", "6"]  # what was said stays in sight
    struck = page.run(WRITTEN.format(".out"))
    assert struck and set(struck) <= {"2", "6"}


def test_a_choice_that_conflicts_is_taken_back_and_no_given_is_blamed(play: Play) -> None:
    page = play(Sudoku(box="2x2", grid="12.. 34.. 21.. 4..."))
    page.find(".hits [data-key='0 2']")[0].click()
    page.keys("2")
    page.wait(lambda: "conflict. Take it back" in page.status)
    (wrong,) = page.find(".hits [aria-label*='in conflict']")
    assert wrong.get_attribute("data-key") == "0 2"
    page.button("Hint").click()
    page.wait(lambda: page.text("#hint").endswith("Take back 2 in row 1, column 3"))
    page.find("#hint button")[0].click()
    page.wait(lambda: page.status.startswith("9 cells left. Still solvable"))


def test_a_hint_says_why_a_choice_is_wrong(play: Play) -> None:
    page = play(Sudoku(grid=PAIR))
    page.find(".hits [data-key='3 5']")[0].click()  # the only place for 8 in its box
    page.keys("6")
    page.wait(lambda: page.status == "No longer solvable. Since when?")
    page.button("Since when?").click()
    why = "since 6 was written in row 4, column 6: then no place for 8 in box 5 is left."
    page.wait(lambda: page.text("#hint") == f"No longer solvable {why} Take it back")
    page.button("Hint").click()  # which goes on nowhere
    page.wait(lambda: page.text("#hint") == f"No longer solvable {why} Take it back")
    page.button("Take it back").click()
    page.wait(lambda: "Still solvable" in page.status)


@pytest.mark.parametrize("name", ["battleships", "tents", "star_battle", "kakuro", "fillomino", "pips"])
def test_hints_stay_true_where_items_need_several(play: Play, name: str) -> None:
    page = play(read_file(find_configs()[f"{name}.yaml"]).encoder, is_alone=True)
    texts = solve_by_hints(page, most=90)
    assert not [text for text in texts if re.search(r"undefined|NaN|sum of sum|\dc\d", text)]
    if name == "star_battle":  # two stars in each region
        assert not [text for text in texts if "in region" in text and "all rule out" in text]
    page.wait(lambda: "No longer" not in page.status)


@pytest.mark.parametrize("name", ["norinori", "nurikabe"])
def test_a_puzzle_is_solved_once_all_its_cells_are_shaded(play: Play, name: str) -> None:
    encoder = read_file(find_configs()[f"{name}.yaml"]).encoder
    page = play(encoder)
    (solution,) = encoder.solve()
    shaded = [label for label in solution if isinstance(label, Entry) and label.symbol == "■"]
    for label in shaded:
        assert "Solved" not in page.status
        page.find(f".hits [data-key='{label.row - 1} {label.column - 1}']")[0].click()
        page.button("■").click()
    page.wait(lambda: page.status == "Solved.")


def test_a_key_does_nothing_after_a_click_on_a_cell_that_stays_empty(play: Play) -> None:
    page = play(Grid("2x2", symbols="■x", empty="x", regions="AB/AB", constraints=(
        {"count": {"where": "regions", "times": "1 0"}},)))  # fmt: skip
    page.find(".hits [data-key='0 0']")[0].click()
    box = page.find(".hits [data-key='0 0']")[0].rect
    page.pointer("mousePressed", [box["x"] + 1.5 * box["width"], box["y"] + box["height"] / 2])
    page.pointer("mouseReleased", [box["x"] + 1.5 * box["width"], box["y"] + box["height"] / 2])
    page.keys("x")
    page.button("×").click()
    assert "Ruled out" not in page.text("main")
    page.find(".hits [data-key='0 0']")[0].click()
    page.button("×").click()
    page.wait(lambda: "Ruled out: ■ in row 1, column 1." in page.text("main"))


def test_hints_name_the_sums_of_cages(play: Play) -> None:
    encoder = read_file(find_configs()["killer_sudoku.yaml"]).encoder
    page = play(encoder, is_alone=True)
    text = follow(page, "would need")
    found = re.search(r"then the sum of the (\d+)-cage at row \d, column \d would need (\d), but it is ", text)
    total, digit = found.groups()  # type: ignore[union-attr]
    sums = re.findall(r"\d(?:\+\d)+", text)
    assert sums and all(sum(map(int, one.split("+"))) == int(total) and digit not in one for one in sums)
    page.button("More").click()
    page.find("#hint button")[0].click()
    text = follow(page, "the only sum left without it")
    symbol, total = re.search(r"No place for (\d) is left in the (\d+)-cage", text).groups()  # type: ignore[union-attr]
    (only,) = re.findall(r"\d(?:\+\d)+", text)
    assert sum(map(int, only.split("+"))) == int(total) and symbol not in only


def test_cells_are_crossed_out_where_there_is_one_symbol(play: Play) -> None:
    regions = {"where": "regions", "times": "1 1 . ."}  # what is counted first does not hold all stars
    once = {"where": "rows columns", "times": 1}
    stars = Grid("4x4", symbols="★x", empty="x", regions="AABB/AABB/CCDD/CCDD", constraints=(
        {"count": regions}, {"count": once}, {"differ": "king"}))  # fmt: skip
    page = play(stars)
    assert page.status.startswith("4 ★ left")
    page.find(".hits [data-key='0 0']")[0].click()
    page.button("×").click()
    page.wait(lambda: "Ruled out: ★ in row 1, column 1." in page.text("body"))
    page.find(".hits [data-key='0 1']")[0].click()
    page.keys("x")
    page.find(".hits [data-key='0 2']")[0].click()
    page.keys("x")  # now nothing is left for row 1 but a corner, which fits nowhere
    page.wait(lambda: page.status.startswith("No longer solvable"))
    page.button("Hint").click()
    page.wait(lambda: "No longer solvable since ★ in row 1, column" in page.text("#hint"))
    assert "was ruled out" in page.text("#hint")
    page.button("Take it back").click()
    page.wait(lambda: "Still solvable" in page.status)
    (corner,) = page.find(".hits [data-key='0 0']")
    assert corner.get_attribute("aria-label") == "row 1, column 1: crossed out"
    corner.click()
    page.keys(Keys.DELETE)
    page.wait(lambda: "row 1, column 1." not in page.text("body"))


@pytest.mark.parametrize("encoder", [Slitherlink("..2/.3./3.3"), KILLER], ids=["lines", "cells"])
def test_nothing_shows_where_keys_go_before_one_is_pressed(play: Play, encoder: Encoder) -> None:
    page = play(encoder)
    assert not page.find(".hits :focus")
    assert page.run("return getComputedStyle(document.activeElement).outlineStyle") == "none"
    page.keys(Keys.ARROW_DOWN)
    assert len(page.find(".hits :focus-visible")) == 1
