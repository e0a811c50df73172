"""``exactcover explain``: says why there is one solution, several or none."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

import click

from exactcover.analysis.additions import Addition, find_additions, list_additions, list_changes
from exactcover.analysis.explain import Explanation, minimal_conflict
from exactcover.analysis.explain import explain as explain_problem
from exactcover.analysis.prices import PriceTag, Pricing, find_pricing
from exactcover.analysis.repair import Repair, find_repair
from exactcover.cli.flags import Verb, add_option_flags, add_report_flags, add_target_arguments
from exactcover.cli.hint import is_solvable
from exactcover.cli.messages import Exit, print_message
from exactcover.cli.output import make_output_renderer, write_report
from exactcover.cli.target import Request
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stopped
from exactcover.encoders.encoder import Encoder
from exactcover.errors import StoppedError
from exactcover.formats.solution_tables import draw_for_text
from exactcover.model.costs import Cost
from exactcover.pictures import Picture, printable
from exactcover.problem import Label, Problem
from exactcover.search.search import Search

_MAX_NAMES = 12
_MAX_CHANGES = 4  # that are listed for an item
_MAX_SECONDS = 1.0  # for a conflict that was not asked for
_CLASH_NODES = 1 << 22  # of a search that tells whether constraints conflict


def describe_pricing(pricing: Pricing, *, shows_items: bool) -> Iterator[str]:
    """Yield lines that say what the cheapest solution costs, and what items and options are worth."""
    if pricing.least is None:
        yield "no solution"
        return
    yield f"the cheapest solution costs {_show(pricing.least)}"
    yield f"prices of items prove that every solution costs at least {_show(pricing.bound)}"
    if shows_items:
        dearest = sorted(pricing.prices.items(), key=lambda pair: -pair[1])
        for item, price in dearest:
            yield f"item {printable(str(item))} costs {_show(price)}"
    for label, tag in pricing.tags.items():
        yield f"option {printable(str(label))} costs {_show(tag.cost)}: {_describe_tag(tag)}"


def _describe_tag(tag: PriceTag) -> str:
    if tag.must_cost is None or tag.least_with is None:
        return "no solution contains it"
    if tag.must_cost == tag.cost:
        return "a cheapest solution contains it"
    least = f"the cheapest solution with it costs {_show(tag.least_with)}"
    if tag.must_cost < 0:
        return f"{least}, so it would not be taken even for nothing"
    return f"{least}, so it would be taken if it cost {_show(tag.must_cost)}"


def _show(cost: Cost) -> str:
    return f"{Decimal(cost):f}"


def collect_pricing(pricing: Pricing) -> dict[str, Any]:
    """Return the same as facts, with items and labels as text."""
    return {
        "least": pricing.least,
        "bound": pricing.bound,
        "prices": {str(item): price for item, price in pricing.prices.items()},
        "options": {str(label): asdict(tag) for label, tag in pricing.tags.items()},
    }


@click.command(cls=Verb)
@click.option("--prices", is_flag=True, help="Explain costs: print what the cheapest solution pays for each item.")
@click.option(
    "--price-of",
    metavar="LABEL",
    multiple=True,
    help="Print what the option with this label would have to cost to be in a cheapest solution. Can be repeated.",
)
@add_option_flags("engine")
@click.option(
    "--repair",
    is_flag=True,
    help="If there is no solution, also find a cheapest repair: the fewest givens to drop, or the least to leave open; "
    "and the options to add that cost least.",
)
@click.option(
    "--steps",
    is_flag=True,
    help="If there is one solution, also say how difficult the steps to it are, and which givens they can do without.",
)
@click.option(
    "--conflicts",
    type=click.IntRange(min=1, max=1000),
    default=1,
    metavar="N",
    help="If there is no solution, find up to N conflicts that do not overlap.",
)
@add_report_flags
@add_target_arguments
def explain(
    request: Request,
    prices: bool,
    price_of: tuple[str, ...],
    engine: str | None,
    repair: bool,
    conflicts: int,
    steps: bool,
    output_format: str,
    output: str | None,
) -> int:
    """Say whether TARGET has one solution, several or none, and why.

    If there is one, explain names each given that could be left out on its own. If there are several, it shows
    two of them, the places where they differ, and each option that, if given, would leave only one solution. If
    there is none, it names givens that conflict, or items that cannot be covered together, and what could cover
    them. With --prices or --price-of, it explains the cheapest solution instead.

    \b
    exactcover explain sudoku_9x9.yaml
    exactcover explain queens n=5 "placed=[[1, 1]]"
    exactcover explain queens n=8 "placed=[[1, 1], [2, 3]]"
    """
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    engine = engine or configuration.search.engine
    report = partial(write_report, output_format=output_format, output=output, inputs=configuration.inputs)
    if prices or price_of:
        pricing = find_pricing(problem, price_of, engine=engine, stop=request.stop)
        report(describe_pricing(pricing, shows_items=prices), collect_pricing(pricing))
        return Exit.DELIVERED
    is_plain = not problem.givens and problem.impossible is None and not repair and conflicts == 1
    if is_plain and (clash := _find_clash(request, configuration.encoder)):
        names = [configuration.encoder.constraint_names()[number] for number in clash]
        report(_describe_clash(names), _collect_facts(Explanation((), 0), problem, names))
        return Exit.DELIVERED
    explanation = explain_problem(problem, conflicts=conflicts, steps=steps, engine=engine, stop=request.stop)
    facts, status = _collect_facts(explanation, problem), Exit.DELIVERED
    lines: Iterable[str]
    if not explanation.solutions:
        additions = list_additions(problem, configuration.encoder.additions())
        lines = [*_explain_none(explanation, problem), *_list_changes(explanation, problem, additions)]
        if repair:
            status = _add_repair(request, problem, configuration.encoder, additions, lines, facts)
    elif explanation.count == 1:
        lines = _explain_one(explanation, problem)
    else:
        lines = _explain_several(explanation, problem, configuration.encoder, make_output_renderer(output))
    report(lines, facts)
    return status


def _find_clash(request: Request, encoder: Encoder) -> list[int]:
    """Return the numbers of constraints that conflict if short searches prove it, without those proved not needed."""
    names, stop = encoder.constraint_names(), request.stop

    def impossible(kept: Sequence[int]) -> bool:
        return is_solvable(encoder.keep_constraints(kept).problem(stop).full(), stop, _CLASH_NODES) is False

    kept = [*range(len(names))]
    clash = minimal_conflict(kept, impossible) if names and impossible(kept) else []
    while len(clash) < len(kept):  # without others, a search may be short that was not
        kept, clash = clash, minimal_conflict(clash, impossible)
    return clash


def _describe_clash(names: Sequence[str]) -> Iterator[str]:
    yield "no solution"
    yield "this constraint cannot be fulfilled:" if len(names) == 1 else "these constraints conflict:"
    yield from (f"  {printable(name)}" for name in names)


def _add_repair(
    request: Request,
    problem: Problem,
    encoder: Encoder,
    additions: list[Addition],
    lines: list[str],
    facts: dict[str, Any],
) -> Exit:
    """Add a cheapest repair, and the cheapest additions, to what is printed; return whether they were found."""
    try:
        found = find_repair(problem, encoder.open_weights(), stop=request.stop)
        lines.append(f"a cheapest repair: {'; '.join(map(printable, found.describe()))}")
        facts["repair"] = _collect_repair(found, problem)
        added = find_additions(problem, additions, stop=request.stop) if additions else None
    except (Stopped, StoppedError) as stopped:
        if stopped.status is Status.INTERRUPTED:
            raise
        print_message(f"no cheapest repair found yet ({stopped.status.words})")
        return Exit.STOPPED
    if added:
        lines.append(f"or, so that nothing stays open: {'; '.join(printable(one.change) for one in added)}")
        facts["repair"]["add"] = [one.change for one in added]
    return Exit.DELIVERED


def _collect_repair(repair: Repair, problem: Problem) -> dict[str, Any]:
    """Return the fields of a repair, with labels and items as text."""
    changes = repair.deviations.items()
    return {
        "drop": _name_apart(repair.dropped, problem.labels),
        "open": {str(item): -times for item, times in changes if times < 0},
        "too_often": {str(item): times for item, times in changes if times > 0},
        "solution": _name_apart(repair.solution, problem.labels),
    }


def print_conflict(request: Request, problem: Problem, search: Search) -> None:
    """Print a small conflict if a search has proved that there is no solution, without a reason.

    This takes little more time than the search, and at most a second.
    """
    if request.quiet or search.status is not Status.UNSATISFIABLE or search.reason is not None:
        return
    stop = InnerStop(request.stop, min(_MAX_SECONDS, 0.1 + search.statistics.seconds))
    with suppress(Stopped, StoppedError):
        explanation = explain_problem(problem, stop=stop)
        if len(explanation.items) <= _MAX_NAMES and len(explanation.conflict) <= _MAX_NAMES:
            if explanation.reason is not None:
                print_message(printable(explanation.reason))
            for line in islice(_explain_none(explanation, problem), 1, None):
                print_message(line)


def _collect_facts(explanation: Explanation, problem: Problem, constraints: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of the explanation, and the constraints that conflict, in the order of the text output.

    Labels and items are texts.
    """
    facts = dict(vars(explanation))
    if explanation.difficulty == math.inf:
        facts["difficulty"] = "guess"
    for key in ("needless", "needless_for_steps", "decisive", "conflict"):
        facts[key] = sorted(_name_apart(facts[key], problem.labels), key=_split_numbers)
    facts["items"] = sorted(_name_apart(facts["items"], problem.items), key=_split_numbers)
    known: Iterable[object] = problem.labels if explanation.conflict else problem.items
    facts["further"] = [sorted(_name_apart(one, known), key=_split_numbers) for one in explanation.further]
    facts["solutions"] = [_name_apart(solution, problem.labels) for solution in explanation.solutions]
    return facts | {"constraints": constraints}


def _explain_one(explanation: Explanation, problem: Problem) -> Iterator[str]:
    givens = problem.givens
    yield "one solution"
    if explanation.needless:
        which = "this one" if len(explanation.needless) == 1 else "any one of these"
        source = (
            "the given could be removed"
            if len(givens) == 1
            else f"{which} could be removed from the {len(givens)} givens"
        )
        yield f"{source}: {_join_names(explanation.needless, problem.labels)}"
    elif givens:
        needed = "the given is needed" if len(givens) == 1 else f"each of the {len(givens)} givens is needed"
        yield needed if explanation.decided else "which givens are needed was not decided for all of them"
    if explanation.difficulty == math.inf:
        yield "steps without a guess do not lead to it (hint --all-steps)"
    elif explanation.difficulty:
        hardest = f"the hardest has difficulty {explanation.difficulty:g}"
        yield f"steps without a guess lead to it; {hardest} (hint --all-steps)"
        if explanation.needless:
            kept = explanation.needless_for_steps
            rest = "any one of these" if kept == explanation.needless else _join_names(kept, problem.labels)
            yield f"steps still do without {rest if kept else 'none of these'}"


def _explain_several(
    explanation: Explanation, problem: Problem, encoder: Encoder, render: Callable[[Picture], str]
) -> Iterator[str]:
    labels = problem.labels
    count = explanation.count
    number = "several solutions, of which not all were listed" if count is None else f"{count:,} solutions"
    yield f"{number}; two of them:"
    first, second = explanation.solutions
    for solution in (first, second):
        picture = draw_for_text(encoder, solution)
        yield ""
        yield _join_names(solution, labels, most=len(solution)) if picture is None else render(picture)
    yield ""
    for name, one, other in (("first", first, second), ("second", second, first)):
        own = _pick_shown(encoder, [label for label in one if label not in other])
        yield f"only in the {name}: {_join_names(own, labels)}"
    if explanation.decisive:
        decisive = _pick_shown(encoder, explanation.decisive)
        which = "this one" if len(decisive) == 1 else "any one of these"
        yield f"giving {which} leaves one solution: {_join_names(decisive, labels)}"
    else:
        which = "option of these two solutions" if count is None else "option"
        known = "" if explanation.decided else ", as far as that was decided"
        yield f"no {which}, given on its own, leaves exactly one solution{known}"


def _pick_shown(encoder: Encoder, labels: Sequence[Label]) -> Sequence[Label]:
    """Return the options that are shown to people; all if none is."""
    return [label for label in labels if encoder.is_shown(label)] or labels


def _explain_none(explanation: Explanation, problem: Problem) -> Iterator[str]:
    yield "no solution" + (f": {printable(explanation.reason)}" if explanation.reason else "")
    if len(explanation.conflict) == 1:
        if explanation.conflict[0] not in problem.excluded:  # otherwise the reason has said so
            yield f"this given alone leaves no solution: {_join_names(explanation.conflict, problem.labels)}"
    elif explanation.conflict:
        minimality = (
            "dropping any one of them resolves the conflict"
            if explanation.minimal
            else "perhaps not all of them are part of the conflict"
        )
        minimality = "no smaller set of givens conflicts" if explanation.smallest else minimality
        yield f"these givens conflict, and {minimality}: {_join_names(explanation.conflict, problem.labels)}"
    which = "that rule" if len(explanation.rules) == 1 else "these rules"
    under = f" under {which}" if explanation.rules else ""
    if explanation.rules and not explanation.conflict and not explanation.items:
        yield f"nothing keeps {which}, even if items stay open"
    if len(explanation.items) == 1:
        yield f"this item cannot be covered{under}: {_join_names(explanation.items, problem.items)}"
    elif explanation.items:
        each = "; dropping any one of them resolves the conflict" if explanation.minimal else ""
        yield f"these items cannot be covered together{under}{each}: {_join_names(explanation.items, problem.items)}"
    known: Iterable[object] = problem.labels if explanation.conflict else problem.items
    for conflict in explanation.further:
        what = "givens conflict" if explanation.conflict else "cannot be covered, together or alone"
        yield f"besides these, {what}: {_join_names(conflict, known)}"


def _list_changes(explanation: Explanation, problem: Problem, additions: Iterable[Addition]) -> Iterator[str]:
    """Yield for each item that cannot be covered what could cover it."""
    conflicts = [] if explanation.conflict else [explanation.items, *explanation.further]
    if sum(map(len, conflicts)) > _MAX_NAMES:
        return
    for conflict in conflicts:
        for item, changes in list_changes(problem, conflict, additions).items():
            shown = changes if len(changes) <= _MAX_CHANGES + 1 else changes[:_MAX_CHANGES]
            more = f"; or one of {len(changes) - len(shown):,} more" if len(changes) > len(shown) else ""
            if changes:
                yield f"  to cover {printable(str(item))}: {'; or '.join(map(printable, shown))}{more}"


def _split_numbers(name: str) -> list[tuple[bool, int, str]]:
    """Return a key that sorts numbers in names by size, so that r2 comes before r10."""
    parts = enumerate(re.split("([0-9]+)", name))  # texts and numbers in turn
    return [(number % 2 == 0, len(part.lstrip("0")) if number % 2 else 0, part) for number, part in parts]


def _name_apart(names: Iterable[object], known: Iterable[object]) -> list[str]:
    """Return names as text, or as Python writes them where several of the known names have the same text.

    Examples
    --------
    >>> _name_apart([1, "1", 2], [1, "1", 2])
    ['1', "'1'", '2']
    """
    texts = Counter(map(str, known))
    return [repr(name) if texts[str(name)] > 1 else str(name) for name in names]


def _join_names(shown: Iterable[object], known: Iterable[object], most: int = _MAX_NAMES) -> str:
    names = sorted(map(printable, _name_apart(shown, known)), key=_split_numbers)
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
