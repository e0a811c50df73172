"""The command line: one module per verb; no verb knows a puzzle.

Private: run ``exactcover``.
"""

from __future__ import annotations

import gc
import os
import sys

from exactcover.version import NO_ARCHIVE, is_in_archive

TYPE_CHECKING = False  # typing is slow to import, and until main runs an interrupt ends in a traceback
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]

_OBJECTS_PER_COLLECTION = 100_000  # loading modules makes many objects, none of them garbage


def main() -> NoReturn:
    """Run the command line and exit. An error while it is loaded must not look like an answer either."""
    if is_in_archive():
        sys.stderr.write(f"error: {NO_ARCHIVE}\n")
        sys.exit(2)
    try:
        _handle_signals()
        gc.set_threshold(_OBJECTS_PER_COLLECTION)
        from exactcover.cli.main import run_and_exit
    except KeyboardInterrupt:
        _exit_interrupted(2)
    except Exception as error:
        if _lacks_memory(error):
            sys.stderr.write("stopped: out of memory\n")
            sys.exit(3)
        sys.stderr.write(f"error: the installation is broken: {type(error).__name__}: {error}\n")
        sys.exit(70)
    run_and_exit()


def _handle_signals() -> None:
    """Let signals end the process without a traceback while modules are loaded and at the exit."""
    import signal

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # A signal that is already ignored, such as SIGHUP under nohup, stays ignored.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _exit_interrupted)


def _lacks_memory(error: Exception) -> bool:
    """Return whether an error comes from a lack of memory, also if there is too little to find that out."""
    try:
        from exactcover.control.memory import is_lack_of_memory

        return is_lack_of_memory(error)
    except (MemoryError, SystemError, OSError):
        return True


def _exit_interrupted(number: int, *_: object) -> NoReturn:
    os.write(2, b"interrupted\n")
    os._exit(128 + number)
