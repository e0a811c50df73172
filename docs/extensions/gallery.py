"""The directive ``gallery``: every bundled configuration with a picture, its file, and what is known about it."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from page_puzzles import make_address
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactcover import Problem, StoppedError
from exactcover.config.configuration import Configuration, Known
from exactcover.config.reading import read_file
from exactcover.encoders.finding import find_configs
from exactcover.errors import ProblemError
from exactcover.viewer.link import pack_link
from exactcover.viewer.page import make_player

FOLDER = "_gallery"  # below the folder of the site
LETTERS = 6_000  # of a link
SECONDS = 60  # in which a solution must be found; all of them together take a few
PATIENCE = 2  # seconds for a count; nearly all take a fraction
TITLES = {
    "Squares": {"polyomino", "rectangles"},
    "Solids and piles": {"polycube", "polysphere"},
    "Other cells": {"polyhex", "polyiamond", "polystick"},
    "Sudoku": {"sudoku", "samurai"},
    "Chess pieces and symbols": {"queens", "costas", "langford", "latin", "crossword", "edgematching"},
    "Graphs, designs and plans": {"coloring", "matching", "design", "roster", "options", "staffing"},
}
OTHERS = "More puzzles"


class Gallery(SphinxDirective):
    """Shows each configuration as a section."""

    def run(self) -> list[nodes.Node]:
        if self.env.app.builder.format != "html":
            return []
        groups: dict[str, list[str]] = {title: [] for title in (*TITLES, OTHERS)}
        for name, path in find_configs().items():
            self.env.note_dependency(str(path))
            configuration = read_file(path)
            titles = (title for title, families in TITLES.items() if configuration.problem in families)
            title = next(titles, OTHERS)
            groups[title] += self._describe(name, path, configuration)
        lines = [line for title, found in groups.items() if found for line in (title, "-" * len(title), "", *found)]
        return self.parse_text_to_nodes(StringList(lines, "gallery"), allow_section_headings=True)

    def _describe(self, name: str, path: Path, configuration: Configuration) -> Iterator[str]:
        """Yield the lines of a section, and write its picture."""
        text = path.read_text("utf-8").rstrip()
        about = text.partition("\n")[0].lstrip("# ") if text.startswith("#") else configuration.problem
        title = name.removesuffix(".yaml")
        yield from (f".. _{name}:", "", title, "~" * len(title), "", f"{_escape(about)}", "")
        problem = configuration.encoder.problem()
        picture = self._draw(title, configuration, problem)
        if picture:
            alternative = html.escape(f"A solution of {title}: {about}")
            yield from _show_raw(f'<img class="gallery" loading="lazy" src="{picture}" alt="{alternative}">')
        counted = _measure(title, problem, configuration.known)
        yield from (f"*{_count(configuration.known)}* {counted} Family: :ref:`{configuration.problem}`.", "")
        address = make_address(configuration.encoder)
        links = [] if address is None else [f'<a href="{address}">Solve it in the browser</a>']
        links += self._make_player(about, configuration, problem)
        if links:
            yield from _show_raw(f"<p>{' · '.join(links)}</p>")
        yield from _show_raw(f"<details><summary>{name}</summary>")
        yield from (".. code-block:: yaml", "", *(f"   {line}" for line in text.split("\n")), "")
        yield from _show_raw("</details>")

    def _make_player(self, about: str, configuration: Configuration, problem: Problem) -> Iterator[str]:
        """Yield a link that plays the puzzle on a page without a server, and write that page."""
        try:
            link = pack_link(problem, configuration.encoder, title=about, letters=LETTERS)
        except ProblemError:  # it is too large, or has no board
            return
        folder = Path(self.env.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "play.html").write_text(make_player(), "utf-8")
        yield f'<a href="{FOLDER}/play.html#puzzle={link.text}">Play it</a>'

    def _draw(self, title: str, configuration: Configuration, problem: Problem) -> str:
        """Write a picture of a solution, and return its address on the page; empty if there is nothing to draw."""
        encoder = configuration.encoder
        solution = problem.find(timeout=SECONDS)
        if solution is None:
            raise ValueError(f"{title} has no solution")
        picture = encoder.draw(solution)
        if picture is None:
            return ""
        folder = Path(self.env.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{title}.svg").write_text(picture.to_svg(), "utf-8")
        return f"{FOLDER}/{title}.svg"


def _show_raw(markup: str) -> list[str]:
    """Return the lines that put HTML on the page."""
    return [".. raw:: html", "", f"   {markup}", ""]


def _escape(text: str) -> str:
    """Return text without the marks of reStructuredText."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def _count(known: Known) -> str:
    """Return what is known about the number of solutions, as a sentence."""
    parts = []
    if known.solutions is not None:
        parts.append(f"{known.solutions:,} solution{'' if known.solutions == 1 else 's'}")
    if known.distinct is not None:
        parts.append(f"{known.distinct:,} up to symmetry")
    source = f" ({_escape(known.source)})" if known.source else ""
    return f"{', '.join(parts) or 'Number of solutions not stated'}{source}."


def _measure(title: str, problem: Problem, known: Known) -> str:
    """Count, and return how long it took, as a sentence.

    Raises
    ------
    ValueError
        If the file states another number.
    """
    begun = time.perf_counter()
    try:
        number = problem.count(timeout=PATIENCE)
    except StoppedError:
        return f"A count takes longer than {PATIENCE} s."
    seconds = time.perf_counter() - begun
    if known.solutions not in (None, number):
        raise ValueError(f"{title} has {number} solutions, and states {known.solutions}")
    counted = "" if known.solutions is not None else f"{number:,} solution{'s' * (number != 1)}, "
    return f"{counted}{'counted' if counted else 'Counted'} in {max(seconds, 0.01):.2f} s when this site was built."


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive; its page is made anew each time, since it writes files beside the pages."""
    app.connect("env-get-outdated", lambda *_: ["gallery"])
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True}
