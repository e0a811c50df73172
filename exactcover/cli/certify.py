"""``exactcover certify``: checks the log of a search with a program that shares no code with this package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from exactcover.certificates import CHECKER
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, add_common_flags
from exactcover.cli.target import Request
from exactcover.control.stop import Stop

_POLL_SECONDS = 0.05
_EXITS = {0: Exit.DELIVERED, 1: Exit.NOT_VERIFIED, 2: Exit.BAD_INPUT}


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@add_common_flags
def certify(request: Request, file: Path) -> int:
    """Check that a problem has exactly as many solutions as the search log FILE says.

    The log must be that of a complete search, without bounds on its nodes. It is checked by a single file of
    Python's standard library that shares no code with this program. The exit status is 0 if the number is
    certified and 4 if it is not.

    \b
    exactcover count queens n=8 --search-log queens.log
    exactcover certify queens.log
    """
    command = [sys.executable, "-I", str(CHECKER), str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as checker:
        try:
            report = _wait(checker, request.stop)
        except BaseException:
            checker.kill()
            raise
    status = _EXITS.get(checker.returncode, Exit.FAULT)
    click.echo(report.strip(), err=status is not Exit.DELIVERED)
    return status


def _wait(checker: subprocess.Popen[str], stop: Stop) -> str:
    """Return what the checker prints; poll meanwhile."""
    while True:
        stop.poll()
        try:
            return checker.communicate(timeout=_POLL_SECONDS)[0]
        except subprocess.TimeoutExpired:
            continue
