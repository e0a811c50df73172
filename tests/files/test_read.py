"""Files are read up to a size, and only regular ones; parameters may name those that the rules allow."""

import io
import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.errors import ParameterError
from exactcover.files import read
from exactcover.files.json_text import load_json
from exactcover.files.read import Access, access, beside, open_regular, read_data, read_stream, unpack
from exactcover.formats import json_problem
from exactcover.runs.records import to_object


def test_a_stream_that_does_not_know_its_size_is_read_up_to_a_size() -> None:
    assert read_stream(io.BytesIO(b"12345"), 5) == b"12345"
    with pytest.raises(OSError, match="it is larger than 4 bytes"):
        read_stream(io.BytesIO(b"12345"), 4)
    with Path("/dev/zero").open("rb") as endless, pytest.raises(OSError, match="it is larger than 3,000,000 bytes"):
        read_stream(endless, 3_000_000)


def test_reading_polls_after_each_block() -> None:
    stops = iter([False, True])

    def poll() -> None:
        if next(stops):
            raise KeyboardInterrupt

    with Path("/dev/zero").open("rb") as endless, pytest.raises(KeyboardInterrupt):
        read_stream(endless, 1 << 40, poll)


def test_names_of_open_files_may_stand_for_pipes() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"some")
    os.close(writer)
    with open_regular(Path(f"/dev/fd/{reader}")) as file:
        assert file.read() == b"some"
    os.close(reader)


def test_the_folder_of_the_configuration_comes_before_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    current, other = tmp_path / "current", tmp_path / "other"
    for folder in (current, other):
        folder.mkdir()
        (folder / "some.txt").write_text(folder.name)
    (current / "mine.txt").write_text("\ufeffmine")
    monkeypatch.chdir(current)
    with access(Access()) as rules, beside(other):
        assert read_data("some.txt", "grid") == "other"
        assert read_data("mine.txt", "grid") == "mine"  # without the byte order mark
    assert rules.read == [other / "some.txt", Path("mine.txt")]
    assert read_data("some.txt", "grid") == "current"


def test_files_that_hold_no_text(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff")
    for name, message in (
        ("bytes", "is not UTF-8 text"),
        ("none", "cannot be read: No such file or directory"),
        ("byte", "No such file or directory; did you mean 'bytes'"),
    ):
        with pytest.raises(ParameterError, match=message):
            read_data(str(tmp_path / name), "grid")


def test_workbooks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active["C2"] = 'a "b", c'
    book.save(out)
    assert read.decode_table(out.getvalue(), "a.XLSX") == '\n,,"a ""b"", c"\n'
    for content in (b"who\n", b"PK\x03\x04", out.getvalue()[:-99]):
        with pytest.raises(OSError, match="no workbook"):
            read.decode_table(content, "a.xlsx")
    for name, message in (("_MAX_CELLS", "more than 1 cells"), ("_MAX_WORKBOOK", "more than 1 bytes")):
        monkeypatch.setattr(read, name, 1)
        with pytest.raises(OSError, match=message):
            read.decode_table(out.getvalue(), "a.xlsx")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(OSError, match="python -m pip install openpyxl"):
        read.decode_table(out.getvalue(), "a.xlsx")


@pytest.mark.parametrize("read", [load_json, json_problem.read, to_object])
@pytest.mark.parametrize(("text", "message"), [
    ('{"options": [{"items": ["a"], "items": ["b"]}]}', "occurs twice in an object"),
    ('{"options": [{"items": ["a"]}], "options": []}', "occurs twice in an object"),
    ('{"options": [{"items": ["a"]}], "opti\\u006fns": []}', "occurs twice in an object"),
    ("[" * 200_000, "nested too deeply"),
], ids=["items", "options", "escaped", "nested"])  # fmt: skip
def test_a_text_without_a_single_meaning_is_refused(read: Callable[[str], Any], text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(text)


@given(st.binary(max_size=300), st.integers(0, 9))
def test_what_was_packed_is_unpacked(content: bytes, level: int) -> None:
    assert unpack(zlib.compress(content, level)) == content


@given(st.binary(min_size=1, max_size=100), st.data())
def test_damaged_data_are_refused(content: bytes, data: st.DataObject) -> None:
    packed = zlib.compress(content)
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(ValueError, match=r"incomplete|incorrect|invalid|unknown"):
        unpack(packed[:cut])
    with pytest.raises(ValueError, match="incorrect"):
        unpack(b"x" + packed)
    with pytest.raises(ValueError, match="are followed by others"):
        unpack(packed + b"x")
