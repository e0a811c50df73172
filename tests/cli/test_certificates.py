"""``--certificate`` and ``certify``: what is written, what is refused, and what stays as it was."""

import gc
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from certified import CHECKERS, read, verify, write
from commands import assert_refused, invoke
from commands import run as run_alone
from damage import pack, unpack
from exactcover.cli import certify as verb
from exactcover.cli.main import run
from exactcover.engines.base import ENGINES
from exactcover.model.matrix import native


@pytest.mark.parametrize(("args", "words"), [
    (["count", "queens", "n=6"], "4 solutions"),
    (["count", "queens", "n=6", "--no-symmetry", "--strategy", "search"], "4 solutions"),
    (["count", "queens", "n=6", "--distinct"], "1 class of solutions"),
    (["count", "queens", "n=6", "--given", "r1c2"], "1 solution"),
    (["count", "queens", "n=6", "--without", "r1c2"], "3 solutions"),
    (["count", "queens", "n=3"], "0 solutions"),
    (["solve", "queens", "n=6", "--all"], "4 solutions with the digest "),
    (["solve", "queens", "n=6", "--limit", "10"], "4 solutions with the digest "),
    (["solve", "queens", "n=3"], "0 solutions"),
    (["solve", "queens", "n=6", "--given", "r1c1", "--given", "r1c2"], "0 solutions"),
    (["solve", "polyomino", "board=10x10", "pieces=tetrominoes.L", "copies=any"], "0 solutions"),  # by weights
    (["solve", "queens", "n=6", "--given", "r1c2", "--without", "r2c4", "--all"], "0 solutions"),
    (["solve", "queens", "n=6", "--given", "r1c2", "--without", "r6c6", "--all"], "1 solution with the digest "),
    (["solve", "crews.yaml"], "the cheapest solution, which costs 590,"),
    (["solve", "shifts.yaml", "--cheapest", "2"], "the 2 cheapest solutions, which cost 315 and 325,"),
    (["diagram", "queens", "n=6"], "4 solutions"),
])  # fmt: skip
def test_answers_are_certified(tmp_path: Path, args: list[str], words: str) -> None:
    path = str(tmp_path / "answer.cert")
    plain, certified = invoke(*args), invoke(*args, "--certificate", path)
    assert (certified.returncode, certified.stdout) == (plain.returncode, plain.stdout)
    result = invoke("certify", path)
    assert result.returncode == 0
    assert result.stdout.startswith(f"certified: {words}")
    for checker in CHECKERS:
        assert f"certified: {verify(Path(path).read_bytes(), checker)}\n" == result.stdout


def test_the_target_is_compared(tmp_path: Path) -> None:
    path = str(tmp_path / "queens.cert")
    assert invoke("count", "queens", "n=6", "--without", "r1c2", "--certificate", path).returncode == 0
    assert invoke("certify", path, "queens", "n=6", "--without", "r1c2").returncode == 0
    words = "not certified: the certificate is not about queens n=6: the option r1c2 is excluded in the"
    assert_refused(words, "certify", path, "queens", "n=6", status=4)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of the number of solutions of 6 queens."""
    path = tmp_path / "queens.cert"
    assert invoke("count", "queens", "n=6", "--certificate", str(path)).returncode == 0
    return path


def test_what_differs_from_the_target_is_named(certificate: Path) -> None:
    for target, words in [
        (["queens", "n=8"], "not about queens n=8: n is 6 in the certificate, 8 in the target"),
        (["queens"], "not about queens: n is 6 in the certificate, 8 in the target"),
        (["latin", "n=6"], "not about latin n=6: it is declared as queens"),
        (["queens", "n=6", "--given", "r1c2"], "the option r1c2 is given in the target alone"),
    ]:
        assert_refused(words, "certify", str(certificate), *target, status=4)


def test_what_differs_in_items_options_and_costs_is_named(tmp_path: Path) -> None:
    stated = {
        "secondary": ["c"],
        "options": [
            {"label": "x", "items": ["a", "b"], "cost": 1},
            {"label": "y", "items": ["a", ["c", "blue"]]},
            {"label": "z", "items": ["b", ["c", "red"]]},
        ],
    }
    text = json.dumps(stated)
    certificate, own, other = (tmp_path / name for name in ("a.cert", "own.json", "other.json"))
    own.write_text(text)
    assert invoke("count", str(own), "--certificate", str(certificate)).returncode == 0
    for old, new, words in [
        ('["a", "b"]', '["a"]', "the option x has other items in the certificate than in the target"),
        ('"cost": 1', '"cost": "1.5"', "the option x costs 1 in the certificate, but 1.5 in the target"),
        ('"blue"', '"red"', "the option z gives c another color in the certificate"),
        ('["c", "blue"]', '"c"', "the option y gives c another color in the certificate"),
        ('"a"', '"d"', "only the certificate has the item a"),
        ('"x"', '"v"', "only the certificate has the option x"),
        ("{", '{"multiplicity": {"a": [0, 2]}, ', "the item a is to be covered 1 times in the certificate, but to be"),
    ]:
        other.write_text(text.replace(old, new, 1) if old != '"a"' else text.replace(old, new))
        assert_refused(words, "certify", str(certificate), str(other), status=4)


def test_the_target_is_compared_by_meaning(tmp_path: Path) -> None:
    path = str(tmp_path / "a.cert")
    options: list[dict[str, Any]] = [
        {"label": "x", "items": ["a", "b"], "cost": "0.5"},
        {"label": "y", "items": ["a", ["c", "red"]]},
        {"label": "z", "items": ["b", ["c", "blue"]], "cost": 2},
        {"label": "w", "items": ["b", ["c", "red"]], "cost": 1},
    ]
    mixed = [{**option, "items": option["items"][::-1]} for option in options[::-1]]
    for name, primary, rows in [("one", ["a", "b"], options), ("other", ["b", "a"], mixed)]:
        document = {"primary": primary, "secondary": ["c"], "options": rows}
        (tmp_path / f"{name}.json").write_text(json.dumps(document).replace('"0.5"', '"0.50"'))
    one, other = (str(tmp_path / f"{name}.json") for name in ("one", "other"))
    for verb_args in (["count"], ["count", "--distinct"], ["solve", "--all"], ["solve", "--cheapest", "1"]):
        assert invoke(*verb_args, one, "--certificate", path).returncode == 0
        assert invoke("certify", path, other).returncode == 0
    given = ["--given", "y", "--given", "w"]
    assert invoke("count", one, *given, "--certificate", path).returncode == 0
    assert invoke("certify", path, other, "--given", "w").returncode == 4
    assert invoke("certify", path, other, "--given", "w", "--given", "y").returncode == 0


def test_symmetries_are_those_of_the_target(tmp_path: Path) -> None:
    path = tmp_path / "classes.cert"
    for distinct, words in (("all", "all symmetries"), ("rotations", "all rotations")):
        assert invoke("count", "queens", "n=6", "--distinct", distinct, "--certificate", str(path)).returncode == 0
        result = invoke("certify", str(path), "queens", "n=6")
        assert result.returncode == 0
        assert f"; these are {words} of the target; it is about queens n=6" in result.stdout
    files = read(path.read_bytes())
    assert invoke("count", "queens", "n=6", "--no-symmetry", "--certificate", str(path)).returncode == 0
    count = read(path.read_bytes())
    files |= {"claim": {"claim": "classes", "number": 4, "maps": []}, "steps": count["steps"], "nodes": count["nodes"]}
    path.write_bytes(write(files))
    assert invoke("certify", str(path)).returncode == 0
    words = "the classes are those under 1 symmetry, but the target has 8 symmetries and 4 rotations"
    assert_refused(words, "certify", str(path), "queens", "n=6", status=4)


@pytest.mark.parametrize(("program", "status", "words"), [
    ("import sys; sys.exit(1)", 70, "the checker failed with status 1, so nothing is known"),
    ("import sys; sys.exit('OpenBLAS')", 70, "the checker failed with status 1, so nothing is known: OpenBLAS"),
    ("pass", 70, "the checker failed with status 0, so nothing is known"),
    ("import sys; print('certified: all'); sys.exit(1)", 70, "failed with status 1"),
    ("import sys; print('not certified: all'); sys.exit(0)", 70, "failed with status 0"),
    ("import sys; sys.stdout.write('certified: half')", 70, "failed with status 0"),
    ("import os; os.kill(os.getpid(), 11)", 70, "was ended by SIGSEGV"),
    ("import os; os.kill(os.getpid(), 9)", 3, "there is not enough memory for the checker"),
    ("import os; os.abort()", 70, "was ended by SIGABRT"),
    ("raise MemoryError", 3, "there is not enough memory for the checker"),
    ("import sys; print('stopped: there is not enough memory'); sys.exit(3)", 3, "there is not enough memory"),
    ("import sys; print('not certified: no'); sys.exit(1)", 4, "not certified: no"),
])  # fmt: skip
def test_only_the_words_of_a_finished_check_are_a_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, status: int, words: str
) -> None:
    checker = tmp_path / "checker.py"
    checker.write_text(program)
    monkeypatch.setattr(verb, "CHECKER", checker)
    assert_refused(words, "certify", str(tmp_path / "any.cert"), status=status)


def test_a_checker_that_cannot_be_started_is_not_a_verdict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    assert_refused("the checker cannot be started: No such file or directory", "certify", "any.cert", status=70)


def test_the_quick_checker_needs_the_native_module(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "ENGINES", {})  # a key that is put back into the real one would come last
    assert_refused("--quick needs the native module", "certify", str(certificate), "--quick")
    assert invoke("certify", str(certificate)).returncode == 0


@pytest.mark.parametrize("quick", [False, True] if native is not None else [False])
@pytest.mark.parametrize("member", ["nodes", "problem.json", "proof.json"])
def test_bombs_are_not_unpacked(certificate: Path, member: str, quick: bool) -> None:
    members = unpack(certificate.read_bytes())
    members[member] += bytes(100 << 20) if member == "nodes" else b"[],[]," * 17_476_300
    certificate.write_bytes(pack(members))
    assert certificate.stat().st_size < 3_000_000
    status, words = (3, "there is not enough memory") if quick else (4, "steps or nodes are left over")
    if member != "nodes":
        status, words = 2, "would unpack to"
    flags = ["--quick"] if quick else []
    assert_refused(words, "certify", str(certificate), "--memory", "50M", *flags, status=status)


def test_the_memory_limit_holds_for_the_checker(certificate: Path) -> None:
    files = read(certificate.read_bytes())
    files["claim"]["ignored"] = [{} for _ in range(1_000_000)]
    certificate.write_bytes(write(files))
    assert_refused("stopped: there is not enough memory", "certify", str(certificate), "--memory", "1M", status=3)
    assert invoke("certify", str(certificate), "--memory", "1G").returncode == 0


def test_a_long_check_says_how_long_it_takes(certificate: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["certify", str(certificate)]) == 0
    assert capsys.readouterr().err == ""
    files = unpack(certificate.read_bytes())
    certificate.write_bytes(pack(files | {"nodes": files["nodes"] + bytes(2 * 10**6)}))
    assert run(["certify", str(certificate)]) == 4
    said = capsys.readouterr().err
    assert re.match("about 2,?000,?000 nodes to check, which takes about 12 seconds", said)
    assert ("with --quick, about 2 seconds" in said) == (native is not None)
    assert run(["certify", str(certificate), "-q"]) == 4
    assert "nodes to check" not in capsys.readouterr().err


@pytest.mark.skipif(native is None, reason="sweeps need the native module")
def test_the_states_of_a_sweep_say_how_long_its_check_takes(tmp_path: Path) -> None:
    file = tmp_path / "dominoes.cert"
    dominoes = ["polyomino", "board=8x8", "pieces=dominoes", "copies=any"]
    assert invoke("count", *dominoes, "--certificate", str(file), "--strategy", "sweep").returncode == 0
    result = invoke("certify", str(file))
    assert result.returncode == 0 and "nodes to check" not in result.stderr
    files = read(file.read_bytes())
    assert files["steps"][0]["states"] > 100
    files["steps"][0]["states"] = 72 * 10**6 // 64
    file.write_bytes(write(files))
    result = invoke("certify", str(file))
    assert result.returncode == 0
    assert re.match("about 2,?000,?000 nodes to check, which takes about 12 seconds", result.stderr)
    strange: list[Any] = [-1, "many", " 99 ", None, [], 10**50, 10**320, -(10**400)]
    for wrong in strange:
        files["steps"][0]["states"] = wrong
        file.write_bytes(write(files))
        assert invoke("certify", str(file)).returncode == 0


@pytest.mark.parametrize(("args", "words"), [
    (["solve", "queens", "--distinct"], "--distinct cannot be combined"),
    (["solve", "queens", "-o", "answer.cert"], "name the same file"),
    (["count", "queens", "--certificate", "-"], "cannot both go to standard output"),
])  # fmt: skip
def test_flags_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], words: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(words, *args, *([] if "--certificate" in args else ["--certificate", "answer.cert"]))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("args", "status", "words"), [
    (["solve", "queens", "n=6"], 0, "a solution needs no proof"),
    (["solve", "queens", "n=6", "--all", "--timeout", "0"], 3, "stopped by the timeout"),
    (["count", "queens", "n=6", "--timeout", "0"], 3, "stopped by the timeout"),
    (["diagram", "queens", "n=6", "--timeout", "0"], 3, "stopped by the timeout"),
])  # fmt: skip
def test_an_old_file_stays(tmp_path: Path, args: list[str], status: int, words: str) -> None:
    path = tmp_path / "answer.cert"
    path.write_text("old")
    result = invoke(*args, "--certificate", str(path))
    assert result.returncode == status
    assert words in result.stderr
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("flags", [[], ["--quick"]] if "native" in ENGINES else [[]])
@pytest.mark.parametrize(("members", "words"), [
    ({"problem.json": b"{"}, "its JSON is not valid: Expecting property name"),
    ({"problem.json": b"\xff\xff"}, "its JSON is not UTF-8 text"),
    ({"problem.json": b"[" * 100_000}, "it is nested too deeply"),
    ({"problem.json": b"[]"}, "what it states does not have the form of a certificate"),
    ({"problem.json": b'{"format": 1.5}'}, "1.5 is not a whole number"),
    ({}, "format is missing"),
])  # fmt: skip
def test_why_a_certificate_cannot_be_read_is_said_in_words(
    members: dict[str, bytes], words: str, flags: list[str], tmp_path: Path
) -> None:
    plain = {"nodes": b"", "problem.json": b"{}", "proof.json": b"[{}]"}
    (tmp_path / "bad.cert").write_bytes(pack(plain | members))
    gc.collect()  # destructors of what other tests left would fail in the depth of the recursion
    result = invoke("certify", str(tmp_path / "bad.cert"), *flags)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{tmp_path / 'bad.cert'}: cannot be read: {words}")


def test_a_certificate_is_read_from_standard_input(certificate: Path) -> None:
    for args in (["-", "queens", "n=6"], ["-", *(["--quick"] if "native" in ENGINES else [])], ["/dev/stdin"]):
        with subprocess.Popen(["cat", str(certificate)], stdout=subprocess.PIPE) as cat:
            result = run_alone("certify", *args, stdin=cat.stdout)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.startswith("certified: 4 solutions")
    result = invoke("certify", "-", input="text")
    words = "standard input: cannot be read: it is not a ZIP archive, or it is damaged\n"
    assert (result.returncode, result.stderr) == (2, words)
    assert_refused("only one of FILE and TARGET can be standard input", "certify", "-", "-")


def test_why_a_file_is_no_certificate_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text")
    for name, words in (
        ("none", "No such file or directory"),
        ("", "Is a directory"),
        ("text", "it is not a ZIP archive, or it is damaged"),
    ):
        result = invoke("certify", str(tmp_path / name))
        assert (result.returncode, result.stderr) == (2, f"{tmp_path / name}: cannot be read: {words}\n")
    assert invoke("certify", str(tmp_path / "text"), "--timeout", "0").returncode == 3
    assert invoke("certify").returncode == 2


def test_a_verdict_names_the_target_as_it_was_typed_and_cuts_what_is_long(tmp_path: Path) -> None:
    path = str(tmp_path / "nine.cert")
    assert invoke("count", "sudoku_9x9.yaml", "--certificate", path).returncode == 0
    assert invoke("certify", path, "sudoku_9x9.yaml").stdout.endswith("; it is about sudoku_9x9.yaml\n")
    words = "the certificate is not about sudoku grid=123456789.............................. box=3x3: "
    result = invoke("certify", path, "sudoku", "grid=123456789" + "." * 72, "box=3x3")
    assert (result.returncode, result.stdout) == (4, "")
    assert result.stderr.startswith("not certified: " + words.replace(" box=", "… box="))
