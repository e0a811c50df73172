"""Matchings and colorings of graphs, against networkx, brute force and published numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from exactcover import Encoder, ParameterError
from exactcover.config.configuration import read_file
from exactcover.testing import check_encoder
from problems import Coloring, Matching
from problems.graphs import read_graph

PUBLISHED: list[tuple[str, Callable[[], Encoder], int]] = [
    ("matchings of the icosahedron", lambda: Matching("icosahedron"), 125),
    *((f"matchings of the hypercube {n}", lambda n=n: Matching(f"hypercube {n}"), count)  # OEIS A005271
      for n, count in enumerate([1, 2, 9, 272, 589185], 1)),
    *((f"dominoes on a grid 4x{n}", lambda n=n: Matching(f"grid 4 {n}"), count)  # OEIS A005178
      for n, count in enumerate([1, 5, 11, 36, 95, 281, 781], 1)),
    ("matchings of the Heawood graph", lambda: Matching("heawood"), 24),
    *((f"matchings of K{n},{n}", lambda n=n: Matching(f"bipartite {n} {n}"), count)  # n!
      for n, count in enumerate([1, 2, 6, 24, 120, 720], 1)),
    *((f"colorings of a cycle of {n}", lambda n=n: Coloring(f"cycle {n}", 3), 2**n + 2 * (-1) ** n) for n in range(3, 9)),
    *((f"colorings of K{n} in {n} colors", lambda n=n: Coloring(f"complete {n}", n), count)
      for n, count in enumerate([1, 2, 6, 24, 120], 1)),
    *((f"colorings of K{n},{n}'s edges", lambda n=n: Coloring(f"bipartite {n} {n}", n, "edges"), count)  # Latin squares
      for n, count in enumerate([1, 2, 12, 576], 1)),
    ("1-factorizations of K6, labelled colors", lambda: Coloring("complete 6", 5, "edges"), 6 * 120),  # OEIS A000438
    ("Petersen graph is no snark's exception", lambda: Coloring("petersen", 3, "edges"), 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "make", "count"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published_numbers(name: str, make: Callable[[], Encoder], count: int) -> None:
    encoder = make()
    assert encoder.problem().count(given=encoder.givens()) == count


def test_matchings_by_networkx(installed_engine: str) -> None:
    for text in ("petersen", "cube", "grid 3 4", "wheel 6", "path 5"):
        graph = read_graph(text)
        edges = list(graph.edges)
        size = len(graph) // 2
        wanted = {
            frozenset(map(frozenset, some))
            for some in itertools.combinations(edges, size)
            if nx.is_perfect_matching(graph, set(some))
        }
        found = {frozenset(map(frozenset, one)) for one in Matching(text).problem().solve(engine=installed_engine)}
        assert found == wanted


@pytest.mark.parametrize("of", ["vertices", "edges"])
def test_colorings_by_brute_force(of: str, installed_engine: str) -> None:
    pairs = (("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"))
    encoder = Coloring(pairs, 3, of)  # type: ignore[arg-type]
    things = ["a", "b", "c", "d"] if of == "vertices" else pairs
    rivals = [(0, 1), (1, 2), (0, 2), (2, 3)] if of == "vertices" else [
        (i, j) for i, j in itertools.combinations(range(4), 2) if set(pairs[i]) & set(pairs[j])
    ]  # fmt: skip
    wanted = sum(all(c[i] != c[j] for i, j in rivals) for c in itertools.product(range(3), repeat=len(things)))
    problem = encoder.problem()
    assert problem.count(engine=installed_engine) == wanted
    assert problem.count(engine=installed_engine, distinct=True) <= wanted
    assert set(encoder.decode(next(problem.solve(engine=installed_engine)))) == {
        one if isinstance(one, str) else " - ".join(sorted(one)) for one in things
    }


def test_graphs_from_files(tmp_path: Path) -> None:
    (tmp_path / "square.txt").write_text("# a square\na b\nb, c\nc d  # with a word\n\nd a\n")
    nx.write_graphml(nx.cycle_graph(4), tmp_path / "square.graphml")
    nx.write_graphml(nx.cycle_graph(4), tmp_path / "square.GraphML")
    for name in ("square.txt", "square.graphml", "square.GraphML"):
        (tmp_path / "square.yaml").write_text(f"# A square\nproblem: matching\nparams: {{graph: {name}}}\n")
        assert read_file(tmp_path / "square.yaml").encoder.problem().count() == 2
        assert Matching(str(tmp_path / name)).problem().count() == 2


def test_an_odd_part_is_a_proof() -> None:
    assert (
        Matching("path 5").impossible() == "the component of the graph that contains 0 has an odd number of vertices, 5"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Matching("petersn"), "there is no graph called 'petersn'; did you mean 'petersen'"),
        (lambda: Matching("complete"), "'complete' is not a valid graph; expected complete NUMBER"),
        (lambda: Matching("complete 99999"), "has more than 5,000 vertices"),
        (lambda: Matching("none.txt"), "none.txt cannot be read: No such file or directory"),
        (lambda: Matching((("a", "a"),)), "the edge a - a is a loop"),
        (lambda: Matching((("a", "b"), ("b", "a"))), "the edge b - a is listed twice"),
        (lambda: Matching(()), "the graph has no vertices; expected at least one edge"),
    ],
)
def test_parameters_are_refused(make: Callable[[], Encoder], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert message in caught.value.message


def test_the_conformance_kit_passes() -> None:
    check_encoder(Matching, [{"graph": [["a", "b"], ["b", 3], [3, "d"]]}, {"graph": "grid 2 3"}])
    check_encoder(Coloring, [{"graph": "cycle 5"}, {"graph": "complete 4", "of": "edges"}])
