import threading
import time

import pytest

from classics import langford
from commands import StopWhen, run_script, wait_until
from exactcover import Problem, Statistics, Status, Stop, StoppedError
from exactcover.cli.messages import format_statistics
from exactcover.engines.base import ENGINES
from problems import Queens


def test_reasons_name_the_givens_and_the_item(engine: str) -> None:
    problem = Problem({"A": [1, 2], "B": [2, 3], "C": [3], "D": [1]})
    for given, without, reason in (
        (["A", "B"], [], "the givens 'A' and 'B' conflict: both take item '2'"),
        (["D"], ["B"], "the givens and excluded options leave no option for item '2'"),
        (["A"], ["A"], "option 'A' is both given and excluded"),
    ):
        search = problem.solve(given=given, without=without, engine=engine)
        assert (list(search), search.status, search.reason) == ([], Status.UNSATISFIABLE, reason)
    assert problem.solve(given=["A"], engine=engine).reason is None


def test_a_stopped_search_gives_no_reason(engine: str) -> None:
    search = Problem({"A": [1]}, primary=[1, 2]).solve(timeout=0, engine=engine)
    assert search.reason is None
    assert search.status is Status.TIMEOUT


def test_a_proof_from_the_author_of_the_problem_is_reported_without_searching(engine: str) -> None:
    search = Problem({"A": [1]}, impossible="it is forbidden").solve(engine=engine)
    assert (list(search), search.status, search.reason) == ([], Status.UNSATISFIABLE, "it is forbidden")
    assert search.statistics.nodes == 0


def test_givens_alone_may_be_the_solution(engine: str) -> None:
    assert list(Problem({"A": [1], "B": [2]}).solve(given=["B", "A"], engine=engine)) == [("A", "B")]


def test_a_stop_from_another_thread_ends_the_search(tree_engine: str) -> None:
    stop = Stop()
    search = langford(20).solve(stop=stop, engine=tree_engine)

    def stop_it() -> None:
        wait_until(lambda: search.statistics.explored > 0)
        stop.request()

    threading.Thread(target=stop_it).start()
    with pytest.raises(StoppedError) as caught:
        search.count()
    assert caught.value.status is Status.INTERRUPTED
    assert caught.value.statistics.nodes > 0
    assert 0 < caught.value.statistics.explored < 1


def test_a_stopped_count_says_at_least_how_many(engine: str) -> None:
    problem = Problem(((item, choice), [item]) for item in range(60) for choice in range(10))
    with pytest.raises(StoppedError) as caught:
        problem.count(timeout=0, engine=engine)
    assert caught.value.status is Status.TIMEOUT
    counting = problem.solve(stop=StopWhen(lambda: counting.statistics.solutions > 0), engine=engine)
    with pytest.raises(StoppedError) as caught:
        counting.count()
    assert caught.value.status is Status.TIMEOUT
    assert caught.value.at_least == caught.value.statistics.solutions > 0


def test_what_was_found_before_a_timeout_is_kept(engine: str) -> None:
    problem = Problem(((item, choice), [item]) for item in range(30) for choice in range(4))
    search = problem.solve(stop=StopWhen(lambda: search.statistics.solutions > 0), engine=engine)
    found = list(search)
    assert search.status is Status.TIMEOUT
    assert len(found) == len(set(found)) == search.statistics.solutions > 0


def test_statistics_may_be_read_while_it_runs(engine: str) -> None:
    seen: list[Statistics] = []
    search = langford(20).solve(stop=StopWhen(lambda: seen[-1:] != [] and seen[-1].nodes > 0), engine=engine)

    def read() -> None:
        while search.status is Status.RUNNING:
            seen.append(search.statistics)
            time.sleep(0.02)

    reader = threading.Thread(target=read)
    reader.start()
    list(search)
    reader.join()
    nodes = [statistics.nodes for statistics in seen]
    assert nodes == sorted(nodes)
    assert nodes[-1] > 0


def test_closing_a_running_search_is_an_interruption(engine: str) -> None:
    with Queens(n=8).problem().solve(engine=engine) as search:
        next(search)
    assert search.status is Status.INTERRUPTED
    assert list(search) == []


def test_positions_are_those_of_the_options(engine: str) -> None:
    problem = Problem({"B": [2], "A": [1], "C": [1]})
    assert list(problem.solve(engine=engine).positions()) == [(0, 1), (0, 2)]


def test_a_timeout_and_a_stop_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="cannot be combined"):
        Problem({"A": [1]}).solve(timeout=1, stop=Stop())


def test_the_order_is_the_same_whatever_the_hash_seed() -> None:
    program = (
        "from problems import Queens, Polyomino\n"
        f"for engine in {[name for name in ('native', 'sets', 'learning') if name in ENGINES]!r}:\n"
        "    print(list(Queens(n=6).problem().solve(engine=engine)))\n"
        "    print(next(Polyomino('4x5', 'tetrominoes', copies='any').problem().solve(engine=engine, seed=7)))\n"
    )
    outputs = {run_script(program, PYTHONHASHSEED=seed).stdout for seed in ("0", "1")}
    assert len(outputs) == 1 and "" not in outputs


def test_making_the_problem_counts_as_setting_up() -> None:
    problem = Queens(n=6).problem()
    search = problem.solve(limit=1)
    list(search)
    assert search.statistics.build_seconds == problem.build_seconds > 0
    lines = format_statistics(Statistics(seconds=3, setup_seconds=1, build_seconds=20))
    assert "time      21.000 s setting up, 2.000 s searching" in lines


@pytest.mark.parametrize("place", ["Problem.labels_of", "Search._lifts_nothing"])
def test_an_interrupt_that_may_lose_a_solution_ends_the_search(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search = Queens(n=6).problem().solve()
    assert next(search)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(f"exactcover.search.search.{place}" if "Search" in place else f"exactcover.{place}", interrupt)
        with pytest.raises(KeyboardInterrupt):
            next(search)
    assert (list(search), search.status) == ([], Status.INTERRUPTED)
