"""Compressed data are unpacked with bounded memory, or refused."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.files.read import unpack


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
