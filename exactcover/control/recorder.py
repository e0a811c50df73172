"""Recorders of the tree of a search while it runs, and the form of a node in bytes.

A log is a sequence of frames: a letter for the kind, the length of the data and its CRC-32 in four bytes each, and the
data, compressed by zlib. The first frame is the header, the last one the end; both contain JSON. A log without its end
is truncated.

The frames between contain the nodes. Numbers are written in groups of seven bits, the lowest group first; the high bit
says that another group follows. 0 is a solution. 1 is a node that was pruned because of costs. 2 stands for a whole
subtree that is not recorded, and is followed by the numbers of its nodes and solutions. Any other number is an item,
with 3 added, and is followed by the number of children: each chooses the next live option of the item, in order; if
the item needs no more options, the last child leaves all of them out. No child means that the item has too few options.
"""

from __future__ import annotations

import json
import random
import struct
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, BinaryIO, Literal

from exactcover.control.arguments import check_instance, read_number, read_whole
from exactcover.control.statistics import Status

SOLUTION, PRUNED, UNRECORDED, FIRST_ITEM = range(4)
"""Nodes: a solution, one that was pruned because of costs, a subtree that is not recorded, a branch on item 0."""

MAGIC = b"exactcover search log 1\n"
"""The first bytes of every log."""

FRAME = struct.Struct("<cII")
"""The head of a frame: its kind, the length of the data, and their CRC-32."""

_BLOCK = 1 << 16  # bytes of nodes in one frame, about

Kind = Literal["branch", "dead end", "solution", "pruned", "unrecorded"]

SOLUTION_FOUND = -1
"""The number of choices that is recorded for a node that is a solution."""


class TreeRecorder(ABC):
    """Records the tree of one search; :class:`SearchLogWriter` writes it to a file.

    Examples
    --------
    >>> from exactcover import Problem
    >>> from exactcover.analysis import TreeRecorder
    >>> class Sizes(TreeRecorder):
    ...     def begin(self, header):
    ...         self.size = 0
    ...     def extend(self, nodes):
    ...         self.size += len(nodes)
    ...     def end(self, status, solutions):
    ...         print(f"{self.size} bytes, {solutions} solutions")
    >>> Problem({"A": [1], "B": [1]}).search(log=Sizes()).count()
    4 bytes, 2 solutions
    2

    Attributes
    ----------
    skips_leaves
        Whether a count may leave small subtrees unrecorded; each becomes one node, with its numbers of nodes and
        solutions.
    """

    skips_leaves = False

    @abstractmethod
    def begin(self, header: Mapping[str, Any]) -> None:
        """Note what is searched; see :func:`~exactcover.search.query.describe_search`."""

    @abstractmethod
    def extend(self, nodes: bytes | bytearray) -> None:
        """Add nodes as bytes."""

    @abstractmethod
    def end(self, status: Status, solutions: int) -> None:
        """Note how the search ended, and how many solutions it has found."""

    def add(self, item: int, children: int) -> None:
        """Add a branch or a dead end."""
        self.extend(encode_numbers((item + FIRST_ITEM, children)))

    def add_solution(self) -> None:
        """Add a solution."""
        self.extend(bytes((SOLUTION,)))

    def add_pruned(self) -> None:
        """Add a node below which all solutions cost too much."""
        self.extend(bytes((PRUNED,)))


class NodeBuffer(TreeRecorder):
    """Keeps the nodes that a search visits, until they are taken."""

    def __init__(self) -> None:
        self._nodes = bytearray()

    def begin(self, header: Mapping[str, Any]) -> None:
        pass

    def extend(self, nodes: bytes | bytearray) -> None:
        self._nodes += nodes

    def end(self, status: Status, solutions: int) -> None:
        pass

    def take(self) -> bytes:
        """Return the nodes since the last call."""
        nodes = bytes(self._nodes)
        self._nodes.clear()
        return nodes


def encode_numbers(numbers: Iterable[int]) -> bytes:
    """Return numbers in groups of seven bits, the lowest first; the high bit says that another group follows."""
    result = bytearray()
    for number in numbers:
        while number >= 128:
            result.append(number & 127 | 128)
            number >>= 7
        result.append(number)
    return bytes(result)


@dataclass(frozen=True, slots=True)
class LogNode:
    """A node of a search tree.

    Attributes
    ----------
    level
        The number of nodes above it.
    kind
        ``"branch"`` (with one child: a forced move), ``"dead end"``, ``"solution"``, ``"pruned"``, or ``"unrecorded"``
        for a whole subtree that the log does not show.
    item
        The number of the item that the search branched on, or of which too few options were left; otherwise -1.
    children
        The number of children.
    nodes, solutions
        The number of nodes and of solutions that it stands for.
    """

    level: int
    kind: Kind
    item: int = -1
    children: int = 0
    nodes: int = 1
    solutions: int = 0


class SearchLogWriter(TreeRecorder):
    """Writes the log of one search; pass it to :meth:`Problem.search`.

    Parameters
    ----------
    file
        A binary file, or anything with a method ``write``.
    most_nodes
        The largest number of nodes to record; None for all. The log then says that it is truncated.
    levels
        The number of the last level to record; a subtree below it becomes one node that says how large it was.
    sample
        The share of the subtrees below that level that are recorded all the same; which ones depends on nothing but
        their order.

    Raises
    ------
    ValueError
        If a bound is negative, or `sample` is not a share.

    Notes
    -----
    A bound on the number of levels costs about one second per million nodes.

    Examples
    --------
    >>> import io
    >>> from exactcover import Problem, SearchLog, SearchLogWriter
    >>> file = io.BytesIO()
    >>> problem = Problem({"A": [1], "B": [1], "C": [2], "D": [2]})
    >>> problem.search(log=SearchLogWriter(file)).count()
    4
    >>> for node in SearchLog(file.getvalue()).nodes():
    ...     print(node.level, node.kind, node.children)
    0 branch 2
    1 branch 2
    2 solution 0
    2 solution 0
    1 branch 2
    2 solution 0
    2 solution 0
    """

    def __init__(
        self, file: BinaryIO, *, most_nodes: int | None = None, levels: int | None = None, sample: float = 0.0
    ) -> None:
        for name, bound in (("most_nodes", most_nodes), ("levels", levels)):
            if bound is not None:
                read_whole(name, bound, 0, ", or None")
        sample = read_number("sample", sample, 0)
        if sample > 1:
            raise ValueError(f"sample must be at most 1; got {sample!r}")
        self._file = file
        self._bounds = None if most_nodes is None and levels is None else _Bounds(most_nodes, levels, sample)
        self._waiting = bytearray()
        self.is_begun = False

    @property
    def is_cut(self) -> bool:
        """True if nodes were left out because of `most_nodes`."""
        return self._bounds is not None and self._bounds.is_cut

    def begin(self, header: Mapping[str, Any]) -> None:
        """Write the header.

        Raises
        ------
        ValueError
            If the log was used before.
        """
        if self.is_begun:
            raise ValueError("a log records one search; make a new one for the next search")
        self.is_begun = True
        self._file.write(MAGIC)
        self._write_frame(b"H", json.dumps(header).encode())

    def extend(self, nodes: bytes | bytearray) -> None:
        """Add nodes as bytes."""
        self._waiting += nodes if self._bounds is None else self._bounds.restrict(nodes)
        if len(self._waiting) >= _BLOCK:
            self._flush()

    def end(self, status: Status, solutions: int) -> None:
        """Write the end: how the search ended, and how many solutions it has found."""
        if self._bounds is not None:
            self._waiting += self._bounds.end()
        self._flush()
        end = {"status": status.value, "solutions": solutions, "truncated": self.is_cut}
        self._write_frame(b"E", json.dumps(end).encode())

    def _flush(self) -> None:
        if self._waiting:
            self._write_frame(b"N", bytes(self._waiting))
            self._waiting.clear()

    def _write_frame(self, kind: bytes, content: bytes) -> None:
        data = zlib.compress(content, 6)
        self._file.write(FRAME.pack(kind, len(data), zlib.crc32(data)) + data)


class _Bounds:
    """Restricts nodes to the first ones, or to the first levels."""

    def __init__(self, most_nodes: int | None, levels: int | None, sample: float) -> None:
        self._most = most_nodes
        self._levels, self._sample = levels, sample
        self._random = random.Random(0)
        self._recorded = 0
        self._reader = TreeReader()
        self._subtree: int | None = None  # the level of the root of the subtree below the last level
        self._kept = False
        self._nodes = self._solutions = 0  # of that subtree
        self.is_cut = False

    @property
    def is_full(self) -> bool:
        return self._most is not None and self._recorded >= self._most

    def restrict(self, data: bytes | bytearray) -> bytes:
        if self.is_full and data:
            self.is_cut = True
            return b""
        result = bytearray()
        for node in self._reader.read(data):
            if self._subtree is not None and node.level <= self._subtree:
                result += self.end()
            if self._subtree is None and self._levels is not None and node.level > self._levels:
                self._subtree, self._kept = node.level, self._random.random() < self._sample
            if self._subtree is None or self._kept:
                result += self._record(_encode(node))
            else:
                self._nodes += node.nodes
                self._solutions += node.solutions
        return bytes(result)

    def end(self) -> bytes:
        """Return the bytes that stand for the subtree that ends here; empty if it needs none."""
        result = b""
        if self._subtree is not None and not self._kept:
            result = self._record(encode_numbers((UNRECORDED, self._nodes, self._solutions)))
        self._subtree, self._nodes, self._solutions = None, 0, 0
        return result

    def _record(self, data: bytes) -> bytes:
        if self.is_full:
            self.is_cut = True
            return b""
        self._recorded += 1
        return data


class TreeReader:
    """Turns bytes into nodes with their levels; raises a ``ValueError`` at nodes after the end of the tree."""

    def __init__(self) -> None:
        self._left: list[int] = []  # how many children are left, of each node above the next one
        self._count = 0
        self._rest = b""

    @property
    def is_unfinished(self) -> bool:
        """True if nodes are missing at the end."""
        return bool(self._left or self._rest)

    def read(self, data: bytes | bytearray) -> Iterator[LogNode]:
        """Yield the nodes in these bytes, which follow those of the last call."""
        data = self._rest + data
        place = 0
        while (decoded := _decode(data, place, len(self._left))) is not None:
            node, place = decoded
            if self._count and not self._left:
                raise ValueError("the log has nodes after the end of the tree")
            self._count += 1
            if node.children:
                self._left.append(node.children)
            else:
                self._climb()
            yield node
        self._rest = data[place:]

    def _climb(self) -> None:
        """Go back to the nearest node that has children left."""
        while self._left:
            self._left[-1] -= 1
            if self._left[-1]:
                return
            self._left.pop()


def _decode(data: bytes, place: int, level: int) -> tuple[LogNode, int] | None:
    """Return the node at a place and the place of the next one, or None if the data ends before."""
    try:
        code, place = _read_number(data, place)
        if code == SOLUTION:
            return LogNode(level, "solution", solutions=1), place
        if code == PRUNED:
            return LogNode(level, "pruned"), place
        first, place = _read_number(data, place)
        if code == UNRECORDED:
            solutions, place = _read_number(data, place)
            return LogNode(level, "unrecorded", nodes=first, solutions=solutions), place
        return LogNode(level, "branch" if first else "dead end", code - FIRST_ITEM, first), place
    except IndexError:
        return None


def _encode(node: LogNode) -> bytes:
    if node.kind == "solution":
        return bytes((SOLUTION,))
    if node.kind == "pruned":
        return bytes((PRUNED,))
    if node.kind == "unrecorded":
        return encode_numbers((UNRECORDED, node.nodes, node.solutions))
    return encode_numbers((node.item + FIRST_ITEM, node.children))


def _read_number(data: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, place
        shift += 7


class Profile:
    """A count of the nodes of a search tree, for a search that is asked for it; it can be read while the search runs.

    It shows the search that began last, and of a search with restarts the last attempt. It is for one search at a time:
    an earlier one that goes on would be counted too.

    Attributes
    ----------
    levels
        The number of nodes at each level. The level of a node is the number of options chosen so far.
    most_choices
        The largest number of choices at a node.

    Examples
    --------
    >>> from exactcover import Problem
    >>> profile = Profile()
    >>> list(Problem({"A": [1], "B": [1], "C": [2], "D": [2]}).search(profile=profile))
    [('A', 'C'), ('A', 'D'), ('B', 'C'), ('B', 'D')]
    >>> profile.levels, profile.most_choices
    ([1, 2, 4], 2)
    """

    def __init__(self) -> None:
        self.levels: list[int] = []
        self.most_choices = 0

    def clear(self) -> None:
        """Forget what was counted."""
        self.levels, self.most_choices = [], 0

    def note(self, depth: int, choices: int) -> None:
        """Count one node."""
        if depth == len(self.levels):
            self.levels.append(0)
        self.levels[depth] += 1
        self.most_choices = max(self.most_choices, choices)


@dataclass(frozen=True)
class Observers:
    """An observer of the nodes of a search; raise ``TypeError`` if a field has another type."""

    profile: Profile | None = None  # counts the nodes of each level
    log: TreeRecorder | None = None  # records every node

    def __post_init__(self) -> None:
        check_instance("profile", self.profile, (Profile, NoneType), "a Profile or None")
        check_instance("log", self.log, (TreeRecorder, NoneType), "a SearchLogWriter or None")

    def __bool__(self) -> bool:
        return self.profile is not None or self.log is not None


NOBODY = Observers()
