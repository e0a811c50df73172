"""Tiles with matching edges, against brute force."""

from exactcover import SearchOptions
from problems import EdgeMatching


def laid_by_brute_force(rows: int, columns: int, tiles: list[str]) -> int:
    """Lay tile after tile in every turn."""

    def count(laid: list[str], left: list[str]) -> int:
        if len(laid) == rows * columns:
            return 1
        row, column = divmod(len(laid), columns)
        total = 0
        for tile in sorted(set(left)):
            rest = [*left]
            rest.remove(tile)
            for edges in {tile[k:] + tile[:k] for k in range(4)}:
                if (row == 0 or laid[-columns][2] == edges[0]) and (column == 0 or laid[-1][1] == edges[3]):
                    total += count([*laid, edges], rest)
        return total

    return count([], tiles)


def test_edges_agree(installed_engine: str) -> None:
    for rows, columns, tiles in (
        (2, 3, ["aaaa", "aaab", "aabb", "abab", "abbb", "bbbb"]),
        (2, 2, ["abca", "abca", "bbca", "ccab"]),
        (1, 3, ["abcd", "dcba", "aaaa"]),
    ):
        encoder = EdgeMatching(f"{rows}x{columns}", tuple(tiles), border="")
        problem, least = encoder.problem(), [min(tile[k:] + tile[:k] for k in range(4)) for tile in tiles]
        assert problem.count(engine=installed_engine) == laid_by_brute_force(rows, columns, least)
        problem.permutations()
    assert EdgeMatching("1x1", ("abcd", "aaaa"), "a").problem().count(engine=installed_engine) == 1


def test_heads_meet_tails() -> None:
    two = EdgeMatching("1x2", ("xAxx", "xxxa"), border="", agree="case", rotate=False).problem()
    assert two.count() == 1
    assert EdgeMatching("1x2", ("xAxx", "xxxA"), border="", agree="case", rotate=False).problem().count() == 0
    turned = EdgeMatching("2x2", ("ABab", "ABab", "ABab", "ABab"), border="", agree="case").problem()
    assert turned.permutations()
    with turned.solve(options=SearchOptions(distinct=True)) as search:
        list(search)
    assert search.classes is not None and search.classes.total == turned.count()
