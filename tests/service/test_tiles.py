"""The service's tiles: for every size what they must be, made from what the journal stores."""

from __future__ import annotations

from itertools import pairwise

import pytest
from sqlalchemy import func, select

from fairshoe.cli import main
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.directory import read_lines, tiles_in
from fairshoe.log.tile_source import wrong_tiles
from fairshoe.log.tiles import Bundle, Tile, bundle_of, leaf_tile, subtree_root
from fairshoe.log.tree import inclusion_proof, tree_head
from fairshoe.protocol.merkle import check_inclusion, leaf_hash
from fairshoe.service.store.journal import read_head
from fairshoe.service.store.schema import nodes
from tests.audit.tiled import bundles_of, tiles_of

from .wire import call

pytestmark = pytest.mark.wire

SIZES = [1, 255, 256, 257, 65_536, 65_537]
ENTRIES = [b'{"n":%d}' % number for number in range(max(SIZES))]


def grow(house, size):
    """Append to the log until it has so many entries; they tell nothing of any table."""
    with house.database.begin_write() as connection:
        end = read_head(connection, hold=True)
        end.append(ENTRIES[end.tree.size : size], end.at + 1)
        end.write(connection)


def right(tile):
    """What stands in a tile, by its definition."""
    if isinstance(tile, Bundle):
        return bundle_of(ENTRIES[256 * tile.number :][: tile.width])
    if not tile.level:
        return leaf_tile(ENTRIES[256 * tile.number :][: tile.width])
    span = 256**tile.level
    starts = range(256 * tile.number * span, (256 * tile.number + tile.width) * span, span)
    return b"".join(subtree_root(list(map(leaf_hash, ENTRIES[start : start + span]))) for start in starts)


def assert_right(house, size, since=0):
    sequencer = house.sequencer
    for tile in (*tiles_of(size, since), *bundles_of(size, since)):
        assert sequencer.log.tile(tile) == right(tile), tile


def test_tiles_of_every_size(place):
    for since, size in pairwise([0, *SIZES]):
        grow(place.house, size)
        assert_right(place.house, size, since)
        signed = open_checkpoint(place.house.sequencer.log.checkpoint(), place.house.sequencer.signer.verifier)
        tree = place.house.sequencer.log.nodes(size)
        assert (signed.size, signed.root) == (size, tree_head(tree.node, size))
        for index in {0, 255, 256, size // 2, size - 1} & set(range(size)):
            check_inclusion(
                leaf_hash(ENTRIES[index]), index, size, inclusion_proof(tree.node, index, size), signed.root
            )
    assert_right(place.house, 255)
    with place.house.database.begin_read() as connection:
        stored = select(nodes.c.level, func.count()).group_by(nodes.c.level)
        assert list(connection.execute(stored)) == [(1, 256), (2, 1)]


def test_a_played_log_has_its_tiles(place):
    place.playing()
    lines = list(place.public.log())
    bundle = call(place, "GET", f"/tile/entries/000.p/{len(lines)}").body
    assert bundle == bundle_of(lines)
    tile = call(place, "GET", f"/tile/0/000.p/{len(lines)}").body
    assert tile == leaf_tile(lines)


def test_how_they_are_served(place):
    grow(place.house, 300)
    _, headers, note = call(place, "GET", "/checkpoint")
    assert note.decode() == place.house.sequencer.log.checkpoint()
    assert (headers["Content-Type"], headers["Cache-Control"]) == ("text/plain; charset=utf-8", "no-cache")
    for tile in (Tile(0, 0), Tile(0, 1, 44), Tile(0, 1, 1), Tile(1, 0, 1), Bundle(0), Bundle(1, 44), Bundle(0, 7)):
        _, headers, body = call(place, "GET", f"/{tile.path}")
        assert body == right(tile)
        assert headers["Content-Type"] == "application/octet-stream"
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert headers["Content-Encoding"] is None


NOT_THERE = [
    "tile/0/001.p/45",
    "tile/0/002.p/1",
    "tile/0/001",
    "tile/1/000",
    "tile/64/000.p/1",
    "tile/0/000.p/256",
    "tile/0/000.p/",
    "tile/0/0",
    "tile/entries/002.p/1",
    "tile/data/000",
    "tile/",
    "tile//0/000",
    "tile/0//000",
    "tile/0/%EF%BC%90%EF%BC%90%EF%BC%90",
    "tile/../checkpoint",
]
"""tests/log has the names that are none."""


def test_what_there_is_not(place):
    grow(place.house, 300)
    assert [path for path in NOT_THERE if call(place, "GET", f"/{path}").status != 404] == []


# `fairshoe backup --tiles`.


@pytest.fixture
def export(place, tmp_path, capsys):
    """Export from the service's data directory; gives the exit code, and what was printed."""

    def run(*more):
        source = more or ("--data", str(place.directory))
        code = main(["backup", "--tiles", str(tmp_path / "web"), *source])
        told = capsys.readouterr()
        return code, told.out + told.err

    run.directory = tmp_path / "web"
    return run


def assert_holds(directory, place, size):
    """The directory has what the service serves."""
    sequencer = place.house.sequencer
    signed = open_checkpoint((directory / "checkpoint").read_text(), sequencer.signer.verifier)
    assert signed.size == size
    assert (directory / "log.vkey").read_text() == f"{sequencer.signer.verifier}\n"
    for tile in (*tiles_of(size), *bundles_of(size)):
        assert (directory / tile.path).read_bytes() == sequencer.log.tile(tile)
    assert [line[:-1] for line in read_lines(directory)] == list(sequencer.log.lines(0, size))
    assert wrong_tiles(tiles_in(directory)) == []


def test_what_a_running_service_has_and_later_what_is_new(place, export):
    for since, size in ((0, 0), (0, 1), (1, 255), (255, 257), (257, 1000)):
        grow(place.house, size)
        code, text = export()
        assert code == 0, text
        assert f"holds {size:,} entries of {place.house.sequencer.signer.verifier.name} as tiles" in text
        assert f" as tiles, {size - since} new" in text
        assert_holds(export.directory, place, size)
    assert " 0 new" in export()[1]


def test_what_is_refused_is_explained(place, export, tmp_path):
    code, text = export("--data", str(tmp_path / "nothing"))
    assert (code, "no data here" in text) == (2, True)
    assert not (tmp_path / "nothing").exists()
    export.directory.mkdir()
    (export.directory / "index.html").write_text("<html>")
    code, text = export()
    assert (code, "holds something else" in text) == (2, True)
