from pathlib import Path

from tested_package import find_mistake


def test_the_installed_package_is_tested() -> None:
    assert find_mistake() is None


def test_sources_that_hide_the_installed_package_are_refused(tmp_path: Path) -> None:
    clone, installed = tmp_path / "clone", tmp_path / "installed"
    for folder in (clone, installed):
        folder.mkdir()
        (folder / "__init__.py").touch()
    assert str(find_mistake(clone, installed)).startswith(
        f"{clone} would be tested, but the installed package is {installed}; copy the tests to another folder"
    )
    assert find_mistake(installed, installed) is None
    (installed / "__init__.py").unlink()  # as in editable mode
    assert find_mistake(clone, installed) is None


def test_a_package_without_its_native_module_is_refused_if_that_is_required(tmp_path: Path) -> None:
    required = {"EXACTCOVER_REQUIRE_NATIVE": "1"}
    mistake = find_mistake(tmp_path, tmp_path, ["sets"], required)
    assert str(mistake).startswith(f"{tmp_path} has no native module, but EXACTCOVER_REQUIRE_NATIVE is set")
    assert find_mistake(tmp_path, tmp_path, ["native", "sets"], required) is None
    assert find_mistake(tmp_path, tmp_path, ["sets"], {}) is None
