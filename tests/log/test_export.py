"""A log exported as tiles: whole, later what is new, never something else's directory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from fairshoe.errors import FairshoeError, InputError, LogError, NotALog, VerificationError
from fairshoe.log import directory as module
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, ExportResult, export, read_lines, tiles_in
from fairshoe.log.note import Signer
from fairshoe.log.tile_source import wrong_tiles
from fairshoe.log.tiles import bundle_of, subtree_root
from fairshoe.log.tree import Tree
from fairshoe.protocol.merkle import leaf_hash
from tests.audit.tiled import bundles_of, tiles_of

SIGNER = Signer("fairshoe.test/export", bytes(32))
OTHER = Signer("fairshoe.test/export", b"o" * 32)
SIZES = [0, 1, 255, 256, 257, 600, 1_100]
ENTRIES_ALL = [b'{"n":%d}' % number for number in range(max(SIZES))]

Files = dict[str, bytes]


def note_of(entries: list[bytes], signer: Signer = SIGNER, origin: str = SIGNER.verifier.name) -> str:
    tree = Tree()
    for entry in entries:
        tree.append(entry)
    return Checkpoint(origin, tree.size, tree.root).signed(signer)


def exported(directory: Path, entries: list[bytes], note: str | None = None, signer: Signer = SIGNER) -> ExportResult:
    def lines(start: int, stop: int) -> Iterator[bytes]:
        return iter(entries[start:stop])

    return export(directory, note_of(entries, signer) if note is None else note, signer.verifier, lines)


def files_in(directory: Path) -> Files:
    found = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}


def right(size: int) -> Files:
    """Every tile and bundle of that size, by its definition."""
    levels = [[leaf_hash(entry) for entry in ENTRIES_ALL[:size]]]
    while len(levels[-1]) > 255:
        below = levels[-1]
        levels.append([subtree_root(below[i : i + 256]) for i in range(0, len(below) - 255, 256)])
    tiles = {t.path: b"".join(levels[t.level][256 * t.number :][: t.width]) for t in tiles_of(size)}
    return tiles | {b.path: bundle_of(ENTRIES_ALL[256 * b.number :][: b.width]) for b in bundles_of(size)}


def test_every_size_at_once_and_after_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    grown, expected = tmp_path / "grown", {}
    for before, size in pairwise([0, *SIZES]):
        entries = ENTRIES_ALL[:size]
        tiles = right(size)
        files = {CHECKPOINT: note_of(entries).encode(), VERIFIER: f"{SIGNER.verifier}\n".encode()}
        expected |= tiles | files
        assert exported(grown, entries).new == size - before
        assert files_in(grown) == expected, "partial tiles that became full are kept"
        if size < max(SIZES):
            assert exported(tmp_path / str(size), entries).new == size
            assert files_in(tmp_path / str(size)) == tiles | files
        if size:
            assert list(read_lines(grown)) == [entry + b"\n" for entry in entries]
            assert wrong_tiles(tiles_in(grown)) == []


def test_a_checkpoint_with_another_cosignature_is_taken_up(tmp_path: Path) -> None:
    entries = ENTRIES_ALL[:300]
    exported(tmp_path, entries)
    cosigned = note_of(entries) + "— witness.example AAAAAAAA\n"
    assert exported(tmp_path, entries, cosigned).files == 1
    assert (tmp_path / CHECKPOINT).read_text() == cosigned


@pytest.mark.parametrize("size", [300, 512])
def test_a_crash_leaves_what_the_checkpoint_covers_and_is_made_good(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = tmp_path / "tiles"
    exported(directory, ENTRIES_ALL[:size])
    entries = ENTRIES_ALL[:1100]
    real, whole = module.replace_file, files_in(directory)
    for writes in range(30):
        left = writes

        def dying(path: Path) -> object:
            nonlocal left
            if not left:
                raise KeyboardInterrupt
            left -= 1
            return real(path)

        monkeypatch.setattr(module, "replace_file", dying)
        try:
            exported(directory, entries)
        except KeyboardInterrupt:
            assert whole.items() <= files_in(directory).items()
            assert len(list(read_lines(directory))) == size
            assert wrong_tiles(tiles_in(directory)) == []
        else:
            break
    else:
        raise AssertionError("it never came to its end")
    assert right(1100).items() <= files_in(directory).items()
    assert [path for path in files_in(directory) if path.endswith(".part")] == []


def test_a_crash_before_the_first_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dying(directory: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "settle", dying)
        with pytest.raises(KeyboardInterrupt):
            exported(tmp_path, ENTRIES_ALL[:300])
    assert CHECKPOINT not in files_in(tmp_path)
    assert exported(tmp_path, ENTRIES_ALL[:300]).new == 300


def refused(directory: Path, kind: type[FairshoeError], what: str, act: Callable[[], object]) -> None:
    before = files_in(directory)
    with pytest.raises(kind, match=what):
        act()
    assert files_in(directory) == before


def test_a_directory_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("hello")
    refused(tmp_path, InputError, "something else", lambda: exported(tmp_path, ENTRIES_ALL[:3]))
    (tmp_path / VERIFIER).write_text(f"{SIGNER.verifier}\n")
    exported(tmp_path, ENTRIES_ALL[:3])
    (tmp_path / ENTRIES).write_text("{}")
    refused(tmp_path, InputError, "something else", lambda: exported(tmp_path, ENTRIES_ALL[:5]))


def test_another_log_is_refused(tmp_path: Path) -> None:
    exported(tmp_path, ENTRIES_ALL[:300])
    refused(tmp_path, InputError, "another key", lambda: exported(tmp_path, ENTRIES_ALL[:400], signer=OTHER))
    note = note_of(ENTRIES_ALL[:400], origin="fairshoe.test/other")
    refused(tmp_path, InputError, "another log", lambda: exported(tmp_path, ENTRIES_ALL[:400], note))
    refused(tmp_path, InputError, "more than the log's 299", lambda: exported(tmp_path, ENTRIES_ALL[:299]))


@pytest.mark.parametrize(("place", "size"), [(0, 300), (255, 600), (256, 300), (299, 600)])
def test_a_rewritten_history_is_refused(place: int, size: int, tmp_path: Path) -> None:
    exported(tmp_path, ENTRIES_ALL[:300])
    entries = ENTRIES_ALL[:size]
    entries[place] = b"{}"
    with pytest.raises(VerificationError, match=r"exported here|were signed"):
        exported(tmp_path, entries)
    assert files_in(tmp_path)[CHECKPOINT].decode() == note_of(ENTRIES_ALL[:300])
    assert wrong_tiles(tiles_in(tmp_path)) == []
    exported(tmp_path, ENTRIES_ALL[:size])
    assert right(size).items() <= files_in(tmp_path).items()


def test_entries_that_are_not_the_signed_ones(tmp_path: Path) -> None:
    with pytest.raises(VerificationError, match="were signed"):
        exported(tmp_path, ENTRIES_ALL[:3], note_of([b"{}"] * 3))
    with pytest.raises(LogError, match="only 2 entries"):
        exported(tmp_path, ENTRIES_ALL[:2], note_of(ENTRIES_ALL[:3]))
    with pytest.raises(VerificationError, match="no signature"):
        exported(tmp_path / "new", ENTRIES_ALL[:3], note_of(ENTRIES_ALL[:3], OTHER))
    assert CHECKPOINT not in files_in(tmp_path)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"])
def test_tiles_that_were_changed_or_removed_are_told(name: str, tmp_path: Path) -> None:
    exported(tmp_path, ENTRIES_ALL[:300])
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[:5] + bytes([whole[5] ^ 1]) + whole[6:])
    refused(tmp_path, InputError, "tiles were changed", lambda: exported(tmp_path, ENTRIES_ALL[:400]))
    assert wrong_tiles(tiles_in(tmp_path)) == [name]
    (tmp_path / name).unlink()
    with pytest.raises(NotALog, match="no such tile"):
        wrong_tiles(tiles_in(tmp_path))


# Reading a directory of tiles.


def test_a_full_tile_stands_in_for_a_partial_one(tmp_path: Path) -> None:
    exported(tmp_path, ENTRIES_ALL[:700])
    checkpoint = note_of(ENTRIES_ALL[:300])
    (tmp_path / CHECKPOINT).write_text(checkpoint)
    (tmp_path / "tile/1/000.p/1").write_bytes(right(300)["tile/1/000.p/1"])
    assert wrong_tiles(tiles_in(tmp_path)) == []
    assert list(read_lines(tmp_path)) == [entry + b"\n" for entry in ENTRIES_ALL[:300]]
    exported(tmp_path, ENTRIES_ALL[:600])
    assert "tile/0/001.p/44" not in files_in(tmp_path)


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        ("tile/entries/000", lambda data: None, "no such tile"),
        ("tile/entries/001.p/44", lambda data: None, "no such tile"),
        ("tile/entries/001.p/44", lambda data: data[:-1], "not a bundle"),
        ("tile/entries/001.p/44", lambda data: data + b"x", "not a bundle"),
        ("tile/entries/000", lambda data: b"", "not a bundle"),
        ("tile/entries/000", lambda data: data[:2] + b"\xff" + data[3:], None),
        ("tile/entries/000", lambda data: b"\xff" + data[1:], "not a bundle"),
        (CHECKPOINT, lambda data: None, "no such file"),
        (CHECKPOINT, lambda data: b"hello", "not a checkpoint"),
    ],
)
def test_a_directory_that_is_not_whole(
    name: str, change: Callable[[bytes], bytes | None], what: str | None, tmp_path: Path
) -> None:
    exported(tmp_path, ENTRIES_ALL[:300])
    data = change((tmp_path / name).read_bytes())
    if data is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(data)
    if what is None:
        assert list(read_lines(tmp_path)) != [entry + b"\n" for entry in ENTRIES_ALL[:300]]
        return
    with pytest.raises(NotALog, match=what) as caught:
        list(read_lines(tmp_path))
    assert caught.value.where == os.fspath(tmp_path / name)
    assert caught.value.fault == "caller"


def test_what_an_export_that_was_killed_left_beyond_its_checkpoint_is_no_change(tmp_path: Path) -> None:
    exported(tmp_path, ENTRIES_ALL[:600])
    (tmp_path / "tile/0/002.p/90").write_bytes(b"of another try")
    assert exported(tmp_path, ENTRIES_ALL[:600]).new == 0


@pytest.mark.parametrize("name", ["tile/entries/000", "tile/entries/001.p/44", "tile/0/001.p/44"])
@pytest.mark.parametrize("size", [300, 400])
def test_a_change_is_told_whether_or_not_anything_is_new(name: str, size: int, tmp_path: Path) -> None:
    exported(tmp_path, ENTRIES_ALL[:300])
    whole = (tmp_path / name).read_bytes()
    for data in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[:-1], whole + b"x", b""):
        (tmp_path / name).write_bytes(data)
        refused(tmp_path, InputError, "its tiles were changed", lambda: exported(tmp_path, ENTRIES_ALL[:size]))
