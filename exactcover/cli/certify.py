"""``exactcover certify``: checks a certificate with a program that shares no code with this package."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from functools import partial
from pathlib import Path
from signal import Signals
from tempfile import TemporaryDirectory
from typing import Any

import click

from exactcover.certificates import CHECKER
from exactcover.cli.certificates import get_family
from exactcover.cli.flags import Verb, add_target_arguments
from exactcover.cli.messages import Exit, print_line, print_message
from exactcover.cli.output import read_file, read_standard_input
from exactcover.cli.plan_flags import add_plan_flags, add_soft_flag, build_plan
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.memory import half_of_free_memory
from exactcover.control.stop import OWN_MEMORY, Stop
from exactcover.engines.base import ENGINES
from exactcover.errors import EngineUnavailableError
from exactcover.files.read import is_open_file
from exactcover.files.write import write_new
from exactcover.pictures.text import describe_problem, format_count
from exactcover.problem import Problem

_POLL_SECONDS = 0.05
_VERDICTS = {
    0: ("certified: ", Exit.DELIVERED),
    1: ("not certified: ", Exit.NOT_VERIFIED),
    2: ("cannot be read: ", Exit.BAD_INPUT),
    3: ("stopped: ", Exit.STOPPED),
}
_CHANGED = "cannot be read: the file changed while it was checked"
_SECONDS_PER_NODE = 6e-6
_QUICK_SECONDS_PER_NODE = 1e-6
_LONG = 10  # seconds of a check


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--quick", is_flag=True, help="Check large steps in C++, with code of this program.")
@add_soft_flag
@add_plan_flags
@partial(add_target_arguments, required=False)
def certify(request: Request, file: Path, quick: bool, soft: bool, plan_flags: dict[str, Any]) -> int:
    """Check that the certificate FILE proves what it claims; with TARGET, also that it is about that problem.

    FILE is - for standard input, and may be a pipe such as /dev/stdin.

    It is checked by a single file of Python's standard library that shares no code with this program. The exit
    status is 0 if the claim is certified, 4 if it is not, 2 if the file cannot be read, and 3 if the check needs more
    time or memory than the limits allow.

    \b
    exactcover count queens n=8 --certificate queens.cert
    exactcover certify queens.cert
    exactcover certify queens.cert queens n=8
    exactcover certify - < queens.cert
    """
    if quick and "native" not in ENGINES:
        raise EngineUnavailableError("--quick needs the native module, which is not installed; leave out --quick")
    if request.target == str(file) == "-":
        raise click.UsageError("only one of FILE and TARGET can be standard input")
    if (soft or any(plan_flags.values())) and not request.target:
        raise click.UsageError("--soft, --best-effort and --keep say how TARGET was asked; TARGET is missing")
    build = partial(build_plan, request, plan_flags, soft)
    with _copy_stream(file, request.stop) as certificate:
        status, report = _certify(request, certificate, quick, build)
    if status is Exit.DELIVERED:
        print_line(report)
    else:
        name = "standard input" if str(file) == "-" else file
        print_message(f"{name}: {report}" if status is Exit.BAD_INPUT else report)
    return status


@contextmanager
def _copy_stream(file: Path, stop: Stop) -> Iterator[Path]:
    """Yield a file that can be read twice: the file itself, or a copy of standard input or of another open file."""
    if str(file) != "-" and not is_open_file(file):
        yield file
        return
    content = read_standard_input(stop) if str(file) == "-" else read_file(file, str(file), stop)
    with TemporaryDirectory(prefix="exactcover-") as folder:
        copy = Path(folder) / "copy.cert"
        write_new(copy, content)
        yield copy


def _certify(request: Request, file: Path, quick: bool, build: Callable[[Configuration], Problem]) -> tuple[Exit, str]:
    """Check a certificate; return the exit status and the verdict."""
    before = _identify(file)
    if not request.quiet:
        _announce(file, quick)
    status, report = _run_checker(file, quick, request)
    if status is Exit.DELIVERED and request.target:
        status, report = _compare(file, report, request, build)
    if status in (Exit.DELIVERED, Exit.NOT_VERIFIED) and _identify(file) != before:
        status, report = Exit.BAD_INPUT, _CHANGED
    return status, report


def _identify(file: Path) -> tuple[int, ...]:
    """Return values that change when a file is replaced or written."""
    try:
        found = file.stat()
    except OSError:  # the checker says what is wrong
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _announce(file: Path, quick: bool) -> None:
    """Say how long a long check takes."""
    from exactcover.analysis.estimate import format_number  # slow to import
    from exactcover.certificates.comparison import estimate_nodes

    if not file.is_file():
        return
    nodes = estimate_nodes(file)
    seconds = nodes * (_QUICK_SECONDS_PER_NODE if quick else _SECONDS_PER_NODE)
    if seconds >= _LONG:
        quick_time = _describe_time(nodes * _QUICK_SECONDS_PER_NODE)
        hint = "" if quick or "native" not in ENGINES else f"; with --quick, about {quick_time}"
        number = format_number(nodes, rounded=True)
        print_message(f"about {number} nodes to check, which takes about {_describe_time(seconds)}{hint}")


def _describe_time(seconds: float) -> str:
    """Return a duration that is only estimated, in the largest unit that fits and with two digits.

    Examples
    --------
    >>> [_describe_time(seconds) for seconds in (0.3, 74, 3691, 73834, 10**7)]
    ['1 second', '74 seconds', '62 minutes', '21 hours', '120 days']
    """
    from exactcover.analysis.estimate import format_number  # slow to import

    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{format_number(seconds / size, rounded=True)} {unit}"
    return format_count(max(1, round(seconds)), "second")


def _run_checker(file: Path, quick: bool, request: Request) -> tuple[Exit, str]:
    """Return the verdict of the checker. Only a status with its words is one, since the checker itself may fail."""
    # The checker needs the standard library alone, and the quick one this package.
    program = ["-I", "-m", "exactcover.certificates.quick"] if quick else ["-I", "-S", str(CHECKER)]
    memory = half_of_free_memory() if request.memory is None else request.memory + OWN_MEMORY
    command = [sys.executable, *program, str(file.absolute()), str(memory)]
    try:
        checker = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except OSError as error:
        status = Exit.STOPPED if error.errno in (errno.ENOMEM, errno.EAGAIN) else Exit.FAULT
        return status, f"error: the checker cannot be started: {error.strerror}"
    with checker:
        try:
            report, said = _wait(checker, request.stop)
        except BaseException:
            checker.kill()
            raise
    words, status = _VERDICTS.get(checker.returncode, ("", Exit.FAULT))
    if words and report.startswith(words) and report.endswith("\n") and report.count("\n") == 1:
        return status, report.strip()
    return _describe_failure(checker.returncode, said)


def _describe_failure(status: int, said: str) -> tuple[Exit, str]:
    """Return the exit status and the message for a checker that ended without a verdict."""
    last = (said.splitlines() or [""])[-1].strip()
    if last.startswith("MemoryError") or status == -9:  # a system that runs out of memory kills processes
        return Exit.STOPPED, "stopped: there is not enough memory for the checker"
    signal = Signals(-status).name if -status in {*Signals} else f"signal {-status}"
    how = f"was ended by {signal}" if status < 0 else f"failed with status {status}"
    return Exit.FAULT, f"error: the checker {how}, so nothing is known" + (f": {last}" if last else "")


def _wait(checker: subprocess.Popen[str], stop: Stop) -> tuple[str, str]:
    """Return the output of the checker; poll meanwhile."""
    while True:
        stop.poll()
        try:
            printed = checker.communicate(timeout=_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        stop.poll()  # what stopped this process may have ended the checker, too
        return printed


def _compare(file: Path, report: str, request: Request, build: Callable[[Configuration], Problem]) -> tuple[Exit, str]:
    """Compare a certificate with the target; return the exit status and the report."""
    from exactcover.certificates import comparison  # slow to import
    from exactcover.certificates.writer import describe_problem as state_problem

    configuration = request.read_configuration()
    name = describe_problem(request.target, dict(text.split("=", 1) for text in request.params if "=" in text))
    problem = build(configuration)
    target = state_problem(problem, get_family(configuration))
    stated, claim, digest = comparison.read_statement(file)
    if not report.endswith(digest):
        return Exit.BAD_INPUT, _CHANGED
    difference = comparison.find_difference(stated, target)
    if difference is not None:
        encoder: Any = configuration.encoder
        defaults = {field.name: field.default for field in fields(encoder) if field.default is not MISSING}
        difference = comparison.find_parameter_difference(stated, target, defaults) or difference
        hint = " (with --soft, slack options stand for what stays open)" if problem.soft_prices else ""
        return Exit.NOT_VERIFIED, f"not certified: the certificate is not about {name}: {difference}{hint}"
    if claim["claim"] == "classes" and claim["number"]:
        options = comparison.match_options(stated, target)
        fits, words = comparison.compare_symmetries(claim["maps"], options, problem, request.stop)
        if not fits:
            return Exit.NOT_VERIFIED, f"not certified: {words}"
        report = f"{report}; these are {words}"
    return Exit.DELIVERED, f"{report}; it is about {name}"
