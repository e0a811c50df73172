"""The reasons why there is no solution, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from exactcover.control.stop import Stop
from exactcover.engines.base import ENGINES
from exactcover.model.matrix import ONCE, Matrix
from exactcover.model.model import Model
from exactcover.pictures.text import format_count
from exactcover.steps.step import Contradiction, Imbalance, Reason, Shortage, Weights

_MOST_NAMES = 4  # of items on either side of an imbalance


def describe_reason(problem: Model, reason: Reason, given: Collection[int]) -> str:
    """Return a reason in words, given the model, in which nothing is chosen, and the positions of the givens.

    In a contradiction or an imbalance, items are numbered as in the model. In a shortage, the item is its number among
    the items that remain after the givens are chosen.
    """
    if isinstance(reason, Contradiction):
        return _describe_contradiction(problem, reason)
    if isinstance(reason, Shortage):
        return _describe_shortage(problem, reason, given)
    if isinstance(reason, Weights):
        return describe_weights(reason)
    if isinstance(reason, Imbalance):
        return _describe_imbalance(problem, reason, given)
    return "every remaining choice leaves some item with too few options"


def _describe_contradiction(problem: Model, clash: Contradiction) -> str:
    names = clash.names(problem.labels)
    item = str(problem.items[clash.item])
    high = problem.matrix.bounds(clash.item)[1]
    if len(clash.options) == 1:
        times = sum(item == clash.item for item, _ in problem.matrix.option(clash.options[0]))
        often = f"covers item {item!r} {times} times, which allows {high}"
        return f"option {names} {often if times > high else 'is both given and excluded'}"
    every = "both" if len(clash.options) == 2 else "all"
    limit = f", which allows {high}" if high > 1 else ""
    return f"the givens {names} conflict: {every} take item {item!r}{limit}"


def _describe_shortage(problem: Model, shortage: Shortage, given: Collection[int]) -> str:
    """Return a shortage in words. It names the first item with too few options in the model itself, if there is one."""
    matrix, underfilled = problem.matrix, problem.matrix.first_underfilled()
    if underfilled is None:
        taken = Counter(item for option in set(given) for item, _ in matrix.option(option))
        left = [item for item in range(matrix.primary) if taken[item] < matrix.bounds(item)[1]]
        item = left[shortage.item]
        what = "no option" if matrix.bounds(item) == ONCE else "too few options"
        return f"the givens and excluded options leave {what} for item {str(problem.items[item])!r}"
    item, holders = underfilled
    name, low = repr(str(problem.items[item])), matrix.bounds(item)[0]
    if holders == 0:
        return f"no option covers item {name}"
    if matrix.weighted:
        return f"item {name} must be covered {low} times, but all options cover it {holders} times"
    options = "1 option covers" if holders == 1 else f"{holders} options cover"
    return f"item {name} must be covered {low} times, but only {options} it"


def describe_weights(reason: Weights) -> str:
    """Return weights that prove that there is no solution in words."""
    numbers = Counter(reason.weights.values())
    if reason.modulus == 2:
        size = len(reason.weights)
        return f"each option covers an even number of {size:,} items, but they must be covered an odd number of times"
    if len(numbers) <= 3:
        weights = " and ".join(
            f"{format_count(number, 'item')} weigh{'s' * (number == 1)} {weight:,}"
            for weight, number in sorted(numbers.items())
        )
    else:
        weights = f"{len(reason.weights):,} items weigh from {min(numbers):,} to {max(numbers):,}"
    each = "0" if reason.modulus == 0 else f"a multiple of {reason.modulus:,}"
    return f"if {weights}, each option weighs {each}, but all that must be covered weighs {reason.total:,}"


def _describe_imbalance(problem: Model, reason: Imbalance, given: Collection[int]) -> str:
    """Return what is needed and what is available in words; an item of greater weight is named with it."""

    def name(weights: Mapping[int, int]) -> list[str]:
        named = [(f"{weight} times " if weight > 1 else "") + repr(str(problem.items[item]))
                 for item, weight in weights.items()]  # fmt: skip
        more = len(named) - _MOST_NAMES
        return [*named[:_MOST_NAMES], *([f"{more:,} more"] if more > 0 else [])]

    once = [format_count(len(reason.options), "option")] if reason.options else []
    left = " besides the givens" if given else ""
    needed, available = name(reason.demands), [*name(reason.limits), *once]
    return (
        f"{reason.needed:,} {'is' if reason.needed == 1 else 'are'} needed{left} for {_join(needed)}, "
        f"but {reason.available:,} {'is' if reason.available == 1 else 'are'} available from {_join(available)}"
    )


def _join(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "nothing"


def try_to_find_imbalance(matrix: Matrix, stop: Stop) -> Imbalance | None:
    """Return demands that exceed limits if there are items with ranges, and HiGHS is installed; else None."""
    if not matrix.multiplicity or "highs" not in ENGINES:
        return None
    from exactcover.engines.programs import find_imbalance  # seldom needed

    try:
        return find_imbalance(matrix, stop)
    except MemoryError:  # of HiGHS
        return None
