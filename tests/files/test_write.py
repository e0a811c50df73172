"""Nothing is written through names that somebody else may have taken, and no other code opens files for writing."""

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import exactcover
from commands import invoke
from exactcover.files.write import open_own, write_new

CONTENT = b"what must stay"
STORE = Path("shared/some.run")
TAKEN: dict[str, Callable[[Path, Path], object]] = {
    "link": lambda place, victim: place.symlink_to(victim),
    "hard link": lambda place, victim: place.hardlink_to(victim),
    "pipe": lambda place, victim: os.mkfifo(place),
    "folder": lambda place, victim: place.mkdir(),
}


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Path]:
    """A file that must stay, in a folder of its own, beside a store in `shared`."""
    place = tmp_path / "victim"
    place.write_bytes(CONTENT)
    (tmp_path / "shared").mkdir()
    assert invoke("run", "start", "queens", "n=6", "--store", str(tmp_path / STORE), "--create-only").returncode == 0
    yield place
    assert place.read_bytes() == CONTENT


@pytest.mark.parametrize("kind", TAKEN)
def test_a_name_that_is_taken_is_not_written(kind: str, tmp_path: Path, victim: Path) -> None:
    place = tmp_path / "place"
    TAKEN[kind](place, victim)
    for open_it in (lambda: open_own(place), lambda: write_new(place, b"other")):
        with pytest.raises(OSError, match=r"so nothing is written to it|exists"):
            open_it()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file of another user")
def test_a_file_of_another_user_is_not_written(victim: Path) -> None:
    os.chown(victim, 65534, 65534)
    with pytest.raises(OSError, match="victim is a file of another user"):
        open_own(victim)


@pytest.mark.parametrize("kind", ["link", "hard link"])
@pytest.mark.parametrize("side", [".exactcover-lock", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("verb", [["run", "resume"], ["count", "queens", "n=6", "--store"], ["run", "status"]])
def test_what_stands_beside_a_store_is_not_written(
    verb: list[str], side: str, kind: str, tmp_path: Path, victim: Path
) -> None:
    store = tmp_path / STORE
    TAKEN[kind](Path(f"{store}{side}"), victim)
    result = invoke(*verb, str(store))
    reads_only = verb[1] == "status" and side == ".exactcover-lock"
    assert (result.returncode == 0) is reads_only
    assert reads_only or f"some.run{side} is " in result.stderr


@pytest.mark.parametrize("kind", ["link", "hard link"])
@pytest.mark.parametrize("args", [["solve", "queens", "n=6", "-o"], ["count", "queens", "n=6", "--certificate"]])
def test_the_part_of_an_output_is_not_written_through_a_link(
    args: list[str], kind: str, tmp_path: Path, victim: Path
) -> None:
    out = tmp_path / "out.txt"
    TAKEN[kind](tmp_path / "out.txt.exactcover-part", victim)
    result = invoke(*args, str(out))
    assert (result.returncode, out.exists()) == (74, False)
    assert "out.txt.exactcover-part is " in result.stderr


WRITERS = {"write_text", "write_bytes", "touch", "FileIO", "mkstemp", "NamedTemporaryFile", "copy", "copyfile",
           "savefig"}  # fmt: skip
"""Calls that write files whatever their arguments are."""
FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"}
KNOWN = {
    "cli/main.py: os.open(os.devnull, os.O_WRONLY)",
    "engines/worker_main.py: os.open(os.devnull, os.O_RDWR)",
    "certificates/writer.py: self._archive.open('nodes', 'w', force_zip64=True)",  # a member of an archive
}


def find_writers(source: str) -> Iterator[str]:
    """Yield the calls in a source that may open a file for writing."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if any(isinstance(one, ast.Name) and one.id == "descriptor" for one in node.args[:1]):  # which is open already
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        modes = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        flags = {one.attr for part in arguments for one in ast.walk(part) if isinstance(one, ast.Attribute)}
        has_mode = any(set(mode) <= set("rwaxbt+") and set(mode) & set("wax+") for mode in modes)
        is_open = name == "open" and (has_mode or flags & FLAGS)
        is_writer = name in WRITERS and not (name == "copy" and len(node.args) < 2)
        if is_open or is_writer or (name == "ZipFile" and isinstance(node.args[0], ast.Constant)):
            yield ast.unparse(node)


def test_files_are_opened_for_writing_in_one_module() -> None:
    package = Path(exactcover.__file__).parent
    found = {
        f"{path.relative_to(package)}: {call}"
        for path in package.rglob("*.py")
        if path != package / "files" / "write.py"
        for call in find_writers(path.read_text())
    }
    assert found == KNOWN


@pytest.mark.parametrize(
    "call",
    ["open(x, 'w')", "p.open('a+b')", "p.open(mode='x')", "os.open(p, os.O_RDWR | os.O_CREAT)", "p.write_text('')"],
)
def test_calls_that_write_are_found(call: str) -> None:
    assert list(find_writers(call)) == [call]
