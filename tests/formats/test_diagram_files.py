"""Diagrams as files: written, read back, refused when something is wrong, and handed to other programs."""

import io
import json
import re
import tracemalloc
import zipfile
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused, invoke
from damage import pack, unpack, write_text
from exactcover import ConfigError, Problem, StoppedError
from exactcover.control.options import ALL, Goal
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop
from exactcover.formats import diagrams, json_problem
from exactcover.search.known_solutions import KnownSolutions
from problems import Queens
from strategies import COSTS, priced

SMALL = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})


def written(problem: Problem, **about: Any) -> io.BytesIO:
    file = io.BytesIO()
    diagrams.write(problem.diagram(), file, version="1", **about)
    return file


MEMBERS = unpack(written(SMALL).getvalue())


@given(problem=priced(prices=COSTS), compact=st.booleans())
def test_what_is_written_is_read(problem: Problem, compact: bool) -> None:
    diagram = problem.diagram(order="compact" if compact else "problem")
    file = io.BytesIO()
    diagrams.write(diagram, file, version="1", name="some", params={"n": 1})
    found = diagrams.read(file)
    assert found.diagram(problem) == diagram
    assert (found.name, found.params) == ("some", {"n": 1})
    # By its own problem alone the labels are texts.
    assert list(found.diagram()) == [tuple(map(str, solution)) for solution in diagram]


def test_the_same_diagram_gives_the_same_bytes() -> None:
    assert written(Queens(n=6).problem()).getvalue() == written(Queens(n=6).problem()).getvalue()


def test_a_diagram_of_another_problem() -> None:
    with pytest.raises(ConfigError, match="another problem"):
        diagrams.read(written(SMALL)).diagram(Queens(n=4).problem())


def changed(**changes: bytes | Callable[[bytes], bytes]) -> io.BytesIO:
    """A file whose members are others, and their checksums right."""
    members = MEMBERS.copy()
    for name, change in changes.items():
        (full,) = (one for one in members if one.partition(".")[0] == name)
        members[full] = change if isinstance(change, bytes) else change(members[full])
    return io.BytesIO(pack(members))


def header(**changes: object) -> Callable[[bytes], bytes]:
    return lambda old: json.dumps(json.loads(old) | changes).encode()


@pytest.mark.parametrize(("file", "message"), [
    (io.BytesIO(b""), "not a .zdd diagram file, or truncated"),
    (io.BytesIO(b"PK\x03\x04 and then nothing"), "not a .zdd diagram file, or truncated"),
    (io.BytesIO(written(SMALL).getvalue()[:-30]), "not a .zdd diagram file, or truncated"),
    (changed(header=b"[]"), "the header is not a JSON object"),
    (changed(header=b"{"), "not a .zdd diagram file, or truncated"),
    (changed(header=header(format=3)), "some.zdd: unsupported format version 3; expected 2"),
    (changed(header=header(format=1)), "some.zdd: written by an earlier version of exactcover, in format 1"),
    (changed(header=lambda old: old.replace(b"{", b'{"nodes": 3, ', 1)), "the name 'nodes' occurs twice"),
    (changed(header=header(order=[0, 0, 1, 2])), "no valid 'order'"),
    (changed(header=header(nodes=10**12)), "expected 1,000,000,000,000 nodes"),
    (changed(header=header(solutions="4")), "the number of solutions differs from that in the header"),
    (changed(header=header(root=99)), "not used"),
    (changed(header=header(params=3)), "no valid 'params'"),
    (changed(hi=lambda old: bytes(len(old))), "has invalid children"),
    (changed(lo=lambda old: b"\xff" * len(old)), "has invalid children"),
    (changed(level=lambda old: bytes(len(old))), "is not above its children"),
    (changed(level=lambda old: old[:-1]), "expected 4 nodes"),
])  # fmt: skip
def test_files_that_are_wrong(file: io.BytesIO, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        diagrams.read(file, "some.zdd")


def test_a_file_without_a_member_says_which() -> None:
    assert len(MEMBERS) == 5
    for missing in MEMBERS:
        file = io.BytesIO(pack({name: content for name, content in MEMBERS.items() if name != missing}))
        with pytest.raises(ConfigError, match=f": not a .zdd diagram file, or truncated: its member '{missing}' is"):
            diagrams.read(file, "some.zdd")


def test_names_that_utf_8_cannot_encode_are_kept() -> None:
    problem = Problem({"a\ud800": ["\udfff", "ä"], "b": ["c"]})
    found = diagrams.read(written(problem, name="odd", params={"text": "\ud801"}), "some.zdd")
    assert (list(found.diagram()), found.params) == ([("a\ud800", "b")], {"text": "\ud801"})
    text = write_text(json_problem.write, problem)
    assert json_problem.read(text.encode().decode()).fingerprint() == problem.fingerprint()


def test_a_diagram_of_what_is_no_solution() -> None:
    """The file is sound, and so is its problem; they do not belong together."""
    swapped = changed(header=header(order=[2, 1, 0, 3]))
    with pytest.raises(ConfigError, match="contains a set that is not a solution: "):
        diagrams.read(swapped, "some.zdd").diagram()


@given(data=st.data())
def test_rubbish_is_refused_or_harmless(data: st.DataObject) -> None:
    content = bytearray(written(SMALL).getvalue())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = diagrams.read(io.BytesIO(bytes(content)), "some.zdd").diagram()
    except ConfigError:
        return
    assert list(found) == list(SMALL.diagram())


@pytest.mark.parametrize("member", ["header.json", "problem.json", "level"])
def test_bombs_are_refused_before_they_are_unpacked(member: str) -> None:
    content = pack(MEMBERS | {member: b"{},{}," * 5_000_000})
    assert len(content) < 100_000
    tracemalloc.start()
    with pytest.raises(ConfigError, match="would unpack to 30,"):
        diagrams.read(io.BytesIO(content), "some.zdd")
    # An archive that states other sizes is no better.
    stated, small = (30_000_000).to_bytes(4, "little"), (1_000_000).to_bytes(4, "little")
    assert content.count(stated) == 2  # before the member, and in the directory
    with pytest.raises(ConfigError, match=r"not a \.zdd diagram file"):
        diagrams.read(io.BytesIO(content.replace(stated, small)), "some.zdd")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000


def test_an_archive_cannot_state_that_it_is_larger_than_it_is() -> None:
    content = pack(MEMBERS | {"header.json": b"{},{}," * 5_000_000})
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        packed = archive.getinfo("header.json").compress_size.to_bytes(4, "little")
    directory = content.index(b"PK\x01\x02")
    changed = content[:directory] + content[directory:].replace(packed, (1 << 30).to_bytes(4, "little"))
    with pytest.raises(ConfigError, match="would unpack to 30,"):
        diagrams.read(io.BytesIO(changed), "some.zdd")


def test_reading_obeys_a_stop() -> None:
    large = io.BytesIO(pack(MEMBERS | {"problem.json": b"[" + b"{}," * 1_300_000}))
    for stop, status in ((Stop(timeout=0), Status.TIMEOUT), (Stop(memory=1), Status.MEMORY)):
        with pytest.raises(StoppedError) as caught:
            diagrams.read(large, "some.zdd", stop=stop)
        assert caught.value.status is status
    assert diagrams.read(written(SMALL), stop=Stop(memory=1)).zdd.count == 3


def test_large_numbers_are_counted_within_the_memory() -> None:
    """Each node doubles the number, so that all numbers together take 400 MB."""
    height = 1 << 16
    numbers = range(1, height + 1)
    columns = [range(height - 1, -1, -1), numbers, numbers]
    header = json.loads(MEMBERS["header.json"])
    header |= {"order": list(range(height)), "nodes": height, "root": height + 1, "solutions": "1"}
    members = {"header.json": json.dumps(header).encode(), "problem.json": b"{}"}
    members |= {name: array("I", column).tobytes() for name, column in zip(("level", "lo", "hi"), columns, strict=True)}
    with pytest.raises(StoppedError) as caught:
        diagrams.read(io.BytesIO(pack(members)), "some.zdd", stop=Stop(memory=1 << 24))
    assert caught.value.status is Status.MEMORY


def test_a_walk_ends_as_a_search_does() -> None:
    diagram = SMALL.diagram()
    for wanted, status in ((1, "limit"), (3, "limit"), (None, "complete"), (9, "complete")):
        walk = KnownSolutions(diagram, goal=Goal("first", wanted) if wanted else ALL)
        assert len(list(walk)) == min(wanted or 3, 3)
        assert (walk.status.value, walk.total) == (status, 3)
    assert list(KnownSolutions(diagram, goal=Goal("cheapest", 2))) == [("A", "B"), ("A", "D")]
    none = KnownSolutions(diagram - diagram)
    assert (list(none), none.status.value) == ([], "unsatisfiable")


def test_distinct_samples() -> None:
    diagram = SMALL.diagram()
    assert sorted(diagram.sample(9, seed=2, distinct=True)) == sorted(diagram)
    assert len(set(diagram.sample(2, seed=2, distinct=True))) == 2


def sets_of(text: str) -> set[frozenset[int]]:
    """Read a Graphillion file: a second reader, written from its documentation."""
    families: dict[str, set[frozenset[int]]] = {"B": set(), "T": {frozenset()}}
    for line in text.splitlines():
        name, *rest = line.split()
        if name == ".":
            break
        if rest:
            level, lo, hi = rest
            families[name] = families[lo] | {chosen | {int(level) - 1} for chosen in families[hi]}
    return families[name if len(families) == 2 and name != "." else list(families)[-1]] if text != ".\n" else set()


@given(problem=priced(prices=COSTS))
def test_graphillion(problem: Problem) -> None:
    diagram = problem.diagram()
    written = write_text(diagrams.write_graphillion, diagram)
    if diagram.zdd.root <= 1:
        assert written == f"{'BT'[diagram.zdd.root]}\n.\n"
    else:
        assert sets_of(written) == {frozenset(found) for found in problem.solve().positions()}


@given(problem=priced(prices=COSTS))
def test_dddmp(problem: Problem) -> None:
    head, _, nodes = write_text(diagrams.write_dddmp, problem.diagram()).partition(".nodes\n")
    families: dict[int, set[frozenset[int]]] = {}
    for line in nodes.splitlines()[:-1]:
        number, level, hi, lo = line.split()
        if level in ("E", "B"):
            families[int(number)] = {frozenset()} if level == "B" else set()
        else:
            with_it = {chosen | {int(level)} for chosen in families[int(hi)]}
            families[int(number)] = families[int(lo)] | with_it
    root, count = (int(re.search(rf"\.{key} (\d+)", head)[1]) for key in ("rootids", "nnodes"))  # type: ignore[index]
    assert families[root] == {frozenset(found) for found in problem.solve().positions()}
    assert len(families) == count


def test_graphviz_quotes_labels() -> None:
    written = write_text(diagrams.write_dot, Problem({'say "x"': [1], "other": [1]}).diagram())
    assert '[label="say \\"x\\""]' in written and "style=dashed" in written


def test_from_a_target_to_a_file_and_back(tmp_path: Path) -> None:
    file = str(tmp_path / "queens.zdd")
    assert invoke("diagram", "queens", "n=6", "-o", file).returncode == 0
    assert invoke("count", file).stdout == "4\n"
    assert invoke("solve", file, "--all", "--format", "jsonl", "-o", str(tmp_path / "all.jsonl"), "-q").returncode == 0
    verified = invoke("verify", "queens", str(tmp_path / "all.jsonl"), "n=6").stdout
    assert verified == "4 solutions verified (search: complete)\n"
    assert invoke("diagram", file).stdout.startswith("solutions  4\n")
    assert invoke("diagram", "queens", "n=3").stdout == "solutions  0\n"
    assert invoke("solve", file, "--seed", "1").returncode == 2
    assert invoke("count", file, "n=7").returncode == 2


def test_samples_are_solutions(tmp_path: Path) -> None:
    file = str(tmp_path / "some.jsonl")
    result = invoke("sample", "queens", "n=8", "-n", "20", "--seed", "3", "-o", file)
    assert result.returncode == 0 and result.stderr.startswith("20 solutions (of 92)")
    assert invoke("verify", "queens", file, "n=8").returncode == 0
    assert invoke("sample", "queens", "n=3").returncode == 20
    result = invoke("sample", "queens", "n=4", "-n", "5", "--format", "svg")
    assert result.returncode == 0 and "♛" not in result.stdout


def test_marginals_of_a_target() -> None:
    often = [line.split("\t") for line in invoke("diagram", "queens", "n=4", "--marginals").stdout.splitlines()]
    assert sorted(label for count, label in often if count == "1") == [
        "r1c2", "r1c3", "r2c1", "r2c4", "r3c1", "r3c4", "r4c2", "r4c3"
    ]  # fmt: skip


def test_a_heat_map(tmp_path: Path) -> None:
    file = tmp_path / "heat.svg"
    assert invoke("diagram", "sudoku", "box=2x2", "grid=1...............", "-o", str(file)).returncode == 0
    sheet = file.read_text("utf-8")
    # The first digit is certain; each board has its digit below.
    assert ">100</text>" in sheet
    assert all(f">{digit}</text>" in sheet for digit in "1234")
    assert invoke("diagram", "queens", "n=3", "--format", "svg").returncode == 2
    assert invoke("diagram", "options", "table={a: [1]}", "--format", "svg").returncode == 2


def test_what_a_diagram_cannot_be_written_as() -> None:
    for arguments, words in (
        (["-o", "x.foo"], "no format has the suffix .foo; use .zdd, .dot, .dddmp, .graphillion, .svg, or choose one"),
        (["-o", "nameless"], "the formats are zdd, dot, dddmp, graphillion, svg"),
        (["--format", "foo"], "'foo' is not one of 'zdd', 'dot', 'dddmp', 'graphillion', 'svg'"),
    ):
        assert_refused(words, "diagram", "queens", "n=4", *arguments)


def test_a_diagram_that_takes_too_long() -> None:
    result = invoke("sample", "queens", "n=30", "--timeout", "0.5")
    assert result.returncode == 3 and result.stderr.startswith("stopped by the timeout; at least ")


def test_a_diagram_whose_encoder_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "gone.zdd"
    diagrams.write(SMALL.diagram(), file, version="1", name="gone")
    printed = invoke("solve", str(file), "--all")
    assert (printed.returncode, printed.stdout) == (0, "A, B\nA, D\nC\n")
    assert "the encoder is not available, so only labels are shown" in printed.stderr


def test_the_cheapest_and_the_dearest_of_a_file(tmp_path: Path) -> None:
    target = ["options", "table={a: [x], b: [x], c: [x], d: [x]}", "cost={a: -30, b: -29, c: 41, d: 40.5}"]
    file = str(tmp_path / "x.zdd")
    assert invoke("diagram", *target, "-o", file).returncode == 0
    for flags, found in (
        (["--within", "10%"], "a (cost -30)\nb (cost -29)\n"),
        (["--within", "0.5"], "a (cost -30)\n"),
        (["--most", "3", "--within", "10%"], "c (cost 41)\nd (cost 40.5)\n"),
        (["--most", "1"], "c (cost 41)\n"),
        (["--cheapest", "1", "--within", "10%"], "a (cost -30)\n"),
    ):
        assert invoke("solve", file, *flags).stdout == found
