"""Reading an earlier solution by its labels, from files that were written for any problem."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

from exactcover.control.arguments import check_arguments
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import ConfigError, Mistake
from exactcover.formats import solutions
from exactcover.formats.csv_problem import Table


@check_arguments
def read_records(text: str, source: str, encoder: Encoder | None = None) -> tuple[list[str], bool]:
    """Return the labels of the first solution in JSON Lines or JSON, and whether there are more solutions.

    Raises
    ------
    ConfigError
        If there is no solution, or it has no labels.
    """
    recorded = solutions.read(text)
    if not recorded.solutions:
        raise ConfigError([Mistake("the file holds no solution", source)])
    line, first = recorded.solutions[0]
    labels = first.get("labels")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ConfigError([Mistake("the solution has no list of labels", source, line)])
    return labels, len(recorded.solutions) > 1


@check_arguments
def read_table(text: str, source: str, encoder: Encoder | None = None) -> tuple[list[str], bool]:
    """Return the labels of the first solution in a table with the columns ``solution`` and ``option``; see above.

    Another table is read by the encoder, if it reads tables.

    Raises
    ------
    ConfigError
        If the table has no such columns, or no rows.
    """
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


READERS: Mapping[str, Callable[[str, str, Encoder | None], tuple[list[str], bool]]] = {
    ".jsonl": read_records,
    ".json": read_records,
    ".csv": read_table,
    ".xlsx": read_table,
}
"""The readers of an earlier solution, by the suffix of a file."""
