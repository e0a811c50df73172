"""Matchings and colorings of graphs, against networkx and brute force."""

import itertools
from pathlib import Path

import networkx as nx
import pytest

from exactcover import ParameterError
from exactcover.config.configuration import read_file
from problems import Coloring, Matching
from problems.graphs import read_graph


def test_matchings_by_networkx(installed_engine: str) -> None:
    for text in ("petersen", "cube", "grid 3 4", "wheel 6", "path 5"):
        graph = read_graph(text)
        sets = itertools.combinations(graph.edges, len(graph) // 2)
        wanted = {frozenset(map(frozenset, some)) for some in sets if nx.is_perfect_matching(graph, set(some))}
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
    names = {one if isinstance(one, str) else " - ".join(sorted(one)) for one in things}
    assert set(encoder.decode(next(problem.solve(engine=installed_engine)))) == names


def test_graphs_from_files(tmp_path: Path) -> None:
    (tmp_path / "square.txt").write_text("# a square\na b\nb, c\nc d  # with a word\n\nd a\n")
    nx.write_graphml(nx.cycle_graph(4), tmp_path / "square.graphml")
    nx.write_graphml(nx.cycle_graph(4), tmp_path / "square.GraphML")
    for name in ("square.txt", "square.graphml", "square.GraphML"):
        (tmp_path / "square.yaml").write_text(f"# A square\nproblem: matching\nparams: {{graph: {name}}}\n")
        assert read_file(tmp_path / "square.yaml").encoder.problem().count() == 2
        assert Matching(str(tmp_path / name)).problem().count() == 2


@pytest.mark.parametrize(("stated", "fault"), [
    ("cycle 1", "the edge 0 - 0 is a loop"),
    ("hypercube 100000000", "more than 5,000 vertices"),
    ("ladder 5000", "more than 5,000 vertices"),
    ("complete " + "1" * 5000, "expected complete NUMBER"),
    ("edges.txt", "line 2: the edge a - b is listed twice"),
    ("two.graphml", "contains several graphs"),
    ("typo.graphml", "an edge leads to 'c', which is no node of the graph"),
])  # fmt: skip
def test_faults_of_graphs(stated: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "edges.txt").write_text("a b\na b\n")
    (tmp_path / "two.graphml").write_text("<graphml><graph/><graph/></graphml>")
    text = "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='c'/></graph></graphml>"
    (tmp_path / "typo.graphml").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError, match=fault):
        read_graph(stated)
