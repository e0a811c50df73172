"""Files that a configuration names: what is refused, what stays, and what is said."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from commands import invoke


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, beside which nothing may be written."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def answer(output: str, *flags: str, verb: str = "solve") -> subprocess.CompletedProcess[str]:
    """Run a verb with a configuration that says where its results go."""
    Path("out.yaml").write_text(f"problem: queens\nparams: {{n: 4}}\noutput: {{{output}}}\n")
    return invoke(verb, "out.yaml", *flags)


def test_a_file_that_a_configuration_names_is_said_also_when_quiet() -> None:
    result = answer("file: x.txt", "-q")
    assert (result.returncode, result.stderr) == (0, "writing x.txt, which the configuration names\n")


@pytest.mark.parametrize("flags", [[], ["-o", "x.txt"]])
def test_files_of_others_that_look_like_a_part_stay(flags: list[str], home: Path) -> None:
    for name in ("x.txt.part", "x.txt.tmp", "x.txt~"):
        Path(name).write_text("mine")
    assert answer("file: x.txt", *flags).returncode == 0
    assert "♛" in Path("x.txt").read_text()
    assert {file.read_text() for file in home.glob("x.txt?*")} == {"mine"}


def test_a_configuration_replaces_a_partial_result_only_if_the_command_line_asks(home: Path) -> None:
    part = Path("x.txt.exactcover-part")
    part.write_text("hours of work")
    refused = answer("file: x.txt")
    error = f"{home / part}, a partial result, exists already; use --overwrite to replace it, or -o to write another"
    assert refused.returncode == 2 and error in refused.stderr
    assert part.read_text() == "hours of work"
    assert answer("file: x.txt", "--overwrite").returncode == 0
    assert not part.exists()


@pytest.mark.parametrize(("output", "words"), [
    (r'file: "a\0b.txt"', r"output.file: expected a name without invisible characters, such as '\x00'"),
    (r'file: "a\u202eb.txt"', r"output.file: expected a name without invisible characters, such as '\u202e'"),
    ("file: x.txt/", "output.file: expected the name of a file, without a slash at its end"),
    ("file: x.txt\\", "output.file: expected the name of a file, without a slash at its end"),
    ("file: ../b.txt", "output.file: expected a relative path without '..'"),
    ("file: b.exe", "output.file: expected a name that ends in .txt, "),
    ("format: text, file: x.html", "a file that ends in .html has the format html, not text"),
])  # fmt: skip
def test_what_is_wrong_with_an_output_name_is_said(output: str, words: str) -> None:
    refused = answer(output)
    assert refused.returncode == 2 and words in refused.stderr


def test_where_an_output_leads_is_said() -> None:
    Path("plain.txt").symlink_to("program.exe")
    refused = answer("file: plain.txt")
    error = "output.file is 'plain.txt': it leads to 'program.exe': expected a name that ends"
    assert refused.returncode == 2 and error in refused.stderr
    Path("plain.txt").unlink()
    os.mkfifo("plain.txt")
    refused = answer("file: plain.txt")
    error = "which the configuration names, exists already and is not a regular file; use -o to write another"
    assert refused.returncode == 2 and f"plain.txt, {error}" in refused.stderr


@pytest.mark.parametrize("name", [
    *("/tmp/x.txt", "../x.txt", "a/../../x.txt", "c:x.txt", "c:/x.txt", "a\\..\\x.txt", "//host/share/x.txt"),
    *(".bashrc", ".profile.txt", ".ssh/authorized_keys", ".git/hooks/x.txt", "a/.b/x.txt", "a\\.b\\x.txt"),
    *("Makefile", "conftest.py", "x.txt.", "x.txt ", "x.txt:s", "x", "x.", "con.txt", "NUL.svg", "a/com1.csv"),
    *("/dev/stdout", "-", "", ".", "..", ".txt"),
])  # fmt: skip
def test_a_configuration_names_no_file_but_a_result(name: str, tmp_path: Path, home: Path) -> None:
    for verb in ("solve", "sample"):
        refused = answer(f"format: text, file: {json.dumps(name)}", verb=verb)
        assert refused.returncode == 2 and "out.yaml:3:" in refused.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [home / "out.yaml"]


def test_a_configuration_states_the_format_of_its_suffix() -> None:
    assert answer("format: csv-wide, file: x.csv").returncode == 0
    assert Path("x.csv").read_text().count("\n") == 2


@pytest.mark.parametrize("verb", ["solve", "sample"])
def test_a_configuration_replaces_a_file_only_if_the_command_line_asks(verb: str) -> None:
    Path("sub").mkdir()
    file = Path("sub/x.txt")
    file.write_text("mine")
    refused = answer("file: sub/x.txt", verb=verb)
    error = "sub/x.txt, which the configuration names, exists already; use --overwrite"
    assert refused.returncode == 2 and error in refused.stderr
    assert file.read_text() == "mine"
    replaced = answer("file: sub/x.txt", "--overwrite", verb=verb)
    assert replaced.returncode == 0 and "writing sub/x.txt, which the configuration names" in replaced.stderr
    assert "♛" in file.read_text()
    file.write_text("mine")
    assert answer("file: sub/x.txt", "-o", "sub/x.txt", verb=verb).returncode == 0
    assert "♛" in file.read_text()


@pytest.mark.parametrize(
    "kind",
    ["a link to a hidden file", "a link into a hidden folder", "a link out of the folder", "a pipe", "a lost link"],
)
def test_a_configuration_writes_through_no_link_and_no_pipe(kind: str) -> None:
    Path(".ssh").mkdir()
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
    refused = answer("file: sub/x.txt", *(["--overwrite"] if kind != "a lost link" else []))
    assert refused.returncode == 2 and "x.txt" in refused.stderr
    assert not list(Path(".ssh").iterdir()) and not Path("lost.txt").exists() and not Path("../x.txt").exists()
