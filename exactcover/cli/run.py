"""``exactcover run``: long searches that are kept in a file, resumed, watched and spread over machines."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from exactcover.cli.certificates import open_certificate
from exactcover.cli.flags import (
    COUNT_RANGE,
    FiniteRange,
    Verb,
    VerbGroup,
    add_escape_flag,
    add_format_flag,
    add_limit_flags,
    add_option_flags,
    add_output_flag,
    add_target_arguments,
    add_verbosity_flags,
    join_flags,
    read_by,
    read_size,
    report_bad_flags,
)
from exactcover.cli.messages import Exit, Progress, describe_costs, describe_duration, print_line, print_message
from exactcover.cli.output import (
    KeepOldFileError,
    check_file_name,
    check_flag,
    check_terminal,
    choose_format,
    is_standard_output,
    make_renderer,
    open_output,
)
from exactcover.cli.target import Request, complete_file, complete_folder
from exactcover.control.options import COUNT, Goal
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop
from exactcover.errors import DamagedStoreError, OutputError, StoreError
from exactcover.files.write import open_named
from exactcover.formats.registry import SOLUTIONS
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures.text import cut, digits, format_count, printable

if TYPE_CHECKING:
    from exactcover.config.configuration import Configuration
    from exactcover.problem import Problem
    from exactcover.runs.run import Run
    from exactcover.runs.store import RunSummary

_LONGEST_VALUE = 40  # letters of a parameter or label in a list of runs
_MOST_LABELS = 3  # given or excluded options that are named

_MAX_WORKERS = 10_000
_RUN_OPTIONS = ("engine", "reduce", "symmetry")

_FORMATS = {name: one for name, one in SOLUTIONS.items() if one.streamed and not one.needs}


def describe_summary(summary: RunSummary) -> str:
    """Return how far a run has come as one line."""
    found = format_count(summary.solutions, "solution")
    if summary.bound is not None and summary.status is Status.RUNNING:
        found += f", {describe_costs(summary.best, summary.bound)}"
    if summary.status is not Status.RUNNING:
        if summary.status is Status.LIMIT:
            return f"the first {found if summary.solutions > 1 else 'solution'}"
        return f"{found} ({'no other is cheaper' if summary.status is Status.OPTIMAL else 'run complete'})"
    parts = [found, f"{summary.done:,} of {format_count(summary.done + summary.open + summary.failed, 'cube')} done"]
    forecast = summary.forecast
    if forecast is not None:
        parts.append(f"{forecast.share:.1%} of the work done, {format_count(summary.workers, 'worker')}")
        if forecast.seconds_left is not None and forecast.spread is not None:
            low, high = max(0.0, forecast.seconds_left - forecast.spread), forecast.seconds_left + forecast.spread
            parts.append(
                f"{describe_duration(forecast.seconds_left)} left "
                f"({describe_duration(low)} to {describe_duration(high)})"
            )
    if summary.waits:
        parts.append(f"waiting for {summary.waits[0]}")
    return ", ".join(parts)


def describe_run(opened: Run) -> str:
    """Return the problem of a run with its parameters, and what is searched for."""
    params = [
        f"{name}={cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), _LONGEST_VALUE)}"
        for name, value in opened.problem.params.items()
    ]
    return (
        f"{printable(' '.join([opened.problem.name, *params]))}{_describe_instance(opened)}: {opened.goal.describe()}"
    )


def _describe_instance(opened: Run) -> str:
    """Return which options are given and excluded: their labels, or how many they are if they are many."""
    problem, texts = opened.problem, []
    for word, nouns, positions in (
        ("given", "given", problem.given_positions),
        ("without", "excluded option", problem.excluded_positions),
    ):
        labels = [printable(cut(problem.labels[position], _LONGEST_VALUE)) for position in positions]
        if len(labels) > _MOST_LABELS:
            texts.append(f", {format_count(len(labels), nouns)}")
        elif labels:
            texts.append(f", {word} {' and '.join(labels)}")
    return "".join(texts)


@click.group("run", cls=VerbGroup, invoke_without_command=True, subcommand_metavar="VERB [ARGUMENTS]...")
@click.pass_context
def run_verbs(context: click.Context) -> int:
    """Keep a long search in a file, and share it among workers.

    A run is cut into many small parts, called cubes. Workers search them, and one file, the store, keeps finished work.
    If a worker, this program or the machine dies, at most the cubes being searched are lost; resume searches them
    again.

    \b
    exactcover run start queens n=18 --store queens18.run
    exactcover run resume queens18.run
    exactcover run status queens18.run
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
    return Exit.DELIVERED


add_work_flags = join_flags(
    click.option(
        "--workers",
        type=click.IntRange(min=1, max=_MAX_WORKERS),
        metavar="N",
        help="Search with N processes; by default, one per processor.",
    ),
    click.option("--dask", metavar="ADDRESS", help="Search with the workers of this dask scheduler."),
    click.option(
        "--timeout",
        "cube_timeout",
        type=FiniteRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Give up on a cube after this many seconds. A cube that fails three times is set aside, and the result is "
        "then a lower bound. Cubes are usually divided after 30 seconds or less.",
    ),
    click.option(
        "--memory",
        "cube_memory",
        metavar="SIZE",
        callback=read_by(read_size),
        help="Memory limit for one cube: how much a worker may grow, such as 500M or 2G, plus 64 MiB.",
    ),
    click.option(
        "--log",
        metavar="FILE",
        shell_complete=complete_file,
        help="Add a JSON line to FILE for each cube that is done or fails.",
    ),
)
_add_store_argument = click.argument("store", metavar="STORE", shell_complete=complete_file)
_add_run_flags = join_flags(add_limit_flags, add_verbosity_flags)


@run_verbs.command("start", cls=Verb)
@click.option(
    "--store",
    required=True,
    metavar="FILE",
    shell_complete=complete_file,
    help="The file in which to keep the run; it must not exist yet.",
)
@click.option("--all", "find_all", is_flag=True, help="List all solutions. By default, they are only counted.")
@click.option("--limit", type=COUNT_RANGE, metavar="N", help="List the first N solutions.")
@click.option("--cheapest", type=COUNT_RANGE, metavar="K", help="Find the K solutions with the lowest cost.")
@add_option_flags(*_RUN_OPTIONS)
@click.option(
    "--record-nodes",
    is_flag=True,
    help="Keep every node of the search in the store, so that run check --certificate can prove the answer.",
)
@click.option("--create-only", is_flag=True, help="Create the store, but do not search.")
@add_work_flags
@partial(add_target_arguments, limited=False)
def start(
    request: Request,
    store: str,
    find_all: bool,
    limit: int | None,
    cheapest: int | None,
    record_nodes: bool,
    create_only: bool,
    **flags: Any,
) -> int:
    """Start a run: count or list the solutions of TARGET. Finished work is kept in the store.

    The exit status is 3 if some cubes were set aside, and 20 if solutions are listed and it is proved that there is
    none.

    \b
    exactcover run start queens n=18 --store queens18.run
    exactcover run start pentominoes_6x10.yaml --all --store tilings.run --workers 4
    """
    check_file_name(store)
    goal = Goal("cheapest", cheapest) if cheapest else Goal("first", limit) if limit else COUNT
    configuration = request.read_configuration()
    if configuration.solutions is not None:
        raise click.UsageError(f"{request.target} holds all solutions, so there is nothing to search")
    problem = request.build_problem(configuration, merge=configuration.search.merge)
    goal = Goal("all") if find_all else goal
    search_flags = {name: flags.pop(name) for name in _RUN_OPTIONS}
    made = create_run(request, configuration, problem, store, goal, search_flags, records=record_nodes)
    if create_only:
        return Exit.DELIVERED
    return work_on(made, request.stop, request.verbosity, **flags)


@run_verbs.command("resume", cls=Verb)
@_add_store_argument
@click.option("--retry", is_flag=True, help="Retry the cubes that were set aside.")
@add_work_flags
@add_verbosity_flags
def resume(request: Request, store: str, retry: bool, **work_flags: Any) -> int:
    """Continue the run in STORE until it is complete; the exit status is as for ``run start``."""
    opened = open_run(store, request.stop)
    if retry:
        opened.retry_failed()
    return work_on(opened, request.stop, request.verbosity, **work_flags)


@run_verbs.command("status", cls=Verb)
@_add_store_argument
@_add_run_flags
def status(request: Request, store: str) -> int:
    """Print the progress of the run in STORE. Another process may be working on it."""
    opened = open_run(store, request.stop)
    summary = opened.status()
    print_line(f"{describe_run(opened)}, engine {opened.engine}")
    print_line(describe_summary(summary))
    print_line(
        f"cubes {summary.done:,} done, {summary.open:,} open ({summary.searched:,} being searched), "
        f"{summary.failed:,} set aside"
    )
    print_line(
        f"time {describe_duration(summary.seconds)} (all workers together); {format_count(summary.nodes, 'node')}"
    )
    rate = f", {summary.forecast.rate:,.0f} nodes per second each" if summary.forecast is not None else ""
    workers = f"workers {summary.workers:,}, memory {summary.memory / (1 << 20):,.0f} MiB{rate}"
    print_line(workers if summary.workers else "no process is working on this run")
    if summary.digest is not None:
        print_line(f"digest {summary.digest}")
    for wait in summary.waits:
        print_line(f"waiting for {wait}")
    for reason in summary.reasons:
        print_line(f"reason {reason}")
    return Exit.DELIVERED


@run_verbs.command("list", cls=Verb)
@click.argument("folder", metavar="[FOLDER]", shell_complete=complete_folder, default=".")
@_add_run_flags
def list_runs(request: Request, folder: str) -> int:
    """List the runs whose stores are in FOLDER. The default is the current folder.

    If a store is damaged, the others are listed, and the exit status is 2.
    """
    from exactcover.runs.database import is_store

    if not Path(folder).is_dir():
        raise click.UsageError(f"{folder} is not a folder")
    exit_status = Exit.DELIVERED
    for path in sorted(Path(folder).iterdir()):
        request.stop.poll()
        if is_store(path):
            try:
                opened = open_run(str(path), request.stop)
                print_line(f"{path}: {describe_run(opened)}: {describe_summary(opened.status())}")
            except StoreError as error:
                print_message(f"error: {error}")
                exit_status = Exit.BAD_INPUT
    return exit_status


@run_verbs.command("stop", cls=Verb)
@_add_store_argument
@_add_run_flags
def stop(request: Request, store: str) -> int:
    """Ask the process that is working on the run in STORE to stop. It first stores what it has."""
    opened = open_run(store, request.stop)
    owner = opened.owner()
    if owner is None:
        raise click.UsageError(f"no process is working on {store}")
    process, host = owner
    if host != socket.gethostname():
        raise click.UsageError(f"process {process} on {host} is working on {store}; stop it there")
    try:
        os.kill(process, signal.SIGTERM)
    except OSError as error:  # of another user, or just ended
        raise click.UsageError(f"process {process} cannot be asked to stop: {error.strerror}") from None
    if not request.quiet:
        print_message(f"asked process {process} to stop")
    return Exit.DELIVERED


def create_run(
    request: Request,
    configuration: Configuration,
    problem: Problem,
    store: str,
    goal: Goal,
    flags: Mapping[str, Any],
    *,
    records: bool = False,
) -> Run:
    """Create the store of a run; flags of its search that are None are those of the configuration."""
    from exactcover.runs.run import Run  # slow to import

    own, name, params = configuration.search, configuration.problem, configuration.params
    options = {key: getattr(own, key) if flags[key] is None else flags[key] for key in _RUN_OPTIONS}
    with report_bad_flags():
        return Run.create(store, problem, goal, records=records, name=name, params=params, stop=request.stop, **options)


def open_run(store: str, stop: Stop) -> Run:
    """Return the run in a store; the stop ends what reads it. Raise ``StoreError`` if it is not a store."""
    from exactcover.runs.run import Run

    return Run(store, stop)


def refuse_store(output: str | None, opened: Run) -> None:
    """Refuse to write to the store of a run."""
    path = Path(output or "")
    if output is not None and path.exists() and path.samefile(opened.path):
        raise click.UsageError(f"{output} is the store of the run; choose another file")


def work_on(
    opened: Run,
    stop: Stop,
    verbosity: int,
    *,
    workers: int | None = None,
    dask: str | None = None,
    cube_timeout: float | None = None,
    cube_memory: int | None = None,
    log: str | None = None,
    contradict: Callable[[int], str | None] = lambda number: None,
) -> int:
    """Work on a run, print the answer, and return the exit status; parameters are the flags of the verbs.

    A count is an error instead if `contradict` says why it cannot be.
    """
    if log is not None:
        refuse_store(log, opened)
    line, share = "starting", 0.0
    last: RunSummary | None = None

    def show(summary: RunSummary) -> None:
        nonlocal line, share, last
        line, share = describe_summary(summary), summary.forecast.share if summary.forecast is not None else 0.0
        last = summary

    progress = Progress(lambda: line, lambda: share, shown=verbosity >= 0)
    with _survive_broken_pipes(), _open_log(log) as lines, _open_dask(dask, stop) as executor, progress:
        loss: OutputError | None = None
        try:
            opened.work(
                executor, workers=workers, timeout=cube_timeout, memory=cube_memory, stop=stop, log=lines, show=show
            )
        except OutputError as error:
            if last is None or last.status is Status.RUNNING:
                raise
            loss = error  # the answer is known, but the file is not there any more
    assert last is not None
    contradiction = None if last.status is Status.RUNNING else contradict(last.solutions)
    if contradiction is not None:
        print_message(f"error: {contradiction}")
        return Exit.NOT_VERIFIED
    exit_status = print_answer(opened, last, stop.status, verbosity)
    if loss is not None:
        raise loss
    return exit_status


def print_answer(opened: Run, summary: RunSummary, stopped: Status | None, verbosity: int) -> int:
    """Print the answer of a run that is complete, or how to continue if it was stopped; return the exit status."""
    status = summary.status
    if verbosity >= 0:
        for reason in summary.reasons if status is not Status.UNSATISFIABLE else ():
            print_message(f"set aside: {reason}")
        print_message(describe_summary(summary))
        if verbosity > 0:
            print_message(f"digest {summary.digest}")
    if status is Status.RUNNING:
        found = format_count(summary.solutions, "solution")
        retry = "" if summary.open else "--retry "
        print_message(f"at least {found}; continue with: exactcover run resume {retry}{opened.path}")
        return Exit.STOPPED if stopped is None else Exit.from_status(stopped)
    if opened.goal.kind == "count":
        print_line(digits(summary.solutions))
        return Exit.DELIVERED
    if status is Status.UNSATISFIABLE:
        if verbosity >= 0:
            print_message("no solution" + "".join(f": {reason}" for reason in summary.reasons))
        return Exit.NO_SOLUTION
    if verbosity >= 0:
        print_message(f"write the solutions with: exactcover run export {opened.path} -o FILE.jsonl")
    return Exit.DELIVERED


@contextlib.contextmanager
def _survive_broken_pipes() -> Iterator[None]:
    """Let writing to a worker that has just died be an error, which is handled, and not the end of this process."""
    if not hasattr(signal, "SIGPIPE"):
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


def _open_log(path: str | None) -> AbstractContextManager[TextIO | None]:
    """Open the file of ``--log``, to which lines are added."""
    if path is None:
        return contextlib.nullcontext()
    check_file_name(path)
    try:
        return io.TextIOWrapper(io.BufferedWriter(open_named(Path(path), "a")), "utf-8", newline="\n")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from None


def _open_dask(address: str | None, stop: Stop) -> AbstractContextManager[Any]:
    """Return an executor for the workers of a dask scheduler, or None."""
    if address is None:
        return contextlib.nullcontext()
    from exactcover.runs.executors import DaskExecutor

    return DaskExecutor(address, stop)


@run_verbs.command("export", cls=Verb)
@_add_store_argument
@add_output_flag
@add_format_flag(_FORMATS)
@add_escape_flag
@_add_run_flags
def export(
    request: Request,
    store: str,
    output: str | None,
    output_format: str | None,
    escape_formulas: bool,
) -> int:
    """Write the solutions of the run in STORE. They come in the order of the search tree, or of cost.

    If the run is not complete, the solutions found so far are written, and the exit status is 3. With -o, CSV and
    Parquet output is then written to FILE.exactcover-part. The suffix of FILE sets the format of the output, unless
    --format does; the default is jsonl.

    \b
    exactcover run export tilings.run -o tilings.jsonl
    """
    from exactcover.runs.run import RunDelivery

    opened = open_run(store, request.stop)
    refuse_store(output, opened)
    chosen = choose_format(_FORMATS, output_format, output, "jsonl")
    if opened.goal.kind == "count":
        raise click.UsageError(f"the run in {store} only counts solutions, so there is nothing to export")
    check_flag(_FORMATS, chosen, "escape_formulas", "--escape-formulas", escape_formulas)
    check_terminal(chosen, output)
    delivery = RunDelivery(opened, request.stop)
    with contextlib.suppress(KeepOldFileError), open_output(output, inputs=[opened.path], keep_part=True) as out:
        name, params = opened.problem.name, opened.problem.params
        settings = WriterSettings(name, params, render=make_renderer(out), escape_formulas=escape_formulas)
        writer = chosen.load_writer()(out, opened.problem, None, delivery, settings)
        for positions in delivery.positions():
            writer.write_solution(positions)
        writer.close()
        if not writer.may_replace and not is_standard_output(output):
            raise KeepOldFileError  # nothing in the file would say that solutions are missing
    if not delivery.status.stopped:
        return Exit.DELIVERED
    print_message(f"the run is not complete: {describe_summary(opened.status())}")
    return Exit.STOPPED


@run_verbs.command("check", cls=Verb)
@_add_store_argument
@click.option(
    "--share",
    type=FiniteRange(min=0, max=1),
    default=0.01,
    show_default=True,
    metavar="SHARE",
    help="The share of the cubes to count again with another engine.",
)
@click.option(
    "--certificate",
    "proof",  # --seed chooses what is searched again beside it
    metavar="FILE",
    shell_complete=complete_file,
    help="Also write a proof of the answer to FILE, which exactcover certify checks; needs run start --record-nodes.",
)
@add_option_flags(seed=0)
@_add_run_flags
def check_run(request: Request, store: str, share: float, proof: str | None, seed: int) -> int:
    """Check from STORE alone that the answer of the run is right.

    The check reads every record, computes every division anew, verifies every listed solution, and counts some cubes
    again with another engine.
    """
    from exactcover.runs.store_check import CheckReport

    try:
        opened, report, faults = open_run(store, request.stop), CheckReport(), 0
    except DamagedStoreError as error:
        print_message(f"error: {error}")
        return Exit.NOT_VERIFIED
    refuse_store(proof, opened)

    def get_line() -> str:
        divisions, cubes = format_count(report.divisions, "division"), format_count(report.solved, "cube")
        return f"{divisions} recomputed, {cubes} counted again"

    with Progress(get_line, shown=not request.quiet):
        for fault in opened.check(share=share, seed=seed, stop=request.stop, report=report):
            print_message(printable(fault if fault.startswith(f"{store}: ") else f"{store}: {fault}"))
            faults += 1
    if faults:
        return Exit.NOT_VERIFIED
    if proof is not None:
        try:
            with open_certificate(proof, [opened.path]) as file:
                opened.write_certificate(file, request.stop)
        except StoreError as error:
            print_message(f"error: {error}")
            return Exit.NOT_VERIFIED
    if not request.quiet:
        summary = opened.status()
        print_line(describe_summary(summary))
        print_line(
            f"{format_count(report.records, 'record')} intact, {format_count(report.divisions, 'division')} complete, "
            f"{format_count(report.solutions, 'solution')} verified, "
            f"{format_count(report.solved, 'cube')} counted again, "
            f"{report.passed_over:,} skipped for taking too long"
        )
    if report.passed_over and not report.solved:
        print_message("no cube could be counted again in time, so the count itself was not checked")
        return Exit.STOPPED
    return Exit.DELIVERED
