"""The command ``exactcover``: its verbs, and the one place where errors become exit statuses."""

from __future__ import annotations

import importlib.metadata
import os
import signal
import sys
import warnings
from pathlib import Path
from typing import NoReturn

import click

from exactcover import __version__
from exactcover.cli.batch import batch
from exactcover.cli.check import check
from exactcover.cli.convert import convert
from exactcover.cli.count import count
from exactcover.cli.diagram import diagram
from exactcover.cli.estimate import estimate
from exactcover.cli.exits import Exit, say
from exactcover.cli.explain import explain
from exactcover.cli.generate import generate
from exactcover.cli.new import new
from exactcover.cli.plugin import load_plugins
from exactcover.cli.problems import problems
from exactcover.cli.sample import sample
from exactcover.cli.solve import solve
from exactcover.cli.verify import verify
from exactcover.engines import ENGINES
from exactcover.errors import CoverError, FormatWarning, PluginWarning, StoppedError, nearest


class _Verbs(click.Group):
    """A group that knows the nearest verb."""

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            raise click.UsageError(f"there is no verb {name!r}{nearest(name, self.commands)}", context)
        return super().resolve_command(context, args)


@click.group(cls=_Verbs, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, help="Print the version; with -v what it is built of.")
@click.option("-v", "verbose", is_flag=True, hidden=True)
@click.option(
    "--plugin",
    metavar="FILE.py:Class",
    multiple=True,
    callback=load_plugins,
    expose_value=False,
    help="Take the encoder Class of a file as well; its name is that of the class in small letters.",
)
@click.pass_context
def cli(context: click.Context, version: bool, verbose: bool) -> int:
    """Exact cover: choose options so that every item is covered exactly once.

    \b
    exactcover solve pentominoes_6x10.yaml     a tiling, drawn
    exactcover count queens n=8                how many ways there are
    exactcover problems                        what can be solved
    """
    if version:
        click.echo(f"exactcover {__version__}")
        if verbose:
            click.echo(f"engines: {', '.join(ENGINES)}")
            click.echo(f"native engine: {_native_engine()}")
            click.echo(f"Python {sys.version.split()[0]} on {sys.platform}")
            for name in ("networkx", "pydantic", "PyYAML"):
                click.echo(f"{name} {importlib.metadata.version(name)}")
    elif context.invoked_subcommand is None:
        click.echo(context.get_help())
    return Exit.DELIVERED


for verb in (solve, count, sample, diagram, generate, estimate, batch, check, explain, convert, verify, problems, new):
    cli.add_command(verb)


def _native_engine() -> str:
    """Say how the native engine was built, or why it is not there."""
    try:
        import exactcover._native as native
    except ImportError:
        installed = importlib.metadata.distribution("exactcover").files or []
        if any(file.name.startswith("_native.") and file.suffix != ".pyi" for file in installed):
            here = Path(__file__).parent.parent
            return f"hidden: the sources in {here} were imported instead of the installed package; leave their folder"
        return "none; it was installed without a C++ compiler, so searches run in pure Python"
    return f"version {native.version}, {native.build_type}, {native.instruction_sets[0]}"


def main() -> NoReturn:
    """Run the command line and exit."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly with `| head`, as people expect
    sys.exit(run())


def run(args: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    with warnings.catch_warnings():
        for category in (PluginWarning, FormatWarning):
            warnings.filterwarnings("always", category=category)
        if sys.stdout is None and not {"-o", "--output"} & set(sys.argv):
            say("error: standard output is closed")
            return Exit.BAD_INPUT
        if sys.stdout is not None and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # a picture with holes is better than none
        warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")
        try:
            status = cli.main(args, prog_name="exactcover", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()
            return int(status or 0)
        except click.ClickException as error:
            error.show()
            return Exit.BAD_INPUT
        except StoppedError as error:
            seen = f": at least {error.at_least:,} solutions" if error.at_least else " before there was a result"
            say(f"stopped ({error.status.value}){seen}")
            return Exit.after(error.status)
        except CoverError as error:
            for line in str(error).splitlines():
                say(f"error: {line}")
            return Exit.BAD_INPUT
        except (KeyboardInterrupt, click.Abort):
            return Exit.INTERRUPTED
        except MemoryError:
            say("error: out of memory")
            return Exit.STOPPED
        except OSError as error:
            return _output_failed(error)


def _output_failed(error: OSError) -> int:
    """Say that results could not be written; nothing more may go to that stream."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    if sys.stdout is not None:
        os.dup2(devnull, sys.stdout.fileno())
    say(f"error: cannot write results: {error.strerror or error}")
    return Exit.BAD_INPUT
