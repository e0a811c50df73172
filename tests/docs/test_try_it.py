"""The page that runs the core in a browser: its counts are those of the package, under Node and in a browser.

It is tested in the site that .ci/site has built, if Emscripten was there.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Hashable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from browsing import Page
from commands import PATIENCE
from exactcover import Colored, Problem
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from problems import Polyomino, Queens, Sudoku

SITE = Path(os.environ.get("EXACTCOVER_SITE", "nowhere")).resolve()
CORE = SITE.parent / "core" / "core.js"
pytestmark = pytest.mark.skipif(not (SITE / "_try" / "try.js").exists(), reason="EXACTCOVER_SITE has no compiled core")
GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LETTERS = {"tetrominoes": "ILOST", "pentominoes": "FILNPTUVWXYZ"}


def tile(board: str, pieces: str, copies: Any = 1) -> dict[str, Any]:
    """Return the puzzle of a set of pieces on a board, as the page has it."""
    rows = board.replace(".", "#").replace("_", ".").split("/")
    return {"kind": "tiling", "rows": rows, "pieces": {f"{pieces}.{letter}": copies for letter in LETTERS[pieces]}}


RED, BLUE = Colored("x", "red"), Colored("x", "blue")
COLORED: list[list[Hashable]] = [["a", RED], ["b", RED], ["b", BLUE], ["a", "b", "x"], ["c"], ["c", RED]]
BOARDS = "/".join(["." * 8] * 6), "_...._/....../....../_...._", ".../...", "..../....", "..../..../_.._"
PUZZLES: list[tuple[dict[str, Any], Problem]] = [
    *(({"kind": "queens", "n": n}, Queens(n=n).problem()) for n in (1, 3, 6, 8, 10)),
    ({"kind": "sudoku", "grid": GRID}, Sudoku(grid=GRID).problem()),
    ({"kind": "sudoku", "grid": GRID.replace("5", ".")}, Sudoku(grid=GRID.replace("5", ".")).problem()),
    (tile("/".join(["." * 20] * 3), "pentominoes"), Polyomino(board="3x20").problem()),
    *(
        (tile(board, "tetrominoes", "any"), Polyomino(board=board, pieces="tetrominoes", copies="any").problem())
        for board in BOARDS
    ),
    (
        {"kind": "tiling", "rows": ["#" * 16] * 16, "pieces": {"domino.I": "any"}},
        Polyomino(board="16x16", pieces="dominoes", copies="any").problem(),
    ),
    (
        {"kind": "options", "text": "a b 0:2|c | x\na x:red\nb x:red\nb x:blue\na b x\nc\nc x:red"},
        Problem(enumerate(COLORED), secondary=["x"], multiplicity={"c": (0, 2)}),
    ),
    (
        {"kind": "options", "text": "a b c d\na b\nb c\nc d\nd a\na c\nb d"},
        Problem({pair: list(pair) for pair in ("ab", "bc", "cd", "da", "ac", "bd")}),
    ),
]


def count_with_node(puzzles: list[dict[str, Any]], *flags: str) -> list[dict[str, Any]]:
    """Return what the core finds under Node: for each puzzle its counts, and its first solutions; or only its total."""
    done = subprocess.run(
        # With this experiment, the script would fetch the module by a name that is no address.
        ["node", "--no-experimental-fetch", Path(__file__).with_name("counts.js"), CORE, *flags],
        input=json.dumps(puzzles), capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return list(json.loads(done.stdout))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_counts_under_node_are_those_of_the_package() -> None:
    results = count_with_node([puzzle for puzzle, _ in PUZZLES])
    for (puzzle, problem), found in zip(PUZZLES, results, strict=True):
        count = problem.count()
        assert int(found["total"]) == count, puzzle
        if found["classes"] is not None:
            classes = problem.count(distinct=True)
            assert (int(found["classes"]["total"]), found["classes"]["listed"]) == (classes, count), puzzle
            assert found["distinct"] == min(classes, 100)
        listed = {json.dumps(solution) for solution in found["listed"]}
        assert len(listed) == len(found["listed"]) == min(count, 100)
        assert found["ended"] == ("done" if count < 100 else "solution")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_puzzles_of_the_gallery_have_the_counts_that_their_files_state() -> None:
    text = (SITE / "gallery.html").read_text("utf-8")
    sections = re.findall(r'<a href="try.html#([^"]*)">.*?<summary>([^<]*)</summary>', text, re.DOTALL)
    known = {name: read_file(find_configs()[name]).known.solutions for _, name in sections}
    puzzles = [json.loads(unquote(address)) for address, _ in sections]
    assert {"queens_8.yaml", "pentominoes_6x10.yaml", "sudoku_9x9.yaml", "y_pentominoes_5x10.yaml"} <= known.keys()
    counts = [known[name] or 0 for _, name in sections]
    small = [(puzzle, count) for puzzle, count in zip(puzzles, counts, strict=True) if 0 < count < 10_000]
    for (puzzle, count), found in zip(small, count_with_node([puzzle for puzzle, _ in small], "totals"), strict=True):
        assert int(found["total"]) == count, puzzle


class TryPage(Page):
    def __init__(self, browser: Any, puzzle: dict[str, Any] | None = None, fragment: str = "") -> None:
        fragment = f"#{quote(json.dumps(puzzle))}" if puzzle else fragment
        self.browser = browser
        browser.get("about:blank")
        browser.get(f"{(SITE / 'try.html').as_uri()}{fragment}")
        self.wait(lambda: self.run("return document.getElementById('try').dataset.ready"))

    def act(self, name: str) -> None:
        (button,) = self.find(f"#try [data-do={name}]")
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
        button.click()

    def finish(self) -> str:
        """Return what the page says when nothing runs any more."""
        self.wait(lambda: self.run("return document.getElementById('try').dataset.busy") == "false")
        return self.text("#try .told")


@pytest.mark.parametrize(("puzzle", "problem"), [PUZZLES[3], PUZZLES[5], PUZZLES[8], PUZZLES[-2]], ids=str)
def test_counts_in_a_browser_are_those_of_the_package(puzzle: dict[str, Any], problem: Problem, browser: Any) -> None:
    page, count = TryPage(browser, puzzle), problem.count()
    page.act("count")
    assert page.finish().startswith(f"{count:,} solution{'s' * (count != 1)}, counted in")


def test_a_browser_counts_and_lists_up_to_symmetry(browser: Any) -> None:
    page = TryPage(browser, {"kind": "queens", "n": 6})
    page.find("#try [name=distinct]")[0].click()
    page.act("count")
    assert page.finish().startswith("1 solution up to symmetry, 4 in all, counted in")
    page.act("first")
    assert page.finish() == "Solution 1."
    page.act("next")
    assert page.finish() == "This was the only solution up to symmetry."
    address = page.run("return decodeURIComponent(location.hash.slice(1))")
    assert json.loads(address) == {"kind": "queens", "n": 6, "distinct": True}


def test_solutions_are_shown_one_after_another(browser: Any) -> None:
    page = TryPage(browser, {"kind": "queens", "n": 4})
    page.act("first")
    assert page.finish() == "Solution 1."
    assert len(page.find("#try .result circle")) == 4
    page.act("next")
    assert page.finish() == "Solution 2."
    page.act("next")
    assert page.finish() == "These were all 2 solutions."
    assert not page.find("#try [data-do=next]")[0].is_enabled()
    page = TryPage(browser, {"kind": "queens", "n": 3})
    page.act("first")
    assert page.finish() == "There is no solution."


def test_puzzles_look_as_they_do_in_play(browser: Any) -> None:
    page = TryPage(browser)
    page.act("first")
    page.finish()
    tints = "return [...document.querySelectorAll(arguments[0])].map((one) => one.classList[1]).sort()"
    colors = sorted(f"t{k}" for k in range(12))  # by the number of the piece
    colors = ["t-1", *colors] if page.find("#try .result .t-1") else colors
    assert page.run(tints, "#try .result .tint") == colors
    assert page.run("return document.querySelector('[data-piece=\"pentominoes.Z\"] .tint').classList[1]") == "t11"
    assert page.run("return document.querySelector('[data-piece=\"domino.I\"] .tint').classList[1]") == "t-1"
    page = TryPage(browser, {"kind": "sudoku", "grid": GRID})
    page.act("first")
    page.finish()
    encoder = Sudoku(grid=GRID)
    drawn = encoder.draw(next(encoder.problem().solve()))
    assert drawn is not None
    texts = [one.get_attribute("textContent") for one in page.find("#try .result text:not(.numbers *)")]
    assert sorted(texts) == sorted(text.text for text in drawn.marks.values())
    assert len(page.find("#try .result .wide")) == len(page.find("#try .play .wide")) == 1  # lines around boxes


def test_a_sudoku_is_stated_as_it_is_played(browser: Any) -> None:
    page = TryPage(browser, {"kind": "sudoku", "grid": GRID})
    page.wait(lambda: page.text("#play-status") == "51 cells left. Still solvable.")
    page.find("#try [data-key='0 2']")[0].click()
    page.find("#try [data-key='0 2']")[0].send_keys("4")
    page.wait(lambda: page.text("#play-status") == "50 cells left. Still solvable.")
    address = page.run("return decodeURIComponent(location.hash.slice(1))")
    assert json.loads(address)["grid"] == GRID.replace("53.", "534", 1)
    page.button("Hint").click()
    page.wait(lambda: "Hint 1 of 3: Look" in page.text("#hint"))
    page.act("count")
    assert page.finish().startswith("1 solution, counted in")
    page.act("first")
    page.finish()
    for board in ("play", "result"):
        assert sorted(page.text(f"#try .{board} .numbers")) == sorted("123456789" * 2)


def test_a_count_can_be_stopped(browser: Any) -> None:
    page = TryPage(browser, {"kind": "queens", "n": 20})
    page.act("count")
    page.act("stop")
    assert page.finish() == "Stopped; there may be more solutions."
    page.act("first")
    assert page.finish() == "Solution 1."


def test_what_is_painted_is_in_the_address(browser: Any) -> None:
    page = TryPage(browser)
    page.find("#try [data-row='0'][data-column='0']")[0].click()
    address = page.run("return decodeURIComponent(location.hash.slice(1))")
    assert json.loads(address)["rows"][0] == "." + "#" * 9
    again = TryPage(browser, json.loads(address))
    assert again.find("#try [data-row='0'][data-column='0']")[0].get_attribute("aria-checked") == "false"
    again.act("first")
    assert again.finish() == "There is no solution."  # 59 cells


def test_a_board_is_painted_and_solved_by_touch_on_a_phone(phone: Any, browser: Any) -> None:
    phone()
    page = TryPage(browser, tile("...../...._", "tetrominoes", "any"))
    assert page.run("return document.documentElement.scrollWidth") <= 390

    def touch(selector: str) -> None:
        script = (
            "const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        )
        page.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", page.find(selector)[0])
        x, y = page.run(script, page.find(selector)[0])
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("#try [data-do=first]")
    assert page.finish() == "There is no solution."  # nine cells
    touch("#try [data-row='0'][data-column='4']")
    page.wait(lambda: page.find("#try [data-row='0'][data-column='4']")[0].get_attribute("aria-checked") == "false")
    touch("#try [data-do=count]")
    count = Polyomino("2x4", "tetrominoes", copies="any").problem().count()
    assert page.finish().startswith(f"{count} solutions, counted in")


@pytest.mark.parametrize(
    "fragment",
    ["#%", "#{}", "#null", "#%7B%22kind%22:%22__proto__%22%7D", "#%7B%22kind%22:%22queens%22,%22n%22:1e9%7D",
     "#%7B%22kind%22:%22tiling%22,%22rows%22:[%22%23%22,%22%23%23%22],%22pieces%22:%7B%22domino.I%22:1%7D%7D"],
)  # fmt: skip
def test_an_address_without_a_puzzle_is_refused(fragment: str, browser: Any) -> None:
    page = TryPage(browser, fragment=fragment)
    assert page.finish() == "The address holds no puzzle that this page can read."
    assert page.run("return JSON.parse(decodeURIComponent(location.hash.slice(1))).rows.length") == 6


@pytest.mark.parametrize(("text", "message"), [
    ("", "the first line names the items"),
    ("a a\na", "a is named twice"),
    ("a b\na c", "line 2: c is not an item of the first line"),
    ("a b\na:red", "line 2: only secondary items have colors"),
    ("a b\na a", "line 2: an item is named twice"),
])  # fmt: skip
def test_mistakes_are_named_with_their_lines(text: str, message: str, browser: Any) -> None:
    page = TryPage(browser, {"kind": "options", "text": "a\na"})
    page.run("const area = document.querySelector('#try textarea'); area.value = arguments[0]; area.oninput()", text)
    page.act("count")
    assert page.finish() == f"{message[0].upper()}{message[1:]}."
