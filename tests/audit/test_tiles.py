"""Tiles are a log: audited like one, compared where they stand beside a `log.jsonl`, each changed byte told."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from audit_cli.main import main
from audit_cli.verify.run import verify
from fairshoe.errors import NotALog
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import CHECKPOINT, VERIFIER, read_lines, write_log
from fairshoe.log.tiles import bundle_of, entries_of
from fairshoe.log.tree import Tree
from tests.everything import everything
from tests.house import SIGNER, honest

from .planting import KEY, log
from .tiled import bundles_of, export_copy
from .walk import root

LINES = list(log("banker"))
CHANGES = 24


def tiled(folder: Path, lines: list[bytes]) -> Path:
    write_log(folder / "log", lines, SIGNER)
    export_copy(folder / "log", folder / "tiles")
    return folder / "tiles"


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    return tiled(tmp_path, LINES)


def test_the_audit_is_the_same(tmp_path: Path) -> None:
    """A log of every game and everything else that there is, of several bundles."""
    lines = everything().lines
    tiles = tiled(tmp_path, lines)
    assert len(lines) > 512
    told: list[int] = []
    report = verify(tiles, key=KEY, progress=told.append)
    assert report.as_json() == verify(tmp_path / "log", key=KEY).as_json()
    assert not report.failed
    assert report.checks["tree"] == "pass"
    assert told[-1] > 0


@pytest.mark.parametrize("words", [["hand", "--round", "banker#1"], ["hand"], ["refunds"]])
def test_every_command_reads_tiles(words: list[str], tiles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for directory in (tiles, tiles.with_name("log")):
        code = main([words[0], str(directory), *words[1:], "--format", "json"])
        told.append((code, json.loads(capsys.readouterr().out)))
    assert told[0] == told[1]
    assert told[0][0] == 0


def test_tiles_are_remembered_as_a_copy(tiles: Path, tmp_path: Path) -> None:
    write_log(tmp_path / "changed", [*LINES[:7], LINES[8], LINES[7], *LINES[9:]], SIGNER)
    report = verify(tmp_path / "changed", key=KEY, remembered=[tiles])
    assert "remembered-differs" in {finding.code for finding in report.findings}
    assert not verify(tmp_path / "log", key=KEY, remembered=[tiles]).failed
    assert not verify(tiles, key=KEY, remembered=[tmp_path / "log"]).failed


def test_a_log_without_entries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiles = tiled(tmp_path, [])
    assert main(["verify", str(tiles)]) == main(["verify", str(tmp_path / "log")]) == 2
    assert capsys.readouterr().err.count("an empty file") == 2


def test_one_changed_byte_is_refused(tmp_path: Path) -> None:
    """In a tile, a bundle or the signed text."""
    tiles = tiled(tmp_path, honest("casino", 150).lines)
    paths = sorted(path for path in tiles.rglob("*") if path.is_file() and path.name != VERIFIER)
    assert {path.relative_to(tiles).parts[1:2] for path in paths} == {(), ("0",), ("1",), ("entries",)}
    chance = random.Random(8)
    codes: Counter[str] = Counter()
    for path in paths * (CHANGES // len(paths)):
        whole = path.read_bytes()
        place = chance.randrange(whole.index(b"\n\n") if path.name == CHECKPOINT else len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ chance.randrange(1, 256)]) + whole[place + 1 :])
        try:
            found = {finding.code for finding in verify(tiles, key=KEY).findings if finding.severity == "fail"}
        except NotALog:
            found = {"no log"}
        assert found
        codes.update(found)
        path.write_bytes(whole)
    assert not verify(tiles, key=KEY).failed
    assert codes["tile-differs"] > 5, codes
    assert codes["root-differs"] > 2, codes


def test_entries_with_line_feeds_are_not_the_signed_ones(tiles: Path) -> None:
    """A house that signs one entry cannot have it read as two."""
    bundle = next((tiles / "tile" / "entries").rglob("*.p/*"))
    entries = entries_of(bundle.read_bytes(), int(bundle.name))
    tree = Tree()
    for entry in (b"\n".join(entries[:2]), *entries[2:]):
        tree.append(entry)
    shutil.rmtree(tiles / "tile")
    (tiles / bundles_in(tree.size)).parent.mkdir(parents=True)
    (tiles / bundles_in(tree.size)).write_bytes(bundle_of([b"\n".join(entries[:2]), *entries[2:]]))
    (tiles / CHECKPOINT).write_text(Checkpoint(SIGNER.verifier.name, tree.size, tree.root).signed(SIGNER))
    assert len(list(read_lines(tiles))) == tree.size + 1
    assert root(line.removesuffix(b"\n") for line in read_lines(tiles)) != tree.root


def bundles_in(size: int) -> str:
    (bundle,) = bundles_of(size)
    return bundle.path


def wrong(tiles: Path) -> list[tuple[str, str | None, str, object]]:
    report = verify(tiles, key=KEY)
    assert report.failed == bool(report.findings)
    return [(finding.code, finding.field, finding.fault, finding.found) for finding in report.findings]


def test_each_tile_that_differs_is_told(tmp_path: Path) -> None:
    """Of level 0 and 1, full ones and the last ones; one of another length is none at all."""
    tiles = tiled(tmp_path, honest("casino", 250).lines)
    assert wrong(tiles) == []
    paths = sorted(path for path in (tiles / "tile").rglob("*") if path.is_file() and "entries" not in path.parts)
    assert len(paths) == 4
    for path in paths:
        whole, name = path.read_bytes(), path.relative_to(tiles).as_posix()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert wrong(tiles) == [("tile-differs", name, "unknown", None)]
        path.write_bytes(whole[:-1])
        with pytest.raises(NotALog, match="a tile of"):
            verify(tiles, key=KEY)
        path.write_bytes(whole)
    for path in paths[:3]:
        path.write_bytes(bytes(len(path.read_bytes())))
    ((_, name, _, found),) = wrong(tiles)
    assert (name, found[:7]) == (paths[0].relative_to(tiles).as_posix(), "3 tiles")
