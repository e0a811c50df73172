"""Counting and listing by orbits, and counting classes by quotients, compared with listing everything."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import dominoes, matchings, one_factorizations, queen_domination, steiner_triples
from commands import StopWhen
from exactcover import Problem, StoppedError
from exactcover.control.options import SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop, WorkClock
from exactcover.counting.scheduler import Scheduler
from exactcover.model.matrix import native
from exactcover.symmetry.remainders import Remainder, Symmetries, find_symmetries, make_matrix, make_remainder
from exactcover.symmetry.splitting import (
    ChainSplit,
    ItemSplit,
    OrbitSplit,
    Split,
    Weight,
    find_item_split,
    find_splits,
    make_chain,
)
from oracles import solve_matrix
from policies import ALWAYS_SPLIT, WITHOUT_CHAINS, start_search
from problems import Design, Latin, Polyomino, Queens
from strategies import symmetric_problems

pytestmark = pytest.mark.skipif(native is None, reason="remainders are made in C++")


def count(problem: Problem, policy: CountingPolicy = DEFAULT_POLICY, **options: Any) -> tuple[int, Any]:
    """The number of solutions, and the details of the statistics."""
    choice = options.pop("choice", {})
    search = start_search(problem, policy, SearchOptions(**options), **choice)
    return search.count(), search.statistics.details


def find_rows(problem: Problem) -> tuple[Remainder, Symmetries]:
    """The problem as a remainder, and its symmetries."""
    rows = make_remainder(problem.matrix, Stop())
    return rows, find_symmetries(rows, Stop())


@given(symmetric_problems(), st.data())
def test_symmetric_problems_by_every_way(problem: Problem, data: st.DataObject) -> None:
    labels = st.sampled_from(problem.labels)
    choice: dict[str, Any] = {
        "given": data.draw(st.sets(labels, max_size=1)),
        "without": data.draw(st.sets(labels, max_size=1)),
    }
    expected = set(problem.solve(engine="sets", **choice))
    for policy in (ALWAYS_SPLIT, WITHOUT_CHAINS, replace(ALWAYS_SPLIT, chain_gain=0)):
        assert count(problem, policy, symmetry=True, choice=choice)[0] == len(expected)
    listed = list(problem.solve(options=SearchOptions(symmetry=True), **choice))
    assert len(listed) == len(expected) and set(listed) == expected
    assert listed == list(problem.solve(options=SearchOptions(symmetry=True), **choice))
    classes = len(list(problem.solve(options=SearchOptions(engine="sets", distinct=True), **choice)))
    assert count(problem, ALWAYS_SPLIT, distinct=True, choice=choice)[0] == classes


@given(symmetric_problems())
def test_splits_on_every_orbit(problem: Problem) -> None:
    rows, symmetries = find_rows(problem)
    expected = len(list(problem.solve(engine="sets")))
    for orbit in symmetries.found.orbits():
        assert count_branches(OrbitSplit(*orbit), rows, symmetries) == expected


@given(symmetric_problems())
def test_chains_on_every_item(problem: Problem) -> None:
    rows, symmetries = find_rows(problem)
    expected = len(list(problem.solve(engine="sets")))
    for item, (low, _) in enumerate(rows.bounds):
        if low and rows.holders_of(item):
            assert count_branches(make_chain(item, rows.bounds[item][1], symmetries), rows, symmetries) == expected


def count_branches(split: Split, rows: Remainder, symmetries: Symmetries) -> Weight:
    """The number of solutions by a split, each of whose branches is counted by the core."""
    branches = list(split.branches(rows, symmetries))
    assert len(branches) <= split.children
    assert sum(branch.share for branch in branches) < 1 + 1e-9
    return sum(one.weight * len(solve_matrix(make_matrix(one.remainder))) for one in branches if one.remainder)


def test_a_chain_of_orbits_saves_more_than_its_item() -> None:
    """The options of the first row belong to orbits that contain as many options of the three other borders."""
    rows, symmetries = find_rows(Queens(n=12).problem())
    split, by_item = find_splits(rows, symmetries)
    assert isinstance(split, ChainSplit)
    assert by_item == find_item_split(rows, symmetries)
    assert by_item.gain == 2
    assert split.gain > 4
    assert (split.options, split.orbits) == (12, 6)


@pytest.mark.parametrize("problem", [Queens(n=9).problem(), Polyomino("3x20").problem(), queen_domination(5, 3)])
def test_chains_that_are_left_out_would_save_less(problem: Problem) -> None:
    """Without a bound on what an item saves, every chain is looked at; the best one is the same."""
    rows, symmetries = find_rows(problem)
    best = max(
        (
            make_chain(item, max(1, high), symmetries).gain
            for item, ((options, orbits), (low, high)) in enumerate(zip(symmetries.branches, rows.bounds, strict=True))
            if low and 1 < orbits < options
        ),
        default=0.0,
    )
    policy = replace(DEFAULT_POLICY, most_chains=1000, chain_gain=0, most_cases=1 << 16, least_gain=1)
    split = find_splits(rows, symmetries, policy=policy)[0]
    assert isinstance(split, ChainSplit) == (best > 1)
    assert best <= 1 or split.gain == pytest.approx(best)


def test_an_item_that_is_covered_several_times_is_split() -> None:
    """One symmetry exchanges the sides of all places; no two beads of one side or of kind 0 are chosen."""
    places = {(kind, side): ["bead", f"side {side}"] for kind in range(2) for side in range(2)}
    for side in range(2):
        places[0, side].append("kind 0")
    beads = Problem(places, secondary=["side 0", "side 1", "kind 0"], multiplicity={"bead": 2})
    rows, symmetries = find_rows(beads)
    split = ItemSplit(0, 4, 2, 1.0, (2, 2))
    assert symmetries.order == 2
    assert count_branches(split, rows, symmetries) == len(list(beads.solve(engine="sets"))) == 3


def test_there_is_no_chain_where_one_choice_leaves_symmetries() -> None:
    policy = replace(DEFAULT_POLICY, chain_gain=0)  # takes chains wherever it may
    rows, chances = make_remainder(Latin(n=5).problem().matrix, Stop()), 0
    while (symmetries := find_symmetries(rows, Stop())).order > symmetries.largest_orbit:
        chances += any(1 < orbits < options for options, orbits in symmetries.branches)
        (split,) = find_splits(rows, symmetries, policy=policy)
        assert isinstance(split, ItemSplit)
        rows = list(split.branches(rows, symmetries))[-1].remainder
    assert chances > 1


def test_chains_of_items_that_are_covered_several_times() -> None:
    """Every square may be attacked several times, so splits on items save nothing."""
    solutions, details = count(queen_domination(5, 3), symmetry=True)
    assert solutions == 186  # OEIS A002564
    assert details["orbits"] == "6 of 13 options"


def ladder(rungs: int) -> Problem:
    """Dominoes on a board of two columns."""
    return Polyomino(f"2x{rungs}", "dominoes", copies="any").problem()


def chain(length: int) -> Problem:
    return Problem({(item, size): range(item, item + size) for item in range(length) for size in (1, 2)})


def measure_count(problem: Problem, monkeypatch: pytest.MonkeyPatch, *, symmetry: bool | None) -> float:
    """The seconds of a count by the clock of work, so that no machine matters; it is stopped after two."""
    clock = WorkClock()
    monkeypatch.setattr("exactcover.search.query.Scheduler", partial(Scheduler, clock=clock))
    stop = StopWhen(lambda: clock.read() > 2.0)
    start_search(problem, DEFAULT_POLICY, SearchOptions(symmetry=symmetry), stop=stop).count()
    return clock.read()


@pytest.mark.parametrize("problem", [ladder(60), ladder(120), chain(150)], ids=["ladder", "long ladder", "chain"])
def test_a_split_at_once_does_not_keep_a_quick_sweep_away(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, split = (measure_count(problem, monkeypatch, symmetry=symmetry) for symmetry in (False, True))
    assert split < 20 * plain + 0.05


@pytest.mark.parametrize(
    ("board", "pieces"), [("9x9", "dominoes trominoes"), ("8x8", "tetrominoes"), ("3x20", "trominoes")]
)
def test_a_count_by_orbits_takes_little_longer_than_a_sweep(
    board: str, pieces: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep of the whole merges nearly all partial tilings, and that of each part as many."""
    problem = Polyomino(board, tuple(pieces.split()), copies="any").problem()
    plain, chosen = (measure_count(problem, monkeypatch, symmetry=symmetry) for symmetry in (False, None))
    assert chosen < 4 * plain


def test_a_split_on_an_orbit() -> None:
    """Four beads on a ring of 14 places, no two of them neighbors: one item, whose options are one orbit."""
    ring = Problem(
        {place: ["bead", f"edge {place}", f"edge {(place + 1) % 14}"] for place in range(14)},
        secondary=[f"edge {place}" for place in range(14)],
        multiplicity={"bead": (1, 4)},
    )
    solutions, details = count(ring, symmetry=True)
    assert solutions == sum(14 * comb(14 - k, k) // (14 - k) for k in range(1, 5))
    assert details["orbits"] == "1 of 14 options"


def test_remainders_with_another_item() -> None:
    problem = Queens(n=4).problem()
    rows = make_remainder(problem.matrix, Stop())
    more = rows.with_item([0, 1, 2], 2)
    assert (more.items, more.primary, more.bounds[-1]) == (rows.items + 1, rows.primary + 1, (2, 2))
    assert more.holders_of(rows.primary) == [0, 1, 2]
    assert more.holders_of(rows.primary + 1) == rows.holders_of(rows.primary)  # a secondary item
    for holders, number in (([0, 1], 3), ([0, 1], 0), ([99], 1)):
        with pytest.raises(ValueError, match=r"covered that often|no such option"):
            rows.with_item(holders, number)
    found = find_symmetries(rows, Stop()).found
    assert sorted(found.orbits(), key=lambda orbit: orbit[1]) == [(0, 4, 0.25), (2, 4, 0.25), (4, 8, 0.25)]
    diagonal = {(4, 1), (2, 3), (1, 4), (3, 2)} | {(k, k) for k in range(1, 5)}
    squares = {(one.row, one.column) for one in problem.labels if problem.position(one) not in found.orbit_of(4)}
    assert squares == diagonal and found.orbit_of(0) == found.orbit_of(found.orbit_of(0)[-1])
    with pytest.raises(ValueError, match="no such option"):
        found.orbit_of(16)


PUBLISHED: list[tuple[str, Callable[[], Problem], int, str]] = [
    ("Latin squares of order 6", lambda: Latin(n=6).problem(), 812851200, "splits"),  # OEIS A002860
    ("Latin squares of order 7", lambda: Latin(n=7).problem(), 61479419904000, "splits"),
    # C. J. Colbourn, J. H. Dinitz
    ("Steiner triple systems on 13 points", lambda: steiner_triples(13), 1197504000, "splits"),
    ("1-factorizations of K8 with colors", lambda: color_edges(8), 6240 * 5040, "splits"),
    # E. N. Gelling and R. E. Odeh, 1974
    ("1-factorizations of K10", lambda: one_factorizations(10), 1225566720, "splits"),
    ("perfect matchings of K30", lambda: matchings(30), math.prod(range(1, 30, 2)), "splits"),
    ("classes of domino tilings 8x8", lambda: dominoes(8), 1629189, "quotients"),  # by hand
    ("classes of domino tilings 12x12", lambda: dominoes(12), 6632560613086062, "quotients"),
    ("classes of queens 13", lambda: Queens(n=13).problem(), 9233, "quotients"),  # OEIS A002562
]
"""Numbers of solutions, or of classes; and what is used to count them."""


def color_edges(n: int) -> Problem:
    """The edges of a complete graph, each with one of n - 1 colors, such that the edges at a vertex differ."""
    places = [(*edge, color) for edge in combinations(range(n), 2) for color in range(n - 1)]
    return Problem({(a, b, color): [("edge", a, b), (a, color), (b, color)] for a, b, color in places})


@pytest.mark.parametrize(("build", "number", "used"), [row[1:] for row in PUBLISHED], ids=[row[0] for row in PUBLISHED])
def test_published_numbers(build: Callable[[], Problem], number: int, used: str) -> None:
    found, details = count(build(), distinct=used == "quotients")
    assert found == number
    assert int(details[used]) > 0


@pytest.mark.parametrize(
    ("build", "classes", "total"),
    [
        (lambda: Latin(n=4).problem(), 2, 576),
        (lambda: Latin(n=5).problem(), 2, 161280),
        (lambda: Design(points=9, block=3).problem(), 1, 840),
    ],
)
def test_classes_under_groups_that_are_too_large_to_list(
    build: Callable[[], Problem], classes: int, total: int
) -> None:
    search = build().solve(options=SearchOptions(distinct=True))
    assert len(list(search)) == classes
    assert search.classes is not None and search.classes.total == total and search.classes.order > 10_000


def test_symmetry_is_used_only_where_nobody_asks_for_a_way_to_count() -> None:
    problem = one_factorizations(8)
    for options in ({"symmetry": False}, {"engine": "native"}, {"strategy": "search"}, {"heuristic": "leftmost"}):
        solutions, details = count(problem, **options)
        assert solutions == 6240 and "splits" not in details


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_count_by_orbits_obeys_its_stop(jobs: int) -> None:
    stop = Stop()
    stop.request()
    with pytest.raises(StoppedError):
        Latin(n=7).problem().count(options=SearchOptions(jobs=jobs, symmetry=True), stop=stop)
    with pytest.raises(StoppedError) as caught:
        Latin(n=9).problem().count(timeout=0.5, options=SearchOptions(jobs=jobs))
    assert caught.value.status.stopped


@pytest.mark.parametrize("jobs", [1, 2])
@given(problem=symmetric_problems(), data=st.data())
def test_parts_that_take_long(jobs: int, problem: Problem, data: st.DataObject) -> None:
    """Every part counts as slow at once, so it is reduced, counted by threads, or begun anew."""
    policy = replace(
        ALWAYS_SPLIT,
        reduction_seconds=0,
        threads_seconds=0,
        seconds_per_entry=0,
        part_seconds=data.draw(st.sampled_from([0.0, -1e9, 1e9])),
        most_waiting_runs=data.draw(st.integers(0, 1)),
    )
    reduce = data.draw(st.sampled_from([None, True]))
    expected = len(list(problem.solve(engine="sets")))
    assert count(problem, policy, symmetry=True, jobs=jobs, reduce=reduce)[0] == expected


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_count_of_the_whole_may_win(jobs: int) -> None:
    problem, seen = Polyomino("8x8", "tetrominoes", copies="any").problem(), list[int]()

    class Watch(Stop):
        def poll(self) -> None:
            seen.append(int(search.statistics.details.get("splits", 0)))
            super().poll()

    search = problem.search(options=SearchOptions(jobs=jobs), stop=Watch())
    assert search.count() == 19_077_209_438
    assert (max(seen) > 0, "splits" in search.statistics.details) == (True, False)
