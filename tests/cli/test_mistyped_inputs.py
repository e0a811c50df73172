"""Mistyped names and unusual notations: understood, or refused with what was meant."""

from pathlib import Path

import pytest

from commands import assert_refused, invoke, write_plugin


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_wrong_suffix_or_case_gets_a_suggestion() -> None:
    Path("fish.yaml").write_text("problem: queens\nparams: {N: 8}\n")
    Path("sub").mkdir()
    Path("sub/plan.csv").touch()
    for target, wanted in {"fish.yml": "fish.yaml", "FISH.yaml": "fish.yaml", "sub/plan.json": "sub/plan.csv"}.items():
        if not Path(target).exists():
            assert f"did you mean '{wanted}'?" in invoke("count", target).stderr
    for arguments in (["fish.yaml"], ["queens", "N=8"]):
        assert_refused("unknown parameter 'N'; did you mean 'n'?", "count", *arguments)


def test_a_bar_that_is_glued_to_an_item() -> None:
    Path("glued.dlx").write_text("a b |c d\na c\nb c\nb d\n")
    assert invoke("count", "glued.dlx").stdout == "1\n"


def test_costs_with_decimal_commas() -> None:
    Path("crew.csv").write_text("crew;cost;a;b\nAnn;1,5;x;\nBob;2;;x\nCid;3,6;x;x\n")
    assert "(cost 3.5)" in invoke("solve", "crew.csv", "--cheapest", "1").stdout


@pytest.mark.parametrize(
    ("verb", "flag"), [("count", "--given"), ("count", "--without"), ("count", "--project"), ("solve", "--keep")]
)
def test_a_typed_label_is_not_one_of_two_that_print_alike(verb: str, flag: str, tmp_path: Path) -> None:
    plugin = write_plugin(tmp_path, "Alike", "def options(self):\n    return {1: ['a'], '1': ['a'], 2: ['a']}.items()")
    assert_refused("several labels have the text '1': 1 and '1'", "--plugin", plugin, verb, "alike", flag, "1")
    words = "cannot tell the labels 1 and '1' apart"
    assert_refused(words, "--plugin", plugin, "diagram", "alike", "-o", "alike.zdd")


@pytest.mark.parametrize(("suffix", "others"), [(".yaml", []), (".dlx", []), (".zdd", []), (".json", [".csv"])])
def test_a_file_beside_a_name_without_its_suffix_is_suggested(suffix: str, others: list[str]) -> None:
    for ending in (suffix, *others):
        Path(f"fish{ending}").write_text("")
    result = invoke("solve", "fish")
    assert (result.returncode, result.stdout) == (2, "")
    assert "there is no problem called 'fish'" in result.stderr
    assert result.stderr.endswith(f"; to use the file, write fish{suffix}\n")


@pytest.mark.parametrize(("args", "words"), [
    *(
        (["count", f"odd.{suffix}"], f"odd.{suffix}: the file is not UTF-8 text")
        for suffix in ("dlx", "json", "csv")
    ),
    (["count", "odd.yaml"], "odd.yaml:1:2: the file is not valid UTF-8 text"),
    (["verify", "queens", "odd.jsonl"], "odd.jsonl: the file is not UTF-8 text"),
    (["verify", "queens", "--model", "odd.txt"], "odd.txt: the file is not UTF-8 text"),
    (["count", "words.yaml"], "words.yaml:2:24: words: odd.txt is not UTF-8 text"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")  # fmt: skip
def test_a_file_that_is_not_utf_8_is_said_once_and_in_plain_words(args: list[str], words: str) -> None:
    for suffix in ("dlx", "json", "csv", "yaml", "jsonl", "txt"):
        Path(f"odd.{suffix}").write_bytes(b"a\xff\xfe b")
    Path("words.yaml").write_text('problem: crossword\nparams: {grid: [".."], words: odd.txt}\n')
    result = invoke(*args)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"error: {words}")
