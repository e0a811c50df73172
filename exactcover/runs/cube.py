"""Cubes, the parts of a run, and what comes of searching one."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from exactcover.control.recorder import NodeBuffer
from exactcover.engines.cursor import ROOT, Subtree
from exactcover.files.read import unpack_blocks

CubePath: TypeAlias = tuple[int, ...]
"""The place of a cube in the tree: which child of the root, which child of that, and so on."""

MAX_NODES = 1e60
"""The largest estimate of the size of a cube, so that sums and products of estimates are finite."""

_BLOCK = 4096  # solutions
_WORD = 4  # bytes of a number
_DIGEST_BYTES = 16


@dataclass(frozen=True)
class Cube:
    """A subtree that is searched as a whole, or until it is divided again."""

    path: CubePath = ()  # the order of paths is the order of the tree
    subtree: Subtree = ROOT
    estimate: float = 1.0  # nodes, at most MAX_NODES
    attempts: int = 0  # the number of searches of it that have failed


@dataclass(frozen=True)
class Child:
    """A subtree that a search of a cube has left, with the estimated number of its nodes."""

    subtree: Subtree
    estimate: float


@dataclass(frozen=True)
class CubeOutcome:
    """The result of a search of a cube: its solutions, and the rest of the cube."""

    path: CubePath
    mark: str  # of the subtree; two workers may have divided the cube of one path in different ways
    count: int = 0  # the solutions in the part that was searched
    nodes: int = 0  # in that part
    seconds: float = 0.0
    children: tuple[Child, ...] = ()  # the rest of the cube, in the order of the tree, after all that was searched
    digest: int = 0  # the sum of the digests of the solutions, if they are listed; see sum_digests
    blocks: tuple[bytes, ...] = field(default=(), repr=False)  # listed solutions, as positions in the problem, in order
    worker: str = ""  # the process that searched
    memory: int = 0  # the bytes that it held at the end
    tree: bytes = field(default=b"", repr=False)  # the nodes of that part, compressed, if the run records them

    def cubes(self) -> list[Cube]:
        """Return the cubes that replace the rest of the cube."""
        return [Cube((*self.path, number), child.subtree, child.estimate) for number, child in enumerate(self.children)]


def pack_nodes(nodes: NodeBuffer) -> bytes:
    """Return the nodes that a search has visited since the last call, compressed."""
    return zlib.compress(nodes.take(), 1)


def mark_subtree(subtree: Subtree) -> str:
    """Return a hash of the options that a subtree chooses and excludes."""
    content = struct.pack("<I", len(subtree.chosen)) + pack_ints(subtree.chosen) + pack_ints(subtree.excluded)
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def pack_path(path: CubePath) -> bytes:
    """Return a path as bytes that compare like the path."""
    return struct.pack(f">{len(path)}I", *path)


def unpack_path(data: bytes) -> CubePath:
    """Undo :func:`pack_path`."""
    return struct.unpack(f">{len(data) // 4}I", data)


def pack_solutions(solutions: Sequence[tuple[int, ...]]) -> tuple[bytes, ...]:
    """Return solutions as compressed blocks.

    Examples
    --------
    >>> blocks = pack_solutions([(0, 5, 7), (1, 2)])
    >>> [solution for block in blocks for solution in unpack_solutions(block, 8)]
    [(0, 5, 7), (1, 2)]
    """
    parts = (solutions[start : start + _BLOCK] for start in range(0, len(solutions), _BLOCK))
    return tuple(zlib.compress(pack_ints([number for one in part for number in (len(one), *one)]), 1) for part in parts)


def unpack_solutions(block: bytes, options: int) -> Iterator[tuple[int, ...]]:
    """Yield the solutions of a block, one after another, so that they need not fit into memory.

    `options` is the number of options of the problem. Raise ``ValueError`` if the block is damaged.
    """
    data, number = bytearray(), 0
    for part in unpack_blocks(block):
        data += part
        place = 0
        while len(data) - place >= _WORD:
            (size,) = struct.unpack_from("<I", data, place)
            if size > options or number == _BLOCK:
                raise ValueError("a block of solutions is too large")
            if len(data) - place < _WORD * (1 + size):
                break
            solution: tuple[int, ...] = struct.unpack_from(f"<{size}I", data, place + _WORD)
            if max(solution, default=-1) >= options:
                raise ValueError("a solution contains an option that the problem does not have")
            place, number = place + _WORD * (1 + size), number + 1
            yield solution
        del data[:place]
    if data:
        raise ValueError("a block of solutions is incomplete")


def sum_digests(solutions: Iterable[tuple[int, ...]]) -> int:
    """Return the sum of 128-bit digests of the solutions, modulo 2**128; their order does not matter."""
    total = 0
    for solution in solutions:
        total += int.from_bytes(hashlib.blake2b(pack_ints(solution), digest_size=_DIGEST_BYTES).digest(), "big")
    return total % (1 << 8 * _DIGEST_BYTES)


def pack_ints(numbers: Sequence[int]) -> bytes:
    """Return numbers as words of four bytes."""
    return struct.pack(f"<{len(numbers)}I", *numbers)
