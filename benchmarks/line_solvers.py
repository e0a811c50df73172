"""Programs that solve puzzles with lines, and prove that there is no other solution, on one thread.

Imports are inside the functions, so that a program that is not installed only lacks its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from exactcover import Encoder, Status
from line_puzzles import BLANK, KINDS, MASYU, NUMBERLINK, SLITHERLINK, Line, Lines, Puzzle, sides
from problems import Masyu, Numberlink, Slitherlink
from problems.lines import WAYS, LinesAt, place_of_point

MOST = 2
"""The number of solutions that decides whether there is exactly one."""


def solve_here(puzzle: Puzzle) -> list[Lines]:
    """Solve by this package, with the encoder of the kind, as people call it."""
    encoders: dict[str, Callable[[], Encoder]] = {
        SLITHERLINK: lambda: Slitherlink(clues=puzzle.cells),
        MASYU: lambda: Masyu(pearls=puzzle.cells),
        NUMBERLINK: lambda: Numberlink(board=puzzle.cells, fill=puzzle.must_fill),
    }
    search = encoders[puzzle.kind]().problem().solve(limit=MOST)
    found = [frozenset(_list_lines(puzzle, solution)) for solution in search]
    if search.status not in (Status.COMPLETE, Status.UNSATISFIABLE, Status.LIMIT):
        raise RuntimeError(f"the search ended with {search.status}")
    return found


def _list_lines(puzzle: Puzzle, solution: tuple[object, ...]) -> Iterator[Line]:
    for label in solution:
        if isinstance(label, LinesAt) and label.place.startswith("point ") == (puzzle.kind == SLITHERLINK):
            row, column = place_of_point(label.place)
            for down, right in (WAYS[way] for way in label.ways):
                one, other = sorted(((row, column), (row + down, column + right)))
                yield one, other


LOOP = """
passed(V) :- on(L), at(V,L).
:- passed(V), { on(L) : at(V,L) } != 2.
:- not passed(V) : place(V).
begun(V+1) :- passed(V).
begun(V+1) :- begun(V), place(V).
reached(V) :- passed(V), not begun(V).
reached(W) :- reached(V), on(L), at(V,L), at(W,L).
:- passed(V), not reached(V).
"""
"""One loop: two lines at each place, and all places reached from the first one."""

CLUES = """
:- clue(C,N), { on(L) : side(C,L) } != N.
"""

PEARLS = """
turn(V) :- on(L), at(V,L), across(L), on(M), at(V,M), not across(M).
:- pearl(V,_), not passed(V).
:- white(V), turn(V).
turned(V) :- white(V), on(L), at(V,L), at(W,L), W != V, turn(W).
:- white(V), not turned(V).
:- black(V), not turn(V).
:- black(V), on(L), at(V,L), at(W,L), W != V, turn(W).
"""

PATHS = """
passed(V) :- on(L), at(V,L).
:- end(V,_), { on(L) : at(V,L) } != 1.
:- passed(V), not end(V,_), { on(L) : at(V,L) } != 2.
:- must_fill, place(V), not passed(V).
symbol(K) :- end(_,K).
{ has(V,K) : symbol(K) } = 1 :- passed(V).
:- end(V,K), not has(V,K).
:- on(L), at(V,L), at(W,L), V < W, has(V,K), not has(W,K).
reached(V) :- end(V,K), end(W,K), V < W.
reached(W) :- reached(V), on(L), at(V,L), at(W,L).
:- passed(V), not reached(V).
"""
"""Paths: one line at each end and two elsewhere; lines join equal symbols; all is reached from the first ends."""

ENCODINGS = {SLITHERLINK: LOOP + CLUES, MASYU: LOOP + PEARLS, NUMBERLINK: PATHS}


def solve_by_clingo(puzzle: Puzzle) -> list[Lines]:
    """Solve by clingo with a plain encoding: rules for degrees, and what is reached along lines."""
    import clingo

    control = clingo.Control([str(MOST), "--warn=none"])
    control.add("base", [], f"{{ on(L) : at(_,L) }}.\n{ENCODINGS[puzzle.kind]}#show on/1.\n{_state(puzzle)}")
    control.ground([("base", [])])
    found: list[Lines] = []

    def note(model: clingo.Model) -> None:
        found.append(frozenset(puzzle.lines[atom.arguments[0].number] for atom in model.symbols(shown=True)))

    result = control.solve(on_model=note)
    if len(found) < MOST and not result.exhausted:
        raise RuntimeError("the search is not complete")
    return found


def _state(puzzle: Puzzle) -> str:
    """Return the facts of a puzzle; lines, places and cells are numbers."""
    numbers = {place: number for number, place in enumerate(puzzle.places)}
    lines = {line: number for number, line in enumerate(puzzle.lines)}
    facts = [f"place({number})." for number in numbers.values()]
    facts += [f"at({numbers[place]},{number})." for line, number in lines.items() for place in line]
    facts += [f"across({number})." for line, number in lines.items() if line[0][0] == line[1][0]]
    for order, (cell, symbol) in enumerate(puzzle.symbols.items()):
        if puzzle.kind == SLITHERLINK:
            facts += [f"clue({order},{symbol}).", *(f"side({order},{lines[side]})." for side in sides(cell))]
        elif puzzle.kind == MASYU:
            facts += [f"pearl({numbers[cell]},{symbol}).", f"{_PEARLS[symbol]}({numbers[cell]})."]
        else:
            facts.append(f'end({numbers[cell]},"{symbol}").')
    facts += ["must_fill."] * (puzzle.kind == NUMBERLINK and puzzle.must_fill)
    return "\n".join(facts)


_PEARLS = {"w": "white", "b": "black"}


def solve_by_cpsat(puzzle: Puzzle) -> list[Lines]:
    """Solve by CP-SAT with the model of puzzlekit; then exclude the loop by a clause, and solve again.

    No loop has all lines of another one.
    """
    import puzzlekit

    rows, columns = puzzle.size
    grid = [["-" if cell == BLANK else cell for cell in row] for row in puzzle.cells]
    solver = puzzlekit.solver(puzzle.kind.lower(), {"num_rows": rows, "num_cols": columns, "grid": grid})
    status = solver.solve({"num_workers": 1, "time_limit_sec": 1e6}).solution_data["status"]
    found: list[Lines] = []
    while status in ("Optimal", "Feasible", "OPTIMAL", "FEASIBLE"):
        drawn = {
            ((one.r, one.c), (other.r, other.c)): variable
            for (one, other), variable in solver.arc_vars.items()
            if solver.solver.Value(variable)
        }
        found.append(frozenset(drawn))
        if len(found) == MOST:
            return found
        solver.model.AddBoolOr([variable.Not() for variable in drawn.values()])
        status = solver.solver.StatusName(solver.solver.Solve(solver.model))
    if status not in ("Infeasible", "INFEASIBLE"):
        raise RuntimeError(f"the search ended with {status}")
    return found


@dataclass(frozen=True)
class Program:
    """A contestant: the module that it needs, the kinds that it knows, and how it solves."""

    module: str
    kinds: tuple[str, ...]
    solve: Callable[[Puzzle], list[Lines]]


OURS = "exactcover"
PROGRAMS = {
    OURS: Program("exactcover", KINDS, solve_here),
    "clingo": Program("clingo", KINDS, solve_by_clingo),
    "CP-SAT": Program("puzzlekit", (SLITHERLINK, MASYU), solve_by_cpsat),
}
