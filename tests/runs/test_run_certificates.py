"""The nodes of all cubes of a run, put together, prove its answer."""

import io
import json
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given

import classics
import commands
from certified import assert_verdict, certify, read, verify
from exactcover import Goal, Problem, ProblemError, Run, Status, Stop, StoppedError
from exactcover.certificates.writer import describe_problem, to_json
from exactcover.control.options import ALL, COUNT
from exactcover.model.matrix import native
from exactcover.runs.run_certificate import write_proof
from exactcover.runs.run_problem import plan_search
from problems import Queens
from small_runs import FINE, InlineExecutor, change_store, numbered
from strategies import instances, problems


def certify_run(run: Run) -> bytes:
    file = io.BytesIO()
    run.write_certificate(file)
    return file.getvalue()


@given(instance=instances(problems()))
def test_random_runs_are_certified(tree_engine: str, instance: Problem, tmp_path: Path, cut_finely: None) -> None:
    expected = len(list(instance.search().positions()))
    for goal in (COUNT, ALL):
        run = Run.create(numbered(tmp_path), instance, goal, engine=tree_engine, records=True)
        run.work(InlineExecutor(), workers=2)
        if run.problem.reason is not None:
            with pytest.raises(ProblemError, match="needed no search"):
                certify_run(run)
            continue
        certificate = certify_run(run)
        assert read(certificate)["problem"] == read(certify(instance))["problem"]
        assert_verdict(certificate, f"{expected} solution")


def test_a_run_with_many_cubes(installed_tree_engine: str, tmp_path: Path, cut_finely: None) -> None:
    run = Run.create(tmp_path / "langford.run", classics.langford(7), engine=installed_tree_engine, records=True)
    with ThreadPoolExecutor(3) as threads:
        assert run.work(threads) is Status.COMPLETE
    assert run.status().done > 100
    certificate = certify_run(run)
    assert verify(certificate).startswith("52 solutions")
    files = read(certificate)
    assert files["problem"] == json.loads(to_json(describe_problem(run.problem)))
    assert [step["by"] for step in files["steps"]] == ["search"]


@pytest.mark.skipif(native is None, reason="symmetries are found in C++")
@pytest.mark.parametrize("problem", [Queens(n=8).problem(), classics.langford(7), classics.latin_squares(4)], ids=str)
def test_the_splits_of_a_plan_are_certified(problem: Problem, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", problem, records=True, policy=FINE)
    assert run.problem.plan is not None
    run.work(InlineExecutor())
    assert list(run.check(share=1)) == []
    certificate = certify_run(run)
    assert verify(certificate).startswith(f"{problem.count()} solutions ")
    assert {"search", "force"} < {step["by"] for step in read(certificate)["steps"]}


@pytest.mark.parametrize("goal", [COUNT, ALL], ids=str)
def test_the_check_of_a_certificate_ends_at_a_stop(goal: Goal, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "queens.run", Queens(n=8).problem(), goal, records=True)
    run.work(InlineExecutor(), workers=1)
    most, file = 1 << 30, io.BytesIO()
    before, whole = commands.StopAfter(most), commands.StopAfter(most)
    with run._read() as store:
        search = plan_search(run.problem, goal, Stop())
        write_proof(io.BytesIO(), run.problem, search, store, goal, before)
    run.write_certificate(io.BytesIO(), whole)
    assert whole.left < before.left
    stop = commands.StopAfter(most - before.left)
    with pytest.raises(StoppedError):
        run.write_certificate(file, stop)
    assert (stop.left, file.getvalue()) == (-1, b"")


def test_what_cannot_be_certified(tmp_path: Path) -> None:
    problem = classics.langford(4)
    run = Run.create(tmp_path / "open.run", problem, records=True)
    with pytest.raises(ProblemError, match="not complete"):
        certify_run(run)
    plain = Run.create(tmp_path / "plain.run", problem)
    plain.work(InlineExecutor(), workers=1)
    with pytest.raises(ProblemError, match="does not record"):
        certify_run(plain)
    for goal in (Goal("first", 1), Goal("cheapest", 1)):
        with pytest.raises(ValueError, match="only a run that counts or lists"):
            Run.create(tmp_path / "some.run", problem, goal, records=True)
    with pytest.raises(ValueError, match="does not reduce"):
        Run.create(tmp_path / "some.run", problem, reduce=True, records=True)


def test_on_the_command_line(tmp_path: Path) -> None:
    certificate, stores = tmp_path / "queens.cert", [str(tmp_path / f"{name}.run") for name in ("recorded", "plain")]
    for store, flags in zip(stores, (["--record-nodes"], []), strict=True):
        done = commands.invoke("run", "start", "queens", "n=8", "--store", store, "--workers", "1", "-q", *flags)
        assert done.returncode == 0
    done = commands.invoke("run", "check", stores[0], "--certificate", str(certificate))
    assert done.returncode == 0, done.stderr
    before = certificate.read_bytes()
    assert verify(before).startswith("92 solutions")
    assert "certified: 92 solutions" in commands.invoke("certify", str(certificate), "queens", "n=8").stdout
    commands.assert_refused("does not record", "run", "check", stores[1], "--certificate", str(certificate))
    assert certificate.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "values", "fault"),
    [
        ("DELETE FROM trees", (), "the nodes of cube root are missing"),
        ("UPDATE trees SET data = ?", (zlib.compress(b""),), "not a whole tree"),
        ("UPDATE trees SET data = ?", (zlib.compress(bytes(1 << 24)),), "more than were visited"),
        ("UPDATE trees SET data = ?", (zlib.compress(b"\xff" * (1 << 24)),), "more than were visited"),
        ("UPDATE trees SET data = ?", (zlib.compress(b"\0"),), "another number of solutions"),
        ("UPDATE trees SET data = ?", (zlib.compress(b"\0\0"),), "nodes after the end"),
        ("UPDATE trees SET data = ?", (b"no nodes",), "damaged"),
        ("INSERT INTO trees VALUES (?, ?)", (b"\0\0\0\7", zlib.compress(b"\0")), "which is not done"),
    ],
)
def test_nodes_are_checked(change: str, values: tuple[object, ...], fault: str, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "nodes.run", classics.langford(4), engine="sets", records=True)
    run.work(InlineExecutor(), workers=1)
    assert list(run.check()) == []
    with change_store(run.path) as connection:
        connection.execute(change, values)
    faults = list(Run(run.path).check())
    assert len(faults) == 1
    assert fault in faults[0]


def test_a_certificate_that_proves_nothing_is_not_kept(tmp_path: Path) -> None:
    """The nodes are one tree with the right number of solutions, but not a tree of this search."""
    path, certificate = tmp_path / "nodes.run", tmp_path / "nodes.cert"
    run = Run.create(path, Problem({"A": [1], "B": [1], "C": [2, 3]}), engine="sets", records=True)
    run.work(InlineExecutor(), workers=1)
    assert commands.invoke("run", "check", str(path), "--certificate", str(certificate)).returncode == 0
    assert commands.invoke("certify", str(certificate)).returncode == 0
    certificate.unlink()
    with change_store(path) as connection:
        (packed,) = connection.execute("SELECT data FROM trees ORDER BY path LIMIT 1").fetchone()
        item = zlib.decompress(packed)[0]
        connection.execute("UPDATE trees SET data = ?", [zlib.compress(bytes([item, 3, 0, 0, item, 0]))])
    done = commands.invoke("run", "check", str(path), "--certificate", str(certificate))
    assert done.returncode == 4
    assert "do not prove" in done.stderr
    assert not certificate.exists()
