"""Every bundled configuration with every verb and format, and every pair of flags: no traceback, no false proof."""

import itertools
import json

import pytest

from exactcover.cli.main import run as run_here
from exactcover.encoders.finding import find_configs

CONFIGS = sorted(find_configs())
VERBS = [
    *(["solve", "--format", name] for name in ("text", "json", "jsonl", "csv", "csv-wide", "svg")),
    ["solve", "--cheapest", "1"],
    ["count"],
    ["count", "--format", "json"],
    ["check"],
    ["check", "--format", "json"],
    ["check", "--reduce"],
    ["estimate", "--probes", "3"],
    ["estimate", "--probes", "3", "--format", "json"],
    ["explain"],
    *(["convert", "--format", name] for name in ("dlx", "json", "csv", "cnf", "opb", "mtx")),
    ["generate"],
]
LIMITS = ["--timeout", "0.1", "--memory", "500M", "-q"]


@pytest.mark.parametrize("config", CONFIGS)
def test_every_verb_with_every_configuration(config: str, capfd: pytest.CaptureFixture[str]) -> None:
    for verb, *flags in VERBS:
        status = run_here([verb, config, *flags, *LIMITS])
        captured = capfd.readouterr()
        said = (verb, flags, status, captured.err)
        assert "Traceback" not in captured.err, said
        assert status in (0, 2, 3), said  # all of them have solutions, so 1 would be a lie
        if status == 2:
            assert "draws no pictures" in captured.err or verb in ("convert", "generate", "estimate"), said
        if status == 0 and flags[-2:] == ["--format", "json"]:
            json.loads(captured.out)


SOLVE = [
    ["--all"], ["--limit", "2"], ["--cheapest", "2"], ["--distinct"], ["--distinct", "rotations"], ["--restarts"],
    ["--seed", "1"], ["--engine", "sets"], ["--engine", "diagram"], ["--engine", "cpsat"], ["--jobs", "2"],
    ["--heuristic", "weighted"], ["--heuristic", "leftmost"], ["--reduce"], ["--no-reduce"], ["--merge"], ["--stats"],
    ["--shape", "/dev/null"], ["--given", "r1c2"], ["--without", "r1c2"], ["-v"], ["-q"], ["--memory", "100M"],
    ["--timeout", "20"], ["--format", "json"], ["--format", "csv"], ["--format", "svg"], ["--no-header"],
    ["--escape-formulas"],
]  # fmt: skip
COUNT = [
    flag
    for flag in SOLVE
    if flag[0] not in ("--all", "--limit", "--cheapest", "--restarts", "--seed", "--no-header", "--escape-formulas")
    and flag[-1] not in ("csv", "svg")
]
COUNT += [["--strategy", name] for name in ("search", "sweep", "memo")]


@pytest.mark.parametrize("flag", SOLVE, ids=" ".join)
def test_every_pair_of_flags_of_solve(flag: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    for other in SOLVE[SOLVE.index(flag) :]:
        for n, statuses in ((6, (0, 2)), (3, (1, 2)))[: 1 + (other == flag)]:
            status = run_here(["solve", "queens", f"n={n}", *flag, *(other if other != flag else [])])
            captured = capfd.readouterr()
            clash = {"--given", "--without"} == {flag[0], other[0]}
            assert status in (statuses if not clash else (1,)), (flag, other, n, status, captured.err)
            assert "Traceback" not in captured.err


@pytest.mark.parametrize("flag", COUNT, ids=" ".join)
def test_every_pair_of_flags_of_count(flag: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    for other in COUNT[COUNT.index(flag) :]:
        status = run_here(["count", "queens", "n=6", *flag, *(other if other != flag else [])])
        captured = capfd.readouterr()
        said = (flag, other, status, captured.out, captured.err)
        assert status in (0, 2), said
        assert "Traceback" not in captured.err, said
        if status == 0:
            number = json.loads(captured.out)["solutions"] if "json" in (*flag, *other) else int(captured.out)
            both = (*flag, *other)
            mine = {option for option in ("--given", "--without") if option in both}
            expected = {frozenset(): 4, frozenset({"--given"}): 1, frozenset({"--without"}): 3}.get(frozenset(mine), 0)
            if "--distinct" in both and not mine:
                expected = 2 if "rotations" in both and "--distinct" in both else 1
            if "--distinct" in both and mine:  # the symmetries that keep the option in place
                assert number <= expected, said
            else:
                assert number == expected, said


def test_every_configuration_states_what_is_known() -> None:
    import yaml

    for name, path in find_configs().items():
        known = yaml.safe_load(path.read_text("utf-8")).get("known", {})
        assert {"solutions", "distinct"} & known.keys(), name


def test_the_same_flag_means_the_same_on_every_verb() -> None:
    from exactcover.cli.main import cli

    meanings: dict[str, set[str]] = {}
    for command in (command for name, command in cli.commands.items() if name != "new"):
        for parameter in command.params:
            for option in parameter.opts:
                if option in (
                    "-q",
                    "-v",
                    "--timeout",
                    "--memory",
                    "-o",
                    "--given",
                    "--without",
                    "--engine",
                    "--distinct",
                    "--seed",
                    "--format",
                    "-n",
                    "--input",
                ):
                    meanings.setdefault(option, set()).add(str(getattr(parameter, "help", "")))
    assert all(len(texts) == 1 for texts in meanings.values()), meanings
    targets = [command for command in cli.commands.values() if any(one.name == "target" for one in command.params)]
    for command, option in itertools.product(targets, ("-q", "-v", "--timeout", "--memory")):
        assert any(option in parameter.opts for parameter in command.params), (command.name, option)
