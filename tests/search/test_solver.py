"""A solver answers every instance as a search of its own does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import StopWhen
from exactcover import EngineUnavailableError, Problem, StoppedError
from exactcover.engines.base import ENGINES
from oracles import assert_each_once, brute_force
from problems import Queens, Sudoku
from strategies import COSTS, priced, problems


@given(problems() | priced(most_options=10, prices=COSTS), st.data())
def test_many_instances_of_one_problem(engine: str, problem: Problem, data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(problem.labels), max_size=2) if problem.labels else st.just([])
    solver = problem.reusable_solver(engine=engine)
    for _ in range(3):
        chosen, without = data.draw(some), data.draw(some)
        expected = [one for one in brute_force(problem) if one.issuperset(chosen) and one.isdisjoint(without)]
        assert_each_once(solver.solutions(given=chosen, without=without, limit=len(expected) + 1), expected)
        assert len(solver.solutions(given=chosen, without=without)) == min(1, len(expected))


@given(problems(), st.data())
def test_needed_givens_leave_no_other_solution(engine: str, problem: Problem, data: st.DataObject) -> None:
    solver, found = problem.reusable_solver(engine=engine), list(problem.solve())
    for solution in found[:3]:
        chosen = data.draw(st.lists(st.sampled_from(solution), unique=True)) if solution else []
        needed = solver.prove_only(solution, given=chosen)
        is_only = sum({*chosen} <= {*other} for other in found) == 1
        assert (needed is not None) == is_only
        if needed is not None:
            assert {*needed} <= {*chosen}
            assert [{*other} for other in found if {*needed} <= {*other}] == [{*solution}]


def test_the_givens_of_the_problem_hold_too() -> None:
    problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]}).instance(given=["A"], without=["D"])
    solver = problem.reusable_solver()
    assert solver.solutions(limit=9) == [("A", "B")]
    assert Problem({"A": [1]}, impossible="so it is").reusable_solver().solutions() == []
    assert Problem({}).reusable_solver().solutions(limit=2) == [()]
    assert solver.solutions(given=["D"]) == solver.solutions(without=["A"]) == solver.solutions(given=["C"]) == []


def test_a_stop_ends_one_instance_only(engine: str) -> None:
    solver = Queens(n=30).problem().reusable_solver(engine=engine)
    with pytest.raises(StoppedError):
        solver.solutions(limit=10**9, stop=StopWhen(lambda: True))
    assert len(solver.solutions(limit=1, given=[], stop=None)) == 1


def test_an_engine_that_does_not_exist() -> None:
    with pytest.raises(EngineUnavailableError, match="did you mean 'sets'"):
        Problem({"A": [1]}).reusable_solver(engine="stes")


@pytest.mark.skipif("diagram" not in ENGINES, reason="installed without a C++ compiler")
def test_engines_that_cannot_begin_again() -> None:
    puzzle = Sudoku(box="2x2", grid="1.....2........3")
    problem = puzzle.problem().full()
    solver = problem.reusable_solver(engine="diagram")
    for givens in (list(puzzle.givens()), [], list(puzzle.givens())):
        assert len(solver.solutions(given=givens, limit=50)) == len(list(problem.solve(given=givens, limit=50)))
