"""Check that a problem has exactly as many solutions as the log of a complete search says: ``python check.py FILE``.

Of the log it believes the problem and the question, nothing else: it works out by itself which options are live at each
node, that the children of a branch are all that there can be, and that a solution covers each item as often as it must.
See docs/certificates.md. The exit status is 0 if the number is certified, 1 if it is not, 2 if the file is unreadable.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_MAGIC, _SOLUTION, _FIRST_ITEM = b"exactcover search log 1\n", 0, 3


class NotCertifiedError(Exception):
    """Raised if the log does not prove what it says."""


class State(NamedTuple):
    """What is left at a node; sets of options and of items are the bits of numbers."""

    live: int  # options that can still be chosen
    open: int  # items that must be covered exactly once, and are not covered
    times: tuple[int, ...]  # how often each of the other primary items is covered


class Problem:
    """Items, options and what they exclude. Options have the numbers that the search gave them."""

    def __init__(self, header: dict[str, Any]) -> None:
        stated = header["problem"] or header
        starts, entries, size = stated["starts"], stated["entries"], len(stated["starts"]) - 1
        colors = stated["colors"] or [0] * len(entries)
        order = [*header["options"], *sorted(set(range(size)).difference(header["options"]))]
        if sorted(order) != list(range(size)) or not 0 == starts[0] <= starts[-1] == len(entries) == len(colors):
            raise NotCertifiedError("the options that were searched are not those of the problem")
        self.number = {position: number for number, position in enumerate(order)}
        self.primary: int = stated["primary"]
        bounds = {item: (low, high) for item, low, high in stated["multiplicity"]}
        if any(not (0 <= item < self.primary and 0 <= low <= high >= 1) for item, (low, high) in bounds.items()):
            raise NotCertifiedError("a multiplicity is not valid")
        self.place = {item: place for place, item in enumerate(bounds)}
        self.bounds = list(bounds.values())
        pairs = list(zip(entries, colors, strict=True))
        self.rows = [pairs[starts[position] : starts[position + 1]] for position in order]
        self.holders = dict.fromkeys(range(len(stated["items"])), 0)  # of each item: its options
        self.same: dict[tuple[int, int], int] = {}  # of each item and color
        for number, row in enumerate(self.rows):
            if len(dict(row)) < len(row) or not row:
                raise NotCertifiedError("an option is empty, or holds an item twice")
            for item, color in row:
                self.holders[item] |= 1 << number
                self.same[item, color] = self.same.get((item, color), 0) | 1 << number
        self._excluded: dict[int, int] = {}
        once = sum(1 << item for item in range(self.primary) if item not in self.place)
        out = sum(1 << self.number[position] for position in set(header["question"]["without"]))
        self.root = State((1 << size) - 1 & ~out, once, (0,) * len(bounds))
        content = [stated[key] for key in ("items", "primary", "starts", "entries", "multiplicity")]
        content += [colors, header["labels"], header["question"]]
        self.hash = hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def excluded(self, option: int) -> int:
        """Return what an option excludes, itself included, whatever else was chosen."""
        if option not in self._excluded:
            self._excluded[option] = 1 << option
            for item, color in self.rows[option]:
                if item not in self.place:
                    shared = self.same[item, color] if color and item >= self.primary else 0
                    self._excluded[option] |= self.holders[item] & ~shared
        return self._excluded[option]

    def choose(self, state: State, option: int) -> State:
        """Return what is left when an option is chosen."""
        live, still_open, times = state.live & ~self.excluded(option), state.open, list(state.times)
        for item, _ in self.rows[option]:
            still_open &= ~(1 << item)
            if item in self.place:
                times[self.place[item]] += 1
                if times[self.place[item]] >= self.bounds[self.place[item]][1]:
                    live &= ~self.holders[item]
        return State(live, still_open, tuple(times))

    def count_missing(self, state: State, item: int) -> int:
        """Return how many more options must cover an item."""
        place = self.place.get(item)
        return state.open >> item & 1 if place is None else self.bounds[place][0] - state.times[place]

    def children(self, state: State, item: int) -> Iterator[State]:
        """Yield all ways to go on with an item: with each of its options, or without any more of them."""
        options, missing = state.live & self.holders[item], self.count_missing(state, item)
        if not (item in self.place or missing):
            raise NotCertifiedError(f"item {item} need not be covered")
        for _ in range(options.bit_count() - max(0, missing - 1)):  # enough others must be left behind the first
            first = options & -options
            yield self.choose(state, first.bit_length() - 1)
            options &= ~first
            state = state._replace(live=state.live & ~first)  # those that were tried are left out
        if missing <= 0:
            yield state._replace(live=state.live & ~self.holders[item])

    def lacks(self, state: State) -> bool:
        """Return whether an item has fewer live options than must still cover it."""
        left = [(state.live & self.holders[item]).bit_count() for item in range(self.primary)]
        return any(options < self.count_missing(state, item) for item, options in enumerate(left))


def read_frames(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the content of each frame."""
    if not data.startswith(_MAGIC):
        raise ValueError("it is not a search log of this format")
    place = len(_MAGIC)
    while place < len(data):
        kind, length, checksum = struct.unpack_from("<cII", data, place)
        place += 9 + length
        content = data[place - length : place]
        if len(content) < length or zlib.crc32(content) != checksum:
            raise ValueError("it is damaged or truncated")
        yield kind, zlib.decompress(content)


def read_numbers(data: bytes) -> Iterator[int]:
    """Yield numbers written in groups of seven bits, the lowest first."""
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def count_solutions(problem: Problem, root: State, origins: list[int], numbers: Iterator[int]) -> int:
    """Walk along the tree; return its number of solutions. `origins` are the items of the problem, as searched."""
    solutions = 0
    waiting: list[Iterator[State]] = [iter((root,))]
    while waiting:
        state = next(waiting[-1], None)
        if state is None:
            waiting.pop()
        elif (number := next(numbers, -1)) == _SOLUTION:
            if state.live or problem.lacks(state):
                raise NotCertifiedError("a node that is said to be a solution is none")
            solutions += 1
        elif number < _FIRST_ITEM or next(numbers, -1) < 0:  # the stated number of children does not matter
            raise NotCertifiedError("a part of the tree is missing")
        else:
            waiting.append(problem.children(state, origins[number - _FIRST_ITEM]))
    return solutions


def check(data: bytes) -> tuple[int, str]:
    """Return the number of solutions that a log proves, and the hash of its problem; raise an error if it does not."""
    (first, head), *middle, (last, tail) = read_frames(data)
    if (first, last) != (b"H", b"E"):
        raise ValueError("it is truncated")
    header, end = json.loads(head), json.loads(tail)
    if end["status"] not in ("complete", "unsatisfiable") or end["truncated"] or header["priced"]:
        raise NotCertifiedError("the search was not complete")
    problem, given = Problem(header), sorted(set(header["question"]["given"]))
    root: State | None = problem.root
    for option in (problem.number[position] for position in given):
        root = problem.choose(root, option) if root is not None and root.live >> option & 1 else None
    nodes, solutions = b"".join(content for kind, content in middle if kind == b"N"), 0
    if nodes and sorted(header["given"]) != given:
        raise NotCertifiedError("the log does not say why other options were chosen before the tree begins")
    if nodes and root is not None:
        solutions = count_solutions(problem, root, header["origins"], read_numbers(nodes))
    elif root is not None and not problem.lacks(root):
        raise NotCertifiedError(f"the log has no tree, only a reason that is not checked here: {header['reason']}")
    if solutions != end["solutions"]:
        raise NotCertifiedError(f"there are {solutions} solutions, but the log states {end['solutions']}")
    return solutions, problem.hash


def main() -> int:
    """Check the file that the command line names; return the exit status."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    try:
        solutions, problem = check(Path(sys.argv[1]).read_bytes())
    except NotCertifiedError as error:
        print(f"not certified: {error}")
        return 1
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, struct.error, zlib.error) as error:
        print(f"cannot be read: {error or type(error).__name__}")
        return 2
    print(f"certified: {solutions} solution{'s' * (solutions != 1)} of the problem {problem}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
