import ast
import subprocess
import sys
from pathlib import Path

import pytest

import exactcover
import problems

PACKAGE = Path(exactcover.__file__).parent


def test_all_is_the_public_face() -> None:
    assert list(exactcover.__all__) == sorted(exactcover.__all__)
    assert all(hasattr(exactcover, name) for name in exactcover.__all__)
    faces = [getattr(exactcover, name) for name in exactcover.__all__]
    assert all(face.__doc__ for face in faces if getattr(face, "__module__", "").startswith("exactcover"))


def test_importing_is_light() -> None:
    program = "import sys, exactcover, problems; print([m for m in ('pydantic', 'click', 'rich', 'networkx') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def imports_of(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_who_may_know_whom(file: Path) -> None:
    names = imports_of(file)
    room = file.relative_to(PACKAGE).parts[0]
    assert not any(name.split(".")[0] == "problems" for name in names), "the package never imports problems"
    if room not in ("cli", "__main__.py"):
        assert not any(name.startswith("exactcover.cli") for name in names), "nothing imports the command line"
    if room == "engines":
        allowed = ("exactcover.engines", "exactcover.matrix", "exactcover.algorithm_x", "exactcover.stop",
                   "exactcover.errors", "exactcover.profile", "exactcover.zdd", "exactcover._native")  # fmt: skip
        assert all(name.startswith(allowed) for name in names if name.startswith("exactcover"))
    if room == "pictures":
        assert all(name.startswith("exactcover.pictures") for name in names if name.startswith("exactcover"))


def test_the_core_stands_alone() -> None:
    assert not any(name.startswith("exactcover") for name in imports_of(PACKAGE / "algorithm_x.py"))


def test_encoders_use_the_public_face() -> None:
    folder = Path(str(problems.__file__)).parent
    for file in folder.glob("*.py"):
        inner = {name for name in imports_of(file) if name.startswith("exactcover.")}
        assert inner <= {"exactcover.errors", "exactcover.formats"}, file.name


def test_the_version_is_one() -> None:
    import importlib.metadata

    assert exactcover.__version__ == importlib.metadata.version("exactcover")
