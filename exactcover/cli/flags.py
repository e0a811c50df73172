"""Arguments and flags that several verbs share. Each flag has one name, one meaning and one help text."""

from __future__ import annotations

import importlib
import io
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar, get_args, get_origin

import click

from exactcover.cli.messages import print_message
from exactcover.cli.output import check_other_output, open_output
from exactcover.cli.target import (
    INPUT_FORMATS,
    Request,
    complete_engine,
    complete_file,
    complete_file_or_parameter,
    complete_parameter,
    complete_target,
)
from exactcover.config.configuration import Configuration
from exactcover.control.options import (
    OPTIONS,
    ClashError,
    Distinct,
    SearchOptions,
    find_clash,
    find_kind,
    list_features,
    name_feature,
    name_flag,
)
from exactcover.control.recorder import LogNode, Profile, SearchLogWriter, TreeRecorder
from exactcover.control.stop import Stop
from exactcover.errors import find_nearest, nearest
from exactcover.pictures import printable
from exactcover.pictures.text import digits, show_value

if TYPE_CHECKING:  # slow to import
    from exactcover.analysis.search_log import SearchLog


@contextmanager
def open_search_log(
    output: str | None, inputs: Iterable[Path], flags: Mapping[str, Any]
) -> Iterator[SearchLogWriter | None]:
    """Yield a log for the search if one of `_LOG_FLAGS` asks for one; the file is whole at the end of the block.

    Raise ``click.UsageError`` if that file is the output or one of the inputs.
    """
    search_log = flags["search_log"]
    path = search_log or flags["shape"]
    check_other_output("--shape" if search_log is None else "--search-log", path, output)
    if path is None:
        yield None
        return
    with open_output(path, inputs=inputs) as out:
        file = io.BytesIO() if search_log is None else out.buffer
        writer = SearchLogWriter(
            file, most_nodes=flags["log_nodes"], levels=flags["log_levels"], sample=flags["log_sample"] or 0.0
        )
        yield writer
        if isinstance(file, io.BytesIO) and writer.is_begun:
            from exactcover.analysis.search_log import SearchLog  # slow to import

            _write_shape(SearchLog(file.getvalue()), out)


def _write_shape(log: SearchLog, out: TextIO) -> None:
    """Write one line for each node: its level, the number of its children or what it is, the item, the option chosen.

    A search for the cheapest solutions leaves out options that cost too much, so its log does not tell what was chosen.
    """
    from exactcover.analysis.search_log import replay  # slow to import

    items, labels = ([printable(name) for name in log.header[key]] for key in ("items", "labels"))
    if log.header["priced"]:
        out.writelines(f"{node.level} {_describe_node(node, items)}\n" for node in log.nodes())
        return
    for node, chosen in replay(log):
        way = "" if not chosen else "\tnone" if chosen[-1] is None else f"\t{labels[chosen[-1]]}"
        out.write(f"{node.level} {_describe_node(node, items)}{way}\n")


def _describe_node(node: LogNode, items: Sequence[str]) -> str:
    if node.kind == "unrecorded":
        counts = ((node.nodes, "node"), (node.solutions, "solution"))
        nodes, solutions = (f"{n} {noun}{'s' * (n != 1)}" for n, noun in counts)
        return f"unrecorded {nodes}, {solutions}"
    if node.item < 0:
        return {"solution": "sol", "pruned": "pruned"}[node.kind]
    return f"{node.children} {items[node.item]}"


F = TypeVar("F", bound=Callable[..., Any])

COUNT_RANGE = click.IntRange(min=1, max=10**15)
"""The range of a number of solutions or puzzles that a flag asks for."""

_NO_NUMBER = re.compile(r"(.+) is not a valid (integer|float)( range)?\.", re.DOTALL)
_OUT_OF_RANGE = re.compile(r"(\S+) is not in the range (?:(\S+)<=x<=(\S+)|x(>=?)(\S+))\.")
_PARAMETERS = "[KEY=VALUE]..."
_SYMMETRIES = ("all", "rotations")
_SEARCH_FLAGS = ("engine", "heuristic", "jobs", "nodes", "reduce", "symmetry")
_REQUEST_FIELDS = ("target", "params", "input_format", "given", "without", "allow_files", "memory")
_FEATURES = {"find_all": "all", "differ_in": "differing", "memory": "process_memory"}
"""The features that flags of another name ask for."""
_GIVEN = "exactcover.given"
_LOG_FLAGS = ("search_log", "shape", "log_nodes", "log_levels", "log_sample")
_RECORDS = {"stats", *_LOG_FLAGS}
_FLAG_GROUPS = {
    "search_flags": {*_SEARCH_FLAGS, "merge", *_RECORDS},
    "goal_flags": {"limit", "find_all", "cheapest", "most", "gap", "within"},
    "plan_flags": {"best_effort", "keep", "change"},
    "solution_flags": {
        *("output_format", "output", "overwrite", "pages", "header", "escape_formulas"),
        *("block_size", "block_gap", "kerf", "thickness", "piece_files", "piece_set"),
        *("paper", "margin", "link"),
    },
}

_HELP_GROUPS = {
    "Output": {*_FLAG_GROUPS["solution_flags"], "certificate"},
    "Plans": {*_FLAG_GROUPS["plan_flags"], "soft", "project"},
    "Search": {*OPTIONS, "merge"} - {"memory"},
    "Records of the search": _RECORDS,
    "Problem": {"input_format", "given", "without", "allow_files"},
    "Limits and messages": {"timeout", "memory", "quiet", "verbose"},
}


class FiniteRange(click.FloatRange):
    """A number within bounds; other than click's own type, it refuses what is not a number, which no bound excludes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


class VerbGroup(click.Group):
    """A group that suggests the nearest verb, and imports a verb from its place, ``module:name``, when it is used."""

    def __init__(self, *args: Any, places: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._places = places or {}

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({*super().list_commands(context), *self._places})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self._places:
            return super().get_command(context, name)
        module, _, attribute = self._places[name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(context)
        if name not in known and not name.startswith("-"):
            hint = self._suggest_target(name, context) or nearest(name, known)
            raise click.UsageError(f"there is no verb {name!r}{hint}", context)
        return super().resolve_command(context, args)

    def _suggest_target(self, name: str, context: click.Context) -> str:
        """Return a hint if a target, or what is nearly one, stands where a verb is expected; else an empty text."""
        from exactcover.encoders.discovery import find_configs, find_encoders  # seldom needed

        targets = [*find_encoders(), *find_configs()]
        target: str | None = name
        if not Path(name).is_file() and name not in targets:
            target = None if nearest(name, self.list_commands(context)) else find_nearest(name, targets)
        if target is None:
            return ""
        verb = "solve" if "solve" in self.list_commands(context) else "start"
        return f"; did you mean '{context.command_path} {verb} {target}'?"


def _describe_number(message: str) -> str | None:
    """Return what click says of a value that is not a number, or out of range, in plain words; None for the rest.

    Examples
    --------
    >>> _describe_number("'x' is not a valid integer range.")
    "expected a whole number, got 'x'"
    >>> _describe_number("0 is not in the range 1<=x<=100000."), _describe_number("0.0 is not in the range x>0.")
    ('expected a number from 1 to 100,000, got 0', 'expected a number of more than 0, got 0.0')
    """
    found = _NO_NUMBER.fullmatch(message)
    if found is not None:
        return f"expected a {'whole ' if found[2] == 'integer' else ''}number, got {found[1]}"
    found = _OUT_OF_RANGE.fullmatch(message)
    if found is None:
        return None
    value, least, most, sign, bound = found.groups()
    most = digits(int(most), grouped=True) if most and most.isdecimal() else most
    expected = f"from {least} to {most}" if least else f"of {'at least' if sign == '>=' else 'more than'} {bound}"
    return f"expected a number {expected}, got {value}"


class Verb(click.Command):
    """A verb. Its function receives the arguments that all verbs share as one :class:`Request`.

    The flags of ``add_search_flags``, ``add_solution_flags`` and ``add_plan_flags`` become one dictionary each.
    """

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(context, _spell_out_distinct(args))
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-")
            known = [flag for parameter in self.params for flag in parameter.opts if flag.startswith("-")]
            short = len(error.option_name.strip("-")) < 3  # near to everything, and so to nothing
            suggestion = "." if short else nearest(error.option_name, known) or "."
            takes_parameters = any(parameter.name == "params" for parameter in self.params)
            if name == "plugin":
                hint = "--plugin comes before the verb: exactcover --plugin FILE.py:Class VERB ..."
                raise click.UsageError(hint, context) from None
            hint = f" A parameter of the problem is written without dashes: {name}=VALUE." if takes_parameters else ""
            raise click.UsageError(f"there is no flag {error.option_name!r}{suggestion}{hint}", context) from None
        except click.BadParameter as error:
            message = _describe_number(error.message)
            if message is None:
                raise
            raise click.BadParameter(message, error.ctx, error.param, error.param_hint) from None

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags in groups, those of the verb itself first."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": [], **{title: [] for title in _HELP_GROUPS}}
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None and isinstance(parameter, click.Option):
                titles = (title for title, names in _HELP_GROUPS.items() if parameter.name in names)
                groups[next(titles, "Options")].append(record)
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def invoke(self, context: click.Context) -> Any:
        values = context.params
        context.meta[_GIVEN] = given = list_given(context)
        clash = find_clash(given)
        if clash is not None:
            raise click.UsageError(clash.describe(name_flag), context)
        source = context.get_parameter_source("input_format")
        if source is click.core.ParameterSource.COMMANDLINE and values["target"] != "-":
            raise click.UsageError("--input applies only if TARGET is -", context)
        if "quiet" in values:
            stop = context.obj or Stop()
            stop.limit(timeout=values.pop("timeout", None), memory=values.get("memory"))
            fields = {name: values.pop(name) for name in _REQUEST_FIELDS if name in values}
            values["request"] = Request(stop=stop, verbosity=values.pop("verbose") - values.pop("quiet"), **fields)
        for group, names in _FLAG_GROUPS.items():
            if names <= values.keys():
                values[group] = {name: values.pop(name) for name in names}
        try:
            return super().invoke(context)
        except click.exceptions.Exit as error:  # raised by a plugin, whose exit status must not look like an answer
            raise SystemExit(error.exit_code).with_traceback(error.__traceback__) from None


def _spell_out_distinct(args: list[str]) -> list[str]:
    """Give every ``--distinct`` its value, so that it does not take the target as its value."""
    result: list[str] = []
    for arg in args:
        if result[-1:] == ["--distinct"]:
            misspelled = not arg.startswith("-") and bool(nearest(arg, _SYMMETRIES))  # so it is not a target
            is_value = arg in _SYMMETRIES or misspelled
            result[-1] = f"--distinct={arg if is_value else 'all'}"
            if is_value:
                continue
        result.append(arg)
    return [*result[:-1], "--distinct=all"] if result[-1:] == ["--distinct"] else result


def join_flags(*flags: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that adds several flags, in this order."""

    def add_all(verb: F) -> F:
        for add in reversed(flags):
            verb = add(verb)
        return verb

    return add_all


def read_by(read: Callable[[str], object]) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Return the callback of a flag whose text a function reads; a ``ValueError`` of it is about the flag."""

    def parse(context: click.Context, parameter: click.Parameter, text: str | None) -> object:
        try:
            return None if text is None else read(text)
        except ValueError as error:
            raise click.BadParameter(str(error), context, parameter) from None

    return parse


def read_size(text: str) -> int:
    """Return the number of bytes that a text such as 500M stands for."""
    match = re.fullmatch(r"([0-9]{0,30}\.?[0-9]{1,30})([KMGT]?)B?", text.strip().upper())
    size = int(Decimal(match[1]) * 1024 ** " KMGT".index(match[2] or " ")) if match else 0
    if size < 1:
        raise ValueError(f"expected a size such as 500M or 2G, got {show_value(text)}")
    return min(size, sys.maxsize)


def _read_seconds(text: str) -> float:
    with suppress(ValueError):
        seconds = float(text)
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    raise ValueError(f"expected a number of seconds, got {show_value(text)}")


add_limit_flags = join_flags(
    click.option(
        "--timeout",
        metavar="SECONDS",
        callback=read_by(_read_seconds),
        help="Stop after this many seconds, including the time to read or build the problem.",
    ),
    click.option(
        "--memory",
        metavar="SIZE",
        callback=read_by(read_size),
        help="Stop when the process has grown by about this much, such as 500M or 2G.",
    ),
)

add_verbosity_flags = join_flags(
    click.option("-q", "quiet", is_flag=True, help="Print only errors and warnings on standard error."),
    click.option(
        "-v", "verbose", is_flag=True, help="Print more details on standard error, including tracebacks of errors."
    ),
)

_add_access_flags = join_flags(
    click.option(
        "--allow-files",
        is_flag=True,
        help="Allow the configuration to name files outside its own folder and the current one.",
    ),
    add_verbosity_flags,
)

add_common_flags = join_flags(add_limit_flags, _add_access_flags)


def add_target_arguments(
    verb: F, params_metavar: str = _PARAMETERS, *, limited: bool = True, required: bool = True
) -> F:
    """Add TARGET, KEY=VALUE, ``--input``, ``--given``, ``--without``, common flags, and limits if `limited`."""
    completion = complete_parameter if params_metavar == _PARAMETERS else complete_file_or_parameter
    optional: dict[str, Any] = {} if required else {"default": ""}
    return join_flags(
        click.argument("target", required=required, shell_complete=complete_target, **optional),
        click.argument("params", nargs=-1, metavar=params_metavar, shell_complete=completion),
        click.option(
            "--input",
            "input_format",
            type=click.Choice(INPUT_FORMATS),
            default="yaml",
            show_default=True,
            help="Format of standard input, if TARGET is -.",
        ),
        click.option(
            "--given", metavar="LABEL", multiple=True, help="Require the option with this label. Can be repeated."
        ),
        click.option(
            "--without", metavar="LABEL", multiple=True, help="Exclude the option with this label. Can be repeated."
        ),
        add_common_flags if limited else _add_access_flags,
    )(verb)


def add_option_flags(*names: str, **defaults: object) -> Callable[[F], F]:
    """Return a decorator that adds the flags of options of a search, by their names or with defaults of their own."""
    return join_flags(*(_make_option_flag(name, defaults.get(name)) for name in [*names, *defaults]))


def _make_option_flag(name: str, default: object) -> Callable[[F], F]:
    kind, facts, flag = find_kind(name), OPTIONS[name], name_flag(name)
    about: dict[str, Any] = {"default": default, "show_default": default is not None, "help": facts.about}
    if kind == bool | None:
        return click.option(f"{flag}/--no-{flag[2:]}", name, **about)
    if kind is bool:
        return click.option(flag, name, is_flag=True, help=facts.about)
    if kind is str:
        about |= {"metavar": "NAME", "shell_complete": complete_engine}  # the one option that is a name
    elif get_origin(kind) is Annotated:
        low, high = (next(getattr(one, end) for one in kind.__metadata__ if hasattr(one, end)) for end in ("ge", "le"))
        about |= {"metavar": "N", "type": click.IntRange(low, high)}
    elif kind == int | None:
        about |= {"metavar": "N", "type": int}
    else:
        about["type"] = click.Choice(_SYMMETRIES if name == "distinct" else get_args(kind))
    return click.option(flag, name, **about)


add_escape_flag = click.option(
    "--escape-formulas", is_flag=True, help="In CSV, put ' before cells that a spreadsheet would treat as formulas."
)


def add_number_flag(things: str) -> Callable[[F], F]:
    """Return a decorator that adds ``-n``: how many `things` to print."""
    return click.option(
        "-n", "--number", type=COUNT_RANGE, default=1, show_default=True, metavar="N", help=f"Number of {things}."
    )


add_output_flag = click.option(
    "-o", "--output", metavar="FILE", shell_complete=complete_file, help="Write to FILE instead of standard output."
)


def add_format_flag(formats: Iterable[str], default: str | None = None) -> Callable[[F], F]:
    """Return a decorator that adds ``--format``."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(list(formats)),
        default=default,
        show_default=default is not None,
        help="Format of the output.",
    )


add_report_flags = join_flags(add_format_flag(["text", "json"], default="text"), add_output_flag)
"""Adds the flags of verbs that print a report."""

add_search_flags = join_flags(
    add_option_flags(*_SEARCH_FLAGS),
    click.option("--merge", is_flag=True, help="Treat options with the same items as one."),
    click.option(
        "--stats",
        is_flag=True,
        help="Print the statistics that -v prints, and the number of nodes on each level. Slows the search down.",
    ),
    click.option(
        "--search-log",
        metavar="FILE",
        shell_complete=complete_file,
        help="Write every node of the search tree to FILE in a compact form.",
    ),
    click.option(
        "--shape",
        metavar="FILE",
        shell_complete=complete_file,
        help="Write one line per node of the search tree to FILE.",
    ),
    click.option(
        "--log-nodes", type=click.IntRange(min=0), metavar="N", help="Record the first N nodes of the search tree."
    ),
    click.option(
        "--log-levels",
        type=click.IntRange(min=0),
        metavar="N",
        help="Record the nodes down to level N; the root is on level 0.",
    ),
    click.option(
        "--log-sample",
        type=FiniteRange(0, 1),
        metavar="SHARE",
        help="Also record, in full, this share of the subtrees below the last level of --log-levels.",
    ),
)
"""Adds the flags of :class:`SearchOptions` that most share, and those of records of the search."""


@dataclass(frozen=True)
class ResolvedFlags:
    """Options and observers of a search, from flags and configuration together."""

    options: SearchOptions
    profile: Profile | None
    log: TreeRecorder | None
    stats: bool  # whether to print the nodes by level
    merge: bool  # whether to merge options with the same items

    def print_profile(self) -> None:
        """Print the nodes by level if ``--stats`` asks for them."""
        if self.profile is not None and self.profile.levels:
            print_message(f"choices   at most {self.profile.most_choices:,}")
            for level, nodes in enumerate(self.profile.levels):
                print_message(f"level {level:<4}{nodes:,}")


@contextmanager
def resolve_search_flags(
    configuration: Configuration,
    output: str | None,
    *,
    merge: bool,
    stats: bool,
    **flags: Any,
) -> Iterator[ResolvedFlags]:
    """Combine flags with the configuration; keep the file of a search log open. Absent flags are None.

    Raise ``click.UsageError`` if the flags contradict each other.
    """
    settings = configuration.search
    log_flags = {name: flags.pop(name) for name in _LOG_FLAGS}
    with open_search_log(output, configuration.inputs, log_flags) as log:
        profile = Profile() if stats else None
        present = {name: value for name, value in flags.items() if value is not None}
        merge = merge or settings.merge
        if merge:  # as a flag or the file says
            check_flags("merge")
        with report_bad_flags():
            options = settings.options(**present)
        yield ResolvedFlags(options, profile, log, stats, merge)


@contextmanager
def report_bad_flags() -> Iterator[None]:
    """Report a ``ValueError`` about flags as wrong usage."""
    try:
        yield
    except ClashError as error:
        names = {"search_log": "--shape"} if "shape" in click.get_current_context().meta[_GIVEN] else {}
        message = error.describe(lambda feature: names.get(feature, name_flag(feature) or name_feature(feature)))
        raise click.UsageError(message) from None
    except ValueError as error:
        if type(error) is not ValueError:  # errors of this package are reported elsewhere
            raise
        raise click.UsageError(str(error)) from None


def list_given(context: click.Context) -> list[str]:
    """Return the features that the flags of a command line ask for; see :mod:`exactcover.control.options`."""
    typed = click.core.ParameterSource.COMMANDLINE
    flags = (one for one in context.command.params if isinstance(one, click.Option) and one.name in context.params)
    given = [str(one.name) for one in flags if context.get_parameter_source(str(one.name)) is typed]
    return list_features({_FEATURES.get(name, name): context.params[name] for name in given})


def check_flags(*features: str) -> None:
    """Raise ``click.UsageError`` if the flags of a command line clash with features that something else asks for."""
    clash = find_clash([*click.get_current_context().meta[_GIVEN], *features])
    if clash is not None:
        raise click.UsageError(clash.describe(name_flag))


def check_target(configuration: Configuration) -> None:
    """Check that the flags say nothing of how to search if the target holds all solutions; see :func:`check_flags`."""
    if configuration.solutions is not None:
        check_flags("known_solutions")


def parse_distinct(distinct: str | None) -> Distinct:
    """Return the value for :class:`SearchOptions` that ``--distinct`` stands for."""
    return "rotations" if distinct == "rotations" else distinct is not None
