"""Published numbers of solutions."""

from collections.abc import Callable

from classics import langford, latin_squares, matchings, one_factorizations, set_partitions, steiner_triples
from exactcover import Problem

# Sources: OEIS A000170, A000110, A002860, A001147, A000438; Miller, "Langford's problem".
KNOWN: list[tuple[str, Callable[[], Problem], int]] = [
    ("langford 3", lambda: langford(3), 2),
    ("langford 4", lambda: langford(4), 2),
    ("langford 5", lambda: langford(5), 0),
    ("langford 7", lambda: langford(7), 52),
    ("matchings 8", lambda: matchings(8), 105),
    ("matchings 10", lambda: matchings(10), 945),
    *((f"latin squares {n}", lambda n=n: latin_squares(n), count) for n, count in enumerate([1, 2, 12, 576], 1)),
    *((f"partitions {n}", lambda n=n: set_partitions(n), b) for n, b in enumerate([1, 2, 5, 15, 52, 203, 877], 1)),
    ("steiner triples 7", lambda: steiner_triples(7), 30),
    ("1-factorizations of K6", lambda: one_factorizations(6), 6),
]
