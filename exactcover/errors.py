"""The errors and warnings of the package, as one tree.

::

    CoverError
     ├── ProblemError (ValueError)          the items and options break the rules of a Problem
     │    └── ParameterError                a parameter of an encoder is not valid; says which one
     ├── ConfigError (ValueError)           a file or command line contains mistakes; lists all, with their places
     ├── UnknownProblemError (LookupError)  no encoder has that name; suggests the nearest name
     ├── PluginError (ImportError)          an encoder of that name is installed, but cannot be loaded
     ├── EngineUnavailableError (RuntimeError)  the requested engine is not installed, or cannot search the problem
     ├── StoreError (ValueError)            the store of a run is damaged, locked, or not the one that was expected
     │    └── DamagedStoreError             it was changed or damaged since it was written
     ├── LogError (ValueError)              a search log is damaged or truncated, or does not fit the problem in it
     ├── OutputError (OSError)              results could not be written
     └── StoppedError (RuntimeError)        a call that returns a value was stopped before the value was known

    PluginWarning (UserWarning)             an encoder of a distribution cannot be loaded; all others work
    FormatWarning (UserWarning)             something in a file or a problem has no meaning; the rest is read
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any

from exactcover.control.arguments import check_arguments
from exactcover.control.statistics import Statistics, Status

__all__ = [
    "ConfigError",
    "CoverError",
    "DamagedStoreError",
    "EngineUnavailableError",
    "FormatWarning",
    "LogError",
    "Mistake",
    "OutputError",
    "ParameterError",
    "PluginError",
    "PluginWarning",
    "ProblemError",
    "StoppedError",
    "StoreError",
    "UnknownProblemError",
    "nearest",
]

_MANY = 10_000  # names; to compare one with each of more takes long


@check_arguments
def nearest(name: object, known: Iterable[object]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name nearest to `name`, or an empty string if none is near.

    A name is near if at most a third of its letters are added, left out, replaced or exchanged with their neighbor,
    whatever their case. The name itself is never suggested, and nothing is among more than 10,000 names.

    Examples
    --------
    >>> nearest("quens", ["queens", "sudoku"])
    "; did you mean 'queens'?"
    >>> nearest("--restarts", ["--stats"]), nearest("limit", ["limit"])
    ('', '')
    """
    found = find_nearest(name, known)
    return "" if found is None else f"; did you mean {found!r}?"


def find_nearest(name: object, known: Iterable[object]) -> str | None:
    """Return the known name nearest to `name`, or None if none is near; see :func:`nearest`."""
    text = str(name).casefold()
    spellings: dict[str, str] = {}
    some = list(islice(known, _MANY + 1))
    for one in some if len(some) <= _MANY else ():
        if one != name:
            spellings.setdefault(str(one).casefold(), str(one))
    for close in difflib.get_close_matches(text, spellings, n=5):
        letters = max(sum(map(str.isalnum, one)) for one in (text, close))
        if _count_edits(text, close) <= max(1, letters // 3):
            return spellings[close]
    return None


def _count_edits(one: str, other: str) -> int:
    """Return how many letters must be added, left out, replaced or exchanged with their neighbor.

    >>> _count_edits("stes", "sets"), _count_edits("heart", "shifts")
    (1, 5)
    """
    before, last = [0] * (len(other) + 1), list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        edits = [row]
        for column, its in enumerate(other, 1):
            best = min(last[column] + 1, edits[-1] + 1, last[column - 1] + (letter != its))
            if row > 1 < column and letter == other[column - 2] and one[row - 2] == its:
                best = min(best, before[column - 2] + 1)
            edits.append(best)
        before, last = last, edits
    return last[-1]


class CoverError(Exception):
    """The base class of all errors that this package raises on purpose. Other processes can read them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_error, (type(self), self.args, vars(self))


def _restore_error(kind: type[CoverError], arguments: tuple[Any, ...], attributes: dict[str, Any]) -> CoverError:
    """Return an error of another process, whatever its constructor takes."""
    error = kind.__new__(kind, *arguments)
    vars(error).update(attributes)
    return error


class ProblemError(CoverError, ValueError):
    """The items and options break the rules of a :class:`~exactcover.Problem`.

    Attributes
    ----------
    label
        The label of the option at fault, or None if the fault does not lie in a single option.
    message
        The message, without the place.
    place
        The encoder and its method or parameter at fault, such as ``Queens: n``; empty if no encoder is involved.
    """

    def __init__(self, message: str, label: Hashable = None, place: str = "") -> None:
        super().__init__(message)
        self.message, self.label, self.place = message, label, place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class ParameterError(ProblemError):
    """A parameter of an encoder is not valid.

    Attributes
    ----------
    path
        The name of the parameter, then the keys and positions that lead to the place inside it; in a text, the index
        of a character. They let a message about a YAML file point to the line and column.
    """

    def __init__(self, path: str | tuple[str | int, ...], message: str, place: str = "") -> None:
        super().__init__(message, place=place)
        self.path = (path,) if isinstance(path, str) else path


@dataclass(frozen=True)
class Mistake:
    """One mistake in a file or on the command line; lines and columns count from 1."""

    message: str
    source: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = [self.source, *(str(part) for part in (self.line, self.column) if part is not None)]
        return f"{':'.join(place)}: {self.message}"


class ConfigError(CoverError, ValueError):
    """A file or command line contains mistakes; `mistakes` lists all of them.

    Attributes
    ----------
    mistakes
        A tuple of :class:`Mistake`, in the order of the file. `source`, `line` and `column` are
        those of the first one.
    """

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(map(str, self.mistakes)))

    @property
    def source(self) -> str:
        return self.mistakes[0].source

    @property
    def line(self) -> int | None:
        return self.mistakes[0].line

    @property
    def column(self) -> int | None:
        return self.mistakes[0].column


class UnknownProblemError(CoverError, LookupError):
    """No encoder has that name.

    Attributes
    ----------
    name, known
        The name asked for, and the names of all encoders.
    mentions
        Encoders that speak of that name, each with a bundled file that does so.
    """

    def __init__(self, name: str, known: Iterable[str], mentions: Iterable[str] = ()) -> None:
        self.name, self.known, self.mentions = name, tuple(known), tuple(mentions)
        near = nearest(name, self.known) or (f"; see {', '.join(self.mentions)}" if self.mentions else "")
        available = ", ".join(self.known) or "none"
        super().__init__(f"there is no problem called {name!r}{near} (available: {available})")


class PluginError(CoverError, ImportError):
    """An encoder of that name is installed, but cannot be loaded."""


class EngineUnavailableError(CoverError, RuntimeError):
    """The requested engine is not installed, or cannot search this problem."""


class LogError(CoverError, ValueError):
    """A file is not a search log, or is damaged or truncated."""


class StoreError(CoverError, ValueError):
    """The store of a run is damaged, in use, of another version, or belongs to another problem."""


class DamagedStoreError(StoreError):
    """The file is the store of a run, but it was changed or damaged since it was written."""


class OutputError(CoverError, OSError):
    """Results could not be written, for example for lack of space, permission or a reader."""


class StoppedError(CoverError, RuntimeError):
    """A call that returns a value was stopped before the value was known.

    Attributes
    ----------
    status
        Why it was stopped: ``Status.TIMEOUT``, ``MEMORY``, ``NODES`` or ``INTERRUPTED``.
    at_least
        The lower bound that was certain at the stop; for a count, the number of solutions found so far.
    statistics
        The :class:`~exactcover.Statistics` at the stop.
    place
        The encoder and its method that took the memory, such as ``Queens.options()``; empty if it was not one.
    """

    def __init__(
        self, status: Status, at_least: int = 0, statistics: Statistics | None = None, place: str = ""
    ) -> None:
        self.status, self.at_least, self.place = status, at_least, place
        self.statistics = Statistics() if statistics is None else statistics
        found = f"at least {Decimal(at_least):f}" if at_least else "nothing found yet"  # of any size
        where = f" while {place} was read" if place else ""
        super().__init__(f"{status.words}{where}; {found}")


class PluginWarning(UserWarning):
    """A distribution announces an encoder that cannot be loaded."""


class FormatWarning(UserWarning):
    """Something in a file or a problem has no meaning and is ignored; the rest is read."""
