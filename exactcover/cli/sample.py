"""``exactcover sample``: prints random solutions."""

from __future__ import annotations

import random
from typing import Any

import click

from exactcover.cli.flags import Verb, add_number_flag, add_option_flags, add_target_arguments
from exactcover.cli.messages import Exit, print_summary
from exactcover.cli.solution_output import add_solution_flags, open_writer, write_all
from exactcover.cli.target import Request
from exactcover.control.options import Goal
from exactcover.search.known_solutions import KnownSolutions


@click.command(cls=Verb)
@add_number_flag("solutions")
@add_option_flags("seed")
@add_solution_flags
@add_target_arguments
def sample(request: Request, number: int, seed: int | None, solution_flags: dict[str, Any]) -> int:
    """Print N different solutions of TARGET, chosen at random. All solutions are equally likely.

    The command first builds a diagram of all solutions, unless TARGET is one (.zdd). The suffix of FILE sets
    the format of the output, unless --format does. The exit status is 20 if it is proved that there is no solution.

    \b
    exactcover sample queens n=12 -n 5 --seed 1
    exactcover sample polyomino board=12x12 pieces=dominoes copies=any -o tilings.svg -n 9
    """
    configuration = request.read_configuration()
    seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    with open_writer(request, configuration, most=number, **solution_flags) as create_writer:
        diagram = request.build_diagram(configuration, "compact")
        samples = request.stop.watch(diagram.samples(seed, limit=number))
        search = KnownSolutions(diagram, samples, goal=Goal("first", number), seed=seed, stop=request.stop)
        write_all(search, create_writer(diagram.problem, search), request)
    print_summary(search, request.verbosity)
    return Exit.from_status(search.status)
