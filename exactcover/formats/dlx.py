"""The ``.dlx`` format of Knuth's programs: items on the first line, then an option a line.

::

    | a comment
    a b c | x y
    a b x:red
    c y

Items behind the ``|`` are secondary; a colon gives one a color.
"""

from __future__ import annotations

import string
from collections.abc import Hashable, Iterator
from typing import TextIO

from exactcover.algorithm_x import Colored, Item
from exactcover.problem import Problem

__all__ = ["write"]

_SHORT = string.ascii_letters + string.digits
_FORBIDDEN = str.maketrans({":": "_", "|": "_"})


def write(problem: Problem, out: TextIO, *, short: bool = False) -> None:
    """Write a problem, streaming.

    Parameters
    ----------
    out
        Where to; text.
    short
        Number the items instead of naming them, and use one character for a color, as programs with
        fixed buffers want it.

    Raises
    ------
    ValueError
        If `short` is asked for and there are more than 62 colors.

    Notes
    -----
    Where names hold characters that the format reserves (white space, ``:``, ``|``), or would coincide
    after those have been replaced by ``_``, items are numbered: 1, 2, 3, ...

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a", Colored("x", "red")], "B": ["b"]}, secondary=["x"]), sys.stdout)
    a b | x
    a x:red
    b
    """
    names = _names(problem, short=short)
    colors: dict[Hashable, str] = {}
    secondary = ["|", *(names[item] for item in problem.secondary)] if problem.secondary else []
    out.write(" ".join([*(names[item] for item in problem.primary), *secondary]) + "\n")
    for items in problem.options.values():
        out.write(" ".join(_entries(items, names, colors, short=short)) + "\n")


def _names(problem: Problem, *, short: bool) -> dict[Item, str]:
    texts = ["_".join(str(item).split()).translate(_FORBIDDEN) for item in problem.items]
    if short or not all(texts) or len(set(texts)) < len(texts):
        texts = [str(number) for number in range(1, len(texts) + 1)]
    return dict(zip(problem.items, texts, strict=True))


def _entries(
    items: tuple[Item, ...], names: dict[Item, str], colors: dict[Hashable, str], *, short: bool
) -> Iterator[str]:
    for entry in items:
        if not isinstance(entry, Colored):
            yield names[entry]
            continue
        if entry.color not in colors:
            colors[entry.color] = _color(entry.color, colors, short=short)
        yield f"{names[entry.item]}:{colors[entry.color]}"


def _color(color: Hashable, known: dict[Hashable, str], *, short: bool) -> str:
    if short:
        if len(known) >= len(_SHORT):
            raise ValueError(f"more than {len(_SHORT)} colors; one letter or digit cannot tell them apart")
        return _SHORT[len(known)]
    text = "_".join(str(color).split()).translate(_FORBIDDEN)
    return text if text and text not in known.values() else f"{text}_{len(known) + 1}"
