"""Answers with certificates: numbers of solutions and of classes, lists of solutions, and least costs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import BinaryIO

from exactcover.certificates.cost_proof import prove_cheapest
from exactcover.certificates.count_proof import Root, count_with_proof
from exactcover.certificates.writer import CertificateWriter, Family, NodeSpool, describe_problem
from exactcover.control.options import Distinct, Margin, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.steps.step import find_kept, restrict
from exactcover.symmetry.find_classes import find_classes
from exactcover.symmetry.listed_classes import ListedClasses
from exactcover.symmetry.permutations import Permutation, choose_generators, multiply, trace_orbit
from exactcover.symmetry.quotients import NoQuotientError, find_conjugacy_classes, make_quotient


def certify_count(
    file: BinaryIO,
    model: Model,
    options: SearchOptions,
    stop: Stop | None = None,
    family: Family | None = None,
    policy: CountingPolicy = DEFAULT_POLICY,
    *,
    hopeless: bool = False,
) -> int:
    """Count the solutions of a model, and write a certificate; return the number.

    The givens of the model and the options that it excludes apply. Of the options of the count, only `strategy`,
    `memory` and `symmetry` matter. The verdict names the family to people. If a search has shown that there is no
    solution (`hopeless`), only the proof is looked for. If the stop asks to end, the certificate is not complete.
    """
    stop = stop or Stop()
    root = Root.of(model)
    with CertificateWriter(file, describe_problem(model, family)) as writer:
        number = 0 if root is None else count_with_proof(root, writer, options, stop, policy, hopeless=hopeless)
        if number and model.impossible is not None:
            raise ProblemError(f"there is no solution, but the reason cannot be certified: {model.impossible}")
        writer.end({"claim": "count", "number": number})
        return number


def certify_classes(
    file: BinaryIO,
    model: Model,
    options: SearchOptions,
    stop: Stop | None = None,
    family: Family | None = None,
    policy: CountingPolicy = DEFAULT_POLICY,
) -> int:
    """Count the classes of solutions under `options.distinct`, and write a certificate; parameters as above.

    Raise ``ProblemError`` if the symmetries are not valid, if there are too many to list, or if a symmetry maps options
    of an item with a multiplicity to each other so that they cover it unequally often.
    """
    stop = stop or Stop()
    model.refuse_rules("a certificate of classes")
    distinct: Distinct = options.distinct or True
    maps = choose_generators(list_symmetries(model, distinct, stop), stop)
    root = Root.of(model)
    group = _list_group(len(model.matrix), maps)
    total = 0
    with CertificateWriter(file, describe_problem(model, family)) as writer:
        for element, size in find_conjugacy_classes(group, stop) if root is not None else ():
            assert root is not None
            is_identity = element == group[0]
            part = root if is_identity else _make_quotient(root, element)
            total += size * count_with_proof(part, writer, options, stop, policy, plain=not is_identity)
        moved = [[[option, image] for option, image in enumerate(images) if option != image] for images in maps]
        writer.end({"claim": "classes", "number": total // len(group), "maps": moved})
    return total // len(group)


def list_symmetries(model: Model, distinct: Distinct, stop: Stop) -> Sequence[Permutation]:
    """Return the symmetries under which solutions of a model are counted as one, as permutations of its options.

    Raise ``ProblemError`` if the symmetries are not valid, or if there are too many to list.
    """
    classes = find_classes(model, distinct, model.given_positions, model.excluded_positions, stop)
    if not isinstance(classes, ListedClasses):
        raise ProblemError("there are too many symmetries to list, so the number of classes cannot be certified")
    return classes.group


def _list_group(size: int, maps: Sequence[Permutation]) -> list[Permutation]:
    """Return the group that some permutations generate, in the order in which the checker lists it."""
    group: dict[Permutation, None] = {tuple(range(size)): None}
    waiting = list(group)
    for element in waiting:
        for images in maps:
            product = multiply(element, images)
            if product not in group:
                group[product] = None
                waiting.append(product)
    return waiting


def _make_quotient(root: Root, element: Permutation) -> Root:
    """Return the root whose solutions are those that a symmetry of the problem maps to themselves."""
    options = root.origins.options
    number = {option: place for place, option in enumerate(options)}
    images = tuple(number[element[option]] for option in options)
    try:
        quotient = make_quotient(root.matrix, images)
    except NoQuotientError:
        quotient = None
    if quotient is None or not _fits_bounds(root.matrix, images):
        raise ProblemError("the multiplicities do not fit the symmetries, so the number of classes cannot be certified")
    return Root(quotient, root.origins._replace(options=()))


def _fits_bounds(matrix: Matrix, images: Permutation) -> bool:
    """Return whether what an item may be covered at most is a multiple of how often the cycles of options cover it."""
    holders = matrix.holders()
    for item, (_, high) in matrix.multiplicity.items():
        held = {option for option, _ in holders[item]}
        if any(high % len(held.intersection(trace_orbit(option, [images]))) for option in held):
            return False
    return True


class ListingClaim:
    """The claim of a certificate about a list: the number of its solutions, and a digest of them."""

    def __init__(self) -> None:
        self._number = self._sum = 0

    def note(self, solution: Sequence[int]) -> None:
        """Note a solution, as positions of options."""
        text = " ".join(map(str, sorted(solution)))
        self._number += 1
        self._sum += int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    @property
    def stated(self) -> dict[str, str | int]:
        """The claim as it stands in a certificate."""
        return {"claim": "list", "number": self._number, "digest": f"{self._sum % (1 << 256):064x}"}


class ListingRecorder(NodeSpool):
    """Records a search that lists all solutions, the claim about the list, and the status of the search."""

    def __init__(self) -> None:
        super().__init__()
        self.claim = ListingClaim()
        self.status: Status | None = None  # None before the end

    def end(self, status: Status, solutions: int) -> None:
        self.status = status


def certify_list(
    file: BinaryIO,
    model: Model,
    recorder: ListingRecorder,
    stop: Stop | None = None,
    family: Family | None = None,
) -> None:
    """Write the certificate of a search for all solutions; raise ``ValueError`` if it has not come to its end."""
    if recorder.status not in (Status.COMPLETE, Status.UNSATISFIABLE):
        raise ValueError("only a complete search can be certified")
    if recorder.status is Status.UNSATISFIABLE and not recorder.is_begun:
        certify_count(file, model, SearchOptions(), stop, family)
        return
    with CertificateWriter(file, describe_problem(model, family)) as writer:
        writer.add_tree(recorder.origins, recorder)
        writer.end(recorder.claim.stated)


def certify_cheapest(
    file: BinaryIO,
    model: Model,
    solutions: Sequence[Sequence[int]],
    wanted: int,
    stop: Stop | None = None,
    family: Family | None = None,
    within: Margin | None = None,
) -> None:
    """Prove that solutions, as positions of options, are the cheapest, and write a certificate.

    There may be fewer than `wanted`: all that there are or, with `within`, all whose costs are within that margin of
    the cheapest one. Raise ``ProblemError`` if a cost is negative.
    """
    model.refuse_negative_costs("a certificate of least costs")
    model.refuse_rules("a certificate of least costs")
    costs = model.matrix.costs or [0] * len(model.matrix)
    found = [sum(costs[option] for option in solution) for solution in solutions]
    below = None
    if within is not None and found and len(found) < wanted:
        below = 1 + min(found) + within.find_units(min(found), model.cost_units)
        wanted = len(found) + 1
    left = restrict(model.matrix, model.given_positions, model.excluded_positions)
    with CertificateWriter(file, describe_problem(model, family)) as writer:
        if left.reason is None:
            spent = sum(costs[option] for option in set(model.given_positions))
            ceiling = max(found) if len(found) == wanted else below or 1 + sum(costs)
            kept = find_kept(left.lift, len(left.matrix))
            prove_cheapest(writer, left.matrix, kept, wanted, ceiling - spent, stop or Stop(), model.matrix)
        claim = {"claim": "cheapest", "solutions": list(map(list, solutions)), "wanted": wanted}
        writer.end(claim if below is None else claim | {"below": below})
