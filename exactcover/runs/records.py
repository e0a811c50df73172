"""The rows of cubes in a store, and the notes of a coordinator for readers: its progress and its events.

A checksum covers each row of a cube and the seal of the run, so that neither damage nor a row of another run is taken
for a record.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Any

from exactcover.engines.cursor import ROOT, Subtree
from exactcover.files.json_text import load_json
from exactcover.pictures.text import digits, show_value
from exactcover.runs.cube import MAX_NODES, Cube, CubePath, pack_ints, pack_path, unpack_path
from exactcover.runs.cube_scheduler import MAX_RATE, Forecast
from exactcover.symmetry.splitting import Weight

_STATES = ("open", "done", "failed")
_DIGEST_BYTES = 16


_MAX_DIGITS = 100_000  # of the number of solutions of a cube, so that it can be read in a moment
_MAX_FIELD = 1 << 63
_MAX_SECONDS = 1e15  # so that sums are finite


def to_object(text: str | bytes, *keys: str) -> dict[str, Any]:
    """Return a JSON object, which must have these keys."""
    value = load_json(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    for key in keys:
        if key not in value:
            raise ValueError(f"{key!r} is missing")
    return value


def to_number(value: Any, most: float = _MAX_FIELD) -> int:
    """Return a whole number that is at least 0 and less than `most`."""
    if type(value) is not int or not 0 <= value < most:
        raise ValueError(f"expected a whole number of at least 0 and less than {most:,}, got {show_value(value)}")
    return value


def to_numbers(value: Any, most: float) -> tuple[int, ...]:
    """Return whole numbers that are at least 0 and less than `most`."""
    numbers = to_list(value)
    if set(map(type, numbers)) - {int} or (numbers and not (min(numbers) >= 0 and max(numbers) < most)):
        raise ValueError(f"expected whole numbers of at least 0 and less than {most:,}")
    return tuple(numbers)


def to_real(value: Any, most: float, least: float = 0.0) -> float:
    """Return a number from `least` to `most`."""
    if type(value) not in (int, float) or not least <= value <= most:
        raise ValueError(f"expected a number of at least {least:g} and at most {most:g}, got {show_value(value)}")
    return float(value)


def to_count(value: Any) -> int:
    """Return a number of solutions, which is stored as text because it may have many digits."""
    text = to_text(value)
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise ValueError("the number of solutions is not a number")
    return int(Decimal(text))


def to_text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, got {show_value(value)}")
    return value


def to_list(value: Any) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list, got {show_value(value)}")
    return value


@dataclass(frozen=True)
class Totals:
    """Sums over all cubes."""

    count: Weight  # of solutions, each part with its weight; it may be a fraction until all cubes are done
    nodes: int  # of all searches
    seconds: float  # of all searches
    digest: int  # the sum of the digests
    open: int  # a number of cubes, as the next two
    done: int
    failed: int


@dataclass(frozen=True)
class Record:
    """The row of a cube.

    `count` to `worker` are those of its :class:`CubeOutcome`, with the number of children; zeros and empty unless the
    cube is done.
    """

    cube: Cube
    state: str = "open"  # or "done" or "failed"
    count: int = 0
    nodes: int = 0
    seconds: float = 0.0
    children: int = 0  # their number
    digest: int = 0
    worker: str = ""
    version: str = ""  # of the package that stored the outcome; a worker elsewhere, or of a part, may have another one
    reason: str = ""  # why the last search of the cube failed, or an empty text


def format_path(path: CubePath) -> str:
    """Return a path as text, such as ``0.3.1``; the root is ``root``."""
    return ".".join(map(str, path)) or "root"


def to_row(record: Record, run_seal: bytes) -> tuple[object, ...]:
    """Return the values of a record as they are stored, with a checksum that holds for this run alone."""
    cube = record.cube
    values = (
        *(pack_path(cube.path), record.state, pack_ints(cube.subtree.chosen), pack_ints(cube.subtree.excluded)),
        *(float(cube.estimate), cube.attempts, digits(record.count), record.nodes, float(record.seconds)),
        *(record.children, record.digest.to_bytes(_DIGEST_BYTES, "big")),
        *(record.worker, record.version, record.reason),
    )
    return *values, seal((run_seal, *values))


def to_record(row: Sequence[Any], run_seal: bytes) -> Record:
    """Return the record that :func:`to_row` turned into these values, for the same run.

    Raise ``ValueError`` if the row is damaged.
    """
    *values, checksum = row
    if checksum != seal((run_seal, *values)):
        raise ValueError("the checksum is wrong")
    path, state, chosen, excluded, estimate, attempts, count, nodes, seconds, children, digest, *texts = values
    if state not in _STATES:
        raise ValueError("there is no such state")
    if not (isinstance(digest, bytes) and len(digest) == _DIGEST_BYTES):
        raise ValueError("the digest has another size")
    subtree = Subtree(_unpack(chosen), _unpack(excluded))
    cube = Cube(unpack_path(_check_words(path)), subtree, to_real(estimate, MAX_NODES, 1), to_number(attempts))
    sizes = to_count(count), to_number(nodes), to_real(seconds, _MAX_SECONDS), to_number(children, 1 << 32)
    if state != "done" and any(sizes):
        raise ValueError("the cube has not been searched")
    return Record(cube, state, *sizes, int.from_bytes(digest, "big"), *map(to_text, texts))


def seal(values: Sequence[object]) -> bytes:
    """Return a checksum of the values of a row."""
    digest = hashlib.blake2b(digest_size=16)
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        digest.update(b"%s %d " % (type(value).__name__.encode(), len(data)))
        digest.update(data)
    return digest.digest()


def follow_tree(records: Iterable[Record]) -> Iterator[Record]:
    """Pass records on in the order of the tree.

    Raise ``ValueError`` if they are not a whole tree: a cube is missing, or is not part of any division.
    """
    left: list[Iterator[CubePath]] = [iter([()])]
    for record in records:
        path, expected = record.cube.path, None
        while left and (expected := next(left[-1], None)) is None:
            left.pop()
        if expected is None:
            raise ValueError(f"cube {format_path(path)} is not part of any division")
        if path != expected:
            missing, name = path > expected, format_path(min(path, expected))
            raise ValueError(f"cube {name} is {'missing' if missing else 'not part of any division'}")
        if not path and record.cube.subtree != ROOT:
            raise ValueError("the root cube is not the whole tree")
        left.append(_list_children(path, record.children))
        yield record
    for expected in filter(None, chain.from_iterable(reversed(left))):  # a store without cubes is a tree, too
        raise ValueError(f"cube {format_path(expected)} is missing")


def _list_children(path: CubePath, number: int) -> Iterator[CubePath]:
    return ((*path, child) for child in range(number))


def _unpack(data: Any) -> tuple[int, ...]:
    return struct.unpack(f"<{len(_check_words(data)) // 4}I", data)


def _check_words(data: Any) -> bytes:
    if not isinstance(data, bytes) or len(data) % 4:
        raise ValueError("expected numbers of four bytes")
    return data


EVENTS = ("open", "failure")
"""The kinds of events: the store was opened for work, and the search of a cube failed."""

_MAX_WAITS = 10  # sentences
_LONGEST = 1e300  # seconds that a search may still take


@dataclass(frozen=True)
class RunProgress:
    """The progress of a run while it has a coordinator."""

    searched: int  # the number of cubes that are being searched
    workers: int  # the number of all workers
    memory: int  # the bytes that the workers held when they last reported
    forecast: Forecast
    waits: tuple[str, ...] = ()  # cubes that are waited for much longer than usual, as sentences

    def to_json(self) -> dict[str, Any]:
        own = {"searched": self.searched, "workers": self.workers, "memory": self.memory, "waits": self.waits}
        return own | vars(self.forecast)

    @classmethod
    def from_json(cls, value: Any) -> RunProgress:
        """Return the progress that :meth:`to_json` turned into this value; raise ``ValueError`` if none did."""
        if not isinstance(value, Mapping):
            raise ValueError("it is not a JSON object")
        try:
            left, spread = (
                None if value[key] is None else to_real(value[key], _LONGEST) for key in ("seconds_left", "spread")
            )
            share, rate = to_real(value["share"], 1), to_real(value["rate"], MAX_RATE)
            searched, workers, memory = (to_number(value[key]) for key in ("searched", "workers", "memory"))
            waits = to_list(value["waits"])
        except KeyError as error:
            raise ValueError(f"{error} is missing") from None
        if len(waits) > _MAX_WAITS:
            raise ValueError("there are too many waits")
        return cls(searched, workers, memory, Forecast(share, rate, left, spread), tuple(map(to_text, waits)))


def check_event(row: Sequence[Any]) -> str:
    """Return the kind of the event in a row of a store; raise ``ValueError`` if the row is damaged."""
    time, kind, text = row
    if kind not in EVENTS:
        raise ValueError("there is no such kind of event")
    to_real(time, _MAX_SECONDS, -_MAX_SECONDS)  # a clock may be wrong
    to_text(text)
    return str(kind)
