"""The ``.dlx`` format of Knuth's programs: the items on the first line, then one option per line.

::

    | a comment
    a #b 2|c 0:3|d | x y
    a #b c x:red |15
    c d y

Items after the ``|`` are secondary; in an option, a colon gives such an item a color. ``2|c`` must be covered twice,
``0:3|d`` at most three times. A primary item whose name begins with ``#`` is preferred: the search branches on it
before others. ``|15`` after an item adds 15 to the cost of the option; costs may be decimal, and several costs add up.
Blank lines and lines that begin with ``|`` are ignored. Names and colors may have any length.

References
----------
D. E. Knuth, programs DLX2, DLX3, DLX5, SSXCC, SSMCC, https://cs.stanford.edu/~knuth/programs.html
"""

from __future__ import annotations

import itertools
import re
import string
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TextIO

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.control.arguments import check_arguments
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, FormatWarning, Mistake, ProblemError, nearest
from exactcover.formats.texts import refuse_soft
from exactcover.model.costs import add_costs
from exactcover.model.matrix import Bounds
from exactcover.pictures.text import printable, show_value
from exactcover.problem import Cost, Problem

__all__ = ["bounds_of", "bounds_text", "describe_bounds_fault", "read", "write"]

_SHORT = string.ascii_letters + string.digits
_FORBIDDEN = str.maketrans(dict.fromkeys(":|\ufeff", "_"))  # a byte order mark at the beginning would be dropped
_MAX_MISTAKES = 20
_COST = re.compile(r"\|[0-9]{1,1000}(\.[0-9]{1,1000})?")
_MAX_DIGITS = 18  # of a multiplicity
_TIMES = re.compile(rf"((?P<low>[0-9]{{1,{_MAX_DIGITS}}}):)?(?P<high>[0-9]{{1,{_MAX_DIGITS}}})")
_TIMES_OF_ANY_SIZE = re.compile(r"([0-9]+:)?[0-9]+")


@check_arguments
def read(lines: Iterable[str], source: str = "<text>", *, stop: Stop | None = None) -> Problem:
    """Read a problem line by line.

    Parameters
    ----------
    lines
        The lines of a file, with or without line ends.
    source
        The name used in errors.
    stop
        Polled while reading.

    Returns
    -------
    Problem
        The label of an option is its line with single spaces. If several lines are equal, the second and later ones
        get a number in brackets, because they are different options.

    Raises
    ------
    ConfigError
        If there is no line with items; an item is duplicate, contains ``:`` or has an invalid multiplicity; or an
        option contains an unknown or repeated item, a primary item with a color, an empty color, or a cost that is not
        a number. The error lists up to twenty mistakes with line and column.

    Warns
    -----
    FormatWarning
        If options without a primary item are dropped; they could never be chosen.

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
        raise ConfigError([Mistake("missing line with the names of the items", source, 1, 1)])
    reader.read_items(*first)
    if reader.mistakes:
        raise ConfigError(reader.mistakes)
    options = itertools.chain.from_iterable(reader.read_option(number, line) for number, line in meaningful)
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
        message = f"{source}:{first_line}: dropped an option without a primary item"
        if number > 1:
            message = f"{source}:{first_line}: dropped {number} options without a primary item; this is the first"
        warnings.warn(message, FormatWarning, stacklevel=2)
    return problem


class _Reader:
    """Reads the lines and collects mistakes; lines and columns count from 1."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.primary: list[str] = []
        self.secondary: list[str] = []
        self.known: dict[str, bool] = {}  # item -> whether it is primary
        self.multiplicity: dict[Item, Bounds] = {}
        self.costs: dict[Label, Cost] = {}
        self.seen: dict[str, int] = {}  # label of an option -> number of options with this text so far
        self.mistakes: list[Mistake] = []
        self.dropped: list[int] = []  # line numbers

    def add_mistake(self, message: str, number: int, line: str, place: int) -> None:
        """Add a mistake in the token at `place` of a line, unless there are twenty."""
        if len(self.mistakes) < _MAX_MISTAKES:
            token = next(itertools.islice(re.finditer(r"\S+", line), place, None))
            self.mistakes.append(Mistake(message, self.source, number, token.start() + 1))

    def read_items(self, number: int, line: str) -> None:
        """Read the line with the names of the items."""
        kind = self.primary
        for place, token in enumerate(line.split()):
            if token.startswith("|"):
                if kind is self.secondary:
                    self.add_mistake("unexpected second '|'; secondary items follow the first one", number, line, place)
                kind, token = self.secondary, token[1:]  # the bar may precede the first secondary item directly
                if not token:
                    continue
            times, bar, name = token.rpartition("|")
            bounds = bounds_of(times) if bar else None
            if bar and kind is self.secondary:
                self.add_mistake(f"{show_value(token)}: only primary items have multiplicities", number, line, place)
            elif bar and (bounds is None or not name):
                self.add_mistake(f"{show_value(token)}: {describe_bounds_fault(times)}", number, line, place)
            elif ":" in name:
                self.add_mistake(
                    f"{show_value(token)}: names cannot contain ':'; it is reserved for colors", number, line, place
                )
            elif name in self.known:
                self.add_mistake(f"duplicate item {show_value(name)}", number, line, place)
            else:
                self.known[name] = kind is self.primary
                kind.append(name)
                if bounds is not None:
                    self.multiplicity[name] = bounds

    def read_option(self, number: int, line: str) -> Iterator[tuple[Label, list[Item]]]:
        """Read an option; yield it unless it contains a mistake or is dropped."""
        items: dict[str, Item] = {}
        cost: Cost = 0
        mistakes = len(self.mistakes)
        tokens = line.split()
        for place, token in enumerate(tokens):
            if token[0] == "|":
                if _COST.fullmatch(token):
                    cost = add_costs([cost, Decimal(token[1:])]) if "." in token else cost + int(token[1:])
                else:
                    self.add_mistake(f"{show_value(token)}: expected a cost after '|', like |15", number, line, place)
                continue
            name, colon, color = token.partition(":")
            primary = self.known.get(name)
            if primary is None:
                self.add_mistake(self._describe_unknown(token), number, line, place)
            elif name in items:
                self.add_mistake(f"the option contains item {show_value(name)} twice", number, line, place)
            elif colon and primary:
                self.add_mistake(
                    f"{show_value(name)} is a primary item; only secondary ones have colors", number, line, place
                )
            elif colon and (not color or ":" in color or "|" in color):
                self.add_mistake(
                    f"{show_value(token)}: expected a color after ':', without ':' or '|'", number, line, place
                )
            else:
                items[name] = Colored(name, color) if colon else name
        if len(self.mistakes) > mistakes or len(self.mistakes) == _MAX_MISTAKES:
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

    def _describe_unknown(self, token: str) -> str:
        name, bar, cost = token.partition(":")[0].partition("|")
        if bar and name in self.known:
            return f"{show_value(token)}: put a space before the cost, as in {name} |{cost}"
        return f"{show_value(token.partition(':')[0])} is not an item{nearest(token.partition(':')[0], self.known)}"


@check_arguments
def bounds_of(text: str) -> Bounds | None:
    """Return the multiplicity written as ``v`` or ``u:v``, or None if the text is not valid."""
    match = _TIMES.fullmatch(text)
    if match is None:
        return None
    high = int(match["high"])
    low = high if match["low"] is None else int(match["low"])
    return (low, high) if low <= high and high >= 1 else None


@check_arguments
def describe_bounds_fault(text: str) -> str:
    """Return why :func:`bounds_of` does not accept a text, or why there must be a name after it."""
    if _TIMES_OF_ANY_SIZE.fullmatch(text) and _TIMES.fullmatch(text) is None:
        return f"a multiplicity has at most {_MAX_DIGITS} digits"
    return "expected v|NAME (v times) or u:v|NAME (u to v times), with u <= v and v >= 1"


@check_arguments
def write(problem: Problem, out: TextIO, *, short: bool = False) -> None:
    """Write a problem option by option.

    Parameters
    ----------
    problem
        The problem.
    out
        A file open for text.
    short
        Write numbers instead of names of items, and one character per color, for programs with fixed-size buffers.

    Raises
    ------
    ProblemError
        If there is no primary item, or `short` is true and there are more than 62 colors.

    Notes
    -----
    Reserved characters in names (white space, ``:``, ``|``) are replaced by ``_``, control characters by escapes. If
    names then coincide, or an item that is not preferred has a name that begins with ``#``, all items are numbered: 1,
    2, 3, ..., with a ``#`` before the numbers of preferred items; and a color gets its number if its name is taken.
    Knuth's programs read integer costs only.

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a", Colored("x", "red")], "B": ["b"]}, secondary=["x"]), sys.stdout)
    a b | x
    a x:red
    b
    """
    refuse_soft(problem, "a .dlx file")
    if not problem.primary:
        raise ProblemError("a .dlx file needs at least one primary item")
    names = _name_items(problem, short=short)
    colors = _name_colors(problem, short=short)
    costs, multiplicity = problem.costs, problem.multiplicity
    primary = (f"{bounds_text(*multiplicity[item])}|{names[item]}" if item in multiplicity else names[item]
               for item in problem.primary)  # fmt: skip
    secondary = ["|", *(names[item] for item in problem.secondary)] if problem.secondary else []
    out.write(" ".join([*primary, *secondary]) + "\n")
    for label, items in problem.options.items():
        cost = [f"|{Decimal(costs[label]):f}"] if label in costs else []
        out.write(" ".join([*_format_entries(items, names, colors), *cost]) + "\n")


@check_arguments
def bounds_text(low: int, high: int) -> str:
    """Return a multiplicity as text that :func:`bounds_of` reads."""
    return f"{high}" if low == high else f"{low}:{high}"


def _name_items(problem: Problem, *, short: bool) -> dict[Item, str]:
    preferred = set(problem.preferred)
    texts = [printable("_".join(str(item).split())).translate(_FORBIDDEN) for item in problem.items]
    for place, item in enumerate(problem.items):
        if item in preferred and not texts[place].startswith("#"):
            texts[place] = f"#{texts[place]}"
    with_hash = sum(text.startswith("#") for text in texts[: len(problem.primary)])
    if short or not all(texts) or len(set(texts)) < len(texts) or with_hash > len(preferred):
        texts = [f"{'#' * (item in preferred)}{number}" for number, item in enumerate(problem.items, 1)]
    return dict(zip(problem.items, texts, strict=True))


def _format_entries(
    items: tuple[Item, ...], names: Mapping[Item, str], colors: Mapping[Hashable, str]
) -> Iterator[str]:
    for entry in items:
        yield f"{names[entry.item]}:{colors[entry.color]}" if isinstance(entry, Colored) else names[entry]


def _name_colors(problem: Problem, *, short: bool) -> dict[Hashable, str]:
    if short and len(problem.colors) > len(_SHORT):
        raise ProblemError(f"more than {len(_SHORT)} colors; one letter or digit per color is not enough")
    if short:
        return dict(zip(problem.colors, _SHORT, strict=False))
    owners: dict[str, Hashable] = {}
    for number, color in enumerate(problem.colors, 1):
        text = printable("_".join(str(color).split())).translate(_FORBIDDEN)
        while not text or text in owners:
            text = f"{text}_{number}"
        owners[text] = color
    return {color: text for text, color in owners.items()}
