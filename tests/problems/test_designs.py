"""Block designs and Costas arrays, against published numbers."""

from problems import Design


def test_impossible_parameters_are_a_proof() -> None:
    assert Design(8).impossible() == "the number of blocks would be 28 / 3, which is not a whole number"
    assert (
        Design(6, 3, 2).impossible()
        == "the number of blocks through 1 point would be 5 / 2, which is not a whole number"
    )
    assert Design(8).problem().count() == 0
