"""What we export and prove is read by software that is not ours: the Go project's packages for transparency logs."""

from __future__ import annotations

import random
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.log.directory import CHECKPOINT, VERIFIER, tiles_in, write_log
from fairshoe.log.note import Signer
from fairshoe.log.tiles import TiledTree
from fairshoe.log.tree import consistency_proof, inclusion_proof, tree_head
from tests.audit.tiled import export_copy
from tests.everything import everything
from tests.house import honest

from .building import built

SIGNER = Signer("fairshoe.test/foreign", bytes(range(32)))
PROOFS = 60

Check = Callable[[Path], subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """The program check.go."""
    program = built(Path(__file__).with_name("check.go"), tmp_path_factory.mktemp("go"))

    def run(log: Path) -> subprocess.CompletedProcess[str]:
        command = [program, log, (log / VERIFIER).read_text().strip(), log.with_suffix(".proofs")]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


def exported(lines: Iterator[bytes], folder: Path) -> Path:
    """The log, exported, with proofs in a file beside it."""
    write_log(folder / "log", lines, SIGNER)
    export_copy(folder / "log", folder / "tiles")
    write_proofs(folder / "tiles")
    return folder / "tiles"


def write_proofs(directory: Path) -> None:
    """Inclusion and consistency proofs into the tree of an exported log, all of them or some."""
    source, chance = tiles_in(directory), random.Random(6962)
    node, size = TiledTree(source.size, source.tile).node, source.size
    edges = [index for index in (0, 1, 255, 256, 257, 65_535, 65_536, size - 1) if index < size]
    some = sorted({*edges, *chance.sample(range(size), min(size, PROOFS))})
    with open(directory.with_suffix(".proofs"), "w", encoding="ascii") as file:
        for index in some:
            hashes = [node(0, index), *inclusion_proof(node, index, size)]
            print("record", index, *(b64encode(each).decode() for each in hashes), file=file)
        for old in (index + 1 for index in some):
            hashes = [tree_head(node, old), *consistency_proof(node, old, size)]
            print("tree", old, *(b64encode(each).decode() for each in hashes), file=file)


def accepted(done: subprocess.CompletedProcess[str], size: int) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{size} entries, ")


def played() -> Iterator[bytes]:
    return iter(honest("casino", 100).lines)


def test_a_log_of_70_000_entries_and_its_proofs_are_accepted(check: Check, tmp_path: Path) -> None:
    """The entries are those of a game that was played, again and again: the tree knows nothing of games."""
    tiles = exported(islice(cycle(played()), 70_000), tmp_path)
    done = check(tiles)
    accepted(done, 70_000)
    inclusion, consistency = (int(part.split()[0]) for part in done.stdout.strip().split(", ")[1:])
    assert inclusion == consistency >= PROOFS
    names = {path.relative_to(tiles).as_posix() for path in tiles.rglob("*") if path.is_file()}
    assert len([name for name in names if name.startswith("tile/entries/")]) == 274
    assert {"tile/0/272", "tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1"} < names


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 512])
def test_logs_of_every_shape_are_accepted(size: int, check: Check, tmp_path: Path) -> None:
    accepted(check(exported(islice(cycle(played()), size), tmp_path)), size)


def test_a_log_that_grew_between_exports_is_accepted(check: Check, tmp_path: Path) -> None:
    lines = list(islice(cycle(played()), 1000))
    for size in (1, 100, 256, 300, 511, 512, 513, 1000):
        accepted(check(exported(iter(lines[:size]), tmp_path)), size)


def test_a_log_of_every_game_is_accepted(check: Check, tmp_path: Path) -> None:
    lines = everything().lines
    accepted(check(exported(iter(lines), tmp_path)), len(lines))


def test_one_changed_byte_is_refused(check: Check, tmp_path: Path) -> None:
    tiles = exported(islice(cycle(played()), 600), tmp_path)
    chance = random.Random(1)
    for path in sorted(path for path in tiles.rglob("*") if path.is_file() and path.name != VERIFIER):
        whole = path.read_bytes()
        loose = 2 if path.name == CHECKPOINT else 0  # the last bits of base64 mean nothing
        for place in chance.sample(range(len(whole) - 1 - loose), min(12, len(whole) - 1 - loose)):
            changed = bytearray(whole)
            changed[place] ^= 1 << chance.randrange(8)
            path.write_bytes(changed)
            assert check(tiles).returncode != 0, (path, place)
        path.write_bytes(whole)
    accepted(check(tiles), 600)


def test_a_wrong_proof_is_refused(check: Check, tmp_path: Path) -> None:
    tiles = exported(islice(cycle(played()), 300), tmp_path)
    proofs = tiles.with_suffix(".proofs")
    lines = proofs.read_text().splitlines(keepends=True)
    for number in range(0, len(lines), 7):
        words = lines[number].split()
        if words[1] != "300":  # a tree is consistent with itself without a proof
            wrong = " ".join([*words[:3], *words[4:]]) + "\n"
            proofs.write_text("".join([*lines[:number], wrong, *lines[number + 1 :]]))
            assert check(tiles).returncode != 0, words[:2]


def test_another_key_is_refused(check: Check, tmp_path: Path) -> None:
    tiles = exported(islice(cycle(played()), 300), tmp_path)
    signed = checkpoint_of((tiles / CHECKPOINT).read_text())
    other = Signer(SIGNER.verifier.name, bytes(32))
    (tiles / CHECKPOINT).write_text(Checkpoint(*signed).signed(other))
    assert check(tiles).returncode != 0
