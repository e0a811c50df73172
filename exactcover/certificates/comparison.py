"""Compares what a certificate states with a target, by meaning: the order of items, options and givens is free."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from exactcover.certificates.certify import list_symmetries
from exactcover.certificates.check import UNRECORDED, load, open_member, read_json, read_numbers, show, show_cost
from exactcover.certificates.writer import write_parameter
from exactcover.control.options import Distinct
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.symmetry.permutations import Permutation, PermutationGroup

_Name: TypeAlias = tuple[str, int]  # a text, and how many items or options before have the same text
_Stated: TypeAlias = Mapping[str, Any]  # what describe_problem returns, or a certificate has been checked to contain

_SAMPLE = 1 << 19  # bytes of trees from which the number of nodes is estimated
_MOST_READ = 1 << 20  # bytes of the problem and of the steps
_MOST_STATES = 1 << 60  # of a step
_ITEMS_PER_NODE = {"sweep": 36, "memo": 12}  # a state with so many items takes about as long to check as a node


def find_difference(stated: _Stated, target: _Stated) -> str | None:
    """Return the difference between the problem of a certificate and a target, in words; None if they mean the same.

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
        or _find_rule_difference(stated, target, options)
    )


def _find_rule_difference(stated: _Stated, target: _Stated, options: Sequence[int]) -> str | None:
    """Return that rules about graphs differ; None if they are the same, with vertices in the same order."""
    own, others = (json.loads(json.dumps(one.get("rules", []))) for one in (stated, target))
    for rule in own:
        rule["switches"] = [sorted(options[option] for option in some) for some in rule["switches"]]
    return None if own == others else "it has other rules about graphs, or states them in another order"


def match_options(stated: _Stated, target: _Stated) -> list[int]:
    """Return the position in the target of each option of a certificate; both must have options of the same names."""
    return _match(stated["labels"], target["labels"])


def find_parameter_difference(stated: _Stated, target: _Stated, defaults: Mapping[str, object]) -> str | None:
    """Return which parameter of the family differs, in words; None if that cannot be said.

    Parameters that are not stated have the values in `defaults`.
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
    """Compare the maps of a claim with the symmetries of a target, where its options have these positions.

    Return whether the maps generate all symmetries of the target, or all its rotations; and what they are, in words.
    Raise ``ProblemError`` if the target has too many symmetries to list.
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
    """Return the side that alone has a name, and the name; the first one in the order of the lists."""
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


def read_statement(file: Path) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return the problem with its question, the claim, and the SHA-256 of the problem; the file must be certified."""
    with zipfile.ZipFile(file) as archive:
        text, (claim, *_) = read_json(archive, "problem.json"), load(read_json(archive, "proof.json"))
    return load(text), claim, hashlib.sha256(text).hexdigest()


def estimate_nodes(file: Path) -> int:
    """Return about how many nodes a check visits, and states as far as they take as long; 0 if the file is unreadable.

    Nodes that are not recorded count, too. Only the beginning of the nodes is read, and a short proof.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            nodes, member = open_member(archive, "nodes")
            sample, states = nodes.read(_SAMPLE), _weigh_states(archive)
        return states + _count_nodes(sample) * member.file_size // max(1, len(sample))
    except Exception:  # the checker says what is wrong
        return 0


def _weigh_states(archive: zipfile.ZipFile) -> int:
    """Return how many nodes take about as long to check as the states of sweeps and memos; 0 for long proofs."""
    names = "problem.json", "proof.json"
    if any(archive.getinfo(name).file_size > _MOST_READ for name in names):
        return 0
    problem, (_, *steps) = (load(read_json(archive, name)) for name in names)
    stated = [(step.get("states", 0), _ITEMS_PER_NODE[step["by"]]) for step in steps if step["by"] in _ITEMS_PER_NODE]
    nodes = sum(Fraction(max(0, min(states, _MOST_STATES)), items) for states, items in stated)
    return int(nodes * len(problem["items"]))


def _count_nodes(sample: bytes) -> int:
    while sample and sample[-1] > 127:  # a number that is cut off
        sample = sample[:-1]
    numbers, count = read_numbers(sample), 0
    for node in numbers:
        if node == UNRECORDED:
            count += next(numbers, 0)
        count += 1
        if node >= UNRECORDED:
            next(numbers, None)
    return count
