"""Everything that can go wrong, as one tree.

::

    CoverError
     ├── ProblemError (ValueError)          the items and options contradict the rules of a Problem
     │    └── ParameterError                a parameter of an encoder makes no sense; knows which
     ├── ConfigError (ValueError)           a file or command line holds mistakes; all of them, with places
     ├── UnknownProblemError (LookupError)  no encoder of that name; knows the nearest names
     ├── PluginError (ImportError)          an encoder of that name is installed, but broken
     ├── EngineUnavailableError (RuntimeError)  the engine asked for is missing or cannot do this
     ├── OutputError (OSError)              results could not be written
     └── StoppedError (RuntimeError)        a call that owes a value was stopped before it had it

    PluginWarning (UserWarning)             an encoder's distribution is broken; the rest works
    FormatWarning (UserWarning)             a file holds something that means nothing; the rest is read
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from exactcover.control.statistics import Statistics, Status

__all__ = [
    "ConfigError",
    "CoverError",
    "EngineUnavailableError",
    "FormatWarning",
    "Mistake",
    "OutputError",
    "ParameterError",
    "PluginError",
    "PluginWarning",
    "ProblemError",
    "StoppedError",
    "UnknownProblemError",
    "nearest",
]


def nearest(name: object, known: Iterable[object]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name nearest to `name`, or an empty string.

    Examples
    --------
    >>> nearest("quens", ["queens", "sudoku"])
    "; did you mean 'queens'?"
    """
    close = difflib.get_close_matches(str(name), [str(one) for one in known], n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


class CoverError(Exception):
    """The root of all errors this package raises on purpose."""


class ProblemError(CoverError, ValueError):
    """The items and options contradict the rules of a :class:`~exactcover.Problem`.

    Attributes
    ----------
    label
        The option at fault, or None where the fault is no single option's.
    """

    def __init__(self, message: str, label: Hashable = None) -> None:
        super().__init__(message)
        self.label = label


class ParameterError(ProblemError):
    """A parameter of an encoder has the right type but makes no sense.

    Attributes
    ----------
    path
        The parameter's name, then the keys and positions that lead to the place inside it, so that
        a message about a YAML file can point to the line.
    """

    def __init__(self, path: str | tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.path = (path,) if isinstance(path, str) else path


@dataclass(frozen=True)
class Mistake:
    """One thing wrong in a file or on the command line; lines and columns count from 1."""

    message: str
    source: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = [self.source, *(str(part) for part in (self.line, self.column) if part is not None)]
        return f"{':'.join(place)}: {self.message}"


class ConfigError(CoverError, ValueError):
    """A file or command line holds mistakes; all of them are in `mistakes`.

    Attributes
    ----------
    mistakes
        A tuple of :class:`Mistake`, in the order of the file. `source`, `line` and `column` are
        those of the first.
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
        What was asked for, and the names there are.
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        there = ", ".join(self.known) or "none"
        super().__init__(f"no problem is called {name!r}{nearest(name, self.known)} (there are: {there})")


class PluginError(CoverError, ImportError):
    """An encoder of that name is installed, but cannot be loaded."""


class EngineUnavailableError(CoverError, RuntimeError):
    """The engine asked for is not installed, or cannot search this kind of problem."""


class OutputError(CoverError, OSError):
    """Results could not be written: no place, no permission, or nobody who reads them."""


class StoppedError(CoverError, RuntimeError):
    """A call that owes a value was stopped before it had it.

    Attributes
    ----------
    status
        Why: ``Status.TIMEOUT``, ``MEMORY`` or ``INTERRUPTED``.
    at_least
        What is certain so far; for a count, the solutions seen.
    statistics
        The :class:`~exactcover.Statistics` at the stop.
    """

    def __init__(self, status: Status, at_least: int, statistics: Statistics) -> None:
        self.status, self.at_least, self.statistics = status, at_least, statistics
        super().__init__(f"stopped ({status.value}): at least {Decimal(at_least):f}")  # of any size


class PluginWarning(UserWarning):
    """A distribution announces an encoder that cannot be loaded."""


class FormatWarning(UserWarning):
    """A file holds something that can mean nothing; the rest of it is read."""
