"""Tiles that stand beside a `log.jsonl`, and older partial tiles: what is there is compared with the log."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from audit_cli.findings.report import Report
from audit_cli.verify import verify
from fairshoe.errors import NotALog
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.export import export
from fairshoe.log.tile_source import TileCheck
from fairshoe.log.tree import Leaves
from tests.house import SIGNER, honest

from .planting import KEY

LINES = honest("casino", 250).lines
LEAVES = Leaves()
LEAVES.extend(LINES)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with its tiles as several exports left them."""
    for size in (5, 200, 300, 301, len(LINES)):
        note = Checkpoint(SIGNER.verifier.name, size, LEAVES.root(size)).signed(SIGNER)
        export(tmp_path / "tiles", note, SIGNER.verifier, lambda start, stop: iter(LINES[start:stop]))
    write_log(tmp_path / "log", LINES, SIGNER)
    shutil.copytree(tmp_path / "tiles" / "tile", tmp_path / "log" / "tile")
    return tmp_path / "log"


def wrong(log: Path) -> list[tuple[str, str | None, str]]:
    report = verify(log, key=KEY)
    assert report.failed == bool(report.findings)
    return [(finding.code, finding.field, finding.fault) for finding in report.findings]


def told(directory: Path) -> tuple[str | None, str]:
    """Which tile is told, and of a directory that is called how: a tile of the log of another length is none at all."""
    try:
        ((code, name, fault),) = wrong(directory)
    except NotALog as error:
        assert directory.name == "tiles"
        return Path(error.where).relative_to(directory).as_posix(), directory.name
    return name if (code, fault) == ("tile-differs", "unknown") else code, directory.name


def tiles_in(log: Path) -> list[str]:
    return sorted(path.relative_to(log).as_posix() for path in (log / "tile").rglob("*") if path.is_file())


def test_the_tiles_of_several_exports_are_those_of_the_log(log: Path) -> None:
    assert {"tile/0/000.p/5", "tile/0/000", "tile/entries/000.p/200", "tile/0/001.p/45"} <= set(tiles_in(log))
    assert wrong(log) == wrong(log / "log.jsonl") == wrong(log.with_name("tiles")) == []


@pytest.mark.parametrize("place", ["log", "tiles"])
def test_one_changed_byte_of_any_tile_is_told(place: str, log: Path) -> None:
    """Of level 0 and 1, of bundles, full ones, the last ones and older partial ones."""
    directory, chance = log.with_name(place), random.Random(8)
    used = {f"tile/entries/{len(LINES) // 256:03}.p/{len(LINES) % 256}", *(f"tile/entries/{n:03}" for n in range(9))}
    for name in tiles_in(directory):
        if place == "tiles" and name in used:
            continue  # there the entries themselves are changed
        whole = (directory / name).read_bytes()
        at = chance.randrange(len(whole))
        for data in (whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], whole[:-1], whole + b"x", b""):
            (directory / name).write_bytes(data)
            assert told(directory) == (name, place)
        (directory / name).write_bytes(whole)
    assert wrong(directory) == []


def test_how_many_differ_is_told(log: Path) -> None:
    for name in tiles_in(log)[:3]:
        (log / name).write_bytes(bytes(32))
    (finding,) = verify(log, key=KEY).findings
    assert (finding.field, finding.found) == ("tile/0/000.p/5", "3 tiles that differ; this one is the first")


def test_what_is_not_there_is_not_missed_beside_a_log(log: Path) -> None:
    for name in tiles_in(log)[::2]:
        (log / name).unlink()
    assert wrong(log) == []


def test_tiles_of_more_entries_are_compared_as_far_as_the_log_goes(log: Path, tmp_path: Path) -> None:
    write_log(tmp_path / "shorter", LINES[:290], SIGNER)
    shutil.copytree(log / "tile", tmp_path / "shorter" / "tile")
    assert wrong(tmp_path / "shorter") == []
    for name in ("tile/0/001", "tile/entries/001"):
        place = tmp_path / "shorter" / name
        whole = place.read_bytes()
        place.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
        assert wrong(tmp_path / "shorter") == [("tile-differs", name, "unknown")]
        place.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert wrong(tmp_path / "shorter") == []
        place.write_bytes(whole)


def test_where_the_log_was_changed_its_tiles_follow_from_that(log: Path) -> None:
    lines = [*LINES[:40], LINES[40].replace(b'"at":"2', b'"at":"3'), *LINES[41:]]
    (log / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    groups = verify(log, key=KEY).groups
    assert "tile-differs" not in [group.code.code for group in groups]
    assert any("tile-differs" in group.follows for group in groups)


def test_what_cannot_be_read_or_compared_is_no_silence_and_no_crash(log: Path) -> None:
    (log / "tile/0/000.p/7").mkdir()
    (log / "tile/0/000.p/junk").write_text("x")
    assert wrong(log) == [("tile-differs", "tile/0/000.p/7", "unknown")]
    check = TileCheck(log)
    check.take(b"x" * (1 << 17))
    for line in LINES:
        check.take(line)
    check.finish()
    assert check.wrong is None


def test_a_directory_that_is_called_tile_and_has_none_is_no_matter(tmp_path: Path) -> None:
    write_log(tmp_path / "log", LINES[:20], SIGNER)
    (tmp_path / "log" / "tile").mkdir()
    assert not verify(tmp_path / "log", key=KEY).failed
    assert isinstance(verify(tmp_path / "log"), Report)
