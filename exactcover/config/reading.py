"""Read YAML and KEY=VALUE texts into a validated configuration; all mistakes are reported at once, with their places.

A configuration file is data. No key in it makes Python import or run anything: `problem` is looked up among the
installed encoders, and everything else is validated against their fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from exactcover.config.configuration import Configuration, File
from exactcover.config.document import MAX_BYTES, Document
from exactcover.config.output_file import describe_fault
from exactcover.config.overrides import read_overrides
from exactcover.config.plain import find_textual
from exactcover.config.validation import CheckedValues, adapter_of
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import find_encoder
from exactcover.engines.registry import check_engine_name
from exactcover.errors import ConfigError, EngineUnavailableError, Mistake, UnknownProblemError
from exactcover.files.access import beside
from exactcover.files.read import read_bounded
from exactcover.formats.texts import describe_problem

__all__ = ["configure", "encode", "encode_as", "read_file", "read_text", "schema"]


def read_file(path: Path, overrides: Sequence[str] = ()) -> Configuration:
    """Read a YAML file; `overrides` are KEY=VALUE texts that replace or add parameters.

    Raises
    ------
    ConfigError
        If the file cannot be read, or the file or an override contains a mistake.
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
            top.add_mistake(str(error), ("search", "engine"))
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
            top.add_mistake(str(error), ("problem",))
    parameters = _list_parameters(encoder_class) if overrides and encoder_class else ()
    changes, mistakes = read_overrides(overrides, *parameters)
    encoder = None
    if encoder_class is not None:
        params = document.value.get("params")
        values = CheckedValues(params if isinstance(params, dict) else {}, source, document, ("params",))
        encoder = _make_encoder(encoder_class, values, changes)
        mistakes += values.mistakes
    mistakes = [*document.mistakes, *top.mistakes, *mistakes]
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

    Parameters
    ----------
    problem
        The name of the encoder.
    overrides
        The texts.
    params
        Other parameters, which the texts replace or add to.
    source
        Where these come from, for errors.
    whole
        The one of these that is the whole text of the source, of which errors name lines.

    Raises
    ------
    UnknownProblemError
        If no encoder has that name.
    ConfigError
        If an override contains a mistake; the error lists all of them.

    Examples
    --------
    >>> configure("queens", ["n=6"]).encoder
    Queens(n=6, placed=(), blocked=())
    """
    encoder_class = find_encoder(problem)
    parameters = _list_parameters(encoder_class) if overrides else ()
    changes, mistakes = read_overrides(overrides, *parameters)
    document = Document(params)
    if params and whole:
        document.texts[whole,] = params[whole], 0, 0
    values = CheckedValues({**(params or {})}, source, document)
    encoder = _make_encoder(encoder_class, values, changes)
    mistakes += values.mistakes
    if mistakes or encoder is None:
        raise ConfigError(mistakes)
    return Configuration(problem, {**(params or {}), **changes}, encoder)


def encode(problem: str, **params: Any) -> Encoder:
    """Return the encoder of that name with these parameters, validated like those in a YAML file.

    Raises
    ------
    UnknownProblemError
        If no encoder has that name.
    ConfigError
        If a parameter is not valid; the error lists all mistakes.

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


def schema(encoder: type[Encoder]) -> dict[str, Any]:
    """Return the JSON Schema of the parameters of an encoder, with their descriptions, including inherited ones."""
    described = adapter_of(encoder).json_schema()
    for base in encoder.__mro__[1:]:
        if is_dataclass(base):
            for name, inherited in adapter_of(base).json_schema().get("properties", {}).items():
                if "description" in inherited:
                    described["properties"][name].setdefault("description", inherited["description"])
    return described


def _list_parameters(encoder: type[Encoder]) -> tuple[frozenset[str], list[str]]:
    """Return the parameters of an encoder that accept text but not numbers, and the names of all parameters."""
    textual = find_textual(encoder)
    if textual is None:
        properties = schema(encoder).get("properties", {})
        types = {key: {part.get("type") for part in entry.get("anyOf", [entry])} for key, entry in properties.items()}
        textual = {key: "string" in names and not names & {"integer", "number"} for key, names in types.items()}
    return frozenset(key for key, is_textual in textual.items() if is_textual), list(textual)


def _make_encoder(encoder_class: type[Encoder], values: CheckedValues, changes: Mapping[str, Any]) -> Encoder | None:
    """Return the encoder, or None after collecting the mistakes in `values`."""
    values.value = {**values.value, **changes}
    values.overridden = frozenset(changes)
    encoder: Encoder | None = values.validate(encoder_class, "parameter")
    return encoder
