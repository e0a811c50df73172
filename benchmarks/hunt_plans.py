"""Hunt for wrong answers to questions about plans: random problems, against brute force.

    python benchmarks/hunt_plans.py --problems 10000 --jobs 2

- candidates: which options are in some solution, and which in all, with nested assumptions and several engines; the
  truth is what every subset of options says.
- sudoku: killer cages and thermometers, against every square of order 4.
- explain: conflicts that do not overlap, and the fewest options to add, against every subset of options.
- staffing: plans made from rules, with their costs, day by day and by patterns, against every plan.

The exit status is 1 if anything is wrong; the seed of each such problem is printed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from exactcover import Colored, Problem
from exactcover.analysis import Addition, find_additions
from exactcover.analysis.explain import explain
from exactcover.engines.registry import ENGINES
from hunt_costs import draw, solve
from hunting import hunt
from problems import Staffing, Sudoku

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from small_staffs import Plan, draw_staff, list_plans, write_staff
from small_sudokus import draw_rules, keeps_rules, list_squares, write_square


def _check(kind: str, seed: int) -> Iterable[str]:
    return [f"{kind} with a solution"] if _KINDS[kind](random.Random(seed)) else []


def check_candidates(chance: random.Random) -> bool:
    """Compare true candidates with all solutions."""
    problem = draw(chance)
    solutions = solve(problem)
    engine = chance.choice(["auto", "auto", *[name for name in ("sets", "native", "learning") if name in ENGINES]])
    solver = problem.reusable_solver(engine=engine)
    for _ in range(3):
        given, without, more = ([one for one in problem.labels if chance.random() < 0.1] for _ in range(3))
        with solver.assume(given=given), solver.assume(without=without):
            left = [one for one in solutions if one.issuperset([*given, *more]) and one.isdisjoint(without)]
            found = solver.candidates(given=more)
            assert found.possible == _sort(problem, frozenset().union(*left))
            assert found.certain == _sort(problem, left[0].intersection(*left) if left else frozenset())
    return bool(solutions)


def _sort(problem: Problem, labels: frozenset[Any]) -> tuple[Any, ...]:
    return tuple(label for label in problem.labels if label in labels)


def check_sudoku(chance: random.Random) -> bool:
    """Compare the solutions of a small Sudoku with the squares that keep its rules."""
    params = draw_rules(chance)
    puzzle = Sudoku(box="2x2", **params)
    found = [puzzle.decode(one) for one in puzzle.problem().solve()]
    expected = {write_square(square) for square in list_squares() if keeps_rules(square, **params)}
    assert len(found) == len(expected)
    assert set(found) == expected
    return bool(found)


def check_staffing(chance: random.Random) -> bool:
    """Compare the plans of a small staff with those that keep its rules."""
    facts = draw_staff(chance)
    truth = dict(list_plans(facts))
    parameters = write_staff(facts)
    compare_plans(Staffing(**parameters), truth)
    length = chance.choice([size for size in (1, 2, 3, 4) if facts["days"] % size == 0])
    if (facts["run"] or 0) >= length or any(one["week"] or one["total"] for one in facts["people"]):
        return bool(truth)
    patterns = [" ".join(chance.choice(["-", *facts["shifts"]]) for _ in range(length)) for _ in range(5)]
    known = {" ".join(["-"] * length), *patterns}
    blocks = range(0, facts["days"], length)
    left = {
        plan: cost
        for plan, cost in truth.items()
        if all(" ".join(row[start : start + length]) in known for row in plan for start in blocks)
    }
    compare_plans(Staffing(**parameters, patterns=tuple(patterns)), left)
    return bool(truth)


def compare_plans(staffing: Staffing, truth: dict[Plan, int]) -> None:
    """Compare all plans, and what the cheapest costs."""
    problem = staffing.problem()
    found = []
    for solution in problem.solve():
        rows = staffing.decode(solution).values()
        found.append(tuple(tuple(row.get(day, "-") for day in range(1, staffing.days + 1)) for row in rows))
        assert problem.cost(solution) == truth[found[-1]]
    assert len(found) == len(set(found)) == len(truth)
    cheapest = next(problem.cheapest(), None)
    assert (None if cheapest is None else problem.cost(cheapest)) == min(truth.values(), default=None)


def check_explain(chance: random.Random) -> bool:
    """Check what is said where there is no solution."""
    whole = draw(chance)
    problem = whole.full().instance(without=whole.excluded)
    givens = [label for label in problem.labels if chance.random() < 0.3]
    found = explain(problem, givens, conflicts=9)
    if found.solutions:
        return True
    solutions = solve(problem)
    conflicts = [found.conflict or found.items, *found.further]
    flat = [one for conflict in conflicts for one in conflict]
    assert len(set(flat)) == len(flat)
    if found.conflict:
        for conflict in conflicts:
            assert not any(one.issuperset(conflict) for one in solutions)
            assert all(any(one.issuperset(set(conflict) - {label}) for one in solutions) for label in conflict)
        assert any(one.issuperset(set(givens) - set(flat)) for one in solutions)
    elif flat:
        for conflict in conflicts:
            assert not can_cover(problem, set(conflict))
            assert all(can_cover(problem, set(conflict) - {item}) for item in conflict)
        assert can_cover(problem, set(problem.primary) - set(flat))
    if len(problem.labels) <= 8:
        check_additions(problem, chance)
    return False


def can_cover(problem: Problem, required: set[Any]) -> bool:
    """Return whether these items can be covered, if the others need not be."""
    bounds = {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary}
    relaxed = {item: (low if item in required else 0, high) for item, (low, high) in bounds.items()}
    return bool(solve(change(problem, relaxed)))


def change(problem: Problem, bounds: Mapping[Any, Any], added: Iterable[Addition] = ()) -> Problem:
    """Return a problem with other bounds and further options."""
    options = {**problem.options, **{f"added {k}": one.items for k, one in enumerate(added)}}
    parts: dict[str, Any] = {"primary": problem.primary, "secondary": problem.secondary, "multiplicity": bounds}
    return Problem(options, **parts).instance(without=problem.excluded)


def check_additions(problem: Problem, chance: random.Random) -> None:
    """Compare the fewest additions with those of every set of them."""
    stated = []
    for number in range(chance.randint(0, 4)):
        items = chance.sample(problem.primary, chance.randint(1, min(2, len(problem.primary))))
        shared = [Colored(item, chance.choice(["red", "green"])) for item in problem.secondary if chance.random() < 0.3]
        stated.append(Addition((*items, *shared), str(number)))
    found = find_additions(problem, stated)
    subsets = (some for size in range(len(stated) + 1) for some in combinations(stated, size))
    least = next((some for some in subsets if solve(change(problem, problem.multiplicity, some))), None)
    assert (found is None) == (least is None)
    if found is not None and least is not None:
        assert len(found) == len(least)
        assert solve(change(problem, problem.multiplicity, found))


_KINDS: dict[str, Callable[[random.Random], bool]] = {
    "candidates": check_candidates,
    "explain": check_explain,
    "sudoku": check_sudoku,
    "staffing": check_staffing,
}


if __name__ == "__main__":
    sys.exit(hunt([*_KINDS], _check, __doc__))
