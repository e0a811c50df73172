"""Damaged files on the command line: a verb refuses one, or takes it for what it says; it never crashes or lies."""

import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from certified import certify, certify_least, certify_listing, change, read, verify, write
from commands import invoke
from damage import chances, damage, pack, unpack
from exactcover import Problem
from exactcover.certificates.certify import certify_classes
from exactcover.encoders.discovery import find_configs
from exactcover.engines.base import ENGINES
from exactcover.formats import diagrams
from problems import Queens

pytestmark = pytest.mark.slow

LIMITS = ["--timeout", "0.5", "--memory", "500M"]
VERBS = ["solve", "count", "check", "solve --limit 3 --format svg", "explain", "estimate --probes 5",
         "convert --format dlx"]  # fmt: skip
WRITTEN = {
    "a.dlx": "convert queens n=4", "a.json": "convert queens n=4", "a.csv": "convert queens n=4",
    "b.dlx": "convert crews.yaml", "b.json": "convert crews.yaml", "b.csv": "convert crews.yaml",
    "a.xmpuzzle": "convert polycube board=2x3x2 pieces=dicubes copies=any",
    "a.jsonl": "solve queens n=5 --all",
}  # fmt: skip
ODD: list[Any] = [
    None, True, -1, 0, 1 << 31, 1 << 64, 10**3000, 0.5, "", "x\n", "1e200000000", [], {}, [[]], [-1], "\x1b[2J",
    "\ud800",
]  # fmt: skip


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Files of problems and solutions, by name."""
    found = {path.name: path.read_bytes() for path in find_configs().values() if path.stat().st_size < 5000}
    for name, command in WRITTEN.items():
        file = tmp_path_factory.getbasetemp() / name
        assert invoke(*command.split(), "-o", str(file)).returncode == 0
        found[name] = file.read_bytes()
    return found | {"b.xmpuzzle": gzip.decompress(found["a.xmpuzzle"])}


@given(chance=chances)
def test_files_of_problems_and_solutions(chance: random.Random, inputs: dict[str, bytes], tmp_path: Path) -> None:
    name, other = chance.choices(sorted(inputs), k=2)
    file = tmp_path / f"damaged{Path(name).suffix}"
    file.write_bytes(damage(inputs[name], chance, inputs[other]))
    verb, *flags = chance.choice(VERBS).split()
    args = ["verify", "queens", "n=5", str(file)] if name.endswith(".jsonl") else [verb, str(file), *flags]
    done = invoke(*args, *LIMITS)
    assert done.returncode in (0, 2, 3, 4, 20), (args, done)
    assert "Traceback" not in done.stderr
    if done.returncode == 20:
        assert verb == "solve"
        assert invoke("solve", str(file), "--engine", "sets", "--no-reduce", "--timeout", "20").returncode == 20


@pytest.fixture(scope="module")
def proofs() -> dict[str, bytes]:
    """A certificate of each kind of claim, and a diagram."""
    queens, zdd = Queens(n=6).problem(), io.BytesIO()
    priced = Problem({k: [k % 3, 3 + k % 4] for k in range(12)}, costs={k: 1 + k * k % 7 for k in range(12)})
    diagrams.write(queens.diagram(), zdd, version="1")
    return {
        "count.cert": certify(queens, symmetry=True),
        "classes.cert": certify(queens, certify_classes, distinct=True),
        "list.cert": certify_listing(queens),
        "cheapest.cert": certify_least(priced, 2),
        "queens.zdd": zdd.getvalue(),
    }


@given(chance=chances)
def test_certificates_and_diagrams(chance: random.Random, proofs: dict[str, bytes], tmp_path: Path) -> None:
    name = chance.choice(sorted(proofs))
    file = tmp_path / name
    ways = [damage, replace_value, *([] if name.endswith(".zdd") else [change_proof])]
    file.write_bytes(chance.choice(ways)(proofs[name], chance))
    verb = (
        ["count"]
        if name.endswith(".zdd")
        else ["certify", *["--quick"] * ("native" in ENGINES and chance.random() < 0.5)]
    )
    done = invoke(*verb, str(file), *LIMITS)
    assert done.returncode in (0, 2, 3, 4), done
    assert "Traceback" not in done.stderr
    assert done.returncode or is_right(done.stdout, proofs[name]), done


def is_right(said: str, original: bytes) -> bool:
    """Whether an answer is that of the file before it was changed, unless it is about another question."""
    if said == "4\n":  # the number of solutions in the diagram
        return True
    true, found = (
        text.strip().removeprefix("certified: ").partition(" of the problem ") for text in (verify(original), said)
    )
    is_other_question = true[2][-64:] != found[2][-64:]
    is_other_group = " under " in found[0] and true[0].partition(" under ")[2] != found[0].partition(" under ")[2]
    return found[1] != "" and (is_other_question or is_other_group or found[0] == true[0])


def replace_value(content: bytes, chance: random.Random) -> bytes:
    """Put an odd value somewhere into the JSON of a file."""
    members = unpack(content)
    name = chance.choice([name for name in members if name.endswith(".json")])
    document = json.loads(members[name])
    place: Any = document
    while True:
        key = chance.choice(list(place) if isinstance(place, dict) else list(range(len(place))))
        if not isinstance(place[key], list | dict) or not place[key] or chance.random() < 0.2:
            break
        place = place[key]
    place[key] = chance.choice(ODD)
    return pack(members | {name: json.dumps(document).encode()})


def change_proof(content: bytes, chance: random.Random) -> bytes:
    files = read(content)
    if "number" in files["claim"]:
        change(files, chance)
    else:
        files["claim"]["wanted"] += chance.choice([-1, 1])
    return write(files)
