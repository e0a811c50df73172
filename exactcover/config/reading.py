"""From YAML and KEY=VALUE to a validated configuration; every mistake with its place, all at once.

A configuration file is data. Nothing in it makes Python import or run anything: `problem` is looked up among the
installed encoders, and everything else is checked against their fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from exactcover.config import strict_yaml
from exactcover.config.configuration import Configuration, File
from exactcover.config.overrides import read_overrides
from exactcover.config.validation import CheckedValues, adapter_of
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import find_encoder
from exactcover.engines.registry import check_engine_name
from exactcover.errors import ConfigError, EngineUnavailableError, Mistake, UnknownProblemError
from exactcover.files.access import beside
from exactcover.files.read import read_bounded

__all__ = ["configure", "encode", "encode_as", "read_file", "read_text", "schema"]


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
    top = CheckedValues(document.value, source, document)
    file = top.validate(adapter_of(File), "key")
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
        inner = CheckedValues(params if isinstance(params, dict) else {}, source, document, ("params",))
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
    inner = CheckedValues({}, "command line")
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
    inner = CheckedValues(dict(params), source)
    made: Encoder | None = inner.validate(adapter_of(encoder), "parameter")
    if made is None:
        raise ConfigError(inner.mistakes)
    return made


def schema(encoder: type[Encoder]) -> dict[str, Any]:
    """Return the JSON Schema of an encoder's parameters, with their descriptions, inherited ones included."""
    about = adapter_of(encoder).json_schema()
    for base in encoder.__mro__[1:]:
        if is_dataclass(base):
            for name, inherited in adapter_of(base).json_schema().get("properties", {}).items():
                if "description" in inherited:
                    about["properties"][name].setdefault("description", inherited["description"])
    return about


def _parameters(encoder: type[Encoder]) -> tuple[frozenset[str], list[str]]:
    """Return the parameters of an encoder that can be text but no number or truth value, and all of them."""
    properties = schema(encoder).get("properties", {})
    kinds = {key: {part.get("type") for part in about.get("anyOf", [about])} for key, about in properties.items()}
    textual = frozenset(key for key, kind in kinds.items() if "string" in kind and not kind & {"integer", "number"})
    return textual, list(properties)


def _encoder(kind: type[Encoder], inner: CheckedValues, changes: Mapping[str, Any]) -> Encoder | None:
    """Return the encoder, or None after noting what is wrong."""
    inner.value = {**inner.value, **changes}
    inner.overridden = frozenset(changes)
    encoder: Encoder | None = inner.validate(adapter_of(kind), "parameter")
    return encoder
