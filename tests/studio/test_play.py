"""Playing in the studio: a tiling is solved with the mouse, by touch and with the keyboard; wrong moves are shown."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from browsing import start_studio
from playing import PlayedPage, pack, solve_by_hints
from problems import Polyomino, Sudoku
from studio_page import StudioPage


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    process, address = start_studio(tmp_path_factory.mktemp("puzzles"))
    with process:
        yield address
        process.terminate()


class PlayPage(PlayedPage, StudioPage):
    def play(self, text: str = "") -> None:
        if text:
            self.write(text)
            self.wait(lambda: self.find("#view-make")[0].is_displayed())
        self.find("#tab-play")[0].click()
        self.wait(lambda: self.run("return document.getElementById('play-status')?.dataset.solvable !== undefined"))


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[PlayPage]:
    """The page of a studio; at the end, nothing has gone wrong on it."""
    page = PlayPage(browser, address)
    yield page
    page.check()


@pytest.mark.parametrize("way", ["drag", "touch", "type"])
def test_a_tiling_is_solved(page: PlayPage, way: str) -> None:
    solution = next(Polyomino().problem().solve())
    page.play()
    assert "12 pieces left" in page.status
    for number, (piece, cells) in enumerate(solution, 1):
        page.orient(piece, frozenset(cells))
        getattr(page, way)(piece, frozenset(cells))
        wanted = "Solved." if number == 12 else f"{12 - number} piece"
        page.wait(lambda: page.status.startswith(wanted))  # noqa: B023 - waits in this turn


SMALL = "problem: polyomino\nparams: {board: 3x4, pieces: {L: '###/#', I: '####'}, copies: {L: 2, I: 1}}\n"


def test_wrong_moves_are_shown_and_can_be_undone(page: PlayPage) -> None:
    page.play(SMALL)
    page.wait(lambda: "Still solvable" in page.status)
    flat = frozenset((2, column) for column in range(1, 5))
    page.orient("I", flat)
    page.drag("I", flat)  # across the middle: no two L fit then
    page.wait(lambda: "No longer solvable" in page.status)
    page.button("Since when?").click()
    page.wait(lambda: "since the piece I was placed in row 2, columns 1 to 4" in page.text("#hint"))
    page.orient("L", frozenset({(1, 1), (1, 2), (1, 3), (2, 1)}))
    page.drag("L", frozenset({(1, 1), (1, 2), (1, 3), (2, 1)}))  # on top of it
    wanted = "The piece I in row 2, columns 1 to 4 and the piece L in rows 1 and 2, columns 1 to 3 conflict"
    page.wait(lambda: wanted in page.status)
    assert page.run("return document.querySelector('.clash').getAttribute('d')")
    page.press_with_control("z")  # one step of the game, none of the editor
    page.wait(lambda: "No longer solvable" in page.status)
    page.button("Undo").click()
    page.wait(lambda: "Still solvable" in page.status)
    page.find(".rules input")[0].click()
    page.drag("I", flat)
    page.wait(lambda: "leads to no solution" in page.text("#message"))
    assert "3 pieces left" in page.status


def test_an_impossible_puzzle_gives_no_hint(page: PlayPage) -> None:
    page.play("problem: queens\nparams: {n: 3}\n")
    assert page.status == "This puzzle has no solution."
    assert not page.button("Hint").is_enabled()


def test_a_sudoku_is_written_with_the_keyboard(page: PlayPage) -> None:
    page.play("problem: sudoku\nparams: {box: 2x2, grid: '1... ..2. .3.. ...4'}\n")
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ARROW_RIGHT, "1")
    page.wait(lambda: "conflict" in page.status)
    assert "in conflict" in page.find(".hits [tabindex='0']")[0].get_attribute("aria-label")
    page.keys(Keys.DELETE, "p", "2", "4")
    assert page.text(".pencil") == "24"
    page.keys("2", "p")
    assert page.text(".pencil") == "4"
    page.button("Mark by rules").click()
    problem = Sudoku(box="2x2", grid="1... ..2. .3.. ...4").problem()
    fitting = problem.full().residual(problem.givens).labels
    others = [one for one in fitting if (one.row, one.column) != (1, 3)]
    assert len(page.text(".pencil")) == len(others) + 1  # its own mark stays
    page.button("Reveal candidates").click()
    assert "without marks" in page.text("#message")
    page.button("Undo").click()
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ARROW_RIGHT)
    page.button("Reveal candidates").click()
    possible = problem.full().reusable_solver().candidates(given=problem.givens).possible
    texts = sorted(one.symbol for one in possible if (one.row, one.column) == (1, 4))
    page.wait(lambda: page.text(".pencil") == "".join(["4", *texts]))


def test_attacks_of_queens_are_shown(page: PlayPage) -> None:
    page.play("problem: queens\nparams: {n: 6}\n")
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ENTER)
    assert len(page.find(".attacks path")) == 3 * 5  # in its row, its column and its diagonal
    page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
    page.wait(lambda: "A queen in row 1, column 1 and a queen in row 1, column 2 conflict" in page.status)


@pytest.mark.parametrize("text", ["", "problem: sudoku\n", "problem: queens\n"])
def test_play_is_accessible(page: PlayPage, text: str) -> None:
    page.play(text)
    page.assert_accessible()


def take_link(page: PlayPage) -> str:
    """Return the fragment of the link that the studio shows."""
    page.button("Link").click()
    text = page.wait(lambda: page.run("return document.getElementById('link')?.value"))
    page.button("Close").click()
    return str(text).partition("#")[2]


def begin(page: PlayPage) -> None:
    """Play the first piece of a small puzzle."""
    page.play(SMALL)
    top = frozenset((1, column) for column in range(1, 5))
    page.orient("I", top)
    page.drag("I", top)
    page.wait(lambda: "2 pieces left" in page.status)


def test_a_link_opens_with_what_was_played(browser: Any, address: str, page: PlayPage) -> None:
    begin(page)
    link = take_link(page)
    page.run("window.addEventListener = () => {}")
    other = PlayPage(browser, f"{address}&{link}")
    other.wait(lambda: "2 pieces left" in other.status)


def test_a_link_is_played_to_the_end_without_a_server(browser: Any, page: PlayPage, tmp_path: Path) -> None:
    begin(page)
    link = take_link(page)
    player = browser.execute_async_script(
        "fetch('/assets/play.html').then((one) => one.text()).then(arguments[arguments.length - 1])"
    )
    alone = PlayedPage(browser, tmp_path / "play.html", player, f"#{link}")
    alone.wait(lambda: "2 pieces left. Still solvable" in alone.status)
    for cells in ({(2, 1), (2, 2), (2, 3), (3, 1)}, {(2, 4), (3, 2), (3, 3), (3, 4)}):
        alone.orient("L", frozenset(cells))
        alone.drag("L", frozenset(cells))
    alone.wait(lambda: alone.status == "Solved.")
    alone.button("Undo").click()
    alone.wait(lambda: "1 piece left. Still solvable" in alone.status)
    alone.button("Copy link").click()  # the address says then what was played
    alone.wait(lambda: alone.text("#message"))
    assert browser.current_url.partition("#")[2] != link
    again = PlayedPage(browser, tmp_path / "again.html", player, f"#{browser.current_url.partition('#')[2]}")
    again.wait(lambda: "1 piece left. Still solvable" in again.status)
    again.check()
    again.assert_accessible()


def test_a_hostile_puzzle_in_a_link_does_nothing(browser: Any, address: str) -> None:
    for content in ({"yaml": "problem: nothing\n"}, {"document": {"problem": 5}}, {"yaml": "\0"}):
        page = PlayPage(browser, f"{address}&puzzle={pack({'version': 2, **content})}")
        assert len(page.find(".pieces li")) == 12  # the first puzzle
        page.check()


def test_a_loop_is_drawn_as_on_a_page_of_its_own(page: PlayPage) -> None:
    page.play("problem: slitherlink\nparams: {clues: '..2/.3./3.3'}\n")
    page.wait(lambda: "Still solvable" in page.status)
    for _ in range(2):  # a cross, where the loop passes
        page.find(".hits [aria-label^='above row 1, column 1:']")[0].click()
    page.wait(lambda: "No longer solvable" in page.status)
    page.button("Hint").click()
    wanted = "No longer solvable since the line above row 1, column 1 was crossed out."
    page.wait(lambda: page.text("#hint").startswith(wanted))
    page.button("Undo").click()
    page.wait(lambda: "Still solvable" in page.status)
    solve_by_hints(page)
