"""`add-checkpoint` by the letter of c2sp.org/tlog-witness."""

from __future__ import annotations

import base64
import hashlib
import json
import threading

import pytest

from audit_cli.evidence.forks import check_fork, fork_of
from audit_cli.witness.http import create_app
from audit_cli.witness.shelf import MOST_HEADS
from audit_cli.witness.submission import MOST_BODY
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.log.cosignature import cosigned_at
from fairshoe.log.note import open_note
from fairshoe.log.tree import EMPTY_ROOT

from .logs import (
    HOUSE,
    NAMESAKE,
    OTHER,
    SECOND,
    TIME,
    WITNESS,
    body,
    entries,
    head,
    leaves,
    note,
    submission_text,
    witness_in,
)

SEEN = entries(8)
"""What was cosigned before each case."""
MORE = entries(20)
PROOF = leaves(MORE).consistency(8, 20)
HASH = base64.b64encode(bytes(32)).decode()


@pytest.fixture
def witness(tmp_path):
    with witness_in(tmp_path / "memory") as witness:
        yield witness


@pytest.fixture
def post(witness):
    client = create_app(witness).test_client()
    return lambda data: client.post("/add-checkpoint", data=data)


@pytest.fixture
def seen(post):
    assert post(body(0, SEEN)).status_code == 200


def wrong_signature(signed, signer=HOUSE):
    """The note with one more signature by this key that does not hold."""
    data = base64.b64encode(signer.verifier.id + bytes(64)).decode()
    return f"{signed}— {signer.verifier.name} {data}\n"


def extended(lines, *extensions):
    """A checkpoint with extension lines."""
    return HOUSE.sign(head(lines).text + "".join(f"{line}\n" for line in extensions))


def text_of(*, old="old 8", proof=PROOF, signed=None):
    lines = [old, *(base64.b64encode(each).decode() for each in proof), "", signed or note(MORE)]
    return "\n".join(lines).encode()


EMPTY = Checkpoint(HOUSE.verifier.name, 0, EMPTY_ROOT).signed(HOUSE)
GOOD = {
    "it extends": body(8, MORE),
    "the same again": body(8, SEEN),
    "extension lines": text_of(signed=extended(MORE, "extension", "another")),
    "several signatures": text_of(signed=wrong_signature(note(MORE), OTHER)),
    "a namesake's signature": text_of(signed=wrong_signature(note(MORE), NAMESAKE)),
    "sixteen long signatures": text_of(
        signed=note(MORE) + "".join(f"— w{n} {base64.b64encode(bytes(4_900)).decode()}\n" for n in range(16))
    ),
}
REFUSED = {
    "another log": (404, text_of(signed=note(MORE, OTHER))),
    "another log, another's signature": (404, text_of(signed=OTHER.sign(head(MORE, origin="third.example").text))),
    "another key of that name": (403, text_of(signed=note(MORE, NAMESAKE))),
    "another name's signature": (403, text_of(signed=OTHER.sign(head(MORE).text))),
    "a wrong signature": (403, text_of(signed=wrong_signature(head(MORE).text + "\n"))),
    "a right signature and a wrong one": (403, text_of(signed=wrong_signature(note(MORE)))),
    "a short signature": (
        403,
        text_of(
            signed=f"{head(MORE).text}\n— {HOUSE.verifier.name} {base64.b64encode(HOUSE.verifier.id + b'x').decode()}\n"
        ),
    ),
    "unsigned before its old size": (403, text_of(old="old 99", signed=note(MORE, NAMESAKE))),
    "an old size above the checkpoint's": (400, text_of(old="old 21")),
    "an old size above the checkpoint's, smaller": (400, body(8, entries(7), note(entries(7)))),
    "another old size": (409, body(7, MORE)),
    "no old size known": (409, body(0, MORE)),
    "smaller": (409, body(5, entries(7))),
    "smaller, another history": (409, body(5, entries(7, 3))),
    "a wrong empty tree": (
        409,
        text_of(old="old 0", proof=[], signed=Checkpoint(HOUSE.verifier.name, 0, bytes(32)).signed(HOUSE)),
    ),
    "no proof": (422, text_of(proof=[])),
    "a proof too short": (422, text_of(proof=PROOF[:-1])),
    "a proof too long": (422, text_of(proof=[*PROOF, bytes(32)])),
    "63 proof lines": (422, text_of(proof=[bytes(32)] * 63)),
    "another history": (422, body(8, entries(20, 3))),
    "another history, the right one's proof": (422, text_of(signed=note(entries(20, 3)))),
    "the same size, another history": (422, body(8, entries(8, 3))),
    "the same size with a proof": (422, text_of(proof=[bytes(32)], signed=note(SEEN))),
    "64 proof lines": (400, text_of(proof=[bytes(32)] * 64)),
    "nothing": (400, b""),
    "no old size": (400, body(8, MORE).partition(b"\n")[2]),
    "a leading zero": (400, text_of(old="old 08")),
    "a sign": (400, text_of(old="old -8")),
    "two spaces": (400, text_of(old="old  8")),
    "a carriage return": (400, text_of(old="old 8\r")),
    "other digits": (400, text_of(old="old ٨")),
    "an absurd size": (400, text_of(old="old " + "9" * 4_000)),
    "a proof line that is no base64": (400, body(8, MORE).replace(b"\n", b"\n!!!\n", 1)),
    "a proof line of 31 bytes": (400, text_of(proof=[bytes(31)])),
    "a proof line spelled otherwise": (400, body(8, MORE).replace(b"=\n", b"=\r\n", 1)),
    "no checkpoint": (400, b"old 8\n\n"),
    "no empty line": (400, body(8, MORE).replace(b"\n\n", b"\n")),
    "an unsigned checkpoint": (400, text_of(signed=head(MORE).text)),
    "a checkpoint without a size": (400, text_of(signed=HOUSE.sign("house.example/log\n\nx\n"))),
    "an empty extension line": (400, text_of(signed=HOUSE.sign(head(MORE).text + "\nmore\n"))),
    "a control character": (400, text_of(signed=HOUSE.sign(head(MORE).text + "a\tb\n"))),
    "a signature line that is none": (400, text_of(signed=note(MORE) + "x\n")),
    "no last line feed": (400, text_of(signed=note(MORE)[:-1])),
    "not UTF-8": (400, b"\xff" + body(8, MORE)),
    "a body too long": (413, body(8, MORE) + b"x" * MOST_BODY),
}


@pytest.mark.parametrize("data", GOOD.values(), ids=GOOD)
def test_what_extends_is_cosigned(post, seen, data: bytes) -> None:
    answer = post(data)
    assert (answer.status_code, answer.text.count("\n")) == (200, 1)
    assert answer.text.startswith(f"— {WITNESS.key.name} ")
    signed = data.decode().partition("\n\n")[2]
    assert cosigned_at(signed + answer.text, WITNESS.key) == TIME


@pytest.mark.parametrize(("status", "data"), REFUSED.values(), ids=REFUSED)
def test_everything_else_is_refused_by_its_code(post, seen, witness, status: int, data: bytes) -> None:
    before = witness.memory.logs[HOUSE.verifier.name].note
    answer = post(data)
    assert answer.status_code == status, answer.text
    assert not answer.text.startswith("—")
    assert (answer.content_type == "text/x.tlog.size") == (status == 409)
    if status == 409:
        assert answer.data == b"8\n"
    assert witness.memory.logs[HOUSE.verifier.name].note == before
    assert post(body(8, MORE)).status_code == 200


@pytest.mark.parametrize(
    ("status", "data"),
    [
        (200, text_of(old="old 0", proof=[], signed=EMPTY)),
        (200, body(0, MORE)),
        (422, text_of(old="old 0", proof=[], signed=Checkpoint(HOUSE.verifier.name, 0, bytes(32)).signed(HOUSE))),
        (422, text_of(old="old 0")),
        (422, text_of(old="old 0", proof=[bytes(32)], signed=EMPTY)),
        (409, body(8, MORE)),
    ],
)
def test_the_first_checkpoint_of_a_log(post, status: int, data: bytes) -> None:
    answer = post(data)
    assert answer.status_code == status
    assert status != 409 or answer.data == b"0\n"


def test_after_an_empty_log_a_first_entry(post) -> None:
    assert post(text_of(old="old 0", proof=[], signed=EMPTY)).status_code == 200
    assert post(body(0, MORE)).status_code == 200
    assert post(text_of(old="old 0", proof=[], signed=EMPTY)).data == b"20\n"


def test_only_post_and_only_there(witness) -> None:
    client = create_app(witness).test_client()
    assert client.get("/add-checkpoint").status_code == 405
    assert client.post("/other").status_code == 404
    assert client.get("/").text == f"{WITNESS.key}\n"


def test_monitors_get_the_last_checkpoint_with_both_signatures(witness, post) -> None:
    client = create_app(witness).test_client()
    place = f"/{hashlib.sha256(HOUSE.verifier.name.encode()).hexdigest()}/checkpoint"
    assert client.get(place).status_code == 404
    for old, lines in ((0, SEEN), (8, MORE)):
        line = post(body(old, lines, wrong_signature(note(lines), OTHER))).text
        shown = client.get(place)
        assert (shown.status_code, shown.text) == (200, note(lines) + line)
        assert open_note(shown.text, HOUSE.verifier) == head(lines).text
    assert client.get(f"/{'0' * 64}/checkpoint").status_code == 404


def test_two_heads_of_one_size_are_kept_as_what_convicts(post, seen, tmp_path) -> None:
    lines = entries(8, 3)
    assert post(body(8, lines)).status_code == 422
    assert post(body(8, lines)).status_code == 422
    (kept,) = (tmp_path / "memory").glob("logs/*/refused/*")
    assert (kept / "refused").read_text() == note(lines)
    assert open_note((kept / "cosigned").read_text(), HOUSE.verifier) == head(SEEN).text
    check_fork(fork_of((kept / "fork.json").read_text()), HOUSE.verifier)


def test_proofs_that_lead_nowhere_do_not_fill_the_disk(post, seen, tmp_path) -> None:
    for number in range(9, 9 + MOST_HEADS + 30):
        assert post(submission_text(8, [], note(entries(number))).encode()).status_code == 422
    kept = list((tmp_path / "memory").glob("logs/*/refused/*/refused"))
    sizes = sorted(checkpoint_of(each.read_text()).size for each in kept)
    assert sizes == list(range(39, 39 + MOST_HEADS)), "the newest"
    assert post(body(8, entries(8, 3))).status_code == 422
    assert len(list((tmp_path / "memory").glob("logs/*/refused/*/fork.json"))) == 1


def test_of_many_at_once_none_rolls_another_back(witness, post, tmp_path) -> None:
    """Each thread submits what extends the size that it last heard of; the cosigned sizes only ever grow."""
    lines = entries(200)
    cosigned: list[int] = []
    bodies = {
        (old, new): body(old, lines[:new]) for old in range(0, 200, 10) for new in (old + 10, old + 20) if new <= 200
    }

    def submit() -> None:
        old = 0
        for (before, new), data in bodies.items():
            if before >= old and post(data).status_code == 200:
                cosigned.append(new)
                old = new

    threads = [threading.Thread(target=submit) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(cosigned) == 200
    log = witness.memory.logs[HOUSE.verifier.name]
    assert log.seen == head(lines)
    with_file = next((tmp_path / "memory").glob("logs/*/checkpoint")).read_text()
    assert with_file == log.note


def test_the_time_never_goes_back(tmp_path) -> None:
    times = iter((TIME, TIME - 50, 0))
    with witness_in(tmp_path / "memory", clock=lambda: next(times)) as witness:
        client = create_app(witness).test_client()
        for old, lines in ((0, SEEN), (8, SEEN), (8, MORE)):
            line = client.post("/add-checkpoint", data=body(old, lines)).text
            assert cosigned_at(note(lines) + line, WITNESS.key) == TIME


def test_two_logs_are_two_memories(tmp_path) -> None:
    with witness_in(tmp_path / "memory", HOUSE.verifier, OTHER.verifier, cosigner=SECOND) as witness:
        client = create_app(witness).test_client()
        assert client.post("/add-checkpoint", data=body(0, SEEN)).status_code == 200
        others = entries(5, 0)
        assert client.post("/add-checkpoint", data=body(0, others, note(others, OTHER))).status_code == 200
        assert client.post("/add-checkpoint", data=body(8, MORE)).status_code == 200
    assert json.dumps(sorted(witness.memory.logs)) == '["house.example/log", "other.example"]'
