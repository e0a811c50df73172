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
from typing import Any, BinaryIO

__all__: list[str] = []


def _take_output() -> BinaryIO:
    """Return standard output, and let libraries that print something print it nowhere."""
    output = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return output


def _forbid_core_dumps() -> None:
    """Leave nothing behind where a library ends the process for lack of memory."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(requests: BinaryIO, waiting: "SimpleQueue[Any]") -> None:
    """Read requests; end the process at once when the one that started it closes its side, or ends."""
    try:
        while True:
            waiting.put(pickle.load(requests))
    finally:
        os._exit(0)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    output = _take_output()
    _forbid_core_dumps()
    requests, waiting = sys.stdin.buffer, SimpleQueue[Any]()
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
    _main()
