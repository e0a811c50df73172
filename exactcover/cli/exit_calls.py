"""Calls with which code of a plugin ends or replaces this process, so that its status would look like an answer.

``sys.exit`` raises an exception, and the native module guards the C function ``exit``; nothing can guard C's ``_exit``.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

from exactcover.cli import end_process
from exactcover.cli.exits import Exit
from exactcover.cli.messages import print_message

__all__ = ["ExitCallError", "ExitCalls"]

_NAMES = ("_exit", "execv", "execve")  # whatever else in os replaces the process calls these


class ExitCallError(BaseException):
    """Raised where the process would have ended. ``except Exception`` in a plugin does not catch it."""


class ExitCalls:
    """Replaces ``os._exit`` and ``os.exec*`` in this process for good; processes that it forks may use them.

    Attributes
    ----------
    status
        The status of this process, once it is known. Until then, the calls are errors; afterwards, they end the process
        with this status.
    """

    def __init__(self) -> None:
        self.status: int | None = None
        self._process = os.getpid()
        for name in _NAMES:
            replacement = self._replace(name, getattr(os, name))
            for module in (os, sys.modules[os.name]):  # os has them from posix or nt
                setattr(module, name, replacement)

    def _replace(self, name: str, original: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(original)
        def call(*args: Any, **keywords: Any) -> object:
            if os.getpid() == self._process:
                self._refuse(f"os.{name}({args[0]!r})" if args else f"os.{name}()")
            return original(*args, **keywords)

        return call

    def _refuse(self, call: str) -> NoReturn:
        if self.status is not None:
            end_process(self.status)
        caller = sys._getframe(2)
        while caller.f_globals.get("__name__") == "os" and caller.f_back is not None:
            caller = caller.f_back
        code = caller.f_code
        error = ExitCallError(f"{code.co_filename}, line {caller.f_lineno}, in {code.co_qualname}: {call} was called")
        if threading.current_thread() is threading.main_thread():
            raise error
        print_message(f"error: {error}")  # nobody would hear of an exception in another thread
        end_process(Exit.FAULT)
