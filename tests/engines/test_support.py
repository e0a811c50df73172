"""An option that an engine cannot honor is an error that names it, and never silence."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from exactcover import EngineUnavailableError, Goal, Profile, SearchLog, SearchLogWriter, SearchOptions, Status
from exactcover.control.options import COUNT
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import EngineRun
from problems import Queens

EFFECTS: dict[str, tuple[Any, Callable[[Any], bool]]] = {
    "heuristic": ("leftmost", lambda search: search.statistics.nodes > 0),
    "jobs": (2, lambda search: search.statistics.details.get("jobs") == 2 or search.statistics.engine == "cpsat"),
    "nodes": (10**6, lambda search: search.status is Status.COMPLETE and search.statistics.nodes < 10**6),
    "restarts": (True, lambda search: search.statistics.details["attempts"] >= 1),
    "strategy": ("memo", lambda search: search.statistics.details["strategy"] == "memo"),
    "memory": (1 << 30, lambda search: search.status is Status.COMPLETE),
}


def make(engine: str, option: str) -> SearchOptions:
    choice: dict[str, Any] = {"engine": engine, option: EFFECTS[option][0]}
    return SearchOptions(**choice)


@pytest.mark.parametrize("option", EFFECTS)
@pytest.mark.parametrize("name", ENGINES)
def test_every_option_of_every_engine_has_an_effect_or_is_refused(name: str, option: str) -> None:
    problem, options, limit = Queens(n=5).problem(), make(name, option), 1 if option == "restarts" else None
    if option in ENGINES[name].supports:
        search = problem.solve(limit=limit, options=options)
        assert len({*search}) == (limit or 10) and EFFECTS[option][1](search)
    else:
        with pytest.raises(EngineUnavailableError, match=rf"engine '{name}' does not support {option}\b"):
            problem.solve(limit=limit, options=options)


@pytest.mark.parametrize("option", ["jobs", "heuristic", "nodes", "strategy", "memory"])
@pytest.mark.parametrize("name", ENGINES)
def test_so_do_the_options_of_a_count(name: str, option: str) -> None:
    problem, options = Queens(n=5).problem(), make(name, option)
    if option in ENGINES[name].supports | ENGINES[name].supports_counts:
        assert problem.count(options=options) == 10
    else:
        with pytest.raises(EngineUnavailableError, match=rf"engine '{name}' does not support {option}\b"):
            problem.count(options=options)


@pytest.mark.parametrize("name", ENGINES)
def test_observers_see_the_search_or_are_refused(name: str) -> None:
    problem, options, profile, file = Queens(n=5).problem(), SearchOptions(engine=name), Profile(), io.BytesIO()
    if "profile" in ENGINES[name].supports:
        assert len({*problem.search(options=options, profile=profile, log=SearchLogWriter(file))}) == 10
        nodes = list(SearchLog(file.getvalue()).nodes())
        assert sum(profile.levels) == len(nodes) > 10
    else:
        with pytest.raises(EngineUnavailableError, match="does not support a profile"):
            problem.search(options=options, profile=profile)
        with pytest.raises(EngineUnavailableError, match="does not support a search log"):
            problem.search(COUNT, options, log=SearchLogWriter(file))


def test_an_automatic_choice_passes_over_engines_that_do_not_support_an_option() -> None:
    search = Queens(n=6).problem().search(Goal("count"), SearchOptions(heuristic="leftmost"))
    assert search.count() == 4
    assert search.statistics.engine in ("native", "sets")


@pytest.mark.parametrize(("goal", "how", "message"), [
    ("all", {"strategy": "memo"}, "does not support strategy"),
    ("all", {"memory": 1 << 30}, "does not support memory"),
    ("all", {"jobs": 2, "strategy": "sweep"}, "does not support .*strategy"),
    ("all", {"jobs": 2, "memory": 1 << 30}, "does not support .*memory"),
    ("count", {"heuristic": "leftmost", "strategy": "memo"}, "no engine can run this search"),
    ("count", {"heuristic": "leftmost", "memory": 1 << 30}, "no engine can run this search"),
    ("count", {"distinct": True, "strategy": "memo"}, "strategy='memo'"),
], ids=str)  # fmt: skip
def test_no_engine_is_picked_that_would_ignore_an_option(goal: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(EngineUnavailableError, match=message):
        Queens(n=6).problem().search(Goal(goal), SearchOptions(**how)).count()


@pytest.mark.skipif("native" in ENGINES, reason="symmetry is supported")
def test_symmetry_needs_native_code() -> None:
    with pytest.raises(EngineUnavailableError, match="native module"):
        Queens(n=6).problem().solve(options=SearchOptions(symmetry=True))


def test_a_run_that_does_not_say_what_it_delivers_is_no_answer() -> None:
    class Forgetful(EngineRun):
        pass

    with pytest.raises(AttributeError):
        Forgetful().count()
