"""``exactcover view``: writes one HTML page that shows solutions, solids and searches."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import get_args

import click

from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, add_target_arguments
from exactcover.cli.messages import describe_problem, print_message
from exactcover.cli.output import is_standard_output, open_output
from exactcover.cli.progress import Progress
from exactcover.cli.search_flags import report_bad_flags
from exactcover.cli.target import Request
from exactcover.control.options import Heuristic

__all__ = ["view"]


@click.command(cls=Verb)
@click.option("-o", "--output", required=True, metavar="FILE.html", help="The page to write.")
@click.option(
    "--limit",
    type=click.IntRange(min=0, max=1_000_000),
    default=10_000,
    show_default=True,
    metavar="N",
    help="List at most N solutions. If there are more, the page shows random ones and counts all of them by a diagram, "
    "if that is small enough.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=0, max=1_000_000),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Show the first N nodes of the search; 0 for no search.",
)
@click.option(
    "--heuristic",
    "heuristics",
    type=click.Choice(get_args(Heuristic)),
    multiple=True,
    default=["mrv"],
    show_default=True,
    help="Show the search by this heuristic. Can be repeated, to compare searches side by side.",
)
@click.option("--open", "show", is_flag=True, help="Open the page in a browser.")
@add_target_arguments
def view(request: Request, output: str, limit: int, nodes: int, heuristics: tuple[Heuristic, ...], show: bool) -> int:
    """Write one HTML page that shows the solutions of TARGET, the solid if it is one, and the search.

    The page needs no other file and makes no request. It works offline, and can be mailed and printed.

    \b
    exactcover view pentominoes_6x10.yaml -o tilings.html --open
    exactcover view queens n=8 -o queens.html --heuristic mrv --heuristic leftmost
    """
    from exactcover.viewer.view import ViewOptions
    from exactcover.viewer.view import view as make_view

    if show and is_standard_output(output):
        raise click.UsageError("--open needs a file; choose another -o")
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    options = ViewOptions(limit, nodes, tuple(dict.fromkeys(heuristics)))
    with Progress(lambda: "making the page", shown=not request.quiet), report_bad_flags():
        page = make_view(
            problem,
            configuration.encoder,
            title=describe_problem(configuration.problem, configuration.params),
            options=options,
            stop=request.stop,
        )
    with open_output(output, inputs=configuration.inputs) as out:
        out.write(page)
    if show and not webbrowser.open(Path(output).resolve().as_uri()):
        print_message(f"no browser could be opened; the page is {output}")
    return Exit.DELIVERED
