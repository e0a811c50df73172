"""The one place where errors become exit statuses and a line on standard error."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import TracebackType

import click

from exactcover.cli.exits import Exit, ToldStopError
from exactcover.cli.guard import Overdue
from exactcover.cli.messages import print_line, stopped_line
from exactcover.control.statistics import Status
from exactcover.control.stop import Stopped
from exactcover.encoders.encoder import Encoder
from exactcover.errors import CoverError, OutputError, StoppedError

__all__ = ["report_failure"]


def report_failure(error: BaseException, *, verbose: bool) -> Exit:
    """Say on standard error what went wrong; return the exit status. No error ends with the status of a proof."""
    match error:
        case Overdue():
            print_line(stopped_line(Status.INTERRUPTED, 0))
            return Exit.INTERRUPTED
        case click.ClickException():
            error.show()
            return Exit.BAD_INPUT
        case click.Abort() | KeyboardInterrupt():
            print_line("interrupted")
            return Exit.INTERRUPTED
        case ToldStopError():
            return Exit.after(error.status)
        case StoppedError():
            print_line(stopped_line(error.status, error.at_least))
            return Exit.after(error.status)
        case Stopped():
            print_line(stopped_line(error.status, 0))
            return Exit.after(error.status)
        case OutputError():
            print_line(f"error: {error}")
            return Exit.NOT_WRITTEN
        case CoverError():
            for line in _text(error).splitlines():
                print_line(f"error: {line}")
            return Exit.BAD_INPUT
        case MemoryError():
            print_line("stopped (memory): out of memory")
            return Exit.STOPPED
    if verbose:
        for line in "".join(traceback.format_exception(error)).splitlines():
            print_line(line)
    print_line(f"error: {_origin(error)}{_what(error)}" + ("" if verbose else " (-v shows the traceback)"))
    return Exit.FAULT


def _what(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"sys.exit({error.code!r}) was called"
    text = _text(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _text(error: BaseException) -> str:
    """Return what an error says; a plugin's may fail at that too."""
    try:
        return str(error)
    except Exception:
        return "its text cannot be had"


def _origin(error: BaseException) -> str:
    """Name the encoder in which it happened, with file and line, or else the place in this package."""
    encoder = None
    steps = list(_steps(error.__traceback__))
    for step in steps:
        caller = step.tb_frame.f_locals.get("self")
        package = Path(__file__).parents[1]
        if isinstance(caller, Encoder) and package not in Path(step.tb_frame.f_code.co_filename).parents:
            encoder = (type(caller).__name__, step.tb_frame.f_code.co_filename, step.tb_lineno)
    if encoder is not None:
        return "encoder {}, {}, line {}: ".format(*encoder)
    return f"{Path(steps[-1].tb_frame.f_code.co_filename).name}, line {steps[-1].tb_lineno}: " if steps else ""


def _steps(trace: TracebackType | None) -> list[TracebackType]:
    steps = []
    while trace is not None:
        steps.append(trace)
        trace = trace.tb_next
    return steps
