"""A puzzle that is played on a page: with the mouse, by touch, and with the keyboard."""

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from browsing import Page
from exactcover import Encoder, ViewOptions, view
from exactcover.viewer.link import pack_link
from exactcover.viewer.page import make_player

__all__ = ["Cells", "Play", "PlayedPage", "open_player", "pack", "solve_by_hints", "start"]

ENTER, ARROW_LEFT, ARROW_UP, ARROW_RIGHT, ARROW_DOWN = "\ue007\ue012\ue013\ue014\ue015"  # as WebDriver numbers keys
Cells = frozenset[tuple[int, int]]

CENTERS = """
const [svg, matrix] = [arguments[0], arguments[0].getScreenCTM()];
const at = ([x, y]) => { const p = new DOMPoint(x, y).matrixTransform(matrix); return [p.x, p.y]; };
"""


def pack(content: Any, tail: bytes = b"") -> str:
    """Return the text of a link with this content."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(json.dumps(content).encode() + tail) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PlayedPage(Page):
    """A page on which a puzzle is played."""

    def ask_for_hint(self) -> Iterator[int]:
        """Yield each of the three steps of a hint once it is shown."""
        self.button("Hint").click()
        for step in (1, 2, 3):
            self.wait(lambda: f"Hint {step} of 3: " in self.text("#hint"))  # noqa: B023 - waits in this turn
            yield step
            self.find("#hint button")[0].click()

    @property
    def status(self) -> str:
        return self.text("#play-status")

    def piece(self, name: str) -> Any:
        return self.find(f".tray [data-piece='{name}']")[0]

    def pose(self, name: str) -> list[tuple[float, float]]:
        """The cells of a piece as the tray shows it: the upper left corner of each."""
        path = self.run("return arguments[0].querySelector('path').getAttribute('d')", self.piece(name))
        return sorted(read_corners(path))

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

    def draw_over(self, keys: list[str], kind: str = "mouse") -> None:
        """Press on the first of some places, go on to the others, and let go."""
        names = [f".board [data-key='{key}']" for key in keys]
        middle = (
            "const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        )
        self.draw_along([self.run(middle, self.find(name)[0]) for name in names], kind)

    def draw_along(self, places: list[list[float]], kind: str = "mouse") -> None:
        """Press on the first of some places in the window, go on to the others, and let go."""
        if kind == "mouse":
            self.pointer("mousePressed", places[0])
            for place in places[1:]:
                self.pointer("mouseMoved", place)
            self.pointer("mouseReleased", places[-1])
            return
        for number, (x, y) in enumerate(places):
            event = {"type": "touchMove" if number else "touchStart", "touchPoints": [{"x": x, "y": y}]}
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

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
        self.keys(ENTER)
        row, column = self.ghost()
        down, right = min(cells)[0] - row, min(cells)[1] - column
        self.keys(*[ARROW_DOWN if down > 0 else ARROW_UP] * abs(down),
                  *[ARROW_RIGHT if right > 0 else ARROW_LEFT] * abs(right))  # fmt: skip
        self.keys(ENTER)

    def ghost(self) -> tuple[int, int]:
        """The first cell of the piece that is held."""
        path = self.run("return document.querySelector('.ghost path').getAttribute('d')")
        row, column = min(read_corners(path))
        return round(row) + 1, round(column) + 1


def read_corners(path: str) -> list[tuple[float, float]]:
    """The upper left corner of each cell of a path, as rows and columns."""
    return [(float(y) / 40, float(x) / 40) for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)h", path)]


def normalize(cells: list[Any]) -> list[tuple[int, int]]:
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return sorted((round(row - top), round(column - left)) for row, column in cells)


def open_player(browser: Any, folder: Path, encoder: Encoder, **how: Any) -> tuple[PlayedPage, str]:
    """Open the page that plays from links; return it with the text of its link."""
    text = pack_link(encoder.problem(), encoder, **how).text
    return PlayedPage(browser, folder / "page.html", make_player(), f"#puzzle={text}"), text


Play = Callable[..., PlayedPage]
"""Starts a page with an encoder; see the fixture `play`."""


def start(browser: Any, folder: Path, encoder: Encoder, *, is_alone: bool = False) -> PlayedPage:
    options = ViewOptions(nodes=0, start="play", puzzle_only=is_alone)
    page = PlayedPage(browser, folder / "page.html", view(encoder.problem(), encoder, options=options))
    page.wait(lambda: "Still solvable" in page.status or (is_alone and re.search("left|drawn", page.status)))
    return page


# The marks of a hint: on the board, or in the tray.
MARKED = "return document.querySelectorAll('.hint-marks > :not([d=\"\"]), .tray .hinted').length"


def solve_by_hints(page: PlayedPage, most: int = 999) -> list[str]:
    """Follow hints to a solution, or so many, each of which marks something; return their texts."""
    texts: list[str] = []
    while "Solved." not in page.status and len(texts) < 3 * most:
        for _ in page.ask_for_hint():
            texts.append(page.run("return document.querySelector('#hint span').nextSibling.textContent"))
            assert page.run(MARKED) or "can be noted" in texts[-1]
    return texts
