"""``exactcover sample``: prints solutions drawn at random."""

from __future__ import annotations

import random
from typing import Any

import click

from exactcover.cli.diagram_source import make_diagram
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, number_option, seed_option, target_options
from exactcover.cli.messages import print_ending
from exactcover.cli.solution_output import open_writer, solution_options, write_all
from exactcover.cli.target import Request
from exactcover.control.options import Goal
from exactcover.search.replay import DiagramReplay


@click.command(cls=Verb)
@number_option
@seed_option
@solution_options
@target_options
def sample(request: Request, number: int, seed: int | None, writing: dict[str, Any]) -> int:
    """Print N different solutions of TARGET, each as likely as any other.

    That takes a diagram of all solutions, which is made first; TARGET may be the FILE.zdd of one.

    \b
    exactcover sample queens n=12 -n 5 --seed 1
    exactcover sample polyomino board=12x12 pieces=dominoes copies=any -o tilings.svg -n 9
    """
    configuration = request.configuration()
    seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    with open_writer(request, configuration, most=number, **writing) as begin:
        diagram = make_diagram(request, configuration, "compact")
        drawn = request.stop.watch(diagram.samples(seed, limit=number))
        search = DiagramReplay(diagram, drawn, goal=Goal("first", number), seed=seed, stop=request.stop)
        write_all(search, begin(diagram.problem, search), request)
    print_ending(search, request.verbosity)
    return Exit.after(search.status)
