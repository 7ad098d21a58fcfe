"""A log as tiles (c2sp.org/tlog-tiles): which there are, what they are called, what stands in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairshoe.errors import LogError
from fairshoe.log.tiles import (
    HASH,
    Bundle,
    Subtree,
    Tile,
    TiledTree,
    bundle_of,
    completed_subtrees,
    entries_of,
    is_in,
    leaf_tile,
    named,
    subtree_root,
    tile_at,
)
from fairshoe.log.tree import Tree, check_consistency, consistency_proof, inclusion_proof, tree_head
from fairshoe.protocol.merkle import check_inclusion, leaf_hash
from tests.audit.tiled import bundles_of, tiles_of

SIZES = [1, 2, 255, 256, 257, 511, 512, 65_536, 65_537, 70_000]
ENTRIES = [b'{"n":%d}' % number for number in range(max(SIZES))]


def level(number: int) -> list[bytes]:
    """All hashes of one level of tiles."""
    hashes = list(map(leaf_hash, ENTRIES))
    for _ in range(number):
        hashes = [subtree_root(hashes[i : i + 256]) for i in range(0, len(hashes) - 255, 256)]
    return hashes


LEVELS = [level(0), level(1), level(2)]


def read(tile: Tile) -> bytes:
    return b"".join(LEVELS[tile.level][256 * tile.number :][: tile.width])


def test_the_example_of_the_specification() -> None:
    """A tree of 70,000 entries, and one of 256."""
    tiles = list(tiles_of(70_000))
    by_level = [[tile for tile in tiles if tile.level == level] for level in range(3)]
    assert [len(each) for each in by_level] == [274, 2, 1]
    assert [each[-1].width for each in by_level] == [112, 17, 1]
    assert [tile.path for tile in tiles_of(256)] == ["tile/0/000", "tile/1/000.p/1"]
    assert Tile(0, 1_234_067).path == "tile/0/x001/x234/067"
    assert Bundle(1_234_067, 3).path == "tile/entries/x001/x234/067.p/3"


@pytest.mark.parametrize("size", SIZES)
def test_every_size(size: int) -> None:
    tiles = list(tiles_of(size))
    for tile in tiles:
        assert 1 <= tile.width <= 256
        assert tile == tile_at(tile.level, tile.number, size)
    assert sum(tile.width for tile in tiles if tile.level == 0) == size
    tree = Tree()
    for entry in ENTRIES[:size]:
        tree.append(entry)
    tiled = TiledTree(size, read)
    assert tree_head(tiled.node, size) == tree.root
    for index in {0, 1, 254, 255, 256, 257, size // 2, size - 1} & set(range(size)):
        proof = inclusion_proof(tiled.node, index, size)
        check_inclusion(leaf_hash(ENTRIES[index]), index, size, proof, tree.root)
    for old in {1, 2, 255, 256, 257, 65_535, 65_536, size // 2, size} & set(range(1, size + 1)):
        check_consistency(old, tree_head(tiled.node, old), size, tree.root, consistency_proof(tiled.node, old, size))


def test_bundles_go_there_and_back() -> None:
    entries = [b"", b"x", ENTRIES[7], bytes(65_535)]
    data = bundle_of(entries)
    assert data[:5] == b"\x00\x00\x00\x01x"
    assert entries_of(data, 4) == entries
    assert leaf_tile(entries) == b"".join(map(leaf_hash, entries))
    for spoiled, width in ((data, 3), (data, 5), (data[:-1], 4), (data + b"\x00", 4), (b"", 1), (b"\x00", 1)):
        with pytest.raises(LogError, match="not a bundle"):
            entries_of(spoiled, width)
    with pytest.raises(LogError, match="too long"):
        bundle_of([bytes(65_536)])


@pytest.mark.parametrize("size", SIZES)
def test_a_path_names_its_tile_and_every_other_text_none(size: int) -> None:
    of_log = {*tiles_of(size), *bundles_of(size)}
    for tile in (*of_log, Tile(63, 999), Tile(9, 1_234_067, 1), Bundle(10**12, 255)):
        assert named(tile.path) == tile
        assert is_in(tile, size) == (tile in of_log)
    for path in WRONG_PATHS:
        assert named(path) is None


WRONG_PATHS = [
    *(f"tile/{path}" for path in ("64/000", "00/000", "-1/000", "entry/000", "entries/x000/001")),
    *(f"tile/0/{path}" for path in ("", "00", "0000", "x000/000", "x001", "001/002", "x001/x002", "٠٠٠", "000.P/1")),
    *(f"tile/0/000.p{part}" for part in ("", "/", "/0", "/256", "/01", "/1/", "/-1")),
    *("/tile/0/000", "TILE/0/000"),
]


def test_an_entry_completes_the_subtrees_of_the_levels_above() -> None:
    tree = Tree()
    found: list[Subtree] = []
    for entry in ENTRIES[:65_537]:
        found += completed_subtrees(tree, entry)
        tree.append(entry)
    assert [node.hash for node in found if node.level == 1] == LEVELS[1][:256]
    assert [node for node in found if node.level > 1] == [Subtree(2, 0, LEVELS[2][0])]
    assert [node.number for node in found if node.level == 1] == list(range(256))


@pytest.mark.parametrize("spoil", [lambda data: data[:-1], lambda data: data + bytes(HASH), lambda data: b""])
def test_a_tile_of_another_length_is_refused(spoil: Callable[[bytes], bytes]) -> None:
    tiled = TiledTree(300, lambda tile: spoil(read(tile)))
    with pytest.raises(LogError, match="another length"):
        inclusion_proof(tiled.node, 299, 300)


def test_a_node_that_is_not_there_is_refused() -> None:
    with pytest.raises(LogError, match="no such node"):
        TiledTree(300, read).node(0, 300)
