"""One solution, several or none, and why: each claim is checked by brute force."""

import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import dominoes, pigeons
from commands import StopAfter, invoke, run, write_plugin
from exactcover import Colored, Problem, ProblemError, Stop, StoppedError
from exactcover.analysis.explain import UndecidedError, explain
from exactcover.rules import Rule
from oracles import brute_force, can_cover
from problems import Loops, Polyomino, Queens, Sudoku
from ruled import Ruled, ruled_problems, solve_by_definition
from strategies import problems


@given(problem=problems(), data=st.data())
def test_what_is_said_holds(problem: Problem, data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(problem.labels), max_size=4, unique=True) if problem.labels else st.just([])
    givens = data.draw(some)
    solutions = list(brute_force(problem))

    def count(held: object) -> int:
        return sum(one.issuperset(held) for one in solutions)  # type: ignore[arg-type]

    found = explain(problem, givens)
    assert found.count == count(givens)
    assert len(found.solutions) == min(count(givens), 2)
    assert all(problem.verify(solution) and set(givens) <= set(solution) for solution in found.solutions)
    if found.count == 1:
        assert set(found.needless) == {label for label in givens if count(set(givens) - {label}) == 1}
    elif found.count:
        assert set(found.decisive) == {label for label in problem.labels if count([*givens, label]) == 1}
    elif solutions:
        assert count(found.conflict) == 0
        assert all(count(set(found.conflict) - {label}) for label in found.conflict)
        assert found.minimal and found.smallest
        assert all(map(count, itertools.combinations(givens, len(found.conflict) - 1)))
        assert list(found.conflict) == [label for label in givens if label in found.conflict]
        assert not found.items
    else:
        assert found.items and not found.conflict
        assert not can_cover(problem, set(found.items))
        assert not found.minimal or all(can_cover(problem, set(found.items) - {item}) for item in found.items)
        if found.smallest:
            fewer = itertools.combinations(problem.primary, len(found.items) - 1)
            assert all(can_cover(problem, set(some)) for some in fewer)


@given(ruled=ruled_problems())
def test_rules_are_blamed_where_they_are_the_reason(ruled: Ruled) -> None:
    problem = ruled[0]
    found, solutions = explain(problem), solve_by_definition(ruled)
    assert found.count == len(solutions)
    if solutions:
        assert not found.rules and found.reason is None
        return
    full = problem.full().instance(without=problem.excluded)
    held = [rule for rule in full.rules if type(rule).__name__ in found.rules]
    blamed = [some for size in range(len(held) + 1) for some in itertools.combinations(held, size)
              if {type(rule).__name__ for rule in some} == {*found.rules}]  # fmt: skip

    def possible(rules: Sequence[Rule], givens: Sequence[Any], eased: Sequence[Any] = ()) -> bool:
        bounds = {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary}
        bounds |= {item: (0, bounds[item][1]) for item in eased}
        relaxed = full.derive(full.options.items(), rules=(), multiplicity=bounds)
        drawn = [(rule, holds) for rule, holds in ruled[1] if rule in rules]
        return bool(solve_by_definition((relaxed.instance(givens, without=problem.excluded), drawn)))

    if found.conflict:
        assert not possible(full.rules, found.conflict)
    elif not found.reason or found.rules:
        others = [item for item in problem.primary if item not in found.items]
        assert not possible(full.rules, [], others)
        assert found.rules or not possible((), [], others)
        assert not found.minimal or any(  # of two rules with one name, one alone may be to blame
            not possible(some, [], others) and all(possible(some, [], [*others, item]) for item in found.items)
            for some in blamed
        )
    if found.rules:
        assert possible((), found.conflict)
        assert not possible(held, found.conflict)
        assert found.reason is not None and all(name in found.reason for name in found.rules)


def test_no_rule_is_blamed_if_that_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Loops(graph="petersen", visit="all").problem()
    blamed = explain(problem)
    assert (blamed.rules, len(blamed.items)) == (("Loop",), 10)
    monkeypatch.setattr("exactcover.reasons.position.native", None)
    assert explain(problem) == blamed
    monkeypatch.setattr(sys.modules[explain.__module__], "_keep_rules", Mock(side_effect=UndecidedError))
    undecided = explain(problem)
    assert (undecided.rules, undecided.reason, undecided.items) == ((), None, blamed.items)


@pytest.mark.parametrize(("board", "pieces", "reason"), [
    (".#...#. #.....# ....... .......", "monominoes dominoes trominoes tetrominoes", {"r1c1", "r1c7"}),
    ("..#..... ###..... ........ .....### .....#..", "dominoes trominoes tetrominoes", {"r1c1", "r5c7"}),
])  # fmt: skip
def test_corners_that_are_cut_off_are_the_reason(board: str, pieces: str, reason: set[str]) -> None:
    """One small piece is there for two corners; what does not fit either is not named."""
    problem = Polyomino(tuple(board.split()), tuple(pieces.split())).problem()
    found = explain(Problem(problem.options, primary=problem.primary))
    assert set(found.items) == reason


def test_more_solutions_than_are_listed() -> None:
    items = range(14)
    problem = Problem({(item, side): [item] for item in items for side in "ab"})
    assert explain(problem).count is None
    assert explain(problem, [(item, "a") for item in items[1:]]).decisive == ((0, "a"), (0, "b"))


def test_a_wrong_digit_in_a_full_grid_clashes_with_one_other() -> None:
    sudoku = Sudoku()
    problem = sudoku.problem()
    grid = sudoku.unparse(next(problem.solve(seed=3)))
    wrong = Sudoku(grid=grid[:-1] + next(digit for digit in "123456789" if digit != grid[-1]))
    found = explain(problem, wrong.givens())
    assert len(found.conflict) == 2 and found.smallest
    assert str(found.conflict[1]).startswith("r9c9=")


def test_a_conflict_of_which_it_is_not_known_whether_it_is_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.analysis.explain.MAX_QUESTIONS", 0)
    grid = "12.. ..3. .... ..34"
    sudoku = Sudoku(box="2x2", grid=grid)
    found = explain(sudoku.problem(), sudoku.givens())
    assert (found.minimal, found.smallest) == (True, False)
    words = "these givens conflict, and dropping any one of them resolves the conflict: "
    assert words in invoke("explain", "sudoku", "box=2x2", f"grid={grid}").stdout


def test_what_is_impossible_anyway_is_seen_before_the_givens_cost_much() -> None:
    """With the given there are as few ways for each of many free items as for a pigeon, so a search looks there first."""
    free: dict[Any, list[Any]] = {
        ("free", place, way): [f"free {place}", *([Colored("mode", "long")] if way == 2 else [])]
        for place in range(60)
        for way in range(3)
    }
    options = {**free, "short": ["one", Colored("mode", "short")]}
    options |= {("long", way): ["one", Colored("mode", "long")] for way in range(3)}
    problem = Problem({**options, **pigeons(3).options}, secondary=["mode", "hole 0", "hole 1"])
    found = explain(problem, ["short"], stop=StopAfter(20_000))
    assert (found.items, found.conflict) == ((0, 1, 2), ())


def test_givens_that_clash_are_named_where_the_problem_without_them_is_hard() -> None:
    hard = pigeons(14)
    problem = Problem({**hard.options, "A": ["own"], "B": ["own"]}, secondary=hard.secondary)
    found = explain(problem, ["A", "B"], stop=StopAfter(20_000))
    assert (found.conflict, found.minimal, found.smallest) == (("A", "B"), False, False)


def test_an_author_s_proof_and_items_without_options_need_no_search() -> None:
    stop = StopAfter(0)
    hard = pigeons(14)
    proved = hard.derive(hard.options.items(), impossible="there are too many pigeons")
    assert explain(proved, hard.labels[:2], stop=stop).reason == "there are too many pigeons"
    bare = hard.derive(hard.options.items(), primary=["bare", *hard.primary])
    assert explain(bare, hard.labels[:1], stop=stop).items == ("bare",)


def test_errors_and_stops() -> None:
    with pytest.raises(ProblemError, match="no option is labeled"):
        explain(Queens(n=4).problem(), ["nobody"])
    with pytest.raises(StoppedError):
        explain(Queens(n=8).problem(), stop=Stop(timeout=0))


@pytest.mark.parametrize(("arguments", "words"), [
    (["sudoku_escargot.yaml"], "each of the 23 givens is needed"),
    (["queens", "n=2"],
     "these items cannot be covered together; dropping any one of them resolves the conflict: row 1, row 2"),
    (["polyomino", "board=6x9"], "no solution: the pieces cover 60 cells"),
    (["queens", "n=6", "--given", "r1c1"], "no solution\nthis given alone leaves no solution: r1c1\n"),
    (["queens", "n=6", "--given", "r1c1", "--without", "r1c1"],
     "no solution: option 'r1c1' is both given and excluded\n"),
    (["numberlink", "board=AB/BA"],
     "no solution: the items can be covered, but not so that the rule Paths holds: after 4 steps, r1c1 cannot be"),
    (["numberlink", "board=A.B/.../B.A"],  # of which no cover exists
     "no solution\nthese items cannot be covered together; dropping any one of them resolves the conflict: r1c1, r"),
    (["numberlink", "board=A.B/.../B.A", "fill=false"],
     "the rule Paths holds\nnothing keeps that rule, even if items stay open\n"),
    (["loops", "graph=petersen", "visit=all"],
     "the rule Loop holds\nthese items cannot be covered together under that rule; dropping any one of them"),
    (["slitherlink", "clues=4.4"],
     "with these givens, but not so that the rule Loop holds: after 2 steps, the line from point r1c1 to point r1c2 "),
    (["queens", "n=6"], "giving any one of these leaves one solution: "),
    (["article_table.yaml"], "only in the first: a, c, f\nonly in the second: d, g"),
])  # fmt: skip
def test_the_verb(arguments: list[str], words: str) -> None:
    printed = invoke("explain", *arguments).stdout
    assert words in printed
    assert "both given" not in printed or len(printed.splitlines()) == 1


def test_the_verb_in_too_little_time() -> None:
    """In a process of its own: the alarm may ring anywhere."""
    done = run("explain", "queens", "n=900", "--timeout", "0.1")
    assert done.returncode == 3 and "stopped by the timeout" in done.stderr


def test_json_lists_names_in_the_order_of_the_text() -> None:
    args = ["explain", "queens", "n=8", "placed=[[1, 1]]"]
    text = invoke(*args).stdout.splitlines()[-1]
    decisive = json.loads(invoke(*args, "--format", "json").stdout)["decisive"]
    assert decisive[:12] == text.split(": ")[1].split(" and ")[0].split(", ")
    assert decisive == sorted(decisive)


def test_labels_and_items_with_the_same_text_are_told_apart(tmp_path: Path) -> None:
    plugin = write_plugin(tmp_path, "Twins", "def options(self):\n    yield 1, ['a']\n    yield '1', ['a']\n")
    assert invoke("--plugin", plugin, "explain", "twins").stdout.splitlines()[-3:] == [
        "only in the first: 1",
        "only in the second: '1'",
        "giving any one of these leaves one solution: 1, '1'",
    ]
    found = json.loads(invoke("--plugin", plugin, "explain", "twins", "--format", "json").stdout)
    assert found["solutions"] == [["1"], ["'1'"]]
    assert "for example, '1' has the same items as 1\n" in invoke("--plugin", plugin, "check", "twins").stdout


def test_a_conflict_of_items_is_found_though_questions_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.analysis.explain.MAX_ITEM_QUESTIONS", 3)
    found = explain(dominoes(4, (0, 0), (3, 3)))
    assert len(found.items) == 14 and not found.minimal and not found.smallest
