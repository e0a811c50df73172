"""Hostile inputs: bounded in size and time, and no way to files that nobody meant."""

import json
import os
import resource
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from commands import assert_refused, invoke, run
from damage import pack
from exactcover.cli.main import run as run_here
from exactcover.config.configuration import read_file
from exactcover.errors import ConfigError
from exactcover.files.read import Access, access

SECRET = "root:x:0:0:secret"


def graph_file(folder: Path, name: str) -> Path:
    file = folder / "graph.yaml"
    file.write_text(f"problem: coloring\nparams: {{graph: {json.dumps(name)}, colors: 3}}\n")
    return file


HUGE = ("1e200000000", "1e-200000000", "1e1000", "-1e200000000", "1" + "0" * 5000)

INPUTS = {
    "csv cost": ("csv", "name,cost,a\nA,{},1\n"),
    "csv multiplicity": ("csv", "name,{}|a\nA,1\n"),
    "json cost": ("json", '{{"options": [{{"items": ["a"], "cost": {}}}]}}'),
    "json cost as text": ("json", '{{"options": [{{"items": ["a"], "cost": "{}"}}]}}'),
    "json multiplicity": ("json", '{{"multiplicity": {{"a": {}}}, "options": [{{"items": ["a"]}}]}}'),
    "dlx cost": ("dlx", "a\na |{}\n"),
    "dlx multiplicity": ("dlx", "{}|a\na\n"),
    "yaml cost": ("yaml", "problem: options\nparams: {{table: {{A: [a]}}, cost: {{A: {}}}}}\n"),
    "yaml cost as text": ("yaml", "problem: options\nparams: {{table: {{A: [a]}}, cost: {{A: '{}'}}}}\n"),
    "yaml multiplicity": ("yaml", "problem: options\nparams: {{table: {{A: [a]}}, multiplicities: {{a: {}}}}}\n"),
    "yaml roster": ("yaml", "problem: roster\nparams: {{table: ['who,shift,cost,d', 'A,e,{},x']}}\n"),
    "yaml needs": ("yaml", "problem: roster\nparams: {{needs: {{day: {}}}}}\n"),
    "yaml size": ("yaml", "problem: queens\nparams: {{n: {}}}\n"),
    "yaml timeout": ("yaml", "problem: queens\nsearch: {{timeout: {}}}\n"),
    "yaml known": ("yaml", "problem: queens\nknown: {{solutions: {}}}\n"),
}  # fmt: skip


@pytest.mark.parametrize("what", INPUTS)
def test_numbers_beyond_measure_are_refused(what: str, tmp_path: Path) -> None:
    suffix, text = INPUTS[what]
    file = tmp_path / f"huge.{suffix}"
    for number in HUGE:
        file.write_text(text.format(number))
        captured = invoke("solve", str(file))
        assert (captured.returncode, captured.stdout) == (2, "")
        assert str(file) in captured.stderr
        assert "Traceback" not in captured.stderr
        assert len(captured.stderr) < 500


@pytest.mark.parametrize("override", ["cost={{A: {}}}", "multiplicities={{a: {}}}"])
def test_arguments_beyond_measure_are_refused(override: str) -> None:
    captured = invoke("solve", "options", "table={A: [a]}", override.format(HUGE[0]))
    assert (captured.returncode, captured.stdout, len(captured.stderr) < 500) == (2, "", True)
    assert "error: argument " in captured.stderr


def test_costs_keep_all_their_digits(tmp_path: Path) -> None:
    whole, part = 10**40 + 1, "0.12345678901234567890"
    file = tmp_path / "long.json"
    file.write_text(
        f'{{"options": [{{"items": ["a"], "cost": {whole}}}, {{"items": ["b"], "cost": {part}}},'
        f'{{"items": ["a", "b"], "cost": {whole}.12345678901234567891}}]}}'
    )
    for suffix in ("json", "csv", "dlx"):
        again = tmp_path / f"again.{suffix}"
        assert invoke("convert", str(file), "-o", str(again)).returncode == 0
        assert f"cost {whole}.1234567890123456789)" in invoke("solve", str(again), "--cheapest", "1").stdout


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_diagram_packed_by_another_method_is_refused(method: int, tmp_path: Path) -> None:
    file = tmp_path / "odd.zdd"
    file.write_bytes(pack({"header.json": b"{}"}, method))
    assert_refused("not supported", "count", str(file))


@pytest.mark.parametrize("kind", ["pipe", "socket", "folder"])
@pytest.mark.parametrize("suffix", ["yaml", "dlx", "json", "csv", "zdd", "jsonl", "txt"])
def test_what_is_not_a_regular_file_is_refused_without_waiting(
    suffix: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path(f"strange.{suffix}")
    with socket.socket(socket.AF_UNIX) as server:
        if kind == "pipe":
            os.mkfifo(file)
        elif kind == "socket":
            server.bind(str(file))
        else:
            file.mkdir()
        verb = {"jsonl": ["verify", "queens"], "txt": ["batch", "sudoku"]}.get(suffix, ["count"])
        assert_refused(str(file), *verb, str(file))


def test_data_certificates_plugins_and_stores_that_are_pipes_are_refused_without_waiting(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    assert_refused("pipe.py cannot be read", "count", str(graph_file(tmp_path, "pipe.py")))
    for command in (["certify", f"{pipe}"], ["certify", "--quick", f"{pipe}"], ["--plugin", f"{pipe}:X", "count", "x"]):
        assert_refused("it is a pipe or a device", *command)
    assert invoke("run", "list", str(tmp_path)).stdout == ""


def test_standard_input_stays_readable_by_its_name() -> None:
    solutions = invoke("solve", "queens", "n=6", "--format", "jsonl").stdout
    assert run("verify", "queens", "n=6", "/dev/stdin", input=solutions).returncode == 0


def test_files_that_never_end(tmp_path: Path) -> None:
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    assert_refused("it is a pipe or a device", "check", str(tmp_path / "zero.yaml"))
    (tmp_path / "zero.dlx").symlink_to("/dev/zero")
    assert invoke("check", str(tmp_path / "zero.dlx")).returncode == 2
    assert invoke("verify", "queens", "n=4", "/dev/zero").returncode == 2
    assert_refused("it is a pipe or a device", "batch", "sudoku", "/dev/zero")
    command = f"{sys.executable} -m exactcover verify queens n=4 - --timeout 0.5 < /dev/zero"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.returncode == 3
    assert "stopped by the timeout" in result.stderr


@pytest.mark.parametrize("name", ["a.json", "a.zdd"])
def test_small_files_need_little_memory(name: str, tmp_path: Path) -> None:
    verb = "diagram" if name == "a.zdd" else "convert"
    assert run_here([verb, "queens", "n=4", "-o", str(tmp_path / name)]) == 0

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))

    result = run("count", str(tmp_path / name), preexec_fn=limit)
    assert (result.returncode, result.stdout) == (0, "2\n")


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    with file.open("wb") as out:
        out.truncate(1 << 40)  # a hole
    assert_refused("it is larger than", "check", str(file))


def test_a_configuration_names_files_of_its_own_folder_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "current").mkdir()
    monkeypatch.chdir(tmp_path / "current")
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    (tmp_path / "inside" / "link.txt").symlink_to(secret)
    for name in (str(secret), "../secret.txt", "link.txt", "/etc/passwd"):
        refused = invoke("check", str(graph_file(tmp_path / "inside", name)))
        assert refused.returncode == 2 and "is outside the folder of the configuration" in refused.stderr
        assert "root:" not in refused.stderr
    file = graph_file(tmp_path / "inside", str(secret))
    refused = invoke("check", str(file), "--allow-files")
    assert refused.returncode == 2 and "is outside" not in refused.stderr
    secret.write_text("a b\n")
    assert run_here(["count", str(file), "--allow-files"]) == 0
    assert run_here(["count", "coloring", f"graph={secret}", "colors=3"]) == 0  # typed by somebody with a shell
    (tmp_path / "inside" / "own.txt").write_text("a b\n")
    assert run_here(["count", str(graph_file(tmp_path / "inside", "own.txt"))]) == 0
    (tmp_path / "current" / "near.txt").write_text("a b\n")
    assert run_here(["count", str(graph_file(tmp_path / "inside", "near.txt"))]) == 0


def test_python_says_which_files_may_be_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("a b\n")
    (tmp_path / "inside").mkdir()
    file = graph_file(tmp_path / "inside", str(secret))
    assert read_file(file).encoder.count() == 6
    with access(Access(confined=True)), pytest.raises(ConfigError, match="is outside"):
        read_file(file)


def test_a_diagram_file_reads_no_other_file(tmp_path: Path) -> None:
    data = tmp_path / "graph.txt"
    data.write_text("a b\n")
    file = tmp_path / "own.zdd"
    assert invoke("diagram", "coloring", f"graph={data}", "colors=3", "-o", str(file)).returncode == 0
    data.write_text(SECRET)
    captured = invoke("count", str(file))
    assert (captured.returncode, captured.stdout) == (0, "6\n")
    assert "diagram files may not name other files" in captured.stderr
    assert "root:" not in captured.stderr


def test_a_diagram_is_counted_with_givens(tmp_path: Path) -> None:
    file = str(tmp_path / "queens.zdd")
    assert invoke("diagram", "queens", "n=6", "-o", file).returncode == 0
    for flags, number in (["--given", "r1c2"], 1), (["--given", "r1c1"], 0), (["--without", "r1c2"], 3):
        assert invoke("count", file, *flags).stdout == f"{number}\n"
    assert invoke("count", file, "--given", "r9c9").returncode == 2


@pytest.mark.parametrize("content", [b"o,a\nJos\xe9,x\n", b"PK\x03\x04\xff\xfe", "o,a\nx,1\n".encode("utf-16")])
def test_a_table_that_is_not_text_says_how_to_convert_it(content: bytes, tmp_path: Path) -> None:
    for name, parameters in (("a.csv", ""), ("a.yaml", "problem: roster\nparams: {table: a.csv}\n")):
        (tmp_path / "a.csv").write_bytes(content)
        if parameters:
            (tmp_path / name).write_text(parameters)
        assert_refused("CSV UTF-8", "count", str(tmp_path / name))
    assert_refused("save the table as .csv (CSV UTF-8)", "count", str(tmp_path / "a.xlsx"))


def test_a_small_table_of_options_is_no_sudoku(tmp_path: Path) -> None:
    file = tmp_path / "c.csv"
    for text in ("option,door,wall\nA,y,\nB,,x\n", '\ufeff"option","door","wall"\nA,y,\nB,,x\n'):
        file.write_text(text)
        assert_refused("c.csv:2:2: 'y': expected 1, x, yes or true", "count", str(file))
