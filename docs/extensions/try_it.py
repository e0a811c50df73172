"""The directive ``try-it``: the page that runs the native core in the browser."""

from __future__ import annotations

import json
import os
from pathlib import Path

from compile_core import compile_core
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactcover.pictures.palette import TOKENS

HERE = Path(__file__).parent.parent / "try"
FOLDER = "_try"  # below the folder of the site
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
        script = f"(() => {{\n{read['puzzles']}\nconst WORKER = {worker};\n{read['page']}\n}})();\n"
        (folder / FOLDER).mkdir(parents=True, exist_ok=True)
        (folder / FOLDER / "try.js").write_text(script, "utf-8")
        (folder / FOLDER / "try.css").write_text(color_tokens("#try"), "utf-8")
        style = f'<link rel="stylesheet" href="{FOLDER}/try.css">'
        place = f'{style}<div id="try"><noscript>This page needs JavaScript.</noscript></div>'
        return [nodes.raw("", f'{place}<script src="{FOLDER}/try.js"></script>', format="html")]


def color_tokens(selector: str) -> str:
    """Return the colors of the toolkit's pages as custom properties of an element, in the theme of the site."""
    light, dark = ("".join(f" --{name}: {both[k]};" for name, both in TOKENS.items()) for k in (0, 1))
    return (
        f"{selector} {{{light} }}\n"
        f'body[data-theme="dark"] {selector} {{{dark} }}\n'
        f'@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {selector} {{{dark} }} }}\n'
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive; its page is made anew each time, since it writes files beside the pages."""
    app.connect("env-get-outdated", lambda *_: ["try"])
    app.add_directive("try-it", TryIt)
    return {"parallel_read_safe": True}
