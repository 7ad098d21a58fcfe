"""A log read in blocks has the lines that it has when it is read line by line; a tree grown in batches is the same."""

from __future__ import annotations

from io import BufferedReader, BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshoe.errors import LogError
from fairshoe.log.canonical import MAX_ENTRY
from fairshoe.log.directory import BLOCK, blocks_of, lines_of
from fairshoe.log.tree import Tree

SIZES = (0, 1, 2, 100, BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1, MAX_ENTRY - 1, MAX_ENTRY, MAX_ENTRY + 1, MAX_ENTRY + 2)


def lines_in_blocks(data: bytes) -> list[bytes]:
    blocks = list(blocks_of(BufferedReader(BytesIO(data)), "here"))  # type: ignore[arg-type]
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    return [line for block in blocks for line in BytesIO(block)]


@given(st.lists(st.sampled_from(SIZES) | st.integers(0, 3 * BLOCK), max_size=6), st.booleans())
def test_blocks_hold_the_same_lines(sizes: list[int], ends: bool) -> None:
    data = b"".join(b"x" * size + b"\n" for size in sizes) + (b"" if ends else b"left")
    assert lines_in_blocks(data) == list(lines_of(BytesIO(data), "here"))


@pytest.mark.parametrize("size", [5, 3_000_000])
def test_a_line_without_its_end_comes_last(size: int) -> None:
    data = b"one\n" + b"x" * size
    assert lines_in_blocks(data) == list(lines_of(BytesIO(data), "here"))


def test_a_disk_that_fails_is_told() -> None:
    class Failing(BytesIO):
        def readinto(self, _: object) -> int:
            raise OSError(5, "Input/output error")

    with pytest.raises(LogError, match="cannot read: Input/output error"):
        list(blocks_of(BufferedReader(Failing(b"one\n")), "here"))  # type: ignore[arg-type]


@given(st.lists(st.lists(st.binary(max_size=4), max_size=9), max_size=9))
def test_a_tree_grown_in_batches_is_the_same(batches: list[list[bytes]]) -> None:
    one, other = Tree(), Tree()
    for batch in batches:
        one.extend(batch)
        for entry in batch:
            other.append(entry)
        assert (one.size, one.peaks, one.root) == (other.size, other.peaks, other.root)
