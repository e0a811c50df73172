"""The discipline `finding` of `benchmarks/compare.py`: its problems, and what it says below its table."""

import os
import threading

import pytest

from contest import Row
from exactcover import Problem
from exactcover.engines.base import ENGINES
from finding import Report, _take_turn, summarize
from finding_problems import FINDING

pytestmark = pytest.mark.skipif("native" not in ENGINES, reason="it measures native code")


def test_there_are_enough_problems_of_both_kinds() -> None:
    solvable = [name for name, (_, is_solvable) in FINDING.items() if is_solvable]
    assert len(solvable) >= 40
    assert len(FINDING) - len(solvable) >= 10


def test_every_problem_is_the_same_each_time() -> None:
    seeded = ("Sudoku 25x25, seed 1", "edge matching 6x6, 4 colors", "5 colors, 120 vertices", "partition of 80 items")
    for name in (*seeded, "2,000 edges between 50 and 47 vertices", "Latin squares of order 30, 42 percent open"):
        make, _ = FINDING[name]
        assert make().fingerprint() == make().fingerprint()


def test_the_summary_compares_with_the_best_single_way() -> None:
    names = ("solve", "search", "restarts", "CaDiCaL")
    rows = [
        Row("slow", "a solution", {"solve": 8.0, "search": 2.0, "restarts": 40.0, "CaDiCaL": 0.1}),
        Row("even", "a solution", {"solve": 0.5, "restarts": 0.5}),
        Row("brief", "a solution", {"solve": 0.9, "search": 0.09}),  # too brief to count
        Row("lost", "no solution", {"search": 1.0}),
        Row("won", "no solution", {"solve": 1.0, "CaDiCaL": 0.1}),
    ]
    for row in rows:
        row.notes = dict.fromkeys(names, "")
    assert summarize(rows, "solve").splitlines() == [
        "Solved, of 5: solve 4, search 3, restarts 2, CaDiCaL 2.",
        "The time of `solve` by that of the best single way, on the 2 problems that both solve and that take the way 0.1 "
        "s or more: geometric mean 2.00, worst 4.0 (slow).",
        "More than 3 times as long: slow (4.0).",
        "Solved by a single way alone: lost.",
    ]
    assert "No problem took" in summarize(rows[2:3], "solve")


def test_a_process_that_is_killed_or_ends_early_has_no_result() -> None:
    problem = Problem({"A": [1]})

    def wait(problem: Problem, timeout: float) -> Report:
        threading.Event().wait()
        raise AssertionError

    def end(problem: Problem, timeout: float) -> Report:
        os._exit(0)

    def be_late(problem: Problem, timeout: float) -> Report:
        return Report((0,), True, timeout + 1)

    reports: list[Report] = []
    assert _take_turn(problem, wait, -1.9, reports)[0] is None
    assert _take_turn(problem, be_late, 5, reports)[0] is None
    assert _take_turn(problem, end, 5, reports)[0] == "an end with status 0"
    assert len(reports) == 3
