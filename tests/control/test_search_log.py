"""A log records one tree, the one that was searched: its solutions are those of the problem, in order."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import classics
from exactcover import Goal, Problem, Profile, SearchLog, SearchLogWriter, SearchOptions, Status, Stop
from exactcover.analysis import replay
from exactcover.control.options import ALL, COUNT
from exactcover.errors import LogError
from problems import Queens, Sudoku
from strategies import priced, problems


def write_log(problem: Problem, bounds: Any = (), goal: Goal = ALL, choice: Any = (), **options: Any) -> bytes:
    file = io.BytesIO()
    list(problem.search(goal, SearchOptions(**options), log=SearchLogWriter(file, **dict(bounds)), **dict(choice)))
    return file.getvalue()


def record(problem: Problem, bounds: Any = (), goal: Goal = ALL, choice: Any = (), **options: Any) -> SearchLog:
    return SearchLog(write_log(problem, bounds, goal, choice, **options))


def find_solutions(problem: Problem, log: SearchLog) -> list[tuple[Any, ...]]:
    """Return the solutions of a log, with labels."""
    fixed = log.header["given"]
    return [
        tuple(problem.labels[k] for k in sorted([*fixed, *(option for option in chosen if option is not None)]))
        for node, chosen in replay(log)
        if node.kind == "solution"
    ]


@given(problem=problems(most_options=15, most_primary=8), heuristic=st.sampled_from(["mrv", "leftmost", "weighted"]),
       seed=st.integers(0, 9), reduce=st.booleans(), data=st.data())  # fmt: skip
def test_every_engine_records_its_own_tree(
    tree_engine: str, problem: Problem, heuristic: Any, seed: int, reduce: bool, data: st.DataObject
) -> None:
    labels = data.draw(st.lists(st.sampled_from(problem.labels), max_size=2, unique=True)) if problem.labels else []
    how: Any = {"engine": tree_engine, "heuristic": heuristic, "seed": seed, "reduce": reduce}
    choice: Any = {"given": labels[:1], "without": labels[1:]}
    log = record(problem, choice=choice, **how)
    assert find_solutions(problem, log) == list(problem.solve(**choice, options=SearchOptions(**how)))
    assert log.status in (Status.COMPLETE, Status.UNSATISFIABLE)
    assert not log.is_truncated
    assert {*log.header["items"]} <= {*map(str, problem.items)}


@pytest.mark.parametrize("name", ["queens", "langford", "covered up to three times"])
def test_several_threads_record_the_tree_of_one(threaded_engine: str, name: str) -> None:
    problem = {
        "queens": Queens(n=6).problem(),
        "langford": classics.langford(7),
        "covered up to three times": Problem(
            {(row, column): [f"r{row}", f"c{column}"] for row in range(3) for column in range(4)},
            multiplicity=dict.fromkeys(("r0", "r1", "r2", "c0", "c1", "c2", "c3"), (0, 3)),
        ),
    }[name]
    how: Any = {"engine": threaded_engine, "heuristic": "leftmost"}
    alone = list(record(problem, **how).nodes())
    assert list(record(problem, **how, jobs=3).nodes()) == alone
    counted = io.BytesIO()
    number = problem.search(COUNT, SearchOptions(**how, jobs=3), log=SearchLogWriter(counted)).count()
    assert list(SearchLog(counted.getvalue()).nodes()) == alone
    assert number == sum(node.kind == "solution" for node in alone)


@given(problem=priced())
def test_searches_for_the_cheapest(tree_engine: str, problem: Problem) -> None:
    file = io.BytesIO()
    cheapest = list(problem.search(Goal("cheapest", 1), SearchOptions(engine=tree_engine), log=SearchLogWriter(file)))
    found = find_solutions(problem, SearchLog(file.getvalue()))
    assert min(map(problem.cost, found), default=None) == min(map(problem.cost, cheapest), default=None)


def test_planes_and_leaves_give_way(tree_engine: str) -> None:
    profile = Profile()
    nodes = list(record(Sudoku(box="2x2").problem(), choice={"profile": profile}, engine=tree_engine).nodes())
    assert sum(node.kind == "solution" for node in nodes) == profile.levels[16] == 288
    assert (nodes[0].level, profile.levels[0]) == (0, 1)


def test_the_last_node_is_the_last_solution_that_was_wanted(tree_engine: str) -> None:
    problem = Queens(n=8).problem()
    log = record(problem, goal=Goal("first", 3), engine=tree_engine)
    assert find_solutions(problem, log) == list(problem.solve(engine=tree_engine, limit=3))
    assert (list(log.nodes())[-1].kind, log.status, log.is_truncated) == ("solution", Status.LIMIT, True)


@pytest.mark.parametrize("sample", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("levels", [0, 1, 3, 20])
def test_levels_that_are_not_recorded_are_counted(tree_engine: str, levels: int, sample: float) -> None:
    problem = Queens(n=6).problem()
    part = record(problem, {"levels": levels, "sample": sample}, engine=tree_engine)
    nodes, all_nodes = list(part.nodes()), list(record(problem, engine=tree_engine).nodes())
    assert sum(node.nodes for node in nodes) == len(all_nodes)
    assert sum(node.solutions for node in nodes) == 4
    above = [node for node in all_nodes if node.level <= levels]
    assert [node for node in nodes if node.level <= levels] == above
    if sample == 1 or levels == 20:
        assert nodes == all_nodes
    if sample == 0:
        assert {node.kind for node in nodes if node.level > levels} <= {"unrecorded"}
    assert not part.is_truncated
    list(replay(part))


@pytest.mark.parametrize("most", [0, 1, 7, 10**6])
def test_the_first_nodes_only(tree_engine: str, most: int) -> None:
    problem = Queens(n=6).problem()
    nodes = list(record(problem, engine=tree_engine).nodes())
    part = record(problem, {"most_nodes": most}, engine=tree_engine)
    assert list(part.nodes()) == nodes[:most]
    assert (part.is_truncated, part.solutions) == (most < 10**6, 4)
    list(replay(part))
    assert not record(problem, {"most_nodes": len(nodes)}, engine=tree_engine).is_truncated


def test_a_search_that_was_stopped(tree_engine: str) -> None:
    stop, file = Stop(), io.BytesIO()
    options = SearchOptions(engine=tree_engine)
    search = Queens(n=8).problem().search(options=options, stop=stop, log=SearchLogWriter(file))
    next(search)
    stop.request()
    assert list(search) == []
    log = SearchLog(file.getvalue())
    assert (log.status, log.is_truncated) == (Status.INTERRUPTED, True)
    list(replay(log))


def test_problems_that_need_no_search() -> None:
    log = record(Problem({"A": [1]}, primary=[1, 2]))
    assert (list(log.nodes()), log.status) == ([], Status.UNSATISFIABLE)
    assert "2" in log.header["reason"]
    empty = record(Problem({}))
    assert [node.kind for node in empty.nodes()] == ["solution"]


def test_a_log_records_one_search() -> None:
    problem = Queens(n=6).problem()
    once = SearchLogWriter(io.BytesIO())
    problem.search(log=once).count()
    with pytest.raises(ValueError, match="one search"):
        problem.search(log=once).count()


def test_logs_that_were_cut_or_changed() -> None:
    data = write_log(Queens(n=6).problem())
    for size in range(len(data)):
        with pytest.raises(LogError, match=r"truncated|not a search log"):
            SearchLog(data[:size])
    for place in range(24, len(data)):
        changed = bytearray(data)
        changed[place] ^= 255
        with pytest.raises(LogError):
            list(replay(SearchLog(bytes(changed))))


@pytest.mark.parametrize("nodes", [b"\3\1", b"\0\0", b"\3\x63", b"\3\2\0\0", b"\3\1\3\1\0", b"\0\3"])
def test_nodes_that_are_not_a_tree_of_the_problem(nodes: bytes) -> None:
    file = io.BytesIO()
    log = SearchLogWriter(file)
    header = {
        "items": ["a", "b"], "primary": 2, "given": [], "options": [0, 1], "starts": [0, 1, 2], "entries": [0, 1],
        "colors": [], "multiplicity": [], "priced": False,
    }  # fmt: skip
    log.begin(header)
    log.extend(nodes)
    log.end(Status.COMPLETE, 1)
    with pytest.raises(LogError):
        list(replay(SearchLog(file.getvalue())))


def test_a_log_takes_about_two_bytes_a_node() -> None:
    data, empty = write_log(Queens(n=6).problem()), io.BytesIO()
    log = SearchLog(data)
    SearchLogWriter(empty).begin(log.header)
    assert len(data) - len(empty.getvalue()) < 2 * len(list(log.nodes())) + 150
