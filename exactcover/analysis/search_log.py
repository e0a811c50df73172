"""Reading and replaying search logs; docs/search_log.md describes the format."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from exactcover.algorithm_x import Cover, Level
from exactcover.control.arguments import check_arguments
from exactcover.control.recorder import FRAME, MAGIC, LogNode, TreeReader
from exactcover.control.statistics import Status
from exactcover.errors import LogError
from exactcover.files.json_text import load_json
from exactcover.files.read import open_regular


class SearchLog:
    """A log that was written by a :class:`SearchLogWriter`.

    Parameters
    ----------
    source
        The content of the file, or its path.

    Attributes
    ----------
    header
        The header of the log, see docs/search_log.md.
    status, solutions
        The status of the search, and the number of solutions that it found.
    is_truncated
        Whether nodes are missing at the end.

    Raises
    ------
    LogError
        If it is not a log, or is damaged or truncated.
    OSError
        If the file cannot be read.
    """

    @check_arguments
    def __init__(self, source: bytes | str | os.PathLike[str]) -> None:
        self._source = "search log" if isinstance(source, bytes) else str(source)
        if isinstance(source, bytes):
            data = source
        else:
            with open_regular(Path(source)) as file:
                data = file.read()
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


@check_arguments
def replay(log: SearchLog) -> Iterator[tuple[LogNode, tuple[int | None, ...]]]:
    """Yield the nodes of a log with the options chosen on the way to each, as positions in the problem.

    Parameters
    ----------
    log
        The log; it contains everything that is needed.

    Yields
    ------
    LogNode
        The node.
    tuple of int or None
        For each node above it: the option that was chosen there, or None if all options of the item were left out. The
        givens of the search, ``log.header["given"]``, come before all of them.

    Raises
    ------
    LogError
        If the log does not fit the problem in it: an item has fewer options than children, or what is called a solution
        leaves an item uncovered.

    Notes
    -----
    The time is that of a search in pure Python for as many nodes.

    Examples
    --------
    >>> import io
    >>> from exactcover import Problem, SearchLog, SearchLogWriter
    >>> file = io.BytesIO()
    >>> problem = Problem({"A": [1], "B": [1, 2], "C": [2]})
    >>> _ = problem.search(log=SearchLogWriter(file)).count()
    >>> for node, chosen in replay(SearchLog(file.getvalue())):
    ...     print(node.kind, [problem.labels[option] for option in chosen])
    branch []
    branch ['A']
    solution ['A', 'C']
    solution ['B']
    """
    cover, options = _make_cover(log.header), log.header["options"]
    priced = log.header["priced"]  # options that cost too much are left out without a word
    for node in log.nodes():
        chosen = (level.choices[level.tried - 1] for level in cover.levels)
        yield node, tuple(None if option is None else options[option] for option in chosen)
        if node.kind == "branch":
            cover.levels.append(Level(node.item, _list_choices(cover, node)))
        elif node.kind == "solution" and any(
            cover.need[item] > 0 or (cover.live[item] and not priced) for item in cover.uncovered
        ):
            raise LogError("a node is called a solution, but leaves an item uncovered")
        while cover.levels and not cover.next_child(cover.levels[-1]):
            cover.levels.pop()


def _make_cover(header: dict[str, Any]) -> Cover:
    starts, entries = header["starts"], header["entries"]
    colors = header["colors"] or [0] * len(entries)
    rows = [
        {item: color or None for item, color in zip(entries[start:end], colors[start:end], strict=True)}
        for start, end in pairwise(starts)
    ]
    bounds = {item: (low, high) for item, low, high in header["multiplicity"]}
    return Cover(rows, range(header["primary"]), bounds)


def _list_choices(cover: Cover, node: LogNode) -> list[int | None]:
    if node.item not in cover.uncovered:
        raise LogError(f"a node branches on item {node.item}, which is covered")
    last: list[None] = [None] if cover.need[node.item] <= 0 else []
    options = sorted(cover.live[node.item])[: node.children - len(last)]
    if len(options) + len(last) != node.children:
        raise LogError(f"a node has {node.children} children, but item {node.item} has fewer options")
    return [*options, *last]
