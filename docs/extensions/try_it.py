"""The directive ``try-it``: the page that runs the native core in the browser."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path

from compile_core import compile_core
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactcover.viewer.drawing import PALETTE
from exactcover.viewer.page import TEXT_IN_DARK, join_scripts, picture_style

HERE = Path(__file__).parent.parent / "try"
FOLDER = "_try"  # below the folder of the site
SHARED = (
    *("data", "icons", "theme", "shapes", "picture", "marks", "solid_canvas", "graphs", "solver", "position", "words"),
    *("numbers", "techniques", "advisor", "answers", "tray", "shelf", "pointer", "stack", "pieces", "colors", "cells"),
    *("line_hints", "lines", "list", "play"),
)
"""Scripts of the viewer, each after those that it uses."""
STYLES = {"exactcover.viewer": ("base.css", "play.css"), "exactcover.studio": ("studio.css",)}
LACKING = "This copy of the site was built without Emscripten, so this page cannot run puzzles."


class TryIt(SphinxDirective):
    """Shows the page; without Emscripten, it says that it cannot run, unless EXACTCOVER_REQUIRE_CORE forbids that."""

    def run(self) -> list[nodes.Node]:
        if self.env.app.builder.format != "html":
            return []
        folder = Path(self.env.app.outdir)
        core = compile_core(folder.parent / "core")
        if core is None:
            if os.environ.get("EXACTCOVER_REQUIRE_CORE", "0") != "0":
                raise self.error("EXACTCOVER_REQUIRE_CORE is set, but there is no emcc")
            return [nodes.paragraph(text=LACKING)]
        read = {name: (HERE / f"{name}.js").read_text("utf-8") for name in ("puzzles", "worker", "page")}
        for name in read:
            self.env.note_dependency(str(HERE / f"{name}.js"))
        worker = json.dumps(core.read_text("utf-8") + "\n" + read["worker"])
        paint = join_scripts(("lattice", "paint"), "exactcover.studio")  # in a scope with names of its own
        paint = f"const PaintBoard = (() => {{\n{paint}\nreturn PaintBoard;\n}})();"
        shared = f"{join_scripts(SHARED)}\nconst PALETTE = {json.dumps(PALETTE)};\n{paint}"
        own = f"{read['puzzles']}\nconst WORKER = {worker};\n{read['page']}"  # in a scope that may hide shared names
        script = f"(() => {{\n{shared}\n{{\n{own}\n}}\n}})();\n"
        (folder / FOLDER).mkdir(parents=True, exist_ok=True)
        (folder / FOLDER / "try.js").write_text(script, "utf-8")
        (folder / FOLDER / "try.css").write_text(color_pictures("#try") + nest_styles("#try"), "utf-8")
        style = f'<link rel="stylesheet" href="{FOLDER}/try.css">'
        place = f'{style}<div id="try"><noscript>This page needs JavaScript.</noscript></div>'
        return [nodes.raw("", f'{place}<script src="{FOLDER}/try.js"></script>', format="html")]


def color_pictures(selector: str) -> str:
    """Return the colors of the toolkit's pictures inside an element, in the theme of the site."""
    return (
        f"{selector} {{ {picture_style()} }}\n"
        f'body[data-theme="dark"] {selector} {{ {TEXT_IN_DARK} }}\n'
        f'@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {selector} {{ {TEXT_IN_DARK} }} }}\n'
    )


def nest_styles(selector: str) -> str:
    """Return the styles of play and of the studio for what is inside an element."""
    texts = ((files(room) / "assets" / name).read_text("utf-8") for room, names in STYLES.items() for name in names)
    return f"{selector} {{\n{''.join(texts)}}}\n"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive; its page is made anew each time, since it writes files beside the pages."""
    app.connect("env-get-outdated", lambda *_: ["try"])
    app.add_directive("try-it", TryIt)
    return {"parallel_read_safe": True}
