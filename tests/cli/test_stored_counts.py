"""``count --store``: a count that is kept in a file."""

from pathlib import Path

import pytest

from commands import assert_refused, invoke
from exactcover import Run


def test_a_count_is_kept_and_found_again(tmp_path: Path) -> None:
    for n, number in (("7", 6), ("3", 0)):
        store = str(tmp_path / f"{n}.run")
        for flags in (["--jobs", "1"], []):
            done = invoke("count", "queens", f"n={n}", "--given", "r2c3", "--store", store, *flags)
            assert (done.returncode, done.stdout) == (0, f"{number}\n"), done.stderr
        assert Run(store).count() == number


@pytest.mark.parametrize("other", [["n=8"], ["n=7", "--given", "r2c3"], ["n=7", "--without", "r2c3"]])
def test_a_store_for_something_else_is_left_alone(other: list[str], tmp_path: Path) -> None:
    store = tmp_path / "some.run"
    invoke("count", "queens", "n=7", "--store", str(store), "-q")
    before = store.read_bytes()
    words = "is the store of a run for something else; choose another file"
    assert_refused(words, "count", "queens", *other, "--store", str(store))
    assert store.read_bytes() == before


def test_a_list_is_not_a_count(tmp_path: Path) -> None:
    store = str(tmp_path / "some.run")
    invoke("run", "start", "queens", "n=6", "--all", "--store", store, "--create-only")
    assert "for something else" in invoke("count", "queens", "n=6", "--store", store).stderr


def test_a_count_that_contradicts_its_configuration(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("problem: queens\nparams: {n: 6}\nknown: {solutions: 5}\n")
    result = invoke("count", str(file), "--store", str(tmp_path / "some.run"))
    assert (result.returncode, result.stdout) == (4, "") and "counted 4 solutions, but" in result.stderr


def test_files_that_are_no_stores(tmp_path: Path) -> None:
    file = tmp_path / "some.run"
    file.write_text("not a store")
    assert_refused("error: ", "count", "queens", "n=6", "--store", str(file))
    assert file.read_text() == "not a store"
