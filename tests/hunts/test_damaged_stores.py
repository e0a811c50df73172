"""Damaged stores of runs: each verb refuses one or gives the answer of the undamaged one, and a check finds what others refuse."""

import contextlib
import random
import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings

from commands import invoke
from damage import ROUNDS, chances, damage
from exactcover import Run
from small_runs import FINE

pytestmark = pytest.mark.slow

START = {
    "count": "--create-only",  # afterwards it is cut more finely than the command would
    "list": "--all",
    "first": "--limit 3",
    "nodes": "--record-nodes",
    "open": "--all --create-only",
}
READERS = {  # of each kind of file; OUT is a file that does not exist
    "count": ["status FILE", "list FOLDER", "check FILE"],
    "list": ["status FILE", "export FILE", "check FILE --share 1"],
    "first": ["status FILE", "export FILE --format csv", "check FILE"],
    "nodes": ["status FILE", "check FILE --certificate OUT"],
    "open": ["status FILE", "check FILE", "export FILE", "resume FILE --workers 1", "export FILE"],
}
VARYING = re.compile(r"^time .*$|\"statistics\".*$|[0-9.]+ (ms|s|min)|\S*/(?=\S)", re.MULTILINE)
VALUES = [
    *(None, 0, 1, -1, 7, 1 << 40, -(1 << 63), 0.5, 1e300, float("inf"), "", "1", "done", "open", "failed", "\x1b[2J"),
    *(b"", b"\0", b"\0\0\0\0", b"\xff" * 4, b"\xff" * 16, "[" * 3000, "null", "{}", '"x"', "9" * 5000),
]
Reading = tuple[str, int, str, str]
"""A verb, its exit status, what it printed on standard output, without times, and on standard error."""


def read(folder: Path, store: Path, kind: str) -> list[Reading]:
    """Let every verb read a copy of a store."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "other").mkdir(parents=True)
    shutil.copy(store, folder / f"{kind}.run")
    places = {"FILE": folder / f"{kind}.run", "FOLDER": folder, "OUT": folder / "other" / "out"}
    readings = []
    for reader in READERS[kind]:
        done = invoke("run", *(str(places.get(word, word)) for word in reader.split()))
        readings.append((reader.split()[0], done.returncode, VARYING.sub("", done.stdout), done.stderr))
    return readings


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, list[Reading]]]:
    """A store of each kind, and what verbs say of it."""
    folder = tmp_path_factory.mktemp("originals")
    for kind, flags in START.items():
        store = str(folder / f"{kind}.run")
        assert (
            invoke("run", "start", "queens", "n=6", "--store", store, "--workers", "1", *flags.split()).returncode == 0
        )
    Run(folder / "count.run", policy=FINE).work(workers=1)
    stores = {kind: folder / f"{kind}.run" for kind in START}
    return {kind: (store, read(folder / "right", store, kind)) for kind, store in stores.items()}


@given(chance=chances)
@settings(max_examples=4 * ROUNDS)
def test_damaged_stores(
    chance: random.Random, originals: dict[str, tuple[Path, list[Reading]]], tmp_path: Path
) -> None:
    kind = chance.choice(sorted(originals))
    original, right = originals[kind]
    store, is_refused = tmp_path / "damaged", False
    shutil.copy(original, store)
    if chance.random() < 0.7:
        store.write_bytes(damage(store.read_bytes(), chance))
    else:
        replace_value(store, chance)
    for reading, (_, _, expected, _) in zip(read(tmp_path / "work", store, kind), right, strict=True):
        verb, status, output, errors = reading
        is_refused = is_refused or status == 2
        assert status in {0, 2, 3} | ({4} if verb == "check" else set()), reading  # 3: not the whole run
        assert "Traceback" not in errors, reading
        if status:
            assert errors.strip(), reading
            continue
        assert output == expected or (verb, output) == ("list", ""), reading  # a file without the right head
        assert verb != "check" or not is_refused, "check found nothing, but another verb refused the file"


def replace_value(store: Path, chance: random.Random) -> None:
    """Replace one value in a table, or remove a row."""
    with contextlib.closing(sqlite3.connect(store)) as connection, connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = chance.choice(tables)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        keys = [row[0] for row in connection.execute(f"SELECT {columns[0]} FROM {table}")]
        if keys and chance.random() < 0.2:
            connection.execute(f"DELETE FROM {table} WHERE {columns[0]} IS ?", [chance.choice(keys)])
        elif keys:
            column, values = chance.choice(columns), [chance.choice(VALUES), chance.choice(keys)]
            with contextlib.suppress(sqlite3.IntegrityError):
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE {columns[0]} IS ?", values)
