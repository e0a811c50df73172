"""The ``.dlx`` format of Knuth's programs: items on the first line, then an option a line.

::

    | a comment
    a #b 2|c 0:3|d | x y
    a #b c x:red |15
    c d y

Items behind the ``|`` are secondary; a colon gives one a color. ``2|c`` must be covered twice, ``0:3|d`` at most three
times. A primary item whose name begins with ``#`` is preferred: branched on before others. ``|15`` behind an item of an
option is its cost, whole or decimal; several add up. Blank lines and lines that begin with ``|`` mean nothing, wherever
they stand. Names and colors may be of any length.

References
----------
D. E. Knuth, programs DLX2, DLX3, DLX5, SSXCC, SSMCC, https://cs.stanford.edu/~knuth/programs.html
"""

from __future__ import annotations

import itertools
import re
import string
import warnings
from collections.abc import Hashable, Iterable, Iterator
from decimal import Decimal
from typing import TextIO

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, FormatWarning, Mistake, nearest
from exactcover.model.matrix import Bounds
from exactcover.problem import Cost, Problem

__all__ = ["bounds_of", "bounds_text", "read", "write"]

_SHORT = string.ascii_letters + string.digits
_FORBIDDEN = str.maketrans({":": "_", "|": "_"})
_MOST_MISTAKES = 20
_COST = re.compile(r"\|[0-9]{1,1000}(\.[0-9]{1,1000})?")
_TIMES = re.compile(r"((?P<low>[0-9]{1,18}):)?(?P<high>[0-9]{1,18})")
_HOW_OFTEN = "expected v|NAME or u:v|NAME, to be covered v times, or from u to v, with u <= v and v at least 1"


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
        With line and column of up to twenty mistakes: no line with items; an item that is named twice, holds ``:`` or
        has a multiplicity that is none; an option with an unknown or repeated item, a primary item with a color, an
        empty color, or a cost that is no number.

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
    problem = Problem(
        options,
        primary=reader.primary,
        secondary=reader.secondary,
        multiplicity=reader.multiplicity,
        costs=reader.costs,
        preferred=[item for item in reader.primary if item.startswith("#")],
    )
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
        self.multiplicity: dict[Item, Bounds] = {}
        self.costs: dict[Label, Cost] = {}
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
            if token.startswith("|"):
                if kind is self.secondary:
                    self.wrong("there is a second '|'; one separates primary from secondary items", number, line, place)
                kind, token = self.secondary, token[1:]  # the bar may be glued to the first secondary item
                if not token:
                    continue
            times, bar, name = token.rpartition("|")
            bounds = bounds_of(times) if bar else None
            if bar and kind is self.secondary:
                self.wrong(f"{token!r}: only primary items have multiplicities", number, line, place)
            elif bar and (bounds is None or not name):
                self.wrong(f"{token!r}: {_HOW_OFTEN}", number, line, place)
            elif ":" in name:
                self.wrong(f"{token!r}: no name can hold ':', it is for the colors of options", number, line, place)
            elif name in self.known:
                self.wrong(f"item {name!r} is named twice", number, line, place)
            else:
                self.known[name] = kind is self.primary
                kind.append(name)
                if bounds is not None:
                    self.multiplicity[name] = bounds

    def option(self, number: int, line: str) -> Iterator[tuple[Label, list[Item]]]:
        """Read an option; yield it unless it is wrong or dropped."""
        items: dict[str, Item] = {}
        cost: Cost = 0
        mistakes = len(self.mistakes)
        tokens = line.split()
        for place, token in enumerate(tokens):
            if token[0] == "|":
                if _COST.fullmatch(token):
                    cost += Decimal(token[1:]) if "." in token else int(token[1:])
                else:
                    self.wrong(f"{token!r}: expected a cost behind the '|', like |15", number, line, place)
                continue
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
        if cost:
            self.costs[label] = cost
        yield label, list(items.values())

    def _strange(self, token: str) -> str:
        name, bar, cost = token.partition(":")[0].partition("|")
        if bar and name in self.known:
            return f"{token!r}: put a space before the cost, as in {name} |{cost}"
        return f"{token.partition(':')[0]!r} is no item{nearest(token.partition(':')[0], self.known)}"


def bounds_of(text: str) -> Bounds | None:
    """Read ``v`` or ``u:v``; None where that is no multiplicity."""
    match = _TIMES.fullmatch(text)
    if match is None:
        return None
    high = int(match["high"])
    low = high if match["low"] is None else int(match["low"])
    return (low, high) if low <= high and high >= 1 else None


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
    after those have been replaced by ``_``, or where a ``#`` would say of an item what is not so, items are numbered:
    1, 2, 3, ..., preferred ones #1, #2, ... Knuth's programs read whole costs only.

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
    costs, multiplicity = problem.costs, problem.multiplicity
    primary = (f"{bounds_text(*multiplicity[item])}|{names[item]}" if item in multiplicity else names[item]
               for item in problem.primary)  # fmt: skip
    secondary = ["|", *(names[item] for item in problem.secondary)] if problem.secondary else []
    out.write(" ".join([*primary, *secondary]) + "\n")
    for label, items in problem.options.items():
        cost = [f"|{Decimal(costs[label]).normalize():f}"] if label in costs else []
        out.write(" ".join([*_entries(items, names, colors, short=short), *cost]) + "\n")


def bounds_text(low: int, high: int) -> str:
    """Return what :func:`bounds_of` reads."""
    return f"{high}" if low == high else f"{low}:{high}"


def _names(problem: Problem, *, short: bool) -> dict[Item, str]:
    preferred = set(problem.preferred)
    texts = ["_".join(str(item).split()).translate(_FORBIDDEN) for item in problem.items]
    for place, item in enumerate(problem.items):
        if item in preferred and not texts[place].startswith("#"):
            texts[place] = f"#{texts[place]}"
    sharp = sum(text.startswith("#") for text in texts[: len(problem.primary)])
    if short or not all(texts) or len(set(texts)) < len(texts) or sharp > len(preferred):
        texts = [f"{'#' * (item in preferred)}{number}" for number, item in enumerate(problem.items, 1)]
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
