"""Reading with a size limit."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

__all__ = ["read_bounded", "read_stream"]


_BLOCK = 1 << 20


def read_bounded(path: Path, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return the contents of a file.

    Parameters
    ----------
    path
        The file.
    most
        The largest number of bytes to read.
    poll
        Called after each block of at most 1 MiB; an exception that it raises ends the reading.

    Raises
    ------
    OSError
        If the file cannot be read, contains more than `most` bytes, or is a device other than a terminal.
    """
    with path.open("rb") as file:
        file_status = os.fstat(file.fileno())
        if stat.S_ISCHR(file_status.st_mode) and not file.isatty():
            raise OSError("it is a device")
        if file_status.st_size > most:
            raise OSError(f"it is larger than {most:,} bytes")
        return read_stream(file, most, poll)


def read_stream(stream: BinaryIO, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return the contents of a stream, like :func:`read_bounded`."""
    blocks: list[bytes] = []
    remaining = most
    while block := stream.read(min(_BLOCK, remaining + 1)):
        poll()
        remaining -= len(block)
        if remaining < 0:
            raise OSError(f"it is larger than {most:,} bytes")
        blocks.append(block)
    return b"".join(blocks)
