"""What people write first is right: an encoder with givens is asked about its instance."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from commands import assert_refused, invoke
from exactcover import Problem, ProblemError, StoppedError
from exactcover.analysis.estimate import estimate
from problems import Queens, Sudoku

GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_a_problem_knows_the_givens_of_its_instance(engine: str) -> None:
    problem = Sudoku(grid=GRID).problem()
    assert problem.count(engine=engine) == 1
    assert {str(label) for label in problem.givens} <= {str(label) for label in next(problem.solve(engine=engine))}
    assert problem.full().givens == ()
    clash = Queens(n=8, placed=((1, 1), (2, 2))).problem()
    assert clash.count(engine=engine) == 0
    assert clash.full().count(engine=engine) == 92


def test_an_encoder_is_asked_directly() -> None:
    clash, one = Queens(n=8, placed=((1, 1), (2, 2))), Sudoku(grid=GRID)
    assert clash.count() == 0
    assert clash.solve().reason is not None
    assert {str(label) for label in clash.explain().conflict} == {"r1c1", "r2c2"}
    assert clash.diagram().count == 0
    assert (one.count(), one.diagram().count, one.explain().count) == (1, 1, 1)
    with pytest.raises(StoppedError):
        one.solve(timeout=0)


def test_givens_hold_for_all_that_is_asked_of_a_problem() -> None:
    problem = Queens(n=6, placed=((1, 2),)).problem()
    assert problem.count() == 1
    assert problem.count(distinct=True) == 1
    assert list(problem.solve_instances([[], ["r2c4"], ["r2c5"]]))[2] == []
    assert problem.diagram().count == 1
    assert len(list(problem.cheapest(5))) == 1
    assert estimate(problem, probes=500).solutions == pytest.approx(1, abs=0.5)
    assert problem.residual(()).count() == 1
    other = next(Queens(n=6, placed=((1, 3),)).problem().solve())
    assert not problem.verify(other)
    assert "the givens r1c2 are not chosen" in str(problem.verify(other))
    assert problem.full().verify(other)


def test_excluded_options_hold_as_well() -> None:
    problem = Problem({"A": [1], "B": [2], "C": [1, 2]}).instance(without=["A"])
    assert list(problem.solve()) == [("C",)]
    assert problem.excluded == ("A",)
    assert [list(found) for found in problem.solve_instances([[], ["B"]])] == [[("C",)], []]
    assert problem.residual(()).count() == 1
    assert str(problem.verify(["A", "B"])) == "option 'A' is excluded"
    assert estimate(problem).solutions == 1


def test_merging_keeps_givens_and_leaves_out_what_is_excluded() -> None:
    problem = Problem({"A": [1], "B": [1], "C": [2]})
    assert list(problem.instance(without=["A"]).merged().solve()) == [("B", "C")]
    assert list(problem.instance(given=["B"]).merged().solve()) == [("B", "C")]
    assert problem.instance(given=["A", "B"]).merged().count() == 0


def test_the_text_of_a_label_will_do_where_it_is_no_others() -> None:
    problem = Queens(n=6).problem()
    label = next(one for one in problem.labels if str(one) == "r1c2")
    assert problem.count(given=["r1c2"]) == problem.count(given=[label]) == 1
    twice = Problem({1: ["a"], "1": ["a"], 2: ["b"], "two": ["b"], (2,): ["b"]})
    assert twice.count(given=["1", "2"]) == 1
    ambiguous = Problem({1: ["a"], 1.0j: ["a"], Path("1"): ["a"]})
    assert ambiguous.count(given=["1j"]) == 1
    with pytest.raises(ProblemError, match="several labels have the text '1': 1 and "):
        ambiguous.count(given=["1"])


def test_given_and_without_on_the_command_line() -> None:
    def printed(*args: str) -> str:
        result = invoke(*args)
        assert result.returncode == 0
        return result.stdout

    assert printed("count", "queens", "n=8", "--given", "r1c1") == "4\n"
    assert printed("count", "queens", "n=8", "--without", "r1c1", "--without", "r1c8") == "84\n"
    assert printed("diagram", "queens", "n=8", "--given", "r1c1").startswith("solutions  4\n")
    assert "givens      1" in printed("check", "queens", "n=8", "--given", "r1c1")
    assert "r1c1" in printed("sample", "queens", "n=8", "--given", "r1c1", "--format", "jsonl")
    assert printed("explain", "queens", "n=4", "--given", "r1c2").startswith("one solution")
    assert_refused("no option is labeled 'r9c9'", "count", "queens", "n=8", "--given", "r9c9")


def test_a_search_refuses_a_second_user() -> None:
    search = Queens(n=6).problem().solve()
    search._enter()
    try:
        for use in (search.__next__, search.count):
            with pytest.raises(ValueError, match="already running"):
                use()
    finally:
        search._busy.release()
    assert len(list(search)) == 4


def test_many_threads_on_one_search_lose_nothing(engine: str) -> None:
    search = Queens(n=6).problem().solve(engine=engine)

    def take(_: int) -> list[tuple[object, ...]]:
        own: list[tuple[object, ...]] = []
        while True:
            try:
                own.append(next(search))
            except StopIteration:
                return own
            except ValueError:  # another thread uses the search
                continue

    with ThreadPoolExecutor(4) as pool:
        found = [one for own in pool.map(take, range(4)) for one in own]
    assert len(found) == len(set(found)) == 4


def test_known_counts_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("problem: queens\nparams: {n: 6}\nknown: {solutions: 5, distinct: 1, source: a guess}\n")
    assert_refused("counted 4 solutions, but ", "count", str(file), status=4)
    assert invoke("count", str(file), "--distinct").returncode == 0
    assert invoke("count", str(file), "n=8").returncode == 0
    assert invoke("count", str(file), "--given", "r1c2").returncode == 0
