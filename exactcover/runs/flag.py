"""The flag by which a coordinator asks for the cubes that are being searched."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from exactcover.files.write import open_own

__all__ = ["Flag"]


class Flag:
    """A file beside the store whose existence asks workers to hand back their cubes as soon as possible.

    Every process of this machine sees it, whatever executor started it. Workers of other machines do not; they hand
    back their cubes when their time is over. Each flag has a name of its own, so no other file is ever taken for it.

    Parameters
    ----------
    store
        The path of the store.
    """

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(f".exactcover-{secrets.token_hex(8)}").absolute()
        self._left: set[Future[Any]] = set()
        self._lock = Lock()

    @property
    def path(self) -> str:
        """The path of the file."""
        return str(self._path)

    def raise_flag(self) -> None:
        """Ask for the cubes."""
        with suppress(OSError):  # then they come later
            open_own(self._path, new=True).close()

    def remove_after(self, futures: Iterable[Future[Any]]) -> None:
        """Remove the file when these futures are done, so that a worker that is late still sees it."""
        self._left = set(futures)
        if not self._left:
            self._remove()
        for future in list(self._left):
            future.add_done_callback(self._drop)

    def _drop(self, future: Future[Any]) -> None:
        with self._lock:
            self._left.discard(future)
            is_last = not self._left
        if is_last:
            self._remove()

    def _remove(self) -> None:
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
