"""Checking values against a class, and what is wrong with them in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from exactcover.config import strict_yaml
from exactcover.config.overrides import argument
from exactcover.control.memory import reserve_memory
from exactcover.errors import Mistake, ParameterError, nearest

__all__ = ["CheckedValues", "adapter_of"]


_VALIDATION_MEMORY = 1 << 24


def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Return what validates a class; to make it takes milliseconds."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


class CheckedValues:
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
