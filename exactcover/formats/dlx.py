"""The ``.dlx`` format of Knuth's programs: the items on the first line, then one option per line.

::

    | a comment
    a #b 2|c 0:3|d | x y
    a #b c x:red |15
    c d y

Items after the ``|`` are secondary; in an option, a colon gives such an item a color. ``2|c`` must be covered twice,
``0:3|d`` at most three times. A primary item whose name begins with ``#`` is preferred: the search branches on it
before others. ``|15`` after an item adds 15 to the cost of the option; costs may be decimal, and several costs add up.
Blank lines and lines that begin with ``|`` are ignored. Names and colors may have any length here, but Knuth's programs
read names of at most 8 bytes, and colors of one. So longer ones are written in short, and comments say what they stand
for; :func:`read` restores them::

    | short and long names:
    | grandm.2 grandmother
    | :r :red
    ann grandm.2 | x
    ann x:r

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
from exactcover.model.costs import add_costs
from exactcover.model.matrix import StatedBounds
from exactcover.pictures.text import printable, show_value
from exactcover.problem import Cost, Problem

__all__ = ["bounds_of", "bounds_text", "describe_bounds_fault", "read", "write"]

_SHORT = "".join(one for one in string.ascii_letters + string.digits + string.punctuation if one not in ":|")
_LONGEST = 8  # bytes of a name that Knuth's programs read
_TABLE = "| short and long names:"
_ENTRY = re.compile(r"\|\s+(:?)([^\s:|]+)\s+\1([^\s:|]+)")  # the short name, and the long one
_FORBIDDEN = str.maketrans(dict.fromkeys(":|\ufeff", "_"))  # a byte order mark at the beginning would be dropped
_MAX_MISTAKES = 20
_COST = re.compile(r"\|[0-9]{1,1000}(\.[0-9]{1,1000})?")
_MAX_DIGITS = 18  # of a multiplicity
_NUMBER = f"[0-9]{{1,{_MAX_DIGITS}}}"
_TIMES = re.compile(rf"(?P<low>{_NUMBER}):(?P<high>{_NUMBER})?|(?P<both>{_NUMBER})")
_TIMES_OF_ANY_SIZE = re.compile(r"[0-9]+(:[0-9]*)?")


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
    reader = _DlxReader(source)
    numbered = enumerate((stop or Stop()).watch(lines), 1)
    meaningful = ((number, line) for number, line in numbered if (text := line.lstrip()) and not text.startswith("|"))
    for first in numbered:
        if first[1].strip() and not first[1].lstrip().startswith("|"):
            break
        reader.read_comment(first[1])
    else:
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


class _DlxReader:
    """Reads the lines and collects mistakes; lines and columns count from 1."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.primary: list[str] = []
        self.secondary: list[str] = []
        self.known: dict[str, bool] = {}  # item -> whether it is primary
        self.multiplicity: dict[Item, StatedBounds] = {}
        self.costs: dict[Label, Cost] = {}
        self.seen: dict[str, int] = {}  # label of an option -> number of options with this text so far
        self.mistakes: list[Mistake] = []
        self.number, self.line = 0, ""  # of the line that is being read
        self.names: dict[str, str] = {}  # the long name of each short one; those of colors begin with a colon
        self.long_names: frozenset[str] = frozenset()  # of that table
        self.reads_names = False  # whether the last line belonged to it
        self.dropped: list[int] = []  # line numbers

    def add_mistake(self, message: str, place: int) -> None:
        """Add a mistake in the token at `place` of the line, unless there are twenty."""
        if len(self.mistakes) < _MAX_MISTAKES:
            token = next(itertools.islice(re.finditer(r"\S+", self.line), place, None))
            self.mistakes.append(Mistake(message, self.source, self.number, token.start() + 1))

    def read_comment(self, line: str) -> None:
        """Read a line before the items, which may belong to the table of names."""
        found = _ENTRY.fullmatch(line.strip()) if self.reads_names else None
        if found is not None:
            self.names[found[1] + found[2]] = found[1] + found[3]
        self.reads_names = line.strip() == _TABLE or found is not None

    def read_items(self, number: int, line: str) -> None:
        """Read the line with the names of the items."""
        self.number, self.line = number, line
        if len({*self.names.values()}) < len(self.names):
            self.names = {}  # not a table of ours
        self.long_names = frozenset(self.names.values())
        kind = self.primary
        for place, token in enumerate(line.split()):
            if token.startswith("|"):
                if kind is self.secondary:
                    self.add_mistake("unexpected second '|'; secondary items follow the first one", place)
                kind, token = self.secondary, token[1:]  # the bar may precede the first secondary item directly
                if not token:
                    continue
            times, bar, name = token.rpartition("|")
            name = self.names.get(name, name)
            bounds = bounds_of(times) if bar else None
            if bar and kind is self.secondary:
                self.add_mistake(f"{show_value(token)}: only primary items have multiplicities", place)
            elif bar and (bounds is None or not name):
                self.add_mistake(f"{show_value(token)}: {describe_bounds_fault(times)}", place)
            elif ":" in name:
                self.add_mistake(f"{show_value(token)}: names cannot contain ':'; it is reserved for colors", place)
            elif name in self.known:
                self.add_mistake(f"duplicate item {show_value(name)}", place)
            else:
                self.known[name] = kind is self.primary
                kind.append(name)
                if bounds is not None:
                    self.multiplicity[name] = bounds

    def read_option(self, number: int, line: str) -> Iterator[tuple[Label, list[Item]]]:
        """Read an option; yield it unless it contains a mistake or is dropped."""
        self.number, self.line = number, line
        items: dict[str, Item] = {}
        cost: Cost = 0
        mistakes = len(self.mistakes)
        tokens = line.split()
        for place, stated in enumerate(tokens):
            token = tokens[place] = self._lengthen(stated) if self.names else stated
            if token[0] == "|":
                if _COST.fullmatch(token):
                    cost = add_costs([cost, Decimal(token[1:])]) if "." in token else cost + int(token[1:])
                else:
                    self.add_mistake(f"{show_value(token)}: expected a cost after '|', like |15", place)
                continue
            name, colon, color = token.partition(":")
            primary = self.known.get(name)
            if primary is None:
                self.add_mistake(self._describe_unknown(token), place)
            elif name in items:
                self.add_mistake(f"the option contains item {show_value(name)} twice", place)
            elif colon and primary:
                self.add_mistake(f"{show_value(name)} is a primary item; only secondary ones have colors", place)
            elif colon and (not color or ":" in color or "|" in color):
                self.add_mistake(f"{show_value(token)}: expected a color after ':', without ':' or '|'", place)
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

    def _lengthen(self, token: str) -> str:
        """Return a part of an option with long names in place of short ones."""
        name, colon, color = token.partition(":")
        color = f"{colon}{color}"
        if color in self.long_names and color not in self.names:
            return f"{token}:"  # a mistake, because it would be another color after writing and reading
        return self.names.get(name, name) + self.names.get(color, color)

    def _describe_unknown(self, token: str) -> str:
        if len(self.mistakes) == _MAX_MISTAKES:
            return ""  # it is not added, and to look for near names takes long
        item = token.partition(":")[0]
        name, bar, cost = item.partition("|")
        if bar and name in self.known:
            return f"{show_value(token)}: put a space before the cost, as in {name} |{cost}"
        return f"{show_value(item)} is not an item{nearest(item, self.known)}"


@check_arguments
def bounds_of(text: str) -> StatedBounds | None:
    """Return the multiplicity written as ``v``, ``u:v`` or, without a limit, ``u:``; None if the text is not valid."""
    match = _TIMES.fullmatch(text)
    if match is None:
        return None
    low = int(match["low"] or match["both"])
    high = None if match["low"] and match["high"] is None else int(match["high"] or match["both"])
    return (low, high) if high is None or (low <= high and high >= 1) else None


@check_arguments
def describe_bounds_fault(text: str) -> str:
    """Return why :func:`bounds_of` does not accept a text, or why there must be a name after it."""
    if _TIMES_OF_ANY_SIZE.fullmatch(text) and _TIMES.fullmatch(text) is None:
        return f"a multiplicity has at most {_MAX_DIGITS} digits"
    return "expected v|NAME (v times), u:v|NAME (u to v times) or u:|NAME (u times or more), with u <= v and v >= 1"


@check_arguments
def write(problem: Problem, out: TextIO, *, long_names: bool = False) -> None:
    """Write a problem option by option.

    Parameters
    ----------
    problem
        The problem.
    out
        A file open for text.
    long_names
        Write names and colors of any length, which this package reads, and Knuth's programs do not.

    Raises
    ------
    ProblemError
        If there is no primary item, a cost is negative, or there are more than 92 colors, unless `long_names` is true.

    Notes
    -----
    Reserved characters in names (white space, ``:``, ``|``) are replaced by ``_``, control characters by escapes. If
    names then coincide, or an item that is not preferred has a name that begins with ``#``, all items are numbered: 1,
    2, 3, ..., with a ``#`` before the numbers of preferred items; and a color gets its number if its name is taken.
    Names of more than 8 bytes are shortened, and colors become one character; comments say what they stand for. Knuth's
    programs read integer costs only.

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a", Colored("x", "red")], "B": ["grandmother"]}, secondary=["x"]), sys.stdout)
    | short and long names:
    | grandm.2 grandmother
    | :r :red
    a grandm.2 | x
    a x:r
    grandm.2
    """
    problem.refuse_soft("a .dlx file")
    problem.refuse_rules("a .dlx file")
    problem.refuse_weights("a .dlx file")
    problem.refuse_negative_costs("a .dlx file")
    if not problem.primary:
        raise ProblemError("a .dlx file needs at least one primary item")
    names, colors = _name_items(problem), _name_colors(problem)
    if not long_names:
        short_names, short_colors = _shorten_items(names), _shorten_colors(colors)
        table = [f"| {short_names[item]} {name}\n" for item, name in names.items() if short_names[item] != name]
        table += [f"| :{short_colors[one]} :{color}\n" for one, color in colors.items() if short_colors[one] != color]
        out.writelines([f"{_TABLE}\n", *table] if table else [])
        names, colors = short_names, short_colors
    costs, multiplicity = problem.costs, problem.multiplicity
    primary = (f"{bounds_text(*multiplicity[item])}|{names[item]}" if item in multiplicity else names[item]
               for item in problem.primary)  # fmt: skip
    secondary = ["|", *(names[item] for item in problem.secondary)] if problem.secondary else []
    out.write(" ".join([*primary, *secondary]) + "\n")
    for label, items in problem.options.items():
        cost = [f"|{Decimal(costs[label]):f}"] if label in costs else []
        entries = (f"{names[e.item]}:{colors[e.color]}" if isinstance(e, Colored) else names[e] for e in items)
        out.write(" ".join([*entries, *cost]) + "\n")


@check_arguments
def bounds_text(low: int, high: int) -> str:
    """Return a multiplicity as text that :func:`bounds_of` reads; one of 0, which no option has, as 0:1."""
    return f"{high}" if low == high > 0 else f"{low}:{max(1, high)}"


def _name_items(problem: Problem) -> dict[Item, str]:
    preferred = set(problem.preferred)
    texts = [printable("_".join(str(item).split())).translate(_FORBIDDEN) for item in problem.items]
    for place, item in enumerate(problem.items):
        if item in preferred and not texts[place].startswith("#"):
            texts[place] = f"#{texts[place]}"
    with_hash = sum(text.startswith("#") for text in texts[: len(problem.primary)])
    if not all(texts) or len(set(texts)) < len(texts) or with_hash > len(preferred):
        texts = [f"{'#' * (item in preferred)}{number}" for number, item in enumerate(problem.items, 1)]
    return dict(zip(problem.items, texts, strict=True))


def _shorten_items(names: Mapping[Item, str]) -> dict[Item, str]:
    """Return the names, of which long ones become a part of the name and the number of the item."""
    taken, short = {*names.values()}, dict[Item, str]()
    for number, (item, name) in enumerate(names.items(), 1):
        if len(name.encode("utf-8", "surrogatepass")) > _LONGEST:
            start, end = "".join(one for one in name if one in _SHORT), f".{number}"
            start = start if name.startswith("#") else start.lstrip("#")
            name = start[: _LONGEST - len(end)] + end
            while name in taken:
                end = f".{end}"
                name = start[: _LONGEST - len(end)] + end
            taken.add(name)
        short[item] = name
    return short


def _name_colors(problem: Problem) -> dict[Hashable, str]:
    owners: dict[str, Hashable] = {}
    for number, color in enumerate(problem.colors, 1):
        text = printable("_".join(str(color).split())).translate(_FORBIDDEN)
        while not text or text in owners:
            text = f"{text}_{number}"
        owners[text] = color
    return {color: text for text, color in owners.items()}


def _shorten_colors(colors: Mapping[Hashable, str]) -> dict[Hashable, str]:
    """Return the colors as one character each: their own, their first one, or another."""
    if len(colors) > len(_SHORT):
        raise ProblemError(
            f"Knuth's programs read one character per color, so {len(_SHORT)} colors, but there are {len(colors)}; "
            "write long names (--long-names)"
        )
    short = {color: name for color, name in colors.items() if len(name) == 1 and name in _SHORT}
    free = dict.fromkeys(one for one in _SHORT if one not in {*short.values()})
    for color, name in colors.items():
        if color not in short:
            short[color] = name[0] if name[0] in free else next(iter(free))
            del free[short[color]]
    return short
