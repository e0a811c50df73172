"""Compares what a certificate states with a target, by meaning: the order of items, options and givens is free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from exactcover.certificates.certify import list_symmetries
from exactcover.certificates.check import show, show_cost
from exactcover.certificates.writer import write_parameter
from exactcover.control.options import Distinct
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.symmetry.group import PermutationGroup
from exactcover.symmetry.permutations import Permutation

__all__ = ["compare_symmetries", "find_difference", "find_parameter_difference", "match_options"]

_Name: TypeAlias = tuple[str, int]  # a text, and how many items or options before have the same text
_Stated: TypeAlias = Mapping[str, Any]  # what describe_problem returns, or a certificate has been checked to contain


def find_difference(stated: _Stated, target: _Stated) -> str | None:
    """Return what differs between the problem of a certificate and a target, in words; None if they mean the same.

    Items and options are the same if their names are, and colors if they distinguish the same options.
    """
    for kind, names in (("item", "items"), ("option", "labels")):
        alone = _find_alone(_number_names(stated[names]), _number_names(target[names]))
        if alone is not None:
            return f"{alone[0]} has the {kind} {alone[1]}"
    options = match_options(stated, target)
    items = _match(stated["items"], target["items"])
    return (
        _find_item_difference(stated, target, items)
        or _find_option_difference(stated, target, options, items)
        or _find_question_difference(stated, target, options)
    )


def match_options(stated: _Stated, target: _Stated) -> list[int]:
    """Return the position in the target of each option of a certificate; both must have options of the same names."""
    return _match(stated["labels"], target["labels"])


def find_parameter_difference(stated: _Stated, target: _Stated, defaults: Mapping[str, object]) -> str | None:
    """Return which parameter of the family differs, in words; None if that cannot be said.

    Parameters
    ----------
    stated, target
        As above.
    defaults
        The values of the parameters that are not stated.
    """
    families = stated["family"], target["family"]
    if None in families:
        return None
    if families[0] != families[1]:
        return f"it is declared as {show(families[0])}"
    texts = {name: write_parameter(value) for name, value in defaults.items()}
    for name in stated["params"] | target["params"]:
        values = [one["params"].get(name, texts.get(name)) for one in (stated, target)]
        if values[0] != values[1]:
            mine, others = ("not stated" if value is None else show(value) for value in values)
            return f"{show(name)} is {mine} in the certificate, {others} in the target"
    return None


def compare_symmetries(
    maps: Sequence[Sequence[Sequence[int]]], options: Sequence[int], model: Model, stop: Stop
) -> tuple[bool, str]:
    """Compare the symmetries of a claim about classes with those of a target.

    Parameters
    ----------
    maps
        The maps of the claim.
    options
        The position in the target of each option of the certificate.
    model
        The target.
    stop
        Polled often.

    Returns
    -------
    tuple
        Whether the maps generate all symmetries of the target, or all its rotations; and what they are, in words.

    Raises
    ------
    ProblemError
        If the target has too many symmetries to list.
    Stopped
        If `stop` asks for it.
    """
    generators = [_translate(pairs, options) for pairs in maps]
    order = PermutationGroup(generators, len(options), stop=stop).order
    kinds: list[tuple[str, Distinct]] = [("symmetries", True), ("rotations", "rotations")]
    found = []
    for kind, distinct in kinds:
        try:
            group = set(list_symmetries(model, distinct, stop))
        except ProblemError:
            if distinct == "rotations":  # the target does not say which symmetries are rotations
                continue
            raise
        if len(group) == order and group.issuperset(generators):
            return True, f"all {kind} of the target"
        found.append(f"{len(group):,} {kind}")
    stated = "symmetry" if order == 1 else "symmetries"
    return False, f"the classes are those under {order:,} {stated}, but the target has {' and '.join(found)}"


def _translate(pairs: Sequence[Sequence[int]], options: Sequence[int]) -> Permutation:
    images = list(range(len(options)))
    for option, image in pairs:
        images[options[option]] = options[image]
    return tuple(images)


def _number_names(texts: Iterable[str]) -> list[_Name]:
    """Return texts with numbers that distinguish equal ones."""
    seen = Counter[str]()
    names = []
    for text in texts:
        names.append((text, seen[text]))
        seen[text] += 1
    return names


def _match(stated: Iterable[str], target: Iterable[str]) -> list[int]:
    place = {name: position for position, name in enumerate(_number_names(target))}
    return [place[name] for name in _number_names(stated)]


def _find_alone(stated: Sequence[_Name], target: Sequence[_Name]) -> tuple[str, str] | None:
    """Return who alone has a name, and the name; the first one in the order of the lists."""
    for owner, mine, others in (("only the certificate", stated, target), ("only the target", target, stated)):
        known = set(others)
        alone = next((name for name in mine if name not in known), None)
        if alone is not None:
            return owner, show(alone[0])
    return None


def _find_item_difference(stated: _Stated, target: _Stated, items: Sequence[int]) -> str | None:
    """Compare which items are primary, and how often they must be covered."""
    bounds, expected = ({item: bounds for item, *bounds in one["multiplicity"]} for one in (stated, target))
    for item, place in enumerate(items):
        mine, others = (
            tuple(known.get(number, (1, 1))) if number < one["primary"] else None
            for number, one, known in ((item, stated, bounds), (place, target, expected))
        )
        if mine != others:
            mine_text, others_text = map(_describe_bounds, (mine, others))
            name = show(stated["items"][item])
            return f"the item {name} is {mine_text} in the certificate, but {others_text} in the target"
    return None


def _describe_bounds(bounds: tuple[int, ...] | None) -> str:
    if bounds is None:
        return "secondary"
    low, high = bounds
    return f"to be covered {low if low == high else f'{low} to {high}'} times"


def _find_option_difference(
    stated: _Stated, target: _Stated, options: Sequence[int], items: Sequence[int]
) -> str | None:
    """Compare the items of options, their colors and their costs."""
    colors: dict[tuple[int, int], int] = {}  # of an item: the color in the target for each color in the certificate
    used: dict[tuple[int, int], int] = {}  # and the reverse
    for option, place in enumerate(options):
        name = show(stated["labels"][option])
        mine = {items[item]: color for item, color in stated["options"][option]}
        others = dict(target["options"][place])
        if mine.keys() != others.keys():
            return f"the option {name} has other items in the certificate than in the target"
        for item, color in mine.items():
            other = others[item]
            same = colors.setdefault((item, color), other) == other and used.setdefault((item, other), color) == color
            if not same or (color == 0) != (other == 0):
                return f"the option {name} gives {show(target['items'][item])} another color in the certificate"
        costs = [(one["costs"][number], one["places"]) for one, number in ((stated, option), (target, place))]
        if len({Fraction(cost, 10**places) for cost, places in costs}) > 1:
            mine_cost, others_cost = (show_cost(*cost) for cost in costs)
            return f"the option {name} costs {mine_cost} in the certificate, but {others_cost} in the target"
    return None


def _find_question_difference(stated: _Stated, target: _Stated, options: Sequence[int]) -> str | None:
    """Compare givens and excluded options."""
    for kind, words in (("given", "given"), ("without", "excluded")):
        mine, others = {options[option] for option in stated[kind]}, set(target[kind])
        if mine != others:
            where = "certificate" if mine - others else "target"
            name = show(target["labels"][min(mine - others or others - mine)])
            return f"the option {name} is {words} in the {where} alone"
    return None
