"""Puzzles are uniquely solvable, as few or as many givens as asked for, and depend on the seed alone."""

import itertools
import json
import math
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused, invoke
from exactcover import Colored, Encoder, Problem, Stop, StoppedError
from exactcover.analysis.generate import NoPuzzleError, generate
from exactcover.cli.main import run
from exactcover.engines.base import ENGINES
from exactcover.formats.puzzle_sheets import add_pieces
from exactcover.reasons.deductions import LEVELS, solve_by_deductions
from problems import Latin, Polyomino, Queens, Sudoku
from problems.grid import Grid
from strategies import problems


@given(problem=problems(), seed=st.integers(0, 3))
def test_every_given_is_needed(problem: Problem, seed: int) -> None:
    if problem.count() == 0:
        with pytest.raises(ValueError, match="there is no solution"):
            next(generate(problem, seed=seed))
        return
    for puzzle in islice(generate(problem, seed=seed), 3):
        assert list(problem.solve(given=puzzle.givens)) == [puzzle.solution]
        for label in puzzle.givens:
            assert problem.count(given=[other for other in puzzle.givens if other != label]) > 1


@pytest.mark.parametrize(
    "problem", [Sudoku().problem(), Queens(n=9).problem(), Polyomino("4x5", "tetrominoes", copies="any").problem()]
)
def test_puzzles_of_encoders(problem: Problem) -> None:
    puzzles = list(islice(generate(problem, seed=1), 3))
    assert puzzles == list(islice(generate(problem, seed=1), 3))
    assert len({puzzle.solution for puzzle in puzzles}) > 1
    for puzzle in puzzles:
        assert problem.count(given=puzzle.givens) == 1
        assert puzzle.nodes > 0


def test_as_many_givens_as_asked_for() -> None:
    problem, fixed = Sudoku().problem(), list(Sudoku(grid="1" + "." * 80).givens())
    for clues in (26, 40):
        puzzle = next(generate(problem, seed=2, clues=clues, givens=fixed))
        assert len(puzzle.givens) == clues
        assert set(fixed) <= set(puzzle.givens)
        assert problem.count(given=puzzle.givens) == 1
    board = Queens(n=5).problem()
    with pytest.raises(ValueError, match=r"found no puzzle with 1 given \(those found had 2"):
        next(generate(board, seed=1, clues=1, attempts=9))


@pytest.mark.parametrize(("target", "clues", "reason"), [
    (["sudoku"], 16, "no puzzle has 16 givens: a Sudoku with 16 givens has more than one solution"),
    (["sudoku", "box=2x3"], 4, "no puzzle has 4 givens: if two symbols are in no given, exchanging them"),
    (["sudoku", "diagonals=true"], 7, "no puzzle has 7 givens: if two symbols"),
    (["latin", "n=5"], 3, "no puzzle has 3 givens: if two symbols"),
    (["samurai"], 7, "no puzzle has 7 givens: if two symbols"),
    (["sudoku"], 82, "no puzzle has 82 givens: a solution has at most 81 options"),
    (["queens"], 0, "no puzzle has 0 givens: without a given there is more than one solution"),
    (["queens", "placed=[[1, 1]]"], 1, "no puzzle has 1 given: these givens leave more than one solution"),
    (["queens", "placed=[[1, 1]]"], 0, "no puzzle has 0 givens: 1 option must be given"),
])  # fmt: skip
def test_too_few_and_too_many_givens_fail_before_an_attempt(
    target: list[str], clues: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactcover.analysis.generate._PuzzleMaker.make", None)  # an attempt would be an error
    assert_refused(reason, "generate", *target, "--clues", str(clues))


@pytest.mark.parametrize(
    ("encoder", "solutions"), [(Sudoku(box="2x2"), 288), (Latin(n=3), 12), (Latin(n=4, diagonals=True), 48)]
)
def test_known_bounds_of_givens_hold(encoder: Sudoku | Latin, solutions: int) -> None:
    """With fewer givens than the bound, against all sets of cells: each pattern of digits has several solutions."""
    found = [frozenset(one) for one in encoder.problem().solve()]
    assert len(found) == solutions
    fewest, _ = encoder.fewest_clues()
    side = round(len(found[0]) ** 0.5)
    for cells in itertools.combinations(itertools.product(range(1, side + 1), repeat=2), fewest - 1):
        patterns = Counter(frozenset(one for one in solution if one[:2] in cells) for solution in found)
        assert min(patterns.values()) > 1


def test_what_is_given_together() -> None:
    problem = Sudoku(box="2x2").problem()
    rows = lambda solution: [[label for label in solution if label.row == row] for row in range(1, 5)]  # noqa: E731
    puzzle = next(generate(problem, seed=1, together=rows))
    assert {sum(label.row == row for label in puzzle.givens) for row in range(1, 5)} == {0, 4}


def test_a_stop() -> None:
    stop = Stop()
    puzzles = generate(Queens(n=8).problem(), seed=1, stop=stop)
    next(puzzles)
    stop.request()
    with pytest.raises(StoppedError):
        next(puzzles)


def test_the_verb(tmp_path: Path) -> None:
    more = ["-n", "3", "--format", "lines", "-o", str(tmp_path / "some.txt")]
    assert invoke("generate", "sudoku", "--seed", "1", *more).returncode == 0
    for line in (tmp_path / "some.txt").read_text().splitlines():
        puzzle = Sudoku(grid=line)
        assert puzzle.problem().count(given=puzzle.givens()) == 1
    entry = json.loads(invoke("generate", "queens", "n=6", "--seed", "1", "--format", "jsonl").stdout)
    assert set(entry["givens"]) < set(entry["solution"])
    assert invoke("generate", "sudoku", "box=2x2", "--seed", "1", "--format", "svg", "-n", "4").stdout.count("<g ") == 4
    tiling = ["polyomino", "board=4x5", "pieces=tetrominoes", "copies=any"]
    assert " givens, " in invoke("generate", *tiling, "--seed", "1").stdout


def test_patterns_that_stay_the_same_after_half_a_turn() -> None:
    for seed in "123":
        line = invoke("generate", "sudoku", "--symmetric", "--seed", seed, "--format", "lines").stdout.strip()
        pattern = [cell == "." for cell in line]
        assert pattern == pattern[::-1]


@pytest.mark.parametrize("target", [
    ["sudoku", "box=2x2", "grid=1... .... .... ...."],
    ["sudoku", "grid=12......." + "." * 72],
    ["queens", "n=8", "placed=[[1, 3]]"],
], ids=str)  # fmt: skip
def test_what_a_target_gives_draws_in_its_partners(target: list[str]) -> None:
    """Partners are what is given at the place that half a turn leads to."""
    for seed in "12":
        puzzle = json.loads(invoke("generate", *target, "--symmetric", "--seed", seed, "--format", "jsonl").stdout)
        spots = [re.findall(r"r(\d+)c(\d+)", " ".join(puzzle[name])) for name in ("givens", "solution")]
        given, solved = ({(int(row), int(column)) for row, column in own} for own in spots)
        last = 1 + max(row for row, _ in solved)
        assert {(1, 1), (1, 3)} & given
        assert {(last - row, last - column) for row, column in given} == given


def test_groups_that_meet_what_is_fixed_are_held_whole() -> None:
    options = {(k, side): [k, Colored("side", side)] for k in range(6) for side in "ab"}
    problem = Problem(options, secondary=["side"])
    chain = lambda solution: [solution[:2], solution[1:3], solution[3:5], solution[5:]]  # noqa: E731
    for seed in range(4):
        puzzle = next(generate(problem, seed=seed, givens=[(0, "a")], together=chain))
        assert puzzle.givens == ((0, "a"), (1, "a"), (2, "a"))
    either = Problem({"A": [1], "B": [2], "C": [1, 2]})
    puzzle = next(generate(either, seed=1, givens=["A"], together=lambda solution: [solution]))
    assert puzzle.givens == ("A", "B")


def test_a_timeout_keeps_what_there_is() -> None:
    flags = ["-n", "100000", "--timeout", "0.4", "--format", "lines", "--seed", "1"]
    printed = invoke("generate", "sudoku", "box=2x2", *flags)
    assert printed.returncode == 3 and printed.stdout
    assert printed.stderr.startswith("stopped by the timeout; ")


def test_what_cannot_be_generated() -> None:
    assert_refused("there is no solution", "generate", "queens", "n=3")
    assert_refused("cannot be written as lines", "generate", "queens", "--format", "lines")
    assert_refused("has no pictures", "generate", "options", "table={a: [1]}", "--symmetric")


def test_as_hard_as_wanted() -> None:
    problem = Sudoku(box="2x2").problem()
    some = list(islice(generate(problem, seed=1), 8))
    middle = sorted(puzzle.nodes for puzzle in some)[4]
    hard = list(islice(generate(problem, seed=1, nodes=(middle, math.inf)), 3))
    assert hard == [puzzle for puzzle in some if puzzle.nodes >= middle][:3]
    assert all(middle == puzzle.nodes for puzzle in islice(generate(problem, seed=1, nodes=(middle, middle)), 2))
    assert next(generate(problem, seed=1, nodes=(0, 10**20))) == some[0]  # more than a search may be limited to
    message = r"9 attempts found no puzzle with the requested number of nodes \(those found had \d+ to \d+\)"
    with pytest.raises(ValueError, match=message):
        next(generate(problem, seed=1, nodes=(10**6, math.inf), attempts=9))
    with pytest.raises(ValueError, match="attempts must be at least 1; got 0"):
        next(generate(problem, attempts=0))
    assert_refused("expected LOW:HIGH", "generate", "sudoku", "--nodes", "few")


KILLER = ["sudoku", "box=2x2", "cages=AABB CCBD EFFD EGGD", "sums={A: 3, B: 8, C: 7, D: 7, E: 5, F: 3, G: 7}"]


@pytest.mark.parametrize(
    "target",
    [["sudoku", "box=2x2"], KILLER, ["queens", "n=6"], ["polyomino", "board=3x4", "pieces=dominoes", "copies=any"]],
)
def test_a_puzzle_as_yaml_has_these_givens(target: list[str], tmp_path: Path) -> None:
    file = tmp_path / "puzzle.yaml"
    assert invoke("generate", *target, "--seed", "1", "-o", str(file)).returncode == 0
    assert invoke("count", str(file)).stdout == "1\n"
    assert invoke("generate", *target, "-n", "2", "-o", str(file)).returncode == 2


def test_a_killer_is_text_that_can_be_solved(tmp_path: Path) -> None:
    shown = invoke("generate", *KILLER, "--seed", "1").stdout
    file = tmp_path / "killer.yaml"
    file.write_text(shown[shown.index("problem:") : shown.rindex("\n", 0, -1)], "utf-8")
    assert invoke("count", str(file)).stdout == "1\n"


def test_sheets_have_numbers_pieces_and_answers_of_their_own(tmp_path: Path) -> None:
    sheet, answers = tmp_path / "sheet.svg", tmp_path / "sheet-answers.svg"
    assert run(["generate", "sudoku", "box=2x2", "--seed", "1", "-n", "2", "-o", str(sheet)]) == 0
    one, other = (re.findall(r">(\d)</text>", file.read_text("utf-8")) for file in (sheet, answers))
    assert len(other) == 2 * 16 + 2  # all digits and two numbers
    assert len(one) < len(other)
    document = tmp_path / "book.pdf"
    assert run(["generate", "sudoku", "box=2x2", "--seed", "1", "-n", "7", "-o", str(document)]) == 0
    assert len(re.findall(rb"/Type /Page\b", document.read_bytes())) == 3  # six puzzles, one, and the answers


@pytest.mark.parametrize(
    ("copies", "placed", "pieces"), [("any", 0, 6), ("any", 2, 4), (8, 2, 4), (5, 2, 3), ((0, 5), 0, 5)]
)
def test_a_sheet_has_the_pieces_that_are_left(copies: Any, placed: int, pieces: int) -> None:
    encoder = Polyomino("2x6", {"I": "##"}, copies)
    problem = encoder.problem()
    givens = [label for label in problem.labels if str(label) in ("I r1c1 r2c1", "I r1c2 r2c2")][:placed]
    picture = add_pieces(encoder.draw(givens), encoder, problem, givens, 0.7)
    regions = {cell.region for cell in picture.cells.values() if cell.row > 2}
    assert len(regions) == pieces


@pytest.mark.parametrize(("encoder", "levels"), [
    (Sudoku(), ["easy", "medium", "hard"]),
    (Queens(n=8), ["easy", "medium"]),
    (Sudoku(box="2x3"), ["easy", "expert"]),
    (Polyomino(board="3x20"), ["easy", "medium"]),
])  # fmt: skip
def test_a_level_needs_its_steps_and_no_harder_ones(encoder: Encoder, levels: list[str]) -> None:
    problem = encoder.problem()
    for level in levels:
        least, most = {"easy": (1, 1.5), "medium": (1.6, 2.9), "hard": (3, 4.9), "expert": (5, math.inf)}[level]
        puzzle = next(generate(problem, seed=1, level=level))
        path = problem.solve_by_steps(given=puzzle.givens)
        assert path.solution is not None and {*path.solution} == {*puzzle.solution}
        assert least <= path.hardest <= most and path.hardest == puzzle.difficulty
        assert problem.count(given=puzzle.givens) == 1
        for one in puzzle.givens:  # none can be left out at this level
            rest = problem.instance(label for label in puzzle.givens if label != one)
            assert solve_by_deductions(rest, level=LEVELS[level], explain=False).solution is None


def test_a_level_that_is_not_found() -> None:
    message = r"3 attempts found no puzzle with the requested steps \(those found had 4.58\)"
    with pytest.raises(NoPuzzleError, match=message):
        next(generate(Queens(n=6).problem(), seed=1, level="expert", attempts=3))


def test_steps_of_a_kind_and_simpler_ones() -> None:
    problem = Sudoku().problem()
    for kind, allowed in {"last": {"last"}, "block": {"last", "block"}}.items():
        puzzle = next(generate(problem, seed=2, most_step=kind))
        kinds = {one.kind.value for one in problem.solve_by_steps(given=puzzle.givens).deductions}
        assert kinds <= allowed
    with pytest.raises(ValueError, match="level must be one of easy, medium, hard, expert; got 'simple'"):
        next(generate(problem, level="simple"))
    with pytest.raises(ValueError, match="most_step must be one of last, block, rule, subset, chain, weights; got 'x'"):
        next(generate(problem, most_step="x"))
    words = "puzzles of level expert need other steps than block"
    assert_refused(words, "generate", "sudoku", "--level", "expert", "--most-step", "block")
    words = "there is one solution without further givens, and its steps have a difficulty of 1.2"
    assert_refused(words, "generate", "sudoku_9x9.yaml", "--level", "hard")
    assert invoke("generate", "sudoku", "--level", "hard", "--seed", "1", "-n", "2").stdout.count(", difficulty ") == 2


@pytest.mark.skipif("native" not in ENGINES, reason="trials are C++ code")
def test_numbers_that_touch_are_generated_though_plain_searches_are_hopeless() -> None:
    problem = Grid("5x5", symbols="1-25", constraints=({"path": "king"},)).problem()
    puzzle = next(generate(problem, seed=1))
    assert problem.count(given=puzzle.givens) == 1
