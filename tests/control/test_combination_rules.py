"""What cannot be asked for together is refused alike in Python, by flags and in files, by one table."""

import io
import itertools
from dataclasses import fields
from typing import Any

import pytest

from commands import assert_refused, invoke
from exactcover import ConfigError, Goal, Margin, Problem, Profile, SearchLogWriter, SearchOptions
from exactcover.cli.flags import Verb
from exactcover.config.configuration import read_text
from exactcover.control.options import NEEDS, RULES, ClashError, find_clash, list_features, name_flag

PAIRS = [pair for rule in RULES for pair in itertools.product(rule.features, rule.others)]
OPTIONS: dict[str, dict[str, Any]] = {
    "distinct": {"distinct": True}, "function": {"heuristic": min}, "jobs": {"jobs": 2},
    "leftmost": {"heuristic": "leftmost"}, "memory": {"memory": 9}, "nodes": {"nodes": 9},
    "reduce": {"reduce": True}, "restarts": {"restarts": True}, "seed": {"seed": 0}, "strategy": {"strategy": "memo"},
    "symmetry": {"symmetry": True}, "weighted": {"heuristic": "weighted"},
}  # fmt: skip
GOALS = {
    "all": Goal("all"), "cheapest": Goal("cheapest", 1), "count": Goal("count"), "diagram": Goal("diagram"),
    "gap": Goal("cheapest", 1, gap=Margin(1)), "limit": Goal("first", 1),
    "many_cheapest": Goal("cheapest", 2), "most": Goal("cheapest", 1, maximize=True), "several": Goal("first", 2),
    "within": Goal("cheapest", within=Margin(1)),
}  # fmt: skip
REST: dict[str, dict[str, Any]] = {
    "differing": {"differing": ["A"]}, "profile": {"profile": Profile()}, "project": {"project": ["A"]},
    "search_log": {"log": SearchLogWriter(io.BytesIO())},
}  # fmt: skip
USUAL_GOALS = {"differing": "cheapest", "restarts": "limit"}
"""The goals of features that are refused with any other one."""
FLAGS = {
    "all": ["--all"], "best_effort": ["--best-effort"], "certificate": ["--certificate", "x.cert"],
    "cheapest": ["--cheapest", "1"], "differing": ["--differ-in", "a"], "distinct": ["--distinct"],
    "engine": ["--engine", "sets"], "gap": ["--gap", "1"], "jobs": ["--jobs", "2"], "keep": ["--keep", "a"],
    "leftmost": ["--heuristic", "leftmost"], "limit": ["--limit", "1"], "many_cheapest": ["--cheapest", "2"],
    "merge": ["--merge"], "most": ["--most", "1"], "nodes": ["--nodes", "9"], "output": ["-o", "x"], "output_format": ["--format", "json"],
    "given": ["--given", "r1c1"], "project": ["--project", "a"], "soft": ["--soft"], "without": ["--without", "r1c1"], "quiet": ["-q"], "reduce": ["--reduce"],
    "restarts": ["--restarts"], "search_log": ["--search-log", "x"], "seed": ["--seed", "0"],
    "several": ["--limit", "2"], "shape": ["--shape", "x"], "stats": ["--stats"], "store": ["--store", "x.run"],
    "strategy": ["--strategy", "memo"], "symmetry": ["--symmetry"], "verbose": ["-v"],
    "weighted": ["--heuristic", "weighted"], "within": ["--within", "1"],
}  # fmt: skip
KEYS = {
    "all": "find: all", "best_effort": "best_effort: true", "cheapest": "cheapest: 1", "jobs": "jobs: 2",
    "leftmost": "heuristic: leftmost", "limit": "limit: 1", "most": "most: 1", "nodes": "nodes: 9", "restarts": "restarts: true",
    "seed": "seed: 0", "several": "limit: 2", "symmetry": "symmetry: true", "weighted": "heuristic: weighted",
}  # fmt: skip


def list_pairs(known: Any) -> list[Any]:
    """Return the pairs of which both features are known."""
    return [pytest.param(*pair, id=" ".join(pair)) for pair in PAIRS if {*pair} <= set(known)]


@pytest.mark.parametrize(("feature", "other"), list_pairs({*OPTIONS, *GOALS, *REST}))
def test_python_refuses_what_cannot_be_combined(feature: str, other: str) -> None:
    pair = (feature, other)
    goals = [name for name in pair if name in GOALS] or [USUAL_GOALS.get(feature, "all")]
    if len(goals) > 1:
        pytest.skip("goals exclude each other by their type")
    problem = Problem({"A": ["a"], "B": ["a"]}, costs={"A": 1})
    with pytest.raises(ClashError, match=r"cannot be combined with .+: .+"):
        options = SearchOptions(**(OPTIONS.get(feature, {}) | OPTIONS.get(other, {})))
        problem.search(GOALS[goals[0]], options, **(REST.get(feature, {}) | REST.get(other, {})))


@pytest.mark.parametrize(("feature", "other"), list_pairs(FLAGS))
def test_flags_that_cannot_be_combined_are_named(
    feature: str, other: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    verb = "count" if {feature, other} & {"store", "strategy", "output_format", "output"} else "solve"
    said = invoke(verb, "queens", "n=5", *FLAGS[feature], *FLAGS[other])
    assert said.returncode == 2
    if "there is no flag" not in said.stderr:  # of this verb
        first, second = (flag.partition(" above")[0] for flag in (name_flag(feature), name_flag(other)))
        assert f"{first} cannot be combined with {second}" in said.stderr.replace(" above 1", "")
    assert not said.stdout and not list(tmp_path.iterdir())


@pytest.mark.parametrize(("feature", "other"), list_pairs(KEYS))
def test_keys_that_cannot_be_combined_are_a_mistake(feature: str, other: str) -> None:
    first, second = KEYS[feature], KEYS[other]
    if first.partition(":")[0] == second.partition(":")[0] or {feature, other} == {"all", "limit"}:
        pytest.skip("these keys go together: the first solutions of all")
    with pytest.raises(ConfigError, match="cannot be combined") as caught:
        read_text(f"problem: queens\nsearch:\n  {second}\n  {first}\n".encode(), "file.yaml")
    assert caught.value.line == 4


@pytest.mark.parametrize("feature", NEEDS)
def test_a_flag_that_needs_another_one_says_so(feature: str) -> None:
    flag, needed = name_flag(feature), name_flag(NEEDS[feature][0])
    assert_refused(f"{flag} needs {needed}", "solve", "queens", flag, "1")


def test_flags_beside_a_puzzle_alone_are_refused(tmp_path: Any) -> None:
    command = ["view", "queens", "n=5", "--puzzle-only", "-o", str(tmp_path / "page.html")]
    assert invoke(*command).returncode == 0
    for flag in (["--nodes", "3"], ["--limit", "0"], ["--heuristic", "mrv"], ["--start", "play"], ["--distinct"]):
        assert_refused(f"--puzzle-only cannot be combined with {flag[0]}", *command, *flag)
    assert invoke("explain", "queens", "--repair", "--prices").returncode == 2


def test_every_feature_is_tested_by_whatever_asks_for_it() -> None:
    from exactcover.cli import count, explain, solve, view

    named = {name for rule in RULES for name in (*rule.features, *rule.others)}
    own_verbs: list[Verb] = [explain.explain, view.view]
    shared_verbs: list[Verb] = [count.count, solve.solve]
    own, shared = ({str(one.name) for verb in verbs for one in verb.params} for verbs in (own_verbs, shared_verbs))
    decided = {"any_cost", "certificate_of_list", "known_solutions", "list_of_known"}
    assert named <= own | {*FLAGS, *OPTIONS, *GOALS, *REST, *decided}
    assert named & shared <= {*FLAGS, "memory"}  # which is a limit of the process, as a flag
    assert named & {field.name for field in fields(SearchOptions)} <= {*OPTIONS, "engine"}


def test_a_limit_of_memory_is_for_any_search() -> None:
    assert invoke("count", "queens", "n=6", "--project", "row 1", "--memory", "2G").stdout == "4\n"


def test_flags_that_the_goal_of_a_file_decides_on_are_refused_by_their_names(tmp_path: Any) -> None:
    file = tmp_path / "x.yaml"
    for search, flags, said in (
        ("{}", ["--gap", "1"], "--gap cannot be combined"),
        ("{}", ["--differ-in", "row 1"], "--differ-in cannot be combined"),
        ("{jobs: 2}", ["--stats"], "--stats cannot be combined with --jobs"),
        ("{restarts: true}", ["--shape", "-o"], "--shape cannot be combined with --restarts"),
        ("{cheapest: 1}", ["--seed", "0"], "--cheapest cannot be combined with --seed"),
        ("{cheapest: 1}", ["--jobs", "2"], "--cheapest cannot be combined with --jobs"),
        ("{merge: true}", ["--distinct"], "merged options have no symmetries"),
    ):
        file.write_text(f"problem: queens\nparams: {{n: 6}}\nsearch: {search}\n")
        assert_refused(said, "solve", str(file), *flags)
    for search in ("{symmetry: true}", "{jobs: 2}", "{seed: 3}"):  # of other searches
        file.write_text(f"problem: queens\nparams: {{n: 6}}\nsearch: {search}\n")
        assert invoke("solve", str(file), "--cheapest", "1", "-q").returncode == 0


def test_flags_without_effect_on_a_diagram_of_all_solutions_are_refused(tmp_path: Any) -> None:
    file = str(tmp_path / "queens.zdd")
    assert invoke("diagram", "queens", "n=6", "-o", file).returncode == 0
    for verb in ("solve", "count"):
        own = {"solve": ("certificate", "given", "seed", "without"), "count": ("certificate", "soft", "strategy")}[verb]
        for feature in ("engine", "jobs", "leftmost", "merge", "nodes", "reduce", "symmetry", "shape", *own):
            message = f"{name_flag(feature)} cannot be combined with a target that holds all solutions"
            assert_refused(message, verb, file, *FLAGS[feature])
    assert invoke("solve", file, "--cheapest", "2", "--differ-in", "row 1").returncode == 2


def test_a_mistake_of_an_engine_is_at_the_key_that_it_does_not_support() -> None:
    text = "problem: queens\nsearch:\n  jobs: 2\n  heuristic: leftmost\n  engine: sets\n"
    with pytest.raises(ConfigError, match="does not support jobs=2") as caught:
        read_text(text.encode(), "file.yaml")
    assert caught.value.line == 3


def test_what_is_usual_asks_for_nothing() -> None:
    assert list_features(vars(SearchOptions())) == []
    assert find_clash(list_features(vars(SearchOptions(restarts=True, seed=3)))) is None
