"""The verb verify: answers of other solvers, and files anywhere."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from commands import assert_refused, invoke

QUEENS = ("r1c2", "r2c4", "r3c1", "r4c3")


def model_of(cnf: str, chosen: Iterable[str]) -> str:
    """What a solver prints that chooses these options."""
    labels = [line.split()[2] for line in cnf.splitlines() if line.startswith("c ")]
    literals = [number if label in chosen else -number for number, label in enumerate(labels, 1)]
    return f"c by hand\ns SATISFIABLE\nv {' '.join(map(str, literals))} 0\n"


@pytest.mark.parametrize("flags", [[], ["--given", "r1c2"], ["--without", "r1c1"]])
def test_verify_reads_the_answer_of_another_solver(flags: list[str]) -> None:
    cnf = invoke("convert", "queens", "n=4", "--format", "cnf", *flags).stdout
    verify = ("verify", "queens", "n=4", *flags, "--model", "-")
    done = invoke(*verify, input=model_of(cnf, QUEENS))
    assert (done.returncode, {*done.stdout.split()}) == (0, {one for one in QUEENS if one not in flags})
    assert_refused("not covered", *verify, input=model_of(cnf, QUEENS[:3]), status=4)
    assert_refused("the solver states that there is no model", *verify, input="s UNSATISFIABLE\n")


def test_verify_takes_its_file_anywhere_and_stops_at_ten_faults(tmp_path: Path) -> None:
    file = tmp_path / "queens.jsonl"
    assert invoke("solve", "queens", "n=8", "--all", "-o", str(file)).returncode == 0
    assert invoke("verify", "queens", str(file), "n=8").returncode == 0
    assert invoke("verify", "queens", "n=8", str(file)).returncode == 0
    assert_refused("expected one FILE", "verify", "queens", "n=8")
    other = invoke("verify", "queens", "n=7", str(file))
    assert (other.returncode, len(other.stderr.splitlines())) == (4, 1)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *[line.replace('"options": [', '"options": [99, ') for line in lines[1:]]]))
    changed = invoke("verify", "queens", "n=8", str(file))
    assert changed.returncode == 4 and changed.stderr.endswith("82 more faults\n")
    assert len(changed.stderr.splitlines()) == 11
