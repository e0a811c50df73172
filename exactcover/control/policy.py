"""The tuned numbers of counting, of branch and bound, and of long runs.

Each has a default, bounds, a unit, and a sentence that says what it is for.

No number of a policy changes a result; they decide how long it takes. Tests pass policies of their own to drive a count
along paths that it would take only for hard problems.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from numbers import Real
from typing import Any


def _tune(default: float, least: float, most: float, unit: str, about: str) -> Any:
    """Return a field with its default and bounds, the unit in which it is measured, and a sentence."""
    return field(default=default, metadata={"least": least, "most": most, "unit": unit, "about": about})


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

    # which split pays
    least_gain: float = _tune(1.3, 1, 1000, "factor", "The least expected saving of a split.")
    option_penalty: float = _tune(0.6, 0, 2, "exponent", "The price of branching on an item with many options.")
    most_cases: int = _tune(64, 2, 1 << 16, "cases", "The most cases of a split on an orbit or a chain.")
    most_chains: int = _tune(32, 0, 1 << 16, "items", "The number of items whose chains are compared.")
    chain_gain: float = _tune(2.0, 0, 1000, "factor", "A chain must save this much more than an item.")

    # parts: what is left when options are chosen
    part_seconds: float = _tune(
        1.6e-4, -1e12, 1e12, "seconds", "The time to make a part and start its run, besides what depends on its size."
    )
    symmetry_seconds: float = _tune(
        5e-5, 0, 1e6, "seconds", "The time to find the symmetries of the whole, besides what depends on its size."
    )
    seconds_per_entry: float = _tune(
        1e-7, 0, 1, "seconds", "The time to see that a matrix has no symmetries, before any was measured."
    )
    root_patience: float = _tune(
        6, 0, 1e6, "factor", "The time for which the whole is counted before that, by the time to find symmetries."
    )
    part_patience: float = _tune(1, 0, 1e6, "factor", "The time for which a part is counted before that.")
    glance: float = _tune(
        0.2,
        1e-3,
        1,
        "share",
        "The share of these times after which a count is given up that seems to take longer, or if nothing is known.",
    )
    root_seconds: float = _tune(
        0.02, 0, 1e6, "seconds", "The time of the whole if it may end first; its parts then get as long alone."
    )
    work_per_entry: int = _tune(400, 0, 1 << 40, "edges", "The work of the first search for symmetries.")
    eager_work: int = _tune(
        1 << 30, 0, 1 << 62, "edges", "The work of that search if the problem is to be split at once."
    )
    work_per_second: int = _tune(
        1 << 26, 0, 1 << 62, "edges", "The work of a later search, for each second that its part has taken."
    )
    least_work: int = _tune(1 << 21, 0, 1 << 62, "edges", "The least work of a later search.")
    weigh_seconds: float = _tune(
        0.1, 0, 1e6, "seconds", "The time without a solution after which a count looks for weights."
    )
    reduction_seconds: float = _tune(0.3, 0, 1e6, "seconds", "The time after which a part is reduced.")
    reducing_left: float = _tune(
        2.0, 0, 1e6, "seconds", "A part is reduced only if so much time seems to be left, or has been spent."
    )
    most_waiting_runs: int = _tune(16, 0, 1 << 20, "runs", "The runs that wait for other parts of their level.")
    most_run_memory: int = _tune(1 << 21, 0, 1 << 62, "bytes", "The memory that a run that waits may hold.")
    most_level_entries: int = _tune(
        1 << 20, 0, 1 << 62, "entries", "The size of a level on which parts may still be split."
    )

    most_planned_entries: int = _tune(
        1 << 18, 0, 1 << 62, "entries", "The size of a level on which the plan of a run may still split."
    )
    # threads
    threads_seconds: float = _tune(0.02, 0, 1e6, "seconds", "The time after which several threads count.")
    least_division: float = _tune(0.02, 0, 1e6, "seconds", "The shortest search that is divided between threads.")

    # the direct count of the whole, the rival of its parts
    rival_share: float = _tune(0.08, 0, 1, "share", "Its time, by that of the parts, unless it seems to end sooner.")
    late_factor: float = _tune(
        2, 0, 1e6, "factor", "Parts are late if they take this much longer than expected, plus late_seconds."
    )
    late_seconds: float = _tune(0.05, 0, 1e12, "seconds", "See late_factor.")

    # the strategies of a direct count
    memo_word_seconds: float = _tune(
        1e-8, 0, 1, "seconds", "The time of a node of a memo by the clock of work, for each item and 64 options."
    )
    order_seconds: float = _tune(
        9e-9,
        0,
        1,
        "seconds",
        "The time to find an order for a sweep, by pairs of items in options, and by items.",
    )
    strategy_patience: float = _tune(
        2e-4, 0, 1e6, "seconds", "The time of a search after which another strategy is tried."
    )
    fewest_swept_items: int = _tune(
        4, 0, 1 << 20, "items", "The smallest number of items for a sweep, which can hardly merge states with fewer."
    )
    first_turn: float = _tune(
        4e-4, 1e-9, 60, "seconds", "The shortest turn of a strategy, unless another one may begin."
    )
    turn_share: float = _tune(0.15, 0, 1, "share", "The length of a turn, of the time spent so far.")
    worth_another: float = _tune(
        16, 0, 1e9, "factor", "Another strategy starts if the best one needs this many times the patience."
    )
    rival_strategy_share: float = _tune(
        0.2, 0, 1, "share", "The least share of the time for a strategy that seems as good as the best."
    )
    least_share: float = _tune(0.01, 0, 1, "share", "The least share of the time for any strategy.")
    vague_share: float = _tune(
        0.08, 0, 1, "share", "The share of the best strategy's expected time for one with a vague estimate."
    )
    hopeless_factor: float = _tune(
        1e5, 1, 1e18, "factor", "A strategy that is expected to take this much longer gets no such share."
    )
    memo_trial: int = _tune(1 << 12, 0, 1 << 40, "nodes", "The number of nodes after which a memo is judged.")
    least_hits: float = _tune(0.05, 0, 10, "hits per node", "A memo that hits or splits less often is hopeless.")

    # the whole problem
    restarts_begin: int = _tune(
        1 << 17, 0, 1 << 62, "work", "The work of a first solution after which other ways are tried beside the search."
    )
    probing_begins: int = _tune(1 << 14, 0, 1 << 62, "work", "That work for probing, and as many units as entries.")
    learning_begins: int = _tune(1 << 21, 0, 1 << 62, "work", "That work for learning, whose process must start.")
    work_per_shuffled_entry: int = _tune(12, 0, 1 << 20, "work", "The work to shuffle an entry of the matrix.")
    work_per_learned_entry: int = _tune(
        25,
        0,
        1 << 20,
        "work",
        "The work per entry that every other way does before learning begins.",
    )
    work_per_propagation: int = _tune(7, 1, 1 << 20, "work", "The work of a propagation of a search that learns.")
    leftmost_share: float = _tune(0.1, 0.001, 1000, "share", "The work of the leftmost search, by that of the search.")
    most_learned_entries: int = _tune(1 << 21, 0, 1 << 40, "entries", "The largest matrix that is made into clauses.")
    weight_work: int = _tune(1 << 23, 0, 1 << 62, "entries", "The work to find weights.")
    second_look: int = _tune(
        8, 1, 1 << 20, "factor", "The most work of a look where there may be no solution, by weight_work."
    )
    weights_begin: int = _tune(1 << 17, 1, 1 << 62, "work", "The work of a first solution before a look for weights.")
    weight_gap: int = _tune(
        4, 2, 1 << 20, "factor", "The work before the next look, by that before the last, and so its own."
    )
    weights_per_work: float = _tune(2, 0, 1e6, "entries", "The work of such a look, by what was done before.")
    most_listed: int = _tune(
        20_000, -1, 1 << 62, "solutions", "With more solutions, classes are counted without listing them."
    )


DEFAULT_POLICY = CountingPolicy()


@dataclass(frozen=True)
class BranchingPolicy(_Policy):
    """Tuned numbers of branch and bound by the relaxation: its searches and dives.

    Raise ``ValueError`` if a number is out of its bounds.
    """

    few_options: float = _tune(400, 1, 1e9, "options", "The number of options that a node searches at first.")
    least_options: float = _tune(100, 1, 1e9, "options", "The least such number.")
    most_options: float = _tune(4000, 1, 1e9, "options", "The largest such number.")
    growth: float = _tune(1.3, 1, 1e3, "factor", "The growth of this number after a search that ends.")
    decay: float = _tune(0.8, 1e-3, 1, "factor", "Its decrease after a search that is given up.")
    leaf_nodes: int = _tune(1 << 12, 1, 1 << 62, "nodes", "The nodes after which such a search is given up.")
    dive_nodes: int = _tune(1 << 14, 1, 1 << 62, "nodes", "The same in a dive for a solution.")
    between_dives: int = _tune(
        100, 1, 1 << 62, "solutions", "The number of relaxations that are solved between two dives."
    )


DEFAULT_BRANCHING_POLICY = BranchingPolicy()


@dataclass(frozen=True)
class RunPolicy(_Policy):
    """Tuned numbers by which a long run is cut into cubes, and each of them searched.

    Raises
    ------
    ValueError
        If a number is out of its bounds.
    """

    direct_seconds: float = _tune(
        0.5, 0, 1e6, "seconds", "The time for which the coordinator counts the whole before it cuts the tree."
    )
    cubes_per_worker: int = _tune(30, 1, 1 << 20, "cubes", "The largest cube is at most this part of a worker's share.")
    smallest_cube: float = _tune(0.5, 0, 1e6, "seconds", "Cubes are not made smaller than this at the start.")
    shortest_turn: float = _tune(0.5, 0, 1e6, "seconds", "The shortest search of a cube before it is divided.")
    longest_turn: float = _tune(30, 0, 1e6, "seconds", "The longest such search.")
    message_seconds: float = _tune(
        1e-3, 0, 60, "seconds", "The time that a cube takes the coordinator, so that many workers do not overrun it."
    )
    turns_left: int = _tune(4, 1, 1 << 20, "cubes", "The cubes into which a worker's share of what is left is divided.")
    small_subtree: float = _tune(
        0.25, 0, 1e6, "seconds", "A worker finishes smaller subtrees before it hands the others back."
    )
    late_seconds: float = _tune(1.0, 0, 1e6, "seconds", "The most time for that after the time of the cube.")
    hand_back_seconds: float = _tune(
        0.5, 0, 1e6, "seconds", "The time in which workers hand back their cubes at a stop."
    )


DEFAULT_RUN_POLICY = RunPolicy()
