"""Crosswords and word squares, against brute force."""

import itertools
import sys

from problems import Crossword


def test_crosswords_by_brute_force(installed_engine: str) -> None:
    words = ["BIT", "ICE", "TEN", "BAT", "ATE", "TEA", "EAT", "ANT", "NET", "ICY"]
    columns = {rows: tuple(map("".join, zip(*rows, strict=True))) for rows in itertools.product(words, repeat=3)}
    repeated = {rows for rows in columns if {*columns[rows]} <= {*words}}
    distinct = {rows for rows in repeated if len({*rows, *columns[rows]}) == 6}
    symmetric = {rows for rows in repeated if columns[rows] == rows and len({*rows}) == 3}
    for encoder, expected in (
        (Crossword("3x3", tuple(words)), distinct),
        (Crossword("3x3", tuple(words), symmetric=True), symmetric),
        (Crossword(".../.../...", tuple(words), repeat=True), repeated),
        (Crossword("B../.../...", tuple(words), symmetric=True), {rows for rows in symmetric if rows[0][0] == "B"}),
    ):
        problem = encoder.problem()
        assert {encoder.decode(one) for one in problem.solve(engine=installed_engine)} == expected
        problem.permutations()
    assert symmetric


def test_blocked_cells_part_words() -> None:
    encoder = Crossword(("..#", "...", "#.."), ("to", "ox", "tor", "end", "we", "woe", "or", "de"))
    for solution in encoder.problem().solve():
        rows = encoder.decode(solution)
        assert rows[0][2] == rows[2][0] == "#"
        assert len(solution) == 6


def test_only_words_that_fit_a_slot_are_looked_at() -> None:
    """The work to list options is counted in calls; most words are too short or too long for any slot."""
    words = ["".join(letters) for letters in itertools.product("ABCDEFG", repeat=4)]
    encoder = Crossword("12x3", (*words, "ABC", "CAB", "BCA"))
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        options = list(encoder.options())
    finally:
        sys.setprofile(None)
    assert len(options) == 3 * 12
    assert calls < 12 * len(words)  # with events of calls and returns; not once more for each slot
