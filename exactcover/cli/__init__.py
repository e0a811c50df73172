"""The command line: one module per verb; no verb knows a puzzle.

Private: run ``exactcover``.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # until main runs, an interrupt ends in a traceback, so nothing is imported that may load a file
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

__all__ = ["end_process", "main"]

end_process = os._exit  # as it is before it is replaced, because a plugin may call it
_OBJECTS_PER_COLLECTION = 100_000  # loading modules makes many objects, none of them garbage


def main() -> NoReturn:
    """Run the command line and exit. An error while it is loaded must not look like an answer either."""
    try:
        _handle_signals()
        run_and_exit = _load_command_line()
    except BaseException as error:
        _exit_unloaded(error)
    run_and_exit()


def _handle_signals() -> None:
    """Let signals end the process without a traceback while modules are loaded and at the exit."""
    import _signal  # type: ignore[import-not-found]  # built in; the module signal would load files

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(_signal, name, None)
        # A signal that is already ignored, such as SIGHUP under nohup, stays ignored.
        if number is not None and _signal.getsignal(number) is not _signal.SIG_IGN:
            _signal.signal(number, _exit_interrupted)


def _load_command_line() -> Callable[[], NoReturn]:
    import gc

    from exactcover.version import NO_ARCHIVE, is_in_archive

    if is_in_archive():
        _exit(2, f"error: {NO_ARCHIVE}")
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    from exactcover.cli.main import run_and_exit

    return run_and_exit


def _exit_unloaded(error: BaseException) -> NoReturn:
    try:
        if isinstance(error, KeyboardInterrupt):
            _exit_interrupted(2)
        if _lacks_memory(error):
            _exit(3, "stopped: out of memory")
        _exit(70, f"error: the installation is broken: {type(error).__name__}: {error}")
    finally:
        end_process(70)


def _lacks_memory(error: BaseException) -> bool:
    """Return whether an error comes from a lack of memory, also if there is too little to find that out."""
    try:
        from exactcover.control.memory import is_lack_of_memory

        return is_lack_of_memory(error, loading=True)
    except Exception:
        return True


def _exit_interrupted(number: int, *_: object) -> NoReturn:
    _exit(128 + number, "interrupted")


def _exit(status: int, message: str) -> NoReturn:
    """End the process at once: with too little memory, even ``sys.exit`` fails, and the status would be 1."""
    try:
        os.write(2, f"{message}\n".encode(errors="backslashreplace"))
    finally:
        end_process(status)
