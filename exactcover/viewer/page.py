"""The page: a template, a style sheet and scripts, put together with the data of one problem."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from exactcover.pictures import printable
from exactcover.pictures.palette import FONT, PIECES, PLAIN, TOKENS, text_on
from exactcover.viewer.drawing import PALETTE

TEXT_IN_DARK = f".on-light {{ fill: {text_on('#ffffff')}; }} .on-dark {{ fill: var(--ink); }}"
"""The rules for texts in the dark theme. The scripts mark texts by what is behind them there."""

_PLAIN = dict(zip(PLAIN, ("tint-paper", "tint-shaded", "tint-blocked", "paper"), strict=True))


@cache
def shared_style() -> str:
    """Return the style sheet that every page begins with.

    Examples
    --------
    >>> shared_style().startswith(":root { color-scheme: light dark;")
    True
    """
    light, dark = ("".join(f" --{name}: {both[k]};" for name, both in TOKENS.items()) for k in (0, 1))
    return (
        f":root {{ color-scheme: light dark; --font: {FONT};{light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{{dark} }} {TEXT_IN_DARK} }}\n"
        f"{picture_style()}{_read('base.css')}"
    )


def picture_style() -> str:
    """Return the rules that give the parts of pictures their colors in both themes.

    The scripts give ``.tN`` to what has tint N and set ``--s`` to its strength.
    """
    tints = range(len(PIECES))
    names = {**{f"t{k}": f"tint-{k}" for k in tints}, **{f"t{k}": _PLAIN[k] for k in PLAIN}}
    names |= {f"deep{k}": f"deep-{k}" for k in tints}
    rules = [f".{one} {{ --c: var(--{name}); }}\n" for one, name in names.items()]
    fill = "color-mix(in srgb, var(--c) calc(var(--s, 1) * 100%), var(--tint-paper))"
    rules.append(f".tint {{ fill: {fill}; stroke: {fill}; }}\n")
    return "".join(rules) + ".outline { stroke: var(--outline); } .rule { stroke: var(--rule); }\n"


# Each module uses only those before it.
_MODULES = (
    *("data", "icons", "theme", "shapes", "picture", "marks", "diagram", "heat", "sheet", "taking", "solutions"),
    *("solid_canvas", "solid"),
    *("tree", "canvas", "graphs", "solver", "position", "matrix", "explain", "similar"),
    *("words", "numbers", "search", "tabs"),
    *("techniques", "advisor", "answers", "tray", "shelf", "pointer", "stack", "pieces"),
    *("colors", "cells", "line_hints", "lines", "list", "play", "link", "main"),
)


class Page(str):
    """The text of a page, which shows itself in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 44rem; border: 1px solid #d8d5cc; border-radius: 10px"
        rights = "allow-scripts allow-downloads allow-modals"
        return f'<iframe title="solutions" sandbox="{rights}" style="{style}" srcdoc="{escape(self)}"></iframe>'


def make_page(
    title: str,
    summary: str,
    picture: str,
    data: Mapping[str, Any],
    home: str = "",
    links: Mapping[str, str] | None = None,
) -> Page:
    """Return the page; `home` is the gallery that it is opened from, and `links` lead to the puzzle on other sites.

    Without scripts, it shows the picture, which is SVG, or text that is already escaped.
    """
    sites = [
        f'<a href="{escape(address)}" rel="noreferrer">{escape(name)}</a>' for name, address in (links or {}).items()
    ]
    policy = (
        f"default-src 'none'; script-src '{hash_scripts()}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    content = json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode()
    values = {
        "policy": escape(policy),
        "brand": f'<a href="{escape(home)}">exactcover</a>' if home else "exactcover",
        "title": escape(printable(title)),
        "summary": escape(printable(summary)),
        "style": _read_styles(),
        "sites": f'<p class="soft">On other sites: {", ".join(sites)}</p>' if sites else "",
        "picture": picture,
        "data": base64.b64encode(zlib.compress(content, 9)).decode(),
        "script": join_scripts(),
    }
    return Page(re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], _read("page.html")))


def make_player(home: str = "") -> Page:
    """Return a page without a puzzle, which plays those of links, such as those of a gallery at the address `home`."""
    gallery = f'Choose one in <a href="{escape(home)}">the gallery</a>.'
    way = gallery if home else "Open a link with one; <code>exactcover studio</code> makes such links."
    about = f"<p>The address of this page contains no puzzle. {way}</p>"
    return make_page("Play a puzzle", "", about, {"palette": PALETTE}, home)


def hash_scripts() -> str:
    """Return the hash of the scripts, as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(join_scripts().encode()).digest()).decode()}"


@cache
def _read(name: str, package: str = "exactcover.viewer") -> str:
    return (files(package) / "assets" / name).read_text(encoding="utf-8")


@cache
def _read_styles() -> str:
    """Return all styles, without comments, the spaces around braces and semicolons, and semicolons that end rules."""
    text = shared_style() + "".join(map(_read, ("style.css", "search.css", "play.css")))
    return re.sub(r"\s*([{};,])\s*|(?<=:) ", r"\1", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).replace(";}", "}")


@cache
def join_scripts(modules: Iterable[str] = _MODULES, package: str = "exactcover.viewer") -> str:
    """Return modules of a package as one script; each uses only those before it.

    It has no imports, no word export, no indentation, no comments but the license, and fewer blanks and line breaks.
    """
    text = "\n".join(_shorten(_read(f"{name}.js", package), has_license=name == "icons") for name in modules)
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)


def _shorten(text: str, *, has_license: bool) -> str:
    text = re.sub(r"^import .*?;\n|^ +|^\n|(?<=[;,{(\[]) +// .*$", "", text, flags=re.MULTILINE)
    if has_license:
        return text
    text = re.sub(r"^//.*\n|^/\*\*(?:.|\n)*?\*/\n?", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=[{(\[,])\n|\n(?=[})\]])", "", text)
    blanks = r" (=>|[!=]==|&&|[|]{2}|[?]{2}) |(?<=[)]) (?=[{])|(?<=\bif) (?=[(])|(?<=\bfor) (?=[(])"  # not in any text
    return re.sub(blanks, r"\1", text)
