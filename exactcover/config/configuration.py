"""From YAML and KEY=VALUE to a validated configuration; every mistake with its place, all at once.

A configuration file is data. Nothing in it makes Python import or run anything: `problem` is looked
up among the installed encoders, and all else is checked against their fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from exactcover.config import strict_yaml
from exactcover.config.overrides import argument, read_overrides
from exactcover.control.memory import reserve_memory
from exactcover.control.options import Heuristic, SearchOptions
from exactcover.diagram.diagram import Diagram
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import find_encoder
from exactcover.engines.registry import check_engine_name
from exactcover.errors import ConfigError, EngineUnavailableError, Mistake, ParameterError, UnknownProblemError, nearest
from exactcover.files.access import beside
from exactcover.files.read import read_bounded
from exactcover.problem import Problem

__all__ = [
    "Configuration",
    "Known",
    "Output",
    "SearchSettings",
    "configure",
    "encode",
    "encode_as",
    "read_file",
    "read_text",
    "schema",
]


_VALIDATION_MEMORY = 1 << 24


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class SearchSettings(_Section):
    """The section `search`: what to look for; the command line may override it."""

    find: Literal["first", "all", "count"] = "first"
    limit: Annotated[int, Ge(1)] | None = None
    cheapest: Annotated[int, Ge(1)] | None = None
    timeout: Annotated[float, Ge(0)] | None = None
    seed: int | None = None
    engine: str = "auto"
    heuristic: Heuristic = "mrv"
    jobs: Annotated[int, Ge(1), Le(1024)] = 1
    reduce: bool | None = None
    merge: bool = False
    restarts: bool = False

    def options(self, **changes: Any) -> SearchOptions:
        """Return the options of a search, some of them changed by what the command line says."""
        stated = {name: getattr(self, name) for name in ("engine", "heuristic", "jobs", "reduce", "seed")}
        return SearchOptions(**stated | changes)


class Output(_Section):
    """The section `output`: how results are written and where."""

    format: Literal["text", "json", "jsonl", "csv", "csv-wide", "svg"] | None = None
    file: str | None = None


class Known(_Section):
    """The section `known`: what is known of the solutions, and who says so; for tests and for readers."""

    solutions: Annotated[int, Ge(0)] | None = None
    distinct: Annotated[int, Ge(0)] | None = None
    source: str | None = None


class _File(_Section):
    problem: str
    params: dict[str, Any] = {}
    search: SearchSettings = SearchSettings()
    output: Output = Output()
    known: Known = Known()


@dataclass(frozen=True)
class Configuration:
    """What a file or command line asks for, checked.

    Attributes
    ----------
    problem
        The encoder's name.
    params
        Its parameters as given, without defaults.
    encoder
        The encoder made of them.
    search, output, known
        The other sections.
    solutions
        All solutions, where they are known.
    inputs
        The files that it was read from.
    """

    problem: str
    params: Mapping[str, Any]
    encoder: Encoder
    search: SearchSettings = field(default_factory=SearchSettings)
    output: Output = field(default_factory=Output)
    known: Known = field(default_factory=Known)
    solutions: Diagram[Problem] | None = None
    inputs: tuple[Path, ...] = ()


def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Return what validates a class; to make it takes milliseconds."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def read_file(path: Path, overrides: Sequence[str] = ()) -> Configuration:
    """Read a YAML file; `overrides` are KEY=VALUE texts that replace or add parameters.

    Raises
    ------
    ConfigError
        If the file cannot be read or anything in it, or in an override, is wrong.
    """
    try:
        content = read_bounded(path, strict_yaml.MOST_BYTES)
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", str(path))]) from None
    with beside(path.parent):
        return read_text(content, str(path), overrides)


def read_text(content: bytes, source: str, overrides: Sequence[str] = ()) -> Configuration:
    """Read YAML that is at hand; as :func:`read_file`."""
    document = strict_yaml.parse(content, source)
    if not isinstance(document.value, dict):
        found = "the file is empty" if document.value is None else "expected keys at the top of the file"
        raise ConfigError([Mistake(f"{found}; at least 'problem: NAME' must be there", source, 1, 1)])
    top = _Checked(document.value, source, document)
    file = top.validate(_adapter(_File), "key")
    if file is not None:
        if file.output.file and (Path(file.output.file).is_absolute() or ".." in Path(file.output.file).parts):
            top.wrong("expected a relative path without '..'; name others with -o", ("output", "file"))
        try:
            check_engine_name(file.search.engine)
        except EngineUnavailableError as error:
            top.wrong(str(error), ("search", "engine"))
        try:
            file.search.options()
        except ValueError as error:
            top.wrong(str(error), ("search", "jobs"))
    name = document.value.get("problem")
    kind = None
    if isinstance(name, str):
        try:
            kind = find_encoder(name)
        except UnknownProblemError as error:
            top.wrong(str(error), ("problem",))
    changes, mistakes = read_overrides(overrides, *_parameters(kind) if overrides and kind else ())
    encoder = None
    if kind is not None:
        params = document.value.get("params")
        inner = _Checked(params if isinstance(params, dict) else {}, source, document, ("params",))
        encoder = _encoder(kind, inner, changes)
        mistakes += inner.mistakes
    mistakes = [*document.mistakes, *top.mistakes, *mistakes]
    if mistakes or file is None or encoder is None:
        raise ConfigError(sorted(mistakes, key=lambda mistake: (mistake.line or 0, mistake.column or 0)))
    return Configuration(file.problem, {**file.params, **changes}, encoder, file.search, file.output, file.known)


def configure(problem: str, overrides: Sequence[str] = ()) -> Configuration:
    """Make a configuration from an encoder's name and KEY=VALUE texts alone.

    Raises
    ------
    UnknownProblemError
        If there is no such encoder.
    ConfigError
        With all mistakes in the overrides.

    Examples
    --------
    >>> configure("queens", ["n=6"]).encoder
    Queens(n=6, placed=())
    """
    kind = find_encoder(problem)
    changes, mistakes = read_overrides(overrides, *_parameters(kind) if overrides else ())
    inner = _Checked({}, "command line")
    encoder = _encoder(kind, inner, changes)
    mistakes += inner.mistakes
    if mistakes or encoder is None:
        raise ConfigError(mistakes)
    return Configuration(problem, changes, encoder)


def encode(problem: str, **params: Any) -> Encoder:
    """Return the encoder of that name with these parameters, checked as if they came from YAML.

    Raises
    ------
    UnknownProblemError
        If there is no such encoder.
    ConfigError
        With all mistakes in the parameters.

    Examples
    --------
    >>> encode("queens", n=6).problem().count()
    4
    """
    return encode_as(find_encoder(problem), params, problem)


def encode_as(encoder: type[Encoder], params: Mapping[str, Any], source: str = "parameters") -> Encoder:
    """Return an encoder of a class that need not be installed; as :func:`encode`."""
    inner = _Checked(dict(params), source)
    made: Encoder | None = inner.validate(_adapter(encoder), "parameter")
    if made is None:
        raise ConfigError(inner.mistakes)
    return made


def schema(encoder: type[Encoder]) -> dict[str, Any]:
    """Return the JSON Schema of an encoder's parameters, with their descriptions, inherited ones included."""
    about = _adapter(encoder).json_schema()
    for base in encoder.__mro__[1:]:
        if is_dataclass(base):
            for name, inherited in _adapter(base).json_schema().get("properties", {}).items():
                if "description" in inherited:
                    about["properties"][name].setdefault("description", inherited["description"])
    return about


def _parameters(encoder: type[Encoder]) -> tuple[frozenset[str], list[str]]:
    """Return the parameters of an encoder that can be text but no number or truth value, and all of them."""
    properties = schema(encoder).get("properties", {})
    kinds = {key: {part.get("type") for part in about.get("anyOf", [about])} for key, about in properties.items()}
    textual = frozenset(key for key, kind in kinds.items() if "string" in kind and not kind & {"integer", "number"})
    return textual, list(properties)


def _encoder(kind: type[Encoder], inner: _Checked, changes: Mapping[str, Any]) -> Encoder | None:
    """Return the encoder, or None after noting what is wrong."""
    inner.value = {**inner.value, **changes}
    inner.overridden = frozenset(changes)
    encoder: Encoder | None = inner.validate(_adapter(kind), "parameter")
    return encoder


class _Checked:
    """Values from one source, and the mistakes found in them; `value` lies at `root` in the document."""

    def __init__(
        self,
        value: dict[str, Any],
        source: str,
        document: strict_yaml.Document | None = None,
        root: strict_yaml.Path = (),
    ) -> None:
        self.value, self.source, self.root = value, source, root
        self.document = document or strict_yaml.Document(value)
        self.overridden: frozenset[str] = frozenset()
        self.mistakes: list[Mistake] = []

    def wrong(self, message: str, path: strict_yaml.Path) -> None:
        """Note a mistake at `path`, or at the nearest place around it that is known.

        A value whose text is a mistake already gets no second one.
        """
        if path and path[0] in self.overridden:
            self.mistakes.append(Mistake(message.removeprefix(f"{path[0]}: "), argument(path[0])))
            return
        whole = (*self.root, *path)
        if whole in self.document.doubtful:
            return
        while whole and whole not in self.document.places:
            whole = whole[:-1]
        self.mistakes.append(Mistake(message, self.source, *self.document.places.get(whole, ())))

    def validate(self, adapter: TypeAdapter[Any], noun: str) -> Any:
        """Return the value that `adapter` makes, or None after noting what is wrong.

        JSON is the way in, because there a list may become a tuple while numbers stay strict.
        """
        try:
            text = json.dumps(self.value)
            reserve_memory(_VALIDATION_MEMORY + 64 * len(text))  # pydantic's core aborts where there is none
            return adapter.validate_json(text)
        except ValidationError as error:
            schema = adapter.json_schema()
            for path, message in _readable(error.errors(include_url=False), self.value, schema, noun).items():
                self.wrong(message, path)
        except UnicodeEncodeError:
            self.wrong("this is not UTF-8 text", ())
        return None


def _readable(
    errors: Iterable[ErrorDetails], value: Any, schema: Mapping[str, Any], noun: str
) -> dict[strict_yaml.Path, str]:
    """Return one message for each place.

    Where a value may have several types pydantic reports each type's complaint; those at one place are
    joined, and a place that contains a more exact one is left out.
    """
    found: dict[strict_yaml.Path, dict[str, None]] = {}
    for error in errors:
        path, message = _explain(error, value, schema, noun)
        found.setdefault(path, {})[message] = None
    exact = [path for path in found if not any(other[: len(path)] == path for other in found if len(other) > len(path))]
    return {path: _join(path, list(found[path])) for path in exact}


def _join(path: strict_yaml.Path, messages: list[str]) -> str:
    name = ".".join(map(str, path))
    text = messages[0]
    if len(messages) > 1 and all(message.startswith("expected ") for message in messages):
        wanted = [message.removeprefix("expected ").partition(", got ")[0] for message in messages]
        text = f"expected {' or '.join(dict.fromkeys(wanted))}{''.join(messages[0].partition(', got ')[1:])}"
    elif len(messages) > 1:
        text = "; ".join(messages)
    return f"{name}: {text}" if name and not text.startswith(("unknown", "missing")) else text


def _explain(error: ErrorDetails, value: Any, schema: Mapping[str, Any], noun: str) -> tuple[strict_yaml.Path, str]:
    """Return the place of a pydantic error in the value, and what to say."""
    kind, place = error["type"], error["loc"]
    path, inside = _walk(value, place)
    if kind == "missing":
        name = f"missing {noun} {place[-1]!r}"
        return path, name if isinstance(place[-1], str) else f"expected another entry, got {_short(inside)}"
    if kind in ("unexpected_keyword_argument", "extra_forbidden"):
        known = _known_keys(schema, path[:-1])
        there = f" ({noun}s are {', '.join(known)})" if known else ""
        return path, f"unknown {noun} {str(place[-1])!r}{nearest(place[-1], known)}{there}"
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, ParameterError):
        return _walk(value, cause.path)[0], str(cause)
    if cause is not None:
        return path, str(cause)
    wanted = _wanted(error)
    hint = " (put it in quotes)" if wanted == "expected text" and isinstance(inside, int | float) else ""
    return path, f"{wanted}, got {_short(inside)}{hint}"


_WANTED = {
    "int_type": "a whole number", "int_from_float": "a whole number", "float_type": "a number",
    "string_type": "text", "bool_type": "true or false", "tuple_type": "a list", "list_type": "a list",
    "dict_type": "a mapping", "mapping_type": "a mapping", "dataclass_type": "a mapping",
    "model_type": "a mapping", "none_required": "nothing",
}  # fmt: skip


def _wanted(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _WANTED:
        return f"expected {_WANTED[kind]}"
    if kind == "literal_error":
        return f"expected {context['expected']}"
    if kind == "too_long":
        return f"expected no more than {context['max_length']} entries"
    for bound, words in (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than")):
        if bound in context:
            return f"expected {words} {context[bound]}"
    return error["msg"][0].lower() + error["msg"][1:]


def _walk(value: Any, place: Iterable[str | int]) -> tuple[strict_yaml.Path, Any]:
    """Follow the parts of `place` that exist in the value; pydantic mixes names of types in between."""
    path: list[str | int] = []
    for part in place:
        if (isinstance(value, dict) and part in value) or (
            isinstance(value, list | tuple) and isinstance(part, int) and part < len(value)
        ):
            path.append(part)
            value = value[part]  # type: ignore[index]  # part was just found in it
    return tuple(path), value


def _known_keys(schema: Mapping[str, Any], path: strict_yaml.Path) -> list[str]:
    """Return the keys that are allowed at a place of the schema."""
    here: Mapping[str, Any] = schema
    for part in path:
        here = here.get("properties", {}).get(part, {})
        reference = here.get("$ref", "").rpartition("/")[2]
        here = schema.get("$defs", {}).get(reference, here)
    return list(here.get("properties", {}))


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."
