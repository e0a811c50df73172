"""``exactcover new``: creates a package with an example encoder."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import click

from exactcover.cli.messages import Exit
from exactcover.cli.target import complete_folder
from exactcover.encoders.discovery import find_encoders
from exactcover.errors import OutputError
from exactcover.files.write import write_new
from exactcover.pictures.text import printable

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@click.command(short_help="Create a package with an encoder called NAME.")
@click.argument("name")
@click.option(
    "-o", "--output", metavar="FOLDER", shell_complete=complete_folder, help="The folder to create; by default NAME."
)
def new(name: str, output: str | None) -> int:
    """Create a package with an encoder called NAME: code, a configuration, tests and a pyproject.toml.

    \b
    exactcover new knights
    python -m pip install -e "knights[test]" && python -m pytest knights
    exactcover solve knights n=6
    """
    if keyword.iskeyword(name):
        raise click.UsageError(f"{name!r} is not a valid name for a problem: it is a Python keyword")
    if not _NAME.fullmatch(name):
        raise click.UsageError(
            f"{name!r} is not a valid name for a problem: use lowercase letters, digits and _, starting with a letter"
        )
    if name in find_encoders():
        raise click.UsageError(f"a problem called {name!r} already exists; see exactcover problems")
    if name == "tests" or name in sys.stdlib_module_names or getattr(find_spec(name), "origin", None):
        raise click.UsageError(f"a package called {name!r} would hide the module of that name; choose another name")
    folder = Path(output or name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"{folder} already exists and is not empty")
    try:
        _write(folder, name)
    except OSError as error:
        raise OutputError(f"cannot write {error.filename}: {error.strerror}") from None
    click.echo(
        f"Created the package {printable(str(folder))}. Next:\n\n"
        f'  python -m pip install -e "{folder}[test]" && python -m pytest {folder}\n'
        f"  exactcover solve {name} n=6\n\n"
        f"Then replace the example in {folder / name / '__init__.py'} with your own problem."
    )
    return Exit.DELIVERED


def _write(folder: Path, name: str) -> None:
    """Write the templates, with NAME and Name replaced in texts and paths."""
    words = {"NAME": name, "Name": "".join(word.capitalize() for word in name.split("_"))}
    templates = files("exactcover.cli") / "template"
    for place in (
        "pyproject.toml", "README.md", "NAME/__init__.py", "NAME/configs/NAME_8.yaml", "tests/test_NAME.py"
    ):  # fmt: skip
        text = templates.joinpath(f"{place}.txt").read_text("utf-8")
        target = folder / place.replace("NAME", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        for word, what in words.items():
            text = text.replace(word, what)
        write_new(target, text.encode())
