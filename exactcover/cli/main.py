"""The command ``exactcover``: its verbs, and what they have in common."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

import click

from exactcover import __version__
from exactcover.cli.completion import complete_file, complete_verb
from exactcover.cli.exits import Exit
from exactcover.cli.failures import report_failure
from exactcover.cli.flags import VerbGroup
from exactcover.cli.guard import Guard
from exactcover.cli.messages import print_message
from exactcover.cli.output import wrap_standard_output
from exactcover.cli.plugin import load_plugins
from exactcover.control.stop import Stop
from exactcover.errors import FormatWarning, OutputError, PluginWarning

_LAST_SECONDS = 3  # in which threads may end, once all is done
_COMPLETION = "_EXACTCOVER_COMPLETE"
_NAMES = (
    *("solve", "count", "sample", "diagram", "view", "studio", "generate", "estimate"),
    *("batch", "check", "explain", "convert", "verify", "certify", "problems", "new"),
)
_VERBS = {name: f"exactcover.cli.{name}:{name}" for name in _NAMES} | {"run": "exactcover.cli.run_files:run_verbs"}


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
            from exactcover.cli.versions import print_versions  # slow to import

            print_versions()
    elif context.invoked_subcommand is None:
        click.echo(context.get_help())
    return Exit.DELIVERED


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
    _limit_exit(status)
    sys.exit(status)


def _limit_exit(status: int) -> None:
    """Let the process end soon even if a thread never does, for which Python would wait."""
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, lambda *_: os._exit(status))
        signal.alarm(_LAST_SECONDS)


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
    except BaseException as error:  # no error may look like an answer
        status = report_failure(error, verbose=verbose)
        if isinstance(error, OutputError):
            _discard_standard_output()
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


def _discard_standard_output() -> None:
    """Redirect standard output to the null device: flushing the rest of its buffer would fail again."""
    with suppress(OSError, ValueError, AttributeError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
