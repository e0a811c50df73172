"""An object of JSON with a name twice has no single meaning, so no reader takes one of its values."""

from collections.abc import Callable
from typing import Any

import pytest

from exactcover.files.json_text import load_json
from exactcover.formats import json_problem
from exactcover.runs.records import to_object


@pytest.mark.parametrize("read", [load_json, json_problem.read, to_object])
@pytest.mark.parametrize(("text", "message"), [
    ('{"options": [{"items": ["a"], "items": ["b"]}]}', "occurs twice in an object"),
    ('{"options": [{"items": ["a"]}], "options": []}', "occurs twice in an object"),
    ('{"options": [{"items": ["a"]}], "opti\\u006fns": []}', "occurs twice in an object"),
    ("[" * 200_000, "nested too deeply"),
], ids=["items", "options", "escaped", "nested"])  # fmt: skip
def test_a_text_without_a_single_meaning_is_refused(read: Callable[[str], Any], text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(text)
