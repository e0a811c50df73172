"""Reading with a bound."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

__all__ = ["read_bounded", "read_stream"]


_BLOCK = 1 << 20


def read_bounded(path: Path, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return what a file holds.

    Parameters
    ----------
    path
    most
        How many bytes it may hold.
    poll
        Called from time to time; whatever it raises ends the reading.

    Raises
    ------
    OSError
        If it cannot be read, holds more than so many bytes, or is a device.
    """
    with path.open("rb") as file:
        about = os.fstat(file.fileno())
        if stat.S_ISCHR(about.st_mode) and not file.isatty():
            raise OSError("it is a device")
        if about.st_size > most:
            raise OSError(f"it is larger than {most:,} bytes")
        return read_stream(file, most, poll)


def read_stream(stream: BinaryIO, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return what a stream holds; as :func:`read_bounded`."""
    blocks: list[bytes] = []
    left = most
    while block := stream.read(min(_BLOCK, left + 1)):
        poll()
        left -= len(block)
        if left < 0:
            raise OSError(f"it holds more than {most:,} bytes")
        blocks.append(block)
    return b"".join(blocks)
