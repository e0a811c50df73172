"""The cheapest solutions on the command line."""

import json
from pathlib import Path

import pytest

from commands import invoke
from exactcover import Run

SHIFTS = "a b c\na |3\nb |2\na b |5\nc |1\nc |4\na b c |6\n"


def solve(*flags: str) -> tuple[int, list[str], str]:
    done = invoke("solve", "-", "--input", "dlx", *flags, input=SHIFTS)
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_all_within_a_margin_and_ties() -> None:
    status, lines, said = solve("--within", "0")
    assert (status, len(lines)) == (0, 3)
    assert "3 solutions (all that cost at most 0 more than the cheapest one; all cost the same)" in said
    assert len(solve("--within", "50%")[1]) == 5
    status, lines, said = solve("--within", "50%", "--cheapest", "4")
    assert len(lines) == 4
    assert "4 solutions (no other is cheaper; the first 3 cost the same)" in said


def test_solutions_that_differ() -> None:
    status, lines, _ = solve("--cheapest", "9", "--differ-in", "c")
    assert (status, len(lines)) == (0, 3)
    assert solve("--cheapest", "2", "--differ-in", "x")[0] == 2


def test_a_gap_is_said_and_is_no_proof() -> None:
    status, lines, said = solve("--cheapest", "1", "--gap", "0", "-v")
    assert (status, len(lines)) == (0, 1)
    assert "no other is cheaper" in said
    for name in ("best", "bound", "gap"):
        assert f"\n{name} " in said
    status, lines, said = solve("--cheapest", "1", "--gap", "90%", "--engine", "sets", "--format", "jsonl")
    closing = json.loads(lines[-1])
    assert closing["status"] in ("gap", "optimal")
    assert closing["statistics"]["best"] >= 6 >= closing["statistics"]["bound"]


@pytest.mark.parametrize(("flags", "words"), [
    (("--cheapest", "1", "--gap", "-1"), "expected an amount of cost or a percentage"),
    (("--within", "x"), "expected an amount of cost or a percentage"),
    (("--within", "1", "--engine", "diagram"), "does not support within"),
])  # fmt: skip
def test_flags_that_contradict_each_other(flags: tuple[str, ...], words: str) -> None:
    status, lines, said = solve(*flags)
    assert (status, lines) == (2, [])
    assert words in said


def test_prices_are_explained(tmp_path: Path) -> None:
    file = tmp_path / "shifts.dlx"
    file.write_text(SHIFTS)
    _, record, _ = invoke("solve", str(file), "--limit", "1", "--format", "jsonl").stdout.splitlines()
    label = json.loads(record)["labels"][0]
    done = invoke("explain", str(file), "--prices", "--price-of", label)
    assert done.stdout.startswith("the cheapest solution costs 6\n")
    assert f"option {label} costs" in done.stdout
    facts = json.loads(invoke("explain", str(file), "--prices", "--format", "json").stdout)
    assert facts["least"] == facts["bound"] == sum(facts["prices"].values()) == 6
    assert "(measured), which costs 6" in invoke("estimate", str(file)).stdout
    assert "cheapest" not in invoke("estimate", "queens", "n=4").stdout


def test_a_run_says_the_best_cost_and_a_bound(tmp_path: Path) -> None:
    file, store = tmp_path / "shifts.dlx", str(tmp_path / "shifts.run")
    file.write_text(SHIFTS)
    assert invoke("run", "start", str(file), "--cheapest", "1", "--store", store).returncode == 0
    summary = Run(store).status()
    assert summary.best == summary.bound == 6
    assert Run(store).problem.least_cost == 6
