"""Inclusion proofs from a log's tiles, to hashing one entry; served tiles, to the smallest request."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random

from flask.testing import FlaskClient

from fairshoe.log.tiles import HASH, WIDTH, Bundle, Tile, TiledTree, subtree_root
from fairshoe.log.tree import check_inclusion, inclusion_proof, leaf_hash, tree_head
from fairshoe.service.app import create_app
from fairshoe.service.house import open_house
from fairshoe.service.store.journal import append, read_head

from .timing import compared

SIZES = (1_000, 10_000, 100_000, 1_000_000)
TIMES = 50
ENTRY = b"e" * 300
SERVED = 70_000
BATCH = 10_000


def entries() -> Iterator[bytes]:
    number = 0
    while True:
        yield b"%08d" % number + ENTRY[8:]
        number += 1


def levels_of(size: int) -> list[bytes]:
    """The hashes of each level of tiles, one after the other."""
    levels = [list(map(leaf_hash, islice(entries(), size)))]
    while len(levels[-1]) >= WIDTH:
        below = levels[-1]
        levels.append([subtree_root(below[i : i + WIDTH]) for i in range(0, len(below) - WIDTH + 1, WIDTH)])
    return [b"".join(level) for level in levels]


def proofs(size: int) -> None:
    levels = levels_of(size)

    def read(tile: Tile) -> bytes:
        start = tile.number * WIDTH * HASH
        return levels[tile.level][start : start + tile.width * HASH]

    indexes = Random(size).sample(range(size), TIMES)
    leaves = [levels[0][index * HASH : (index + 1) * HASH] for index in indexes]
    root = tree_head(TiledTree(size, read).node, size)

    def make() -> list[list[bytes]]:
        """Each from tiles that nobody has read yet."""
        return [inclusion_proof(TiledTree(size, read).node, index, size) for index in indexes]

    made = make()

    def check() -> None:
        for leaf, index, proof in zip(leaves, indexes, made, strict=True):
            check_inclusion(leaf, index, size, proof, root)

    def hash_entries() -> None:
        for _ in range(100 * TIMES):
            leaf_hash(ENTRY)

    making, _, ratio = compared(make, hash_entries)
    checking, _, check_ratio = compared(check, hash_entries)
    print(
        f"inclusion proof of {size:9,} entries: {max(map(len, made)):2} hashes, made in "
        f"{1e6 * making / TIMES:6.0f} µs, {100 * ratio:5.0f} times the hash of an entry; checked in "
        f"{1e6 * checking / TIMES:4.0f} µs, {100 * check_ratio:4.0f} times"
    )


@contextmanager
def service() -> Iterator[FlaskClient]:
    with tempfile.TemporaryDirectory() as folder:
        house = open_house(Path(folder) / "data")
        made = entries()
        for _ in range(SERVED // BATCH):
            with house.database.writing() as connection:
                end = read_head(connection, hold=True)
                append(connection, end, islice(made, BATCH), end.at + 1)
        yield create_app(house.sequencer).test_client()
        house.database.close()


def served(client: FlaskClient) -> None:
    def asking(path: str, **headers: str) -> Callable[[], None]:
        def ask() -> None:
            for _ in range(TIMES):
                if client.get(path, headers=headers).status_code != 200:
                    raise SystemExit(f"the benchmark's service has no {path}")

        return ask

    plain = asking("/")
    gzip = {"Accept-Encoding": "gzip"}
    asked = {
        "the checkpoint": asking("/checkpoint"),
        "a tile of level 0": asking(f"/{Tile(0, 100).path}"),
        "a tile of level 1": asking(f"/{Tile(1, 0).path}"),
        "a bundle": asking(f"/{Bundle(100).path}"),
        "a bundle, gzip": asking(f"/{Bundle(100).path}", **gzip),
    }
    for name, ask in asked.items():
        a, b, ratio = compared(ask, plain, repeats=5)
        a, b = 1e3 * a / TIMES, 1e3 * b / TIMES
        print(f"served, {name:18}: {a:6.2f} ms, GET / {b:5.2f} ms: {ratio:5.2f} times its time")


def run() -> None:
    for size in SIZES:
        proofs(size)
    with service() as client:
        served(client)
