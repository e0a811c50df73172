"""Playing in the studio: a tiling is solved with the mouse, by touch and with the keyboard; wrong moves are shown."""

import base64
import json
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from browsing import start_studio
from problems import Polyomino, Sudoku
from studio_page import StudioPage

pytestmark = pytest.mark.xdist_group("browser")

Cells = frozenset[tuple[int, int]]

CENTERS = """
const [svg, matrix] = [arguments[0], arguments[0].getScreenCTM()];
const at = ([x, y]) => { const p = new DOMPoint(x, y).matrixTransform(matrix); return [p.x, p.y]; };
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    process, address = start_studio(tmp_path_factory.mktemp("puzzles"))
    with process:
        yield address
        process.terminate()


class PlayPage(StudioPage):
    """The page of a studio on which a puzzle is played."""

    def play(self, text: str = "") -> None:
        if text:
            self.write(text)
            self.wait(lambda: self.find("#view-make")[0].is_displayed())
        self.find("#tab-play")[0].click()
        self.wait(lambda: self.run("return document.getElementById('play-status')?.dataset.solvable !== undefined"))

    @property
    def status(self) -> str:
        return self.text("#play-status")

    def piece(self, name: str) -> Any:
        return self.find(f".tray [data-piece='{name}']")[0]

    def pose(self, name: str) -> list[tuple[float, float]]:
        """The cells of a piece as the tray shows it: the upper left corner of each."""
        path = self.run("return arguments[0].querySelector('path').getAttribute('d')", self.piece(name))
        corners = [[tuple(map(float, one.split())) for one in cell.split("L")] for cell in path[1:-1].split("zM")]
        return sorted((min(y for _, y in cell) / 40, min(x for x, _ in cell) / 40) for cell in corners)

    def orient(self, name: str, cells: Cells) -> None:
        """Turn a piece in the tray until it looks like these cells; the piece has the focus then."""
        self.run("arguments[0].focus()", self.piece(name))
        for key in "rrrrfrrrr":
            if normalize(self.pose(name)) == normalize(sorted(cells)):
                return
            self.keys(key)
        raise AssertionError(f"{name} cannot be turned to {sorted(cells)}")

    def ends(self, name: str, cells: Cells) -> tuple[list[float], list[float]]:
        """Where to press to drag a piece by its first cell, and where to let it go."""
        row, column = self.pose(name)[0]
        start = self.run(f"{CENTERS} return at(arguments[1])", self.piece(name).find_element("css selector", "svg"),
                         [(column + 0.5) * 40, (row + 0.5) * 40])  # fmt: skip
        row, column = min(cells)
        board = self.find(".board svg")[0]
        return start, self.run(f"{CENTERS} return at(arguments[1])", board, [(column - 0.5) * 40, (row - 0.5) * 40])

    def drag(self, name: str, cells: Cells) -> None:
        start, end = self.ends(name, cells)
        self.pointer("mousePressed", start)
        self.pointer("mouseMoved", [(one + two) / 2 for one, two in zip(start, end, strict=True)])
        self.pointer("mouseMoved", end)
        self.pointer("mouseReleased", end)

    def pointer(self, kind: str, place: list[float]) -> None:
        event = {"type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": 1, "clickCount": 1}
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def touch(self, name: str, cells: Cells) -> None:
        start, end = self.ends(name, cells)
        end[1] += 56  # a piece is held above the finger
        middle = [(one + two) / 2 for one, two in zip(start, end, strict=True)]
        for kind, place in (("touchStart", start), ("touchMove", middle), ("touchMove", end), ("touchEnd", None)):
            points = [] if place is None else [{"x": place[0], "y": place[1]}]
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def type(self, name: str, cells: Cells) -> None:
        """Pick the piece up, move it with arrow keys and drop it."""
        self.keys(Keys.ENTER)
        row, column = self.ghost()
        down, right = min(cells)[0] - row, min(cells)[1] - column
        self.keys(*[Keys.ARROW_DOWN if down > 0 else Keys.ARROW_UP] * abs(down),
                  *[Keys.ARROW_RIGHT if right > 0 else Keys.ARROW_LEFT] * abs(right))  # fmt: skip
        self.keys(Keys.ENTER)

    def ghost(self) -> tuple[int, int]:
        """The first cell of the piece that is held."""
        path = self.run("return document.querySelector('.ghost path').getAttribute('d')")
        corners = [[tuple(map(float, one.split())) for one in cell.split("L")] for cell in path[1:-1].split("zM")]
        first = min((min(y for _, y in cell), min(x for x, _ in cell)) for cell in corners)
        return round(first[0] / 40) + 1, round(first[1] / 40) + 1


def normalize(cells: list[Any]) -> list[tuple[int, int]]:
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return sorted((round(row - top), round(column - left)) for row, column in cells)


@pytest.mark.parametrize("way", ["drag", "touch", "type"])
def test_a_tiling_is_solved(browser: Any, address: str, way: str) -> None:
    solution = next(Polyomino().problem().solve())
    page = PlayPage(browser, address)
    page.play()
    assert "12 pieces left" in page.status
    for number, (piece, cells) in enumerate(solution, 1):
        page.orient(piece, frozenset(cells))
        getattr(page, way)(piece, frozenset(cells))
        wanted = "Solved." if number == 12 else f"{12 - number} piece"
        page.wait(lambda: page.status.startswith(wanted))  # noqa: B023 - waits in this turn
    page.check()


SMALL = "problem: polyomino\nparams: {board: 3x4, pieces: {L: '###/#', I: '####'}, copies: {L: 2, I: 1}}\n"


def test_wrong_moves_are_shown_and_can_be_undone(browser: Any, address: str) -> None:
    page = PlayPage(browser, address)
    page.play(SMALL)
    page.wait(lambda: "There is a solution" in page.status)
    flat = frozenset((2, column) for column in range(1, 5))
    page.orient("I", flat)
    page.drag("I", flat)  # across the middle: no two L fit then
    page.wait(lambda: "no solution from here" in page.status)
    page.button("since when?").click()
    page.wait(lambda: "since I r2c1" in page.status)
    page.orient("L", frozenset({(1, 1), (1, 2), (1, 3), (2, 1)}))
    page.drag("L", frozenset({(1, 1), (1, 2), (1, 3), (2, 1)}))  # on top of it
    page.wait(lambda: "2 choices conflict" in page.status)
    assert page.run("return document.querySelector('.clash').getAttribute('d')")
    page.button("undo").click()
    page.wait(lambda: "no solution from here" in page.status)
    page.button("undo").click()
    page.wait(lambda: "There is a solution" in page.status)
    page.find(".rules input")[0].click()
    page.drag("I", flat)
    page.wait(lambda: "leads to no solution" in page.text("#message"))
    assert "3 pieces left" in page.status
    page.check()


def test_a_hint_comes_in_three_steps(browser: Any, address: str) -> None:
    page = PlayPage(browser, address)
    page.play(SMALL)
    while "Solved." not in page.status:
        page.button("hint").click()
        page.wait(lambda: "Hint 1 of 3" in page.text("#hint"))
        page.button("more").click()
        assert "Take the piece" in page.text("#hint")
        assert page.find(".tray .hinted")
        page.button("more").click()
        assert page.find(".hint-shape")
        page.button("place it").click()
    page.check()


def test_an_impossible_puzzle_gives_no_hint(browser: Any, address: str) -> None:
    page = PlayPage(browser, address)
    page.play("problem: queens\nparams: {n: 3}\n")
    assert page.status == "This puzzle has no solution."
    assert not page.button("hint").is_enabled()


def test_a_sudoku_is_written_with_the_keyboard(browser: Any, address: str) -> None:
    page = PlayPage(browser, address)
    page.play("problem: sudoku\nparams: {box: 2x2, grid: '1... ..2. .3.. ...4'}\n")
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ARROW_RIGHT, "1")
    page.wait(lambda: "conflict" in page.status)
    assert "in conflict" in page.find(".hits [tabindex='0']")[0].get_attribute("aria-label")
    page.keys(Keys.DELETE, "p", "2", "4")
    assert page.text(".pencil") == "24"
    page.keys("2", "p")
    assert page.text(".pencil") == "4"
    page.button("all that fit").click()
    problem = Sudoku(box="2x2", grid="1... ..2. .3.. ...4").problem()
    assert len(page.text(".pencil")) == len(problem.full().residual(problem.givens).labels)
    page.button("all that are possible").click()
    possible = problem.full().reusable_solver().candidates(given=problem.givens).possible
    page.wait(lambda: len(page.text(".pencil")) == len(possible) - len(problem.givens))
    page.button("undo").click()
    page.button("undo").click()
    assert page.text(".pencil") == "4"
    page.check()


def test_attacks_of_queens_are_shown(browser: Any, address: str) -> None:
    page = PlayPage(browser, address)
    page.play("problem: queens\nparams: {n: 6}\n")
    page.find(".hits [tabindex='0']")[0].send_keys(Keys.ENTER)
    attacked = sum(
        1 for row in range(6) for column in range(6) if (row, column) != (0, 0) and row * column * (row - column) == 0
    )
    assert len(page.find(".attacks path")) == attacked
    page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
    page.wait(lambda: "2 choices conflict" in page.status)
    page.check()


@pytest.mark.parametrize("text", ["", "problem: sudoku\n", "problem: queens\n"])
def test_play_is_accessible(browser: Any, address: str, text: str) -> None:
    page = PlayPage(browser, address)
    page.play(text)
    page.assert_accessible()


def test_a_link_opens_with_what_was_played(browser: Any, address: str) -> None:
    page = PlayPage(browser, address)
    page.play(SMALL)
    top = frozenset((1, column) for column in range(1, 5))
    page.orient("I", top)
    page.drag("I", top)
    page.wait(lambda: "2 pieces left" in page.status)
    page.button("link").click()
    page.wait(lambda: "#puzzle=" in browser.current_url)
    link = browser.current_url.partition("#")[2]
    page.button("undo").click()
    assert "#" not in browser.current_url  # it would lead to another position
    page.run("window.addEventListener = () => {}")
    other = PlayPage(browser, f"{address}&{link}")
    other.wait(lambda: "2 pieces left" in other.status)
    other.check()


HOSTILE: dict[str, list[Any]] = {
    "damaged": ["!", "AAAA", "%00", "x" * 50],
    "too long": ["A" * 60_001],
    "no puzzle": [{"version": 2, "yaml": ""}, [], {"version": 1}, {"version": 1, "yaml": 5}, "text", None],
    "moves": [{"version": 1, "yaml": "", "chosen": [1]}, {"version": 1, "yaml": "", "pencil": {"0 0": "9"}}],
    "too large": ["a" * (1 << 21)],
}


def test_hostile_links_are_refused(browser: Any, address: str) -> None:
    page = PlayPage(browser, address)
    script = """
    const [values, done] = arguments;
    import('/assets/link.js').then(async ({unpackPuzzle}) => {
      const found = [];
      for (const value of values) found.push(await unpackPuzzle(value).then(() => 'accepted', (error) => error.message));
      done(found);
    });"""
    for words, values in HOSTILE.items():
        texts = [one if words in ("damaged", "too long") else pack(one) for one in values]
        found = browser.execute_async_script(script, texts)
        assert all(words in message for message in found), found
    page.check()


def pack(content: Any) -> str:
    """Return what a link with this content contains."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(json.dumps(content).encode()) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_a_hostile_puzzle_in_a_link_does_nothing(browser: Any, address: str) -> None:
    for content in ({"yaml": "problem: nothing\n"}, {"document": {"problem": 5}}, {"yaml": "\0"}):
        page = PlayPage(browser, f"{address}&puzzle={pack({'version': 1, **content})}")
        assert len(page.find(".pieces li")) == 12  # the first puzzle
        page.check()
