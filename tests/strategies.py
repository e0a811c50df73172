"""Random problems for hypothesis."""

from typing import Any

from hypothesis import strategies as st

from exactcover import Colored, Problem

PRICES = st.sampled_from([st.integers(0, 12), st.decimals(0, 9, places=2)])
"""Kinds of costs that are not negative."""

COSTS = st.one_of(PRICES, st.sampled_from([st.integers(-9, 9), st.decimals(-9, 9, places=2)]))
"""Kinds of costs."""


@st.composite
def problems(
    draw: st.DrawFn, most_options: int = 10, most_primary: int = 6, most_secondary: int = 4, most_often: int = 4
) -> Problem:
    """Small problems of every kind: without options, with uncoverable items, colors, equal options, multiplicities."""
    primary = [f"p{number}" for number in range(draw(st.integers(0, most_primary)))]
    secondary = [f"s{number}" for number in range(draw(st.integers(0, most_secondary)))]
    options: list[tuple[int, list[Any]]] = []
    for label in range(draw(st.integers(0, most_options if primary else 0))):
        items: list[Any] = draw(st.lists(st.sampled_from(primary), min_size=1, max_size=3, unique=True))
        if secondary:
            shared = draw(st.lists(st.sampled_from(secondary), max_size=3, unique=True))
            colors = draw(st.lists(st.sampled_from([None, "red", "green"]), min_size=3, max_size=3))
            items += [
                item if color is None else Colored(item, color) for item, color in zip(shared, colors, strict=False)
            ]
        options.append((label, draw(st.permutations(items))))
    bounds = st.tuples(st.integers(0, most_often), st.integers(1, most_often)).filter(lambda two: two[0] <= two[1])
    if not primary or draw(st.booleans()):
        return Problem(options, primary=primary, secondary=secondary)
    multiplicity = draw(st.dictionaries(st.sampled_from(primary), bounds))
    preferred = draw(st.lists(st.sampled_from(primary), max_size=2, unique=True))
    return Problem(options, primary=primary, secondary=secondary, multiplicity=multiplicity, preferred=preferred)


@st.composite
def priced(draw: st.DrawFn, most_options: int = 25, prices: st.SearchStrategy[Any] = PRICES) -> Problem:
    """Problems some of whose options have costs, all of one kind."""
    problem = draw(problems(most_options, most_primary=8))
    price: st.SearchStrategy[Any] = draw(prices)
    return Problem(
        problem.options,
        primary=problem.primary,
        secondary=problem.secondary,
        multiplicity=problem.multiplicity,
        costs={label: draw(price) for label in problem.labels if draw(st.integers(0, 4))},
    )


@st.composite
def instances(draw: st.DrawFn, some: st.SearchStrategy[Problem]) -> Problem:
    """Problems with a few options given and a few excluded, or none."""
    problem = draw(some)
    labels = st.lists(st.sampled_from(problem.labels), max_size=2) if problem.labels else st.just([])
    return problem.instance(draw(labels), draw(labels))


@st.composite
def symmetric_problems(draw: st.DrawFn, complete: bool = False) -> Problem:
    """Options, and all that a permutation of items and colors makes of them; with colors and multiplicities.

    The permutation is stated unless there are too many options, maybe as the only one.
    """
    primary = [f"p{number}" for number in range(draw(st.integers(1, 5)))]
    secondary = [f"s{number}" for number in range(draw(st.integers(0, 2)))]
    images = [*draw(st.permutations(primary)), *draw(st.permutations(secondary))]
    symmetry = dict(zip([*primary, *secondary], images, strict=True))
    bounds = {}
    for item in draw(st.sets(st.sampled_from(primary), max_size=2)):
        low = draw(st.integers(0, 2))
        pair = (low, low + draw(st.integers(0 if low else 1, 2)))
        while item not in bounds:
            bounds[item] = pair
            item = symmetry[item]
    options: dict[frozenset[tuple[str, str | None]], None] = {}
    for _ in range(draw(st.integers(1, 4))):
        items = draw(st.lists(st.sampled_from(primary), min_size=1, max_size=3, unique=True))
        others = draw(st.lists(st.sampled_from(secondary), max_size=2, unique=True)) if secondary else []
        row = frozenset(
            [(item, None) for item in items] + [(one, draw(st.sampled_from([None, "a", "b"]))) for one in others]
        )
        while row not in options and len(options) < 14:
            options[row] = None
            row = frozenset((symmetry[item], color) for item, color in row)
    rows = [
        [item if color is None else Colored(item, color) for item, color in sorted(row, key=str)] for row in options
    ]
    copies = draw(st.integers(0, 1))  # another option with the items of the first
    is_closed = not copies and all(
        frozenset((symmetry[item], color) for item, color in row) in options for row in options
    )
    return Problem(
        dict(enumerate(rows + rows[:copies])),
        primary=primary,
        secondary=secondary,
        multiplicity=bounds,
        symmetries=[symmetry] if is_closed else [],
        symmetries_complete=complete,
    )
