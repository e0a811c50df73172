"""A lock is held by one process, and ends with it, however it ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import PATIENCE
from exactcover.files.write import hold_lock, is_same_file, read_lock

HOLD = """
import sys
from pathlib import Path
from exactcover.files.write import hold_lock
with hold_lock(Path(sys.argv[1]), "held", "taken"):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_by_one_and_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "some.lock"
    assert read_lock(place) is None
    with hold_lock(place, "first", "somebody else works here"):
        assert read_lock(place) == "first"
        with (
            pytest.raises(BlockingIOError, match="somebody else works here"),
            hold_lock(place, "second", "somebody else works here"),
        ):
            pass
        assert read_lock(place) == "first"
    with pytest.raises(ValueError, match="a fault"), hold_lock(place, "third", ""):
        raise ValueError("a fault")
    assert list(tmp_path.iterdir()) == []


def test_a_lock_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    place = tmp_path / "some.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        assert read_lock(place) == "held"
        process.kill()
        process.wait(PATIENCE)
    assert read_lock(place) is None
    assert place.read_text() == "held"
    with hold_lock(place, "again", ""):
        assert read_lock(place) == "again"


def test_another_user_sees_who_holds_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the umask of its owner is, and though the other user may not write to it."""
    monkeypatch.chdir(tmp_path)  # other users cannot see the folders above
    tmp_path.chmod(0o755)
    place, user, mask = Path("some.lock"), os.geteuid(), os.umask(0o077)
    try:
        with hold_lock(place, "held", ""):
            place.chmod(place.stat().st_mode & 0o444)
            os.seteuid(user or 65534)  # nobody, where this is root, who may do anything
            try:
                assert read_lock(place) == "held"
            finally:
                os.seteuid(user)
    finally:
        os.umask(mask)


def test_a_path_that_leads_elsewhere_is_noticed(tmp_path: Path) -> None:
    place = tmp_path / "some.lock"
    with place.open("w") as file:
        assert is_same_file(place, file.fileno())
        place.rename(tmp_path / "other")
        assert not is_same_file(place, file.fileno())
        place.symlink_to(tmp_path / "other")
        assert not is_same_file(place, file.fileno())
        place.unlink()
        place.touch()
        assert not is_same_file(place, file.fileno())
