"""The verb ``hint``, and what is said of the difficulty of puzzles elsewhere."""

import json
from pathlib import Path

import pytest

from commands import invoke
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.step_pictures import draw_step
from exactcover.pictures import Cell, Edge, Picture, render
from problems import Loops, Masyu, Numberlink, Polyiamond, Polyomino, Queens, Slitherlink, Sudoku

HARDEST = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_a_step_with_a_picture() -> None:
    shown = invoke("hint", "queens", "n=5", "placed=[[1, 1]]")
    assert shown.returncode == 0
    assert shown.stdout.splitlines() == [
        "┌───────────────┐",
        "│ ♛  ·     ·    │",
        "│ ·     ?  ?  ? │",
        "│    ·     ×    │",
        "│ ·     ·     · │",
        "│    ·     ·    │",
        "└───────────────┘",
        "",
        "Too little would be left for row 2 if r3c4, because of column 4, rising diagonal 7 and falling diagonal -1.",
        "to go on: --without r3c4",
    ]
    further = invoke("hint", "queens", "n=5", "placed=[[1, 1]]", "--without", "r3c4")
    assert further.stdout.splitlines()[-1] != shown.stdout.splitlines()[-1]


def test_all_steps_and_their_facts() -> None:
    shown = invoke("hint", "sudoku", f"grid={EASY}", "--all-steps").stdout.splitlines()
    assert shown[0].split(maxsplit=2)[1:] == ["1.2", shown[0][shown[0].index("Hidden") :]]
    assert shown[-1] == "51 steps; then: solved; the hardest has difficulty 1.2 (hidden single), the mean is 1.20"
    facts = json.loads(invoke("hint", "sudoku", f"grid={EASY}", "--all-steps", "--format", "json").stdout)
    assert (len(facts["steps"]), facts["hardest"], facts["undecided"], len(facts["solution"])) == (51, 1.2, 0, 81)
    assert [step["sentence"] for step in facts["steps"]] == [line.split(maxsplit=2)[2] for line in shown[:-1]]
    guess = json.loads(invoke("hint", "sudoku", f"grid={HARDEST}", "--all-steps", "--format", "json").stdout)
    assert (guess["hardest"], guess["undecided"], guess["solution"]) == (None, 212, None)


def test_ends() -> None:
    assert invoke("hint", "queens", "n=8").stdout == (
        "no step follows without a guess, or there are several solutions; 64 options undecided\n"
    )
    wrong = invoke("hint", "queens", "n=4", "--given", "r1c1")  # whose steps are some before they lead nowhere
    assert (wrong.returncode, wrong.stdout) == (
        20,
        "no solution: a search finds none; --all-steps shows how far steps lead, and why; "
        "--given r1c1 is the first wrong step\n",
    )
    assert len(invoke("hint", "queens", "n=4", "--given", "r1c1", "--all-steps").stdout.splitlines()) > 1
    clash = invoke("hint", "sudoku", f"grid=11{'.' * 79}")
    assert (clash.returncode, clash.stdout) == (
        20,
        "no solution: the givens 'r1c1=1' and 'r1c2=1' conflict: both take item '1 in row 1'\n",
    )
    flags = ("--given", "r3c3=8", "--given", "r1c3=1", "--given", "r9c1=9")
    steps = invoke("hint", "sudoku", f"grid={EASY}", *flags)
    assert steps.stdout.endswith("; --given r1c3=1 is the first wrong step\n")
    without = invoke("hint", "sudoku", f"grid={EASY}", "--without", "r1c3=1", "--without", "r1c3=4", "--all-steps")
    assert without.stdout.endswith("; --without r1c3=4 is the first wrong step\n")
    solved = next(iter(Sudoku(grid=EASY).solve()))
    done = invoke("hint", "sudoku", f"grid={''.join(Sudoku().decode(solved))}")
    assert (done.returncode, done.stdout) == (0, "solved: all is settled\n")
    impossible = invoke("hint", "queens", "n=3", "--all-steps")
    assert impossible.returncode == 20
    assert impossible.stdout.splitlines()[-1] == "3 steps; then: no solution: too little is left for row 2"


def test_lines_that_are_excluded_or_supposed_are_not_drawn() -> None:
    shown = invoke("hint", "slitherlink", "clues=..2/.3./3.3").stdout.splitlines()
    assert shown[:5] == ["·   ·   · × ·", "          2", "·   ·   · × ·", "      3", "·   ·   ·   ·"]
    cells = [Cell(row, column, "") for row in range(2) for column in range(2)]
    edges = (Edge(0, 1, down=True, sign="?"), Edge(1, 0, down=False, sign="×"))
    picture = Picture("lines", (*cells, *edges))
    assert render(picture).splitlines() == ["┌───────┐", "│   ?   │", "│ ×     │", "│       │", "└───────┘"]
    assert render(picture, ascii=True).isascii()


def test_the_cells_of_a_sum_are_marked() -> None:
    killer = Sudoku(box="2x2", cages="AAB. ..B. .... ....", sums={"A": 3, "B": 4})
    step = killer.problem().next_step()
    assert step is not None and step.truths == ("cage A",)
    picture = killer.draw_step(step)
    assert picture is not None
    assert {place for place, mark in picture.marks.items() if getattr(mark, "text", "") == "?"} == {(0, 0), (0, 1)}


@pytest.mark.parametrize(("encoder", "chosen", "marks"), [
    (Polyomino(board="5x12"), (), "×"),
    (Sudoku(grid=HARDEST), ("r8c3=1",), "×9"),
    (Queens(n=5, placed=((1, 1),)), (), "?"),
    (Polyiamond(board="6x6"), (), "×"),
])  # fmt: skip
def test_pictures_mark_what_a_step_is_about(encoder: Encoder, chosen: tuple[str, ...], marks: str) -> None:
    problem = encoder.problem()
    labels = [problem.labels[problem.position(label)] for label in chosen]
    step = problem.next_step(given=chosen)
    assert step is not None
    picture = draw_step(encoder, [*problem.givens, *labels], step)
    assert picture is not None
    assert marks in render(picture)
    assert render(picture).count("×") < 12
    assert picture.to_svg()


def test_a_batch_is_rated(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    several = f"{EASY[:40]}{'.' * 41}"
    file.write_text("\n".join([EASY, HARDEST, several, "11" + "." * 79, "1" * 3]))
    rated = invoke("batch", "sudoku", str(file), "--rate", "--outcome", "-q")
    assert [line.split("\t")[:2] for line in rated.stdout.splitlines()] == [
        ["1.2", "one"], ["guess", "one"], ["-", "several"], ["-", "none"], ["-", "malformed"],
    ]  # fmt: skip
    shared = invoke("batch", "sudoku", str(file), "--rate", "--outcome", "-q", "--jobs", "2")
    assert (shared.returncode, shared.stdout) == (rated.returncode, rated.stdout)
    plain = invoke("batch", "sudoku", str(file), "--outcome", "-q")
    assert [line.partition("\t")[2] for line in rated.stdout.splitlines()] == plain.stdout.splitlines()


def test_what_steps_can_do_without_is_said_on_request() -> None:
    plain = invoke("explain", "sudoku", f"grid={EASY}").stdout
    assert "difficulty" not in plain
    told = invoke("explain", "sudoku", f"grid={EASY}", "--steps").stdout
    assert told.startswith(plain)
    assert "the hardest has difficulty 1.2" in told
    facts = json.loads(invoke("explain", "sudoku", f"grid={EASY}", "--steps", "--format", "json").stdout)
    assert facts["difficulty"] == 1.2
    for label in facts["needless_for_steps"][:3]:
        kept = [one for one in Sudoku(grid=EASY).givens() if str(one) != label]
        assert Sudoku().problem().solve_by_steps(given=kept).solution is not None
    hard = invoke("explain", "sudoku", f"grid={HARDEST}", "--steps").stdout
    assert hard.splitlines()[-1] == "steps without a guess do not lead to it (hint --all-steps)"
    assert invoke("explain", "sudoku", f"grid={EASY}", "--steps", "--prices").returncode == 2


@pytest.mark.parametrize(("encoder", "given", "words"), [
    (Slitherlink("..2/.3./3.3"), (), "for point r1c4 if a line at the top and bottom of r1c3, a line at"),
    (Slitherlink("0"), (), "Only no line around r1c1 is left for r1c1."),
    (Masyu(".W../..../B.../...."), (),
     "for r1c1 if a line left (straight) and right (turn) from r1c2, because of the line from r1c1 to r1c2 and way through r1c1."),
    (Numberlink("A.B/.../A.B"), ("r1c1: right",), "Only a line right and down from r2c1 is left for r2c1."),
    (Numberlink("1..3/..../2..4", kind="zip"), (), "r1c4 if a line left and down from r1c3 or a line left and down"),
    (Loops("1x3"), ("r1c2: left and right",), "Only a line right and down from r1c1 is left for r1c1."),
])  # fmt: skip
def test_options_that_draw_lines_have_words(encoder: Encoder, given: tuple[str, ...], words: str) -> None:
    assert words in str(encoder.problem().next_step(given=given))


def test_lines_of_a_step_are_marked() -> None:
    encoder = Loops("1x3")
    problem = encoder.problem()
    labels = {str(label): label for label in problem.labels}
    given = [labels[name] for name in ("r1c1: right and down", "r2c1: up and right", "r1c4: left and down")]
    deduction = problem.next_step(given=given)
    assert deduction is not None and labels["r2c4: up and left"] in deduction.chosen
    picture = draw_step(encoder, given, deduction)
    assert picture is not None
    tints = {(edge.row, edge.column, edge.down): edge.tint for edge in picture.named_edges}
    assert tints[0, 3, True] == tints[1, 2, False] == 12  # of what is chosen
    assert tints[0, 0, True] != 12 and tints[0, 1, True] is None
