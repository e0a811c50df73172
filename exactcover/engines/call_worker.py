"""Calls of functions, in a process that works for another one; see :mod:`exactcover.engines.worker_process`.

A script that :mod:`exactcover.engines.worker_main` runs. Functions come from the modules that the other process knows.
"""

import pickle
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress


class Solver:
    """The method that requests name. Function and arguments are pickled apart, so that a failure is an answer."""

    def __init__(self, give: Callable[[object], None]) -> None:
        self._give = give

    def call(self, data: bytes) -> tuple[object, Exception | None]:
        """Call a function; return its result, or what it yields before None, each with None; or None and its error."""
        try:
            function, arguments = pickle.loads(data)
            result = function(*arguments)
            if not isinstance(result, Iterator):
                return result, None
            for part in result:
                self._give((part, None))
        except BaseException as error:
            return None, _make_portable(error)
        return None, None


def _make_portable(error: BaseException) -> Exception:
    """Return an error that the other process can read, and that ends nothing there."""
    with suppress(Exception):  # whatever an error of a stranger does
        if isinstance(error, Exception) and isinstance(pickle.loads(pickle.dumps(error)), Exception):
            return error
    return RuntimeError("".join(traceback.format_exception_only(error)).strip())
