"""The diagram of a target: read from a file, or built."""

from __future__ import annotations

from exactcover.cli.progress import Progress, describe_progress
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.diagram.diagram import Diagram, Order
from exactcover.problem import Problem
from exactcover.search.search import Search

__all__ = ["make_diagram"]


def make_diagram(request: Request, configuration: Configuration, order: Order) -> Diagram[Problem]:
    """Return the diagram of all solutions of a target.

    Raises
    ------
    StoppedError
        If building it was stopped.
    """
    if configuration.solutions is not None:
        if request.given or request.without:
            return configuration.solutions.restrict(request.given, request.without)
        return configuration.solutions
    problem = request.build_problem(configuration)
    search: list[Search] = []
    with Progress(lambda: describe_progress(search[0].statistics) if search else "", shown=not request.quiet):
        return problem.diagram(order=order, stop=request.stop, watch=search.append)
