"""Hunt for wrong answers: random problems, in random ways, against the definition of a solution.

    python benchmarks/hunt.py --problems 1000000 --jobs 2
    python benchmarks/hunt.py --mutations 10000

Each problem has multiplicities, colors, costs, symmetries, equal options, givens and exclusions at random. The truth is
what the dictionary-of-sets core finds; for one problem in ten, every subset of options is tried as well. It is compared
with counts, listings, least costs, classes and diagrams, with random engines, heuristics, threads, reductions,
symmetries, strategies and limits of memory; with certificates, which are checked; with first solutions by all ways
together, each "none" of which is proved, also by clauses alone; with first solutions and lists by the engine
`learning`, and for one problem in a hundred with OR-Tools, if they are installed.

A problem with a wrong answer is made smaller while the answer stays wrong, and written to --keep. With --mutations,
certificates are changed at random instead: each must be refused by both checkers, or still be true. Proofs by clauses
get problems that have solutions, and must be refused. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import copy
import io
import random
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from agree_symmetry import make_problem
from exactcover import Colored, EngineUnavailableError, Goal, Problem, ProblemError, Search, SearchOptions
from exactcover.algorithm_x import Cover
from exactcover.certificates.certify import certify_cheapest, certify_classes, certify_count
from exactcover.certificates.check import Proof, check
from exactcover.certificates.count_proof import Refutation, Root
from exactcover.certificates.quick import QuickProof
from exactcover.control.options import ALL, COUNT
from exactcover.control.policy import DEFAULT_POLICY
from exactcover.control.stop import Stop
from exactcover.engines.learning import LearningEngine
from exactcover.engines.registry import ENGINES
from exactcover.formats import json_problem
from exactcover.search.query import Query

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from certified import certify, certify_least, certify_listing, change, forge, read, refute, write
from oracles import brute_force

_EAGER = replace(
    DEFAULT_POLICY,
    restarts_begin=1,
    learning_begins=2,
    bounded_begins=3,
    work_per_shuffled_entry=0,
    work_per_bounded_entry=0,
    work_per_learned_entry=0,
)
"""Begins all ways to find one solution at once."""
_MAY_REFUTE = Refutation.fits(Problem({"A": [1]}).matrix)

_PORTION = 200  # problems of one task
_MAX_OPTIONS = 12  # of a problem whose subsets are tried
_MAX_EXCLUDED = 300  # solutions that the engine `learning` lists


@dataclass(frozen=True)
class _Truth:
    """What is true of a problem with its givens: its solutions as sets of labels."""

    problem: Problem
    solutions: frozenset[frozenset[Any]]

    @classmethod
    def of(cls, problem: Problem) -> _Truth:
        given, without = set(problem.given_positions), set(problem.excluded_positions)
        found = [one for one in map(set, _cover(problem)) if given <= one and one.isdisjoint(without)]
        return cls(problem, frozenset(frozenset(problem.labels[k] for k in one) for one in found))


def _cover(problem: Problem) -> Cover:
    """Return the core's search for all solutions, without regard to givens."""
    matrix = problem.matrix
    return Cover(list(map(matrix.row, range(len(matrix)))), range(matrix.primary), matrix.multiplicity)


Way = Callable[[_Truth], str | None]  # returns what is wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--mutations", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("hunted"), help="folder for problems with wrong answers")
    options = parser.parse_args()
    work = _mutate_portion if options.mutations else _hunt_portion
    number = options.mutations or options.problems
    starts = range(0, number, _PORTION)
    tally: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        seeds = [(options.seed << 40 | start, min(_PORTION, number - start), options.keep) for start in starts]
        for done, part in enumerate(pool.map(work, seeds)):
            tally += part
            if done % 50 == 49:
                print(_describe(tally), flush=True)
    print(_describe(tally))
    return 1 if tally["wrong"] else 0


def _describe(tally: Counter[str]) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in sorted(tally.items()))


# -- problems ----------------------------------------------------------------------------------


def _hunt_portion(portion: tuple[int, int, Path]) -> Counter[str]:
    """Hunt in some problems; return how often each way was tried, and how often it was wrong."""
    first, number, keep = portion
    tally: Counter[str] = Counter()
    for seed in range(first, first + number):
        chance = random.Random(seed)
        truth = _Truth.of(_ask(_draw(chance), chance))
        tally["problems"] += 1
        if chance.random() < 0.1:
            tally["brute force"] += 1
            labels = truth.problem.labels
            if {frozenset(labels[k] for k in one) for one in _cover(truth.problem)} != brute_force(truth.problem):
                tally["wrong"] += 1
                _keep(truth.problem, keep / f"{seed}-core.json", "the core is wrong")
        for name, way in _choose_ways(chance):
            tally[name] += 1
            wrong = _try(way, truth)
            if wrong is not None:
                tally["wrong"] += 1
                _keep(_shrink(truth.problem, way), keep / f"{seed}-{name}.json", f"{name}: {wrong}")
    return tally


def _draw(chance: random.Random) -> Problem:
    """Draw a problem that is symmetric or not, priced or not."""
    problem = make_problem(chance) if chance.random() < 0.5 else _draw_plain(chance)
    labels = problem.labels[:_MAX_OPTIONS]
    costs = {label: chance.randint(0, 9) for label in labels} if chance.random() < 0.3 else {}
    return _keep_options(problem, labels, costs)


def _draw_plain(chance: random.Random) -> Problem:
    primary = [f"p{k}" for k in range(chance.randint(0, 6))]
    secondary = [f"s{k}" for k in range(chance.randint(0, 4))]
    rows: dict[int, list[Any]] = {}
    for label in range(chance.randint(0, _MAX_OPTIONS) if primary else 0):
        rows[label] = list(chance.sample(primary, chance.randint(1, min(3, len(primary)))))
        for item in chance.sample(secondary, chance.randint(0, len(secondary))):
            color = chance.choice([None, "red", "green"])
            rows[label].append(item if color is None else Colored(item, color))
    bounds = {}
    for item in primary if chance.random() < 0.4 else ():
        low = chance.randint(0, 2)
        bounds[item] = (low, max(1, low + chance.randint(0, 2)))
    return Problem(rows, primary=primary, secondary=secondary, multiplicity=bounds)


def _keep_options(problem: Problem, labels: Sequence[Any], costs: Mapping[Any, Any]) -> Problem:
    """Return the problem with some of its options."""
    return Problem(
        {label: problem.options[label] for label in labels},
        primary=problem.primary,
        secondary=problem.secondary,
        multiplicity=problem.multiplicity,
        costs=costs,
    )


def _ask(problem: Problem, chance: random.Random) -> Problem:
    labels = list(problem.labels)
    given = chance.sample(labels, min(len(labels), chance.choice([0, 0, 0, 1, 2])))
    without = chance.sample(labels, min(len(labels), chance.choice([0, 0, 0, 1])))
    return problem.instance(given, without)


# -- ways --------------------------------------------------------------------------------------


def _choose_ways(chance: random.Random) -> list[tuple[str, Way]]:
    count, other = _draw_options(chance), _draw_options(chance)
    listing = _draw_options(chance)
    ways: list[tuple[str, Way]] = [
        ("counts", lambda truth: _check_count(truth, count)),
        ("counts", lambda truth: _check_count(truth, other)),
        ("listings", lambda truth: _check_listing(truth, listing)),
    ]
    wanted, engine = chance.randint(1, 4), chance.choice(["auto", "native", "sets", "diagram"])
    more: list[tuple[str, Way]] = [
        ("least costs", lambda truth: _check_cheapest(truth, wanted, engine)),
        ("classes", _check_classes),
        ("diagrams", lambda truth: _differs(truth.problem.diagram().count, len(truth.solutions))),
        ("certificates", lambda truth: _check_certificate(truth, count, wanted)),
    ]
    ways.append(chance.choice(more))
    ways.append(("first solutions", _check_first))
    if "learning" in ENGINES:
        ways.append(("learning", _check_learning))
    if "cpsat" in ENGINES and chance.random() < 0.01:
        ways.append(("OR-Tools", lambda truth: _check_listing(truth, {"engine": "cpsat"})))
    return ways


def _draw_options(chance: random.Random) -> dict[str, Any]:
    """Draw how to search, without flags that the engines would refuse together."""
    drawn = {"reduce": chance.choice([None, True, False]), "symmetry": chance.choice([None, None, True, False])}
    if chance.random() < 0.4:  # a way to count
        return drawn | {
            "engine": chance.choice(["auto", "diagram"]),
            "strategy": chance.choice(["auto", "search", "sweep", "memo"]),
            "memory": chance.choice([None, None, 1 << 16, 1 << 22]),
        }
    return drawn | {
        "engine": chance.choice(["auto", "auto", "native", "sets", "diagram"]),
        "heuristic": chance.choice(["mrv", "mrv", "leftmost", "weighted"]),
        "jobs": chance.choice([1, 1, 1, 2, 3]),
        "seed": chance.choice([None, None, 7]),
    }


def _start(problem: Problem, goal: Goal, stated: dict[str, Any]) -> Search | None:
    """Start a search; return None if it is refused."""
    try:
        return problem.search(goal, SearchOptions(**stated))
    except (ValueError, EngineUnavailableError):  # flags that cannot be combined
        return None


def _differs(found: object, true: object) -> str | None:
    return None if found == true else f"{found} instead of {true}"


def _check_count(truth: _Truth, stated: dict[str, Any]) -> str | None:
    search = _start(truth.problem, COUNT, stated)
    return None if search is None else _differs(search.count(), len(truth.solutions))


def _check_listing(truth: _Truth, stated: dict[str, Any]) -> str | None:
    search = _start(truth.problem, ALL, stated)
    if search is None:
        return None
    found = [frozenset(solution) for solution in search]
    return _differs((len(found), set(found)), (len(truth.solutions), set(truth.solutions)))


def _check_learning(truth: _Truth) -> str | None:
    """Check a first solution, and all solutions if they are few, since each is excluded by a clause."""
    first = next(iter(truth.problem.solve(engine="learning", limit=1)), None)
    if (first is None) == bool(truth.solutions) or (first is not None and frozenset(first) not in truth.solutions):
        return f"{first} although there are {len(truth.solutions)} solutions"
    if len(truth.solutions) > _MAX_EXCLUDED:
        return None
    root = Root.of(truth.problem)
    bounded = 0 if root is None else sum(1 for _ in LearningEngine(bounded=True).start(root.matrix, Stop()))
    if bounded != len(truth.solutions):
        return f"{bounded} solutions by bounds instead of {len(truth.solutions)}"
    return _check_listing(truth, {"engine": "learning"})


def _check_first(truth: _Truth) -> str | None:
    """Check one solution by all ways together, or the proof that there is none, by the usual way and by clauses."""
    problem, true = truth.problem, len(truth.solutions)
    search = Search(
        problem,
        Query(Goal("first", 1), given=problem.given_positions, without=problem.excluded_positions, policy=_EAGER),
        Stop(),
    )
    first = next(search, None)
    if (first is None) == bool(true) or (first is not None and frozenset(first) not in truth.solutions):
        return f"{first} although there are {true} solutions"
    file, refuted = io.BytesIO(), refute(problem) if _MAY_REFUTE else None
    if first is not None:
        return _differs(refuted, None)
    certify_count(file, problem, SearchOptions(), hopeless=True)
    if refuted is None and _MAY_REFUTE and Root.of(problem) is not None:
        return "clauses do not prove that there is no solution"
    proofs = [proof for proof in (file.getvalue(), refuted) if proof is not None]
    for proof in proofs:
        for checker in (Proof, QuickProof):
            if not check(io.BytesIO(proof), checker).startswith("0 solutions"):
                return "a proof does not prove that there is no solution"
    return None


def _check_cheapest(truth: _Truth, wanted: int, engine: str) -> str | None:
    problem = truth.problem
    found = problem.search(Goal("cheapest", wanted), SearchOptions(engine=engine))
    costs = [problem.cost(solution) for solution in found]
    return _differs(costs, sorted(problem.cost(solution) for solution in truth.solutions)[:wanted])


def _check_classes(truth: _Truth) -> str | None:
    try:
        listed = len(list(truth.problem.solve(engine="sets", distinct=True)))
        return _differs(truth.problem.count(distinct=True), listed)
    except ProblemError:  # too many symmetries
        return None


def _check_certificate(truth: _Truth, stated: dict[str, Any], wanted: int) -> str | None:
    problem, file = truth.problem, io.BytesIO()
    if problem.matrix.costs:
        certify_cheapest(file, problem, list(problem.cheapest(wanted).positions()), wanted)
    else:
        options = SearchOptions(strategy=stated.get("strategy", "auto"), symmetry=stated["symmetry"])
        number = certify_count(file, problem, options)
        if number != len(truth.solutions):
            return _differs(number, len(truth.solutions))
    for checker in (Proof, QuickProof):
        check(file, checker)
    return None


def _try(way: Way, truth: _Truth) -> str | None:
    """Return what is wrong with an answer; an unexpected error is wrong, too."""
    try:
        return way(truth)
    except Exception:
        return traceback.format_exc(limit=-3)


def _shrink(problem: Problem, way: Way) -> Problem:
    """Leave out options while the answer stays wrong."""
    labels = list(problem.labels)
    if problem.given_positions or problem.excluded_positions:
        return problem
    for label in labels:
        rest = [other for other in problem.labels if other != label]
        costs = {other: problem.costs[other] for other in rest if other in problem.costs}
        smaller = _keep_options(problem, rest, costs)
        if _try(way, _Truth.of(smaller)) is not None:
            problem = smaller
    return problem


def _keep(problem: Problem, path: Path, what: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        json_problem.write(problem, file)
    print(f"{path}: {what}", flush=True)


# -- certificates ------------------------------------------------------------------------------


def _mutate_portion(portion: tuple[int, int, Path]) -> Counter[str]:
    """Change certificates; count those that are refused, and those that are certified although they are false."""
    first, number, _ = portion
    tally: Counter[str] = Counter()
    for seed in range(first, first + number):
        chance = random.Random(seed)
        problem = _draw(chance)
        if _MAY_REFUTE and chance.random() < 0.5 and (refuted := refute(problem)) is not None:
            forged = forge(refuted, problem, chance)
            is_certified = _is_certified(forged, Proof) or _is_certified(forged, QuickProof)
            tally["wrong" if is_certified else "forged proofs by clauses refused"] += 1
            continue
        try:
            files = read(_certify(problem, chance))
        except ProblemError:
            continue
        original = copy.deepcopy(files)
        for _ in range(chance.randint(1, 3)):
            change(files, chance)
        while files == original:
            change(files, chance)
        verdicts = {checker.__name__: _is_certified(write(files), checker) for checker in (Proof, QuickProof)}
        is_certified = any(verdicts.values())
        if len({*verdicts.values()}) > 1 or (is_certified and not _is_true(files["claim"], original["claim"], problem)):
            tally["wrong"] += 1
            print(f"{seed}: {files['claim']} instead of {original['claim']}: {verdicts}", flush=True)
        else:
            tally["still true" if is_certified else "refused"] += 1
    return tally


def _certify(problem: Problem, chance: random.Random) -> bytes:
    """Return a certificate of a random claim."""
    kind = chance.choice(["count", "count", "classes", "list", "cheapest"])
    if kind == "list":
        return certify_listing(problem)
    if kind == "cheapest":
        return certify_least(problem, chance.randint(1, 3))
    if kind == "classes":
        return certify(problem, certify_classes, distinct=True)
    return certify(problem)


def _is_true(claim: dict[str, Any], true: dict[str, Any], problem: Problem) -> bool:
    """Return whether a claim is true of the problem; numbers of classes may be those of another group."""
    if claim["claim"] != "cheapest":
        return claim["number"] == true["number"] or claim.get("maps") != true.get("maps")
    costs = sorted(problem.cost_of(solution) for solution in problem.solve().positions())
    stated = [problem.cost_of(solution) for solution in claim["solutions"]]
    return sorted(stated) == costs[: claim["wanted"]]


def _is_certified(content: bytes, checker: type[Proof]) -> bool:
    try:
        check(io.BytesIO(content), checker)
    except Exception:  # refused, or unreadable
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
