"""Hints are true: what must be chosen is in every solution, and what is ruled out in none."""

from hypothesis import given

from exactcover import Label, Problem
from hints import find_hint
from problems import Langford, Queens, Sudoku
from strategies import problems


@given(problems())
def test_following_hints_leads_to_a_solution_or_to_a_proof_that_there_is_none(problem: Problem) -> None:
    chosen: list[Label] = []
    without: list[Label] = []
    for _ in range(len(problem.labels) + 1):
        left = [set(one) for one in problem.solve(given=chosen, without=without)]
        hint = find_hint(problem, chosen, without)
        if hint.kind == "stuck":
            assert not left
            return
        if hint.kind == "solved":
            assert set(chosen) in left
            return
        assert hint.option is not None
        containing = [one for one in left if hint.option in one]
        if hint.kind == "exclude":
            assert not containing
            without.append(hint.option)
        else:
            assert containing == left if hint.proved else containing
            chosen.append(hint.option)
    raise AssertionError("the hints did not end")


def test_an_easy_sudoku_is_solved_by_simple_hints() -> None:
    grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    problem, chosen = Sudoku(grid=grid).problem(), list[Label]()
    while (hint := find_hint(problem, chosen)).kind == "choose":
        assert "is the only option left for" in hint.reason
        assert hint.option is not None
        chosen.append(hint.option)
    assert hint.kind == "solved"
    assert len(chosen) == 81 - 30


def test_reasons_name_what_is_meant() -> None:
    problem = Queens(n=4).problem()
    hint = find_hint(problem, [problem.labels[problem.position("r1c1")]])
    assert hint.kind in ("exclude", "stuck", "choose")
    clash = [problem.labels[problem.position(name)] for name in ("r1c1", "r1c2")]
    assert find_hint(problem, clash).reason == "the givens 'r1c1' and 'r1c2' conflict: both take item 'row 1'"
    assert find_hint(Langford(n=3).problem()).kind in ("choose", "exclude")
    for puzzle in (Langford(n=3).problem(), Queens(n=6).problem()):
        choice = find_hint(puzzle, excludes=False)
        assert choice.kind == "choose"
        assert choice.item in puzzle.options[choice.option]
    empty = Problem({"A": [1]}, primary=[1, 2])
    assert find_hint(empty).reason == "no option left for '2'"
