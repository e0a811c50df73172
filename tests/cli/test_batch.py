"""Many instances of one problem: solve_instances, and the verb batch."""

import math
import random
from itertools import repeat
from pathlib import Path

import pytest

from commands import StopWhen, assert_refused, invoke
from exactcover import Problem, Status, StoppedError
from problems import Queens, Sudoku

HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."

SOLVED = "162857493534129678789643521475312986913586742628794135356478219241935867897261354"


def test_many_instances_get_what_single_ones_get(engine: str) -> None:
    problem = Queens(n=7).problem()
    chance = random.Random(1)
    instances = [chance.sample(problem.labels, chance.randint(0, 3)) for _ in range(40)]
    instances.append([*instances[-1], *instances[-1]])  # a given may be named twice
    together = list(problem.solve_instances(instances, limit=1000, engine=engine))
    for given, solutions in zip(instances, together, strict=True):
        assert sorted(solutions) == sorted(problem.solve(given=given, engine=engine))


def test_a_limit_of_two_tells_whether_there_is_just_one(engine: str) -> None:
    problem = Sudoku(box="2x2").problem()
    one = Sudoku(box="2x2", grid="1... ...2 .3.. ..4.").givens()
    instances = [one, one[:2], (*one[:1], one[0]._replace(symbol="2"))]
    found = problem.solve_instances(instances, limit=2, engine=engine)
    assert [len(solutions) for solutions in found] == [1, 2, 0]


def test_a_proof_of_the_author_holds_for_every_instance(engine: str) -> None:
    problem = Problem({"A": [1]}, impossible="no")
    assert list(problem.solve_instances([[], ["A"]], engine=engine)) == [[], []]


def test_a_stop_says_how_many_were_done(engine: str) -> None:
    done: list[object] = []
    stop = StopWhen(lambda: len(done) == 3)
    with pytest.raises(StoppedError) as caught:
        for solutions in Queens(n=6).problem().solve_instances(repeat([]), stop=stop, engine=engine):
            done.append(solutions)
    assert caught.value.status is Status.TIMEOUT
    assert caught.value.at_least == 3


def test_one_puzzle_a_line(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{HARD}\twith a comment\n\n{HARD.replace('.', '0')}\n")
    result = invoke("batch", "sudoku", str(file))
    assert (result.returncode, result.stdout) == (0, f"{SOLVED}\n{SOLVED}\n")
    assert result.stderr == "2 instances: 2 with one solution\n"


def test_blocks_of_lines_of_two_sizes() -> None:
    nine, nine_solved = ("".join(f"{cells[k : k + 9]}\n" for k in range(0, 81, 9)) for cells in (HARD, SOLVED))
    holes = "".join("".join("-" if (r * c) % 3 == 0 else chr(64 + one) for c, one in enumerate(row)) + "\n"
                    for r, row in enumerate(pattern(16)))  # fmt: skip
    result = invoke("batch", "sudoku", "-", "-q", input="\n".join([nine, holes, nine]))
    assert result.returncode == 0
    assert result.stdout.startswith(nine_solved)
    assert result.stdout.endswith(nine_solved)
    *middle, mark = result.stdout.removeprefix(nine_solved).removesuffix(nine_solved).splitlines()
    assert mark == "# several solutions"
    assert all(given in ("-", got) for line, row in zip(holes.splitlines(), middle, strict=True)
               for given, got in zip(line, row, strict=True))  # fmt: skip


def pattern(side: int) -> list[list[int]]:
    """Return a filled grid in numbers."""
    root = math.isqrt(side)
    return [[(root * (row % root) + row // root + column) % side + 1 for column in range(side)] for row in range(side)]


@pytest.mark.parametrize("side", [4, 9, 16, 25])
@pytest.mark.parametrize("blank", ["0", ".", "-"])
def test_rows_of_numbers_parted_by_blanks(side: int, blank: str) -> None:
    full = pattern(side)
    width = len(str(side))
    written = [
        " ".join(blank if (7 * r + c) % 5 == 0 else str(one) for c, one in enumerate(row)) for r, row in enumerate(full)
    ]
    texts = list(Sudoku().instances([*written, "", *written, *written]))
    assert len(texts) == 3
    assert {text.replace(".", blank) for text in texts} == {"\n".join(written)}
    puzzle = Sudoku().parse(texts[0])
    assert puzzle.side == side
    solution = next(puzzle.problem().solve(given=puzzle.givens()))
    lines = puzzle.unparse(solution).split("\n")
    symbols = "123456789" if side <= 9 else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    decoded = [[symbols.index(one) + 1 for one in row] for row in puzzle.decode(solution)]
    assert [[int(one) for one in line.split()] for line in lines] == decoded
    assert {len(line) for line in lines} == {side * (width + 1) - 1}
    assert all(blank == given or given == got for before, after in zip(written, lines, strict=True)
               for given, got in zip(before.split(), after.split(), strict=True))  # fmt: skip


def test_symbols_that_are_digits_are_no_numbers() -> None:
    rows = "4 . . .\n. . 3 .\n. . . .\n1 2 . 4"
    assert Sudoku(box="2x2", symbols="4321").parse(rows).givens()[0] == (1, 1, "4")


def test_what_has_no_solution_or_is_none_gets_its_reason() -> None:
    clash = "55" + "." * 79
    result = invoke("batch", "sudoku", "-", input=f"{clash}\n{HARD}\n{'A' * 80}\n12.(4\n")
    assert result.returncode == 2
    lines = result.stdout.splitlines()
    assert lines[0] == "no solution: the givens 'r1c1=5' and 'r1c2=5' conflict: both take item '5 in row 1'"
    assert lines[1] == SOLVED
    assert lines[2].startswith(
        "malformed: line 3: expected 81 cells, got 80; a 9x9 puzzle may be 9 rows like 2.1......, or"
    )
    assert lines[3].startswith("malformed: line 4: ")
    damaged = invoke("batch", "sudoku", "-", input=f"{HARD}\n.....broken\n{HARD}\n...continued\n").stdout.splitlines()
    assert (damaged[0], damaged[2:]) == (SOLVED, [SOLVED])
    assert damaged[1].startswith("malformed: line 2: '.....broken' is not a row of a Sudoku")
    assert invoke("batch", "sudoku", "-", input=clash).returncode == 20
    with_outcome = invoke("batch", "sudoku", "-", "--outcome", input="A" * 80).stdout
    assert with_outcome == f"malformed\t{lines[2].removeprefix('malformed: ').replace('line 3', 'line 1')}\n"


def test_problems_without_instances_say_so() -> None:
    assert_refused("problem 'queens' cannot read instances from text", "batch", "queens", "-")


def test_batch_tells_one_from_several(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("1...\n....\n....\n....\n\n1...\n1...\n....\n....\n\n1234\n3412\n2143\n4321\n")
    captured = invoke("batch", "sudoku", str(file), "box=2x2", "--outcome")
    assert captured.returncode == 20
    assert [line.split("\t")[0] for line in captured.stdout.splitlines() if "\t" in line] == ["several", "none", "one"]
    assert "3 instances: 1 with one solution, 1 with several solutions, 1 with no solution" in captured.stderr
    file.write_text("1...\n....\n....\n....\n")
    assert invoke("batch", "sudoku", str(file), "box=2x2").returncode == 0
    assert invoke("batch", "sudoku", str(file), "box=2x2", "--unique").returncode == 20


def test_a_family_of_a_file_is_rated_by_threads_and_its_errors_have_their_place(tmp_path: Path) -> None:
    file, puzzles = tmp_path / "own.py", tmp_path / "puzzles.txt"
    head = (
        "from dataclasses import dataclass\nfrom problems import Sudoku\n@dataclass(frozen=True)\nclass Own(Sudoku):\n"
    )
    puzzles.write_text(f"{HARD}\n" * 3)
    command = ["--plugin", f"{file}:Own", "batch", "own", str(puzzles), "--rate", "--jobs", "2"]
    file.write_text(f"{head}    '''A Sudoku.'''\n")
    rated = invoke(*command)
    assert (rated.returncode, rated.stdout) == (0, f"guess\t{SOLVED}\n" * 3)
    file.write_text(f"{head}    def givens(self):\n        return 1 / 0\n")
    assert_refused(f"encoder Own.givens(), {file}, line 6: ZeroDivisionError", *command, status=70)


def test_a_byte_order_mark_is_no_cell() -> None:
    marked = invoke("batch", "samurai", "-", "corners=[[1,1]]", "box=2x2", input="\ufeff1...\n....\n....\n....\n")
    assert marked.stdout.splitlines()[0] == "1234"


def test_a_line_of_many_digits_is_malformed() -> None:
    done = invoke("batch", "sudoku", "-", input="1" * 5000 + "\n")
    assert (done.returncode, done.stderr) == (2, "1 instance: 1 malformed\n")
