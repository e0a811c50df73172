"""Items that are covered more than once, or not at all; on every engine."""

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import binary_matrices, covering_designs, queen_domination, regular_graphs
from commands import invoke
from exactcover import Problem, ProblemError, SearchOptions, Status
from exactcover.engines.base import ENGINES
from exactcover.formats import json_problem
from oracles import assert_each_once, brute_force
from strategies import problems

PIECES = {"A": ["piece"], "B": ["piece"], "C": ["piece"]}


def test_exactly_between_and_at_most(engine: str) -> None:
    for often, count in ((1, 3), (2, 3), (3, 1), ((0, 3), 8), ((1, 2), 6), ((0, 1), 4), ((2, 9), 4), ((0, None), 8), ((2, None), 4),
                         ((4, None), 0)):  # fmt: skip
        problem = Problem(PIECES, multiplicity={"piece": often})
        found = list(problem.solve(engine=engine))
        assert len(found) == len(set(found)) == problem.count(engine=engine) == count
        assert all(problem.verify(solution) for solution in found)


def test_tables_and_documents_state_ranges_without_a_limit(tmp_path: Path) -> None:
    expected = Problem({"A": ["a"], "B": ["a", "b"]}, multiplicity={"a": (1, 2), "b": (1, 2)})
    texts = {
        "x.csv": "set,1:|a,1:|b\nA,x,\nB,x,x\n",
        "x.dlx": "1:|a 1:|b\na\na b\n",
        "x.json": '{"primary": ["a", "b"], "multiplicity": {"a": [1, null], "b": [1, null]}, "options": '
        '[{"label": "A", "items": ["a"]}, {"label": "B", "items": ["a", "b"]}]}',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        found = json_problem.read(io.StringIO(invoke("convert", str(tmp_path / name), "--format", "json").stdout))
        assert (found.multiplicity, found.count()) == (expected.multiplicity, 2)


@given(problem=problems(most_options=9, most_primary=3, most_secondary=2, most_often=5))
def test_few_items_covered_often(engine: str, problem: Problem) -> None:
    """Options of one or two items, which is where multiplicities have most to do."""
    assert_each_once(problem.solve(engine=engine), brute_force(problem))


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda: regular_graphs(6, 3), 70),  # OEIS A002829
        (lambda: binary_matrices(4, 3), 24),  # OEIS A001501
        (lambda: binary_matrices(5, 3), 2040),
        (lambda: queen_domination(5, 3), 186),  # OEIS A002564
        (lambda: queen_domination(6, 3), 4),
        (lambda: covering_designs(7, 3, 7), 30),  # the Fano plane
    ],
)
def test_known_numbers(engine: str, make: Any, count: int) -> None:
    problem = make()
    if count in {"sets": (2040, 30)}.get(engine, ()):
        pytest.skip("too long for this engine")
    assert problem.count(engine=engine) == count


def test_leftmost_gives_up_one_item_after_another(tree_engine: str) -> None:
    """The deepest tree that so few options can have."""
    problem = Problem({number: [number] for number in range(63)}, multiplicity=dict.fromkeys(range(63), (0, 2)))
    search = problem.solve(engine=tree_engine, limit=300, options=SearchOptions(heuristic="leftmost"))
    found = list(search)
    assert len(set(found)) == 300
    assert found[0] == tuple(range(63))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"multiplicity": {"pieces": 2}}, "multiplicity names 'pieces', which is not an item; did you mean 'piece'?"),
        ({"multiplicity": {"s": 2}}, "multiplicity names 's', which is a secondary item"),
        ({"preferred": ["s"]}, "preferred names 's', which is a secondary item"),
    ],
)
def test_items_that_cannot_have_any(what: Any, message: str) -> None:
    with pytest.raises(ProblemError, match=message.replace("?", r"\?")):
        Problem(PIECES, secondary=["s"], **what)


def test_reasons_name_the_item() -> None:
    asked: list[tuple[Any, Any, str]] = [
        (4, {}, "item 'piece' must be covered 4 times, but only 3 options cover it"),
        (2, {"given": ["A", "B", "C"]}, "the givens 'A', 'B' and 'C' conflict: all take item 'piece', which allows 2"),
        (3, {"without": ["A"]}, "the givens and excluded options leave too few options for item 'piece'"),
    ]
    for often, how, reason in asked:
        search = Problem(PIECES, multiplicity={"piece": often}).solve(**how)
        assert (list(search), search.status, search.reason) == ([], Status.UNSATISFIABLE, reason)


@given(problem=problems(most_options=14), data=st.data())
def test_equal_options(problem: Problem, data: st.DataObject) -> None:
    duplicates = problem.duplicates()
    for label, original in duplicates.items():
        assert set(problem.options[label]) == set(problem.options[original])
        assert original not in duplicates
    if any(high > 1 for _, high in problem.multiplicity.values()):
        with pytest.raises(ProblemError, match="cannot be merged"):
            problem.merged()
        return
    merged = problem.merged()
    assert len(merged.labels) == len(problem.labels) - len(duplicates)
    kinds = {frozenset(duplicates.get(label, label) for label in solution) for solution in problem.solve()}
    assert {frozenset(solution) for solution in merged.solve()} == kinds


def test_of_equal_options_the_cheapest_is_kept() -> None:
    problem = Problem({"A": [1], "B": [1], "C": [1]}, costs={"A": 2, "B": 1, "C": 1})
    assert problem.merged().labels == ("B",)


def test_the_verbs(tmp_path: Any) -> None:
    file, shape = tmp_path / "twice.dlx", tmp_path / "shape.txt"
    file.write_text("a b c\na b\na b\nc\n", encoding="utf-8")
    counts = [invoke("count", str(file), *flags).stdout for flags in ([], ["--merge"], ["--reduce"])]
    assert counts == ["2\n", "1\n", "2\n"]
    shown = invoke("check", str(file), "--reduce").stdout
    assert "duplicates  1 option with the same items as an earlier one; for example, 'a b [2]' has the same" in shown
    assert "reduced     2 options and 1 item remain after 2 rounds" in shown
    assert "forced      1 option without which some item cannot be covered" in shown
    result = invoke("count", str(file), "--stats", "--shape", str(shape))
    assert result.returncode == 0 and "level 0" in result.stderr
    assert shape.read_text().splitlines()[-1].endswith(" sol\ta b [2]")
    assert invoke("solve", str(file), "--all", "--merge").stdout == "a b, c\n"


@pytest.mark.parametrize("high", [2**31, 2**63 - 1, 2**63, 2**64, 10**40])
@pytest.mark.parametrize("name", ["sets", "native", "highs", "cpsat", "auto"])
def test_bounds_of_any_size(name: str, high: int) -> None:
    if name not in ("auto", *ENGINES):
        pytest.skip("not installed")
    problem = Problem({"A": [1], "B": [1], "C": [1]}, multiplicity={1: (2, high)})
    assert len(list(problem.solve(engine=name))) == 4
    problem = Problem({"A": [1], "B": [1]}, multiplicity={1: (high, high)})
    assert list(problem.solve(engine=name)) == []
