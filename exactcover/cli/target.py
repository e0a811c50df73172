"""The arguments that all verbs share: a target, KEY=VALUE texts, given and excluded options, and limits.

A shell completes them, as it does verbs, families, files and engines.
"""

from __future__ import annotations

import dataclasses
import io
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from click.shell_completion import CompletionItem

from exactcover.cli.messages import Progress, describe_progress
from exactcover.cli.output import read_file, read_standard_input
from exactcover.config import configuration as config
from exactcover.config.configuration import Configuration
from exactcover.control.memory import resident_memory
from exactcover.control.stop import Stop
from exactcover.encoders.discovery import find_config, find_configs, find_encoder, find_encoders
from exactcover.encoders.encoder import Encoder, defines
from exactcover.encoders.links import is_link, read_link, shorten
from exactcover.engines.base import ENGINES
from exactcover.errors import (
    ConfigError,
    FormatWarning,
    Mistake,
    ParameterError,
    ProblemError,
    UnknownProblemError,
    nearest,
)
from exactcover.files.read import Access, access, describe_bytes
from exactcover.formats.registry import (
    CONFIGURATIONS,
    DIAGRAMS,
    LINKS,
    PROBLEMS,
    PUZZLES,
    FamilyParameters,
    Format,
    by_suffix,
    suffix_of,
)
from exactcover.pictures.text import format_count
from exactcover.problem import Item, Label, Problem
from exactcover.search.search import Search

if TYPE_CHECKING:  # seldom needed
    from exactcover.diagram.diagram import Diagram, Order

_YAML = by_suffix(CONFIGURATIONS)
_READABLE = _YAML | by_suffix({name: one for name, one in (PROBLEMS | DIAGRAMS | PUZZLES).items() if one.reader})
INPUT_FORMATS = tuple(one.name for one in _READABLE.values() if one.name != "yml")
"""Formats that can be read from standard input."""
_WORKBOOKS = (".xlsx", ".xls", ".ods")
_MOST_BEFORE_LINK = 1000  # bytes of standard input, of which most are blank


_LACKS = {
    "draw": "has no pictures",
    "parse": "cannot be written as lines",
    "paint": "has no board and pieces",
    "tabulate": "has no tables",
}


@dataclass(frozen=True)
class FixedProblem(Encoder):
    """Stands for an encoder when a file contains the problem itself."""

    fixed: Problem

    def options(self) -> Iterable[tuple[Label, Iterable[Item]]]:
        return self.fixed.options.items()

    def problem(self, stop: Stop | None = None) -> Problem:
        return self.fixed


@dataclass(frozen=True)
class Request:
    """The arguments of a verb that all verbs share."""

    stop: Stop  # of the process, with the limits from the command line
    target: str = ""  # -, a file, a bundled file, an encoder's name, or a link; empty for verbs without one
    params: Sequence[str] = ()  # of the form KEY=VALUE
    verbosity: int = 0  # -1 for quiet, 0, or 1
    input_format: str = "yaml"  # of standard input
    given: Sequence[str] = ()  # labels of options that every solution must contain
    without: Sequence[str] = ()  # labels of options that no solution may contain
    allow_files: bool = False  # whether a configuration may name any file
    memory: int | None = None  # the bytes that may be used, about; None for no limit

    @property
    def quiet(self) -> bool:
        """True if only errors are printed on standard error."""
        return self.verbosity < 0

    def read_configuration(self) -> Configuration:
        """Read the target. Its own timeout applies from here on, unless the command line sets one.

        Raise ``CoverError`` if the target does not exist, or contains a mistake.
        """
        self.stop.poll()
        rules = Access(confined=not self.allow_files, trusted=[text.partition("=")[0] for text in self.params])
        with access(rules):
            configuration = _read_target(self.target, self.params, self.input_format, self.stop)
        self.stop.limit(timeout=configuration.search.timeout)
        return replace(configuration, inputs=(*configuration.inputs, *rules.read))

    def build_problem(self, configuration: Configuration, *, merge: bool = False) -> Problem:
        """Build the instance; `merge` merges options with the same items."""
        diagram, encoder = configuration.solutions, configuration.encoder
        with Progress(lambda: f"building the problem, {resident_memory() >> 20:,} MiB in use", shown=not self.quiet):
            full = encoder.problem(self.stop) if diagram is None else diagram.problem
        given, without = (map(full.label_of_text, texts) for texts in (self.given, self.without))
        problem = full.instance(given, without)
        try:
            return problem.merged() if merge else problem
        except ProblemError:
            raise click.UsageError("--merge cannot be used: an item may be covered more than once") from None

    def build_diagram(self, configuration: Configuration, order: Order) -> Diagram[Problem]:
        """Return the diagram of all solutions of the instance; raise ``StoppedError`` after a stop."""
        if configuration.solutions is not None:
            if self.given or self.without:
                return configuration.solutions.restrict(self.given, self.without)
            return configuration.solutions
        problem = self.build_problem(configuration)
        search: list[Search] = []
        with Progress(lambda: describe_progress(search[0].statistics) if search else "", shown=not self.quiet):
            return problem.diagram(order=order, stop=self.stop, watch=search.append)


def _list_targets(folder: Path) -> list[str]:
    """Return the files in a folder that can be a target, and the bundled files."""
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [*(str(path) for path in found if suffix_of(path) in _READABLE), *find_configs()]


def _read_target(target: str, params: Sequence[str], input_format: str, stop: Stop) -> Configuration:
    if target == "-":
        content = read_standard_input(stop)
        if input_format != "yaml":
            suffix = next(suffix for suffix, one in _READABLE.items() if one.name == input_format)
            return _read_problem_file(io.BytesIO(content), suffix, "standard input", params, stop)
        if linked := _read_link_in(content, params):
            return linked
        return config.read_text(content, "standard input", params)
    if is_link(target):
        return _read_link(target, params)
    path, suffix = Path(target), suffix_of(target)
    if not (suffix or "/" in target):
        try:
            return config.configure(target, params)
        except UnknownProblemError as error:
            near = next((name for name in (target + suffix for suffix in _READABLE) if Path(name).is_file()), None)
            if near is None and find_config(target) is None:
                raise
            hint = f"to use the bundled file, write {target}.yaml" if near is None else f"to use the file, write {near}"
            raise ConfigError([Mistake(f"{error}; {hint}", target)]) from None
    if suffix not in _READABLE and path.is_file():
        content = read_file(path, target, stop)
        if linked := _read_link_in(content, params):
            return replace(linked, inputs=(path,))
        return _read_grid_file(content, path, target, params)
    if suffix not in _READABLE and not path.is_dir():
        *others, last = _READABLE
        hint = "; save the table as .csv (CSV UTF-8) in the spreadsheet program" if suffix in _WORKBOOKS else ""
        raise ConfigError([Mistake(f"expected a file that ends in {', '.join(others)} or {last}{hint}", target)])
    if not path.exists() and (bundled := find_config(path.name)) is not None and "/" not in target:
        path = bundled
    elif not path.exists():
        raise ConfigError([Mistake(f"there is no such file{nearest(target, _list_targets(path.parent))}", target)])
    if suffix in _YAML:
        return replace(config.read_file(path, params), inputs=(path,))
    content = read_file(path, target, stop)
    try:
        found = replace(_read_problem_file(io.BytesIO(content), suffix, target, params, stop), inputs=(path,))
        if found.encoder.problem(stop).labels or suffix != ".csv" or not _resembles_grid(content):
            return found
    except ConfigError:
        if suffix not in (".csv", ".json") or not (params or _resembles_grid(content)):
            raise
    return _read_grid_file(content, path, target, params)


def _read_link_in(content: bytes, params: Sequence[str]) -> Configuration | None:
    """Read the puzzle of the link that a file holds; None if it holds something else."""
    is_one = is_link(content[:_MOST_BEFORE_LINK].decode("utf-8", "replace"))
    return _read_link(content.decode("utf-8", "replace"), params) if is_one else None


def _read_link(link: str, params: Sequence[str]) -> Configuration:
    """Read the puzzle that a link holds; nothing is asked from the site."""
    linked, source = read_link(link), shorten(link)
    if linked.left_out:
        warnings.warn(f"{source}: left out of the link: {', '.join(linked.left_out)}", FormatWarning, stacklevel=2)
    with access(Access(none=True)):
        return replace(config.configure(linked.problem, params, linked.params, source), title=linked.title)


def _resembles_grid(content: bytes) -> bool:
    """Return whether a table or document has more cells of a grid than words, apart from its first line."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    body = text.partition("\n")[2].strip() or text
    letters = sum(map(len, re.findall(r"[A-Za-z][a-z]{2,}", body.replace("null", ""))))
    lines = text.split()
    is_square = {line.count(",") for line in lines} == {len(lines) - 1}  # of letters
    cells = r"[2-9]|[\w.]{16}" + r"|\b[A-Wa-wYyZz]\b" * is_square
    stated = r"^\"?option\b|\bcost\b|[0-9:~]\|\w"
    is_stated = '"options"' in text or re.search(stated, text.partition("\n")[0]) is not None
    has_cells = not is_stated and re.search(cells, body) is not None
    return has_cells and 2 * letters < len("".join(body.split()))


def _read_grid_file(content: bytes, path: Path, target: str, params: Sequence[str]) -> Configuration:
    """Read a file of text that contains a Sudoku."""
    *others, last = _READABLE
    forms = f"other files end in {', '.join(others)} or {last}"
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError([Mistake(f"the file {describe_bytes(content)}", target)]) from None
    if not text.strip():
        raise ConfigError([Mistake(f"the file is empty; expected a Sudoku, or a link; {forms}", target)])
    wanted, params = _split_wanted(params)
    if wanted:
        text = _choose_grid(text, wanted[0], target)
    try:
        found = config.configure("sudoku", params, {"grid": f"{text}\n"}, target, whole="grid")
        if suffix_of(target) not in by_suffix(LINKS):  # those of Sudokus
            _check_symbols(found.encoder, target)
        return replace(found, inputs=(path,))
    except ConfigError as error:
        said = [re.fullmatch(r"grid(?:\.\d+)*: (.*)", one.message, re.DOTALL) for one in error.mistakes]
        if any(one.source != target for one in error.mistakes) or None in said:
            raise
        faults = [replace(one, message=f"this is not a Sudoku: {match[1]}; {forms}")
                  for one, match in zip(error.mistakes, said, strict=True) if match]  # fmt: skip
        raise ConfigError(faults) from None


def _choose_grid(text: str, wanted: str, target: str) -> str:
    """Return the grid of a file that has this number, from 1."""
    sudoku: Any = find_encoder("sudoku")()
    grids: dict[str, Any] = dict(
        zip(map(str, count(1)), sudoku.instances(text.splitlines(keepends=True)), strict=False)
    )
    if wanted not in grids:
        expected = f"expected a number from 1 to {len(grids)}" if grids else "there is no Sudoku"
        message = f"problem: {expected}, got {shorten(wanted)!r}"
        raise ConfigError([Mistake(message, target)])
    grid = grids[wanted]
    try:
        sudoku.parse(grid)
    except ParameterError as error:
        raise ConfigError([Mistake(f"problem {wanted}: {error.message}", target, grid.line)]) from None
    before: str = "\n" * (grid.line - 1)  # so that messages name the line
    return f"{before}{grid}"


def _check_symbols(sudoku: Any, target: str) -> None:
    """Refuse a grid with so few symbols that it has several solutions at least, such as a matrix of 0 and 1."""
    symbols, side = len({symbol for _, _, symbol in sudoku.givens()}), sudoku.side
    if symbols < side - 1:
        has = f"it has {format_count(symbols, 'symbol')} of {side}"
        message = f"grid: {has}; if it is one, write exactcover solve sudoku grid={target}"
        raise ConfigError([Mistake(message, target, sudoku.line)])


def _read_problem_file(file: io.BytesIO, suffix: str, source: str, params: Sequence[str], stop: Stop) -> Configuration:
    """Read a file that contains a problem."""
    if _READABLE[suffix].chooses:
        return _read_puzzle_file(file, suffix, source, params, stop)
    if params:
        raise ConfigError([Mistake(f"{params[0]}: a {suffix} file has no parameters", "command line")])
    if _READABLE[suffix].name in DIAGRAMS:
        return _read_diagram(file, source, stop)
    with io.TextIOWrapper(file, encoding="utf-8-sig") as lines:
        try:
            problem: Problem = _READABLE[suffix].read(lines, source, stop)
            return Configuration(source, {}, FixedProblem(problem))
        except UnicodeDecodeError:
            raise ConfigError([Mistake(f"the file {describe_bytes(file.getvalue())}", source)]) from None


def _read_puzzle_file(file: BinaryIO, suffix: str, source: str, params: Sequence[str], stop: Stop) -> Configuration:
    """Read the parameters of a puzzle; ``problem=NAME`` chooses one of several in the file."""
    wanted, changes = _split_wanted(params)
    chosen: FamilyParameters = _READABLE[suffix].read(file, source, stop).choose(*wanted)
    configuration = config.configure(chosen.family, changes, _state_givens(chosen, source, stop), source)
    return replace(configuration, title=chosen.title if wanted and not changes else None)


def _split_wanted(params: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the name of the puzzle that is chosen in a file, if any, and the other parameters."""
    wanted = [text.partition("=")[2] for text in params if text.startswith("problem=")]
    if len(wanted) > 1:
        raise ConfigError([Mistake("'problem' is given twice", "command line")])
    return wanted, [text for text in params if not text.startswith("problem=")]


def _state_givens(chosen: FamilyParameters, source: str, stop: Stop) -> Mapping[str, Any]:
    """Return parameters that state which options are given.

    Raise ``ConfigError`` if the family has none that do, or the parameters are wrong.
    """
    if chosen.givens is None:
        return chosen.params
    encoder = config.configure(chosen.family, [], chosen.params, source).encoder
    labels = {str(label): label for label in encoder.problem(stop).labels}
    known = [labels[one] for one in chosen.givens if one in labels]
    stated = config.state_givens(chosen.family, chosen.params, known, source)
    if stated is not None and len(known) == len(chosen.givens):
        return stated
    message = "no parameters of this family state the givens of this record; state the family and --given"
    raise ConfigError([Mistake(message, source)])


def _read_diagram(content: BinaryIO, source: str, stop: Stop) -> Configuration:
    """Read a diagram, and find the encoder of its problem if that is installed."""
    from exactcover.formats import diagrams  # slow to import

    file = diagrams.read(content, source, stop=stop)
    if file.name is not None:
        try:
            with access(Access(none=True)):
                encoder = config.encode_as(find_encoder(file.name), file.params, source)
            return Configuration(file.name, file.params, encoder, solutions=file.diagram(encoder.problem(stop)))
        except (UnknownProblemError, ConfigError) as error:
            first_line, _, _ = str(error).partition("\n")
            reason = f"the encoder is not available, so only labels are shown: {first_line}"
            warnings.warn(f"{source}: {reason}", FormatWarning, stacklevel=2)
    diagram = file.diagram(stop=stop)
    return Configuration(source, {}, FixedProblem(diagram.problem), solutions=diagram)


def complete_verb(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the verbs with this beginning; after verbs, those of the last one."""
    assert context.parent is not None
    command = context.parent.command
    for word in context.params.get(str(parameter.name)) or ():
        found = command.get_command(context, word) if isinstance(command, click.Group) else None
        if found is None:
            return []
        command = found
    return command.shell_complete(click.Context(command), incomplete) if isinstance(command, click.Group) else []


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete files."""
    return [CompletionItem(incomplete, type="file")]


def complete_folder(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete folders."""
    return [CompletionItem(incomplete, type="dir")]


def complete_file_or_parameter(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the parameters of the target with this beginning; if there are none, let the shell complete files."""
    found = complete_parameter(context, parameter, incomplete) if incomplete else []
    return found or complete_file(context, parameter, incomplete)


def complete_family(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the families with this beginning."""
    found = sorted(find_encoders().items())
    return [CompletionItem(name, help=one.summary) for name, one in found if name.startswith(incomplete)]


def complete_engine(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the installed engines with this beginning."""
    return [CompletionItem(name) for name in ("auto", *ENGINES) if name.startswith(incomplete)]


def complete_target(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the families and bundled files with this beginning; if there are none, let the shell complete files.

    The types are never mixed: one candidate of type ``file`` makes bash drop all others.
    """
    families = complete_family(context, parameter, incomplete)
    bundled = [CompletionItem(name) for name in find_configs() if incomplete and name.startswith(incomplete)]
    return [*families, *bundled] or [CompletionItem(incomplete, type="file")]


def complete_parameter(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the parameters of the target with this beginning, if it is a family or a configuration of one."""
    with suppress(Exception):  # nothing that is wrong with the target may be printed between two words of a command
        target = str(context.params.get("target") or "")
        family = find_encoders().get(target)
        encoder = config.read_file(find_config(target) or Path(target)).encoder if family is None else family.encoder
        names = [field.name for field in dataclasses.fields(encoder) if field.init]  # type: ignore[arg-type]
        return [CompletionItem(f"{name}=", type="plain") for name in names if name.startswith(incomplete)]
    return []


def check_encoder(chosen: Format, configuration: Configuration) -> None:
    """Refuse a format that the encoder of a configuration does not support."""
    if chosen.needs and not any(defines(configuration.encoder, method) for method in chosen.needs):
        lack = _LACKS[chosen.needs[-1]]
        raise click.UsageError(f"problem {configuration.problem!r} {lack}; choose another --format")
