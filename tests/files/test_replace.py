"""Files are replaced as a whole, or stay as they were; what is a folder, a link or a device stays one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from exactcover.files.write import part_of, replace_file

OLD, NEW = b"what was here before", b"what is here now"


def write(place: Path, content: bytes = NEW) -> None:
    with replace_file(place) as out:
        out.write(content)


def test_a_file_is_created_or_replaced_with_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    write(file, OLD)
    file.chmod(0o640)
    write(file)
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (NEW, 0o640)
    assert list(tmp_path.iterdir()) == [file]


def test_nothing_is_replaced_before_the_end_of_the_block(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_bytes(OLD)
    with replace_file(file) as out:
        out.write(NEW)
        assert file.read_bytes() == OLD
        assert part_of(file).read_bytes() == NEW


@pytest.mark.parametrize("content", [b"", NEW], ids=["empty", "begun"])
@pytest.mark.parametrize("keep", [False, True])
def test_an_exception_leaves_the_old_file_and_the_part_where_wanted(tmp_path: Path, keep: bool, content: bytes) -> None:
    file = tmp_path / "some.txt"
    file.write_bytes(OLD)
    with pytest.raises(RuntimeError), replace_file(file, keep_part=keep) as out:
        out.write(content)
        raise RuntimeError
    assert file.read_bytes() == OLD
    assert part_of(file).exists() == (keep and content != b"")
    write(file)  # what is left over is no obstacle
    assert file.read_bytes() == NEW


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    with replace_file(file) as out:
        out.write(OLD)
        with pytest.raises(BlockingIOError):
            write(file)
    assert file.read_bytes() == OLD


def test_links_are_followed(tmp_path: Path) -> None:
    file, link, dangling = tmp_path / "some.txt", tmp_path / "link", tmp_path / "dangling"
    file.write_bytes(OLD)
    link.symlink_to(file)
    dangling.symlink_to(tmp_path / "new.txt")
    write(link)
    write(dangling)
    assert link.is_symlink() and file.read_bytes() == NEW
    assert dangling.is_symlink() and (tmp_path / "new.txt").read_bytes() == NEW


def test_folders_are_refused_and_devices_are_written_directly(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write(tmp_path)
    write(Path("/dev/null"))
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "nowhere" / "some.txt")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_must_not_be_written_stays(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_bytes(OLD)
    file.chmod(0o400)
    with pytest.raises(PermissionError):
        write(file)
    assert file.read_bytes() == OLD
