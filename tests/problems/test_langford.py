"""Langford and Nickerson pairs: rows that keep the rule."""

from problems import Langford


def test_a_row_is_what_it_should_be() -> None:
    for kind, between in (("Langford", 0), ("Nickerson", 1)):
        pairs = Langford(n=4, kind=kind)  # type: ignore[arg-type]
        for solution in pairs.problem().solve():
            row = pairs.decode(solution)
            assert sorted(row) == [1, 1, 2, 2, 3, 3, 4, 4]
            assert all(row[row.index(k) + k + 1 - between] == k for k in range(1, 5))
