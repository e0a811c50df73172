"""The style that all pages share: fonts and colors as CSS custom properties, and how text and controls look."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from exactcover.pictures.palette import FONT, PIECES, PLAIN, TOKENS, text_on

__all__ = ["TEXT_IN_DARK", "picture_style", "shared_style"]

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
    base = (files("exactcover.viewer") / "assets" / "base.css").read_text(encoding="utf-8")
    light, dark = ("".join(f" --{name}: {both[k]};" for name, both in TOKENS.items()) for k in (0, 1))
    return (
        f":root {{ color-scheme: light dark; --font: {FONT};{light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{{dark} }} {TEXT_IN_DARK} }}\n"
        f"{picture_style()}{base}"
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
