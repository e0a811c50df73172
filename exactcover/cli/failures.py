"""Turns errors into an exit status and a message on standard error."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FrameType

import click

from exactcover.cli.exits import Exit, ReportedStopError
from exactcover.cli.guard import ForcedStop
from exactcover.cli.messages import describe_stop, print_message
from exactcover.control.memory import is_lack_of_memory, is_near_memory_limit
from exactcover.control.statistics import Status
from exactcover.control.stop import Stopped
from exactcover.encoders.encoder import Encoder
from exactcover.errors import CoverError, OutputError, StoppedError

__all__ = ["report_failure"]


def report_failure(error: BaseException, *, verbose: bool) -> Exit:
    """Print an error on standard error and return its exit status, which is never that of a proof."""
    match error:
        case ForcedStop():
            print_message(describe_stop(Status.INTERRUPTED, 0))
            return Exit.INTERRUPTED
        case click.ClickException():
            _print_usage_error(error)
            return Exit.BAD_INPUT
        case click.Abort() | KeyboardInterrupt():
            print_message(Status.INTERRUPTED.words)
            return Exit.INTERRUPTED
        case ReportedStopError():
            return Exit.from_status(error.status)
        case StoppedError():
            print_message(describe_stop(error.status, error.at_least, error.place))
            return Exit.from_status(error.status)
        case Stopped():
            print_message(describe_stop(error.status, 0))
            return Exit.from_status(error.status)
        case OutputError():
            print_message(f"error: {error}")
            return Exit.NOT_WRITTEN
        case CoverError():
            for line in _get_message(error).splitlines():
                print_message(f"error: {line}")
            return Exit.BAD_INPUT
        case _ if is_lack_of_memory(error):
            needed = _get_message(error) if isinstance(error, MemoryError) else ""
            print_message(Status.MEMORY.words + (f": {needed}" if needed else ""))
            return Exit.STOPPED
    if verbose:
        for line in "".join(traceback.format_exception(error)).splitlines():
            print_message(line)
    words = _describe_place(error) + _describe_error(error) + ("" if verbose else " (-v shows the traceback)")
    if isinstance(error, Exception) and is_near_memory_limit():  # libraries that lack memory may raise anything
        print_message(f"{Status.MEMORY.words}, as it seems: {words}")
        return Exit.STOPPED
    print_message(f"error: {words}")
    return Exit.FAULT


def _print_usage_error(error: click.ClickException) -> None:
    """Print an error as click does, but with the same prefix as all other errors."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        for line in context.get_usage().splitlines():
            print_message(line)
        if context.command.get_help_option(context) is not None:
            print_message(f"Try '{context.command_path} {context.help_option_names[0]}' for help.")
        print_message("")
    print_message(f"error: {error.format_message()}")


def _describe_error(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"sys.exit({error.code!r}) was called"
    text = _get_message(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _get_message(error: BaseException) -> str:
    """Return the message of an error; producing it may fail for an error of a plugin."""
    try:
        return str(error)
    except Exception:
        return "its message cannot be shown"


def _describe_place(error: BaseException) -> str:
    """Return the place of an error: the encoder and its method, if one was at work, and the file with the line.

    The file is the last one outside of this package that an encoder has called, or else the last one.
    """
    frames, lines = zip(*traceback.walk_tb(error.__traceback__), strict=True) if error.__traceback__ else ((), ())
    calls = [k for k, frame in enumerate(frames) if isinstance(frame.f_locals.get("self"), Encoder)]
    if not calls:
        return f"{_path(frames[-1]).name}, line {lines[-1]}: " if frames else ""
    outside = [k for k in range(calls[0], len(frames)) if _PACKAGE not in _path(frames[k]).parents]
    encoder = type(frames[calls[-1]].f_locals["self"]).__name__
    methods = [frames[k].f_code.co_name for k in outside if k in calls]
    last = outside[-1] if outside else -1
    method = f".{methods[0]}()" if methods else ""
    return f"encoder {encoder}{method}, {_path(frames[last])}, line {lines[last]}: "


_PACKAGE = Path(__file__).parents[1]


def _path(frame: FrameType) -> Path:
    return Path(frame.f_code.co_filename)
