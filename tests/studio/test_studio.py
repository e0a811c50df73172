"""The studio in a real browser: puzzles are made and played by clicks and keys alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from browsing import start_studio
from commands import PATIENCE
from exactcover.config.configuration import read_file
from studio_page import StudioPage, forget


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("puzzles")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    process, address = start_studio(folder)
    with process:
        yield address
        process.terminate()
        _, messages = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in messages
        assert process.returncode == 143


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[StudioPage]:
    """The page of the studio; at the end, nothing has gone wrong on it."""
    page = StudioPage(browser, address)
    yield page
    page.check()


def test_a_puzzle_is_made_from_nothing_by_clicks_alone(page: StudioPage, folder: Path) -> None:
    assert len(page.find(".pieces li")) == 12  # the first puzzle
    page.button("Remove all").click()
    for _ in range(6):
        page.button("− column").click()
    for _ in range(3):
        page.button("− row").click()
    page.button("Blocked").click()
    page.cell(1, 1).click()
    page.cell(3, 4).click()
    page.button("Draw a piece").click()
    page.cell(1, 1, "dialog").click()
    page.cell(1, 2, "dialog").click()
    page.button("Done").click()
    copies = page.find(".pieces input")[0]
    copies.send_keys(Keys.CONTROL, "a")
    copies.send_keys("any", Keys.TAB)
    # a 3x4 board without two opposite corners, with dominoes
    page.wait(lambda: page.facts()["solutions"] == "5")
    assert page.facts()["placements"] == "13"
    assert page.facts()["solvable"] == "Yes"
    page.button("Explain").click()
    page.wait(lambda: page.text("#reasons p") == "There are 5 solutions.")
    assert "A in row 1, columns 3 and 4" in [one.text for one in page.find("#reasons li")]
    page.press_with_control("z")
    page.wait(lambda: page.facts()["solutions"] == "0")
    page.press_with_control("y")
    page.wait(lambda: page.facts()["solutions"] == "5")
    page.save("made by clicks")
    page.wait(lambda: page.text("#message") == "Saved as made by clicks.yaml.")
    configuration = read_file(folder / "made by clicks.yaml")
    assert configuration.problem == "polyomino"
    assert configuration.encoder.problem().count() == 5


def test_what_was_made_is_there_after_a_reload(browser: Any, page: StudioPage) -> None:
    page.wait(lambda: page.facts()["solutions"] == "9,356")
    page.button("− column").click()
    page.button("− column").click()
    page.wait(lambda: "48 cells" in page.facts()["solvable"])
    page.run("window.addEventListener = () => {}")
    browser.refresh()
    if page.run("return true") is None:  # the browser asks before it leaves the page
        browser.switch_to.alert.accept()
    page.wait(lambda: page.run("return document.documentElement.dataset.ready"))
    page.wait(lambda: "48 cells" in page.facts()["solvable"])


def test_a_tab_that_is_chosen_early_is_shown_when_it_is_ready(browser: Any, address: str) -> None:
    forget(browser, address)
    browser.get(address)
    browser.execute_script("document.getElementById('tab-play').click()")
    page = StudioPage.__new__(StudioPage)
    page.browser = browser
    page.wait(lambda: page.run("return document.documentElement.dataset.ready"))
    page.wait(lambda: "12 pieces left" in page.text("#play-status"))
    assert page.find("#view-play")[0].is_displayed() and not page.find("#view-make")[0].is_displayed()


def test_another_file_is_not_overwritten(browser: Any, address: str, folder: Path) -> None:
    mine = "problem: polyomino\nparams:\n  board: 2x3\n  pieces: dominoes\n  copies: any\nsearch:\n  find: all\n"
    (folder / "mine.yaml").write_text(mine)
    page = StudioPage(browser, address)
    page.button("− row").click()
    page.button("Open").click()
    page.alert("has not been saved").accept()
    page.wait(lambda: page.run("return document.querySelector('dialog') !== null"))
    page.button("mine.yaml").click()
    page.wait(lambda: page.facts()["solutions"] == "3")
    assert not page.button("Undo").is_enabled()  # it would lead to another puzzle under this name
    page.button("+ column").click()
    page.wait(lambda: page.facts()["solutions"] == "5")
    (folder / "mine.yaml").write_text(mine + "# changed\n")
    page.save()
    page.alert("was changed").dismiss()
    page.wait(lambda: "was changed" in page.text("#message"))
    assert (folder / "mine.yaml").read_text() == mine + "# changed\n"
    page.save()
    page.alert("was changed").accept()
    page.wait(lambda: "Saved" in page.text("#message"))
    configuration = read_file(folder / "mine.yaml")
    assert configuration.search.find == "all"  # sections that are not painted stay
    assert configuration.encoder.problem().count() == 5


@pytest.mark.parametrize(
    ("family", "solutions"), [("polyhex", "46"), ("polyiamond", "1,866"), ("polycube", "11,520"), ("polysphere", "117")]
)
def test_every_kind_of_board_can_be_begun(page: StudioPage, family: str, solutions: str) -> None:
    page.choose("New puzzle", family)
    page.wait(lambda: page.facts()["solutions"] == solutions)


def test_a_sudoku_is_generated_and_hints_say_why_before_what(page: StudioPage) -> None:
    page.choose("New puzzle", "sudoku")
    page.wait(lambda: "81 cells" in page.text("#play-status"))
    page.write("problem: sudoku\nparams: {box: 2x2}\n")
    page.wait(lambda: page.find("#view-make")[0].is_displayed())
    page.find("#tab-play")[0].click()
    page.wait(lambda: "16 cells" in page.text("#play-status"))
    page.find(".generator summary")[0].click()
    page.button("New puzzle").click()
    page.wait(lambda: "givens" in page.text("#message"))
    page.wait(lambda: "16 cells" not in (status := page.text("#play-status")) and "left" in status)
    page.button("Hint").click()
    page.wait(lambda: "Hint 1 of 3" in page.text("#hint"))
    page.button("More").click()
    assert "goes" not in page.text("#hint")  # why, before what
    assert "single: only one" in page.text("#hint")  # as the technique is called
    page.button("More").click()
    assert "goes" in page.text("#hint")


def test_the_board_is_painted_with_the_keyboard(page: StudioPage) -> None:
    page.facts()
    page.find("#view-make .paint path[tabindex='0']")[0].send_keys(Keys.ARROW_RIGHT, "3", Keys.SPACE)
    assert page.cell(1, 2).get_attribute("data-kind") == "#"
    page.wait(lambda: "59 cells" in page.facts()["solvable"])


def test_mistakes_in_the_text_are_shown_once_and_the_text_stays(page: StudioPage) -> None:
    page.facts()
    wrong = "problem: polyomino\nparams: {board: 3x}\n"
    page.write(wrong)
    page.wait(lambda: "Line 2, column 10: " in page.text("#view-text .mistakes"))
    assert "Line 2" not in page.text("#message")
    page.find("#tab-text")[0].click()
    assert page.find("#view-text textarea:not(:disabled)")[0].get_property("value") == wrong
    assert "Line 2, column 10: " in page.text("#view-text .mistakes")
    page.find("#tab-make")[0].click()
    page.alert("has not been applied").accept()
    page.find("#tab-text")[0].click()
    page.wait(lambda: "3x" not in page.find("#view-text textarea")[0].get_property("value"))
    assert page.text("#view-text .mistakes") == ""


def test_exports_are_made_beside_each_other(page: StudioPage) -> None:
    page.write("problem: polyomino\nparams: {board: 2x4, pieces: dominoes, copies: any}\n")
    page.wait(lambda: page.find("#view-make")[0].is_displayed())
    page.run("window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download); }")
    page.run(  # however short they are shown
        "window.shown = 0; const exports = document.getElementById('exports'); new MutationObserver(() => "
        "{ shown = Math.max(shown, exports.querySelectorAll('.progress').length); }).observe(exports, {childList: true});"
    )
    formats = {"svg": "solution.svg", "sheet": "solutions.svg", "dxf": "pieces.dxf", "yaml": "puzzle.yaml"}
    for value in formats:
        page.choose("Export", value)
    page.wait(lambda: set(page.run("return saved")) == set(formats.values()))
    assert page.run("return shown") > 0 and not page.find("#exports .progress")


def test_the_link_of_a_puzzle_is_shown_for_a_page(page: StudioPage, address: str) -> None:
    page.write("problem: queens\nparams: {n: 4}\n")
    page.button("Link").click()
    field = page.wait(lambda: page.find("dialog input[type=url]"))[0]
    assert page.find("#link")[0].get_property("value").startswith(f"{address.partition('#')[0]}#puzzle=")
    field.send_keys("https://example.org/play.html#old")
    assert page.find("#link")[0].get_property("value").startswith("https://example.org/play.html#puzzle=")
    assert "Opens without a server" in page.text("dialog")
    page.assert_accessible()
    page.button("Close").click()


def test_the_link_of_a_puzzle_that_was_changed_meanwhile_is_not_shown(page: StudioPage) -> None:
    page.write("problem: queens\nparams: {n: 4}\n")
    page.wait(lambda: page.find("#view-make")[0].is_displayed())
    page.run(
        """
        const send = window.fetch;
        window.fetch = async (path, wish) => {
          if (JSON.parse(wish.body).question === "link") await new Promise((go) => (window.go = go));
          return send(path, wish);
        };
        """
    )
    page.button("Link").click()
    page.wait(lambda: page.run("return window.go !== undefined"))
    page.write("problem: queens\nparams: {n: 5}\n")
    page.wait(lambda: page.find("#view-make")[0].is_displayed())
    page.run("window.go()")
    page.wait(lambda: "has changed" in page.text("#message"))
    assert not page.find("dialog")


def test_the_studio_is_accessible(page: StudioPage) -> None:
    page.facts()
    page.assert_accessible()
    page.find("#tab-text")[0].click()
    page.assert_accessible()


def test_without_the_token_nothing_is_shown(browser: Any, address: str) -> None:
    forget(browser, address)
    page = StudioPage.__new__(StudioPage)
    page.open(browser, address.partition("#")[0])
    page.wait(lambda: "does not answer" in page.text("#message"))
