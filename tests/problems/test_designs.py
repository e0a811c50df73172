"""Block designs and Costas arrays, against published numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from exactcover import Encoder, ParameterError
from exactcover.testing import check_encoder
from problems import Costas, Design

PUBLISHED: list[tuple[str, Callable[[], Encoder], int]] = [
    ("Fano planes", lambda: Design(7), 30),  # OEIS A030128
    ("triples of nine points", lambda: Design(9), 840),
    ("quadruples of eight points", lambda: Design(8, 4, 3), 30),
    ("biplane of seven points", lambda: Design(7, 4, 2, 2), 30),  # complements of Fano planes
    *((f"Costas arrays {n}", lambda n=n: Costas(n), count) for n, count in enumerate([2, 4, 12, 40, 116], 2)),  # A008404
]  # fmt: skip


@pytest.mark.parametrize(("name", "make", "count"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published_numbers(name: str, make: Callable[[], Encoder], count: int) -> None:
    encoder = make()
    assert encoder.problem().count(given=encoder.givens()) == count


def test_impossible_parameters_are_a_proof() -> None:
    assert Design(8).impossible() == "the number of blocks would be 28 / 3, which is not a whole number"
    assert (
        Design(6, 3, 2).impossible()
        == "the number of blocks through 1 point would be 5 / 2, which is not a whole number"
    )
    assert Design(8).problem().count() == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Design(5, 6), "expected 2 to 5 points, got 6"),
        (lambda: Design(99, 9), "more than 5,000,000 blocks of 9 points are possible; use fewer points"),
    ],
)
def test_parameters_are_refused(make: Callable[[], Encoder], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert message in caught.value.message


def test_the_conformance_kit_passes() -> None:
    check_encoder(Design, [{}, {"points": 4, "block": 3, "together": 2, "times": 2}])
    check_encoder(Costas, [{"n": 4}])
