"""Cells that are colored on a page where a puzzle is played."""

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from exactcover import Encoder
from playing import Play, PlayedPage, open_player
from problems import Slitherlink, Sudoku

SUDOKU = Sudoku(box="2x3", grid="....1.1.2....3.5..5.4.....32.......4")
SLITHERLINK = Slitherlink("..2/.3./3.3")
BOTH = pytest.mark.parametrize("encoder", [SUDOKU, SLITHERLINK], ids=["cells", "lines"])

COLORED = """
    const names = ["yellow", "violet", "green", "lime", "blue", "red", "cyan", "brown"];
    const count = (path) => path.getAttribute("d").split("M").length - 1;
    return [...document.querySelectorAll(".board .color")].map((one, k) => [names[k], count(one)]).filter((one) => one[1]);
"""


def count_colors(page: PlayedPage) -> dict[str, int]:
    """How many cells have each color on the board."""
    return dict(page.run(COLORED))


def describe(page: PlayedPage, key: str) -> str:
    return str(page.find(f".board [data-key='{key}']")[0].get_attribute("aria-label"))


@BOTH
@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_cells_are_colored_and_cleared_by_a_pointer(play: Play, kind: str, encoder: Encoder) -> None:
    page = play(encoder, is_alone=True)
    status = page.status
    page.button("blue").click()
    page.draw_over(["0 0"], kind)
    assert count_colors(page) == {"blue": 1} and describe(page, "0 0").endswith("blue")
    page.button("red").click()
    page.draw_over(["0 0", "0 2", "2 2"], kind)  # also past a cell on which it is not seen
    assert count_colors(page) == {"red": 5} and page.status == status
    page.draw_over(["0 1", "0 2"], kind)
    assert count_colors(page) == {"red": 3}
    page.press_with_control("z")
    assert count_colors(page) == {"red": 5}
    page.button("Undo").click()
    assert count_colors(page) == {"blue": 1}
    page.press_with_control("y")
    assert count_colors(page) == {"red": 5}
    page.button("Start again").click()
    assert count_colors(page) == {}


@BOTH
def test_cells_are_colored_by_keys(play: Play, encoder: Encoder) -> None:
    page = play(encoder, is_alone=True)
    page.run("arguments[0].focus()", page.button("green"))
    page.keys(Keys.ENTER, Keys.ENTER, Keys.ARROW_DOWN, Keys.SPACE)
    assert count_colors(page) == {"green": 2}
    page.press_with_control("z")
    assert count_colors(page) == {"green": 1}
    assert page.run("return document.activeElement.getAttribute('aria-label')").startswith("row 2, column 1: ")
    page.keys(Keys.ARROW_UP, Keys.ENTER)
    assert count_colors(page) == {}
    page.keys(Keys.ENTER)
    page.assert_accessible()
    page.keys(Keys.ESCAPE)
    assert not page.find(".colors [aria-pressed='true']")
    page.keys("x" if encoder is SLITHERLINK else "2")  # what keys do else
    page.wait(lambda: page.find(".board .cross:not([d=''])") or "2, green" in describe(page, "0 0"))
    assert count_colors(page) == {"green": 1}


def test_colors_stay_beside_marks_and_below_hints(play: Play) -> None:
    page = play(SUDOKU)
    page.button("Corner").click()
    page.find(".hits [data-key='0 0']")[0].send_keys("3")
    page.button("cyan").click()
    page.draw_over(["0 0", "0 5"])
    page.button("cyan").click()
    assert describe(page, "0 0") == "row 1, column 1: pencil marks 3, cyan"
    assert describe(page, "0 4") == "row 1, column 5: 1, given, cyan"
    page.button("Erase").click()
    assert describe(page, "0 0") == "row 1, column 1: empty, cyan"
    page.button("Hint").click()
    page.wait(lambda: page.find(".hint-marks .hint-cell") and "Hint 1 of 3" in page.text("#hint"))
    assert count_colors(page) == {"cyan": 6}


@BOTH
def test_a_link_keeps_colors_and_marks(browser: Any, tmp_path: Path, encoder: Encoder) -> None:
    page, link = open_player(browser, tmp_path, encoder)
    if encoder is SUDOKU:
        page.button("Corner").click()
        page.find(".hits [data-key='0 0']")[0].send_keys("3", "5")
    page.button("brown").click()
    page.draw_over(["1 0", "1 1"])
    page.wait(lambda: link not in browser.current_url)
    browser.refresh()
    page.wait(lambda: count_colors(page) == {"brown": 2})
    assert encoder is not SUDOKU or page.text(".pencil") == "35"
    page.check()
