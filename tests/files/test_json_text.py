"""An object of JSON with a name twice has no single meaning, so no reader takes one of its values."""

from collections.abc import Callable
from typing import Any

import pytest

from exactcover.files.json_text import load_json
from exactcover.formats import json_problem
from exactcover.runs.records import to_object


@pytest.mark.parametrize("read", [load_json, json_problem.read, to_object])
@pytest.mark.parametrize(
    "text",
    [
        '{"options": [{"items": ["a"], "items": ["b"]}]}',
        '{"options": [{"items": ["a"]}], "options": []}',
        '{"options": [{"items": ["a"]}], "opti\\u006fns": []}',
    ],
)
def test_a_name_twice_in_an_object_is_refused(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(ValueError, match="occurs twice in an object"):
        read(text)


@pytest.mark.parametrize("read", [load_json, json_problem.read, to_object])
def test_a_text_that_is_nested_too_deeply_is_refused(read: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        read("[" * 200_000)
