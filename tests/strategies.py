"""Random problems for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from exactcover import Colored, Problem


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
def priced(draw: st.DrawFn) -> Problem:
    """Problems some of whose options have costs, all whole or some not."""
    problem = draw(problems(most_options=25, most_primary=8))
    price: st.SearchStrategy[Any] = st.integers(0, 12) if draw(st.booleans()) else st.decimals(0, 9, places=2)
    return Problem(
        problem.options,
        primary=problem.primary,
        secondary=problem.secondary,
        multiplicity=problem.multiplicity,
        costs={label: draw(price) for label in problem.labels if draw(st.integers(0, 4))},
    )
