"""The solutions of a run as JSON Lines, CSV or Parquet, one after another, so that they need not fit into memory."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, TextIO, TypeAlias

from exactcover.control.statistics import Statistics, Status
from exactcover.errors import CoverError
from exactcover.formats import solutions as records
from exactcover.runs.run import Run
from exactcover.version import __version__

__all__ = ["write_csv", "write_json_lines", "write_parquet"]

_ROWS_AT_ONCE = 1 << 16


class _MissingLibraryError(CoverError, ImportError):
    """A library that a format needs is not installed."""


Solutions: TypeAlias = Iterable[tuple[int, ...]]


def write_json_lines(run: Run, solutions: Solutions, out: TextIO) -> None:
    """Write the solutions as ``exactcover solve --format jsonl`` does, so that ``exactcover verify`` can read them."""
    summary = run.status()
    problem = run.problem
    params = dict(problem.params)
    out.write(json.dumps(records.header(problem, problem.name, params, __version__), default=str) + "\n")
    number = 0
    for number, solution in enumerate(solutions, 1):
        out.write(json.dumps(records.record(number, solution, problem), default=str) + "\n")
    status = Status.INTERRUPTED if summary.status is Status.RUNNING else summary.status
    statistics = Statistics(run.engine, "the engine of the run", summary.nodes, number, seconds=summary.seconds)
    out.write(json.dumps(records.closing(status, statistics)) + "\n")


def write_csv(run: Run, solutions: Solutions, out: TextIO, make_cell: Callable[[str], str] = str) -> None:
    """Write one row per chosen option: the number of the solution, the label and the cost of the option."""
    table = csv.writer(out, lineterminator="\n")
    has_costs = bool(run.problem.matrix.costs)
    table.writerow(["solution", "option", *(["cost"] if has_costs else [])])
    for number, position in _list_rows(solutions):
        cost = [run.problem.cost_of([position])] if has_costs else []
        table.writerow([number, make_cell(run.problem.labels[position]), *cost])


def write_parquet(run: Run, solutions: Solutions, out: BinaryIO) -> None:
    """Write a table with the columns `solution`, `position` and `option`, one row per chosen option.

    Raises
    ------
    CoverError
        If pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise _MissingLibraryError("Parquet needs pyarrow; install it with: python -m pip install pyarrow") from None
    labels = run.problem.labels
    kinds = [("solution", pyarrow.int64()), ("position", pyarrow.int32()), ("option", pyarrow.string())]
    schema = pyarrow.schema(kinds)
    rows = _list_rows(solutions)
    with pyarrow.parquet.ParquetWriter(out, schema) as writer:
        while batch := list(itertools.islice(rows, _ROWS_AT_ONCE)):
            numbers, positions = zip(*batch, strict=True)
            columns = [numbers, positions, [labels[position] for position in positions]]
            arrays = [pyarrow.array(column, kind) for column, (_, kind) in zip(columns, kinds, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def _list_rows(solutions: Solutions) -> Iterator[tuple[int, int]]:
    """Yield the number of each solution with each of its positions."""
    for number, solution in enumerate(solutions, 1):
        for position in solution:
            yield number, position
