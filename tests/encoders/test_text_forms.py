"""Instances in a text form get the same answers as those that go through their encoders."""

import random
import re
import subprocess
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import invoke, start
from exactcover import Encoder, Problem, StoppedError, TextForm
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.instances import Answer, InstanceSolver, InstanceThreads, Outcome
from problems import Latin, Samurai, Sudoku

TEMPLATES: list[Encoder] = [
    Sudoku(box="2x2"),
    Sudoku(box="2x3"),
    Sudoku(box="2x2", symbols="a0.X"),
    Sudoku(box="2x2", diagonals=True),
    Latin(n=3),
    Latin(n=1),
    Latin(n=4, mate="1234 2143 3412 4321"),
    Samurai(box="2x2", corners=((1, 1), (3, 3))),
]


class OnlyParse(InstanceSolver):
    """Answers all instances by way of their encoders."""

    def answer(self, texts: Sequence[str]) -> Iterator[list[Answer]]:
        yield [self._answer_alone(text) for text in texts]


def answer_all(solver: InstanceSolver, texts: list[str]) -> list[Answer]:
    return [answer for answers in solver.answer(texts) for answer in answers]


def answer_both_ways(template: Encoder, texts: list[str], engine: str = "auto") -> list[Answer]:
    """Return the answers, which are the same by text and by encoders."""
    answers, others = (answer_all(way(template, engine, Stop()), texts) for way in (InstanceSolver, OnlyParse))
    assert answers == others
    return answers


def make_texts(template: Encoder, chance: random.Random, number: int) -> list[str]:
    """Return solutions in all layouts with places left blank or changed, some of them to what is not valid."""
    form = template.text_form()
    assert form is not None
    solutions = list(islice(template.problem().solve(seed=chance.randrange(1000)), 20))
    texts = []
    for _ in range(number):
        text = list(form.write(chance.choice(form.layouts), chance.choice(solutions)))
        blanks = chance.sample(form.blanks, 1) if chance.random() < 0.9 else form.blanks
        for place in chance.sample(range(len(text)), chance.randint(0, len(text))):
            if text[place] not in "\n/ " or chance.random() < 0.05:
                text[place] = chance.choice(blanks) if chance.random() < 0.9 else chance.choice("1234abA?é0\n ")
        texts.append("".join(text))
    return texts


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_both_ways_give_the_same_answers(template: Encoder, engine: str) -> None:
    answers = answer_both_ways(template, make_texts(template, random.Random(3), 60), engine)
    found = {answer.outcome for answer in answers}
    assert Outcome.ONE in found and (Outcome.SEVERAL in found or "n=1" in str(template))


def test_an_answer_does_not_depend_on_those_before_it(tree_engine: str) -> None:
    """The first instance of a frame goes through its encoder, the others do not. What is learned depends on the past."""
    solver = InstanceSolver(Sudoku(box="2x2", diagonals=True), tree_engine, Stop())
    text = "..1.\n....\n....\n.23."
    assert len({answer_all(solver, [text])[0] for _ in range(3)}) == 1


@given(st.lists(st.text("1234.0A\n é", max_size=20), max_size=5))
def test_any_text_gets_the_same_answer_both_ways(texts: list[str]) -> None:
    answer_both_ways(Sudoku(box="2x2"), ["12" + "." * 14, *texts, "." * 16])


def test_sizes_may_change_within_a_stream() -> None:
    small, large = "12" + "." * 14, "." * 81
    answer_both_ways(Sudoku(), [small, large, small, "x", large, small * 2, small])


def test_threads_answer_in_order() -> None:
    some = make_texts(Sudoku(box="2x2"), random.Random(2), 2000)
    texts = [text for text in some if re.fullmatch("[1-4.]{16}", text)]
    lines = "".join(f"{text}\n" for text in texts)

    def answer(*flags: str) -> list[list[str]]:
        """Return outcomes and solutions, without those that are one of several."""
        result = invoke("batch", "sudoku", "-", "box=2x2", *flags, "--outcome", input=lines)
        answers = [line.split("\t") for line in result.stdout.splitlines()]
        return [words[: 1 + (words[0] != "several")] for words in answers]

    expected = answer("--engine", "sets")
    assert len(expected) == len(texts) > 50
    assert {words[0] for words in expected} >= {"one", "several", "none"}
    assert all(answer("--jobs", jobs) == expected for jobs in ("1", "3"))


def test_an_answer_does_not_wait_for_the_next_instance() -> None:
    with start("batch", "latin", "-", "n=2", "-q", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        for text, answer in [("1...", "1221"), ("2...", "2112"), ("2 ./..", ""), (".1 ..", "21 12")]:
            process.stdin.write(text + "\n")
            process.stdin.flush()
            line = process.stdout.readline().rstrip("\n")
            assert line == answer or (not answer and line.startswith("malformed"))
        process.stdin.close()
        assert process.wait() == 2


def make_threads(stop: Stop) -> InstanceThreads:
    return InstanceThreads(lambda own: InstanceSolver(Sudoku(box="2x2"), "auto", own), 2, stop)


def test_a_caller_that_takes_no_more_ends_the_threads() -> None:
    stop = Stop()
    with make_threads(stop) as threads:
        for _ in range(100):
            if next(threads.answer(["." * 16] * 100), None):
                break
        else:
            raise AssertionError
    assert stop.status is None


def test_a_stop_ends_the_threads() -> None:
    stop = Stop()
    with make_threads(stop) as threads:
        assert not list(threads.answer(["." * 16] * 100))
        assert sum(map(len, threads.finish())) == 100
        stop.request()
        assert not list(threads.answer(["." * 16]))
        with pytest.raises((Stopped, StoppedError)):
            list(threads.finish())


def test_the_frame_is_the_one_that_the_template_chooses() -> None:
    """A block of 4x4 cells shows that it is smaller, and so does a text of 16 characters."""
    template = Sudoku()
    texts = ["1...\n..2.\n.3..\n...4", "1.....2..3.....4", "1...\n..2.\n.3..\n...4"]
    outcomes = [answer.outcome for answer in answer_all(InstanceSolver(template, "auto", Stop()), texts)]
    assert outcomes == [Outcome.ONE] * 3


def test_an_answer_does_not_wait_for_the_rest_of_a_line() -> None:
    with start("batch", "sudoku", "-", "box=2x2", "-q", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("1.....2..3.....4\n12")  # a rule may follow rows, but not a line of a list
        process.stdin.flush()
        assert len(process.stdout.readline()) == 17
        process.stdin.close()
        process.wait()


def test_easy_instances_do_not_wait_for_a_hard_one() -> None:
    symbols = "123456789ABCDEFGHIJKLMNOPQRS"
    easy = " ".join(symbols[row:] + symbols[:row] for row in range(28))
    corner = ["".join(symbols[(row + column) % 27 + 1] for column in range(17)) + "." * 11 for row in range(17)]
    hard = " ".join(corner + ["." * 28] * 11)  # takes minutes
    found = InstanceSolver(Latin(n=28), "auto", Stop()).answer([easy, easy, hard, easy])
    assert [next(found), next(found)] == [[Answer(easy, Outcome.ONE)]] * 2


def test_what_comes_before_a_mistake_in_the_input_is_answered() -> None:
    line = "1.....2..3.....4\n"
    result = invoke("batch", "sudoku", "-", "box=2x2", input=line * 3 + "\n" + "x" * (1 << 24) + "\n")
    assert result.returncode == 2
    assert result.stdout.count("\n") == 3
    assert "a line is longer than" in result.stderr


def test_a_ligature_is_not_two_symbols() -> None:
    result = invoke("batch", "samurai", "-", "box=5x6", "corners=[[1,1]]", "--outcome", input="\ufb06\n\n")
    assert result.stdout.startswith("malformed\t")


@dataclass(frozen=True)
class Switches(Encoder):
    """Switches of which one is on."""

    on: str = ""
    """Which are on."""

    def options(self) -> Iterator[tuple[str, list[str]]]:
        for place in range(3):
            yield f"{place} on", ["on"]

    def givens(self) -> list[str]:
        return [f"{place} on" for place, one in enumerate(self.on) if one == "1"]

    def parse(self, text: str) -> "Switches":
        return Switches(text)

    def unparse(self, solution: Iterable[Hashable]) -> str:
        chosen = set(solution)
        return "".join("1" if f"{place} on" in chosen else "0" for place in range(3))

    def frame(self) -> int:
        return 0

    def text_form(self) -> TextForm:
        return TextForm(["\0\0\0"], [{"1": f"{place} on"} for place in range(3)], "0")


def test_a_place_that_no_solution_covers_is_left_to_the_encoder() -> None:
    solver = InstanceSolver(Switches(), "auto", Stop())
    assert [answer[:2] for answer in answer_all(solver, ["000", "010", "011", "2"])] == [
        ("100", Outcome.SEVERAL),
        ("010", Outcome.ONE),
        ("no solution: the givens '1 on' and '2 on' conflict: both take item 'on'", Outcome.NONE),
        ("100", Outcome.SEVERAL),
    ]


def test_a_layout_has_a_place_for_each_set_of_options() -> None:
    cases: list[tuple[Any, Any, str, str]] = [
        (["\0"], [{}, {}], ".", "a layout has 1 place, expected 2"),
        ("\0", [{}], ".", "layouts must be a list"),
        ([], [{}], ".", "layouts must contain at least one text"),
        ([""], [], ".", "options must contain at least one place"),
        (["\0"], [{}], "", "blanks must contain at least one character"),
        (["\0"], [{"ab": "A"}], ".", "expected one character"),
    ]
    for layouts, options, blanks, message in cases:
        with pytest.raises((TypeError, ValueError), match=message):
            TextForm(layouts, options, blanks)
    form = TextForm(["\0|\0"], [{"a": "A"}, {"b": "B", "c": "C"}])
    assert form.write("\0|\0", ["A"]) == "a|."
    assert form.write("\0|\0", ["A", "C"]) == "a|c"
    problem = Problem({"A": [1], "B": [2], "C": [2]})
    assert list(form.table(problem.position)[:256]).count(-1) == 1
