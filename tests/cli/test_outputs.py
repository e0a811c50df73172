"""What is written is whole or as it was, whatever happens."""

import csv
import errno
import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import exactcover.cli.messages
import exactcover.files.write
from commands import assert_refused, invoke, run, start, wait_until, write_plugin
from exactcover.cli.main import run as run_here
from exactcover.formats.registry import PROBLEMS

OLD = "what was here before\n"
WRITING = [
    ["solve", "queens", "n=6", "--all", "-o", "FILE.txt"],
    ["solve", "queens", "n=6", "--all", "-o", "FILE.jsonl"],
    ["solve", "queens", "n=6", "--all", "-o", "FILE.json"],
    ["solve", "queens", "n=6", "--all", "-o", "FILE.csv"],
    ["solve", "queens", "n=6", "--all", "-o", "FILE.svg"],
    ["solve", "queens", "n=6", "--all", "-o", "FILE.html"],
    ["count", "queens", "n=6", "--search-log", "FILE.log"],
    ["count", "queens", "n=6", "--shape", "FILE.shape"],
    ["count", "queens", "n=6", "--certificate", "FILE.cert"],
    ["view", "queens", "n=6", "-o", "FILE.html"],
    ["sample", "queens", "n=6", "-n", "2", "-o", "FILE.jsonl"],
    ["convert", "queens", "n=6", "-o", "FILE.dlx"],
    ["convert", "queens", "n=6", "-o", "FILE.csv"],
    ["convert", "queens", "n=6", "-o", "FILE.json"],
    ["convert", "queens", "n=6", "-o", "FILE.cnf"],
    ["convert", "queens", "n=6", "-o", "FILE.opb"],
    ["diagram", "queens", "n=6", "-o", "FILE.zdd"],
    ["diagram", "queens", "n=6", "-o", "FILE.dot"],
    ["diagram", "queens", "n=6", "-o", "FILE.svg"],
    ["generate", "queens", "n=6", "-n", "2", "--seed", "1", "-o", "FILE.txt"],
    ["generate", "queens", "n=6", "-n", "2", "--seed", "1", "-o", "FILE.svg"],
    ["count", "queens", "n=6", "-o", "FILE.txt"],
    ["check", "queens", "n=6", "--format", "json", "-o", "FILE.json"],
    ["explain", "queens", "n=6", "-o", "FILE.txt"],
    ["estimate", "queens", "n=6", "-o", "FILE.txt"],
]


def into(folder: Path, args: list[str]) -> tuple[list[str], Path]:
    """The arguments with a file in a folder, and that file with old content."""
    file = folder / args[-1].replace("FILE", "out")
    file.write_text(OLD)
    return [*args[:-1], str(file)], file


@pytest.fixture
def failing_writes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Let the write of this number fail, from 0, as on a full disk; the fsync and the rename count too."""
    left = [0]

    def fail() -> None:
        left[0] -= 1
        if left[0] == -1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    class Full(io.FileIO):
        def write(self, content: object) -> int:
            fail()
            return super().write(content)  # type: ignore[arg-type]

    monkeypatch.setattr(exactcover.files.write, "FileIO", Full)
    for name in ("fsync", "replace"):
        real = getattr(os, name)

        def failing(*args: object, real: object = real) -> object:
            fail()
            return real(*args)  # type: ignore[operator]

        monkeypatch.setattr(os, name, failing)
    yield left


@pytest.mark.parametrize("args", WRITING, ids=lambda args: f"{args[0]} {args[-1]}")
def test_a_full_disk_leaves_the_old_file(args: list[str], tmp_path: Path, failing_writes: list[int]) -> None:
    args, file = into(tmp_path, args)
    for number in range(1000):
        failing_writes[0] = number
        done = invoke(*args)
        if failing_writes[0] >= 0:  # nothing failed
            assert done.returncode == 0
            assert file.read_text("utf-8", "replace") != OLD
            break
        if file.read_text("utf-8", "replace") != OLD:  # it was replaced; what failed came after
            file.write_text(OLD)
            assert done.returncode == 0
            continue
        assert done.returncode == 74 and "No space left on device" in done.stderr
        for part in tmp_path.glob("*.exactcover-part"):
            assert str(part) in done.stderr  # what is named may stay
            part.unlink()
    else:
        raise AssertionError("it never ended")


KILLED_WHILE_WRITING = WRITING[::5]
KILLED = """
import json, os, signal, sys
from exactcover.cli.main import run
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
for args in json.load(sys.stdin):
    process = os.fork()
    if not process:
        os._exit(run(args))
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
"""


def test_kill_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    commands = []
    for number, args in enumerate(KILLED_WHILE_WRITING):
        folder = tmp_path / str(number)
        folder.mkdir()
        commands.append(into(folder, args))
    every = json.dumps([args for args, _ in commands])
    killed = subprocess.run([sys.executable, "-c", KILLED], input=every, capture_output=True, text=True)
    assert killed.stdout.split() == [str(-signal.SIGKILL)] * len(KILLED_WHILE_WRITING), killed
    for args, file in commands:
        assert file.read_text() == OLD, args
        assert run_here(args) == 0, args  # what is left over is no obstacle
        assert file.read_text("utf-8", "replace") != OLD, args
        assert not list(file.parent.glob("*.exactcover-part")), args


def test_a_stopped_listing_that_cannot_say_so_stays_in_its_part(tmp_path: Path) -> None:
    plugin = write_plugin(tmp_path, "Long", """
def options(self):
    class Name(str):
        printed = 0
        def __str__(self):
            Name.printed += 1
            if Name.printed == 5000:
                os.kill(os.getpid(), 2)
            return 'some name'
    for item in range(40):
        yield Name(f'{item} 0'), [item]
        yield Name(f'{item} 1'), [item]
""")  # fmt: skip
    for name in ("out.txt", "out.csv"):
        file = tmp_path / name
        file.write_text(OLD)
        words = f"the partial result is in {file}.exactcover-part"
        assert_refused(words, "--plugin", plugin, "solve", "long", "--all", "-o", str(file), status=130)
        assert file.read_text() == OLD
        assert (tmp_path / f"{name}.exactcover-part").exists()
    file = tmp_path / "out.jsonl"
    assert run_here(["--plugin", plugin, "solve", "long", "--all", "-o", str(file)]) == 130
    assert json.loads(file.read_text().splitlines()[-1])["status"] == "interrupted"


def test_what_writes_nothing_leaves_the_old_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plugin = write_plugin(tmp_path, "Fails", "def options(self):\n    yield 'A', ['a']\n    raise OSError('no')\n")
    file = tmp_path / "out.svg"
    file.write_text(OLD)
    assert run_here(["--plugin", plugin, "solve", "fails", "-o", str(file)]) == 70
    assert run_here(["solve", "queens", "n=3", "-o", str(file)]) == 20
    assert "was not written: there is nothing to draw" in capfd.readouterr().err
    if os.geteuid():  # root may write everything
        file.chmod(0o444)
        assert run_here(["count", "queens", "n=6", "-o", str(file)]) == 74
    assert file.read_text() == OLD


def test_links_are_followed_and_modes_kept(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text(OLD)
    target.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    assert run_here(["count", "queens", "n=6", "-o", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text() == "4\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    dangling = tmp_path / "dangling.txt"
    dangling.symlink_to(tmp_path / "new.txt")
    assert run_here(["count", "queens", "n=6", "-o", str(dangling)]) == 0
    assert dangling.is_symlink() and (tmp_path / "new.txt").read_text() == "4\n"


def test_pipes_and_devices_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    seen: list[str] = []
    reader = threading.Thread(target=lambda: seen.append(pipe.read_text()))
    reader.start()
    assert run_here(["count", "queens", "n=6", "-o", str(pipe)]) == 0
    reader.join()
    assert seen == ["4\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert run_here(["solve", "queens", "n=6", "--format", "jsonl", "-o", "/dev/null"]) == 0
    assert run("count", "queens", "n=6", "-o", "/dev/stdout").stdout == "4\n"


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "problem.json"
    assert invoke("convert", "queens", "n=4", "-o", str(file)).returncode == 0
    before = file.read_text()
    link = tmp_path / "other.json"
    link.symlink_to(file)
    for output in (file, link):
        assert_refused("is an input", "solve", str(file), "-o", str(output))
    assert file.read_text() == before
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text("1...\n....\n....\n....\n")
    assert invoke("batch", "sudoku", str(puzzles), "box=2x2", "-o", str(puzzles)).returncode == 2
    assert puzzles.read_text().startswith("1...")


def test_descriptors_are_written_directly() -> None:
    command = f"{sys.executable} -m exactcover count queens n=6 -o >(cat >&2)"
    result = subprocess.run(["bash", "-c", f"{command}; wait $!"], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "4\n")


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    file = str(tmp_path / "one.txt")
    for verb in ("count", "solve"):
        assert_refused("name the same file", verb, "queens", "n=6", "-o", file, "--shape", file)


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    plugin, ready, go = write_plugin(tmp_path, "Waits", """
def options(self):
    yield 'A', ['a']
def draw(self, solution):
    Path(os.environ['READY']).touch()
    while not Path(os.environ['GO']).exists():
        time.sleep(0.01)
"""), tmp_path / "ready", tmp_path / "go"  # fmt: skip
    file = tmp_path / "out.txt"
    environment = {**os.environ, "READY": str(ready), "GO": str(go)}
    process = start("--plugin", plugin, "solve", "waits", "-o", str(file), env=environment)
    wait_until(ready.exists, process)
    assert run_here(["count", "queens", "n=6", "-o", str(file)]) == 74
    go.touch()
    process.communicate()
    assert process.returncode == 0
    assert file.read_text() == "A\n"


def test_no_place_to_write_to(tmp_path: Path) -> None:
    words = "cannot write /nowhere/x.svg: No such file or directory"
    assert_refused(words, "solve", "queens", "n=6", "-o", "/nowhere/x.svg", status=74)
    assert_refused("Is a directory", "count", "queens", "n=6", "-o", str(tmp_path), status=74)
    assert invoke("new", "knights", "-o", "/proc/nowhere/knights").returncode == 74


def test_a_sheet_says_what_it_leaves_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def pictures(name: str) -> int:
        root = ElementTree.parse(tmp_path / name).getroot()
        return sum(1 for group in root.iter() if group.tag.endswith("}g"))

    sheet = str(tmp_path / "sheet.svg")
    assert run_here(["solve", "queens", "n=8", "--all", "-o", sheet]) == 0
    assert "only the first 60 of 92 solutions are drawn" in capfd.readouterr().err
    assert "60 of 92 solutions" in Path(sheet).read_text()
    assert pictures("sheet.svg") == 60
    assert run_here(["solve", "queens", "n=8", "--limit", "80", "-o", sheet]) == 0
    assert pictures("sheet.svg") == 80
    assert run_here(["solve", "queens", "n=8", "--all", "--pages", "5", "-o", sheet]) == 0
    assert (pictures("sheet-1.svg"), pictures("sheet-2.svg")) == (60, 32)
    assert "drawn" not in capfd.readouterr().err
    assert run_here(["solve", "queens", "n=8", "--all", "--pages", "2"]) == 2


HOSTILE = "a\x1b[31mred\x07\nforged line\u202e\x85forged too"


def hostile_file(folder: Path) -> str:
    file = folder / "hostile.json"
    options = [{"label": HOSTILE, "items": [HOSTILE]}, {"label": "=1+1", "items": ["b"]}]
    file.write_text(json.dumps({"options": options}))
    return str(file)


def test_labels_neither_forge_lines_nor_speak_to_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / HOSTILE  # names of folders and files are hostile, too
    folder.mkdir()
    file, store, answers = hostile_file(folder), str(folder / f"{HOSTILE}.run"), str(folder / f"{HOSTILE}.jsonl")
    monkeypatch.setattr(click.utils, "should_strip_ansi", lambda *_: False)  # as on a terminal
    assert run_here(["run", "start", file, "--all", "--given", HOSTILE, "--store", store, "--workers", "1"]) == 0
    assert run_here(["solve", file, "--all", "-o", answers]) == 0
    for args in (["solve", file, "-v"], ["check", file], ["explain", file], ["diagram", file, "--marginals"],
                 ["solve", file, "--given", HOSTILE + "x"], ["generate", file, "--seed", "1"], ["verify", file, answers],
                 ["verify", file, file], ["certify", file], ["solve", f"{file}x"], ["run", "list", str(folder)],
                 *(["run", verb, store] for verb in ("status", "export", "check", "resume", "stop")),
                 ["count", file, "--store", store], ["solve", file, "--shape", "-"], ["new", HOSTILE],
                 *(["solve", file, "--format", name] for name in ("csv", "json", "jsonl", "svg", "dxf")),
                 *(["convert", file, "--format", name] for name in PROBLEMS),
                 ["diagram", file, "--format", "dot"]):  # fmt: skip
        run_here(args)
        captured = capfd.readouterr()
        for text in (captured.out, captured.err):
            assert not set("\x1b\x07\u202e\x85") & set(text), args
            assert not any(line.startswith("forged") for line in text.splitlines()), args


def test_one_function_prints_lines() -> None:
    """It escapes them; the others print texts of this package and of encoders."""
    folder = Path(exactcover.cli.messages.__file__).parent
    found = {path.stem for path in folder.glob("*.py") if "click.echo" in path.read_text()}
    assert found == {"main", "messages", "new", "problems", "run"}


def test_formulas_are_escaped_where_wanted(tmp_path: Path) -> None:
    file = hostile_file(tmp_path)
    assert "1,=1+1" in invoke("solve", file, "--format", "csv").stdout
    assert "1,'=1+1" in invoke("solve", file, "--format", "csv", "--escape-formulas").stdout


def test_solutions_as_tables() -> None:
    rows = list(csv.DictReader(io.StringIO(invoke("solve", "queens", "n=5", "--all", "--format", "csv").stdout)))
    assert len(rows) == 50
    assert {row["solution"] for row in rows} == {str(number) for number in range(1, 11)}
    assert len(invoke("solve", "queens", "n=5", "--all", "--format", "csv-wide").stdout.splitlines()) == 11


def test_json_lines_without_a_header_are_records_of_one_kind() -> None:
    lines = invoke("solve", "crews.yaml", "--format", "jsonl", "--no-header").stdout.splitlines()
    records = [json.loads(line) for line in lines]
    assert records
    assert all({"solution", "options", "labels", "cost"} == set(record) for record in records)
    assert all(isinstance(record["cost"], int | float) for record in records)


def test_the_seed_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.jsonl"
    for args in (["solve", "queens", "n=6", "--seed", "7"], ["sample", "queens", "n=6", "--seed", "7"],
                 ["sample", "queens", "n=6"], ["solve", "queens", "n=6", "--restarts"]):  # fmt: skip
        assert run_here([*args, "-v", "-o", str(file)]) == 0
        seed = json.loads(file.read_text().splitlines()[0])["seed"]
        assert re.search(rf"^seed +{seed}$", capfd.readouterr().err, re.MULTILINE)
        if "7" in args:
            assert seed == 7


@pytest.mark.parametrize("args", [
    ["solve", "queens", "n=4", "-o", "x.txt/"],
    ["solve", "queens", "n=4", "--search-log", "x.txt/"],
    ["count", "queens", "n=4", "--certificate", "x.txt/"],
    ["count", "queens", "n=4", "--store", "x.txt/"],
    ["check", "queens", "n=4", "--format", "json", "-o", "x.txt/"],
    ["diagram", "queens", "n=4", "--format", "zdd", "-o", "x.txt/"],
], ids=" ".join)  # fmt: skip
def test_a_name_that_ends_in_a_slash_is_not_that_of_a_file(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    captured = invoke(*args)
    assert (captured.returncode, captured.stdout) == (2, "")
    assert captured.stderr.endswith("error: 'x.txt/' is not the name of a file, since it ends in a slash\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("flag", ["--thickness", "--block-size", "--block-gap", "--kerf"])
@pytest.mark.parametrize("length", ["nan", "inf"])
def test_lengths_are_finite(flag: str, length: str, tmp_path: Path) -> None:
    file = tmp_path / "pieces.stl"
    assert_refused(f"Invalid value for '{flag}'", "solve", "rectangle_3x2.yaml", "-o", str(file), flag, length)
    assert not file.exists()
