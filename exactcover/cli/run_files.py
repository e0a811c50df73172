"""``exactcover run export, check``: what is done with the store of a run besides working on it."""

from __future__ import annotations

import contextlib

import click

from exactcover.cli.certificates import open_certificate
from exactcover.cli.completion import complete_file
from exactcover.cli.exits import Exit
from exactcover.cli.flags import (
    Verb,
    add_escape_flag,
    add_format_flag,
    add_limit_flags,
    add_option_flags,
    add_output_flag,
    add_verbosity_flags,
)
from exactcover.cli.messages import print_line, print_message
from exactcover.cli.output import KeepOldFileError, is_standard_output, open_output
from exactcover.cli.output_format import check_flag, check_terminal, choose_format
from exactcover.cli.progress import Progress
from exactcover.cli.ranges import FiniteRange
from exactcover.cli.run import open_run, refuse_store, run_verbs
from exactcover.cli.run_summary import describe_summary
from exactcover.cli.target import Request
from exactcover.cli.terminal import PictureRenderer
from exactcover.errors import DamagedStoreError, StoreError
from exactcover.formats.registry import SOLUTIONS
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures import printable
from exactcover.pictures.text import format_count

__all__ = ["run_verbs"]

_FORMATS = {name: one for name, one in SOLUTIONS.items() if one.streamed}


@run_verbs.command("export", cls=Verb)
@click.argument("store", metavar="STORE", shell_complete=complete_file)
@add_output_flag
@add_format_flag(_FORMATS)
@add_escape_flag
@add_limit_flags
@add_verbosity_flags
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
    from exactcover.runs.export import RunDelivery

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
        settings = WriterSettings(name, params, render=PictureRenderer(out).render, escape_formulas=escape_formulas)
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
@click.argument("store", metavar="STORE", shell_complete=complete_file)
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
    metavar="FILE",
    shell_complete=complete_file,
    help="Also write a proof of the answer to FILE, which exactcover certify checks; needs run start --record-nodes.",
)
@add_option_flags(seed=0)
@add_limit_flags
@add_verbosity_flags
def check_run(request: Request, store: str, share: float, certificate: str | None, seed: int) -> int:
    """Check from STORE alone that the answer of the run is right.

    The check reads every record, computes every division anew, verifies every listed solution, and counts some cubes
    again with another engine.
    """
    from exactcover.runs.check import CheckReport

    try:
        opened, report, faults = open_run(store, request.stop), CheckReport(), 0
    except DamagedStoreError as error:
        print_message(f"error: {error}")
        return Exit.NOT_VERIFIED
    refuse_store(certificate, opened)

    def get_line() -> str:
        divisions, cubes = format_count(report.divisions, "division"), format_count(report.solved, "cube")
        return f"{divisions} recomputed, {cubes} counted again"

    with Progress(get_line, shown=not request.quiet):
        for fault in opened.check(share=share, seed=seed, stop=request.stop, report=report):
            print_message(printable(fault if fault.startswith(f"{store}: ") else f"{store}: {fault}"))
            faults += 1
    if faults:
        return Exit.NOT_VERIFIED
    if certificate is not None:
        try:
            with open_certificate(certificate, [opened.path]) as file:
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
    return Exit.DELIVERED
