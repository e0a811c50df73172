"""Every encoder with every verb, and every pair of flags: no traceback, no false proof."""

import functools
import itertools
import json
import re

import click
import pytest

from commands import invoke
from exactcover import find_encoders
from exactcover.config.configuration import read_file
from exactcover.control.options import RULES, name_flag
from exactcover.encoders.discovery import find_configs

# A deadline may strike while garbage is collected; the exception is swallowed there, and raised again soon after.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

CROSSWORD = """crossword grid=["..", ".."] words=[ab, cd, ac, bd]"""
POLYSTICK = "polystick board=3x3 pieces=disticks copies=any"
STAFFING = """staffing people=["who,free", "A,1", "B,"] shifts=["shift,hours,needs", "x,6-14,1"] days=2"""
TARGETS = [
    "article_table.yaml", "coloring_map.yaml", "costas_6.yaml", "crews.yaml",
    CROSSWORD, "districts board=2x3 districts=2",
    "dominoes_torus_6x6.yaml", "fano_plane.yaml", "futoshiki.yaml",
    "jigsaw_9x9.yaml", "langford_8.yaml", "latin_mates_5.yaml", "loops board=2x2", "lozenges_hexagon_3.yaml",
    "macmahon_2x3.yaml", "masyu pearls=4x4", "matching graph=cube", "numberlink_6x6.yaml", "polycube board=2x2x2 pieces=dicubes copies=4",
    "polysphere board=1x4x4 pieces=dispheres copies=any", POLYSTICK,
    "queens_8.yaml", "rectangle_3x2.yaml",
    "samurai box=2x2 corners=[[1, 1], [3, 3]]", "shifts.yaml", "slitherlink clues=..2./3.../.213/3..1", "squares_5x5.yaml", "steiner_9.yaml",
    STAFFING,
    "tetrahexes_4x7.yaml", "trominoes_6x6.yaml",
]  # fmt: skip
"""Small problems with solutions, of every encoder."""
VERBS = [
    ["solve", "--limit", "2"],
    ["solve", "--limit", "2", "--format", "svg"],
    ["solve", "--cheapest", "1"],
    ["count", "--format", "json"],
    ["check", "--reduce", "--format", "json"],
    ["estimate", "--probes", "3", "--format", "json"],
    ["explain"],
    ["generate"],
]
RECORDS = [["solve", "--limit", "2", "--format", name] for name in ("json", "jsonl", "csv", "csv-wide")]
CONVERSIONS = [["convert", "--format", one] for one in ("dlx", "json", "csv", "spp", "cnf", "opb", "lp", "mps", "mtx")]
"""Formats of solutions and of problems, which do not know encoders: each target gets some of them in turn."""

_SECONDARY = "Matrix Market cannot express secondary items"
_OFTEN = "Matrix Market cannot express multiplicities or costs"
_OTHERS = "set partitioning cannot express secondary items or multiplicities"
_COSTS = "CNF cannot express costs; use OPB"
_RULES = dict.fromkeys(
    ("cnf", "csv", "dlx", "lp", "mps", "mtx", "opb", "spp"),
    "does not know rules about graphs; the problem has the rule",
)
_PLAIN_ONLY = {"mtx": _SECONDARY, "spp": _OTHERS}
UNWRITABLE = {
    target: reasons
    for targets, reasons in [
        (["districts board=2x3 districts=2"], {"generate": "cannot state what would be given", "mtx": _OFTEN, "spp": _OTHERS}),
        (["loops board=2x2", "masyu pearls=4x4", "numberlink_6x6.yaml", "slitherlink clues=..2./3.../.213/3..1"], _RULES),
        (["coloring_map.yaml", CROSSWORD, "futoshiki.yaml", "macmahon_2x3.yaml", POLYSTICK, "queens_8.yaml"], _PLAIN_ONLY),
        (["costas_6.yaml"], {"csv": "a table cannot contain the color '1'", **_PLAIN_ONLY}),
        (["crews.yaml", "shifts.yaml", STAFFING], {"cnf": _COSTS, **_PLAIN_ONLY}),
        (["polycube board=2x2x2 pieces=dicubes copies=4", "trominoes_6x6.yaml"], {"mtx": _OFTEN, "spp": _OTHERS}),
    ]
    for target in targets
}  # fmt: skip
"""The formats that a target cannot be written in, or the verb that cannot be used, and why; `solve` writes svg of all of them."""


def find_refusal(target: str, verb: str, flags: list[str]) -> str | None:
    """Return why a verb cannot write a target; None if it can."""
    if verb == "generate":
        return UNWRITABLE.get(target, {}).get(verb)
    formats = {"svg"} if verb == "solve" else {flags[-1] for _, *flags in CONVERSIONS} if verb == "convert" else set()
    return UNWRITABLE.get(target, {}).get(flags[-1]) if formats & set(flags) else None


def test_every_encoder_has_a_target() -> None:
    configs = find_configs()
    named = {target.split()[0] for target in TARGETS if target not in configs}
    named |= {read_file(configs[target]).problem for target in TARGETS if target in configs}
    assert named == set(find_encoders())
    assert UNWRITABLE.keys() <= set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_every_verb_with_every_encoder(target: str) -> None:
    number = TARGETS.index(target)
    conversions = [CONVERSIONS[(number + k) % len(CONVERSIONS)] for k in (0, 3, 6)]
    for verb, *flags in (*VERBS, RECORDS[number % len(RECORDS)], *conversions):
        result = invoke(verb, *re.split(r" (?=\w+=)", target), *flags, "--memory", "500M", "-q")
        said = (verb, flags, result.returncode, result.stderr)
        assert "Traceback" not in result.stderr, said
        reason = find_refusal(target, verb, flags)
        assert result.returncode == (0 if reason is None else 2), said  # each has a solution, so 20 would be wrong
        assert reason is None or (reason in result.stderr and not result.stdout), said
        if result.returncode == 0 and flags[-2:] == ["--format", "json"]:
            json.loads(result.stdout)


@pytest.mark.parametrize("verb", ["solve", "explain", "generate"])
def test_little_time_is_no_proof(verb: str) -> None:
    for config in sorted(find_configs())[:: 10 if verb == "generate" else 7]:
        result = invoke(verb, config, "--timeout", "0.03", "-q")
        said = (verb, result.returncode, result.stderr)
        assert "Traceback" not in result.stderr, said
        assert result.returncode in (0, 3), said


SOLVE = [tuple(flag.split()) for flag in (
    "--all", "--limit 2", "--cheapest 2", "--distinct", "--distinct rotations", "--restarts", "--seed 1", "--engine sets",
    "--engine diagram", "--engine cpsat", "--jobs 2", "--heuristic weighted", "--heuristic leftmost", "--reduce",
    "--no-reduce", "--merge", "--stats", "--nodes 100000", "--shape /dev/null",
    "--search-log /dev/null --log-levels 3", "--given r1c2", "--without r1c2", "-v", "-q", "--memory 1G", "--timeout 60",
    "--format json", "--format csv", "--format svg", "--no-header", "--escape-formulas",
)]  # fmt: skip
COUNT = [
    flag
    for flag in SOLVE
    if flag[0] not in ("--all", "--limit", "--cheapest", "--restarts", "--seed", "--no-header", "--escape-formulas")
    and flag[-1] not in ("csv", "svg")
]
COUNT += [("--strategy", name) for name in ("search", "sweep", "memo")]


Flag = tuple[str, ...]
_SEARCH_LOG = "--shape, --search-log"
REFUSED = [
    ("--distinct", "--strategy"),
    ("--engine sets", "--jobs"),
    ("--engine sets, --engine cpsat", "--strategy"),
    ("--engine diagram, --engine cpsat", f"--heuristic, --stats, --nodes, --restarts, {_SEARCH_LOG}"),
    ("--strategy", f"--heuristic, --nodes, --stats, {_SEARCH_LOG}"),
    *(
        tuple(name_flag(one).partition(" above")[0] for one in (feature, other))
        for rule in RULES
        for feature in rule.features
        for other in rule.others
        if name_flag(feature) and name_flag(other) and "function" not in (feature, other)
    ),
]
"""Flags that may not stand together: one of the first, one of the second. What is said then is tested elsewhere."""
REFUSED_WITH_LISTS = [("--engine diagram", "--jobs")]
"""The same where solutions are listed: by `solve`, and by `count` with --distinct."""
NEEDED = {"--no-header": "--format csv", "--escape-formulas": "--format csv"}
"""Flags that may not stand without another one."""


@functools.cache
def are_refused(flag: Flag, other: Flag, listing: bool) -> bool:
    """Return whether two flags may not stand together."""
    one, two = " ".join(flag), " ".join(other)
    pairs = [*REFUSED, *(REFUSED_WITH_LISTS if listing else ())]
    sides = [tuple(tuple(side.split(", ")) for side in pair) for pair in pairs]
    if any((one.startswith(a) and two.startswith(b)) or (two.startswith(a) and one.startswith(b)) for a, b in sides):
        return True
    return any(name in (flag[0], other[0]) and needed not in (one, two) for name, needed in NEEDED.items())


CONTRADICTIONS = ({"--reduce", "--no-reduce"}, {"--given", "--without"})
"""Of the first two, the last one counts; the second two leave no solution."""


def find_groups(verb: str, flags: list[Flag]) -> list[list[Flag]]:
    """Return few groups of flags that may stand together, so that each two that may are together in one of them."""

    def fits(flag: Flag, group: list[Flag]) -> bool:
        listing = verb == "solve" or "--distinct" in (flag[0], *(other[0] for other in group))
        return not any(
            flag[0] == other[0] or {flag[0], other[0]} in CONTRADICTIONS or are_refused(flag, other, listing)
            for other in group
        )

    open_pairs = [list(pair) for pair in itertools.combinations(flags, 2) if fits(pair[0], [pair[1]])]
    groups = []
    while open_pairs:
        group = open_pairs[0]
        for flag in flags:
            helps = any(flag in pair and (pair[0] in group or pair[1] in group) for pair in open_pairs)
            group = [*group, flag] if helps and fits(flag, group) else group
        open_pairs = [pair for pair in open_pairs if pair[0] not in group or pair[1] not in group]
        groups.append(group)
    return groups


@pytest.mark.parametrize("group", find_groups("solve", SOLVE), ids=str)
def test_flags_of_solve_may_stand_together(group: list[Flag]) -> None:
    for n, status in ((6, 0), (3, 20)):
        result = invoke("solve", "queens", f"n={n}", *itertools.chain(*group))
        assert result.returncode == status, (group, n, result)


@pytest.mark.parametrize("group", find_groups("count", COUNT), ids=str)
def test_flags_of_count_may_stand_together(group: list[Flag]) -> None:
    flags = [*itertools.chain(*group)]
    result = invoke("count", "queens", "n=6", *flags)
    assert result.returncode == 0, (group, result)
    number = json.loads(result.stdout)["solutions"] if "json" in flags else int(result.stdout)
    expected = 1 if "--given" in flags else 3 if "--without" in flags else 4
    if "--distinct" not in flags:
        assert number == expected, (group, result)
    elif {"--given", "--without"} & {*flags}:  # the symmetries that keep the option in place
        assert number <= expected, (group, result)
    else:
        assert number == (2 if "rotations" in flags else 1), (group, result)


SHARED = {"-q", "-v", "--timeout", "--memory", "-o", "--given", "--without", "--engine", "--distinct", "--seed", "--format",
          "--input"}  # fmt: skip


def test_the_same_flag_means_the_same_on_every_verb() -> None:
    from exactcover.cli.main import cli

    meanings: dict[str, set[str]] = {}
    context = click.Context(cli)
    commands = [cli.get_command(context, name) for name in cli.list_commands(context) if name != "new"]
    verbs = [command for command in commands if command is not None]
    assert len(verbs) == len(commands) > 14
    for command in verbs:
        for parameter in command.params:
            for option in parameter.opts:
                if option in SHARED:
                    meanings.setdefault(option, set()).add(str(getattr(parameter, "help", "")))
    assert all(len(texts) == 1 for texts in meanings.values()), meanings
    targets = [command for command in verbs if any(one.name == "target" for one in command.params)]
    for command, option in itertools.product(targets, ("-q", "-v", "--timeout", "--memory")):
        assert any(option in parameter.opts for parameter in command.params), (command.name, option)
