"""Read YAML and KEY=VALUE texts into a validated configuration; all mistakes are reported at once, with their places.

A configuration file is data. No key in it makes Python import or run anything: `problem` is looked up among the
installed encoders, and everything else is validated against their fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactcover.config.configuration import Configuration, File
from exactcover.config.document import MAX_BYTES, Document, KeyPath
from exactcover.config.output_file import describe_fault
from exactcover.config.overrides import name_override, read_overrides
from exactcover.config.plain import find_textual, make_plainly
from exactcover.control.memory import reserve_memory
from exactcover.encoders.discovery import find_encoder
from exactcover.encoders.encoder import Encoder
from exactcover.engines.registry import check_engine_name
from exactcover.errors import ConfigError, EngineUnavailableError, Mistake, ParameterError, UnknownProblemError, nearest
from exactcover.files.access import beside
from exactcover.files.read import read_bounded
from exactcover.formats.texts import describe_problem
from exactcover.pictures.text import format_count, show_json

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

__all__ = ["configure", "encode", "encode_as", "read_file", "read_text", "schema"]

_VALIDATION_MEMORY = 1 << 24


def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Return the cached type adapter that validates a class; making one takes milliseconds."""
    if kind not in _ADAPTERS:
        from pydantic import TypeAdapter

        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


class CheckedValues:
    """Values from one source, and the mistakes found in them.

    Parameters
    ----------
    value
        The values by name.
    source
        The name used in messages.
    document
        The YAML document that contains the values, if any.
    root
        The path of `value` in the document.

    Attributes
    ----------
    overridden
        The names whose values come from the command line.
    mistakes
        The mistakes found so far.
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
        self.overridden: frozenset[str] = frozenset()
        self.mistakes: list[Mistake] = []

    def add_mistake(self, message: str, path: KeyPath) -> None:
        """Add a mistake at `path`, or at the nearest enclosing place that is known.

        If the YAML parser has reported the value already, nothing is added.
        """
        if path and path[0] in self.overridden:
            self.mistakes.append(Mistake(message.removeprefix(f"{path[0]}: "), name_override(path[0])))
            return
        full_path = (*self.root, *path)
        if full_path in self.document.faulty:
            return
        self.mistakes.append(Mistake(message, self.source, *self.document.locate(full_path)))

    def validate(self, kind: type, noun: str) -> Any:
        """Return the instance of a dataclass with these values, or None after adding the mistakes.

        The values pass through JSON, because pydantic's strict mode accepts a list for a tuple only there.
        """
        instance = make_plainly(kind, self.value)
        if instance is not None:
            return instance
        from pydantic import ValidationError

        adapter = adapter_of(kind)
        try:
            text = json.dumps(self.value)
            reserve_memory(_VALIDATION_MEMORY + 64 * len(text))  # pydantic's core aborts the process if memory runs out
            return adapter.validate_json(text)
        except ValidationError as error:
            schema = adapter.json_schema()
            for path, message in _describe_all(error.errors(include_url=False), self.value, schema, noun).items():
                self.add_mistake(message, path)
        except UnicodeEncodeError:
            self.add_mistake("a value is not valid UTF-8 text", ())
        return None


def _describe_all(
    errors: Iterable[ErrorDetails], value: Any, schema: Mapping[str, Any], noun: str
) -> dict[KeyPath, str]:
    """Return one message for each place.

    If a value may have several types, pydantic reports an error for each of them. Errors at the same place are joined,
    and errors at a place that contains a more exact one are dropped.
    """
    found: dict[KeyPath, dict[str, None]] = {}
    for error in errors:
        path, message = _describe(error, value, schema, noun)
        found.setdefault(path, {})[message] = None
    containing = {path[:length] for path in found for length in range(len(path))}
    exact = (path for path in found if path not in containing)
    return {path: _join_messages(_without_character(value, path), list(found[path])) for path in exact}


def _join_messages(path: KeyPath, messages: list[str]) -> str:
    name = ".".join(map(str, path))
    text = messages[0]
    if len(messages) > 1 and all(message.startswith("expected ") for message in messages):
        expected = [message.removeprefix("expected ").partition(", got ")[0] for message in messages]
        text = f"expected {_join_alternatives(expected)}{''.join(messages[0].partition(', got ')[1:])}"
    elif len(messages) > 1:
        text = "; ".join(messages)
    return f"{name}: {text}" if name and not text.startswith(("unknown", "missing")) else text


def _join_alternatives(expected: Iterable[str]) -> str:
    """Return alternatives as a list in words; literal values come last, and bounds say what they are bounds of."""
    parts = [f"a whole number of {part}" if part.startswith(_BOUNDS) else part for part in dict.fromkeys(expected)]
    parts.sort(key=lambda part: part.startswith("'"))
    return " or ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _describe(error: ErrorDetails, value: Any, schema: Mapping[str, Any], noun: str) -> tuple[KeyPath, str]:
    """Return the path of a pydantic error in the value, and a message."""
    kind, place = error["type"], error["loc"]
    path, part = _follow(value, place)
    if kind == "missing":
        missing = f"missing {noun} {place[-1]!r}"
        return path, missing if isinstance(place[-1], str) else f"expected more entries, got {show_json(part)}"
    if kind in ("unexpected_keyword_argument", "extra_forbidden"):
        known = _known_keys(schema, path[:-1])
        valid = f" ({noun}s: {', '.join(known)})" if known else ""
        return path, f"unknown {noun} {str(place[-1])!r}{nearest(place[-1], known)}{valid}"
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, ParameterError):
        followed = _follow(value, cause.path)[0]
        return followed, cause.message if followed else f"{cause.path[0]}: {cause.message}"
    if cause is not None:
        return path, str(cause)
    expected = _describe_expected(error)
    hint = " (put it in quotes)" if expected == "expected text" and isinstance(part, int | float) else ""
    return path, f"{expected}, got {'nothing' if part is None else show_json(part)}{hint}"


_BOUNDS = ("at least", "more than", "at most", "less than")

_EXPECTED = {
    "int_type": "a whole number", "int_from_float": "a whole number", "float_type": "a number",
    "string_type": "text", "bool_type": "true or false", "tuple_type": "a list", "list_type": "a list",
    "dict_type": "a mapping", "mapping_type": "a mapping", "dataclass_type": "a mapping",
    "model_type": "a mapping", "none_required": "nothing",
}  # fmt: skip


def _describe_expected(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}"
    if kind == "literal_error":
        return f"expected {context['expected']}"
    if kind == "too_long":
        return f"expected at most {format_count(context['max_length'], 'entry')}"
    for bound, words in zip(("ge", "gt", "le", "lt"), _BOUNDS, strict=True):
        if bound in context:
            limit = context[bound]
            return f"expected {words} {limit}" if isinstance(limit, int) else f"expected a number of {words} {limit:g}"
    return error["msg"][0].lower() + error["msg"][1:]


def _follow(value: Any, place: Iterable[str | int]) -> tuple[KeyPath, Any]:
    """Follow the parts of `place` that exist in the value; pydantic inserts names of types between them."""
    path: list[str | int] = []
    for part in place:
        if (isinstance(value, dict) and part in value) or (
            isinstance(value, list | tuple | str) and isinstance(part, int) and part < len(value)
        ):
            path.append(part)
            value = value[part]  # type: ignore[index]  # part was just found in it
    return tuple(path), value


def _without_character(value: Any, path: KeyPath) -> KeyPath:
    """Return the path of the text where a path leads to a character in it; messages do not name characters."""
    inside = path and isinstance(_follow(value, path[:-1])[1], str)
    return path[:-1] if inside else path


def _known_keys(schema: Mapping[str, Any], path: KeyPath) -> list[str]:
    """Return the keys that the schema allows at a path."""
    here: Mapping[str, Any] = schema
    for part in path:
        here = here.get("properties", {}).get(part, {})
        reference = here.get("$ref", "").rpartition("/")[2]
        here = schema.get("$defs", {}).get(reference, here)
    return list(here.get("properties", {}))


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
