"""A process that works for this one: it runs a script beside this module, and gets requests and gives answers.

A library that cannot be interrupted in time, that holds the lock of the interpreter, or that ends its process when
memory runs out is ended at once there, and whatever happens to it is never mistaken for an answer. The process ends
with this one, and the signals of a terminal do not reach it.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

from exactcover.control.memory import resident_memory
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.thread_group import WaitingQueue, check_owner
from exactcover.engines.worker_main import MARK

_PATIENCE = 1.0  # seconds for a process that has closed its side to end, and for what it has sent to come
_POLL_SECONDS = 0.01  # between two looks at the stop
_MAX_IDLE = 2  # processes that wait for another problem

_idle: dict[str, list[WorkerProcess]] = {}  # by script


class LostProcessError(MemoryError):
    """A process that works for this one has ended, or cannot be started; most often for lack of memory."""


class WorkerProcess:
    """A process that runs a script, and the thread that talks to it.

    The class ``Solver`` of the script has the methods that requests name; messages call what runs there `what`. With
    `has_site`, the process finds modules as this one does; a script that needs few starts sooner without. Raise
    ``LostProcessError`` if no process or thread can be started.
    """

    def __init__(self, script: str, what: str, *, has_site: bool = False) -> None:
        self.script, self.what = script, what
        folder = Path(__file__).parent
        options = ["-P"] if has_site else ["-I", "-S"]
        flags = {"process_group": 0} if os.name == "posix" else {"creationflags": 0x08000000}  # CREATE_NO_WINDOW
        try:
            paths = [str(Path(path).absolute()) for path in sys.path if isinstance(path, str)]
            self.process = subprocess.Popen(
                [sys.executable, *options, str(folder / "worker_main.py"), str(folder / script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **flags,  # type: ignore[call-overload]
            )
        except (OSError, TypeError, ValueError) as error:  # the last two where Python does not know its own program
            raise LostProcessError(f"the process of {what} cannot be started: {error}") from error
        self.owner = os.getpid()  # a forked child cannot use it
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self.answers: WaitingQueue[Any] = WaitingQueue()  # that nobody has taken yet; None: the process has ended
        streams = self.process.stdin, self.process.stdout
        thread = threading.Thread(target=_talk, args=(*streams, self._requests, self.answers), daemon=True)
        self._end = weakref.finalize(self, _end_process, self.process, thread, self._requests, self.owner)
        try:
            thread.start()
        except (RuntimeError, MemoryError) as error:
            self.end()
            for stream in streams:
                stream.close()
            raise LostProcessError(f"a thread cannot be started: {error}") from error
        self.send(paths)

    def send(self, request: object, *, answered: bool = False) -> None:
        """Send a request; its answers, if there are any, appear in `answers`."""
        check_owner(self.owner)
        self._requests.put((b"?" if answered else b".") + pickle.dumps(request))

    def is_alive(self) -> bool:
        """Return whether the process can be used."""
        return os.getpid() == self.owner and self.process.poll() is None

    def find_status(self) -> int:
        """Return the status with which the process has ended; one that does not answer any more is ended first."""
        try:
            return int(self.process.wait(_PATIENCE))
        except subprocess.TimeoutExpired:
            self.end()
            return int(self.process.wait())

    def end(self) -> None:
        """End the process; whoever waits for an answer gets an error."""
        self._end()


def _talk(stdin: IO[bytes], stdout: IO[bytes], requests: SimpleQueue[bytes | None], answers: WaitingQueue[Any]) -> None:
    """Write requests, and read answers; the answer None means that the process has ended."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})  # the process may end at any time
    try:
        with stdout, stdin:
            is_marked = False  # what was printed before the first answer is passed over
            while (request := requests.get()) is not None:
                stdin.write(request[1:])
                stdin.flush()
                is_last = request[:1] != b"?"
                while not is_last and not is_marked:
                    is_marked = (line := stdout.readline()) == MARK
                    if not line:
                        raise EOFError
                while not is_last:
                    is_last, answer = pickle.load(stdout)
                    answers.put(answer)
    except Exception:  # the process has ended, or has sent what only it can read
        pass
    finally:
        answers.put(None)


def _end_process(
    process: subprocess.Popen[bytes], thread: threading.Thread, requests: SimpleQueue[bytes | None], owner: int
) -> None:
    if os.getpid() != owner:
        return  # a forked child; the process belongs to its parent
    if process.poll() is None:
        with suppress(OSError, AttributeError):
            os.killpg(process.pid, signal.SIGKILL)  # with those that it has started
        process.kill()
    process.wait()
    requests.put(None)
    if thread.is_alive() and thread is not threading.current_thread():
        thread.join(_PATIENCE)


def take_worker(script: str, what: str) -> WorkerProcess:
    """Return a process that waits, or a new one."""
    idle = _idle.setdefault(script, [])
    while idle:
        worker = idle.pop()
        if worker.is_alive():
            return worker
    return WorkerProcess(script, what)


def return_worker(worker: WorkerProcess, *, small: bool) -> None:
    """Keep a process for another problem if it holds little memory, and few others wait."""
    idle = _idle.setdefault(worker.script, [])
    if small and os.getpid() == worker.owner and len(idle) < _MAX_IDLE:
        idle.append(worker)
    else:
        worker.end()


def wait_for_answer(worker: WorkerProcess, stop: Stop | None, *, polls: bool = False) -> Any:
    """Return the next answer of a process; the status of the stop is read all the time, and it is polled if `polls`.

    Without a stop, only the end of the process ends the wait. The stop limits the memory of both processes together.
    Raise ``LostProcessError`` if the process has ended.
    """
    while True:
        if stop is not None and polls:
            stop.poll()
        has_ended = worker.process.poll() is not None  # but what it has sent may not be read yet
        try:
            answer = worker.answers.get(_PATIENCE if stop is None or has_ended else _POLL_SECONDS)
        except Empty:
            check_owner(worker.owner)  # a fork may come from whatever the stop calls
            if has_ended:  # and what it has started holds its side open
                worker.answers.put(None)
            if stop is not None and stop.status is not None:
                raise Stopped(stop.status) from None
            if stop is not None and stop.memory and not stop.has_memory(resident_memory(worker.process.pid)):
                raise Stopped(Status.MEMORY) from None
            continue
        if answer is None:
            worker.answers.put(None)  # for whoever asks again
            raise LostProcessError(f"the process of {worker.what} has ended with status {worker.find_status()}")
        return answer


class CallProcess(WorkerProcess):
    """A process that calls functions of modules, one at a time."""

    def __init__(self, what: str) -> None:
        super().__init__("call_worker.py", what, has_site=True)

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function; results come one by one if it is a generator, and None after them.

        Raise ``LostProcessError`` if the process has ended, or whatever pickling the function or an argument raises.
        """
        if not self.is_alive():
            raise LostProcessError(f"the process of {self.what} has ended")
        self.send(("call", pickle.dumps((function, arguments))), answered=True)

    def take(self, stop: Stop | None = None) -> Any:
        """Wait for the next result, and return it, or raise what the function has raised.

        After a stop, the process has ended, since it owes an answer. Raise ``LostProcessError`` if it has ended by
        itself.
        """
        try:
            result, raised = wait_for_answer(self, stop, polls=True)
        except BaseException:
            self.end()
            raise
        if raised is not None:
            raise raised
        return result
