"""The ``.dlx`` format of Knuth's programs: items on the first line, then an option a line.

::

    | a comment
    a b c | x y
    a b x:red
    c y

Items behind the ``|`` are secondary; a colon gives one a color. Blank lines and lines that begin with ``|`` mean
nothing, wherever they stand. Names and colors may be of any length.

References
----------
D. E. Knuth, programs DLX2 and SSXCC, https://cs.stanford.edu/~knuth/programs.html
"""

from __future__ import annotations

import itertools
import re
import string
import warnings
from collections.abc import Hashable, Iterable, Iterator
from typing import TextIO

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.errors import ConfigError, FormatWarning, Mistake, nearest
from exactcover.problem import Problem
from exactcover.stop import Stop

__all__ = ["read", "write"]

_SHORT = string.ascii_letters + string.digits
_FORBIDDEN = str.maketrans({":": "_", "|": "_"})
_MOST_MISTAKES = 20


def read(lines: Iterable[str], source: str = "<text>", *, stop: Stop | None = None) -> Problem:
    """Read a problem, streaming.

    Parameters
    ----------
    lines
        The lines of a file, with or without their ends.
    source
        What to call it in errors.
    stop
        Polled while reading.

    Returns
    -------
    Problem
        The label of an option is its line with single spaces, followed by its number in brackets where an earlier
        option has the same: equal options are different options.

    Raises
    ------
    ConfigError
        With line and column of up to twenty mistakes: no line with items; an item that is named twice or holds
        ``:`` or a multiplicity; an option with an unknown or repeated item, a primary item with a color, an empty
        color, or a cost. Multiplicities and costs are other programs' extensions that this package does not know.

    Warns
    -----
    FormatWarning
        If there are options without a primary item: they can never be chosen and are dropped.

    Examples
    --------
    >>> problem = read(["| the article's table", "1 2 3 4", "4", "1 4", "1 2", "1 3", "2 3 4", "3", "2 4"])
    >>> list(problem.solve())
    [('4', '1 2', '3'), ('1 3', '2 4')]
    """
    reader = _Reader(source)
    meaningful = (
        (number, line)
        for number, line in enumerate((stop or Stop()).watch(lines), 1)
        if (text := line.lstrip()) and not text.startswith("|")
    )
    first = next(meaningful, None)
    if first is None:
        raise ConfigError([Mistake("there is no line with the names of items", source, 1, 1)])
    reader.items(*first)
    if reader.mistakes:
        raise ConfigError(reader.mistakes)
    options = itertools.chain.from_iterable(reader.option(number, line) for number, line in meaningful)
    problem = Problem(options, primary=reader.primary, secondary=reader.secondary)
    if reader.mistakes:
        raise ConfigError(reader.mistakes)
    if reader.dropped:
        number, first_line = len(reader.dropped), reader.dropped[0]
        what = "this option has" if number == 1 else f"this and {number - 1} more options have"
        warnings.warn(f"{source}:{first_line}: {what} no primary item: dropped", FormatWarning, stacklevel=2)
    return problem


class _Reader:
    """Reads line by line, and collects mistakes; once there is one, options are only checked."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.primary: list[str] = []
        self.secondary: list[str] = []
        self.known: dict[str, bool] = {}  # item -> whether it is primary
        self.seen: dict[str, int] = {}  # label of an option -> how many options have it as their text
        self.mistakes: list[Mistake] = []
        self.dropped: list[int] = []

    def wrong(self, message: str, number: int, line: str, place: int) -> None:
        """Note a mistake in the token at `place` of a line."""
        if len(self.mistakes) < _MOST_MISTAKES:
            token = next(itertools.islice(re.finditer(r"\S+", line), place, None))
            self.mistakes.append(Mistake(message, self.source, number, token.start() + 1))

    def items(self, number: int, line: str) -> None:
        """Read the line that names the items."""
        kind = self.primary
        for place, token in enumerate(line.split()):
            if token == "|":
                if kind is self.secondary:
                    self.wrong("there is a second '|'; one parts primary from secondary items", number, line, place)
                kind = self.secondary
            elif "|" in token:
                self.wrong(f"{token!r}: multiplicities are not supported", number, line, place)
            elif ":" in token:
                self.wrong(f"{token!r}: no name can hold ':', it is for the colors of options", number, line, place)
            elif token in self.known:
                self.wrong(f"item {token!r} is named twice", number, line, place)
            else:
                self.known[token] = kind is self.primary
                kind.append(token)

    def option(self, number: int, line: str) -> Iterator[tuple[Label, list[Item]]]:
        """Read an option; yield it unless it is wrong or dropped."""
        items: dict[str, Item] = {}
        mistakes = len(self.mistakes)
        tokens = line.split()
        for place, token in enumerate(tokens):
            name, colon, color = token.partition(":")
            primary = self.known.get(name)
            if primary is None:
                self.wrong(self._strange(token), number, line, place)
            elif name in items:
                self.wrong(f"the option holds item {name!r} twice", number, line, place)
            elif colon and primary:
                self.wrong(f"{name!r} is a primary item; only secondary ones have colors", number, line, place)
            elif colon and (not color or ":" in color or "|" in color):
                self.wrong(f"{token!r}: expected a color behind the colon, without ':' and '|'", number, line, place)
            else:
                items[name] = Colored(name, color) if colon else name
        if len(self.mistakes) > mistakes or len(self.mistakes) == _MOST_MISTAKES:
            return
        if not any(self.known[name] for name in items):
            self.dropped.append(number)
            return
        text = " ".join(tokens)
        label, times = text, self.seen.get(text, 0)
        while label in self.seen:
            times += 1
            label = f"{text} [{times}]"
        self.seen[text] = times
        self.seen[label] = 1
        yield label, list(items.values())

    def _strange(self, token: str) -> str:
        if token.startswith("|"):
            return f"{token!r}: costs are not supported"
        return f"{token.partition(':')[0]!r} is no item{nearest(token.partition(':')[0], self.known)}"


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
