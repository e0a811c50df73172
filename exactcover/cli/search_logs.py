"""The files of ``--search-log`` and ``--shape``, which record the nodes of a search."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from exactcover.cli.output import check_other_output, open_output
from exactcover.pictures import printable

if TYPE_CHECKING:  # slow to import
    from exactcover.analysis.search_log import SearchLog
    from exactcover.control.recorder import LogNode, SearchLogWriter

__all__ = ["LogFlags", "open_search_log"]


@dataclass(frozen=True)
class LogFlags:
    """The flags that ask for a record of the search; None or 0 where a flag is absent."""

    search_log: str | None
    shape: str | None
    log_nodes: int | None
    log_levels: int | None
    log_sample: float | None

    @property
    def path(self) -> str | None:
        """The file to write."""
        return self.search_log or self.shape


@contextmanager
def open_search_log(flags: LogFlags, output: str | None, inputs: Iterable[Path]) -> Iterator[SearchLogWriter | None]:
    """Yield a log for the search if a flag asks for one; the file is whole at the end of the block.

    Parameters
    ----------
    flags
        The flags.
    output
        The value of ``-o``, which must not name the same file.
    inputs
        Files that were read; they must not be overwritten.
    """
    check_other_output("--shape" if flags.search_log is None else "--search-log", flags.path, output)
    if flags.path is None:
        yield None
        return
    from exactcover.control.recorder import SearchLogWriter  # seldom needed

    bounds = {"most_nodes": flags.log_nodes, "levels": flags.log_levels, "sample": flags.log_sample or 0.0}
    with open_output(flags.path, inputs=inputs) as out:
        if flags.search_log is not None:
            yield SearchLogWriter(out.buffer, **bounds)  # type: ignore[arg-type]
            return
        buffer = io.BytesIO()
        writer = SearchLogWriter(buffer, **bounds)  # type: ignore[arg-type]
        yield writer
        if writer.is_begun:
            from exactcover.analysis.search_log import SearchLog  # slow to import

            _write_shape(SearchLog(buffer.getvalue()), out)


def _write_shape(log: SearchLog, out: TextIO) -> None:
    """Write one line for each node: its level, the number of its children or what it is, the item, the option chosen.

    A search for the cheapest solutions leaves out options that cost too much, so its log does not tell what was chosen.
    """
    from exactcover.analysis.search_log import replay  # slow to import

    items, labels = ([printable(name) for name in log.header[key]] for key in ("items", "labels"))
    if log.header["priced"]:
        out.writelines(f"{node.level} {_describe_node(node, items)}\n" for node in log.nodes())
        return
    for node, chosen in replay(log):
        way = "" if not chosen else "\tnone" if chosen[-1] is None else f"\t{labels[chosen[-1]]}"
        out.write(f"{node.level} {_describe_node(node, items)}{way}\n")


def _describe_node(node: LogNode, items: Sequence[str]) -> str:
    if node.kind == "unrecorded":
        counts = ((node.nodes, "node"), (node.solutions, "solution"))
        nodes, solutions = (f"{n} {noun}{'s' * (n != 1)}" for n, noun in counts)
        return f"unrecorded {nodes}, {solutions}"
    if node.item < 0:
        return {"solution": "sol", "pruned": "pruned"}[node.kind]
    return f"{node.children} {items[node.item]}"
