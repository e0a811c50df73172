"""Everything is imported at once; the linters check that type checkers know the names too."""

from exactcover import *  # noqa: F403


def test_all_names_may_be_imported_at_once() -> None:
    problem: Problem = Problem({"A": [1], "B": [1]})  # noqa: F405
    number: int = problem.count(options=SearchOptions(engine="sets"))  # noqa: F405
    assert number == 2
    assert isinstance(problem.solve(), Search)  # noqa: F405
