"""The C++ part of the engines; use it through exactcover.engines."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

_Poll: TypeAlias = Callable[[], object] | None

instruction_sets: tuple[str, ...]
build_type: str
version: str

class TooLargeError(ValueError):
    """The problem is too large for this way to count or to build a diagram."""

def leave(seconds: float) -> bool: ...

class Problem:
    """A problem as lists of columns."""

class InstanceSolver:
    """Solves instances of one problem that are written as text."""

    def __init__(
        self,
        problem: Problem,
        layouts: list[str],
        table: array[int],
        most_dense_options: int,
        instructions: str,
        poll: _Poll = None,
    ) -> None: ...
    def answer(self, texts: list[str], seconds: float, poll: _Poll = None) -> list[tuple[int, str] | None]: ...

class SearchCounters:
    """What a search has counted so far."""

    def __init__(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def updates(self) -> int: ...
    @property
    def compactions(self) -> int: ...
    @property
    def solutions(self) -> int: ...

class Search:
    """A search over a problem, run in slices."""

    def __init__(
        self, problem: Problem, most_dense_options: int = 65536, instructions: str = ..., poll: _Poll = None
    ) -> None: ...
    def begin(
        self,
        given: Sequence[int],
        heuristic: str = "mrv",
        without: Sequence[int] = (),
        cheapest: int = 0,
        ceiling: int = ...,
    ) -> bool: ...
    def children(
        self, given: Sequence[int], heuristic: str = "mrv", without: Sequence[int] = ()
    ) -> list[tuple[list[int], list[int]]]: ...
    def path(self) -> tuple[list[int], list[tuple[int, list[int], bool]]] | None: ...
    def probe(
        self,
        seed: int,
        poll: _Poll = None,
        given: Sequence[int] = (),
        without: Sequence[int] = (),
        listing: bool = False,
    ) -> list[tuple[int, int, int]]: ...
    def cheapest(self) -> list[tuple[int, ...]]: ...
    def watch(self, logged: bool, skips_leaves: bool = False) -> None: ...
    def profile(self) -> tuple[list[int], int]: ...
    def log(self) -> bytes: ...
    def advance(self, work: int, most: int, listing: bool, poll: _Poll = None) -> bool: ...
    def take(self) -> list[tuple[int, ...]]: ...
    def take_arrays(self) -> tuple[bytes, bytes]: ...
    def counters(self) -> SearchCounters: ...
    def explored(self) -> float: ...
    def memory(self) -> int: ...

def make_problem(
    items: int,
    primary: int,
    starts: array[int],
    entries: array[int],
    colors: array[int],
    low: Sequence[int] = (),
    high: Sequence[int] = (),
    costs: Sequence[int] = (),
    preferred: Sequence[int] = (),
    poll: _Poll = None,
    rules: Sequence[GraphRule] = (),
) -> Problem: ...
def problem_of_rows(rows: Rows, poll: _Poll = None) -> Problem: ...

class GraphRule:
    """A rule about a graph; 2^32 - 1 stands for none, 2^32 - 2 for any."""

    def __init__(
        self,
        kind: str,
        vertices: int,
        elements: Sequence[tuple[int, int]],
        switches: Sequence[Sequence[int]],
        lit: Sequence[int],
        or_none: bool = False,
        partners: Sequence[int] = (),
        free_paths: int = 0,
        neighbors: Sequence[tuple[int, int]] = (),
        sizes: Sequence[tuple[int, int]] = (),
        weights: Sequence[int] = (),
    ) -> None: ...

class Sweep:
    """A sweep (frontier method): handles items in order, and merges partial solutions with the same remaining work."""

    def __init__(
        self,
        problem: Problem,
        recorded: bool = False,
        order: Sequence[int] = (),
        hash_mask: int = ...,
        poll: _Poll = None,
    ) -> None: ...
    def advance(self, work: int) -> bool: ...
    def total(self) -> bytes: ...
    def progress(self) -> tuple[int, int, int]: ...
    def order(self) -> list[int]: ...
    def bits(self) -> list[int]: ...
    def memory(self) -> int: ...

class MemoCounters:
    """What a search with a memo has counted so far."""

    @property
    def nodes(self) -> int: ...
    @property
    def hits(self) -> int: ...
    @property
    def splits(self) -> int: ...
    @property
    def thinned(self) -> int: ...

class Memo:
    """A search that remembers the count of each residual problem."""

    def __init__(self, problem: Problem, hash_mask: int = ..., poll: _Poll = None) -> None: ...
    def advance(self, nodes: int) -> bool: ...
    def total(self) -> bytes: ...
    def counters(self) -> MemoCounters: ...
    def explored(self) -> float: ...
    def thin(self) -> None: ...
    def entries(self) -> int: ...
    def memory(self) -> int: ...

class Diagrams:
    """Zero-suppressed decision diagrams that share their nodes."""

    def __init__(self, levels: Sequence[int], most_bytes: int, hash_mask: int = ..., poll: _Poll = None) -> None: ...
    def of_sweep(self, sweep: Sweep) -> int: ...
    def of_memo(self, problem: Problem) -> int: ...
    def of_sets(self, sets: Sequence[Sequence[int]]) -> int: ...
    def add(self, f: int, g: int) -> int: ...
    def nodes(self, family: int) -> tuple[bytes, bytes, bytes]: ...

def compact_order(problem: Problem, poll: _Poll = None) -> list[int]: ...

class Rows:
    """A problem as rows of items and colors."""

    def remainder(self, chosen: Sequence[int], excluded: Sequence[int] = ()) -> Rows | None: ...
    def bounded(self, item: int, number: int) -> Rows: ...
    def with_item(self, holders: Sequence[int], number: int) -> Rows: ...
    def with_origins(self, items: Sequence[int], options: Sequence[int], primary: int) -> Rows: ...
    def holders_of(self, item: int) -> list[int]: ...
    def to_arrays(self) -> tuple[bytes, bytes, bytes]: ...
    @property
    def items(self) -> int: ...
    @property
    def primary(self) -> int: ...
    @property
    def options(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def bounds(self) -> list[tuple[int, int]]: ...
    @property
    def item_origins(self) -> list[int]: ...
    @property
    def option_origins(self) -> list[int]: ...

def make_rows(
    items: int,
    primary: int,
    starts: array[int],
    entries: array[int],
    colors: array[int],
    low: Sequence[int] = (),
    high: Sequence[int] = (),
    poll: _Poll = None,
) -> Rows: ...

class Symmetries:
    """The symmetries of a problem: generators of its automorphisms."""

    def __init__(self, rows: Rows, kinds: Sequence[int] = (), most_work: int = ..., poll: _Poll = None) -> None: ...
    def generators(self) -> list[tuple[list[int], list[int]]]: ...
    def branches(self) -> list[tuple[int, int]]: ...
    def orbits_of(self, item: int) -> list[tuple[int, int]]: ...
    def orbits(self) -> list[tuple[int, int, float]]: ...
    def firsts(self) -> list[int]: ...
    def orbit_of(self, option: int) -> list[int]: ...
    def form(self, most_work: int = ...) -> bytes: ...
    def option_order(self) -> list[int]: ...
    @property
    def complete(self) -> bool: ...
    @property
    def factors(self) -> list[int]: ...

class SolutionOrbits:
    """The solutions that symmetries make of those seen so far."""

    def __init__(
        self, options: int, generators: Sequence[Sequence[int]], most_bytes: int = ..., poll: _Poll = None
    ) -> None: ...
    def add(self, solution: Sequence[int]) -> int: ...

class NotCertifiedError(ValueError):
    """Raised if a certificate does not prove what it says."""

class ProofChecker:
    """Checks the trees, sweeps and memos of a certificate."""

    def __init__(
        self,
        items: int,
        primary: int,
        starts: array[int],
        entries: array[int],
        colors: array[int],
        poll: _Poll = None,
    ) -> None: ...
    def walk(
        self, live: bytes, needs: Sequence[tuple[int, int]], items: Sequence[int], nodes: bytes, place: int
    ) -> tuple[int, int] | None: ...
    def walk_priced(
        self,
        live: bytes,
        needs: Sequence[tuple[int, int]],
        items: Sequence[int],
        nodes: bytes,
        place: int,
        rest: Sequence[int],
        prices: Sequence[int],
        left: int,
        most: int,
    ) -> tuple[list[int], int] | None: ...
    def sweep(self, live: bytes, needs: Sequence[tuple[int, int]], items: Sequence[int]) -> bytes: ...
    def memo(self, live: bytes, needs: Sequence[tuple[int, int]]) -> bytes: ...
    def visited(self) -> int: ...

class ClauseTrimmer:
    """Makes a proof with hints of the clauses that a solver learns."""

    def __init__(
        self,
        items: int,
        primary: int,
        starts: array[int],
        entries: array[int],
        colors: array[int],
        lows: Sequence[int],
        highs: Sequence[int],
        color_variables: Sequence[tuple[int, int]],
        poll: _Poll = None,
    ) -> None: ...
    def add(self, clauses: array[int]) -> bool: ...
    def write(self, items: Sequence[int], variables: Sequence[int]) -> bytes: ...

class WeightFinder:
    """Looks for weights that add up to 0 in each option, but not in all items."""

    def __init__(
        self,
        items: int,
        primary: int,
        starts: array[int],
        entries: array[int],
        colors: array[int],
        needed: Sequence[tuple[int, int]],
        poll: _Poll = None,
    ) -> None: ...
    def find(self, prime: int, most: int, work: int) -> tuple[list[tuple[int, int]], int] | None: ...

class Trials:
    """Tries options in a position, and finds those that lead to a contradiction; used by one thread at a time."""

    def __init__(
        self,
        rows: Sequence[Sequence[tuple[int, int, int]]],
        low: Sequence[int],
        high: Sequence[int],
        rules: Sequence[GraphRule],
    ) -> None: ...
    def enter(self, alive: bytes, chosen: bytes) -> None: ...
    def rules_hold(self) -> bool: ...
    def refute(
        self, items: Sequence[int], options: Sequence[int] | None = None, poll: _Poll = None
    ) -> list[tuple[int, int, list[tuple[int, int]], int]]: ...
    def shrink(self, option: int, items: Sequence[int], order: Sequence[int], poll: _Poll = None) -> list[int]: ...

class OptionReader:
    """Reads plain options from Python objects; used by one thread."""

    def __init__(
        self,
        positions: dict[Any, int],
        numbers: dict[Any, int],
        colors: dict[Any, int],
        primary: list[Any] | None,
        colored: type,
    ) -> None: ...
    def read(self, options: Iterator[Any]) -> tuple[Any, ...] | None: ...
    def take(self) -> tuple[bytes, bytes, bytes]: ...

def move_secondary(entries: array[int], primary: int) -> None: ...
