"""Help and completion: flags in groups, families by distribution, and what a shell completes."""

import re

import click
import pytest
from click.shell_completion import ShellComplete

from commands import assert_refused, invoke, show
from exactcover.cli.main import cli, run


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_families_files_and_parameters_are_completed(
    shell: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def complete(*words: str) -> str:
        monkeypatch.setenv("_EXACTCOVER_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("exactcover", *words)))
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words)))
        with pytest.raises(SystemExit) as ended:
            run([])
        assert not ended.value.code
        shown = capfd.readouterr()
        assert shown.err == ""
        return shown.out

    assert "plain" in complete("solve", "que")
    assert "queens" in complete("solve", "que")
    assert "queens_8.yaml" in complete("count", "queens_")
    assert "file" in complete("count", "./")
    assert "board=" in complete("solve", "polyomino", "bo")
    assert "placed=" in complete("solve", "queens_8.yaml", "pl")
    assert "sudoku" in complete("problems", "sud")
    assert complete("solve", "no_such_file.yaml", "bo").strip() == ""


def offer(*args: str, word: str = "") -> list[tuple[str, str]]:
    """Return type and text of what a shell is offered for a word after others."""
    shell = ShellComplete(cli, {}, "exactcover", "_EXACTCOVER_COMPLETE")
    return [(one.type, one.value) for one in shell.get_completions(list(args), word)]


@pytest.mark.parametrize("word", ["", "que", "queens_", "./", "./que", "folder/que", "/", "no_such"])
def test_families_and_files_are_never_offered_together(word: str) -> None:
    offered = offer("solve", word=word)
    known = word in ("", "que", "queens_")
    assert {kind for kind, _ in offered} == {"plain" if known else "file"}
    assert known == (("plain", "queens_8.yaml") in offered or word == "")


def test_engines_are_completed() -> None:
    assert offer("solve", "queens", "--engine", word="se") == [("plain", "sets")]


def test_a_shell_completes_files_and_folders() -> None:
    for args in (["run", "resume"], ["verify", "queens", "n=6"], ["solve", "queens", "-o"], ["certify"], ["--plugin"]):
        assert offer(*args, word="folder/some") == [("file", "folder/some")]
    for args in (["run", "list"], ["studio"], ["new", "knights", "-o"]):
        assert offer(*args, word="fol") == [("dir", "fol")]


def test_every_argument_and_flag_that_names_a_file_is_completed() -> None:
    found = []
    groups = [click.Context(cli)]
    for context in groups:
        assert isinstance(context.command, click.Group)
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            assert command is not None
            inner = click.Context(command, parent=context)
            groups += [inner] if isinstance(command, click.Group) else []
            for parameter in [*command.params, *(cli.params if context is groups[0] else [])]:
                if re.match(r"\W*(FILE|STORE|PARTS|RESULTS|FOLDER)", parameter.make_metavar(inner)):
                    found.append((name, parameter.name))
                    kinds = {one.type for one in parameter.shell_complete(inner, "no/such")}
                    assert kinds <= {"file", "dir"}, found[-1]
                    assert kinds, found[-1]
    assert len(found) > 40


def test_parameters_are_completed_beside_files() -> None:
    assert offer("verify", "queens", word="pl") == [("plain", "placed=")]
    assert offer("batch", "sudoku", "some.txt", word="gr") == [("plain", "grid=")]
    assert ("plain", "sudoku") in offer("batch", word="sud")


def test_help_completes_and_explains_verbs_of_verbs() -> None:
    assert offer("help", word="so") == [("plain", "solve")]
    assert ("plain", "status") in offer("help", "run", word="st")
    assert offer("help", "solve", word="st") == offer("help", "solv", word="st") == []
    assert invoke("help", "run", "start").stdout == invoke("run", "start", "--help").stdout
    assert invoke("help", "run").stdout == invoke("run", "--help").stdout
    for words, fault in (
        (("cuont",), "there is no verb 'cuont'; did you mean 'count'?"),
        (("run", "star"), "there is no verb 'star'; did you mean 'start'?"),
        (("solve", "queens"), "solve has no verbs, so 'queens' cannot be explained"),
    ):
        result = invoke("help", *words)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.endswith(f"error: {fault}\n")


def test_flags_are_explained_in_groups_and_the_target_is_no_flag() -> None:
    shown = invoke("solve", "--help").stdout
    titles = re.findall(r"^(\w.*):$", shown, re.MULTILINE)
    assert ", ".join(titles) == "Options, Output, Plans, Search, Records of the search, Problem, Limits and messages"
    assert "\n  TARGET" not in shown.partition("Options:")[2]


def test_plugin_after_the_verb_is_told_its_place() -> None:
    for verb in ("solve", "count", "problems"):
        words = "--plugin comes before the verb: exactcover --plugin FILE.py:Class VERB"
        assert_refused(words, verb, "queens", "--plugin", "a.py:A")


def test_families_are_listed_by_distribution_within_the_terminal() -> None:
    listed = invoke("problems").stdout
    assert listed.count("exactcover-toolkit") == 1
    assert re.search(r"^  queens +\S", listed, re.MULTILINE)
    shown = show("problems", columns=60).replace("\r", "").splitlines()
    assert len(shown) > len(listed.splitlines())
    assert max(map(len, shown)) <= 60


def test_help_for_every_verb() -> None:
    assert invoke().stdout == invoke("help").stdout
    for verb in cli.list_commands(click.Context(cli)):
        assert verb in invoke("help").stdout
        shown = invoke(verb, "--help").stdout
        assert f"Usage: exactcover {verb}" in shown and "\\b" not in shown
