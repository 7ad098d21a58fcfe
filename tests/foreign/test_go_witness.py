"""Our service is witnessed by a witness on the Go project's packages, and it opens what our cosignatures say."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import pytest

from fairshoe.log.checkpoint import checkpoint_of, cosigned_at
from fairshoe.log.tree import EMPTY_ROOT
from fairshoe.service.house import open_house
from tests.witness.logs import HOUSE, SECOND, TIME, WITNESS, body, entries, head, note
from tests.witness.test_service import Service, misbehaving

from .building import built


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory):
    """The program: what it says to these words, given this on standard input."""
    program = built(Path(__file__).with_name("witness.go"), tmp_path_factory.mktemp("go"))

    def run(text, *words):
        done = subprocess.run([program, *map(str, words)], input=text.encode(), capture_output=True, check=False)
        return done.returncode, done.stdout.decode()

    return run


def cosign(witness, text, verifier, size, root):
    seed = "77" * 32
    return witness(text, "cosign", verifier, WITNESS.key.name, seed, size, base64.b64encode(root).decode())


def test_a_service_is_cosigned_by_a_foreign_witness(tmp_path: Path, witness) -> None:
    house = open_house(tmp_path / "data")
    house.database.close()
    verifier = house.sequencer.signer.verifier
    seen, asked = [(0, EMPTY_ROOT)], []

    def answer(handler, text):
        asked.append(text)
        if not text.startswith(f"old {seen[-1][0]}\n"):
            handler.say(409, f"{seen[-1][0]}\n", **{"Content-Type": "text/x.tlog.size"})
            return
        code, line = cosign(witness, text, verifier, *seen[-1])
        if not code:
            seen.append(checkpoint_of(text.partition("\n\n")[2])[1:])
        handler.say(422 if code else 200, line)

    with misbehaving(answer) as address, Service(tmp_path / "data", (address, WITNESS)) as service:
        for count in (1, 3, 4):
            for _ in range(count):
                service.grow_again(house.token)
            service.until_cosigned(WITNESS)
    assert len(seen) > 3
    assert any(text.split("\n\n")[0].count("\n") for text in asked)


@pytest.mark.parametrize(("old", "new"), [(0, 1), (1, 2), (7, 20), (8, 20), (255, 300), (256, 300), (300, 300)])
def test_it_judges_our_submissions_as_we_do(witness, old: int, new: int) -> None:
    root = head(entries(old)).root
    code, line = cosign(witness, body(old, entries(new)), HOUSE.verifier, old, root)
    assert code == 0
    assert cosigned_at(note(entries(new)) + line, WITNESS.key)
    if old:
        assert cosign(witness, body(old, entries(new, 0)), HOUSE.verifier, old, root)[0] == 1


def test_it_opens_what_our_witness_cosigned(witness) -> None:
    signed = note(entries(20))
    text = head(entries(20)).text
    cosigned = signed + WITNESS.cosign(text, TIME)
    public = WITNESS.key.public.hex()
    assert witness(cosigned, "open", WITNESS.key.name, public) == (0, text)
    for changed in (signed, signed + SECOND.cosign(text, TIME), cosigned.replace("\n20\n", "\n21\n")):
        assert witness(changed, "open", WITNESS.key.name, public)[0] == 1
