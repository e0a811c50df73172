"""The rows of cubes in a store."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactcover.engines.trees import Subtree
from exactcover.runs.cube import Cube, Path, pack_path, unpack_path

__all__ = ["Record", "Totals", "checksum_record", "format_path", "to_record", "to_row", "unpack_numbers"]


@dataclass(frozen=True)
class Totals:
    """Sums over all cubes.

    Attributes
    ----------
    count
        The number of solutions, each as often as the weight of its cube says.
    nodes, seconds
        What all searches together took.
    digest
        The sum of the digests.
    open, done, failed
        The numbers of cubes.
    """

    count: int
    nodes: int
    seconds: float
    digest: int
    open: int
    done: int
    failed: int


@dataclass(frozen=True)
class Record:
    """The row of a cube.

    Attributes
    ----------
    cube
        The cube.
    state
        ``open``, ``done`` or ``failed``.
    count, nodes, seconds, children, digest, worker
        As for :class:`Outcome`, with the number of children; zeros while the cube is open.
    version
        The version of the package that searched the cube.
    reason
        Why the last search of the cube failed, or an empty text.
    intact
        Whether the checksum of the record is right.
    """

    cube: Cube
    state: str
    count: int
    nodes: int
    seconds: float
    children: int
    digest: int
    worker: str
    version: str
    reason: str
    intact: bool


def format_path(path: Path) -> str:
    """Return a path as text, such as ``0.3.1``; the root is ``root``."""
    return ".".join(map(str, path)) or "root"


def to_row(cube: Cube) -> tuple[object, ...]:
    """Return the values of an open cube: path, chosen, excluded, weight and estimate."""
    chosen, excluded = cube.subtree.chosen, cube.subtree.excluded
    return pack_path(cube.path), pack_numbers(chosen), pack_numbers(excluded), str(cube.weight), cube.estimate


def to_record(row: Sequence[Any]) -> Record:
    """Return a whole row of the table `cubes` as a record."""
    path, state, chosen, excluded, weight, estimate, attempts, _, count, nodes, seconds, children = row[:12]
    digest, worker, version, reason, checksum = row[12:]
    subtree = Subtree(unpack_numbers(chosen), unpack_numbers(excluded))
    cube = Cube(unpack_path(path), subtree, Fraction(weight), estimate, attempts)
    if state != "done":
        return Record(cube, state, 0, 0, 0.0, 0, 0, worker or "", version or "", reason or "", intact=True)
    intact = checksum == checksum_record(path, [count, nodes, seconds, children], digest)
    number = int.from_bytes(digest, "big")
    return Record(cube, state, int(count), nodes, seconds, children, number, worker, version, reason or "", intact)


def checksum_record(path: bytes, values: Sequence[object], digest: bytes) -> bytes:
    """Return the checksum of the values of a cube that is done."""
    return hashlib.blake2b(path + repr(values).encode() + digest, digest_size=16).digest()


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Return numbers as bytes."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def unpack_numbers(data: bytes) -> tuple[int, ...]:
    """Undo :func:`pack_numbers`."""
    return struct.unpack(f"<{len(data) // 4}I", data)
