"""Puzzles of several kinds that are played on a page, each in its own way."""

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from exactcover import Encoder, ViewOptions, view
from playing import PlayedPage
from problems import EdgeMatching, Langford, Polycube, Sudoku

pytestmark = pytest.mark.xdist_group("browser")

KILLER = Sudoku(box="2x2", cages="AABB CCBD EFFD EGGD", sums={"A": 3, "B": 8, "C": 7, "D": 7, "E": 5, "F": 3, "G": 7})


def start(browser: Any, folder: Path, encoder: Encoder) -> PlayedPage:
    options = ViewOptions(nodes=0, start="play")
    page = PlayedPage(browser, folder / "page.html", view(encoder.problem(), encoder, options=options))
    page.wait(lambda: "There is a solution" in page.status)
    return page


def solve_by_hints(page: PlayedPage) -> None:
    while "Solved." not in page.status:
        page.button("hint").click()
        page.wait(lambda: "Hint 1 of 3" in page.text("#hint"))
        page.button("more").click()
        page.button("more").click()
        page.find("#hint button")[0].click()


def test_a_killer_sudoku_is_written_and_its_sums_are_checked(browser: Any, tmp_path: Path) -> None:
    (solution,) = KILLER.problem().solve(limit=2)
    digits = {(entry.row, entry.column): entry.symbol for entry in solution if hasattr(entry, "row")}
    page = start(browser, tmp_path, KILLER)
    assert page.status.startswith("16 places left")
    page.find(".hits [tabindex='0']")[0].send_keys("1", Keys.ARROW_RIGHT, "3")  # the sum is 3
    page.wait(lambda: page.status == "Nothing is left that fits cage A.")
    (wrong,) = page.find(".hits [aria-label*='in conflict']")
    assert "column 2: 3" in wrong.get_attribute("aria-label")
    page.button("start again").click()
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ARROW_LEFT)
    for row in range(1, 5):
        for column in range(1, 5) if row % 2 else range(4, 0, -1):
            page.keys(digits[row, column])
            page.keys((Keys.ARROW_RIGHT if row % 2 else Keys.ARROW_LEFT) if column != (4 if row % 2 else 1)
                      else Keys.ARROW_DOWN)  # fmt: skip
    page.wait(lambda: page.status == "Solved.")
    page.assert_accessible()
    page.check()


def test_edges_of_tiles_that_do_not_agree_are_marked(browser: Any, tmp_path: Path) -> None:
    page = start(browser, tmp_path, EdgeMatching(board="2x3", tiles="macmahon 2", border=""))
    page.run("arguments[0].focus()", page.piece("aaaa"))
    page.keys(Keys.ENTER, Keys.ENTER)  # on the first place
    page.run("arguments[0].focus()", page.piece("bbbb"))
    page.keys(Keys.ENTER, Keys.ARROW_LEFT, Keys.ENTER)  # from the third place to the second
    page.wait(lambda: "2 choices conflict" in page.status)
    assert page.run("return document.querySelector('.clash-edge').getAttribute('d')") == "M40 0L40 40"
    assert not page.run("return document.querySelector('.clash').getAttribute('d')")
    page.button("undo").click()
    page.button("undo").click()
    solve_by_hints(page)
    page.assert_accessible()
    page.check()


def test_tiles_are_turned_with_their_colors_and_never_flipped(browser: Any, tmp_path: Path) -> None:
    page = start(browser, tmp_path, EdgeMatching(board="2x3", tiles="macmahon 2", border=""))
    drawn = "return arguments[0].querySelector('svg').innerHTML"
    before = page.run(drawn, page.piece("abbb"))
    page.run("arguments[0].focus()", page.piece("abbb"))
    found = []
    for _ in range(4):
        page.keys("r")
        found.append(page.run(drawn, page.piece("abbb")))
    assert len(set(found)) == 4 and found[3] == before
    assert not page.run("return [...document.querySelectorAll('button')].some((one) => one.textContent === 'flip')")


def test_pairs_of_numbers_are_placed(browser: Any, tmp_path: Path) -> None:
    page = start(browser, tmp_path, Langford(n=4))
    assert page.piece("3").text.split() == ["3", "3"]
    page.run("arguments[0].focus()", page.piece("4"))
    page.keys(Keys.ENTER, Keys.ENTER)
    page.wait(lambda: page.status.startswith("3 pieces left"))
    page.button("undo").click()
    solve_by_hints(page)
    page.assert_accessible()
    page.check()


def test_a_solid_is_seen_in_space_while_it_is_played(browser: Any, tmp_path: Path) -> None:
    page = start(browser, tmp_path, Polycube("3x2x2", {"L": "##/#"}, "any"))
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
    page.assert_accessible()
    page.check()


def test_a_hint_that_comes_late_is_not_shown(browser: Any, tmp_path: Path) -> None:
    page = start(browser, tmp_path, Langford(n=4))
    page.run(
        """
        const hint = [...document.querySelectorAll("button")].find((one) => one.textContent === "hint");
        hint.click();
        const piece = document.querySelector(".tray [data-piece='4']");
        piece.focus();
        piece.click();
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        """
    )
    page.wait(lambda: page.status.startswith("3 pieces left. There is"))
    assert page.text("#hint") == ""
