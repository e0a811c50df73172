"""``exactcover certify``: checks a certificate with a program that shares no code with this package."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from functools import partial
from pathlib import Path

import click

from exactcover.certificates import CHECKER
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, add_target_arguments
from exactcover.cli.target import Request
from exactcover.control.stop import Stop

_POLL_SECONDS = 0.05
_EXITS = {0: Exit.DELIVERED, 1: Exit.NOT_VERIFIED, 2: Exit.BAD_INPUT}


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--quick", is_flag=True, help="Check large steps in C++, with code of this program.")
@partial(add_target_arguments, required=False)
def certify(request: Request, file: Path, quick: bool) -> int:
    """Check that the certificate FILE proves what it claims; with TARGET, also that it is about that problem.

    It is checked by a single file of Python's standard library that shares no code with this program. The exit
    status is 0 if the claim is certified and 4 if it is not.

    \b
    exactcover count queens n=8 --certificate queens.cert
    exactcover certify queens.cert
    exactcover certify queens.cert queens n=8
    """
    program = ["-m", "exactcover.certificates.quick"] if quick else [str(CHECKER)]
    with subprocess.Popen([sys.executable, "-I", *program, str(file)], stdout=subprocess.PIPE, text=True) as checker:
        try:
            report = _wait(checker, request.stop).strip()
        except BaseException:
            checker.kill()
            raise
    status = _EXITS.get(checker.returncode, Exit.FAULT)
    if status is Exit.DELIVERED and request.target and not report.endswith(_hash_target(request)):
        status, report = Exit.NOT_VERIFIED, f"not certified: the certificate is not about {request.target}"
    click.echo(report, err=status is not Exit.DELIVERED)
    return status


def _hash_target(request: Request) -> str:
    """Return the hash of the problem that a certificate of the target would state."""
    from exactcover.certificates.writer import describe_problem, to_json  # slow to import

    problem = request.build_problem(request.read_configuration())
    return hashlib.sha256(to_json(describe_problem(problem)).encode()).hexdigest()


def _wait(checker: subprocess.Popen[str], stop: Stop) -> str:
    """Return what the checker prints; poll meanwhile."""
    while True:
        stop.poll()
        try:
            return checker.communicate(timeout=_POLL_SECONDS)[0]
        except subprocess.TimeoutExpired:
            continue
