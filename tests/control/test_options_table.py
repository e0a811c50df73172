"""Flags, keys of configurations, and what engines are asked for are made from the table of options."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from exactcover import ConfigError, SearchOptions
from exactcover.cli.main import cli
from exactcover.config.configuration import SearchSettings, read_text
from exactcover.control.options import OPTIONS
from exactcover.control.recorder import NOBODY
from exactcover.engines.base import ENGINES, find_demands

OTHER: dict[str, Any] = {
    "engine": "sets", "heuristic": "leftmost", "jobs": 2, "reduce": True, "seed": 5, "nodes": 1000, "restarts": True,
    "distinct": "rotations", "strategy": "memo", "memory": 1 << 20, "symmetry": False,
}  # fmt: skip
"""For each option, a value that is not the default."""


def flags_of(*verbs: str) -> dict[str, click.Option]:
    found = {}
    for verb in verbs:
        command = cli.get_command(click.Context(cli), verb)
        assert command is not None
        found.update({str(one.name): one for one in command.params if isinstance(one, click.Option)})
    return found


def test_every_option_has_facts() -> None:
    assert list(OPTIONS) == list(OTHER) == [field.name for field in fields(SearchOptions)]


def test_flags_have_the_help_and_the_types_of_the_table() -> None:
    flags = flags_of("solve", "count", "batch", "estimate", "explain")
    for name, facts in OPTIONS.items():
        if facts.about:
            assert flags[name].help == facts.about
    assert isinstance(flags["jobs"].type, click.IntRange)
    assert (flags["jobs"].type.min, flags["jobs"].type.max) == (1, 1024)
    assert flags["reduce"].secondary_opts == ["--no-reduce"]
    assert all(flags[name].default is None for name in ("engine", "heuristic", "jobs", "reduce", "strategy"))


def test_a_configuration_may_set_the_options_that_the_table_allows() -> None:
    for name, facts in OPTIONS.items():
        value = str(OTHER[name]).lower()
        content = f"problem: queens\nsearch: {{{name}: {value}}}\n".encode()
        if not facts.in_files:
            with pytest.raises(ConfigError, match=f"unknown key '{name}'"):
                read_text(content, "x.yaml")
        else:
            search = read_text(content, "x.yaml").search
            assert getattr(search, name) == OTHER[name]
            expected = SearchOptions() if name == "restarts" else SearchOptions(**{name: OTHER[name]})
            assert search.options() == expected
    assert SearchSettings().options() == SearchOptions()
    with pytest.raises(ConfigError, match=r"search\.jobs: expected at most 1,024, got 1025"):
        read_text(b"problem: queens\nsearch: {jobs: 1025}\n", "x.yaml")
    for wrong in (b"0", b"1.5", b"many", b"1000000000000001"):
        with pytest.raises(ConfigError, match=r"search\.nodes: expected"):
            read_text(b"problem: queens\nsearch: {nodes: %s}\n" % wrong, "x.yaml")


def test_flags_take_precedence_over_a_configuration() -> None:
    settings = read_text(b"problem: queens\nsearch: {heuristic: leftmost, seed: 1}\n", "x.yaml").search
    assert settings.options(seed=2) == SearchOptions(heuristic="leftmost", seed=2)


def test_engines_are_asked_for_what_the_table_says() -> None:
    for name, facts in OPTIONS.items():
        demands = find_demands(SearchOptions(**{name: OTHER[name]}), NOBODY)
        assert demands == ({name: OTHER[name]} if facts.of_engine else {})
    known = {name for name, facts in OPTIONS.items() if facts.of_engine} | {"function", "profile", "log", "within"}
    assert all(engine.supports <= known for engine in ENGINES.values())


def test_the_documentation_lists_the_keys_of_configurations() -> None:
    text = (Path(__file__).parents[2] / "docs" / "yaml.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", text.partition("## Keys of `search`")[2].partition("## ")[0], re.MULTILINE)
    assert sorted(rows) == sorted(field.name for field in fields(SearchSettings))
