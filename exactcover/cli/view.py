"""``exactcover view``: writes one HTML page that shows solutions, solids and searches."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from exactcover.cli.flags import (
    Verb,
    add_option_flags,
    add_output_flag,
    add_target_arguments,
    list_given,
    parse_distinct,
    report_bad_flags,
)
from exactcover.cli.messages import Exit, Progress, print_message
from exactcover.cli.output import is_standard_output, open_output
from exactcover.cli.solution_output import check_address
from exactcover.cli.target import Request
from exactcover.control.options import Heuristic

if TYPE_CHECKING:  # slow to import
    from exactcover.viewer.view import View


@click.command(cls=Verb)
@add_output_flag
@click.option(
    "--limit",
    type=click.IntRange(min=0, max=1_000_000),
    default=10_000,
    show_default=True,
    metavar="N",
    help="List at most N solutions. If there are more and a diagram of all solutions is small enough, the page shows "
    "a random selection and the exact total; otherwise, it shows the first N.",
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
    help="Show the search with this heuristic. Can be repeated, to compare searches side by side.",
)
@click.option(
    "--start",
    type=click.Choice(["solutions", "solid", "search", "play"]),
    default="solutions",
    show_default=True,
    help="What the page shows first. A page without that view shows the solutions. With play, no solution is "
    "shown before you ask for one.",
)
@click.option(
    "--puzzle-only",
    is_flag=True,
    help="Write a page with the puzzle to play and nothing else: it contains no solution.",
)
@add_option_flags("distinct")
@click.option(
    "--title",
    metavar="TEXT",
    help="The title of the page. The default is the key `title` of the configuration, the start of its first "
    "comment, or the name of the file.",
)
@click.option(
    "--link",
    "address",
    metavar="ADDRESS",
    help="Write no page, but print a link with which the page at this address plays the puzzle: any page that this "
    "verb wrote, or that the studio offers. The link contains the puzzle, and all solutions if they fit.",
)
@click.option("--open", "show", is_flag=True, help="Open the page in a browser; without -o, it is a temporary file.")
@add_target_arguments
def view(
    request: Request,
    output: str | None,
    limit: int,
    nodes: int,
    heuristics: tuple[Heuristic, ...],
    start: View,
    puzzle_only: bool,
    distinct: str | None,
    title: str | None,
    address: str | None,
    show: bool,
) -> int:
    """Write one HTML page that shows the solutions and search of TARGET.

    The page also shows models of solids, which can be turned, and lets the puzzle be played. It needs no other file and
    makes no network requests, so it works offline, and can be emailed and printed.

    \b
    exactcover view pentominoes_6x10.yaml -o tilings.html --open
    exactcover view queens n=8 -o queens.html --heuristic mrv --heuristic leftmost
    exactcover view article_table.yaml -o lesson.html --start search
    exactcover view bedlam_cube.yaml -o bedlam.html --distinct
    exactcover view killer_sudoku.yaml -o killer.html --puzzle-only
    exactcover view queens n=6 --link https://example.org/tilings.html
    """
    import webbrowser  # slow to import, as is the viewer

    from exactcover.viewer.view import ViewOptions
    from exactcover.viewer.view import view as make_view

    if address is not None:
        return _print_link(request, address, title, output)
    if output is None and show:
        output = str(Path(tempfile.mkdtemp(prefix="exactcover-")) / "page.html")
        print_message(f"the page is in {output}")
    if is_standard_output(output) and (show or sys.stdout.isatty()):
        raise click.UsageError("give the name of the output file with -o")
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    ways = tuple(dict.fromkeys(heuristics))
    settings = configuration.search
    is_usual = distinct is None and "limit" not in list_given(click.get_current_context())
    cheapest = (settings.cheapest or settings.most) if is_usual else None
    options = ViewOptions(
        limit,
        nodes,
        ways,
        start=start,
        cheapest=cheapest,
        maximize=settings.most is not None,
        distinct=parse_distinct(distinct),
        puzzle_only=puzzle_only,
    )
    with Progress(lambda: "making the page", shown=not request.quiet), report_bad_flags():
        title = title or configuration.describe()
        page = make_view(problem, configuration.encoder, title=title, options=options, stop=request.stop)
    with open_output(output, inputs=configuration.inputs) as out:
        out.write(page)
    if show and not webbrowser.open(Path(str(output)).resolve().as_uri()):
        print_message(f"no browser could be opened; the page is in {output}")
    return Exit.DELIVERED


def _print_link(request: Request, address: str, title: str | None, output: str | None) -> int:
    """Print a link that plays the puzzle."""
    from exactcover.viewer.link import pack_link

    if not address:
        raise click.UsageError("--link needs the address of a page, such as https://example.org/play.html")
    check_address(address)
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    if configuration.encoder is None:
        raise click.UsageError("only a puzzle with pictures of its own can be played")
    with Progress(lambda: "making the link", shown=not request.quiet):
        link = pack_link(problem, configuration.encoder, title=title or configuration.describe(), stop=request.stop)
    with open_output(output, inputs=configuration.inputs) as out:
        out.write(f"{address}#puzzle={link.text}\n")
    if not link.has_solutions and not request.quiet:
        print_message("the link does not contain all solutions, which are too many or too hard to find")
    return Exit.DELIVERED
