"""Measure pages in Chromium: how soon they are ready, filters, and frames while something is dragged or scrolled.

    python benchmarks/pages.py
    python benchmarks/pages.py --strict

The page of all pentomino tilings of 6x10 is opened, filtered by each placement of its first solution, and played: a
piece is dragged over the board. The tree of a search is scrolled from end to end. Times depend on what else the machine
does; numbers of elements and layouts do not. The exit status is 1 if a filter counts wrong, or with --strict, if a goal
is missed. It needs Chromium with chromedriver, and the extra `test`.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from exactcover import ViewOptions, view
from problems import Polyomino

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from browsing import open_browser
from commands import PATIENCE
from playing import PlayedPage

RECORD = """
window.frames_ = []; window.isRecorded_ = true;
const note = (now) => { window.frames_.push(now); if (window.isRecorded_) requestAnimationFrame(note); };
requestAnimationFrame(note);
"""
FILTER = """
const piece = document.querySelector(`#large [data-option="${arguments[0]}"]`);
const start = performance.now();
piece.dispatchEvent(new MouseEvent("click", { bubbles: true }));
document.body.getBoundingClientRect();
const time = performance.now() - start;
const count = document.getElementById("count").textContent;
document.querySelectorAll(".chips button")[1].click();
return [time, count];
"""
ENLARGED = 12  # times
SCROLL = """
const [seconds, done] = arguments;
const scroller = document.querySelector("#view-search .tree");
const [width, start] = [scroller.scrollWidth - scroller.clientWidth, performance.now()];
const frames = [];
const step = (now) => {
  frames.push(now);
  const share = (performance.now() - start) / (1000 * seconds);
  scroller.scrollLeft = width * Math.min(1, share);
  if (share < 1) requestAnimationFrame(step);
  else done([frames, width]);
};
requestAnimationFrame(step);
"""


@dataclass(frozen=True)
class Row:
    """A line of the table: what was measured, how much, and at most or at least how much is wanted."""

    what: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None

    @property
    def is_met(self) -> bool:
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)

    def __str__(self) -> str:
        goal = "" if self.most is None else f"at most {self.most:g}"
        goal = goal if self.least is None else f"at least {self.least:g}"
        return (
            f"{self.what:<52} {self.value:>10,.1f} {self.unit:<9} {goal:<14} {'' if self.is_met else 'missed'}".rstrip()
        )


class MeasuredPage(PlayedPage):
    """A page that is open in Chromium, and what it has taken."""

    def __init__(self, browser: Any, file: Path, fragment: str) -> None:
        self.open(browser, f"{file.as_uri()}{fragment}")

    @property
    def ready(self) -> float:
        """The milliseconds until the page was ready, as it says itself."""
        return float(self.run("return document.documentElement.dataset.ready"))

    def metrics(self) -> dict[str, float]:
        self.browser.execute_cdp_cmd("Performance.enable", {})
        found = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return {one["name"]: one["value"] for one in found}

    @contextmanager
    def record(self) -> Iterator[list[float]]:
        """Record when frames are drawn, in milliseconds."""
        frames: list[float] = []
        self.run(RECORD)
        yield frames
        frames += self.run("window.isRecorded_ = false; return window.frames_")


def main() -> int:
    options = parse_arguments()
    encoder = Polyomino(board=options.board)
    problem = encoder.problem()
    page_options = ViewOptions(nodes=options.nodes)
    rows: list[Row] = []
    driver = shutil.which("chromedriver")
    if driver is None:
        sys.exit("chromedriver is not installed")
    with tempfile.TemporaryDirectory() as folder, open_browser(driver, "1440,900") as browser:
        file = Path(folder) / "page.html"
        file.write_text(view(problem, encoder, title="Measurements", options=page_options), "utf-8")
        solutions = list(problem.solve())
        rows.append(Row("size of the page", file.stat().st_size / 1000, "kB"))
        ready = [MeasuredPage(browser, file, "#view=solutions").ready for _ in range(options.rounds)]
        rows.append(Row(f"{len(solutions):,} tilings are ready after", statistics.median(ready), "ms", most=600))
        page = MeasuredPage(browser, file, "#view=solutions")
        rows.append(Row("elements in the page", page.metrics()["Nodes"], "nodes"))
        rows += measure_filters(page, [set(solution) for solution in solutions], problem.labels, options.rounds)
        rows += measure_drag(MeasuredPage(browser, file, "#view=play"), options.moves)
        rows += measure_scroll(MeasuredPage(browser, file, "#view=search"), options.seconds)
    print(*rows, sep="\n")
    return 1 if options.strict and not all(row.is_met for row in rows) else 0


def measure_filters(page: MeasuredPage, solutions: list[set[Any]], labels: tuple[Any, ...], rounds: int) -> list[Row]:
    """Filter by each placement of the first solution, and compare the counts with the solutions."""
    times = []
    shown = page.run("return [...document.querySelectorAll('#large [data-option]')].map((one) => one.dataset.option)")
    for option in [int(text) for text in shown] * rounds:
        milliseconds, count = page.run(FILTER, option)
        wanted = sum(labels[option] in solution for solution in solutions)
        if int(count.split()[0].replace(",", "")) != wanted:
            sys.exit(f"WRONG: the page counts {count!r} with {labels[option]}, but {wanted:,} solutions contain it")
        times.append(milliseconds)
    return [
        Row("a filter takes, in the median", statistics.median(times), "ms", most=50),
        Row("a filter takes at most", max(times), "ms", most=50),
    ]


def measure_drag(page: MeasuredPage, moves: int) -> list[Row]:
    """Drag a piece over the board."""
    place = "const box = arguments[0].getBoundingClientRect(); return [box.x, box.y, box.width, box.height]"
    x, y, width, height = page.run(place, page.wait(lambda: page.find(".tray .piece svg"))[0])
    left, top, across, down = page.run(place, page.find(".board svg")[0])
    before = page.metrics()
    page.pointer("mousePressed", [x + width / 2, y + height / 2])
    with page.record() as frames:
        for move in range(moves):
            share = move / moves
            wave = 0.5 + 0.4 * ((8 * share) % 1 - 0.5)
            page.pointer("mouseMoved", [left + across * share, top + down * wave])
    page.pointer("mouseMoved", [left + across / 2, top + down / 2])
    if not page.run("return document.querySelector('.ghost path') !== null"):
        sys.exit("WRONG: a piece that is dragged over the board does not show where it would lie")
    page.pointer("mouseReleased", [2, 2])
    after = page.metrics()
    layouts = (after["LayoutCount"] - before["LayoutCount"]) / moves
    return [*describe_frames("while a piece is dragged", frames), Row("layouts for each move", layouts, "layouts")]


def measure_scroll(page: MeasuredPage, seconds: float) -> list[Row]:
    """Unfold the tree of the search, which is seen whole at first, enlarge it, and scroll it from end to end."""
    nodes = page.run("return document.querySelector('#view-search .place').textContent")
    unfold = (
        "[...document.querySelectorAll('#view-search button')].find((one) => one.textContent.includes('Fold failed'))"
    )
    page.run(f"const fold = {unfold}; if (fold.getAttribute('aria-pressed') === 'true') fold.click()")
    page.run(f"for (let k = 0; k < {ENLARGED}; ++k) document.querySelector('[title=\"Larger\"]').click()")
    page.browser.set_script_timeout(PATIENCE + seconds)
    frames, width = page.browser.execute_async_script(SCROLL, seconds)
    if width <= 0:
        sys.exit("WRONG: the tree does not scroll")
    name = nodes.split(" of ")[1].split(", level")[0]
    return describe_frames(f"while a tree of {name} nodes scrolls", frames)


def describe_frames(when: str, frames: list[float]) -> list[Row]:
    steps = [after - before for before, after in pairwise(frames)]
    if not steps:
        sys.exit(f"WRONG: nothing is drawn {when}")
    return [
        Row(f"frames {when}", 1000 / statistics.mean(steps), "a second", least=59),
        Row("  the longest frame", max(steps), "ms"),
    ]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="6x10", help="the board that pentominoes fill")
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes of the tree that is scrolled")
    parser.add_argument("--rounds", type=int, default=5, help="how often pages are opened and filtered")
    parser.add_argument("--moves", type=int, default=300, help="steps of the mouse while a piece is dragged")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long the tree scrolls")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 if a goal is missed")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
