import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

import problems
from commands import run, run_script
from exactcover import Encoder, Stop, UnknownProblemError, find_encoder, find_encoders
from exactcover.encoders import encoder
from exactcover.encoders.discovery import find_config, find_configs

KNIGHTS = '''
"""Non-attacking rooks under another name."""
from dataclasses import dataclass

from exactcover import Encoder


@dataclass(frozen=True)
class Knights(Encoder):
    """Seat n knights on n chairs."""

    n: int = 3
    """How many."""

    def options(self):
        for knight in range(self.n):
            for chair in range(self.n):
                yield f"{knight}@{chair}", [f"knight {knight}", f"chair {chair}"]
'''


def install(folder: Path, name: str, module: str, value: str, source: str | None) -> None:
    """Lay out a distribution as pip would."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[exactcover.problems]\n{value}\n")
    if source is not None:
        (folder / f"{module}.py").write_text(source)


def run_with(folders: list[Path], *args: str) -> subprocess.CompletedProcess[str]:
    return run(*args, env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))})


def test_a_strangers_plugin_is_listed_explained_and_solved(tmp_path: Path) -> None:
    install(tmp_path, "round-table", "round_table", "knights = round_table:Knights", KNIGHTS)
    listing = run_with([tmp_path], "problems")
    assert re.search(r"^round-table 1\.0:\n +knights +Seat n knights on n chairs\.$", listing.stdout, re.M)
    assert listing.stderr == ""
    assert run_with([tmp_path], "solve", "knights").stdout == "0@0, 1@1, 2@2\n"


def test_broken_plugins_only_warn_and_name_their_distribution(tmp_path: Path) -> None:
    broken = {
        "raises": ("1 / 0", "ZeroDivisionError: division by zero"),
        "lacks": ("", "has no attribute 'Bad'"),
        "absent": (None, "No module named 'absent'"),
        "plain": ("class Bad: pass", "is not a dataclass derived from Encoder"),
    }
    for name, (source, _) in broken.items():
        install(tmp_path, f"{name}-maker", name, f"{name} = {name}:Bad", source)
    result = run_with([tmp_path], "problems")
    assert result.returncode == 0
    assert "queens" in result.stdout
    for name, (_, trouble) in broken.items():
        assert re.search(f"warning: problem '{name}' of {name}-maker 1.0.*{trouble}", result.stderr)


def test_two_distributions_with_one_name(tmp_path: Path) -> None:
    install(tmp_path, "another", "another_plugin", "queens = another_plugin:Knights", KNIGHTS)
    install(tmp_path, "later", "later_plugin", "knights = later_plugin:Knights", KNIGHTS)
    install(tmp_path, "earlier", "earlier_plugin", "knights = earlier_plugin:Knights", KNIGHTS)
    assert run_with([tmp_path], "count", "queens", "n=6").stdout == "4\n"  # of 720 knights on chairs
    result = run_with([tmp_path], "problems")
    assert "'queens' of another 1.0 is hidden by the problem of the same name from exactcover-toolkit" in result.stderr
    assert "'knights' of later 1.0 is hidden by the problem of the same name from earlier 1.0" in result.stderr


def test_a_package_that_shadows_ours_is_named(tmp_path: Path) -> None:
    install(tmp_path, "home", "unused", "odd = odd_package.inner:Odd", "")
    shadow = tmp_path / "odd_package"
    shadow.mkdir()
    (shadow / "__init__.py").write_text("")
    install(tmp_path / "elsewhere", "away", "unused", "far = odd_package.far:Far\nfurther = odd_package.further:F", "")
    result = run_with([tmp_path, tmp_path / "elsewhere"], "problems")
    assert f"'odd_package' is imported from {shadow}, which may hide the package of away" in result.stderr
    assert result.stderr.count("may hide") == 1


def test_an_error_names_the_module_that_hides_a_family(tmp_path: Path) -> None:
    shadow = tmp_path / "odd_package.py"
    shadow.write_text("")
    install(tmp_path, "away", "unused", "far = odd_package.far:Far", "")
    code = "import exactcover\ntry: exactcover.find_encoder('far')\nexcept exactcover.errors.PluginError as error: print(error)"
    result = run_script(code, PYTHONPATH=str(tmp_path))
    assert result.stdout.startswith("problem 'far' is installed but cannot be loaded: ")
    assert "odd_package" in result.stdout


def test_the_command_imports_nothing_from_the_current_folder(tmp_path: Path) -> None:
    for name in ("problems", "yaml", "click", "networkx", "pydantic"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(0)\n")
    result = run("count", "queens", "n=6", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "4\n")


def test_memory_for_building_has_a_bound_unless_somebody_sets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Large(Encoder):
        def options(self) -> Iterator[tuple[int, list[int]]]:
            return ((number, [number]) for number in range(20_000))

    asked: list[str] = []

    def answer(name: str) -> int:
        asked.append(name)
        return 1 << 30

    for name in ("memory_to_build", "half_of_free_memory"):
        monkeypatch.setattr(encoder, name, partial(answer, name))
    for stop, memory in ((None, None), (Stop(), None), (Stop(timeout=60), None), (Stop(memory=1 << 31), 1 << 31)):
        assert len(Large().problem(stop).labels) == 20_000
        assert stop is None or stop.memory == memory  # the search afterwards has no other bound
    assert asked == ["memory_to_build"] * 3 + ["half_of_free_memory"]


def test_the_built_in_encoders_come_by_the_same_way() -> None:
    found = find_encoders()
    assert set(problems.__all__) - {"CONFIGS"} <= {one.encoder.__name__ for one in found.values()}
    assert find_encoder("queens") is problems.Queens
    assert all(one.summary for one in found.values())


def test_well_known_names_lead_to_families_and_files() -> None:
    for name, see in {"zip": "numberlink (zip_6x6.yaml)", "Flow": "numberlink", "soma": "polycube (soma_"}.items():
        with pytest.raises(UnknownProblemError, match=re.escape(f"there is no problem called '{name}'; see {see}")):
            find_encoder(name)
    with pytest.raises(UnknownProblemError, match=r"there is no problem called '\.\*' \("):
        find_encoder(".*")


def test_bundled_configs_are_found_with_and_without_suffix() -> None:
    assert find_config("queens_8.yaml") == find_config("queens_8") == find_configs()["queens_8.yaml"]
    assert find_config("nothing") is None


def test_options_must_be_defined() -> None:
    with pytest.raises(NotImplementedError, match="Encoder must define options"):
        Encoder().problem()
