"""The desk of the studio: questions wait for their turn, and whoever waits too long is told so."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from commands import wait_until
from exactcover.engines.worker_process import LostProcessError
from exactcover.studio.question_worker import BusyError, Desk, Worker


class FakeWorker(Worker):
    """A worker without a process."""

    def __init__(self, folder: Path) -> None:
        self.is_ended = self.is_canceled = False

    @property
    def is_alive(self) -> bool:
        return not self.is_ended

    def cancel(self) -> None:
        self.is_canceled = True
        self.end()

    def end(self) -> None:
        self.is_ended = True


def open_desk(**limits: Any) -> Desk:
    return Desk(Path(), max_busy=2, hire=FakeWorker, **limits)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with closing(open_desk()) as opened:
        yield opened


def test_who_waits_too_long_is_told_that_the_studio_is_busy() -> None:
    with closing(open_desk(queue_seconds=0.0)) as desk:
        first, second = desk.take("1"), desk.take("2")
        for name in map(str, range(3, 43)):
            with pytest.raises(BusyError, match="the studio is busy"):
                desk.take(name)
        assert first.is_alive and second.is_alive
        desk.release(first)
        assert desk.take("3").is_alive


def test_questions_wait_in_the_order_in_which_they_came(desk: Desk) -> None:
    taken = [desk.take("1"), desk.take("2")]
    order: list[str] = []

    def take(name: str) -> None:
        taken.append(desk.take(name))
        order.append(name)

    threads = {name: threading.Thread(target=take, args=(name,)) for name in ("3", "4", "5")}
    for number, thread in enumerate(threads.values()):
        thread.start()
        wait_until(partial(lambda most: len(desk.waiting) == most, number + 1))
    for number, thread in enumerate(threads.values()):
        desk.release(taken[number])
        thread.join()
    assert order == ["3", "4", "5"]


def test_a_new_question_ends_the_one_before_also_while_it_waits(desk: Desk) -> None:
    first, other = desk.take("1"), desk.take("2")
    again = desk.take("1")
    assert isinstance(first, FakeWorker) and first.is_canceled
    assert other.is_alive
    errors: list[BusyError] = []

    def wait() -> None:
        with pytest.raises(BusyError) as error:
            desk.take("3")
        errors.append(error.value)

    waiter = threading.Thread(target=wait)
    waiter.start()
    wait_until(lambda: "3" in desk.waiting)
    newer = threading.Thread(target=lambda: desk.take("3"))
    newer.start()
    waiter.join()
    assert "another one took its place" in str(errors[0])
    desk.release(again)
    newer.join()
    assert "3" in desk.busy


def abandon_at_once(desk: Desk, worker: Worker) -> None:
    worker.ask({"question": "families"})


def abandon_while_it_is_answered(desk: Desk, worker: Worker) -> None:
    reader = threading.Thread(target=lambda: list(worker.ask({"question": "families"})))
    reader.start()
    worker.end()
    reader.join()


def abandon_an_answer(desk: Desk, worker: Worker) -> None:
    answer = worker.ask({"question": "none"})
    worker.end()
    assert "error" in next(answer)


def abandon_for_another(desk: Desk, worker: Worker) -> None:
    answer = worker.ask({"question": "families"})
    desk.release(desk.take("name"))
    assert list(answer) == [{"error": "the question was canceled, because another one took its place"}]


def abandon_what_has_died(desk: Desk, worker: Worker) -> None:
    worker._process.end()
    assert "has ended" in next(worker.ask({"question": "families"}))["error"]


@pytest.mark.parametrize(
    "abandon",
    [abandon_at_once, abandon_while_it_is_answered, abandon_an_answer, abandon_for_another, abandon_what_has_died],
)
def test_abandoned_questions_leave_nothing(abandon: Callable[[Desk, Worker], None], tmp_path: Path) -> None:
    own = psutil.Process()
    before = own.num_fds(), own.children()
    for _ in range(2):
        with closing(Desk(tmp_path, max_busy=2)) as desk:
            for _ in range(6):
                worker = desk.take("name")
                abandon(desk, worker)
                worker.end()
                desk.release(worker)
            idle = len(desk._idle)  # they wait for the next questions
            assert (own.num_fds(), len(own.children())) == (before[0] + 2 * idle, len(before[1]) + idle)
            assert idle <= 2
    assert (own.num_fds(), own.children()) == before


def test_too_many_waiting_questions_are_refused_at_once() -> None:
    with closing(open_desk(max_waiting=0)) as desk, pytest.raises(BusyError):
        desk.take("1")


def test_without_processes_each_question_is_told_so() -> None:
    def refuse(folder: Path) -> Worker:
        raise LostProcessError("no process")

    with closing(Desk(Path(), max_busy=2, hire=refuse)) as desk:
        for _ in range(3):
            with pytest.raises(LostProcessError):
                desk.take("1")
        assert (desk.busy, desk.waiting) == ({}, {})
