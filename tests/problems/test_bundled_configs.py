"""The bundled configurations: what each states of itself."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import problems
from exactcover.config.reading import read_file
from problems import CONFIGS

FILES = sorted(CONFIGS.glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_bundled_configuration_states_a_count_and_its_source(file: Path) -> None:
    known = read_file(file).known
    assert known.solutions is not None or known.distinct is not None
    assert known.source


def test_no_bundled_configuration_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for file in FILES:
            read_file(file).encoder.problem()


def test_the_encoders_are_marked_as_typed() -> None:
    assert (Path(problems.__file__).parent / "py.typed").is_file()
