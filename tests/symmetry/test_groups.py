"""Automorphisms, canonical forms and groups, compared with brute force."""

import pickle
import random
from dataclasses import replace
from itertools import combinations
from math import factorial, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactcover import Colored, Problem
from exactcover.control.stop import Stop
from exactcover.engines.base import ENGINES, MatrixQuery
from exactcover.model.matrix import Matrix, native
from exactcover.symmetry.permutations import PermutationGroup, closure
from exactcover.symmetry.quotients import find_conjugacy_classes
from exactcover.symmetry.remainders import find_symmetries, make_matrix, make_remainder
from oracles import automorphisms, solve_matrix
from strategies import problems

needs_native = pytest.mark.skipif(native is None, reason="remainders are made in C++")
permutations = st.integers(1, 6).flatmap(lambda size: st.lists(st.permutations(range(size)).map(tuple), max_size=3))


@given(permutations)
def test_orders_and_orbits_of_groups(generators: list[tuple[int, ...]]) -> None:
    size = len(generators[0]) if generators else 3
    group, elements = PermutationGroup(generators, size), closure(generators, size)
    assert group.order == len(elements)
    orbits = {tuple(sorted({one[k] for one in elements})) for k in range(size)}
    assert group.orbits() == sorted(map(list, orbits))
    assert group.exceeds(len(elements) - 1) and not group.exceeds(len(elements))


def test_the_order_of_a_large_group() -> None:
    n = 20
    assert PermutationGroup([(1, 0, *range(2, n)), (*range(1, n), 0)], n).order == factorial(n)


@given(permutations)
def test_conjugacy_classes(generators: list[tuple[int, ...]]) -> None:
    size = len(generators[0]) if generators else 3
    group = closure(generators, size)
    classes = find_conjugacy_classes(group, Stop())
    assert sum(number for _, number in classes) == len(group)
    for element, number in classes:
        inverses = {one: tuple(one.index(k) for k in range(size)) for one in group}
        conjugates = {tuple(one[element[inverses[one][k]]] for k in range(size)) for one in group}
        assert len(conjugates) == number


def form_of(matrix: Matrix) -> bytes:
    form = find_symmetries(make_remainder(matrix, Stop()), Stop()).found.form()
    assert form
    return bytes(form)


def rename(problem: Problem, seed: int) -> Problem:
    """The problem with its items, options and colors renamed and put into another order."""
    numbers = random.Random(seed)
    primary, secondary = list(problem.primary), list(problem.secondary)
    names = {item: ("new", k) for k, item in enumerate(numbers.sample(problem.items, len(problem.items)))}
    numbers.shuffle(primary)
    numbers.shuffle(secondary)
    rows = [
        [Colored(names[one.item], ("new", one.color)) if isinstance(one, Colored) else names[one] for one in entries]
        for entries in problem.options.values()
    ]
    numbers.shuffle(rows)
    return Problem(
        dict(enumerate(rows)),
        primary=[names[item] for item in primary],
        secondary=[names[item] for item in secondary],
        multiplicity={names[item]: bounds for item, bounds in problem.multiplicity.items()},
    )


@needs_native
@given(problems(), st.integers(0, 1000))
def test_renamed_problems_have_equal_forms(problem: Problem, seed: int) -> None:
    assert form_of(problem.matrix) == form_of(rename(problem, seed).matrix)


@needs_native
def test_forms_tell_all_graphs_with_five_vertices_apart() -> None:
    pairs = list(combinations(range(5), 2))
    graphs = ([pair for k, pair in enumerate(pairs) if chosen >> k & 1] for chosen in range(1 << len(pairs)))
    forms = {form_of(Problem([(edge, edge) for edge in graph], primary=range(5)).matrix) for graph in graphs}
    assert len(forms) == 34  # OEIS A000088


@needs_native
@given(problems(most_options=6, most_primary=4, most_secondary=2))
def test_orders_of_automorphism_groups(problem: Problem) -> None:
    found = find_symmetries(make_remainder(problem.matrix, Stop()), Stop())
    assert found.found.complete and found.order == prod(found.found.factors)
    assume(found.order <= 2000)
    images = {tuple(image) for image, _ in found.generators()}
    assert set(closure(images, len(problem.options))) == set(map(tuple, automorphisms(problem)))


@needs_native
def test_a_search_for_symmetries_that_gives_up() -> None:
    matrix = Problem({pair: pair for pair in combinations(range(12), 2)}).matrix
    found = find_symmetries(make_remainder(matrix, Stop()), Stop(), most_work=2000)
    assert not found.found.complete and found.order <= factorial(12)
    assert find_symmetries(make_remainder(matrix, Stop()), Stop()).found.form(100) == b""


@needs_native
@given(problems(), st.data())
def test_remainders_have_the_solutions_with_an_option(problem: Problem, data: st.DataObject) -> None:
    assume(problem.options)
    option = data.draw(st.integers(0, len(problem.options) - 1))
    left = make_remainder(problem.matrix, Stop()).remainder([option])
    expected = len(list(problem.solve(engine="sets", given=[problem.labels[option]])))
    if left is None:
        assert expected == 0
    else:
        matrix = make_matrix(left)
        assert all(matrix.option(k) for k in range(len(matrix)))
        assert len(solve_matrix(matrix)) == expected
        made_of_rows, made_of_arrays = _search(matrix), _search(replace(matrix))
        assert made_of_rows == made_of_arrays and made_of_rows[0] == expected


def _search(matrix: Matrix) -> tuple[int, int]:
    """The solutions that the native engine finds, and the nodes that it visits for that."""
    run = ENGINES["native"].start(MatrixQuery(matrix, Stop()))
    return run.count(), run.nodes


@needs_native
def test_a_matrix_that_was_changed_is_not_searched_as_rows() -> None:
    problem = Problem({"a": [1, 2], "b": [1, 2], "c": [3, 4], "d": [3, 4]})
    matrix = make_matrix(make_remainder(problem.matrix, Stop()))
    assert _search(matrix)[0] == _search(pickle.loads(pickle.dumps(matrix)))[0] == 4
    assert _search(replace(matrix, multiplicity=dict.fromkeys(range(4), (2, 2))))[0] == 1
