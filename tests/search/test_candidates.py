"""True candidates are those of all solutions listed; assumptions are pushed and popped."""

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import StopWhen
from exactcover import Candidates, Label, Problem, ProblemError, StoppedError
from oracles import brute_force
from problems import Queens, Sudoku
from strategies import problems

SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"


def expect(problem: Problem, solutions: list[frozenset[object]]) -> Candidates:
    """The candidates as the definition says, from all solutions."""
    possible = frozenset().union(*solutions)
    certain = possible.intersection(*solutions)
    return Candidates(*(tuple(label for label in problem.labels if label in some) for some in (possible, certain)))


@given(problems(most_options=10), st.data())
def test_candidates_are_those_of_all_solutions(engine: str, problem: Problem, data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(problem.labels), max_size=1) if problem.labels else st.just([])
    solver = problem.reusable_solver(engine=engine)
    solutions = brute_force(problem)
    for _ in range(2):
        chosen, without, more = data.draw(some), data.draw(some), data.draw(some)
        left = [one for one in solutions if one.issuperset(chosen) and one.isdisjoint(without)]
        with solver.assume(given=chosen):
            with solver.assume(without=without):
                assert solver.candidates() == expect(problem, left)
                further = [one for one in left if one.issuperset(more)]
                assert solver.candidates(given=more) == expect(problem, further)
                assert len(solver.solutions(given=more, limit=2**10)) == len(further)
            assert len(solver.solutions(limit=2**10)) == sum(one.issuperset(chosen) for one in solutions)
    assert solver.candidates() == expect(problem, list(solutions))


@given(st.integers(3, 9), st.integers(0, 2), st.data())
def test_more_solutions_than_are_listed(engine: str, pairs: int, optional: int, data: st.DataObject) -> None:
    rows: dict[str, list[Any]] = {f"{pair}{side}": [pair] for pair in range(pairs) for side in "ab"}
    rows |= {"both": ["twice"], "or": ["twice"], "sure": ["one"]}
    rows |= {f"free {k}": [f"free {k}"] for k in range(optional)}
    bounds: dict[Any, Any] = {"twice": 2, **{f"free {k}": (0, 1) for k in range(optional)}}
    problem = Problem(rows, multiplicity=bounds)
    given = data.draw(st.lists(st.sampled_from([label for label in rows if label.endswith("a")]), max_size=2))
    solutions = [frozenset(one) for one in problem.solve(given=given)]
    assert problem.reusable_solver(engine=engine).candidates(given=given) == expect(problem, solutions)


@pytest.mark.parametrize("engine_of_sudoku", ["auto", "learning"])
def test_candidates_of_a_sudoku_after_each_change(engine_of_sudoku: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, puzzle = Sudoku().problem(), Sudoku(grid=SEVENTEEN)
    solver = problem.reusable_solver(engine=engine_of_sudoku)
    questions, solve = [0], solver.solve_positions

    def count(*asked: Any, **named: Any) -> list[tuple[int, ...]]:
        questions[0] += 1
        return solve(*asked, **named)

    monkeypatch.setattr(solver, "solve_positions", count)
    possible = set(problem.labels)
    for givens in list(accumulate(([entry] for entry in puzzle.givens()), initial=list[Label]()))[-9:]:
        questions[0] = 0
        found = solver.candidates(given=givens)
        assert questions[0] < 400  # of 729 options
        assert set(found.possible) <= possible
        possible = set(found.possible)
    assert found.possible == found.certain == next(problem.solve(given=puzzle.givens()))


def test_assumptions_end_with_their_block_whatever_happens() -> None:
    solver = Problem({"A": [1], "B": [2], "C": [1, 2]}).reusable_solver()
    with pytest.raises(ProblemError, match="no option is labeled 'Z'"), solver.assume(given=["Z"]):
        raise AssertionError("not reached")
    with pytest.raises(ZeroDivisionError), solver.assume(given=["A"]), solver.assume(without=["C"]):
        assert solver.solutions(limit=5) == [("A", "B")]
        raise ZeroDivisionError
    with solver.assume(given=["A"], without=["A"]):
        assert solver.solutions() == []
        assert solver.candidates() == Candidates((), ())
    assert len(solver.solutions(limit=5)) == 2


def test_assumptions_made_before_the_statement_around_them() -> None:
    solver = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]}).reusable_solver()
    early, labels = solver.assume(without=iter(["B"])), ["A"]
    outer = solver.assume(given=labels)
    labels.clear()
    with outer, early:
        assert solver.solutions(limit=5) == [("A", "D")]
    with pytest.raises(ProblemError, match="no option is labeled 'Z'"):
        solver.assume(without=["Z"])


def test_a_stop_ends_the_question_only(engine: str) -> None:
    solver = Queens(n=8).problem().reusable_solver(engine=engine)
    with pytest.raises(StoppedError), solver.assume(given=["r1c1"]):
        solver.candidates(stop=StopWhen(lambda: True))
    assert len(solver.candidates(given=["r1c1"]).possible) > 8
