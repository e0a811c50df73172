"""The package says that it does not run from a zip file, instead of failing wherever it looks for a file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exactcover
import problems


@pytest.mark.parametrize("command", [["-m", "exactcover", "count", "queens"], ["-c", "from exactcover import Problem"]])
def test_a_package_in_a_zip_file_is_not_supported(command: list[str], tmp_path: Path) -> None:
    for package in (exactcover, problems):
        source = Path(str(package.__file__)).parent
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.cpp", "*.hpp")
        shutil.copytree(source, tmp_path / "all" / source.name, ignore=ignored)
    archive = shutil.make_archive(str(tmp_path / "package"), "zip", tmp_path / "all")
    env = {**os.environ, "PYTHONPATH": archive, "PYTHONSAFEPATH": "1"}
    done = subprocess.run([sys.executable, "-S", *command], capture_output=True, text=True, env=env)  # no site packages
    assert done.returncode == (2 if "-m" in command else 1)
    assert done.stdout == ""
    words = "exactcover does not run from a zip file; install it, for example with: python -m pip install FOLDER"
    assert done.stderr.splitlines()[-1] == ("error: " if "-m" in command else "ImportError: ") + words
