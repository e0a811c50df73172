"""Hostile inputs: bounded in size and time, and no way to files that nobody meant."""

import io
import json
import os
import resource
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from commands import invoke, run, write_plugin
from exactcover.cli.main import run as run_here
from exactcover.config.reading import read_file
from exactcover.errors import ConfigError
from exactcover.files.access import Access, access

SECRET = "root:x:0:0:secret"


def graph_file(folder: Path, name: str) -> Path:
    file = folder / "graph.yaml"
    file.write_text(f"problem: coloring\nparams: {{graph: {json.dumps(name)}, colors: 3}}\n")
    return file


HUGE = ("1e200000000", "1e-200000000", "1e400", "-1e200000000", "1" + "0" * 5000, "9" * 100_000)
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


@pytest.mark.parametrize("number", HUGE, ids=range(len(HUGE)))
@pytest.mark.parametrize("what", INPUTS)
def test_numbers_beyond_measure_are_refused(
    what: str, number: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    suffix, text = INPUTS[what]
    if number == "1e400" and what in ("json cost", "json cost as text", "csv cost", "yaml roster", "yaml cost as text"):
        number = "1e1000"
    file = tmp_path / f"huge.{suffix}"
    file.write_text(text.format(number))
    assert run_here(["solve", str(file)]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert str(file) in captured.err
    assert "Traceback" not in captured.err
    assert len(captured.err) < 500


@pytest.mark.parametrize("override", ["cost={{A: {}}}", "multiplicities={{a: {}}}"])
@pytest.mark.parametrize("number", HUGE, ids=range(len(HUGE)))
def test_arguments_beyond_measure_are_refused(override: str, number: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_here(["solve", "options", "table={A: [a]}", override.format(number)]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "error: argument " in captured.err
    assert len(captured.err) < 500


def test_costs_keep_all_their_digits(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole, part = 10**40 + 1, "0.12345678901234567890"
    file = tmp_path / "long.json"
    file.write_text(
        f'{{"options": [{{"items": ["a"], "cost": {whole}}}, {{"items": ["b"], "cost": {part}}},'
        f'{{"items": ["a", "b"], "cost": {whole}.12345678901234567891}}]}}'
    )
    for suffix in ("json", "csv", "dlx"):
        again = tmp_path / f"again.{suffix}"
        assert run_here(["convert", str(file), "-o", str(again)]) == 0
        capfd.readouterr()
        assert run_here(["solve", str(again), "--cheapest", "1"]) == 0
        assert f"cost {whole}.1234567890123456789)" in capfd.readouterr().out


def packed(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


def test_a_diagram_that_unpacks_to_far_more_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bomb.zdd"
    file.write_bytes(packed({"header.json": b" " * (1 << 28)}))
    assert file.stat().st_size < 1 << 20
    assert run_here(["count", str(file)]) == 2
    assert "would unpack to 268,435,456" in capfd.readouterr().err


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_diagram_packed_by_another_method_is_refused(
    method: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.zdd"
    file.write_bytes(packed({"header.json": b"{}"}, method))
    assert run_here(["count", str(file)]) == 2
    assert "not supported" in capfd.readouterr().err


@pytest.mark.parametrize("kind", ["pipe", "socket", "folder"])
@pytest.mark.parametrize("suffix", ["yaml", "dlx", "json", "csv", "zdd", "jsonl", "txt"])
def test_what_is_not_a_regular_file_is_refused_without_waiting(
    suffix: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
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
        assert run_here([*verb, str(file)]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert str(file) in captured.err


def test_data_files_runs_and_bundled_files_that_are_pipes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert run_here(["count", str(graph_file(tmp_path, "pipe.txt"))]) == 2
    assert "pipe.txt cannot be read" in capfd.readouterr().err
    assert run_here(["run", "list", str(tmp_path)]) == 0
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    "command", [["certify", "{}"], ["certify", "--quick", "{}"], ["--plugin", "{}:X", "count", "x"]]
)
def test_certificates_and_plugins_that_are_pipes_are_refused_without_waiting(
    command: list[str], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    refused = run(*(word.format(pipe) for word in command))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "it is a pipe or a device" in refused.stderr


def test_process_substitution_and_standard_input_stay_readable(tmp_path: Path) -> None:
    written = run("solve", "queens", "n=6").stdout
    assert written
    solutions = run("solve", "queens", "n=6", "--format", "jsonl").stdout
    assert run("verify", "queens", "n=6", "/dev/stdin", input=solutions).returncode == 0


def test_files_that_never_end(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    assert run_here(["check", str(tmp_path / "zero.yaml")]) == 2
    assert "it is a pipe or a device" in capfd.readouterr().err
    (tmp_path / "zero.dlx").symlink_to("/dev/zero")
    assert run_here(["check", str(tmp_path / "zero.dlx")]) == 2
    assert run_here(["verify", "queens", "n=4", "/dev/zero"]) == 2
    assert run_here(["batch", "sudoku", "/dev/zero"]) == 2
    assert "it is a pipe or a device" in capfd.readouterr().err
    command = f"{sys.executable} -m exactcover verify queens n=4 - --timeout 0.5 < /dev/zero"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.returncode == 3
    assert "stopped by the timeout" in result.stderr


@pytest.mark.parametrize("name", ["a.dlx", "a.json", "a.csv", "a.zdd"])
def test_small_files_need_little_memory(name: str, tmp_path: Path) -> None:
    verb = "diagram" if name == "a.zdd" else "convert"
    assert run_here([verb, "queens", "n=4", "-o", str(tmp_path / name)]) == 0

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))

    result = run("count", str(tmp_path / name), preexec_fn=limit)
    assert (result.returncode, result.stdout) == (0, "2\n")


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "large.yaml"
    with file.open("wb") as out:
        out.truncate(1 << 40)  # a hole
    assert run_here(["check", str(file)]) == 2
    assert "it is larger than" in capfd.readouterr().err


def test_a_configuration_names_files_of_its_own_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "current").mkdir()
    monkeypatch.chdir(tmp_path / "current")
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    (tmp_path / "inside" / "link.txt").symlink_to(secret)
    for name in (str(secret), "../secret.txt", "link.txt", "/etc/passwd"):
        file = graph_file(tmp_path / "inside", name)
        assert run_here(["check", str(file)]) == 2
        said = capfd.readouterr().err
        assert "is outside the folder of the configuration" in said
        assert "root:" not in said
    file = graph_file(tmp_path / "inside", str(secret))
    assert run_here(["check", str(file), "--allow-files"]) == 2
    assert "is outside" not in capfd.readouterr().err
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


def test_a_diagram_file_reads_no_other_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "graph.txt"
    data.write_text("a b\n")
    file = tmp_path / "own.zdd"
    assert run_here(["diagram", "coloring", f"graph={data}", "colors=3", "-o", str(file)]) == 0
    data.write_text(SECRET)
    assert run_here(["count", str(file)]) == 0
    captured = capfd.readouterr()
    assert captured.out == "6\n"
    assert "diagram files may not name other files" in captured.err
    assert "root:" not in captured.err


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


@pytest.mark.parametrize("kind", ["a link to a hidden file", "a link into a hidden folder", "a pipe", "a lost link"])
def test_a_configuration_writes_through_no_link_and_no_pipe(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".ssh").mkdir()
    Path("out.yaml").write_text("problem: queens\nparams: {n: 4}\noutput: {file: sub/x.txt}\n")
    if kind == "a link into a hidden folder":
        Path("sub").symlink_to(".ssh")
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
    assert not list(Path(".ssh").iterdir()) and not Path("lost.txt").exists()


def test_a_wrong_suffix_or_case_gets_a_suggestion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fish.yaml").write_text("problem: queens\nparams: {N: 8}\n")
    Path("sub").mkdir()
    Path("sub/plan.csv").touch()
    for target, wanted in {"fish.yml": "fish.yaml", "FISH.yaml": "fish.yaml", "sub/plan.json": "sub/plan.csv"}.items():
        if not Path(target).exists():
            assert run_here(["count", target]) == 2
            assert f"did you mean '{wanted}'?" in capfd.readouterr().err
    for arguments in (["fish.yaml"], ["queens", "N=8"]):
        assert run_here(["count", *arguments]) == 2
        assert "unknown parameter 'N'; did you mean 'n'?" in capfd.readouterr().err


def test_a_bar_that_is_glued_to_an_item(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "glued.dlx"
    file.write_text("a b |c d\na c\nb c\nb d\n")
    assert run_here(["count", str(file)]) == 0
    assert capfd.readouterr().out == "1\n"


def test_costs_with_decimal_commas(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "crew.csv"
    file.write_text("crew;cost;a;b\nAnn;1,5;x;\nBob;2;;x\nCid;3,6;x;x\n")
    assert run_here(["solve", str(file), "--cheapest", "1"]) == 0
    assert "(cost 3.5)" in capfd.readouterr().out


QUEENS = ("r1c2", "r2c4", "r3c1", "r4c3")


def model_of(cnf: str, chosen: Iterable[str]) -> str:
    """What a solver prints that chooses these options."""
    labels = [line.split()[2] for line in cnf.splitlines() if line.startswith("c ")]
    literals = [number if label in chosen else -number for number, label in enumerate(labels, 1)]
    return f"c by hand\ns SATISFIABLE\nv {' '.join(map(str, literals))} 0\n"


@pytest.mark.parametrize("flags", [[], ["--given", "r1c2"], ["--without", "r1c1"]])
def test_verify_reads_the_answer_of_another_solver(flags: list[str]) -> None:
    cnf = invoke("convert", "queens", "n=4", "--format", "cnf", *flags).stdout
    verify = ("verify", "queens", "n=4", *flags, "--model", "-")
    done = invoke(*verify, input=model_of(cnf, QUEENS))
    assert (done.returncode, {*done.stdout.split()}) == (0, {one for one in QUEENS if one not in flags})
    done = invoke(*verify, input=model_of(cnf, QUEENS[:3]))
    assert (done.returncode, done.stdout) == (4, "")
    assert "not covered" in done.stderr
    done = invoke(*verify, input="s UNSATISFIABLE\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the solver states that there is no model" in done.stderr


def test_verify_takes_its_file_anywhere_and_stops_at_ten_faults(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "queens.jsonl"
    assert run_here(["solve", "queens", "n=8", "--all", "-o", str(file)]) == 0
    assert run_here(["verify", "queens", str(file), "n=8"]) == 0
    assert run_here(["verify", "queens", "n=8", str(file)]) == 0
    assert run_here(["verify", "queens", "n=8"]) == 2
    assert "expected one FILE" in capfd.readouterr().err
    assert run_here(["verify", "queens", "n=7", str(file)]) == 4
    assert len(capfd.readouterr().err.splitlines()) == 1
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *[line.replace('"options": [', '"options": [99, ') for line in lines[1:]]]))
    assert run_here(["verify", "queens", "n=8", str(file)]) == 4
    said = capfd.readouterr().err.splitlines()
    assert len(said) == 11
    assert said[-1].endswith("82 more faults")


def test_batch_tells_one_from_several(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("1...\n....\n....\n....\n\n1...\n1...\n....\n....\n\n1234\n3412\n2143\n4321\n")
    assert run_here(["batch", "sudoku", str(file), "box=2x2", "--outcome"]) == 1
    captured = capfd.readouterr()
    assert [line.split("\t")[0] for line in captured.out.splitlines() if "\t" in line] == ["several", "none", "one"]
    assert "3 instances: 1 with one solution, 1 with several solutions, 1 with no solution" in captured.err
    file.write_text("1...\n....\n....\n....\n")
    assert run_here(["batch", "sudoku", str(file), "box=2x2"]) == 0
    assert run_here(["batch", "sudoku", str(file), "box=2x2", "--unique"]) == 1


def test_progress_without_a_terminal_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import exactcover.cli.progress

    monkeypatch.setattr(exactcover.cli.progress, "LINE_INTERVAL", 0.05)
    tiling = ["polyomino", "board=14x14", "pieces=dominoes", "copies=any", "--engine", "sets", "--timeout"]
    assert run_here(["count", *tiling, "1"]) == 3
    assert "nodes, " in capfd.readouterr().err
    assert run_here(["count", *tiling, "0.2", "-q"]) == 3
    assert "nodes, " not in capfd.readouterr().err


def test_help_for_a_verb(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_here(["help"]) == 0
    assert "solve" in capfd.readouterr().out
    assert run_here(["help", "count"]) == 0
    assert "Usage: exactcover count" in capfd.readouterr().out
    assert run_here(["help", "cuont"]) == 2
    assert "did you mean 'count'?" in capfd.readouterr().err
    assert run_here(["help", "batch"]) == 0
    assert "\\b" not in capfd.readouterr().out


@pytest.mark.parametrize(
    ("verb", "flag"), [("count", "--given"), ("count", "--without"), ("count", "--project"), ("solve", "--keep")]
)
def test_a_typed_label_is_not_one_of_two_that_print_alike(verb: str, flag: str, tmp_path: Path) -> None:
    plugin = write_plugin(tmp_path, "Alike", "def options(self):\n    return {1: ['a'], '1': ['a'], 2: ['a']}.items()")
    typed = run("--plugin", plugin, verb, "alike", flag, "1")
    assert (typed.returncode, typed.stdout) == (2, "")
    assert "several labels have the text '1': 1 and '1'" in typed.stderr
    written = run("--plugin", plugin, "diagram", "alike", "-o", str(tmp_path / "alike.zdd"))
    assert (written.returncode, written.stdout) == (2, "")
    assert "cannot tell the labels 1 and '1' apart" in written.stderr


@pytest.mark.parametrize(("suffix", "others"), [(".yaml", []), (".dlx", []), (".zdd", []), (".json", [".csv"])])
def test_a_file_beside_a_name_without_its_suffix_is_suggested(
    suffix: str, others: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for ending in (suffix, *others):
        Path(f"fish{ending}").write_text("")
    result = invoke("solve", "fish")
    assert (result.returncode, result.stdout) == (2, "")
    assert "there is no problem called 'fish'" in result.stderr
    assert result.stderr.endswith(f"; to use the file, write fish{suffix}\n")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        *(
            (["count", f"odd.{suffix}"], f"odd.{suffix}: the file is not UTF-8 text")
            for suffix in ("dlx", "json", "csv")
        ),
        (["count", "odd.yaml"], "odd.yaml:1:2: the file is not valid UTF-8 text"),
        (["verify", "queens", "odd.jsonl"], "odd.jsonl: the file is not UTF-8 text"),
        (["verify", "queens", "--model", "odd.txt"], "odd.txt: the file is not UTF-8 text"),
        (["count", "words.yaml"], "words.yaml:2:24: words: odd.txt is not UTF-8 text"),
        (["run", "take", "1/1", "odd.parts", "-o", "x"], "odd.parts cannot be read: it is not UTF-8 text"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_file_that_is_not_utf_8_is_said_once_and_in_plain_words(
    args: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for suffix in ("dlx", "json", "csv", "yaml", "jsonl", "txt", "parts"):
        Path(f"odd.{suffix}").write_bytes(b"a\xff\xfe b")
    Path("words.yaml").write_text('problem: crossword\nparams: {grid: [".."], words: odd.txt}\n')
    result = invoke(*args)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == f"error: {words}"
