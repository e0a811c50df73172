import ast
import builtins
import graphlib
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import exactcover
import problems
from commands import run_script
from exactcover._public import PLACES

PACKAGE = Path(exactcover.__file__).parent
DOCS = Path(__file__).parents[1] / "docs"
NAMES: list[str] = import_module("exactcover").__all__  # not stated for type checkers, which then know every name


def test_all_is_the_public_face() -> None:
    assert list(NAMES) == sorted(NAMES)
    assert all(hasattr(exactcover, name) for name in NAMES)
    faces = [getattr(exactcover, name) for name in NAMES]
    assert all(face.__doc__ for face in faces if getattr(face, "__module__", "").startswith("exactcover"))


REFERENCE = (DOCS / "python.md").read_text("utf-8").partition("## Reference")[2]
PUBLIC_MODULES = sorted(
    set(re.findall(r"`(exactcover[.\w]*)`", REFERENCE)) - {"exactcover.__all__", "exactcover.notebook"}
)
"""As docs/python.md lists them; a widget of `exactcover.notebook` inherits names that are not ours."""


def test_few_names_are_at_the_top() -> None:
    assert len(NAMES) <= 47


def test_types_and_values_of_public_names_come_from_one_place() -> None:
    typed = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(Path(exactcover.__file__).read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module not in ("typing", "__future__", "exactcover.version")
        for alias in node.names
    }
    assert typed == PLACES


def public_faces() -> list[tuple[str, object]]:
    modules = [import_module(name) for name in PUBLIC_MODULES]
    return [(name, getattr(module, name)) for module in modules for name in module.__all__]


def functions_of(name: str, face: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield a public function, or the public methods and the getters of a class, under their full names.

    The constructor of a class does not count if the docstring says by which function its instances are made.
    """
    if inspect.isfunction(face):
        yield name, inspect.unwrap(face)
    elif inspect.isclass(face):
        made_by_a_function = "made by" in " ".join((face.__doc__ or "").split())
        for key in dir(face):
            member = inspect.getattr_static(face, key)
            member = getattr(member, "fget", None) or getattr(member, "func", None) or inspect.unwrap(member)
            if inspect.isfunction(member) and (
                not key.startswith("_") or (key == "__init__" and not made_by_a_function)
            ):
                yield f"{name}.{key}", member


@cache
def typed_names(module: str) -> dict[str, object]:
    """What a module imports for type checkers alone."""
    tree = ast.parse(inspect.getsource(import_module(module))).body
    blocks = [node.body for node in tree if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [node for block in blocks for node in block if isinstance(node, ast.ImportFrom) and node.module]
    return {
        alias.name: getattr(import_module(str(node.module)), alias.name)
        for node in imports
        if str(node.module).startswith("exactcover.")
        for alias in node.names
    }


def classes_in(annotation: str, function: Callable[..., object]) -> set[type]:
    """The classes of the package that an annotation names."""
    names = typed_names(function.__module__) | function.__globals__
    named = [names.get(word) for word in re.findall(r"\w+", annotation)]
    classes = {part for thing in named for part in (thing, *get_args(thing)) if inspect.isclass(part)}
    return {one for one in classes if one.__module__.startswith("exactcover.")}


INNER = {
    "SymmetryClasses.break_symmetry",  # a step of the search
    "Stop.clock",  # what shares out its time
    "Problem.soft_prices",  # what steps know of soft items
    "Problem.stated_prices",
    "Problem.weights",
    "Problem.with_prices",
}


def test_the_public_face_is_closed_under_signatures() -> None:
    assert classes_in("Verdict", exactcover.Problem.verify) == {exactcover.Verdict}
    classes = {face for _, face in public_faces() if inspect.isclass(face)}
    for name, face in public_faces():
        for full_name, function in functions_of(name, face):
            if full_name not in INNER:
                named = {one for text in function.__annotations__.values() for one in classes_in(str(text), function)}
                assert named <= classes, full_name
                about = inspect.getdoc(function) or ""
                raised = set(re.findall(r"^(\w+(?:Error|Warning))$", about, flags=re.MULTILINE))
                assert raised <= {one.__name__ for one in classes} | vars(builtins).keys(), full_name


def test_the_names_are_loaded_when_they_are_used() -> None:
    program = """
import sys, exactcover
loaded = [name for name in sys.modules if name.startswith("exactcover.") and name[-8:] != "_version"]
names = dir(exactcover)
from exactcover import *
print(loaded, {"Problem", "explain", "__version__"} <= set(names), Problem is exactcover.Problem, hasattr(exactcover, "x"))
"""
    result = run_script(program)
    assert result.stdout == "['exactcover.version'] True True False\n"


def test_importing_is_light() -> None:
    program = "import sys, exactcover, problems; print([m for m in ('pydantic', 'click', 'rich', 'networkx') if m in sys.modules])"
    result = run_script(program)
    assert result.stdout == "[]\n"


@cache
def imports_of(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


ROOMS = [
    "cli", "testing", "notebook", "studio", "runs", "config", "formats", "viewer", "encoders", "analysis", "certificates", "problem", "reasons", "search", "counting", "symmetry", "engines", "diagram",
    "steps", "model", "pictures", "rules", "algorithm_x", "files", "errors", "control", "version",
]  # fmt: skip
"""From the top down; docs/architecture.md says what each is for."""
OUTSIDE = ("_public.py", "_version.py")  # one loads every room, the build of a wheel writes the other
MODULES = sorted(file for file in PACKAGE.rglob("*.py") if file.relative_to(PACKAGE).parts[0] not in OUTSIDE)


def name_of(file: Path) -> str:
    """The name of a module, without ``exactcover.``."""
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts)


MODULE_NAMES = {name_of(file) for file in MODULES}


@cache
def modules_imported_by(file: Path) -> set[str]:
    """The modules of the package that a module imports, wherever in it."""
    names = {
        name.removeprefix("exactcover").removeprefix(".") for name in imports_of(file) if name.startswith("exactcover")
    }
    return {name if name in MODULE_NAMES else name.rpartition(".")[0] for name in names} - {"", "_native"}


def test_every_room_has_a_place() -> None:
    there = {file.relative_to(PACKAGE).parts[0].removesuffix(".py") for file in MODULES} - {"__init__", "__main__"}
    assert there == set(ROOMS)


def test_the_architecture_shows_every_room() -> None:
    page = (DOCS / "architecture.md").read_text("utf-8")
    figure = page.partition("```text")[2].partition("```")[0]
    assert set(ROOMS) <= set(re.findall(r"\w+", figure))
    listed = re.findall(
        r"^\| `(\w+)(?:/|\.py)` \|", page.partition("## The folders")[2].partition("## ")[0], re.MULTILINE
    )
    assert [room for room in listed if room != "native"] == ROOMS


def test_every_folder_says_whether_it_is_public() -> None:
    for folder in sorted({file.parent for file in MODULES} - {PACKAGE}):
        about = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
        kind = "Public: " if f"exactcover.{folder.name}" in PUBLIC_MODULES or folder.name == "formats" else "Private: "
        assert about.partition("\n\n")[2].startswith(kind), folder


def test_docstrings_begin_with_what_they_describe() -> None:
    question = re.compile(r'"""(?:Whether|What|Who|How|Which|Where|When|Why)\b.*')
    kept = {PACKAGE / "algorithm_x.py", PACKAGE / "certificates" / "check.py"}  # short programs to be read alone
    found = {file: question.findall(file.read_text("utf-8")) for file in MODULES if file not in kept}
    assert {file: texts for file, texts in found.items() if texts} == {}


def test_imports_run_down() -> None:
    for file in MODULES:
        assert not any(name.split(".")[0] == "problems" for name in imports_of(file)), file
        room = name_of(file).split(".")[0]
        if room not in ("__init__", "__main__"):
            above = ROOMS[: ROOMS.index(room)]
            assert not {name for name in modules_imported_by(file) if name.split(".")[0] in above}, file


def test_no_imports_in_circles() -> None:
    graph = {name_of(file): modules_imported_by(file) - {name_of(file)} for file in MODULES}
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names one


def test_the_core_stands_alone() -> None:
    assert not any(name.startswith("exactcover") for name in imports_of(PACKAGE / "algorithm_x.py"))


OPEN = {"errors", "rules", "model.text_form", "pictures", "reasons",
        *(f"formats.{name}" for name in ("csv_problem", "dlx", "json_problem", "links"))}  # fmt: skip


def test_encoders_use_the_public_face() -> None:
    folder = Path(str(problems.__file__)).parent
    for file in folder.rglob("*.py"):
        inner = {name for name in modules_imported_by(file) if name != "__init__"}
        assert inner <= OPEN, file.name


def test_the_version_is_one() -> None:
    import importlib.metadata

    assert exactcover.__version__ == importlib.metadata.version("exactcover-toolkit")


LATE = (
    *("highspy", "importlib.metadata", "multiprocessing", "networkx", "numpy", "ortools", "psutil", "pydantic"),
    *("pysat", "rich", "socket", "sqlite3", "subprocess", "yaml"),
    *("exactcover.analysis", "exactcover.certificates", "exactcover.config.strict_yaml", "exactcover.notebook"),
    *("exactcover.runs", "exactcover.studio", "exactcover.testing", "exactcover.viewer"),
)
LATE_IN_COUNTS = (
    *("exactcover.diagram", "exactcover.formats.solutions", "exactcover.pictures.svg", "exactcover.pictures.terminal"),
    *("exactcover.engines.sets", "exactcover.steps.soft", "exactcover.steps.weights"),
)
BOARDS = {"boards", "drawings", "lattices", "pieces", "placements", "polyforms", "tiling"}


@pytest.mark.parametrize(
    ("command", "family", "most"),
    [
        ("count queens n=8", {"queens"}, 90),
        ("count polyomino board=3x20 pieces=pentominoes", BOARDS, 100),
        ("solve queens n=8", {"queens"}, 105),
    ],
)
def test_a_command_loads_only_what_it_needs(command: str, family: set[str], most: int) -> None:
    script = (
        f"import sys; from exactcover.cli.main import run; status = run({command.split()}); "
        "print(*sys.modules, file=sys.stderr); sys.exit(status)"
    )
    done = run_script(script)
    loaded = set(done.stderr.split())
    assert {name for name in loaded if name.startswith("problems.")} == {f"problems.{name}" for name in family}
    own = [name for name in loaded if name.startswith(("exactcover", "problems"))]
    assert len(own) <= most
    late = LATE + (LATE_IN_COUNTS if command.startswith("count") else ())
    assert not [name for name in loaded if f"{name}.".startswith(tuple(f"{one}." for one in late))]
