import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import ConfigError
from exactcover.config.configuration import read_text
from exactcover.config.document import parse_scalar
from exactcover.config.strict_yaml import parse


def mistakes(text: str) -> list[tuple[int | None, int | None, str]]:
    try:
        found = parse(text.encode(), "file").mistakes
    except ConfigError as error:
        found = list(error.mistakes)
    return [(one.line, one.column, one.message) for one in found]


def test_plain_values() -> None:
    text = "a: 1\nb: [x, 2.5, true, null]\nc: {d: 'yes', e: \"12:30\"}\nf: |\n  two\n  lines\n2024: 2024-01-01\ng: -3\n"
    assert parse(text.encode(), "file").value == {
        "a": 1,
        "b": ["x", 2.5, True, None],
        "c": {"d": "yes", "e": "12:30"},
        "f": "two\nlines\n",
        "2024": "2024-01-01",
        "g": -3,
    }


def test_places_are_lines_and_columns_from_1() -> None:
    places = parse(b"a:\n  - x\n  - {b: 1}\n", "file").places
    assert places["a",] == (1, 1)
    assert places["a", 0] == (2, 5)
    assert places["a", 1, "b"] == (3, 6)


@pytest.mark.parametrize(("text", "line", "column", "words"), [
    ("a: 1\na: 2\n", 2, 1, "duplicate key 'a'; it first appears on line 1"),
    ("a: yes\n", 1, 4, "yes is a truth value to some YAML parsers"),
    ("on: 1\n", 1, 1, "on is a truth value"),
    ("a: No\n", 1, 4, "No is a truth value"),
    ("a: 12:30:00\n", 1, 4, "is a number in base 60"),
    ("a: 010\n", 1, 4, "begins with 0"),
    ("a: 1_000\n", 1, 4, "is a number to some YAML parsers"),
    ("a: 0x1F\n", 1, 4, "is a number to some YAML parsers"),
    ("a: .nan\n", 1, 4, "is not a finite number"),
    ("a: &x 1\n", 1, 4, "anchors"),
    ("a: *x\n", 1, 4, "aliases"),
    ("a: !!python/object:os.system {}\n", 1, 4, "tags"),
    ("a: 1\n---\nb: 2\n", 2, 1, "a second document begins"),
    ("\ta: 1\n", 1, 1, "not tabs"),
    ("a: [1\n", 2, 1, "expected ',' or ']'"),
    ("? [1]\n: 2\n", 1, 3, "a key must be text, not a mapping or list"),
    ("a: \x07\n", 1, 4, "U+0007 is not allowed"),
    ("[" * 500, 1, 41, "nested deeper than 40 levels"),
    ("{a: " * 500, 1, 161, "nested deeper than 40 levels"),
    ('"\\0": 1\n', 1, 1, "a key cannot contain"),
    ("null: 1\n", 1, 1, "a key is missing"),
    ("a: " + "9" * 5000, 1, 4, "a number of 5000 digits is too long"),
])  # fmt: skip
def test_surprises_are_mistakes_with_a_place(text: str, line: int, column: int, words: str) -> None:
    first = mistakes(text)[0]
    assert first[:2] == (line, column)
    assert words in first[2]


@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "- " * 5000], ids=["lists", "mappings", "block lists"])
def test_deep_nesting_has_one_message_however_far_the_parser_reads_ahead(text: str) -> None:
    assert [message for _, _, message in mistakes(text)] == ["nested deeper than 40 levels"]


def test_all_mistakes_are_found_at_once() -> None:
    assert [one[0] for one in mistakes("a: yes\nb: 010\nb: 1\nc: &x 1\nd: *x\n")] == [1, 2, 3, 4, 5]


def test_an_alias_bomb_is_harmless() -> None:
    bomb = "a: &a [x,x]\n" + "".join(f"{b}: &{b} [*{a},*{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    assert len(mistakes(bomb)) > 8


def test_large_files_are_refused() -> None:
    with pytest.raises(ConfigError, match="larger than 16 MiB"):
        parse(b"#" * (16 * 1024 * 1024 + 1), "file")


@given(st.binary(max_size=200))
def test_rubbish_is_a_mistake_or_a_value(content: bytes) -> None:
    try:
        parse(content, "file")
    except ConfigError as error:
        assert all(one.message and one.source == "file" for one in error.mistakes)


@given(st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(st.characters(min_codepoint=32, max_codepoint=126)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=4),
    max_leaves=20,
))  # fmt: skip
def test_json_is_read_as_json(value: Any) -> None:
    assert parse(json.dumps(value).encode(), "file").value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("8", 8), ("-2", -2), ("2.50", 2.5), ("", None), ("6x10", "6x10"), ("y", "y"), ("1.2.3", "1.2.3")],
)
def test_scalars(text: str, value: object) -> None:
    assert parse_scalar(text) == value


def test_many_unknown_parameters_are_found_in_linear_time() -> None:
    names = 5_000  # in quadratic time, this takes seconds
    text = "problem: queens\nparams:\n" + "".join(f"  unknown{number}: 1\n" for number in range(names))
    with pytest.raises(ConfigError) as caught:
        read_text(text.encode(), "x.yaml")
    assert len(caught.value.mistakes) == names


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029"])
def test_what_ends_lines_for_some_readers_only_is_refused(character: str) -> None:
    message = f"the character U+{ord(character):04X} is not allowed; in quotes, write \\u{ord(character):04X}"
    assert mistakes(f"a: 1\nb: 2  # note{character}c: 3\n") == [(2, 13, message)]
    assert parse(f'a: "\\u{ord(character):04X}"'.encode(), "file").value == {"a": character}
