"""What every verb takes: a target, KEY=VALUE texts, and how to search."""

from __future__ import annotations

import io
import math
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO, TypeVar, get_args

import click

from exactcover import config
from exactcover.cli.exits import profile_lines, punctual, say
from exactcover.config import Configuration, SearchSettings
from exactcover.derived import representatives
from exactcover.encoder import Encoder, find_config, find_encoder
from exactcover.engines import Heuristic, Tactics
from exactcover.errors import ConfigError, FormatWarning, Mistake, UnknownProblemError, nearest
from exactcover.formats import csv_problem, diagrams, dlx, json_problem
from exactcover.problem import Item, Label, Problem
from exactcover.profile import Profile
from exactcover.search import Search
from exactcover.stop import Stop

__all__ = [
    "How",
    "Stated",
    "built",
    "common_options",
    "distinct_option",
    "how_to_search",
    "memory_option",
    "opened",
    "read_target",
    "read_target_in_time",
    "search_options",
    "standard_input",
    "tactics_options",
    "target_arguments",
    "timeout_option",
]

F = TypeVar("F", bound=Callable[..., Any])

_YAML = (".yaml", ".yml")
_SUFFIXES = (*_YAML, ".dlx", ".json", ".csv", ".zdd")


@dataclass(frozen=True)
class Stated(Encoder):
    """Stands for an encoder where the problem itself was read from a file."""

    stated: Problem

    def options(self) -> Iterable[tuple[Label, Iterable[Item]]]:
        return self.stated.options.items()

    def problem(self, stop: Stop | None = None) -> Problem:
        return self.stated


def target_arguments(verb: F) -> F:
    """Add TARGET, KEY=VALUE and ``--input``."""
    verb = click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")(verb)
    verb = click.argument("target")(verb)
    return click.option(
        "--input",
        "input_format",
        type=click.Choice(["yaml", "dlx", "json", "csv", "zdd"]),
        default="yaml",
        help="What standard input holds (for -).",
    )(verb)


def common_options(verb: F) -> F:
    """Add ``-q`` and ``-v``."""
    verb = click.option("-v", "verbose", is_flag=True, help="Say more: engine, nodes, explored share.")(verb)
    return click.option("-q", "quiet", is_flag=True, help="Say nothing on standard error but errors.")(verb)


def search_options(verb: F) -> F:
    """Add ``--timeout``, ``--engine``, ``-q`` and ``-v``."""
    verb = click.option("--engine", metavar="NAME", help="The engine to search with; auto picks one.")(verb)
    return common_options(timeout_option(verb))


def timeout_option(verb: F) -> F:
    """Add ``--timeout``."""
    return click.option(
        "--timeout",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        callback=_seconds,
        help="Stop after so long, building included.",
    )(verb)


def memory_option(verb: F) -> F:
    """Add ``--memory``."""
    return click.option(
        "--memory",
        metavar="SIZE",
        callback=_bytes,
        help="Hold about so much, like 500M or 2G, else remember less; by default half of what is free.",
    )(verb)


def distinct_option(verb: F) -> F:
    """Add ``--distinct``."""
    return click.option(
        "--distinct", is_flag=True, help="Of solutions that are the same up to a symmetry take one only."
    )(verb)


def _bytes(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    match = re.fullmatch(r"([0-9]*\.?[0-9]+)([KMGT]?)B?", value.strip().upper())
    size = int(float(match[1]) * 1024 ** " KMGT".index(match[2] or " ")) if match else 0
    if size < 1:
        raise click.BadParameter("expected a size like 500M or 2G", context, parameter)
    return size


def tactics_options(verb: F) -> F:
    """Add ``--heuristic``, ``--jobs``, ``--reduce``, ``--merge``, ``--stats`` and ``--shape``."""
    verb = click.option("--shape", metavar="FILE", help="Write a line for each node of the search tree there.")(verb)
    verb = click.option("--stats", is_flag=True, help="As -v, and the nodes by level; the search is slower.")(verb)
    verb = click.option("--merge", is_flag=True, help="Take options with the same items as one.")(verb)
    verb = click.option(
        "--reduce/--no-reduce", "reduce", default=None, help="Remove what no solution needs before searching."
    )(verb)
    verb = click.option(
        "--jobs", type=click.IntRange(min=1), metavar="N", help="Search with N threads; the results stay the same."
    )(verb)
    return click.option(
        "--heuristic",
        type=click.Choice(get_args(Heuristic)),
        help="Branch on the item with fewest options (mrv), on the first, or on that of the fewest which failed most.",
    )(verb)


def built(encoder: Encoder, stop: Stop) -> tuple[Problem, list[Label]]:
    """Return the problem and its givens, in time."""
    with punctual(stop):
        return encoder.problem(stop), list(encoder.givens())


@dataclass(frozen=True)
class How:
    """How to search: the flags of :func:`tactics_options`, or else what the file says.

    Attributes
    ----------
    keywords
        What ``Problem.count`` takes of it.
    profile
        What ``Problem.solve`` takes besides.
    """

    keywords: Mapping[str, Any]
    profile: Profile | None
    stats: bool
    merge: bool

    def instance(self, encoder: Encoder, stop: Stop) -> tuple[Problem, list[Label]]:
        """Return the problem and its givens, with equal options merged if that is wanted."""
        problem, givens = built(encoder, stop)
        if not self.merge:
            return problem, givens
        kept = representatives(problem)
        return problem.merged(), [kept.get(label, label) for label in givens]

    def tell(self, search: Search) -> None:
        """Print the nodes by level, if they were wanted."""
        if self.stats and self.profile is not None and self.profile.levels:
            for line in profile_lines(self.profile):
                say(line)


@contextmanager
def how_to_search(
    settings: SearchSettings,
    *,
    engine: str | None,
    heuristic: Heuristic | None,
    jobs: int | None,
    reduce: bool | None,
    merge: bool,
    stats: bool,
    shape: str | None,
) -> Iterator[How]:
    """Take the flags of :func:`tactics_options`; the file for the shape of the tree stays open for the block."""
    with opened(shape) if shape is not None else nullcontext() as out:
        profile = Profile(out) if stats or out is not None else None
        try:
            tactics = Tactics(heuristic or settings.heuristic, jobs or settings.jobs, profile=profile)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        keywords = {
            "engine": engine or settings.engine,
            "heuristic": tactics.heuristic,
            "jobs": tactics.jobs,
            "reduce": settings.reduce if reduce is None else reduce,
        }
        yield How(keywords, profile, stats, merge or settings.merge)


@contextmanager
def opened(output: str | None) -> Iterator[TextIO]:
    """Open a file to write to; standard output where it is None or ``-``."""
    if output in (None, "-"):
        yield sys.stdout
        return
    try:
        out = Path(str(output)).open("w", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed below
    except OSError as error:
        raise click.UsageError(f"cannot write {output}: {error.strerror}") from None
    with out:
        yield out


def standard_input() -> BinaryIO:
    """Return standard input; a usage error where it is closed."""
    if sys.stdin is None:
        raise click.UsageError("standard input is closed")
    return sys.stdin.buffer


def _seconds(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("expected a number of seconds", context, parameter)
    return value


def read_target(target: str, params: Sequence[str], input_format: str = "yaml") -> Configuration:
    """Return the configuration for a target: ``-``, a file, a bundled file, or an encoder's name.

    Raises
    ------
    CoverError
        If there is no such thing, or anything in it is wrong.
    """
    if target == "-":
        content = standard_input().read()
        if input_format != "yaml":
            return _read_stated(io.BytesIO(content), f".{input_format}", "standard input", params)
        return config.read_text(content, "standard input", params)
    path = Path(target)
    if not (path.suffix or "/" in target):
        try:
            return config.configure(target, params)
        except UnknownProblemError as error:
            if find_config(target) is None:
                raise
            raise ConfigError([Mistake(f"{error}; but there is a file {target}.yaml", target)]) from None
    if path.suffix not in _SUFFIXES and not path.is_dir():
        raise ConfigError(
            [Mistake(f"expected a file that ends in {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}", target)]
        )
    if not path.exists() and (bundled := find_config(path.name)) is not None and "/" not in target:
        path = bundled
    elif not path.exists():
        raise ConfigError([Mistake(f"there is no such file{_near(path)}", target)])
    if path.suffix not in _YAML:
        try:
            with path.open("rb") as file:
                return _read_stated(file, path.suffix, target, params)
        except OSError as error:
            raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", target)]) from None
    return config.read_file(path, params)


def _read_stated(content: BinaryIO, suffix: str, source: str, params: Sequence[str]) -> Configuration:
    """Read a file that states a problem itself."""
    if params:
        raise ConfigError([Mistake(f"{params[0]}: a {suffix} file has no parameters", "command line")])
    if suffix == ".zdd":
        return _read_diagram(content, source)
    with io.TextIOWrapper(content, encoding="utf-8-sig") as lines:
        try:
            return Configuration(source, {}, Stated(_READERS[suffix](lines, source)))
        except UnicodeDecodeError:
            raise ConfigError([Mistake("this is no text in UTF-8", source)]) from None


_READERS: dict[str, Callable[[TextIO, str], Problem]] = {
    ".dlx": dlx.read,
    ".json": lambda lines, source: json_problem.read(lines.read(), source),
    ".csv": csv_problem.read,
}


def _read_diagram(content: BinaryIO, source: str) -> Configuration:
    """Read a diagram, with the encoder that its problem comes from, as far as that is installed."""
    file = diagrams.read(content, source)
    if file.name is not None:
        try:
            encoder = config.encode_as(find_encoder(file.name), file.params, source)
            return Configuration(file.name, file.params, encoder, solutions=file.diagram(encoder.problem()))
        except (UnknownProblemError, ConfigError) as error:
            reason = str(error).partition("\n")[0]
            warnings.warn(f"{source}: without its encoder there are labels only: {reason}", FormatWarning, stacklevel=2)
    diagram = file.diagram()
    return Configuration(source, {}, Stated(diagram.problem), solutions=diagram)


def read_target_in_time(
    target: str, params: Sequence[str], input_format: str, timeout: float | None
) -> tuple[Configuration, Stop]:
    """Return the configuration, and the one deadline that holds from here on: the given or else the file's own."""
    stop = Stop(timeout)
    with punctual(stop):
        configuration = read_target(target, params, input_format)
    return configuration, stop if timeout is not None else Stop(configuration.search.timeout)


def _near(path: Path) -> str:
    from exactcover.encoder import find_configs

    return nearest(path.name, find_configs())
