"""Repairs, against every choice of options."""

import json
import random

import pytest

from commands import invoke
from exactcover import Problem, ProblemError, Status, Stop, StoppedError
from exactcover.analysis import find_repair
from oracles import try_all
from soft_problems import random_problem


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_repairs_are_the_least(start: int) -> None:
    repaired = 0
    for number in range(start, start + 20):
        problem = random_problem(number)
        problem = problem.derive(problem.options.items(), soft={})
        generator = random.Random(number)
        givens = {label for label in problem.labels if generator.random() < 0.4}
        excluded = [label for label in problem.labels if label not in givens and generator.random() < 0.2]
        instance = problem.instance(givens, excluded)
        perfect = [chosen for chosen in try_all(problem) if not chosen & set(excluded)]
        if perfect:
            expected = (min(len(givens - chosen) for chosen in perfect), 0)
        else:
            loose = problem.soften({item: (1, 1 if item in problem.multiplicity else None) for item in problem.primary})
            allowed = [chosen for chosen in try_all(loose) if not chosen & set(excluded)]
            expected = min((len(givens - one), sum(map(abs, problem.deviations(one).values()))) for one in allowed)
        repair = find_repair(instance)
        assert (len(repair.dropped), sum(map(abs, repair.deviations.values()))) == expected
        assert set(repair.dropped) == givens - set(repair.solution) and not set(repair.solution) & set(excluded)
        assert repair.deviations == problem.deviations(repair.solution)
        assert bool(list(repair.describe())) == (expected != (0, 0))
        repaired += expected != (0, 0)
    assert repaired > 5


def test_repairs_in_words() -> None:
    shifts = {"Ann": ["Mo", "Tu"], "Bob": ["Mo"], "Cid": ["Mo"]}
    problem = Problem(shifts, primary=["Mo", "Tu", "We"], multiplicity={"Mo": (1, 2)})
    assert list(find_repair(problem).describe()) == ["leave open 'We'"]
    problem = Problem({"A": ["x", "y"], "B": ["x", "z"], "C": ["x", "w"]}, multiplicity={"x": (0, 2)})
    assert list(find_repair(problem, {"y": 5, "z": 5, "w": 5}).describe()) == ["cover 'x' 3 times instead of 0 to 2"]
    problem = Problem({"A": [1], "B": [1], "C": [2]}, givens=["A", "B"])
    assert list(find_repair(problem).describe()) in (["drop the given 'A'"], ["drop the given 'B'"])


def test_a_repair_that_is_stopped_or_misused_says_so() -> None:
    with pytest.raises(StoppedError):
        find_repair(Problem({"A": [1]}, primary=[1, 2]), stop=Stop(timeout=0))
    with pytest.raises(ProblemError, match="weights names 'x', which is not an item"):
        find_repair(Problem({"A": [1]}), {"x": 1})
    with pytest.raises(ProblemError, match="weights: item '1' has the cost"):
        find_repair(Problem({"A": [1]}), {1: -1})


def test_a_stop_of_a_repair_keeps_the_explanation(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise StoppedError(Status.TIMEOUT)

    monkeypatch.setattr("exactcover.cli.explain.find_repair", stop)
    done = invoke("explain", "queens", "n=3", "--repair")
    assert done.returncode == 3 and done.stdout.startswith("no solution")
    assert "no cheapest repair found yet" in done.stderr and "repair" not in done.stdout


def test_explain_proposes_a_repair() -> None:
    done = invoke("explain", "queens", "n=8", "placed=[[1, 1], [2, 3]]", "--repair")
    assert done.returncode == 0 and done.stdout.splitlines()[-1].startswith("a cheapest repair: drop the given ")
    done = invoke("explain", "rectangles", "board=1x5", "pieces={1x2: any}", "--repair", "--format", "json")
    repair = json.loads(done.stdout)["repair"]
    assert (repair["drop"], len(repair["open"]), len(repair["solution"])) == ([], 1, 2)
    assert "repair" not in json.loads(invoke("explain", "queens", "n=4", "--repair", "--format", "json").stdout)


def test_a_wrong_digit_of_a_sudoku_is_found() -> None:
    done = invoke("explain", "sudoku_9x9.yaml", "--given", "r1c3=1", "--repair")
    assert done.stdout.splitlines()[-1] == "a cheapest repair: drop the given 'r1c3=1'"


def test_what_no_item_shows_is_not_repaired_by_nothing() -> None:
    with pytest.raises(ProblemError, match="no repair: no item and no given shows that A is forbidden"):
        find_repair(Problem({"A": [1]}, impossible="A is forbidden"))
