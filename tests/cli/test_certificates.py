"""``--certificate`` and ``certify``: what is written, what is refused, and what stays as it was."""

from pathlib import Path

import pytest

from commands import invoke
from exactcover.symmetry.remainders import has_native_code


@pytest.mark.parametrize(
    ("args", "words"),
    [
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
        (["solve", "crews.yaml"], "the cheapest solutions, which cost [590],"),
        (["solve", "shifts.yaml", "--cheapest", "2"], "the cheapest solutions, which cost [315, 325],"),
        (["diagram", "queens", "n=6"], "4 solutions"),
    ],
)
def test_answers_are_certified(tmp_path: Path, args: list[str], words: str) -> None:
    path = str(tmp_path / "answer.cert")
    plain, certified = invoke(*args), invoke(*args, "--certificate", path)
    assert (certified.returncode, certified.stdout) == (plain.returncode, plain.stdout)
    result = invoke("certify", path)
    assert result.returncode == 0
    assert result.stdout.startswith(f"certified: {words}")
    if has_native_code():
        assert invoke("certify", path, "--quick").stdout == result.stdout


def test_the_target_is_compared(tmp_path: Path) -> None:
    path = str(tmp_path / "queens.cert")
    assert invoke("count", "queens", "n=6", "--without", "r1c2", "--certificate", path).returncode == 0
    assert invoke("certify", path, "queens", "n=6", "--without", "r1c2").returncode == 0
    result = invoke("certify", path, "queens", "n=6")
    assert (result.returncode, result.stdout) == (4, "")
    assert "not certified: the certificate is not about queens" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["count", "queens", "--engine", "native"], "leave out --engine"),
        (["count", "queens", "--jobs", "2"], "leave out --jobs"),
        (["count", "queens", "--search-log", "x"], "leave out --search-log"),
        (["solve", "queens", "--seed", "0"], "leave out --seed"),
        (["solve", "queens", "--distinct"], "leave out --distinct"),
        (["solve", "queens", "-o", "answer.cert"], "name the same file"),
    ],
)
def test_flags_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], words: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke(*args, "--certificate", "answer.cert")
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr
    assert not list(tmp_path.iterdir())


def test_the_certificate_and_the_results_need_two_files() -> None:
    result = invoke("count", "queens", "n=6", "--certificate", "-")
    assert (result.returncode, result.stdout) == (2, "")


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["solve", "queens", "n=6"], 0, "a solution needs no proof"),
        (["solve", "queens", "n=6", "--all", "--timeout", "0"], 3, "stopped by the timeout"),
        (["count", "queens", "n=6", "--timeout", "0"], 3, "stopped by the timeout"),
        (["diagram", "queens", "n=6", "--timeout", "0"], 3, "stopped by the timeout"),
    ],
)
def test_an_old_file_stays(tmp_path: Path, args: list[str], status: int, words: str) -> None:
    path = tmp_path / "answer.cert"
    path.write_text("old")
    result = invoke(*args, "--certificate", str(path))
    assert result.returncode == status
    assert words in result.stderr
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_are_not_certificates(tmp_path: Path) -> None:
    result = invoke("certify", str(tmp_path / "none"))
    assert (result.returncode, result.stdout) == (2, "")
    assert "cannot be read" in result.stderr
    (tmp_path / "text").write_text("text")
    assert invoke("certify", str(tmp_path / "text")).returncode == 2
    assert invoke("certify", str(tmp_path / "text"), "--timeout", "0").returncode == 3
    assert invoke("certify").returncode == 2


def test_a_diagram_file_has_no_certificate(tmp_path: Path) -> None:
    path = str(tmp_path / "queens.zdd")
    assert invoke("diagram", "queens", "n=6", "-o", path).returncode == 0
    result = invoke("count", path, "--certificate", str(tmp_path / "answer.cert"))
    assert result.returncode == 2
    assert "needs a problem" in result.stderr
