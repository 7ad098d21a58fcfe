"""A log on disk: written whole or not at all, read line by line whatever stands there."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshoe.errors import InputError, LogError
from fairshoe.log.canonical import MAX_ENTRY
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.directory import BLOCK, CHECKPOINT, ENTRIES, VERIFIER, blocks_of, read_lines, read_text, write_log
from fairshoe.log.note import Signer, verifier_of
from fairshoe.log.tree import Tree

SIGNER = Signer("fairshoe.test/directory", bytes(32))
LINES = [b'{"a":1}', b'{"a":2}', b'{"a":3}']


def test_a_log_is_three_files(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "log"
    checkpoint = write_log(folder, LINES, SIGNER)
    assert sorted(path.name for path in folder.iterdir()) == [CHECKPOINT, ENTRIES, VERIFIER]
    assert list(read_lines(folder)) == list(read_lines(folder / ENTRIES)) == [line + b"\n" for line in LINES]
    verifier = verifier_of(read_text(folder / VERIFIER) or "")
    assert open_checkpoint((folder / CHECKPOINT).read_text(), verifier) == checkpoint
    tree = Tree()
    for line in LINES:
        tree.append(line)
    assert (checkpoint.origin, checkpoint.size, checkpoint.root) == (SIGNER.verifier.name, 3, tree.root)


def test_what_fails_in_the_middle_leaves_the_old_log(tmp_path: Path) -> None:
    write_log(tmp_path, LINES, SIGNER)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def dies() -> Iterator[bytes]:
        yield b'{"b":1}'
        assert (tmp_path / f"{ENTRIES}.part").exists()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_log(tmp_path, dies(), SIGNER)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LogError, match="cannot write") as caught:
        write_log(tmp_path / "file" / "log", LINES, SIGNER)
    assert caught.value.fault == "machine"


def lines_in(tmp_path: Path, data: bytes) -> list[bytes]:
    (tmp_path / ENTRIES).write_bytes(data)
    return list(read_lines(tmp_path))


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [b"\n"]),
        (b"a", [b"a"]),
        (b"a\nb", [b"a\n", b"b"]),
        (b"a\n\nb\n", [b"a\n", b"\n", b"b\n"]),
        (b"a\r\nb\rc\x0bd\x85e\xe2\x80\xa8f\x00\n", [b"a\r\n", b"b\rc\x0bd\x85e\xe2\x80\xa8f\x00\n"]),
    ],
)
def test_lines_part_at_line_feeds_alone(data: bytes, lines: list[bytes], tmp_path: Path) -> None:
    assert lines_in(tmp_path, data) == lines


@pytest.mark.parametrize("size", [MAX_ENTRY - 1, MAX_ENTRY, MAX_ENTRY + 1, MAX_ENTRY + 2, 3_000_000])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_too_long_is_cut_and_still_too_long(size: int, end: bytes, tmp_path: Path) -> None:
    first, *rest = lines_in(tmp_path, b"x" * size + end + (b"next\n" if end else b""))
    assert first == b"x" * min(size, MAX_ENTRY + 1) + end
    assert rest == ([b"next\n"] if end else [])


@settings(max_examples=20)
@given(st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=20))
def test_what_is_written_is_read(lines: list[bytes]) -> None:
    with TemporaryDirectory() as folder:
        write_log(Path(folder), lines, SIGNER)
        assert list(read_lines(Path(folder))) == [line + b"\n" for line in lines]


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot read"):
        list(read_lines(tmp_path))
    assert read_text(tmp_path / "nothing") is None
    with pytest.raises(InputError, match="cannot read"):
        read_text(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff")
    assert read_text(tmp_path / "bytes") == "\ufffd\n"


def test_a_text_is_read_whoever_saved_it(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("\ufeffone\r\ntwo — 2\r\n".encode())
    assert read_text(tmp_path / "text") == "one\ntwo — 2\n"


# In blocks a log has the lines that it has when it is read line by line.

SIZES = (0, 1, 2, 100, BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1, MAX_ENTRY - 1, MAX_ENTRY, MAX_ENTRY + 1, MAX_ENTRY + 2)


@given(st.lists(st.sampled_from(SIZES) | st.integers(0, 3 * BLOCK), max_size=6), st.booleans())
def test_blocks_hold_the_same_lines(sizes: list[int], ends: bool) -> None:
    data = b"".join(b"x" * size + b"\n" for size in sizes) + (b"" if ends else b"left")
    blocks = list(blocks_of(BufferedReader(BytesIO(data)), "here"))  # type: ignore[arg-type]
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    *whole, rest = (line[: MAX_ENTRY + 1] for line in data.split(b"\n"))
    expected = [*(line + b"\n" for line in whole), *([rest] if rest else [])]
    assert [line for block in blocks for line in BytesIO(block)] == expected, "too long by one byte where it was longer"


def test_a_disk_that_fails_is_told() -> None:
    class Failing(BytesIO):
        def readinto(self, _: object) -> int:
            raise OSError(5, "Input/output error")

    with pytest.raises(LogError, match="cannot read: Input/output error"):
        list(blocks_of(BufferedReader(Failing(b"one\n")), "here"))  # type: ignore[arg-type]
