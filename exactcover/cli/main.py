"""The command ``exactcover``: its verbs, and what they have in common."""

from __future__ import annotations

import gc
import importlib.util
import os
import re
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType, ModuleType
from typing import NoReturn

import click

from exactcover import __version__
from exactcover.cli.flags import VerbGroup
from exactcover.cli.guard import ForcedStop, Guard
from exactcover.cli.messages import Exit, ReportedStopError, describe_stop, print_line, print_message
from exactcover.cli.output import wrap_standard_output
from exactcover.cli.target import complete_file, complete_verb
from exactcover.control.memory import is_lack_of_memory, is_near_memory_limit
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.discovery import use_encoder
from exactcover.encoders.encoder import Encoder
from exactcover.engines.base import ENGINES
from exactcover.errors import CoverError, FormatWarning, OutputError, PluginWarning, StoppedError, nearest
from exactcover.files.read import open_regular

_LAST_SECONDS = 3  # in which threads may end, once all is done
_COMPLETION = "_EXACTCOVER_COMPLETE"
_NAMES = (
    *("solve", "count", "sample", "diagram", "view", "studio", "generate", "estimate"),
    *("batch", "check", "hint", "explain", "convert", "verify", "certify", "problems", "new"),
)
_VERBS = {name: f"exactcover.cli.{name}:{name}" for name in _NAMES} | {"run": "exactcover.cli.run:run_verbs"}


def load_plugins(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    """Find each encoder FILE.py:Class by the name of the class in lower case, until the command ends."""
    for value in values:
        file, colon, name = value.rpartition(":")
        if not colon or not file.endswith(".py") or not name.isidentifier():
            raise click.BadParameter(f"expected FILE.py:Class, got {value!r}", context, parameter)
        module = _load_module(Path(file), context, parameter)
        encoder = getattr(module, name, None)
        if encoder is None:
            known = [key for key, one in vars(module).items() if isinstance(one, type) and issubclass(one, Encoder)]
            raise click.BadParameter(f"{file} has no class {name}{nearest(name, known)}", context, parameter)
        try:
            context.with_resource(use_encoder(name.lower(), encoder, file))
        except TypeError:
            raise click.BadParameter(f"{value} is not a dataclass derived from Encoder", context, parameter) from None


def _load_module(file: Path, context: click.Context, parameter: click.Parameter) -> ModuleType:
    """Run a file and return it as a module."""
    specification = importlib.util.spec_from_file_location(f"plugin_{file.stem}", file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    try:
        open_regular(file).close()  # Python would wait for the writer of a pipe
        sys.modules[module.__name__] = module  # dataclasses look it up here
        specification.loader.exec_module(module)
    except OSError as error:
        raise click.BadParameter(f"{file} cannot be read: {error.strerror or error}", context, parameter) from None
    except Exception as error:  # the file may raise anything
        if is_lack_of_memory(error, loading=True):
            raise MemoryError from error
        frames = reversed(traceback.extract_tb(error.__traceback__))
        here = (frame.lineno for frame in frames if Path(frame.filename) == file.absolute())
        line = next(here, getattr(error, "lineno", None))
        where = f"{file}, line {line}" if line else str(file)
        message = error.msg if isinstance(error, SyntaxError) else error  # the text of a SyntaxError repeats the place
        raise click.BadParameter(f"{where}: {type(error).__name__}: {message}", context, parameter) from None
    return module


def report_failure(error: BaseException, *, verbose: bool) -> Exit:
    """Print an error on standard error and return its exit status, which is never that of a proof."""
    match error:
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


@click.group(
    cls=VerbGroup,
    places=_VERBS,
    invoke_without_command=True,
    subcommand_metavar="VERB [ARGUMENTS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--version", is_flag=True, help="Print the version; with -v, also the engines and libraries.")
@click.option("-v", "verbose", is_flag=True, hidden=True)
@click.option(
    "--plugin",
    metavar="FILE.py:Class",
    shell_complete=complete_file,
    multiple=True,
    callback=load_plugins,
    expose_value=False,
    help="Load the encoder Class from FILE.py. The name of the family is the class name in lower case. "
    "Can be repeated.",
)
@click.pass_context
def cli(context: click.Context, version: bool, verbose: bool) -> int:
    """Exact cover: choose options so that every item is covered exactly once.

    \b
    exactcover solve pentominoes_6x10.yaml     find and draw a tiling
    exactcover count queens n=8                count the solutions
    exactcover problems                        list the installed problem families
    """
    if version:
        click.echo(f"exactcover-toolkit {__version__}")
        if verbose:
            _print_versions()
    elif context.invoked_subcommand is None:
        click.echo(context.get_help())
    return Exit.DELIVERED


def _print_versions() -> None:
    """Print the engines, how the native one was built, and the versions of Python and of libraries."""
    import importlib.metadata  # slow to import

    print_line(f"engines: {', '.join(ENGINES)}")
    print_line(f"native engine: {_describe_native_engine()}")
    print_line(f"Python {sys.version.split()[0]} on {sys.platform}")
    for name in ("networkx", "pydantic", "highspy", "ortools", "python-sat", "PyYAML"):
        with suppress(importlib.metadata.PackageNotFoundError):
            print_line(f"{name} {importlib.metadata.version(name)}")


def _describe_native_engine() -> str:
    """Return how the native engine was built, or why it is missing."""
    try:
        import exactcover._native as native
    except ImportError:
        import importlib.metadata

        installed = importlib.metadata.distribution("exactcover-toolkit").files or []
        if any(file.name.startswith("_native.") and file.suffix != ".pyi" for file in installed):
            return f"not found: the sources in {_PACKAGE} hide the installed package; run the command in another folder"
        return "none: installed without a C++ compiler, so searches run in pure Python"
    import platform

    from exactcover.engines.native import pick_instructions  # needs the native module

    return f"version {native.version}, {native.build_type}, {pick_instructions()} ({platform.machine()})"


@cli.command("help")
@click.argument("verbs", nargs=-1, metavar="[VERB]...", shell_complete=complete_verb)
@click.pass_context
def show_help(context: click.Context, verbs: tuple[str, ...]) -> int:
    """Explain VERB, or list all verbs. A verb of run is VERB after run: exactcover help run start."""
    assert context.parent is not None
    explained = context.parent
    for verb in verbs:
        if not isinstance(explained.command, click.Group):
            raise click.UsageError(f"{explained.info_name} has no verbs, so {verb!r} cannot be explained", context)
        name, command, _ = explained.command.resolve_command(explained, [verb])
        assert command is not None
        explained = click.Context(command, info_name=name, parent=explained)
    click.echo(explained.get_help())
    return Exit.DELIVERED


def run_and_exit() -> NoReturn:
    """Run the command line and exit."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly when `| head` closes the pipe
    status = run()
    gc.freeze()  # a last collection would only delay the exit
    if hasattr(signal, "SIGALRM"):  # end soon even if a thread never does, for which Python would wait
        signal.signal(signal.SIGALRM, lambda *_: os._exit(status))
        signal.alarm(_LAST_SECONDS)
    sys.exit(status)


def run(args: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    args = sys.argv[1:] if args is None else args
    verbose = any(re.fullmatch("-[qv]*v[qv]*", arg) for arg in args)
    guard = Guard(Stop())
    try:
        with _print_warnings(), _print_thread_errors(), guard, wrap_standard_output():
            status = int(cli.main(args, prog_name="exactcover", standalone_mode=False, obj=guard.stop) or 0)
    except SystemExit as error:
        if _COMPLETION in os.environ:  # click answers the shell's request for completions this way
            raise
        status = report_failure(error, verbose=verbose)
    except ForcedStop:  # in the moment before the guard can catch it
        status = report_failure(Stopped(guard.stop.status or Status.INTERRUPTED), verbose=verbose)
    except BaseException as error:  # no error may look like an answer
        status = report_failure(error, verbose=verbose)
        if isinstance(error, OutputError):
            with suppress(OSError, ValueError, AttributeError):  # to flush the rest of its buffer would fail again
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if status == Exit.INTERRUPTED and guard.signal_number is not None:
        return 128 + guard.signal_number
    return int(status)


@contextmanager
def _print_thread_errors() -> Iterator[None]:
    """Print an error that ends a thread of a library, such as a lack of memory, as a line on standard error."""

    def show(ended: threading.ExceptHookArgs) -> None:
        print_message(f"a thread has ended: {ended.exc_type.__name__}: {ended.exc_value}")

    before, threading.excepthook = threading.excepthook, show
    try:
        yield
    finally:
        threading.excepthook = before


@contextmanager
def _print_warnings() -> Iterator[None]:
    """Print each warning about a plugin or a file once, as a line on standard error."""
    with warnings.catch_warnings():
        for category in (PluginWarning, FormatWarning):
            warnings.filterwarnings("always", category=category)
        shown: set[str] = set()

        def show(message: Warning | str, *_: object, **__: object) -> None:
            if str(message) not in shown:
                shown.add(str(message))
                print_message(f"warning: {message}")

        warnings.showwarning = show
        yield
