"""The tuned numbers of counting, of branch and bound, and of long runs.

Each has a default, bounds, and a comment that states its purpose and its unit.

No number of a policy changes a result; they decide how long it takes. Tests pass policies of their own to drive a count
along paths that it would take only for hard problems.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from numbers import Real
from typing import Any


def _tune(default: float, least: float, most: float) -> Any:
    """Return a field with its default and bounds."""
    return field(default=default, metadata={"least": least, "most": most})


class _Policy:
    """Numbers within their bounds."""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]  # each policy is a dataclass
            least, most, value = one.metadata["least"], one.metadata["most"], getattr(self, one.name)
            if not isinstance(value, Real) or not least <= value <= most:
                raise ValueError(f"{one.name} must be from {least:g} to {most:g}; got {value!r}")


@dataclass(frozen=True)
class CountingPolicy(_Policy):
    """Tuned numbers by which a count decides how to go on; raise ``ValueError`` if one is out of its bounds.

    Examples
    --------
    >>> CountingPolicy(most_chains=0).most_chains
    0
    >>> CountingPolicy(least_gain=0)
    Traceback (most recent call last):
    ...
    ValueError: least_gain must be from 1 to 1000; got 0
    """

    # -- which split pays ------------------------------------------------------------------------
    least_gain: float = _tune(1.3, 1, 1000)  # factor: the least expected saving of a split
    option_penalty: float = _tune(0.6, 0, 2)  # exponent: the price of branching on an item with many options
    most_cases: int = _tune(64, 2, 1 << 16)  # the most cases of a split on an orbit or a chain
    most_chains: int = _tune(32, 0, 1 << 16)  # the number of items whose chains are compared
    chain_gain: float = _tune(2.0, 0, 1000)  # factor: a chain must save this much more than an item

    # -- parts: what is left when options are chosen ---------------------------------------------
    # the time to make a part and start its run, besides what depends on its size
    part_seconds: float = _tune(1.6e-4, -1e12, 1e12)
    # the time to find the symmetries of the whole, besides what depends on its size
    symmetry_seconds: float = _tune(5e-5, 0, 1e6)
    # the time to see that a matrix has no symmetries, before any was measured
    seconds_per_entry: float = _tune(1e-7, 0, 1)
    # factor: the time for which the whole is counted before that, by the time to find symmetries
    root_patience: float = _tune(6, 0, 1e6)
    part_patience: float = _tune(1, 0, 1e6)  # factor: the time for which a part is counted before that
    # the share of these times after which a count is given up that seems to take longer, or if nothing is known
    glance: float = _tune(0.2, 1e-3, 1)
    # the time of the whole if it may end first; its parts then get as long alone
    root_seconds: float = _tune(0.02, 0, 1e6)
    work_per_entry: int = _tune(400, 0, 1 << 40)  # edges: the work of the first search for symmetries
    eager_work: int = _tune(1 << 30, 0, 1 << 62)  # edges: the work of that search if the problem is to be split at once
    # edges: the work of a later search, for each second that its part has taken
    work_per_second: int = _tune(1 << 26, 0, 1 << 62)
    least_work: int = _tune(1 << 21, 0, 1 << 62)  # edges: the least work of a later search
    weigh_seconds: float = _tune(0.1, 0, 1e6)  # the time without a solution after which a count looks for weights
    reduction_seconds: float = _tune(0.3, 0, 1e6)  # the time after which a part is reduced
    reducing_left: float = _tune(2.0, 0, 1e6)  # a part is reduced only if that long seems to be left, or was spent
    most_waiting_runs: int = _tune(16, 0, 1 << 20)  # the runs that wait for other parts of their level
    most_run_memory: int = _tune(1 << 21, 0, 1 << 62)  # bytes: the memory that a run that waits may hold
    most_level_entries: int = _tune(1 << 20, 0, 1 << 62)  # the size of a level on which parts may still be split
    most_planned_entries: int = _tune(1 << 18, 0, 1 << 62)  # the size of a level on which a plan of a run may split

    # -- threads ---------------------------------------------------------------------------------
    threads_seconds: float = _tune(0.02, 0, 1e6)  # the time after which several threads count
    least_division: float = _tune(0.02, 0, 1e6)  # seconds: the shortest search that is divided between threads

    # -- the direct count of the whole, the rival of its parts -----------------------------------
    rival_share: float = _tune(0.08, 0, 1)  # its time, by that of the parts, unless it seems to end sooner
    late_factor: float = _tune(2, 0, 1e6)  # parts are late that take this much longer than expected, plus late_seconds
    late_seconds: float = _tune(0.05, 0, 1e12)  # see late_factor

    # -- the strategies of a direct count --------------------------------------------------------
    # the time of a node of a memo by the clock of work, for each item and 64 options
    memo_word_seconds: float = _tune(1e-8, 0, 1)
    # the time to find an order for a sweep, by pairs of items in options, and by items
    order_seconds: float = _tune(9e-9, 0, 1)
    strategy_patience: float = _tune(2e-4, 0, 1e6)  # the seconds of a search after which another strategy is tried
    # the smallest number of items for a sweep, which can hardly merge states with fewer
    fewest_swept_items: int = _tune(4, 0, 1 << 20)
    first_turn: float = _tune(4e-4, 1e-9, 60)  # seconds: the shortest turn of a strategy, unless another one may begin
    turn_share: float = _tune(0.15, 0, 1)  # share: the length of a turn, of the time spent so far
    worth_another: float = _tune(16, 0, 1e9)  # another strategy starts if the best needs this many patiences
    # the least share of the time for a strategy that seems as good as the best
    rival_strategy_share: float = _tune(0.2, 0, 1)
    least_share: float = _tune(0.01, 0, 1)  # the least share of the time for any strategy
    # the share of the best strategy's expected time for one with a vague estimate
    vague_share: float = _tune(0.08, 0, 1)
    hopeless_factor: float = _tune(1e5, 1, 1e18)  # a strategy expected to take this much longer gets no such share
    memo_trial: int = _tune(1 << 12, 0, 1 << 40)  # the number of nodes after which a memo is judged
    least_hits: float = _tune(0.05, 0, 10)  # hits per node: a memo that hits or splits less often is hopeless

    # -- the whole problem -----------------------------------------------------------------------
    # the work of a first solution after which other ways are tried beside the search
    restarts_begin: int = _tune(1 << 17, 0, 1 << 62)
    probing_begins: int = _tune(1 << 14, 0, 1 << 62)  # that work for probing, and as many units as entries
    learning_begins: int = _tune(1 << 21, 0, 1 << 62)  # that work for learning, whose process must start
    work_per_shuffled_entry: int = _tune(12, 0, 1 << 20)  # the work to shuffle an entry of the matrix
    work_per_learned_entry: int = _tune(25, 0, 1 << 20)  # the work per entry of every other way before learning begins
    work_per_propagation: int = _tune(7, 1, 1 << 20)  # the work of a propagation of a search that learns
    leftmost_share: float = _tune(0.1, 0.001, 1000)  # share: the work of the leftmost search, by that of the search
    most_learned_entries: int = _tune(1 << 21, 0, 1 << 40)  # the largest matrix that is made into clauses
    weight_work: int = _tune(1 << 23, 0, 1 << 62)  # entries: the work to find weights
    # factor: the most work of a look where there may be no solution, by weight_work
    second_look: int = _tune(8, 1, 1 << 20)
    weights_begin: int = _tune(1 << 17, 1, 1 << 62)  # the work of a first solution before a look for weights
    # factor: the work before the next look, by that before the last, and so its own
    weight_gap: int = _tune(4, 2, 1 << 20)
    weights_per_work: float = _tune(2, 0, 1e6)  # entries: the work of such a look, by what was done before
    most_listed: int = _tune(20_000, -1, 1 << 62)  # with more solutions, classes are counted without listing them


DEFAULT_POLICY = CountingPolicy()


@dataclass(frozen=True)
class BranchingPolicy(_Policy):
    """Tuned numbers of branch and bound by the relaxation: its searches and dives.

    Raise ``ValueError`` if a number is out of its bounds.
    """

    few_options: float = _tune(400, 1, 1e9)  # the number of options that a node searches at first
    least_options: float = _tune(100, 1, 1e9)  # the least such number
    most_options: float = _tune(4000, 1, 1e9)  # the largest such number
    growth: float = _tune(1.3, 1, 1e3)  # factor: the growth of this number after a search that ends
    decay: float = _tune(0.8, 1e-3, 1)  # factor: its decrease after a search that is given up
    leaf_nodes: int = _tune(1 << 12, 1, 1 << 62)  # the nodes after which such a search is given up
    dive_nodes: int = _tune(1 << 14, 1, 1 << 62)  # the same in a dive for a solution
    between_dives: int = _tune(100, 1, 1 << 62)  # the number of relaxations that are solved between two dives


DEFAULT_BRANCHING_POLICY = BranchingPolicy()


@dataclass(frozen=True)
class RunPolicy(_Policy):
    """Tuned numbers by which a long run is cut into cubes, and each of them searched.

    Raises
    ------
    ValueError
        If a number is out of its bounds.
    """

    # the time for which the coordinator counts the whole before it cuts the tree
    direct_seconds: float = _tune(0.5, 0, 1e6)
    cubes_per_worker: int = _tune(30, 1, 1 << 20)  # the largest cube is at most this part of a worker's share
    smallest_cube: float = _tune(0.5, 0, 1e6)  # seconds: cubes are not made smaller than this at the start
    shortest_turn: float = _tune(0.5, 0, 1e6)  # seconds: the shortest search of a cube before it is divided
    longest_turn: float = _tune(30, 0, 1e6)  # seconds: the longest such search
    # the time that a cube takes the coordinator, so that many workers do not overrun it
    message_seconds: float = _tune(1e-3, 0, 60)
    turns_left: int = _tune(4, 1, 1 << 20)  # the cubes into which a worker's share of what is left is divided
    # seconds: a worker finishes smaller subtrees before it hands the others back
    small_subtree: float = _tune(0.25, 0, 1e6)
    late_seconds: float = _tune(1.0, 0, 1e6)  # the most time for that after the time of the cube
    hand_back_seconds: float = _tune(0.5, 0, 1e6)  # the time in which workers hand back their cubes at a stop


DEFAULT_RUN_POLICY = RunPolicy()
