"""The flags that record a search: files, bounds, and what they refuse."""

from pathlib import Path

import pytest

from commands import assert_refused, invoke
from exactcover import SearchLog
from exactcover.analysis import replay
from problems import Queens

OLD = "what was here before\n"


def test_a_log_and_its_text(tmp_path: Path) -> None:
    log, shape = tmp_path / "queens.log", tmp_path / "queens.txt"
    assert invoke("count", "queens", "n=6", "--search-log", str(log)).stdout == "4\n"
    assert invoke("count", "queens", "n=6", "--shape", str(shape)).stdout == "4\n"
    nodes = list(SearchLog(log).nodes())
    lines = shape.read_text().splitlines()
    assert lines[0] == "0 6 row 3"
    assert [line.split()[0] for line in lines] == [str(node.level) for node in nodes]
    assert sum(" sol\t" in line for line in lines) == 4
    labels = Queens(n=6).problem().labels
    chosen = [str(labels[path[-1]]) if path and path[-1] is not None else None for _, path in replay(SearchLog(log))]
    assert [line.partition("\t")[2] or None for line in lines] == chosen
    assert invoke("count", "queens", "n=6", "--shape", str(shape), "--log-levels", "1", "-q").returncode == 0
    assert "2 unrecorded " in shape.read_text()
    assert invoke("solve", "queens", "n=4", "--all", "--shape", str(shape), "--log-levels", "1", "-q").returncode == 0
    unrecorded = {line.partition("\t")[0] for line in shape.read_text().splitlines() if "unrecorded" in line}
    assert unrecorded == {"2 unrecorded 1 node, 0 solutions", "2 unrecorded 3 nodes, 1 solution"}


def test_what_is_refused(tmp_path: Path) -> None:
    log, zdd = tmp_path / "old.log", tmp_path / "queens.zdd"
    log.write_text(OLD)
    pytest.importorskip("exactcover._native")
    assert invoke("diagram", "queens", "n=6", "-o", str(zdd)).returncode == 0
    refused = [
        (["solve", str(zdd), "--all", "--search-log", str(log)], "--search-log cannot be combined"),
        (["count", str(zdd), "--shape", str(log)], "--shape cannot be combined"),
        (["count", "queens", "--search-log", "-"], "cannot both go to standard output"),
        (["count", "queens", "--shape", "/dev/stdout"], "cannot both go to standard output"),
    ]
    for args, message in refused:
        assert_refused(message, *args)
    assert invoke("count", "queens", "--search-log", str(log), "--engine", "diagram").returncode == 2
    assert log.read_text() == OLD
