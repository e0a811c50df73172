"""Solutions as JSON Lines: a header, a record for each solution, and a closing record.

::

    {"exactcover": "0.1.0", "format": 1, "problem": "queens", "params": {"n": 4}, "items": 22, ..., "hash": "..."}
    {"solution": 1, "options": [1, 7, 8, 14], "labels": ["r1c2", "r2c4", "r3c1", "r4c3"]}
    {"status": "limit", "solutions": 1, "statistics": {...}}

Options are positions from 0 in the problem. Where options have costs a record says the solution's, exactly. A file
without the closing record is truncated: whoever wrote it was cut off. The same records inside one JSON document are
``{"header", "solutions", "closing"}``.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactcover.control.statistics import Statistics, Status
from exactcover.problem import Problem

__all__ = ["FORMAT", "Recorded", "closing", "header", "read", "record"]

FORMAT = 1


def header(
    problem: Problem, name: str, params: Mapping[str, Any], version: str, seed: int | None = None
) -> dict[str, Any]:
    """Return the first record: which instance this is, a hash over its ordered items and options, and the seed."""
    return {
        "exactcover": version,
        "format": FORMAT,
        "problem": name,
        "params": dict(params),
        "items": len(problem.items),
        "options": len(problem.labels),
        "givens": list(problem.given_positions),
        **({"excluded": list(problem.excluded_positions)} if problem.excluded else {}),
        "hash": problem.fingerprint(),
        **({} if seed is None else {"seed": seed}),
    }


def record(number: int, positions: Sequence[int], problem: Problem) -> dict[str, Any]:
    """Return the record of one solution; `number` counts from 1."""
    labels = [str(problem.labels[position]) for position in positions]
    entry = {"solution": number, "options": list(positions), "labels": labels}
    if problem.matrix.costs:
        entry["cost"] = problem.cost([problem.labels[position] for position in positions])
    return entry


def closing(status: Status, statistics: Statistics) -> dict[str, Any]:
    """Return the last record."""
    return {
        "status": status.value,
        "solutions": statistics.solutions,
        "statistics": dataclasses.asdict(statistics),
    }


@dataclass(frozen=True)
class Recorded:
    """A file of solutions that has been read.

    Attributes
    ----------
    header, closing
        None where the file has none.
    solutions
        The (line, record) pairs between.
    faults
        What is wrong with the file itself, as sentences.
    """

    header: Mapping[str, Any] | None
    solutions: tuple[tuple[int, Mapping[str, Any]], ...]
    closing: Mapping[str, Any] | None
    faults: tuple[str, ...]


def read(text: str) -> Recorded:
    """Read a file of solutions, JSON Lines or one JSON document; nothing in it can make this fail.

    Examples
    --------
    >>> read("").faults
    ('it has no header', 'it has no closing record: whoever wrote it was cut off')
    """
    faults: list[str] = []
    head: Mapping[str, Any] | None = None
    close: Mapping[str, Any] | None = None
    solutions: list[tuple[int, Mapping[str, Any]]] = []
    for line, entry in _records(text, faults):
        if not isinstance(entry, dict):
            faults.append(f"line {line} is no record")
        elif "hash" in entry and head is None and not solutions:
            head = entry
        elif "solution" in entry and close is None:
            solutions.append((line, entry))
        elif "status" in entry and close is None:
            close = entry
        else:
            faults.append(f"line {line} holds a record that does not belong there")
    if head is None:
        faults.append("it has no header")
    if close is None:
        faults.append("it has no closing record: whoever wrote it was cut off")
    elif close.get("status") not in [status.value for status in Status if status is not Status.RUNNING]:
        faults.append(f"its closing record has no status that a search can end with: {close.get('status')!r}")
    elif close.get("solutions") != len(solutions):
        faults.append(f"its closing record speaks of {close.get('solutions')} solutions, it holds {len(solutions)}")
    return Recorded(head, tuple(solutions), close, tuple(faults))


def _records(text: str, faults: list[str]) -> Iterator[tuple[int, Any]]:
    whole = _parsed(text)
    if isinstance(whole, dict) and {"header", "solutions"} <= whole.keys() and isinstance(whole["solutions"], list):
        parts: Iterable[Any] = [
            whole["header"],
            *whole["solutions"],
            *([whole["closing"]] if "closing" in whole else []),
        ]
        yield from enumerate(parts, 1)
        return
    for line, content in enumerate(text.splitlines(), 1):
        if content.strip():
            entry = _parsed(content)
            if entry is None:
                faults.append(f"line {line} is no JSON")
            else:
                yield line, entry


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
