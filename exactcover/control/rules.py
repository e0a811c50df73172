"""The rules of what can be asked for together: one table, for Python, flags, keys of files and the reference.

What is asked for are *features*: options of a search that differ from the default, goals, observers, and flags.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rule:
    """Features of which none can be combined with any of others.

    Attributes
    ----------
    features, others
        The features, by name.
    why
        The reason, as a clause.
    """

    features: tuple[str, ...]
    others: tuple[str, ...]
    why: str


def _rule(features: str, others: str, why: str) -> Rule:
    return Rule(tuple(features.split()), tuple(others.split()), why)


_PLANS = "cheapest most within best_effort keep"
_LISTS = "limit all count diagram"
_LOGS = "search_log shape"
_WATCHES = f"{_LOGS} profile stats"

RULES: tuple[Rule, ...] = (
    _rule("all", f"limit {_PLANS}", "a search has one goal"),
    _rule("limit", _PLANS, "a search has one goal, and cheapest says how many solutions are wanted"),
    _rule("most", "cheapest", "a search has one goal"),
    _rule("most", "keep", "changes come before costs; with --change, state negative costs"),
    _rule("most", "merge", "of options with the same items, the cheapest one is kept"),
    _rule("most", "certificate", "a certificate is about least costs"),
    _rule("best_effort", "count", "a count leaves nothing open"),
    _rule("best_effort", "gap within", "these are about costs, and what stays open comes before costs"),
    _rule(
        "restarts",
        f"several all count diagram {_PLANS} distinct",
        "a search with restarts finds one solution of any cost",
    ),
    _rule("gap", f"{_LISTS} many_cheapest within differing", "a gap is for one solution of least cost"),
    _rule("differing", f"{_LISTS} within", "solutions that differ are for the cheapest ones, as many as are wanted"),
    _rule(_PLANS, "seed jobs", "one thread searches for the cheapest solutions, in the order of cost"),
    _rule(_PLANS, "symmetry distinct", "the cheapest solutions are searched for one by one"),
    _rule("differing within", f"{_LOGS} profile", "several searches find these solutions"),
    _rule("restarts", "jobs", "a search with restarts uses one thread"),
    _rule("restarts", "leftmost function", "a search with restarts learns where to branch"),
    _rule("weighted", "jobs", "this heuristic learns from earlier failures, so one thread searches"),
    _rule("nodes", "jobs", "one thread keeps a limit on nodes"),
    _rule("profile stats", "jobs", "one thread counts the nodes of each level"),
    _rule(_LOGS, "restarts distinct", "a search log shows one tree"),
    _rule("symmetry", f"function nodes restarts {_WATCHES}", "symmetry divides a search"),
    _rule("symmetry", "distinct", "symmetry finds all solutions, and distinct finds one of each class"),
    _rule("diagram", "distinct symmetry reduce", "a diagram contains all solutions of the problem"),
    _rule(
        "project",
        f"{_PLANS} diagram distinct symmetry restarts weighted leftmost function jobs nodes strategy memory "
        f"{_WATCHES} certificate store",
        "a projection is searched for in a way of its own",
    ),
    _rule("merge", "distinct", "merged options have no symmetries"),
    _rule(
        "certificate",
        f"engine weighted leftmost jobs nodes reduce restarts seed store {_WATCHES}",
        "what is certified is searched for in a way of its own",
    ),
    _rule("certificate", "differing", "a certificate is about the cheapest solutions of all"),
    _rule(
        "store",
        f"weighted leftmost nodes strategy distinct output output_format {_WATCHES}",
        "a run searches in a way of its own",
    ),
    _rule("search_log", "shape", "a search is recorded once"),
    _rule("puzzle_only", "limit nodes heuristics start distinct", "the page shows nothing but the puzzle"),
    _rule("repair", "prices price_of", "a repair is for a problem without a solution"),
    _rule("quiet", "verbose", "one prints less, and the other more"),
)
"""The rules about features that exclude each other."""

_PAIRS = [(feature, other, rule.why) for rule in RULES for feature in rule.features for other in rule.others]

NEEDS: Mapping[str, tuple[str, ...]] = {
    "change": ("keep",),
    "link": ("paper",),
    "log_levels": ("search_log", "shape"),
    "log_nodes": ("search_log", "shape"),
    "log_sample": ("log_levels",),
    "margin": ("paper",),
}
"""Flags that apply only with one of others."""

_WORDS = {
    "all": ("all solutions", "--all"),
    "cheapest": ("the cheapest solutions", "--cheapest"),
    "count": ("a count", ""),
    "diagram": ("a diagram", ""),
    "differing": ("differing", "--differ-in"),
    "function": ("a function as heuristic", "--heuristic"),
    "heuristics": ("heuristics", "--heuristic"),
    "leftmost": ("the heuristic leftmost", "--heuristic leftmost"),
    "limit": ("a limit", "--limit"),
    "many_cheapest": ("several of the cheapest solutions", "--cheapest, or --most, above 1"),
    "most": ("the solutions of highest cost", "--most"),
    "memory": ("memory", ""),  # the flag limits the process
    "output_format": ("format", "--format"),
    "profile": ("a profile", "--stats"),
    "quiet": ("quiet", "-q"),
    "search_log": ("a search log", "--search-log"),
    "several": ("a limit above 1", "--limit above 1"),
    "verbose": ("verbose", "-v"),
    "weighted": ("the heuristic weighted", "--heuristic weighted"),
}
_USUAL = {"jobs": 1, "output_format": "text", "engine": "auto", "strategy": "auto", "heuristic": "mrv"}


def name_feature(feature: str) -> str:
    """Return a feature in words.

    Examples
    --------
    >>> name_feature("jobs"), name_feature("search_log")
    ('jobs', 'a search log')
    """
    return _WORDS[feature][0] if feature in _WORDS else feature


def name_flag(feature: str) -> str:
    """Return the flag that asks for a feature.

    Examples
    --------
    >>> name_flag("log_nodes"), name_flag("differing")
    ('--log-nodes', '--differ-in')
    """
    return _WORDS[feature][1] if feature in _WORDS else f"--{feature.replace('_', '-')}"


def name_key(feature: str) -> str:
    """Return the key, or the entry, of the section `search` of a file that asks for a feature.

    Examples
    --------
    >>> name_key("jobs"), name_key("weighted")
    ('jobs', 'heuristic: weighted')
    """
    if feature in ("leftmost", "weighted"):
        return f"heuristic: {feature}"
    return f"find: {feature}" if feature in ("all", "count") else "limit" if feature == "several" else feature


def list_features(values: Mapping[str, Any]) -> list[str]:
    """Return the features that arguments or flags ask for; what is as usual, or absent, asks for none.

    Examples
    --------
    >>> list_features({"jobs": 1, "seed": 0, "limit": 3, "heuristic": "leftmost", "engine": None})
    ['seed', 'limit', 'several', 'leftmost']
    """
    return [feature for name, value in values.items() for feature in _find_features(name, value)]


def _find_features(name: str, value: Any) -> Iterator[str]:
    if value is None or value is False or value == () or (name in _USUAL and value == _USUAL[name]):
        return
    if name == "heuristic":
        yield "function" if callable(value) else value
        return
    yield name
    if name in ("limit", "cheapest", "most") and value > 1:
        yield "several" if name == "limit" else "many_cheapest"


class ClashError(ValueError):
    """Features cannot be combined, or one lacks all of those that it needs.

    Attributes
    ----------
    feature
        The feature.
    others
        The other feature; or, if something is needed, the features of which one would do.
    why
        The reason; empty if something is needed.
    """

    def __init__(self, feature: str, others: tuple[str, ...], why: str = "") -> None:
        super().__init__(feature, others, why)  # as pickles need
        self.feature, self.others, self.why = feature, others, why

    def __str__(self) -> str:
        return self.describe()

    def describe(self, name: Callable[[str], str] = name_feature) -> str:
        """Return the fault as a sentence, in which `name` names features.

        Examples
        --------
        >>> ClashError("margin", ("paper",)).describe(name_flag)
        '--margin needs --paper'
        """
        if not self.why:
            return f"{name(self.feature)} needs {' or '.join(map(name, self.others))}"
        return f"{name(self.feature)} cannot be combined with {name(self.others[0])}: {self.why}"


def find_clash(present: Collection[str]) -> ClashError | None:
    """Return the first clash among features, in the order of the table; None if they can be combined.

    Examples
    --------
    >>> find_clash(["seed", "jobs"])
    >>> find_clash(["jobs", "nodes"])
    ClashError('nodes', ('jobs',), 'one thread keeps a limit on nodes')
    """
    for feature, other, why in _PAIRS if present else ():
        if feature in present and other in present:
            return ClashError(feature, (other,), why)
    for feature, needed in NEEDS.items():
        if feature in present and not any(one in present for one in needed):
            return ClashError(feature, needed)
    return None


def check_features(values: Mapping[str, Any]) -> None:
    """Check that arguments can be combined.

    Raises
    ------
    ClashError
        If they cannot.
    """
    clash = find_clash(list_features(values))
    if clash is not None:
        raise clash
