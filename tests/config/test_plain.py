"""Plain parameters are accepted without pydantic exactly as pydantic accepts them; whatever is not plain is left to it."""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import pytest
from annotated_types import Ge, Lt, MaxLen
from hypothesis import given
from hypothesis import strategies as st

from commands import PATIENCE
from exactcover.config import plain
from exactcover.config.reading import adapter_of, schema
from exactcover.encoders.discovery import find_encoders
from exactcover.encoders.encoder import Encoder


@dataclass(frozen=True)
class Sample(Encoder):
    whole: Annotated[int, Ge(0), Lt(10)] = 1
    text: str = ""
    short: Annotated[str, MaxLen(2)] = ""
    truth: bool = False
    word: Literal["a", "b", 3] = "a"
    several: str | Annotated[int, Ge(2)] | None = None
    numbers: tuple[int, ...] = ()
    table: Mapping[str, int] = dataclasses.field(default_factory=dict)

    def options(self) -> list[Any]:
        return []


@pytest.fixture(autouse=True)
def without_pydantic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pydantic", raising=False)


values = st.one_of(
    *(st.integers(-3, 12), st.booleans(), st.sampled_from(["a", "b", "abc", "é", "\ud800", "3"]), st.none()),
    *(st.floats(allow_nan=False), st.integers(), st.lists(st.integers(), max_size=2)),
)


@given(st.dictionaries(st.sampled_from([field.name for field in dataclasses.fields(Sample)]), values))
def test_what_is_accepted_is_what_pydantic_makes(params: dict[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "pydantic", raising=False)
        made = plain.make_plainly(Sample, params)
    if made is not None:
        assert adapter_of(Sample).validate_json(json.dumps(params)) == made
        assert vars(made) == {**vars(Sample()), **params}


@pytest.mark.parametrize(
    "params",
    [{"whole": 9}, {"text": "abc"}, {"truth": True}, {"word": 3}, {"several": "x"}, {"several": 2}, {}],
)
def test_plain_values_are_accepted(params: dict[str, Any]) -> None:
    assert plain.make_plainly(Sample, params) == Sample(**params)


@pytest.mark.parametrize(
    "params",
    [
        *({"whole": 10}, {"whole": True}, {"whole": 1.0}, {"text": 1}, {"text": "\ud800"}, {"truth": 1}, {"word": "3"}),
        *({"several": 1}, {"several": True}, {"other": 1}, {"numbers": [1]}, {"table": {}}, {"short": "abc"}),
    ],
)
def test_what_is_wrong_or_not_plain_is_left_to_pydantic(params: dict[str, Any]) -> None:
    assert plain.make_plainly(Sample, params) is None


def test_a_class_that_may_use_pydantic_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Stripped(Encoder):
        __pydantic_config__: ClassVar[dict[str, Any]] = {**Encoder.__pydantic_config__, "str_to_upper": True}
        text: str = ""

        def options(self) -> list[Any]:
            return []

    @dataclass(frozen=True)
    class Odd(Encoder):
        text: "NowhereDefined" = ""  # type: ignore[name-defined]  # noqa: F821

        def options(self) -> list[Any]:
            return []

    assert plain.make_plainly(Stripped, {"text": "a"}) is None
    assert plain.make_plainly(Odd, {"text": "a"}) is None
    assert plain.find_textual(Odd) is None
    monkeypatch.setitem(sys.modules, "pydantic", plain)
    assert plain.make_plainly(Sample, {}) is None


@pytest.mark.parametrize("name", find_encoders())
def test_parameters_that_are_text_agree_with_the_schema(name: str) -> None:
    encoder = find_encoders()[name].encoder
    found = plain.find_textual(encoder)
    kinds = {
        key: {part.get("type") for part in entry.get("anyOf", [entry])}
        for key, entry in schema(encoder).get("properties", {}).items()
    }
    assert found == {key: "string" in types and not types & {"integer", "number"} for key, types in kinds.items()}
    assert list(found or ()) == list(kinds)


@pytest.mark.parametrize("words", [["n=-1", "m=8"]])
def test_messages_are_those_of_pydantic(words: list[str]) -> None:
    script = (
        "import sys{}\nfrom exactcover.config.reading import configure\nfrom exactcover.errors import ConfigError\n"
        f"try: configure('queens', {words})\nexcept ConfigError as error: print(error)"
    )
    shown = [
        subprocess.run([sys.executable, "-c", script.format(more)], capture_output=True, text=True, timeout=PATIENCE)
        for more in ("", ", pydantic")
    ]
    assert shown[0].stdout == shown[1].stdout != ""
