"""The directive ``gallery``: every bundled configuration as a card, and ``playable``: one of them to be played."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from page_puzzles import make_address
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactcover import Label, Problem, estimate
from exactcover.config.configuration import Configuration, Known, read_file
from exactcover.encoders.discovery import find_config, find_configs
from exactcover.errors import ProblemError
from exactcover.formats.puzzle_sheets import add_pieces, has_flat_pieces
from exactcover.viewer.link import pack_link
from exactcover.viewer.matrix_page import MatrixDrawer
from exactcover.viewer.page import make_player

FOLDER = "_gallery"  # below the folder of the site
LETTERS = 10_000  # of a link
SECONDS = 60  # in which a solution must be found; all of them together take a few
FIT = (
    "const page = this.contentDocument; page && new ResizeObserver("
    "() => { this.style.height = `${page.documentElement.scrollHeight}px`; }).observe(page.body)"
)
"""Makes a frame as high as its page."""
PROBES = 200  # of the search tree, for an estimate of its size
LEVELS = {"easy": 100, "medium": 10_000, "hard": 10_000_000}  # by nodes of a search for all solutions
TITLES = {
    "Squares": {"polyomino", "rectangles"},
    "Solids and piles": {"polycube", "polysphere"},
    "Other cells": {"polyhex", "polyiamond", "polystick"},
    "Sudoku": {"sudoku", "samurai"},
    "Pencil puzzles": {"grid"},
    "Chess pieces and symbols": {"queens", "costas", "langford", "latin", "crossword", "edgematching"},
    "Loops, paths and districts": {"slitherlink", "loops", "masyu", "numberlink", "districts"},
    "Graphs, designs and plans": {"coloring", "matching", "design", "roster", "options", "staffing"},
}
OTHERS = "More puzzles"


class Gallery(SphinxDirective):
    """Shows each configuration as a card."""

    def run(self) -> list[nodes.Node]:
        if self.env.app.builder.format != "html":
            return []
        groups: dict[str, list[str]] = {title: [] for title in (*TITLES, OTHERS)}
        for name, path in find_configs().items():
            self.env.note_dependency(str(path))
            configuration = read_file(path)
            titles = (title for title, families in TITLES.items() if configuration.problem in families)
            title = next(titles, OTHERS)
            card = [".. container:: card", "", *_indent(self._describe(name, path, configuration)), ""]
            groups[title] += _indent(card)
        lines = []
        for title, found in groups.items():
            if found:
                lines += [title, "-" * len(title), "", ".. container:: cards", "", *found]
        return self.parse_text_to_nodes(StringList(lines, "gallery"), allow_section_headings=True)

    def _describe(self, name: str, path: Path, configuration: Configuration) -> Iterator[str]:
        """Yield the lines of a card, and write its picture."""
        text = path.read_text("utf-8").rstrip()
        about = text.partition("\n")[0].lstrip("# ") if text.startswith("#") else configuration.problem
        stem, title = name.removesuffix(".yaml"), configuration.describe()
        problem = configuration.encoder.problem()
        links, reason = self._make_player(stem, configuration, problem)
        known = configuration.known
        is_secret = bool(links) or known.solutions == 1
        picture = self._draw(stem, configuration, problem, is_secret=is_secret)
        if picture:
            alternative = html.escape(f"{title}: {about}")
            image = f'<img loading="lazy" src="{picture}" alt="{alternative}">'
            yield from _show_raw(f'<div class="shot">{image}</div>')
        yield from (f".. rubric:: {_escape(title)}", f"   :name: puzzle-{stem}", "   :heading-level: 3", "")
        yield from (_escape(_capital(about.removeprefix(title).lstrip(",.:; "))), "")
        yield from (f"{_capital(_rate(problem))} · {_count(known)}", "", reason, "")
        address = make_address(configuration.encoder)
        links += [] if address is None else [f'<a href="{address}">Change it</a>']
        if links:
            yield from _show_raw(f'<div class="acts">{"".join(links)}</div>')
        yield from _show_raw(f"<details><summary>{name}</summary>")
        yield from (f"Family: :ref:`{configuration.problem}`.", "")
        yield from (".. code-block:: yaml", "", *(f"   {line}" for line in text.split("\n")), "")
        yield from _show_raw("</details>")

    def _make_player(self, name: str, configuration: Configuration, problem: Problem) -> tuple[list[str], str]:
        """Return a link that plays the puzzle and leads back to its card, or that there is none."""
        try:
            address = make_player_address(configuration, problem)
        except ProblemError:
            return [], "Cannot be played here."
        address = address.replace("#", f"?{nodes.make_id(f'puzzle-{name}')}#", 1)
        return [f'<a class="play" href="{address}">Play</a>'], ""

    def _draw(self, title: str, configuration: Configuration, problem: Problem, *, is_secret: bool) -> str:
        """Write a picture, and return its address on the page; empty if there is nothing to draw.

        It shows a solution, the cheapest if costs matter; but if solutions are secret, what is given, and the pieces.
        """
        encoder = configuration.encoder
        shown: Sequence[Label] | None = tuple(encoder.givens())
        if not is_secret:
            is_plan = configuration.search.cheapest or configuration.search.best_effort
            shown = next(problem.cheapest(1, timeout=SECONDS), None) if is_plan else problem.find(timeout=SECONDS)
        if shown is None:
            raise ValueError(f"{title} has no solution")
        picture = encoder.draw(shown) or MatrixDrawer(problem).draw(shown)
        if picture is not None and is_secret and has_flat_pieces(encoder):
            picture = add_pieces(picture, encoder, problem, shown, aspect=4 / 3)
        if picture is None:
            return ""
        folder = Path(self.env.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{title}.svg").write_text(picture.to_svg(), "utf-8")
        return f"{FOLDER}/{title}.svg"


class Playable(SphinxDirective):
    """Shows a bundled configuration in a frame in which it is played."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        if self.env.app.builder.format != "html":
            return []
        config = find_config(self.arguments[0])
        if config is None:
            raise self.error(f"there is no bundled file {self.arguments[0]}")
        self.env.note_dependency(str(config))
        configuration = read_file(config)
        title = html.escape(f"Play: {configuration.describe()}")
        address = make_player_address(configuration, configuration.encoder.problem())
        frame = f'<iframe class="play" src="{address}" title="{title}" onload="{FIT}"></iframe>'
        return [nodes.raw("", frame, format="html")]


def make_player_address(configuration: Configuration, problem: Problem) -> str:
    """Return the address of a page that plays a puzzle.

    Raises
    ------
    ProblemError
        If it is too large, or has no board.
    """
    link = pack_link(problem, configuration.encoder, title=configuration.describe(), letters=LETTERS)
    return f"{FOLDER}/play.html#puzzle={link.text}"


def write_player(app: Sphinx) -> None:
    """Write the page that plays puzzles."""
    if app.builder.format == "html":
        folder = Path(app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "play.html").write_text(make_player("../gallery.html"), "utf-8")


def _indent(lines: Iterator[str] | list[str]) -> list[str]:
    return [f"   {line}" if line else "" for line in lines]


def _show_raw(markup: str) -> list[str]:
    """Return the lines that put HTML on the page."""
    return [".. raw:: html", "", f"   {markup}", ""]


def _escape(text: str) -> str:
    """Return text without the marks of reStructuredText."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _count(known: Known) -> str:
    """Return what is known about the number of solutions, as a sentence."""
    parts = []
    if known.solutions is not None:
        parts.append(f"{known.solutions:,} solution{'' if known.solutions == 1 else 's'}")
    if known.distinct is not None:
        parts.append(f"{known.distinct:,} up to symmetry")
    return ", ".join(parts) or "number of solutions not stated"


def _rate(problem: Problem) -> str:
    """Return how hard a puzzle is for a search, as a word."""
    visited = estimate(problem, probes=PROBES, timed=False).nodes
    return next((level for level, most in LEVELS.items() if visited is not None and visited <= most), "very hard")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive; its page is made anew each time, since it writes files beside the pages."""
    app.connect("env-get-outdated", lambda *_: ["gallery"])
    app.connect("builder-inited", write_player)
    app.add_directive("gallery", Gallery)
    app.add_directive("playable", Playable)
    return {"parallel_read_safe": True}
