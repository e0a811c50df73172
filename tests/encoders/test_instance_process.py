"""Processes that answer instances for threads."""

from collections.abc import Iterator
from functools import partial

import pytest

from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.instances import Answer, Answerer, InstanceProcess, InstanceSolver, can_move
from exactcover.engines.worker_process import LostProcessError
from problems import Latin, Sudoku

TEXTS = ["1.....2..3.....4", "." * 16, "11" + "." * 14, "12"]


def answer_all(answerer: Answerer, texts: list[str]) -> list[Answer]:
    return [answer for answers in answerer.answer(texts) for answer in answers]


def make_process(stop: Stop) -> InstanceProcess:
    return InstanceProcess(partial(InstanceSolver, Sudoku(box="2x2"), "auto", rates=True), stop, 1)


@pytest.fixture
def process() -> Iterator[InstanceProcess]:
    process = make_process(Stop())
    yield process
    process.close()


def test_a_process_answers_as_a_solver_does(process: InstanceProcess) -> None:
    own = InstanceSolver(Sudoku(box="2x2"), "auto", Stop(), rates=True)
    texts = list(Sudoku(box="2x2").instances([f"{text}\n" for text in TEXTS]))
    for some in (texts[:1], texts):
        assert answer_all(process, some) == answer_all(own, some)


def test_texts_that_cannot_be_moved_are_answered_here(process: InstanceProcess) -> None:
    class Own(str):
        def __reduce__(self) -> tuple[object, ...]:
            return int, ("x",)

    assert answer_all(process, [Own(TEXTS[0])]) == answer_all(process, TEXTS[:1])
    assert not can_move(lambda stop: InstanceSolver(Latin(n=2), "auto", stop))


def test_a_process_that_has_ended_is_an_error(process: InstanceProcess) -> None:
    answer_all(process, TEXTS)
    process.close()
    with pytest.raises(LostProcessError, match="the process of the rating of instances has ended"):
        answer_all(process, TEXTS)


def test_a_stop_ends_the_work() -> None:
    stop = Stop()
    process = make_process(stop)
    stop.request(Status.TIMEOUT)
    with pytest.raises(Stopped) as stopped:
        answer_all(process, TEXTS)
    assert stopped.value.status is Status.TIMEOUT
    process.close()
