"""Configurations: the validated contents of a YAML file or of command-line arguments.

All mistakes are reported at once, with their places. A configuration file is data. No key in it makes Python import or
run anything: `problem` is looked up among the installed encoders, and everything else is validated against their
fields.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, make_dataclass
from decimal import Decimal
from functools import cache, partial
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from annotated_types import Ge, MaxLen

from exactcover.config.document import MAX_BYTES, Document, KeyPath, parse_scalar
from exactcover.control.arguments import (
    Fault,
    ReadValue,
    accept,
    is_textual,
    list_hints,
    make_field_readers,
    make_simple_reader,
    merge_faults,
)
from exactcover.control.memory import reserve_memory
from exactcover.control.options import OPTIONS, SearchOptions, find_clash, find_kind, list_features, name_key
from exactcover.encoders.discovery import find_encoder
from exactcover.encoders.encoder import Encoder
from exactcover.engines.base import check_engine_name, find_demands, pick_engine
from exactcover.errors import ConfigError, EngineUnavailableError, Mistake, ParameterError, UnknownProblemError, nearest
from exactcover.files.read import beside, read_bounded
from exactcover.formats.registry import SOLUTIONS, by_suffix, suffix_of
from exactcover.pictures.text import describe_problem, name_problem, show_json
from exactcover.problem import Label, Problem

if TYPE_CHECKING:
    from pydantic import TypeAdapter


_FORMATS = by_suffix(SOLUTIONS)

_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?", re.IGNORECASE)  # names on Windows


def describe_fault(name: str, output_format: str | None = None) -> str | None:
    """Return why a configuration may not name this output file, for this format if it states one, or None.

    Examples
    --------
    >>> describe_fault("pictures/heart.svg")
    >>> describe_fault(".bashrc")  # doctest: +ELLIPSIS
    'expected a name that ends in .txt, .jsonl, .json, .csv, ...; use -o to write elsewhere'
    """
    if name.endswith(("/", "\\")):
        return "expected the name of a file, without a slash at its end"
    path = PureWindowsPath(name)  # separates at / and at \, and knows drives, so that a name is safe on every system
    if not name.isprintable():
        strange = next(character for character in name if not character.isprintable())
        return f"expected a name without invisible characters, such as {strange!a}; use -o to write elsewhere"
    if path.anchor or ".." in path.parts:
        return "expected a relative path without '..'; use -o to write elsewhere"
    if suffix_of(path) not in _FORMATS:
        *others, last = _FORMATS
        return f"expected a name that ends in {', '.join(others)} or {last}; use -o to write elsewhere"
    if any(part.startswith(".") or _DEVICE.fullmatch(part) for part in path.parts):
        return "expected a file that is neither hidden, nor in a hidden folder, nor a device; use -o to write there"
    if output_format is not None and SOLUTIONS[output_format].suffix != suffix_of(path):
        usual = _FORMATS[suffix_of(path)].name
        return f"a file that ends in {path.suffix} has the format {usual}, not {output_format}"
    return None


def describe_place(name: str) -> str | None:
    """Return why the place to which the name leads, after following links, may not be written, or None."""
    folder, place = (Path(os.path.realpath(path)) for path in (Path.cwd(), name))  # also where links form a circle
    if not place.is_relative_to(folder):
        return "it is outside the current folder; use -o to write there"
    real = str(place.relative_to(folder))
    fault = describe_fault(real)
    return fault if fault is None or Path(real) == Path(name) else f"it leads to {real!r}: {fault}"


_IN_FILES = {name: facts for name, facts in OPTIONS.items() if facts.in_files}

if TYPE_CHECKING:
    from exactcover.diagram.diagram import Diagram

    SolutionFormat: TypeAlias = str
    _FileOptions = SearchOptions
else:
    SolutionFormat = Literal[*SOLUTIONS]
    _fields = [(name, find_kind(name), getattr(SearchOptions, name)) for name in _IN_FILES]
    _FileOptions = make_dataclass("_FileOptions", _fields, frozen=True)


@dataclass(frozen=True)
class SearchSettings(_FileOptions):
    """The section `search`: the goal and the options of the search; the command line may override them."""

    find: Literal["first", "all", "count"] = "first"
    limit: Annotated[int, Ge(1)] | None = None
    cheapest: Annotated[int, Ge(1)] | None = None
    most: Annotated[int, Ge(1)] | None = None
    timeout: Annotated[float, Ge(0)] | None = None
    merge: bool = False
    best_effort: bool = False

    def options(self, **changes: Any) -> SearchOptions:
        """Return the search options; `changes`, from the command line, take precedence.

        Restarts are left out, because they apply only if one solution is sought.
        """
        values = {name: getattr(self, name) for name in _IN_FILES if name != "restarts"}
        return SearchOptions(**values | changes)

    def find_contradiction(self) -> tuple[str, str] | None:
        """Return a key that contradicts another one, and why; None if there is none."""
        find = {"all": self.find == "all" and self.limit is None, "count": self.find == "count" and self.best_effort}
        features = {key: list_features({key: value}) for key, value in (vars(self) | find).items()}
        clash = find_clash([feature for listed in features.values() for feature in listed])
        if clash is not None:
            key = next(key for key, listed in features.items() if clash.feature in listed)
            return "find" if key in find else key, clash.describe(name_key)
        demands = find_demands(self.options(restarts=self.restarts))
        for key in ("engine", *demands):
            asked = {name: value for name, value in demands.items() if name == key}
            try:
                pick_engine(self.engine, None, asked, counting=self.find == "count")
            except EngineUnavailableError as error:
                return key, str(error)
        return None


@dataclass(frozen=True)
class Output:
    """The section `output`: the format and the file of the results."""

    format: SolutionFormat | None = None
    file: str | None = None


@dataclass(frozen=True)
class Known:
    """The section `known`: known numbers of solutions and their source, for tests and for readers."""

    solutions: Annotated[int, Ge(0)] | None = None
    distinct: Annotated[int, Ge(0)] | None = None
    source: str | None = None


@dataclass(frozen=True)
class File:
    """A whole YAML file."""

    problem: str
    title: Annotated[str, MaxLen(200)] | None = None
    params: dict[str, Any] = field(default_factory=dict)
    search: SearchSettings = field(default_factory=SearchSettings)
    output: Output = field(default_factory=Output)
    known: Known = field(default_factory=Known)


@dataclass(frozen=True)
class Configuration:
    """The validated contents of a YAML file or of command-line arguments."""

    problem: str  # the name of the encoder
    params: Mapping[str, Any]  # as given, without defaults
    encoder: Encoder  # with these parameters
    search: SearchSettings = field(default_factory=SearchSettings)
    output: Output = field(default_factory=Output)
    known: Known = field(default_factory=Known)
    solutions: Diagram[Problem] | None = None  # the diagram of all solutions, if this comes from a diagram file
    inputs: tuple[Path, ...] = ()  # the files that were read for it
    title: str | None = None  # of the problem in the file: its key `title`, or the start of its first comment

    def describe(self) -> str:
        """Return a title for pages and pictures; see :func:`~exactcover.pictures.text.name_problem`."""
        file = self.inputs[0] if self.inputs else None
        return name_problem(self.problem, self.params, self.title, file)


_VALIDATION_MEMORY = 1 << 24

_WORDS = {"True or False": "true or false", "a Decimal": "a number", "a finite number": "a number"}
"""The words of files for what Python calls otherwise."""


def read_record(kind: Any, values: Any, noun: str) -> Any:
    """Return the instance of a dataclass with these values.

    Raise ``Fault`` with all faults if a key is unknown or missing, or a value is not valid.
    """
    if not isinstance(values, dict):
        raise Fault("a mapping", values)
    readers = _find_readers(kind)
    faults: list[Fault] = []
    read: dict[str, Any] = {}
    for key, value in values.items():
        try:
            if key not in readers:
                known = f" ({noun}s: {', '.join(readers)})" if readers else ""
                raise Fault("", None, (), f"unknown {noun} {str(key)!r}{nearest(key, list(readers))}{known}")
            read[key] = readers[key](value)
        except Fault as fault:
            faults += fault.below(key)
    for one in fields(kind):
        if one.init and one.name not in values and one.default is one.default_factory is MISSING:
            faults.append(Fault("", None, (), f"missing {noun} {one.name!r}"))
    if faults:
        raise merge_faults(faults)
    try:
        return kind(**read)
    except ParameterError as error:
        before, expected, after = error.message.partition("expected ")
        for word, other in {**_WORDS, " or None": ""}.items():
            after = after.replace(word, other)
        if error.path and error.path[0] in readers and error.path[0] not in values:
            after += f" (this is the default of {error.path[0]})"
        raise Fault("", None, error.path, before + expected + after) from None
    except (ValueError, AssertionError) as error:
        raise Fault("", None, (), str(error)) from None


@cache
def _find_readers(kind: type) -> dict[str, ReadValue]:
    return make_field_readers(kind, _make_leaf)


def _make_leaf(kind: Any) -> ReadValue:
    """Return the reader for a kind that contains no other; pydantic reads the kinds that only it knows."""
    if is_dataclass(kind):
        return partial(read_record, kind, noun="key")
    if kind is str:
        return _read_text
    if kind is Decimal:
        return _read_decimal
    simple = make_simple_reader(kind)
    return simple if simple is not accept or kind in (Any, object) else partial(_read_by_pydantic, kind)


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise Fault("text", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Fault("", None, (), "a value is not valid UTF-8 text") from None
    return value


def _read_decimal(value: Any) -> Any:
    """Return a number, which may be a text where it has more digits than numbers of YAML."""
    try:
        value = Decimal(value) if isinstance(value, str) else value
    except ArithmeticError:
        raise Fault("a Decimal", value) from None
    exact = make_simple_reader(Decimal)(value)
    if isinstance(exact, Decimal) and not exact.is_finite():
        raise Fault("a Decimal", value)
    return exact


def _read_by_pydantic(kind: Any, value: Any) -> Any:
    from pydantic import ValidationError  # slow to import

    text = json.dumps(value)
    reserve_memory(_VALIDATION_MEMORY + 64 * len(text))  # pydantic's core aborts the process if memory runs out
    try:
        return adapter_of(kind).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]["msg"]
        raise Fault("", None, (), f"{first[0].lower()}{first[1:]}, got {show_json(value)}") from None


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Return the type adapter of a kind, for its JSON Schema or to read what only pydantic knows; slow to make."""
    from pydantic import TypeAdapter  # slow to import

    return TypeAdapter(kind)


class CheckedValues:
    """Values by name from one source, which messages name, and the mistakes found in them.

    The document is the YAML document that contains the values, if any, and `root` is their path in it.
    """

    def __init__(
        self,
        value: dict[str, Any],
        source: str,
        document: Document | None = None,
        root: KeyPath = (),
    ) -> None:
        self.value, self.source, self.root = value, source, root
        self.document = document or Document(value)
        self.overridden: frozenset[str] = frozenset()  # names whose values come from the command line
        self.mistakes: list[Mistake] = []

    def add_mistake(self, message: str, path: KeyPath) -> None:
        """Add a mistake at `path`, or at the nearest enclosing place that is known.

        If the YAML parser has reported the value already, nothing is added.
        """
        if path and path[0] in self.overridden:
            self.mistakes.append(Mistake(message.removeprefix(f"{path[0]}: "), name_override(path[0])))
            return
        full_path = (*self.root, *path)
        if not self.document.faulty.isdisjoint((full_path, full_path[:-1])):
            return
        self.mistakes.append(Mistake(message, self.source, *self.document.locate(full_path)))

    def validate(self, kind: type, noun: str) -> Any:
        """Return the instance of a dataclass with these values, or None after adding the mistakes."""
        try:
            return read_record(kind, self.value, noun)
        except Fault as fault:
            for one in (fault, *fault.others):
                path = _follow(self.value, one.path)
                self.add_mistake(_describe(one, self.value, path), path)
        return None


def _describe(fault: Fault, value: Any, path: KeyPath) -> str:
    """Return a message about a part of a value; it does not name characters."""
    for part in path[:-1]:
        value = value[part]
    named = path[:-1] if path and isinstance(value, str) else path
    text, name = fault.message, ".".join(map(str, named or fault.path[:1]))
    if text.startswith(("unknown", "missing")):
        return text
    if not text:
        words = [_WORDS.get(words, words) for words in fault.alternatives if words != "None"] or ["nothing"]
        words = [one for one in words if one != "a whole number" or "a number" not in words]
        takes_text = "text" in words and {*words} <= {"text", "a list", "a mapping"}
        hint = " (put it in quotes)" if takes_text and isinstance(fault.found, int | float) else ""
        found = "nothing" if fault.found is None else show_json(fault.found)
        text = f"expected {Fault(words, None).expected}, got {found}{hint}"
    return f"{name}: {text}" if name else text


def _follow(value: Any, path: Iterable[str | int]) -> KeyPath:
    """Return the part of a path that exists in the value."""
    found: list[str | int] = []
    for part in path:
        if not (isinstance(value, dict) and part in value) and not (
            isinstance(value, list | tuple | str) and isinstance(part, int) and part < len(value)
        ):
            break
        found.append(part)
        value = value[part]  # type: ignore[index]  # part was just found in it
    return tuple(found)


def read_file(path: Path, overrides: Sequence[str] = ()) -> Configuration:
    """Read a YAML file; `overrides` are KEY=VALUE texts that replace or add parameters.

    Raise ``ConfigError`` if the file cannot be read, or the file or an override contains a mistake.
    """
    try:
        content = read_bounded(path, MAX_BYTES)
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", str(path))]) from None
    with beside(path.parent):
        return read_text(content, str(path), overrides)


def read_text(content: bytes, source: str, overrides: Sequence[str] = ()) -> Configuration:
    """Read YAML from bytes, like :func:`read_file`; `source` names them in messages."""
    from exactcover.config.strict_yaml import parse  # slow to import

    document = parse(content, source)
    if not isinstance(document.value, dict):
        found = "the file is empty" if document.value is None else "the top level of the file is not a mapping"
        raise ConfigError([Mistake(f"{found}; expected at least 'problem: NAME'", source, 1, 1)])
    top = CheckedValues(document.value, source, document)
    file = top.validate(File, "key")
    if file is not None:
        output = file.output
        fault = None if output.file is None else describe_fault(output.file, output.format)
        if fault is not None:
            top.add_mistake(f"output.file: {fault}", ("output", "file"))
        try:
            check_engine_name(file.search.engine)
        except EngineUnavailableError as error:
            top.add_mistake(str(error), ("search", "engine", 0))  # its first character
        else:
            key, why = file.search.find_contradiction() or ("", "")
            if why:
                top.add_mistake(why, ("search", key))
    name = document.value.get("problem")
    encoder_class = None
    if isinstance(name, str):
        try:
            encoder_class = find_encoder(name)
        except UnknownProblemError as error:
            top.add_mistake(str(error), ("problem", 0))
    params = document.value.get("params")
    values = CheckedValues(params if isinstance(params, dict) else {}, source, document, ("params",))
    encoder, changes = _make_encoder(encoder_class, values, overrides)
    mistakes = [*document.mistakes, *top.mistakes, *values.mistakes]
    if mistakes or file is None or encoder is None:
        raise ConfigError(sorted(mistakes, key=lambda mistake: (mistake.line or 0, mistake.column or 0)))
    params, title = {**file.params, **changes}, file.title or _read_title(content)
    if changes:  # the title is that of the puzzle before the changes
        changed = describe_problem("with", changes)
        title = f"{title}, {changed}" if title else describe_problem(file.problem, params)
    return Configuration(file.problem, params, encoder, file.search, file.output, file.known, title=title)


def _read_title(content: bytes) -> str | None:
    """Return the start of the first comment, if the file begins with one: up to the first mark that is not in a number.

    None if it speaks of solutions: a title stands over puzzles that are played.
    """
    first = content.decode("utf-8-sig", "replace").lstrip().partition("\n")[0]
    if not first.startswith("#"):
        return None
    title = re.split(r"[:.;,](?:\s|$)", first.lstrip("#"))[0].strip()
    return title if title and not re.search(r"\bsolutions?\b", title, re.IGNORECASE) else None


def configure(
    problem: str,
    overrides: Sequence[str] = (),
    params: Mapping[str, Any] | None = None,
    source: str = "command line",
    whole: str = "",
) -> Configuration:
    """Make a configuration from the name of an encoder and KEY=VALUE texts, without a YAML file.

    The texts replace `params` or add to them. Errors name `source`, and lines of the parameter `whole`, its text. Raise
    ``UnknownProblemError`` if no encoder has that name, and ``ConfigError`` with all mistakes if an override contains
    one.

    Examples
    --------
    >>> configure("queens", ["n=6"]).encoder
    Queens(n=6, placed=(), blocked=())
    """
    encoder_class, document = find_encoder(problem), Document(params)
    if params and whole:
        document.texts[whole,] = params[whole], 0, 0
    values = CheckedValues({**(params or {})}, source, document)
    encoder, changes = _make_encoder(encoder_class, values, overrides)
    if values.mistakes or encoder is None:
        raise ConfigError(values.mistakes)
    return Configuration(problem, {**(params or {}), **changes}, encoder)


def state_givens(
    problem: str, params: Mapping[str, Any], givens: Sequence[Label], source: str
) -> Mapping[str, Any] | None:
    """Return parameters that state which options are given, as they are or with labels as `placed`; else None."""
    texts, parts = [str(label) for label in givens], [list(one) for one in givens if isinstance(one, tuple)]
    for stated in (params, {**params, "placed": texts}, {**params, "placed": parts}):
        with suppress(ConfigError):
            encoder = configure(problem, [], stated, source).encoder
            if sorted(map(str, encoder.givens())) == sorted(texts):
                return stated
    return None


def encode(problem: str, **params: Any) -> Encoder:
    """Return the encoder of that name with these parameters, validated like those in a YAML file.

    Raise ``UnknownProblemError`` if no encoder has that name, and ``ConfigError`` with all mistakes if a parameter is
    not valid.

    Examples
    --------
    >>> encode("queens", n=6).problem().count()
    4
    """
    return encode_as(find_encoder(problem), params, problem)


def encode_as(encoder: type[Encoder], params: Mapping[str, Any], source: str = "parameters") -> Encoder:
    """Return an encoder of a class that need not be installed, like :func:`encode`."""
    values = CheckedValues(dict(params), source)
    instance: Encoder | None = values.validate(encoder, "parameter")
    if instance is None:
        raise ConfigError(values.mistakes)
    return instance


def schema(encoder: Any) -> dict[str, Any]:
    """Return the JSON Schema of the parameters of an encoder, with their descriptions, including inherited ones."""
    described = adapter_of(encoder).json_schema()
    bases: list[Any] = [base for base in encoder.__mro__[1:] if is_dataclass(base)]
    for base in bases:
        for name, inherited in adapter_of(base).json_schema().get("properties", {}).items():
            if "description" in inherited:
                described["properties"][name].setdefault("description", inherited["description"])
    return described


def _make_encoder(
    encoder_class: type[Any] | None, values: CheckedValues, overrides: Sequence[str]
) -> tuple[Encoder | None, dict[str, Any]]:
    """Return the encoder, or None after collecting the mistakes in `values`, and what the overrides change."""
    names, textual = list[str](), set[str]()
    if overrides and encoder_class is not None:
        hints = list_hints(encoder_class)
        names = [field.name for field in fields(encoder_class) if field.init]
        textual = {name for name in names if is_textual(hints.get(name))}
    changes, values.mistakes = read_overrides(overrides, textual, names)
    values.value = {**values.value, **changes}
    values.overridden = frozenset(changes)
    return None if encoder_class is None else values.validate(encoder_class, "parameter"), changes


def read_overrides(
    overrides: Iterable[str], textual: Collection[str] = (), known: Sequence[str] = ()
) -> tuple[dict[str, Any], list[Mistake]]:
    """Read KEY=VALUE texts; return the values by key, and the mistakes.

    A value is a YAML scalar, or a list or mapping in brackets or quotes. Values of the textual parameters, which accept
    text but not numbers, stay text even if they consist of digits. `known` are all parameters. The hint about a text
    without ``=`` suggests the first one, if the text may be its value.
    """
    changes: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for text in overrides:
        key, equals, value = text.partition("=")
        if not text.isprintable() and any("\ud800" <= one <= "\udfff" for one in text):
            mistakes.append(Mistake(f"{text!a} is not valid UTF-8 text", "command line"))
        elif not equals or not key:
            hint = "" if equals or not known else _suggest(text, known[0], textual=known[0] in textual)
            mistakes.append(Mistake(f"expected KEY=VALUE, got {text!r}{hint}", "command line"))
        elif key in changes:
            mistakes.append(Mistake(f"{key!r} is given twice", "command line"))
        else:
            try:
                changes[key] = _parse_value(value, textual=key in textual)
            except ConfigError as error:
                mistakes += [Mistake(one.message, name_override(key)) for one in error.mistakes]
            except ValueError as error:
                mistakes.append(Mistake(str(error), name_override(key)))
    return changes, mistakes


def _suggest(text: str, key: str, *, textual: bool) -> str:
    """Return a hint that a text may be the value of a key: a number, or text that begins like a size."""
    plausible = text[:1].isdecimal() and text.isdecimal() != textual
    return f"; did you mean {key}={text}?" if plausible else ""


def _parse_value(value: str, *, textual: bool) -> Any:
    if value.lstrip()[:1] in ("[", "{", "'", '"'):
        from exactcover.config.strict_yaml import parse  # slow to import

        document = parse(value.encode(), "value")
        if document.mistakes:
            raise ConfigError(document.mistakes)
        return document.value
    return value if textual else parse_scalar(value)


def name_override(key: str | int) -> str:
    """Return the name of an override in messages."""
    return f"argument {key}"
