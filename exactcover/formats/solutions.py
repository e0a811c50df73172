"""Solutions as JSON Lines: a header, one record per solution, and a closing record.

::

    {"exactcover": "0.1.0", "format": 2, "problem": "queens", "params": {"n": 4}, "items": 22, ..., "hash": "..."}
    {"solution": 1, "options": [1, 7, 8, 14], "labels": ["r1c2", "r2c4", "r3c1", "r4c3"]}
    {"status": "limit", "solutions": 1, "statistics": {...}}

Options are positions in the problem, from 0. If options have costs, a record contains the exact cost of the solution.
If items may stay open, a record also says how many times each ``open`` item is covered too rarely, and each that is
covered ``too_often``, and the ``price`` of that; the header of a best effort has ``"best_effort": true``. If an earlier
solution is kept as far as possible, a record says which of its options were ``dropped`` and which others ``added``. A
file without the closing record is truncated. The same records may also come in one JSON document, an object with the
keys ``header``, ``solutions`` and ``closing``.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from exactcover.control.arguments import check_arguments
from exactcover.control.statistics import Statistics, Status
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import ConfigError, Mistake
from exactcover.files.json_text import load_json
from exactcover.model.costs import cost_of_units, price_deviations
from exactcover.model.costs import find_deviations as deviations_of
from exactcover.model.matrix import Matrix
from exactcover.pictures import printable
from exactcover.problem import Cost, Item, Label

__all__ = [
    *("FORMAT", "ChangeRemark", "Deviations", "ProblemFacts", "Remark", "SolutionFile"),
    *("closing", "find_changes", "find_deviations", "header", "read", "record"),
    *("EARLIER_READERS", "read_earlier_records", "read_earlier_table"),
]

FORMAT = 2


class ProblemFacts(Protocol):
    """A problem, as far as a file of solutions describes it; every :class:`~exactcover.Problem` is one."""

    @property
    def items(self) -> Sequence[Item]: ...
    @property
    def labels(self) -> Sequence[Label]: ...
    @property
    def given_positions(self) -> Sequence[int]: ...
    @property
    def excluded_positions(self) -> Sequence[int]: ...
    @property
    def matrix(self) -> Matrix: ...
    @property
    def soft_prices(self) -> Mapping[int, tuple[int | None, int | None]]: ...
    @property
    def cost_units(self) -> int: ...
    def fingerprint(self) -> str: ...
    def labels_of(self, positions: Sequence[int]) -> tuple[Label, ...]: ...
    def cost_of(self, positions: Sequence[int]) -> Cost: ...


class Remark(Protocol):
    """A remark about a solution in its record, besides its options."""

    def to_record(self) -> dict[str, Any]: ...


@check_arguments
def header(
    problem: ProblemFacts, name: str, params: Mapping[str, Any], version: str, seed: int | None = None
) -> dict[str, Any]:
    """Return the first record: the instance, the hash of its ordered items and options, and the seed."""
    return {
        "exactcover": version,
        "format": FORMAT,
        "problem": name,
        "params": dict(params),
        "items": len(problem.items),
        "options": len(problem.labels),
        "givens": list(problem.given_positions),
        **({"excluded": list(problem.excluded_positions)} if problem.excluded_positions else {}),
        "hash": problem.fingerprint(),
        **({} if seed is None else {"seed": seed}),
    }


@dataclass(frozen=True)
class Deviations:
    """Items that a solution leaves open or covers too often, as texts, and the price of that.

    Attributes
    ----------
    under, over
        The number of times that items are covered too rarely, and too often.
    price
        The price of the soft items among them; None if the problem has no soft items.
    """

    under: Mapping[str, int]
    over: Mapping[str, int]
    price: Cost | None

    def describe(self) -> str:
        """Return the deviations as a line; empty if there are none."""
        parts = [
            f"{words}: {', '.join(printable(item) + f' {times} times' * (times != 1) for item, times in items.items())}"
            for words, items in (("open", self.under), ("too often", self.over))
            if items
        ]
        return "; ".join([*parts, *([] if self.price is None or not parts else [f"price {self.price}"])])

    def to_record(self) -> dict[str, Any]:
        """Return the deviations as fields of a record."""
        fields: dict[str, Any] = {"open": dict(self.under), "too_often": dict(self.over), "price": self.price}
        return {name: value for name, value in fields.items() if name == "open" or value not in ({}, None)}


def find_deviations(problem: ProblemFacts, positions: Sequence[int]) -> Deviations:
    """Return the items that these options leave open or cover too often."""
    found, items = deviations_of(problem.matrix, positions), problem.items
    price = cost_of_units(price_deviations(problem.soft_prices, found), problem.cost_units)
    return Deviations(
        {str(items[item]): -times for item, times in found.items() if times < 0},
        {str(items[item]): times for item, times in found.items() if times > 0},
        price if problem.soft_prices else None,
    )


@dataclass(frozen=True)
class ChangeRemark:
    """The changes from the solution that is kept as far as possible, as texts of labels."""

    dropped: tuple[str, ...]
    added: tuple[str, ...]

    def describe(self) -> str:
        """Return the changes as a line, or as one for each name before a colon, such as a person's.

        Examples
        --------
        >>> print(ChangeRemark(("Ann: Mo early", "Ann: Tu early"), ("Ann: Mo late", "Bob: Tu early")).describe())
        Ann: Mo early -> late; dropped Tu early
        Bob: added Tu early
        """
        parts = [label.partition(": ") for label in (*self.dropped, *self.added)]
        names = dict.fromkeys(f"{name}: " for name, _, _ in parts) if all(rest for _, _, rest in parts) else [""]
        lines = (f"{printable(name)}{'; '.join(self._describe_parts(name))}" for name in names)
        return "\n".join(lines) or "no changes"

    def _describe_parts(self, name: str) -> Iterator[str]:
        """Yield the changes of labels that begin with a name; two that differ only in the last word belong together."""
        dropped, added = (
            [printable(label.removeprefix(name)) for label in labels if label.startswith(name)]
            for labels in (self.dropped, self.added)
        )
        places = {label.rpartition(" ")[0]: label for label in reversed(added) if name and " " in label}
        for label in dropped.copy():
            later = places.pop(label.rpartition(" ")[0], None)
            if later is not None:
                yield f"{label} -> {later.rpartition(' ')[2]}"
                dropped.remove(label)
                added.remove(later)
        words = (("dropped", dropped), ("added", added))
        yield from (f"{word}{' ' if name else ': '}{', '.join(labels)}" for word, labels in words if labels)

    def to_record(self) -> dict[str, Any]:
        """Return the changes as fields of a record."""
        return {"dropped": list(self.dropped), "added": list(self.added)}


def find_changes(problem: ProblemFacts, kept: Sequence[Label], positions: Sequence[int]) -> ChangeRemark:
    """Return how a solution differs from the one with these labels, by their texts."""
    chosen, before = list(map(str, problem.labels_of(positions))), [str(label) for label in kept]
    present, past = set(chosen), set(before)
    return ChangeRemark(
        tuple(label for label in before if label not in present), tuple(label for label in chosen if label not in past)
    )


def record(number: int, positions: Sequence[int], problem: ProblemFacts, *remarks: Remark | None) -> dict[str, Any]:
    """Return the record of one solution; `number` counts from 1."""
    labels = list(map(str, problem.labels_of(positions)))
    entry = {"solution": number, "options": list(positions), "labels": labels}
    if problem.matrix.costs:
        entry["cost"] = problem.cost_of(positions)
    for remark in remarks:
        entry |= {} if remark is None else remark.to_record()
    return entry


@check_arguments
def closing(status: Status, statistics: Statistics) -> dict[str, Any]:
    """Return the last record."""
    return {
        "status": status.value,
        "solutions": statistics.solutions,
        "statistics": dataclasses.asdict(statistics),
    }


@dataclass(frozen=True)
class SolutionFile:
    """The contents of a file of solutions.

    Attributes
    ----------
    header, closing
        The first and the last record; None if the file has no such record.
    solutions
        The records between them, as (line, record) pairs.
    faults
        Sentences that describe the faults of the file.
    """

    header: Mapping[str, Any] | None
    solutions: tuple[tuple[int, Mapping[str, Any]], ...]
    closing: Mapping[str, Any] | None
    faults: tuple[str, ...]


@check_arguments
def read(text: str) -> SolutionFile:
    """Read a file of solutions, as JSON Lines or one JSON document; it never raises an error about the contents.

    Examples
    --------
    >>> read("").faults
    ('the header is missing', 'the closing record is missing, so the file is truncated')
    """
    faults: list[str] = []
    head: Mapping[str, Any] | None = None
    close: Mapping[str, Any] | None = None
    solutions: list[tuple[int, Mapping[str, Any]]] = []
    for line, entry in _parse_records(text, faults):
        if not isinstance(entry, dict):
            faults.append(f"line {line} is not a JSON object")
        elif "hash" in entry and head is None and not solutions:
            head = entry
        elif "solution" in entry and close is None:
            solutions.append((line, entry))
        elif "status" in entry and close is None:
            close = entry
        else:
            faults.append(f"line {line} contains an unexpected record")
    if head is None:
        faults.append("the header is missing")
    if close is None:
        faults.append("the closing record is missing, so the file is truncated")
    elif close.get("status") not in [status.value for status in Status if status is not Status.RUNNING]:
        faults.append(f"the closing record has an invalid status, {close.get('status')!r}")
    elif close.get("solutions") != len(solutions):
        stated = close.get("solutions")
        faults.append(
            f"the closing record states {stated} as the number of solutions, but the file contains {len(solutions)}"
        )
    return SolutionFile(head, tuple(solutions), close, tuple(faults))


def _parse_records(text: str, faults: list[str]) -> Iterator[tuple[int, Any]]:
    document = _parse(text)
    if isinstance(document, dict) and "header" in document and isinstance(document.get("solutions"), list):
        last = [document["closing"]] if "closing" in document else []
        yield from enumerate([document["header"], *document["solutions"], *last], 1)
        return
    for line, content in enumerate(text.split("\n"), 1):  # splitlines would also split labels, at rare line separators
        if content.strip():
            entry = _parse(content)
            if entry is None:
                faults.append(f"line {line} is not valid JSON")
            else:
                yield line, entry


def _parse(text: str) -> Any:
    try:
        return load_json(text)
    except ValueError:
        return None


@check_arguments
def read_earlier_records(text: str, source: str, encoder: Encoder | None = None) -> tuple[list[str], bool]:
    """Return the labels of the first solution in JSON Lines or JSON, and whether there are more solutions.

    Raises
    ------
    ConfigError
        If there is no solution, or it has no labels.
    """
    recorded = read(text)
    if not recorded.solutions:
        raise ConfigError([Mistake("the file holds no solution", source)])
    line, first = recorded.solutions[0]
    labels = first.get("labels")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ConfigError([Mistake("the solution has no list of labels", source, line)])
    return labels, len(recorded.solutions) > 1


@check_arguments
def read_earlier_table(text: str, source: str, encoder: Encoder | None = None) -> tuple[list[str], bool]:
    """Return the labels of the first solution in a table with the columns ``solution`` and ``option``; see above.

    Another table is read by the encoder, if it reads tables.

    Raises
    ------
    ConfigError
        If the table has no such columns, or no rows.
    """
    from exactcover.formats.csv_problem import Table  # slow to import

    rows = list(Table(io.StringIO(text, newline=""), source))
    header = rows[0][1] if rows else []
    if header[:2] != ["solution", "option"]:
        if encoder is not None and defines(encoder, "read_table"):
            return [str(label) for label in encoder.read_table(text.split("\n"), source)], False
        raise ConfigError([Mistake("expected the columns solution and option, as solve writes them", source, 1)])
    labels: list[str] = []
    for line, cells in rows[1:]:
        if len(cells) < 2:
            raise ConfigError([Mistake("expected the number of a solution, and the label of an option", source, line)])
        if cells[0] == rows[1][1][0]:
            labels.append(cells[1])
    if not labels:
        raise ConfigError([Mistake("the file holds no solution", source)])
    return labels, len(labels) < len(rows) - 1


EARLIER_READERS: Mapping[str, Callable[[str, str, Encoder | None], tuple[list[str], bool]]] = {
    ".jsonl": read_earlier_records,
    ".json": read_earlier_records,
    ".csv": read_earlier_table,
    ".xlsx": read_earlier_table,
}
"""The readers of an earlier solution, by the suffix of a file."""
