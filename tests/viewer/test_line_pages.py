"""Puzzles whose options draw lines, which are played on a page."""

import re
from collections.abc import Iterable

import pytest
from selenium.webdriver.common.keys import Keys

from exactcover import Encoder
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from playing import Play, PlayedPage, solve_by_hints
from problems import Grid, Loops, Masyu, Numberlink, Slitherlink


def click_lines(page: PlayedPage, *names: str) -> None:
    """Click lines by their names, such as "down from row 1, column 2"; from points and cells alike."""
    for name in names:
        line = page.find(", ".join(f".hits [aria-label^='{one}:']" for one in spell_line(name)))[0]
        page.run("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", line)


def spell_line(name: str) -> list[str]:
    """The names of a line; if it goes from a cell, or from its upper left corner, also as the side of a cell."""
    found = re.fullmatch(r"(.*) from row (\d+), column (\d+)", name)
    if found is None:
        return [name]
    way, r, c = found[1], int(found[2]), int(found[3])
    if way == "down":
        return [name, f"left of row {r}, column {c}", f"right of row {r}, column {c - 1}"]
    return [name, f"above row {r}, column {c}", f"below row {r - 1}, column {c}"]


def around(row: int, column: int) -> list[str]:
    across = [f"to the right from row {row + down}, column {column}" for down in (0, 1)]
    return [*across, *(f"down from row {row}, column {column + right}" for right in (0, 1))]


WRONG_LINES = "return [...document.querySelectorAll('.hint-supposed')].map((e) => e.getAttribute('d')).filter(Boolean)"
DECIDED = "decided, as the board shows, and"
CLASHES = "return document.querySelector('.clash-edge')"


def since(what: str) -> str:
    return f"No longer solvable since the line {what}"


def name_lines(lines: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> list[str]:
    """The names of lines by their ends, which count from 0."""
    ways = [(*one, "to the right" if one[0] == other[0] else "down") for one, other in lines]
    return [f"{way} from row {row + 1}, column {column + 1}" for row, column, way in ways]


SLITHERLINK = Slitherlink("..2/.3./3.3")
DRAWN = name_lines(SLITHERLINK._find_lines(next(SLITHERLINK.problem().solve())))
"""The lines of its solution."""


def test_two_loops_that_cover_everything_do_not_solve_a_puzzle_of_one(play: Play) -> None:
    page = play(Loops(board="1x3"))
    click_lines(page, *around(1, 1))
    page.wait(lambda: page.status == "Solved.")
    click_lines(page, *around(1, 3))
    page.wait(lambda: page.status == "A loop is closed early: other lines are outside it. Since when?")
    marked = page.run(f"{CLASHES}.getAttribute('d')")
    assert marked.count("M") == 4
    page.button("Hint").click()
    why = f"then one other line is {DECIDED} the green lines are wrong: a line is cut off from the others."
    page.wait(lambda: page.text("#hint") == f"{since('above row 1, column 3 was drawn')}: {why} Take it back")
    assert page.run(WRONG_LINES) == ["M80 0L120 0"] and not page.run(f"{CLASHES}.getAttribute('d')")
    for _ in range(4):
        page.button("Undo").click()
    page.wait(lambda: page.status == "Solved.")


def test_a_loop_is_drawn_with_the_mouse_and_with_keys(play: Play) -> None:
    page = play(SLITHERLINK)
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ENTER)
    page.wait(lambda: page.status.startswith("1 line drawn. Still solvable"))
    page.keys("x")
    page.wait(lambda: page.status == "No longer solvable. Since when?")
    page.keys(Keys.DELETE, Keys.ARROW_RIGHT, Keys.ENTER)
    page.wait(lambda: page.find(".hits [aria-label='above row 1, column 2: drawn']"))
    page.wait(lambda: page.status.startswith("1 line drawn. Still solvable"))
    page.button("Start again").click()
    click_lines(page, *DRAWN)
    page.wait(lambda: page.status == "Solved.")  # without a cross
    page.assert_accessible()


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_lines_are_drawn_and_erased_along_the_way_of_a_pointer(play: Play, kind: str) -> None:
    page = play(Numberlink("A../.../..A"))
    place = (
        "const box = document.querySelector('.board svg').getScreenCTM();"
        "const at = new DOMPoint(40 * arguments[0], 40 * arguments[1]).matrixTransform(box); return [at.x, at.y]"
    )

    def draw(*cells: tuple[int, int]) -> None:
        page.draw_along([page.run(place, column - 0.5, row - 0.5) for row, column in cells], kind)

    draw((1, 1), (1, 3), (2, 3))  # also past a cell on which it is not seen
    page.wait(lambda: page.status.startswith("3 lines drawn"))
    draw((2, 3), (1, 3))
    page.wait(lambda: page.status.startswith("2 lines drawn"))
    draw((1, 3), (2, 3), (2, 1), (3, 1), (3, 3))
    page.wait(lambda: page.status == "Solved.")


def test_a_click_where_no_line_can_be_says_so(play: Play) -> None:
    page = play(Numberlink("1.3/.2./...", kind="zip", fill=False))
    page.run("document.querySelector('.board svg.hits').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    page.wait(lambda: page.text("#message") == "No line can be drawn here.")


@pytest.mark.parametrize("encoder", [
    SLITHERLINK,
    Masyu(".W../..../B.../...."),
    Numberlink("A.B/.../A.B", fill=False),
    Numberlink("1..3/..../2..4", kind="zip"),
], ids=str)  # fmt: skip
def test_hints_lead_to_a_solution_that_obeys_its_rule(play: Play, encoder: Encoder) -> None:
    page = play(encoder)
    solve_by_hints(page)
    page.assert_accessible()


WRONG = [
    (
        SLITHERLINK,
        ["down from row 3, column 1", "to the right from row 3, column 1"],
        "above row 3, column 1 was drawn. No short reason was found.",
        "M0 80L40 80",
        "left of row 3, column 1 was crossed out: "
        f"then 3 other lines are {DECIDED} the green lines are wrong: a line leads nowhere.",
    ),
    (
        Masyu(".W../..../B.../...."),
        ["down from row 1, column 1", "down from row 3, column 1"],
        "down from row 3, column 1 was drawn: "
        f"then 3 other lines are {DECIDED} no way through row 4, column 1 is left.",
        "M20 100L20 140",
        "down from row 1, column 1 was crossed out: "
        f"then one other line is {DECIDED} no way through row 1, column 2 is left.",
    ),
]


@pytest.mark.parametrize(("encoder", "drawn", "why", "shape", "crossed"), WRONG, ids=["slitherlink", "masyu"])
def test_a_hint_says_which_line_is_wrong(
    play: Play, encoder: Encoder, drawn: list[str], why: str, shape: str, crossed: str
) -> None:
    page = play(encoder)
    click_lines(page, *drawn, "to the right from row 1, column 2")
    page.button("Hint").click()
    page.wait(lambda: page.text("#hint") == f"{since(why)} Take it back")
    assert page.run(WRONG_LINES) == [shape]
    page.button("Hint").click()  # which goes on nowhere
    page.wait(lambda: page.text("#hint") == f"{since(why)} Take it back")
    page.button("Take it back").click()
    page.wait(lambda: page.status.startswith("2 lines drawn. Still solvable"))
    click_lines(page, drawn[0])
    page.button("Hint").click()
    page.wait(lambda: page.text("#hint") == f"{since(crossed)} Take it back")
    assert len(page.run(WRONG_LINES)) == 1


def test_hints_about_lines_come_simplest_first(play: Play) -> None:
    texts = solve_by_hints(play(SLITHERLINK))
    nothing = (
        r"Suppose the line .* is left out: then a line ends in the lower {} corner of the cell in row 3, column {}."
    )
    forced = f".* then 3 other lines are {DECIDED} the green lines are wrong: a line leads nowhere."
    wanted = [forced, nothing.format("left", 1), forced, nothing.format("right", 3)]
    assert all(map(re.fullmatch, wanted, texts[1:12:3])), texts[1:12:3]


LABELS = "return [...document.querySelectorAll('.hits path')].map((one) => one.getAttribute('aria-label'))"


def test_crosses_draw_no_line(play: Play) -> None:
    page = play(SLITHERLINK)
    drawn = {name for line in DRAWN for name in spell_line(line)}
    for name in [one.partition(":")[0] for one in page.run(LABELS)]:
        click_lines(page, *[name] * (0 if name in drawn else 2))
    page.wait(lambda: page.status.startswith("0 lines drawn. Still solvable"))
    assert page.run("return document.querySelector('.board .line').getAttribute('d')") == ""


def test_a_mark_that_is_refused_is_passed_over(play: Play) -> None:
    page = play(SLITHERLINK)
    names = [one.partition(":")[0] for one in page.run(LABELS)]
    drawn = {name for line in DRAWN for name in spell_line(line)}
    right, wrong = (next(name for name in names if (name in drawn) is is_drawn) for is_drawn in (True, False))
    strict = "return [...document.querySelectorAll('label')].find((one) => one.textContent.includes('Refuse')).click()"
    page.run(strict)
    for name, state in ((wrong, "crossed out"), (wrong, "open"), (right, "drawn"), (right, "open")):
        click_lines(page, name)
        page.wait(lambda: f"{name}: {state}" in page.run(LABELS))  # noqa: B023 - waits in this turn
        said = "No solution has this line: it is crossed out instead."
        assert state != "crossed out" or said in page.text("body")


@pytest.mark.parametrize("encoder", [Numberlink("1..3/..../2..4", kind="zip"), Masyu(".W../..../B.../....")], ids=str)
def test_lines_are_whole_and_lie_below_numbers_and_pearls(play: Play, encoder: Encoder) -> None:
    page = play(encoder)
    solution = next(encoder.problem().solve())
    names = name_lines(encoder._network.locate_lines(solution))  # type: ignore[attr-defined]
    click_lines(page, *names[:4])
    page.wait(lambda: page.status.startswith("4 lines drawn"))
    lines = page.run("return document.querySelector('.board .line').getAttribute('d')")
    assert sorted(map(float, re.findall(r"[hv](\d[\d.]*)", lines))) == [6.4] * 4 + [46.4] * 4  # from middle to middle
    script = """
        const [line] = document.querySelectorAll(".board .line");
        return [...document.querySelectorAll(".board svg > text, .board svg > g:not(.numbers) text, .board circle")].map((one) =>
            Boolean(line.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING));
    """
    assert page.run(script) == [True] * (4 if isinstance(encoder, Numberlink) else 2)
    click_lines(page, *names[4:])
    page.wait(lambda: page.status == "Solved.")


@pytest.mark.parametrize(("encoder", "numbers"), [
    (SLITHERLINK, "123 123"),
    (Masyu(".W../..../B.../...."), "1234 1234"),
    (Grid("2x3", "■x", "x", constraints=({"runs": {"rows": "1, 2"}},)), "123 12"),
], ids=["points", "cells", "filled"])  # fmt: skip
def test_boards_have_numbers_beside_them(play: Play, encoder: Encoder, numbers: str) -> None:
    page = play(encoder)
    found = page.run("return [...document.querySelectorAll('.board .numbers text')].map((one) => one.textContent)")
    rows, columns = numbers.split()
    assert [one for one in found if one in rows] and sorted(found) == sorted(rows + columns)
    assert sorted(dict.fromkeys(found)) == list(dict.fromkeys(found)), "each line from its first cell"


def test_a_hint_while_a_move_is_checked_is_about_the_same_position(play: Play) -> None:
    encoder = read_file(find_configs()["slitherlink_7x7.yaml"]).encoder  # a search for its solution takes some time
    page = play(encoder, is_alone=True)
    click_lines(page, "to the right from row 1, column 7")
    page.button("Hint").click()
    page.wait(lambda: page.text("#hint").startswith(("Hint 1", "No")))
    assert page.text("#hint").startswith("Hint 1 of 3: Look at the line right of row 1, column 7.")
