"""Exit statuses, and the last words on standard error."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum

import click

from exactcover.errors import StoppedError
from exactcover.profile import Profile
from exactcover.search import Search
from exactcover.stop import Statistics, Status, Stop

__all__ = [
    "Exit",
    "interruptible",
    "last_words",
    "profile_lines",
    "punctual",
    "say",
    "statistics_lines",
    "tell_classes",
]


class Exit(IntEnum):
    """What a process says when it ends."""

    DELIVERED = 0
    NO_SOLUTION = 1
    BAD_INPUT = 2
    STOPPED = 3
    NOT_VERIFIED = 4
    INTERRUPTED = 130

    @classmethod
    def after(cls, status: Status) -> Exit:
        """Return the exit status for a search that ended so."""
        return {
            Status.UNSATISFIABLE: cls.NO_SOLUTION,
            Status.TIMEOUT: cls.STOPPED,
            Status.MEMORY: cls.STOPPED,
            Status.INTERRUPTED: cls.INTERRUPTED,
        }.get(status, cls.DELIVERED)


_ENDINGS = {
    Status.COMPLETE: "that is all",
    Status.LIMIT: "as many as asked for; there may be more",
    Status.TIMEOUT: "stopped by the timeout; there may be more",
    Status.MEMORY: "stopped for lack of memory; there may be more",
    Status.INTERRUPTED: "interrupted; there may be more",
}
_CHEAPEST_ENDINGS = {status: ending.replace("more", "cheaper ones") for status, ending in _ENDINGS.items()} | {
    Status.LIMIT: "none is cheaper",
}


class _Alarm(BaseException):
    """Time is up. No ``except Exception`` on the way keeps it, be it where a plugin is loaded or a file is read."""


@contextmanager
def punctual(stop: Stop) -> Iterator[None]:
    """Let the deadline end the block wherever it is: an encoder's own code polls nothing."""
    seconds = stop.seconds_left
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise _Alarm

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    except _Alarm:
        raise StoppedError(Status.TIMEOUT, 0, Statistics()) from None


@contextmanager
def interruptible(stop: Stop) -> Iterator[None]:
    """Let Ctrl-C stop the search instead of tearing whatever is being written; twice means at once."""

    def interrupt(*_: object) -> None:
        if stop.status is not None:
            raise KeyboardInterrupt
        stop.request()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def say(message: str) -> None:
    """Print a line on standard error."""
    with suppress(OSError):  # where standard error is full or gone there is nobody to tell
        click.echo(message, err=True)


def last_words(search: Search, verbosity: int) -> None:
    """Say how the search ended; `verbosity` is -1 for quiet, 0, or 1 for statistics."""
    if verbosity < 0:
        return
    statistics = search.statistics
    if search.status is Status.UNSATISFIABLE:
        say("no solution" + (f": {search.reason}" if search.reason else ""))
    else:
        number = statistics.solutions
        ending = (_CHEAPEST_ENDINGS if search.cheapest else _ENDINGS)[search.status]
        if search.total is not None and search.total > number:
            ending = f"of {search.total:,}"
        say(f"{number:,} solution{'' if number == 1 else 's'} ({ending}), {statistics.seconds:.2f} s")
    if verbosity > 0:
        for line in statistics_lines(statistics):
            say(line)


def tell_classes(search: Search, quiet: bool) -> None:
    """Say how many solutions those of the classes stand for, if it was about classes and all are known."""
    classes = search.classes
    if classes is not None and not quiet and search.status is Status.COMPLETE:
        say(f"{classes.total:,} in all, under {len(classes.group):,} symmetries; {classes.symmetric:,} are symmetric")


def profile_lines(profile: Profile) -> list[str]:
    """Return the nodes by level as lines."""
    return [
        f"choices   {profile.most_choices:,} at most",
        *(f"level {level:<4}{nodes:,}" for level, nodes in enumerate(profile.levels)),
    ]


def statistics_lines(statistics: Statistics) -> list[str]:
    """Return the statistics as lines."""
    return [
        f"engine    {statistics.engine} ({statistics.why})",
        f"nodes     {statistics.nodes:,}",
        f"explored  {statistics.explored:.4%}",
        f"time      {statistics.setup_seconds:.3f} s setting up, "
        f"{statistics.seconds - statistics.setup_seconds:.3f} s searching",
        *(f"{name.ljust(9)} {value:,}" if isinstance(value, int) else f"{name.ljust(9)} {value}"
          for name, value in statistics.details.items()),
    ]  # fmt: skip
