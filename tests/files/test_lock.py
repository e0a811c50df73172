"""A lock is held by one process, and ends with it, however it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from commands import PATIENCE
from exactcover.files.lock import is_locked, is_same_file, lock_file

HOLD = """
import sys
from pathlib import Path
from exactcover.files.lock import lock_file
file = lock_file(Path(sys.argv[1]), "held", "taken")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_lock_is_held_by_one_and_ends_with_its_file(tmp_path: Path) -> None:
    place = tmp_path / "some.lock"
    with lock_file(place, "first", "somebody else works here"):
        assert is_locked(place)
        with pytest.raises(BlockingIOError, match="somebody else works here"):
            lock_file(place, "second", "somebody else works here")
        assert place.read_text() == "first"
    assert not is_locked(place)
    with lock_file(place, "third", "somebody else works here"):
        assert place.read_text() == "third"


def test_a_lock_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    place = tmp_path / "some.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        assert is_locked(place)
        process.kill()
        process.wait(PATIENCE)
    assert not is_locked(place)


def test_a_path_that_leads_elsewhere_is_noticed(tmp_path: Path) -> None:
    place = tmp_path / "some.lock"
    with place.open("w") as file:
        assert is_same_file(place, file.fileno())
        place.rename(tmp_path / "other")
        assert not is_same_file(place, file.fileno())
        place.touch()
        assert not is_same_file(place, file.fileno())
    with pytest.raises(FileNotFoundError):
        is_locked(tmp_path / "none")
