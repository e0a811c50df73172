"""Many instances of one problem: solve_many, and the verb batch."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from exactcover import Problem, Status, StoppedError
from problems import Queens, Sudoku

HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
SOLVED = "162857493534129678789643521475312986913586742628794135356478219241935867897261354"


def batch(*args: str, text: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "exactcover", "batch", *args]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)


def test_many_instances_get_what_single_ones_get(engine: str) -> None:
    problem = Queens(n=7).problem()
    chance = random.Random(1)
    instances = [chance.sample(problem.labels, chance.randint(0, 3)) for _ in range(120)]
    together = list(problem.solve_many(instances, limit=1000, engine=engine))
    for given, solutions in zip(instances, together, strict=True):
        assert sorted(solutions) == sorted(problem.solve(given=given, engine=engine))


def test_a_limit_of_two_tells_whether_there_is_just_one(engine: str) -> None:
    problem = Sudoku(box="2x2").problem()
    one = Sudoku(box="2x2", grid="1... ...2 .3.. ..4.").givens()
    found = list(problem.solve_many([one, one[:2], (*one[:1], one[0]._replace(symbol="2"))], limit=2, engine=engine))
    assert [len(solutions) for solutions in found] == [1, 2, 0]


def test_a_proof_of_the_author_holds_for_every_instance(engine: str) -> None:
    problem = Problem({"A": [1]}, impossible="no")
    assert list(problem.solve_many([[], ["A"]], engine=engine)) == [[], []]


def test_a_stop_says_how_many_were_done(engine: str) -> None:
    problem = Queens(n=6).problem()
    with pytest.raises(StoppedError) as caught:
        list(problem.solve_many(([] for _ in iter(int, 1)), timeout=0.2, engine=engine))
    assert caught.value.status is Status.TIMEOUT
    assert caught.value.at_least > 0


def test_one_puzzle_a_line(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{HARD}\twith a comment\n\n{HARD.replace('.', '0')}\n")
    result = batch("sudoku", str(file), text="")
    assert (result.returncode, result.stdout) == (0, f"{SOLVED}\n{SOLVED}\n")
    assert result.stderr == "2 of 2 instances solved\n"


@pytest.mark.parametrize("between", ["", "\n"])
def test_blocks_of_lines_of_two_sizes(between: str) -> None:
    nine = "".join(HARD[start : start + 9] + "\n" for start in range(0, 81, 9))
    pattern = [[chr(65 + (4 * (row % 4) + row // 4 + column) % 16) for column in range(16)] for row in range(16)]
    full = "".join("".join(row) + "\n" for row in pattern)
    holes = "".join("".join("-" if (r * c) % 3 == 0 else one for c, one in enumerate(row)) + "\n"
                    for r, row in enumerate(pattern))  # fmt: skip
    result = batch("sudoku", "-", "-q", text=between.join([nine, holes, nine]))
    assert result.returncode == 0
    nine_solved = "".join(SOLVED[start : start + 9] + "\n" for start in range(0, 81, 9))
    assert result.stdout.startswith(nine_solved)
    assert result.stdout.endswith(nine_solved)
    middle = result.stdout.removeprefix(nine_solved).removesuffix(nine_solved).splitlines()
    assert all(given in ("-", got) for line, row in zip(holes.splitlines(), middle, strict=True)
               for given, got in zip(line, row, strict=True))  # fmt: skip
    assert len(full) == len("\n".join(middle)) + 1


def test_what_has_no_solution_or_is_none_gets_its_reason() -> None:
    clash = "55" + "." * 79
    result = batch("sudoku", "-", text=f"{clash}\n{HARD}\n{'A' * 81}\nshort\n")
    assert result.returncode == 2
    lines = result.stdout.splitlines()
    assert lines[0] == "no solution: the givens 'r1c1=5' and 'r1c2=5' exclude each other: both take item '5 in row 1'"
    assert lines[1] == SOLVED
    assert lines[2] == "no instance: 'A' is none of the symbols 123456789"
    assert lines[3].startswith("no instance: ")
    assert batch("sudoku", "-", text=clash).returncode == 1


def test_problems_without_instances_say_so() -> None:
    result = batch("queens", "-", text="")
    assert result.returncode == 2
    assert "problem 'queens' reads no instances from text" in result.stderr


def test_a_given_may_be_named_twice(engine: str) -> None:
    problem = Queens(n=6).problem()
    first = next(problem.solve())
    assert list(problem.solve_many([[first[0], first[1], first[0]]], limit=2, engine=engine)) == [[first]]
