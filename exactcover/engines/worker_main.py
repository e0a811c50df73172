"""The start of a process that works for another one; see :mod:`exactcover.engines.worker_process`.

It is started as a script with the path of another one, imports the standard library alone, and makes the class
``Solver`` of that script. A request is the name of one of its methods and the arguments; what that returns is the
answer, unless it is None, and it may give other answers before. All are pickled, and come from this package only.
"""

import os
import pickle
import runpy
import signal
import sys
import threading
from functools import partial
from queue import SimpleQueue
from typing import IO, Any

MARK = b"-- answers of exactcover --\n"
"""The line before the first answer. What comes before was printed while Python started."""


def _take_stream(number: int, mode: str) -> IO[bytes]:
    """Return standard input or output, and give libraries and families one that leads nowhere."""
    stream = os.fdopen(os.dup(number), mode)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, number)
    os.close(nowhere)
    return stream


def _forbid_core_dumps() -> None:
    """Leave nothing behind where a library ends the process for lack of memory."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(requests: IO[bytes], waiting: "SimpleQueue[Any]") -> None:
    """Read requests; end the process at once when the one that started it closes its side, or ends."""
    try:
        while True:
            waiting.put(pickle.load(requests))
    finally:
        os._exit(0)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    requests, output = _take_stream(0, "rb"), _take_stream(1, "wb")
    _forbid_core_dumps()
    output.write(b"\n" + MARK)
    waiting = SimpleQueue[Any]()
    sys.path[:] = pickle.load(requests)
    threading.Thread(target=_read, args=(requests, waiting), daemon=True).start()

    def answer(value: object, *, is_last: bool = True) -> None:
        pickle.dump((is_last, value), output)
        output.flush()

    solver = runpy.run_path(sys.argv[1])["Solver"](partial(answer, is_last=False))
    while True:
        name, *arguments = waiting.get()
        value = getattr(solver, name)(*arguments)
        if value is not None:
            answer(value)


if __name__ == "__main__":
    try:
        _main()
    finally:
        os._exit(1)  # at once; the thread that reads requests may hold up the end of Python
