"""The bundled encoders and configurations as a whole: what they announce, state and draw."""

import importlib.metadata
import pickle
import re
from pathlib import Path

import pytest

import problems
from damage import THOROUGH
from exactcover import find_encoders
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from exactcover.pictures import render
from exactcover.testing import check_config
from problems import Options


def test_the_encoders_are_marked_as_typed() -> None:
    assert (Path(problems.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("name", list(find_encoders()))
def test_every_encoder_has_a_config_and_a_stable_order(name: str) -> None:
    assert any(f"problem: {name}\n" in path.read_text("utf-8") for path in find_configs().values())


LONG = {"bedlam_cube.yaml", "beads_5x11.yaml", "crossword_5x5.yaml", "one_sided_pentominoes_3x30.yaml",
        "pentominoes_5x12.yaml", "solid_pentominoes_2x5x6.yaml", "thirteen_pieces_8x8.yaml",
        "y_pentominoes_15x15.yaml"}  # fmt: skip
"""These take a second or more; the profile `thorough` counts them, too."""


@pytest.mark.filterwarnings("error")  # no bundled file warns
@pytest.mark.parametrize("path", find_configs().values(), ids=lambda path: path.name)
def test_every_config_gives_what_it_states(path: Path) -> None:
    check_config(path, counts=THOROUGH or path.name not in LONG)
    configuration = read_file(path)
    encoder, known = configuration.encoder, configuration.known
    assert known.source and (known.solutions, known.distinct) != (None, None)
    assert not re.search(r"\d (solution|tiling)", path.read_text("utf-8").partition("\n")[0])  # `known` states it
    picture = encoder.draw(next(encoder.problem().solve(given=encoder.givens(), limit=1)))
    assert (picture is None) == isinstance(encoder, Options)
    if picture is not None:
        render(picture)
    assert pickle.loads(pickle.dumps(encoder)) == encoder  # whatever it has kept for drawings


def test_the_distribution_announces_all() -> None:
    points = importlib.metadata.distribution("exactcover-toolkit").entry_points.select(group="exactcover.problems")
    assert {point.name: point.attr for point in points} == problems.FAMILIES


def test_every_family_has_its_place_on_the_page_of_families_and_in_the_gallery() -> None:
    docs = Path(__file__).parents[2] / "docs"
    page, gallery = ((docs / name).read_text("utf-8") for name in ("families.md", "extensions/gallery.py"))
    for name, found in find_encoders().items():
        if found.encoder.__module__.startswith("problems."):
            assert f"`{name}`" in page and f'"{name}"' in gallery
