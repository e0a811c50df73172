"""A certificate is about a target if both mean the same, in whatever order."""

import random

from hypothesis import given
from hypothesis import strategies as st

from exactcover import Problem
from exactcover.certificates.comparison import find_difference
from exactcover.certificates.writer import describe_problem
from strategies import priced, problems


def shuffle(problem: Problem, numbers: random.Random) -> Problem:
    """Return the problem with items, options and the items of each option in another order."""

    def mix(things: object) -> list:  # type: ignore[type-arg]
        return numbers.sample(list(things), len(list(things)))  # type: ignore[call-overload]

    return Problem(
        [(label, mix(problem.options[label])) for label in mix(problem.labels)],
        primary=mix(problem.primary),
        secondary=mix(problem.secondary),
        multiplicity=problem.multiplicity,
        costs=problem.costs,
    )


@given(problem=st.one_of(problems(), priced()), numbers=st.randoms(use_true_random=False))
def test_order_does_not_matter_and_all_else_does(problem: Problem, numbers: random.Random) -> None:
    labels = list(problem.labels)
    chosen = numbers.sample(labels, min(2, len(labels)))
    stated = describe_problem(problem.instance(chosen[:1], chosen[1:]))
    other = shuffle(problem, numbers)
    assert find_difference(stated, describe_problem(other.instance(chosen[:1], chosen[1:]))) is None
    for changed in (
        other,
        other.instance(chosen[1:], chosen[:1]),
        shuffle(other.derive(list(other.options.items())[1:], costs={}), numbers),
        other.derive(other.options.items(), costs={**other.costs, labels[0]: 10**6} if labels else {}),
    ):
        expected = describe_problem(changed)
        assert (find_difference(stated, expected) is None) == (not labels)
