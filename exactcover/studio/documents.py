"""Documents of the studio: the problem and the parameters of a YAML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, TypeGuard

import yaml

from exactcover.config import strict_yaml
from exactcover.config.configuration import Configuration
from exactcover.config.reading import read_text
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.painting import Paintable
from exactcover.errors import ConfigError, Mistake

SOURCE = "puzzle"
"""The name of a document in messages."""


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = re.fullmatch(r"[A-Za-z][\w ]*|[1-9]\d*(x[1-9]\d*)+", text)  # others may be read as numbers or dates
    style = "|" if "\n" in text else None if plain else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def write_document(document: Mapping[str, Any]) -> str:
    """Return a document as YAML.

    Raises
    ------
    ConfigError
        If the document is not a mapping of texts, numbers, lists and mappings.

    Examples
    --------
    >>> print(write_document({"problem": "queens", "params": {"n": 6}}), end="")
    problem: queens
    params: {n: 6}
    """
    try:
        return yaml.dump(dict(document), Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None)
    except (yaml.YAMLError, TypeError, ValueError, RecursionError) as error:
        raise ConfigError([Mistake(f"the puzzle cannot be written: {error}", SOURCE)]) from None


def open_document(text: str) -> Configuration:
    """Return the configuration that YAML describes.

    Raises
    ------
    ConfigError
        If the text contains mistakes.
    """
    return read_text(text.encode(errors="surrogatepass"), SOURCE)


def read_document(text: str) -> dict[str, Any]:
    """Return YAML that describes a configuration as a document, which the page edits."""
    return dict(strict_yaml.parse(text.encode(), SOURCE).value)


def describe_mistake(mistake: Mistake) -> str:
    """Return a mistake in a painted puzzle in words of the board, without the lines of a text that nobody has written.

    Examples
    --------
    >>> describe_mistake(Mistake("copies.A: expected a whole number, got 'x'", SOURCE, 7, 12))
    "copies of A: expected a whole number, got 'x'"
    >>> describe_mistake(Mistake("pieces: there are no pieces; expected a set", SOURCE, 5, 3))
    'there are no pieces yet: add a set, or draw one'
    """
    for start, words in _FIRST_STEPS.items():
        if mistake.message.startswith(start):
            return words
    found = re.match(r"(board|pieces|copies|placed)(?:\.([^:]*))?: (.*)", mistake.message, re.DOTALL)
    if found is None:
        return mistake.message
    return f"copies of {found[2]}: {found[3]}" if found[1] == "copies" and found[2] else found[3]


def locate_mistake(mistake: Mistake) -> str:
    """Return a mistake in the text of a puzzle with its place in words; other files are named.

    Examples
    --------
    >>> locate_mistake(Mistake("n: expected a whole number", SOURCE, 5, 3))
    'line 5, column 3: n: expected a whole number'
    """
    numbers = (("line", mistake.line), ("column", mistake.column))
    place = [f"{name} {number}" for name, number in numbers if number is not None]
    place = place if mistake.source == SOURCE else [mistake.source, *place]
    return ": ".join(filter(None, (", ".join(place), mistake.message)))


_FIRST_STEPS = {
    "pieces: there are no pieces": "there are no pieces yet: add a set, or draw one",
    "board: the board has no cell": "the board has no cells yet: paint some that are to be covered",
}
"""The next step in a puzzle that is just begun, by the first words of the mistake."""


def shorten(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a painted document with the size of a full board and the name of a set, where they say the same.

    Examples
    --------
    >>> pieces = {"I": "##"}
    >>> shorten({"problem": "polyomino", "params": {"board": ["...", "..."], "pieces": pieces, "copies": {"I": "any"}}})
    {'problem': 'polyomino', 'params': {'board': '2x3', 'pieces': 'dominoes', 'copies': 'any'}}
    """
    try:
        encoder = open_document(write_document(document)).encoder
        short = {**document, "params": dict(_shorten(encoder, dict(document["params"])))}
        same = paint(encoder) == paint(open_document(write_document(short)).encoder) and paint(encoder) is not None
    except (ConfigError, KeyError, TypeError, ValueError):
        return dict(document)
    return short if same else dict(document)


def _shorten(encoder: Encoder, params: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(encoder, Paintable):
        return params
    is_solid = encoder.painted_on == "cubes"
    layers = [layer.split("\n") for layer in params["board"]] if is_solid else [params["board"]]
    rows = [row for layer in layers for row in layer]
    if encoder.painted_on in ("squares", "cubes") and {*"".join(rows)} == {"."} and len({*map(len, rows)}) == 1:
        size = (len(layers[0]), len(rows[0]), *([len(layers)] if is_solid else []))
        params["board"] = "x".join(map(str, size))
    copies = list(params.get("copies", {}).values())
    for name in encoder.piece_sets():
        drawings = dict(encoder.draw_pieces(name))
        same = params["pieces"] in (drawings, {key: f"{name}.{key}" for key in drawings})
        if same and all(one == copies[0] for one in copies):
            params |= {"pieces": name, "copies": copies[0]}
            break
    usual = {"placed": [], "copies": 1, "rotate": True, "reflect": encoder.painted_on not in ("cubes", "spheres")}
    return {key: value for key, value in params.items() if key not in usual or value != usual[key]}


def paint(encoder: Encoder) -> dict[str, Any] | None:
    """Return the parameters of an encoder as drawings, or None if its board cannot be painted."""
    painted = encoder.paint() if isinstance(encoder, Paintable) and encoder.painted_on else None
    return None if painted is None else dict(painted)


def is_paintable(encoder: type[Encoder]) -> TypeGuard[type[Paintable]]:
    """Return whether the board of an encoder can be painted."""
    return issubclass(encoder, Paintable) and bool(encoder.painted_on)


def describe(name: str, encoder: Encoder) -> dict[str, Any]:
    """Return the document of an encoder: its name, and the parameters that differ from their defaults.

    Examples
    --------
    >>> from problems import Queens
    >>> describe("queens", Queens(n=6))
    {'problem': 'queens', 'params': {'n': 6}}
    """
    params = {}
    for one in fields(encoder):  # type: ignore[arg-type]  # encoders are dataclasses
        value = getattr(encoder, one.name)
        if value != _default(one):
            params[one.name] = _plain(value)
    return {"problem": name, "params": params}


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def _plain(value: Any) -> Any:
    """Return a value as YAML writes it: tuples as lists."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return list(map(_plain, value)) if isinstance(value, tuple | list) else value
