"""Reading search logs; docs/search_log.md describes the format."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exactcover.control.search_log import FRAME, MAGIC, LogNode, TreeReader
from exactcover.control.statistics import Status
from exactcover.errors import LogError
from exactcover.files.json_text import load_json
from exactcover.files.read import open_regular

__all__ = ["SearchLog"]


class SearchLog:
    """A log that was written by a :class:`SearchLogWriter`.

    Parameters
    ----------
    source
        The content of the file, or its path.

    Attributes
    ----------
    header
        What was searched, see docs/search_log.md.
    status, solutions
        How the search ended, and how many solutions it found.
    is_truncated
        Whether nodes are missing at the end.

    Raises
    ------
    LogError
        If it is not a log, or is damaged or truncated.
    OSError
        If the file cannot be read.
    """

    def __init__(self, source: bytes | Path) -> None:
        data = source if isinstance(source, bytes) else _read_file(source)
        self._source = "search log" if isinstance(source, bytes) else str(source)
        frames = list(self._read_frames(data))
        if not frames or frames[0][0] != b"H" or frames[-1][0] != b"E":
            raise LogError(f"{self._source}: the log is truncated")
        if any(kind != b"N" for kind, _ in frames[1:-1]):
            raise LogError(f"{self._source}: the log is damaged")
        try:
            self.header: dict[str, Any] = load_json(frames[0][1])
            end = load_json(frames[-1][1])
            self.status = Status(end["status"])
            self.solutions: int = end["solutions"]
            self.is_truncated: bool = end["truncated"] or self.status.stopped or self.status is Status.LIMIT
        except (ValueError, KeyError, TypeError) as error:
            raise LogError(f"{self._source}: the log is damaged: {error}") from None
        self._blocks = [content for _, content in frames[1:-1]]

    def _read_frames(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        if not data.startswith(MAGIC):
            raise LogError(f"{self._source}: not a search log, or a log in an unsupported format")
        stream = io.BytesIO(data[len(MAGIC) :])
        while head := stream.read(FRAME.size):
            if len(head) < FRAME.size:
                raise LogError(f"{self._source}: the log is truncated")
            kind, length, checksum = FRAME.unpack(head)
            content = stream.read(length)
            if len(content) < length:
                raise LogError(f"{self._source}: the log is truncated")
            if zlib.crc32(content) != checksum:
                raise LogError(f"{self._source}: the log is damaged")
            yield kind, zlib.decompress(content)

    def nodes(self) -> Iterator[LogNode]:
        """Yield all nodes in preorder.

        Raises
        ------
        LogError
            If the nodes are not those of one tree.
        """
        reader = TreeReader()
        try:
            for block in self._blocks:
                yield from reader.read(block)
        except ValueError as error:
            raise LogError(f"{self._source}: {error}") from None
        if reader.is_unfinished and not self.is_truncated:
            raise LogError(f"{self._source}: the tree is not complete")


def _read_file(path: Path) -> bytes:
    with open_regular(path) as file:
        return file.read()
