"""A process that works for this one: it runs a script beside this module, and gets requests and gives answers.

A library that cannot be interrupted, that holds the lock of the interpreter, or that ends its process when memory runs
out is ended at once there, and whatever happens to it is never mistaken for an answer.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from exactcover.control.memory import resident_memory
from exactcover.control.stop import Stop
from exactcover.engines.thread_group import check_owner

__all__ = ["WorkerProcess"]

_PATIENCE = 1.0  # seconds for a process that has closed its side to end


class WorkerProcess:
    """A process that runs a script, and the thread that talks to it.

    Parameters
    ----------
    script
        The name of the script, whose function ``serve`` gets two streams: of pickled requests, and for pickled answers.
    what
        What runs there, for messages.

    Attributes
    ----------
    process
        The process.
    answers
        The answers that nobody has taken yet; None means that the process has ended.

    Raises
    ------
    MemoryError
        If no process or thread can be started.
    """

    def __init__(self, script: str, what: str) -> None:
        folder = Path(__file__).parent
        flags = {"process_group": 0} if os.name == "posix" else {"creationflags": 0x08000000}  # CREATE_NO_WINDOW
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(folder / "worker.py"), str(folder / script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **flags,  # type: ignore[call-overload]
            )
        except OSError as error:
            raise MemoryError(f"the process of {what} cannot be started: {error}") from error
        self._owner = os.getpid()
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self.answers: SimpleQueue[Any] = SimpleQueue()
        streams = self.process.stdin, self.process.stdout
        thread = threading.Thread(target=_talk, args=(*streams, self._requests, self.answers), daemon=True)
        self._end = weakref.finalize(self, _end_process, self.process, thread, self._requests, self._owner)
        try:
            thread.start()
        except RuntimeError as error:
            self.end()
            raise MemoryError(f"a thread cannot be started: {error}") from error
        self.send([path for path in sys.path if path])

    def send(self, request: object, *, answered: bool = False) -> None:
        """Send a request; its answer, if there is one, appears in `answers`."""
        self.check_owner()
        self._requests.put((b"?" if answered else b".") + pickle.dumps(request))

    @property
    def is_owned(self) -> bool:
        """Whether this is the process that has started the worker, and not a forked child, which cannot use it."""
        return os.getpid() == self._owner

    def check_owner(self) -> None:
        """Raise an error if the worker is not owned."""
        check_owner(self._owner)

    def is_alive(self) -> bool:
        """Return whether the process can be used."""
        return self.is_owned and self.process.poll() is None

    def has_memory(self, stop: Stop) -> bool:
        """Return whether this process and that one hold no more memory than a stop allows."""
        return stop.memory is None or stop.has_memory(resident_memory(self.process.pid))

    def find_status(self) -> int:
        """Return the status with which the process has ended; one that does not answer any more is ended first."""
        try:
            return int(self.process.wait(_PATIENCE))
        except subprocess.TimeoutExpired:
            self.end()
            return int(self.process.wait())

    def end(self) -> None:
        """End the process."""
        self._end()


def _talk(stdin: IO[bytes], stdout: IO[bytes], requests: SimpleQueue[bytes | None], answers: SimpleQueue[Any]) -> None:
    """Write requests, and read answers; the answer None means that the process has ended."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})  # the process may end at any time
    try:
        with stdout, stdin:
            while (request := requests.get()) is not None:
                stdin.write(request[1:])
                stdin.flush()
                if request[:1] == b"?":
                    answers.put(pickle.load(stdout))
    except (OSError, EOFError, pickle.UnpicklingError, MemoryError):
        pass
    finally:
        answers.put(None)


def _end_process(
    process: subprocess.Popen[bytes], thread: threading.Thread, requests: SimpleQueue[bytes | None], owner: int
) -> None:
    if os.getpid() != owner:
        return  # a forked child; the process belongs to its parent
    process.kill()
    process.wait()
    requests.put(None)
    if thread.is_alive() and thread is not threading.current_thread():
        thread.join()
