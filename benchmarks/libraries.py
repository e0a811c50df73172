"""Python libraries as contestants: each converts a Problem into its own form, then lists all solutions.

Imports are inside the functions, so that a library that is not installed only lacks its column.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from exactcover import Problem

Listing = Callable[[], Iterable[Iterable[int]]]
"""Starts a search that yields solutions as positions of options."""


def rows(problem: Problem) -> list[list[int]]:
    matrix = problem.matrix
    return [list(matrix.entries[matrix.starts[k] : matrix.starts[k + 1]]) for k in range(len(matrix))]


def secondary(problem: Problem) -> dict[str, list[int]]:
    """Return the argument of xcover for secondary items, if there are any."""
    return {"secondary": list(range(len(problem.primary), len(problem.items)))} if problem.secondary else {}


def native(problem: Problem) -> Listing:
    return lambda: problem.solve().positions()


def xcover(problem: Problem) -> Listing:
    from xcover import covers

    return partial(covers, rows(problem), **secondary(problem))


def miniexact(problem: Problem) -> Listing:
    import miniexact

    solver = miniexact.miniexacts_x()
    names = [solver.primary(f"p{item}") for item in range(len(problem.primary))]
    names += [solver.secondary(f"s{item}") for item in range(len(problem.secondary))]
    for items in rows(problem):
        solver.add([names[item] for item in items])

    def search() -> Iterator[Iterable[int]]:
        while solver.solve() == 10:
            yield [option - 1 for option in solver.selected_options()]

    return search


def sage(problem: Problem) -> Listing:
    """Dancing links of SageMath, without secondary items: modelling them as optional rows would change the problem."""
    from sage.combinat.matrices.dancing_links import dlx_solver

    if problem.secondary:
        raise NotImplementedError("secondary items")
    options = rows(problem)
    return lambda: dlx_solver(options).solutions_iterator()


LIBRARIES: dict[str, tuple[str, Callable[[Problem], Listing]]] = {
    "native": ("exactcover", native),
    "xcover": ("xcover", xcover),
    "miniexact": ("miniexact", miniexact),
    "sage": ("sage.combinat.matrices.dancing_links", sage),
}
"""For each name, the module that it needs, and the function that makes a listing."""


def installed() -> dict[str, Callable[[Problem], Listing]]:
    """Return the libraries that are installed, ours first."""
    return {name: make for name, (module, make) in LIBRARIES.items() if is_there(module)}


def is_there(module: str) -> bool:
    """Whether a module can be imported."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
