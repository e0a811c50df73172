"""The drawn tree of a search: where nodes stand, what is folded, and which subtrees are similar."""

import base64
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from browsing import Page, open_scripts
from exactcover.control.recorder import encode_numbers

Tree = list["Tree"]


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with the script of the tree alone."""
    names = ("data", "tree")
    yield open_scripts(browser, tmp_path_factory.mktemp("tree"), names, "SearchTree")


def grow(generator: random.Random, size: int) -> Tree:
    """Return a random tree; each node is the list of its children."""
    nodes: list[Tree] = [[]]
    while len(nodes) < size:
        child: Tree = []
        generator.choice(nodes[-9:] if generator.random() < 0.6 else nodes).append(child)
        nodes.append(child)
    return nodes[0]


def pack(tree: Tree, level: int = 0) -> list[int]:
    """Return the numbers of a tree: kind, level, option, item and children of each node."""
    return [0 if tree else 1, level, level and 1, 1, len(tree), *(n for child in tree for n in pack(child, level + 1))]


def text_of(tree: Tree) -> str:
    return base64.b64encode(encode_numbers(pack(tree))).decode()


def test_nodes_stand_apart_and_below_the_middle_of_their_children(page: Page) -> None:
    generator = random.Random(5)
    script = """
    return arguments[0].map((nodes) => {
      const tree = new SearchTree({nodes}), {levels, width} = tree.place();
      return [levels.map((level) => Array.from(level, (node) => [node, tree.x[node], tree.parent[node]])), width];
    })"""
    trees = [grow(generator, generator.randrange(1, 60)) for _ in range(60)]
    for levels, width in page.run(script, [text_of(tree) for tree in trees]):
        place = {node: x for level in levels for node, x, _ in level}
        assert min(place.values()) == pytest.approx(0, abs=1e-9)
        assert max(place.values()) == pytest.approx(width)
        for level in levels:
            xs = [x for _, x, _ in level]
            assert all(after - before >= 1 - 1e-9 for before, after in pairwise(xs))
        for level in levels[1:]:
            for above in {parent for _, _, parent in level}:
                ends = [x for _, x, parent in level if parent == above]
                assert place[above] == pytest.approx((ends[0] + ends[-1]) / 2)


def test_a_folded_subtree_hides_its_nodes_until_one_of_them_is_shown(page: Page) -> None:
    tree: Tree = [[[], [[], []]], []]
    script = """
    const tree = new SearchTree({nodes: arguments[0]}), counts = [tree.place().count];
    for (const act of [() => tree.fold(1), () => tree.reveal(4), () => tree.foldFailed(true), () => tree.foldFailed(false)]) {
      act();
      counts.push(tree.place().count);
    }
    return counts"""
    assert page.run(script, text_of(tree)) == [7, 3, 7, 1, 7]


def test_failed_subtrees_beside_the_node_that_is_shown_stay_folded(page: Page) -> None:
    script = """
    const tree = new SearchTree({nodes: arguments[0]});
    tree.foldFailed(true);
    return [5, 2, 6, 0].map((node) => (tree.reveal(node), tree.place().count))"""
    assert page.run(script, text_of([[[], [[], []]], []])) == [7, 5, 3, 1]


def test_similar_subtrees_are_those_of_one_shape(page: Page) -> None:
    generator = random.Random(6)
    script = """
    return arguments[0].map((nodes) => new SearchTree({nodes}).similar([[[0, 0]]]).map((group) => [group.nodes.length, group.size]))
    """
    trees = [grow(generator, 80) for _ in range(30)]
    for tree, groups in zip(trees, page.run(script, [text_of(tree) for tree in trees]), strict=True):
        counts = Counter(str(node) for node in walk(tree))
        expected = [(number, shape.count("[")) for shape, number in counts.items() if number > 1]
        assert sorted(map(tuple, groups)) == sorted(one for one in expected if one[1] >= 3)


def walk(tree: Tree) -> Iterator[Tree]:
    yield tree
    for child in tree:
        yield from walk(child)
