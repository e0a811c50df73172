"""Names that were replaced still work for one version, and say what replaces them."""

import pytest

import exactcover
from exactcover import Problem, ReusableSolver, SearchOptions

PROBLEM = Problem({"A": [1], "B": [2], "C": [1, 2]})


def test_options_as_arguments() -> None:
    with pytest.warns(
        DeprecationWarning, match=r"'heuristic' of solve\(\).*options=SearchOptions\(heuristic='leftmost'"
    ):
        assert len(list(PROBLEM.solve(heuristic="leftmost"))) == 2
    with pytest.warns(DeprecationWarning, match=r"'reduce' of count\(\)"):
        assert PROBLEM.count(reduce=True) == 2
    with pytest.warns(DeprecationWarning), pytest.raises(ValueError, match="no heuristic called 'fewest'"):
        PROBLEM.solve(heuristic="fewest")


def test_a_warning_names_the_line_of_the_caller() -> None:
    with pytest.warns(DeprecationWarning) as caught:
        PROBLEM.count(symmetry=False)
        PROBLEM.solver()
    assert [warning.filename for warning in caught] == [__file__, __file__]


def test_arguments_that_never_were() -> None:
    with pytest.raises(
        TypeError, match=r"solve\(\) got an unexpected keyword argument 'heuristics'; did you mean 'heuristic'"
    ):
        PROBLEM.solve(heuristics="leftmost")


def test_a_suggestion_is_another_name_that_this_call_accepts() -> None:
    with pytest.raises(TypeError, match=r"^count\(\) got an unexpected keyword argument 'limit'$"):
        PROBLEM.count(limit=3)
    with pytest.raises(TypeError, match=r"^count\(\) got an unexpected keyword argument 'limits'$"):
        PROBLEM.count(limits=3)
    with pytest.raises(TypeError, match=r"^count\(\) .* 'profiles'; did you mean 'profile'\?$"):
        PROBLEM.count(profiles=3)
    with pytest.raises(TypeError, match=r"^solve\(\) .* 'limits'; did you mean 'limit'\?$"):
        PROBLEM.solve(limits=3)


def test_arguments_take_precedence_over_options() -> None:
    options = SearchOptions(engine="diagram", seed=1)
    search = PROBLEM.solve(engine="sets", options=options)
    assert (len(list(search)), search.statistics.engine, search.seed) == (2, "sets", 1)


def test_solvers() -> None:
    with pytest.warns(DeprecationWarning, match=r"exactcover\.Solver will be removed; use exactcover\.ReusableSolver"):
        assert exactcover.Solver is ReusableSolver  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="Problem.reusable_solver"):
        solver = PROBLEM.solver()
    with pytest.warns(DeprecationWarning, match="ReusableSolver.solutions"):
        assert solver.solve(given=["C"]) == [("C",)]
    with pytest.warns(DeprecationWarning, match="Problem.solve_instances"):
        assert list(PROBLEM.solve_many([["C"]])) == [[("C",)]]
