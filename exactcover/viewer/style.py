"""The style that all pages share: colors as CSS custom properties, and how text and controls look."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from exactcover.pictures.palette import PIECES, PLAIN, TOKENS, text_on

__all__ = ["shared_style"]

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
        f":root {{ color-scheme: light dark;{light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{{dark} }} }}\n"
        + "".join(f"{line}\n" for line in _color_rules())
        + base
    )


def _color_rules() -> Iterable[str]:
    """Yield the rules that give the parts of pictures their colors in both themes.

    The scripts give ``.tN`` to what has tint N and set ``--s`` to its strength. ``.on-light`` and ``.on-dark`` mark
    text by what is behind it in the dark theme.
    """
    tints = range(len(PIECES))
    names = {**{f"t{k}": f"tint-{k}" for k in tints}, **{f"t{k}": _PLAIN[k] for k in PLAIN}}
    names |= {f"deep{k}": f"deep-{k}" for k in tints}
    yield "".join(f".{one} {{ --c: var(--{name}); }}\n" for one, name in names.items()).rstrip()
    fill = "color-mix(in srgb, var(--c) calc(var(--s, 1) * 100%), var(--tint-paper))"
    yield f".tint {{ fill: {fill}; stroke: {fill}; }}"
    yield ".outline { stroke: var(--outline); } .rule { stroke: var(--rule); }"
    yield "@media screen and (prefers-color-scheme: dark) {"
    yield f".on-light {{ fill: {text_on('#ffffff')}; }} .on-dark {{ fill: var(--ink); }} "
    yield "}"
