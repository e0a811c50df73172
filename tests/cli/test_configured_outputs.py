"""Files that a configuration names: what is refused, what stays, and what is said."""

import json
import os
from pathlib import Path

import pytest

from exactcover.cli.main import run as run_here


def test_a_file_that_a_configuration_names_is_said_also_when_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {file: x.txt}\n")
    assert run_here(["solve", "out.yaml", "-q"]) == 0
    assert capfd.readouterr().err == "writing x.txt, which the configuration names\n"


@pytest.mark.parametrize("flags", [[], ["-o", "x.txt"]])
def test_files_of_others_that_look_like_a_part_stay(
    flags: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {file: x.txt}\n")
    for name in ("x.txt.part", "x.txt.tmp", "x.txt~"):
        Path(name).write_text("mine")
    assert run_here(["solve", "out.yaml", *flags]) == 0
    assert "♛" in Path("x.txt").read_text()
    assert {file.read_text() for file in tmp_path.glob("x.txt?*")} == {"mine"}


def test_a_configuration_replaces_a_partial_result_only_if_the_command_line_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {file: x.txt}\n")
    part = Path("x.txt.exactcover-part")
    part.write_text("hours of work")
    assert run_here(["solve", "out.yaml"]) == 2
    error = (
        f"{tmp_path / part}, a partial result, exists already; use --overwrite to replace it, or -o to write another"
    )
    assert error in capfd.readouterr().err
    assert part.read_text() == "hours of work"
    assert run_here(["solve", "out.yaml", "--overwrite"]) == 0
    assert not part.exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a\0b.txt", r"expected a name without invisible characters, such as '\x00'"),
        ("a\u202eb.txt", r"expected a name without invisible characters, such as '\u202e'"),
        ("x.txt/", "expected the name of a file, without a slash at its end"),
        ("x.txt\\", "expected the name of a file, without a slash at its end"),
        ("../b.txt", "expected a relative path without '..'"),
        ("b.exe", "expected a name that ends in .txt, "),
    ],
)
def test_what_is_wrong_with_an_output_name_is_said(
    name: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.yaml"
    file.write_text(f"problem: queens\nparams: {{n: 4}}\noutput: {{file: {json.dumps(name)}}}\n")
    assert run_here(["solve", str(file)]) == 2
    assert f"output.file: {words}" in capfd.readouterr().err


def test_where_an_output_leads_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {file: plain.txt}\n")
    Path("plain.txt").symlink_to("program.exe")
    assert run_here(["solve", "out.yaml"]) == 2
    assert "output.file is 'plain.txt': it leads to 'program.exe': expected a name that ends" in capfd.readouterr().err
    Path("plain.txt").unlink()
    os.mkfifo("plain.txt")
    assert run_here(["solve", "out.yaml"]) == 2
    error = (
        "plain.txt, which the configuration names, exists already and is not a regular file; use -o to write another"
    )
    assert error in capfd.readouterr().err


@pytest.mark.parametrize(
    "name",
    [
        *("/tmp/x.txt", "../x.txt", "a/../../x.txt", "c:x.txt", "c:/x.txt", "a\\..\\x.txt", "//host/share/x.txt"),
        *(".bashrc", ".profile.txt", ".ssh/authorized_keys", ".git/hooks/x.txt", "a/.b/x.txt", "a\\.b\\x.txt"),
        *("Makefile", "conftest.py", "x.txt.", "x.txt ", "x.txt:s", "x", "x.", "con.txt", "NUL.svg", "a/com1.csv"),
        *("/dev/stdout", "-", "", ".", "..", ".txt"),
    ],
)
def test_a_configuration_names_no_file_but_a_result(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("out.yaml").write_text(f"problem: queens\noutput: {{format: text, file: {json.dumps(name)}}}\n")
    for verb in ("solve", "sample"):
        assert run_here([verb, "out.yaml"]) == 2
        assert "out.yaml:2:" in capfd.readouterr().err
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [folder / "out.yaml"]


def test_a_configuration_states_the_format_of_its_suffix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {format: text, file: x.html}\n")
    assert run_here(["solve", "out.yaml"]) == 2
    assert "a file that ends in .html has the format html, not text" in capfd.readouterr().err
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {format: csv-wide, file: x.csv}\n")
    assert run_here(["solve", "out.yaml"]) == 0
    assert Path("x.csv").read_text().count("\n") == 2


@pytest.mark.parametrize("verb", ["solve", "sample"])
def test_a_configuration_replaces_a_file_only_if_the_command_line_asks(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {file: sub/x.txt}\n")
    Path("sub").mkdir()
    file = Path("sub/x.txt")
    file.write_text("mine")
    assert run_here([verb, "out.yaml"]) == 2
    assert "sub/x.txt, which the configuration names, exists already; use --overwrite" in capfd.readouterr().err
    assert file.read_text() == "mine"
    assert run_here([verb, "out.yaml", "--overwrite"]) == 0
    assert "writing sub/x.txt, which the configuration names" in capfd.readouterr().err
    assert "♛" in file.read_text()
    file.write_text("mine")
    assert run_here([verb, "out.yaml", "-o", "sub/x.txt"]) == 0
    assert "♛" in file.read_text()


@pytest.mark.parametrize(
    "kind",
    ["a link to a hidden file", "a link into a hidden folder", "a link out of the folder", "a pipe", "a lost link"],
)
def test_a_configuration_writes_through_no_link_and_no_pipe(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".ssh").mkdir()
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {file: sub/x.txt}\n")
    if kind.startswith(("a link into", "a link out")):
        Path("sub").symlink_to(".ssh" if "hidden" in kind else "..")
    else:
        Path("sub").mkdir()
    if kind == "a link to a hidden file":
        Path(".bashrc").touch()
        Path("sub/x.txt").symlink_to(Path("../.bashrc"))
    elif kind == "a lost link":
        Path("sub/x.txt").symlink_to(Path("../lost.txt"))
    elif kind == "a pipe":
        os.mkfifo("sub/x.txt")
    assert run_here(["solve", "out.yaml", *(["--overwrite"] if kind != "a lost link" else [])]) == 2
    assert "x.txt" in capfd.readouterr().err
    assert not list(Path(".ssh").iterdir()) and not Path("lost.txt").exists() and not Path("../x.txt").exists()
