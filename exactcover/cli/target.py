"""What every verb is asked: a target, KEY=VALUE texts, what belongs to the instance, and the limits."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TextIO

from exactcover.cli.input import read_file, read_standard_input
from exactcover.config import reading as config
from exactcover.config.configuration import Configuration
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import find_config, find_configs, find_encoder
from exactcover.errors import ConfigError, FormatWarning, Mistake, UnknownProblemError, nearest
from exactcover.files.access import Access, access
from exactcover.formats import csv_problem, diagrams, dlx, json_problem
from exactcover.problem import Item, Label, Problem

__all__ = ["INPUT_FORMATS", "FixedProblem", "Request"]

_YAML = (".yaml", ".yml")
_SUFFIXES = (*_YAML, ".dlx", ".json", ".csv", ".zdd")
INPUT_FORMATS = ("yaml", "dlx", "json", "csv", "zdd")
"""What standard input can hold."""


@dataclass(frozen=True)
class FixedProblem(Encoder):
    """Stands for an encoder where the problem itself was read from a file."""

    fixed: Problem

    def options(self) -> Iterable[tuple[Label, Iterable[Item]]]:
        return self.fixed.options.items()

    def problem(self, stop: Stop | None = None) -> Problem:
        return self.fixed


@dataclass(frozen=True)
class Request:
    """What a verb was asked, but for what it alone knows.

    Attributes
    ----------
    target
        ``-``, a file, the name of a bundled file, or an encoder's name.
    params
        KEY=VALUE texts.
    stop
        The one stop of the process, with the limits of the command line.
    verbosity
        -1 for quiet, 0, or 1.
    input_format
        What standard input holds.
    given, without
        Labels of options that every solution must contain, and must not.
    allow_files
        Whether a configuration may name any file.
    memory
        How many bytes may be held, about; None for no limit.
    """

    target: str
    params: Sequence[str]
    stop: Stop
    verbosity: int = 0
    input_format: str = "yaml"
    given: Sequence[str] = ()
    without: Sequence[str] = ()
    allow_files: bool = False
    memory: int | None = None

    def with_params(self, params: Sequence[str]) -> Request:
        """Return the same request with other KEY=VALUE texts."""
        return replace(self, params=params)

    @property
    def quiet(self) -> bool:
        """Whether nothing is said but errors."""
        return self.verbosity < 0

    @property
    def as_it_stands(self) -> bool:
        """Whether the target is asked for without any change."""
        return not (self.params or self.given or self.without)

    def configuration(self) -> Configuration:
        """Read the target; its own timeout holds from here on, unless the command line has set one.

        Raises
        ------
        CoverError
            If there is no such thing, or anything in it is wrong.
        """
        self.stop.poll()
        rules = Access(confined=not self.allow_files, trusted=[text.partition("=")[0] for text in self.params])
        with access(rules):
            configuration = _read(self.target, self.params, self.input_format, self.stop)
        self.stop.limit(timeout=configuration.search.timeout)
        return replace(configuration, inputs=(*configuration.inputs, *rules.read))

    def problem(self, configuration: Configuration, *, merge: bool = False) -> Problem:
        """Build the instance, if wanted with equal options merged."""
        known = configuration.solutions
        whole = configuration.encoder.problem(self.stop) if known is None else known.problem
        problem = whole.instance(self.given, self.without)
        return problem.merged() if merge else problem


def _read(target: str, params: Sequence[str], input_format: str, stop: Stop) -> Configuration:
    if target == "-":
        content = read_standard_input(stop)
        if input_format != "yaml":
            return _read_problem(io.BytesIO(content), f".{input_format}", "standard input", params, stop)
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
        raise ConfigError([Mistake(f"there is no such file{nearest(path.name, find_configs())}", target)])
    if path.suffix in _YAML:
        return replace(config.read_file(path, params), inputs=(path,))
    stated = io.BytesIO(read_file(path, target, stop))
    return replace(_read_problem(stated, path.suffix, target, params, stop), inputs=(path,))


def _read_problem(content: BinaryIO, suffix: str, source: str, params: Sequence[str], stop: Stop) -> Configuration:
    """Read a file that states a problem itself."""
    if params:
        raise ConfigError([Mistake(f"{params[0]}: a {suffix} file has no parameters", "command line")])
    if suffix == ".zdd":
        return _read_diagram(content, source, stop)
    with io.TextIOWrapper(content, encoding="utf-8-sig") as lines:
        try:
            return Configuration(source, {}, FixedProblem(_READERS[suffix](lines, source, stop)))
        except UnicodeDecodeError:
            raise ConfigError([Mistake("this is not UTF-8 text", source)]) from None


_READERS: dict[str, Callable[[TextIO, str, Stop], Problem]] = {
    ".dlx": lambda lines, source, stop: dlx.read(lines, source, stop=stop),
    ".json": lambda lines, source, stop: json_problem.read(lines.read(), source, stop=stop),
    ".csv": lambda lines, source, stop: csv_problem.read(lines, source, stop=stop),
}


def _read_diagram(content: BinaryIO, source: str, stop: Stop) -> Configuration:
    """Read a diagram, with the encoder that its problem comes from, as far as that is installed."""
    file = diagrams.read(content, source)
    if file.name is not None:
        try:
            with access(Access(none=True)):
                encoder = config.encode_as(find_encoder(file.name), file.params, source)
            return Configuration(file.name, file.params, encoder, solutions=file.diagram(encoder.problem(stop)))
        except (UnknownProblemError, ConfigError) as error:
            reason = str(error).partition("\n")[0]
            warnings.warn(f"{source}: without its encoder there are labels only: {reason}", FormatWarning, stacklevel=2)
    diagram = file.diagram()
    return Configuration(source, {}, FixedProblem(diagram.problem), solutions=diagram)
