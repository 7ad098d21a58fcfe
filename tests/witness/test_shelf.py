"""What a witness keeps of heads that it did not cosign."""

from __future__ import annotations

import base64
import os
import shutil

import pytest

from audit_cli.evidence.forks import check_fork, fork_of
from audit_cli.witness.http import create_app
from audit_cli.witness.shelf import FORK, MOST_HEADS, REFUSED
from fairshoe.log.note import open_note

from .logs import HOUSE, NAMESAKE, body, entries, head, note, submission_text, witness_in

SEEN = entries(8)


@pytest.fixture
def house(tmp_path):
    return House(tmp_path / "memory")


class House:
    """Submits what it likes to a witness that cosigned eight entries; each time the witness begins anew."""

    def __init__(self, memory):
        self.memory = memory
        assert self.post(body(0, SEEN)) == 200

    def post(self, data):
        with witness_in(self.memory) as witness:
            return create_app(witness).test_client().post("/add-checkpoint", data=data).status_code

    @property
    def kept(self):
        return sorted(self.memory.glob(f"logs/*/{REFUSED}/*"))

    @property
    def notes(self):
        return {(each / REFUSED).read_text() for each in self.kept}

    def forks(self):
        found = [fork_of(path.read_text()) for path in self.memory.glob(f"logs/*/{REFUSED}/*/{FORK}")]
        return [check_fork(fork, HOUSE.verifier) for fork in found]


def wrong(signed):
    """With a line that is no signature, or one that is another's: neither is kept."""
    data = base64.b64encode(NAMESAKE.verifier.id + bytes(64)).decode()
    return f"{signed}— {NAMESAKE.verifier.name} {data}\n"


@pytest.mark.parametrize(
    ("status", "lines", "data"),
    [
        (409, entries(12), body(3, entries(12))),
        (409, entries(5), body(5, entries(5))),
        (400, entries(5), body(8, entries(5))),
        (400, entries(12), submission_text(8, [bytes(32)] * 64, note(entries(12))).encode()),
        (400, entries(12), note(entries(12)).encode()),
        (400, entries(12), b"\xff\n\n" + note(entries(12)).encode()),
        (422, entries(12), submission_text(8, [], note(entries(12))).encode()),
        (422, entries(12, 3), body(8, entries(12, 3))),
        (409, entries(12), body(3, entries(12), wrong(note(entries(12))))),
    ],
)
def test_a_head_that_the_house_signed_is_kept_whatever_is_answered(house, status, lines, data) -> None:
    assert house.post(data) == status
    assert house.post(data) == status, "and once"
    assert house.notes == {note(lines)}
    assert open_note((house.kept[0] / "cosigned").read_text(), HOUSE.verifier) == head(SEEN).text
    assert not house.forks()


@pytest.mark.parametrize(
    "data",
    [
        body(3, entries(12), note(entries(12), NAMESAKE)),
        body(8, SEEN),
        body(3, SEEN),
        body(8, entries(12)).replace(b"\n\n", b"\n"),
        note(entries(12), NAMESAKE).encode(),
        b"",
    ],
)
def test_what_the_house_did_not_sign_or_was_cosigned_is_not_kept(house, data) -> None:
    house.post(data)
    assert not house.kept


@pytest.mark.parametrize(("old", "status"), [(3, 409), (8, 422), (99, 400)])
@pytest.mark.parametrize("size", [5, 12])
def test_two_kept_heads_of_one_size_convict_without_the_log(house, size, old, status) -> None:
    """Neither was cosigned, and none of them is of the size that was."""
    house.post(submission_text(old, [], note(entries(size))).encode())
    assert not house.forks()
    assert house.post(submission_text(old, [], note(entries(size, 2))).encode()) in (status, 400)
    ((one, other),) = house.forks()
    assert {one, other} == {head(entries(size)), head(entries(size, 2))}
    assert len(house.kept) == 2


def test_a_kept_head_convicts_the_one_that_was_cosigned_too(house) -> None:
    assert house.post(body(3, entries(8, 2))) == 409
    assert house.forks() == [(head(SEEN), head(entries(8, 2)))]


def test_the_oldest_that_show_nothing_make_room_and_what_convicts_stays(house) -> None:
    house.post(body(3, entries(8, 2)))
    with witness_in(house.memory) as witness:
        client = create_app(witness).test_client()
        for size in range(20, 20 + MOST_HEADS):
            client.post("/add-checkpoint", data=submission_text(0, [], note(entries(size))).encode())
    house.post(body(3, entries(500)))
    assert len(house.kept) == MOST_HEADS + 1
    assert note(entries(20)) not in house.notes
    assert {note(entries(8, 2)), note(entries(21)), note(entries(500))} <= house.notes


def test_a_house_that_signs_ever_more_histories_does_not_fill_the_disk(house) -> None:
    with witness_in(house.memory) as witness:
        client = create_app(witness).test_client()
        for number in range(MOST_HEADS + 5):
            lines = [*entries(7), f'{{"other":{number}}}'.encode()]
            assert client.post("/add-checkpoint", data=body(8, lines)).status_code == 422
    assert len(house.kept) == len(house.forks()) == MOST_HEADS


def test_what_a_killed_witness_left_half_written_is_no_evidence(house) -> None:
    house.post(body(3, entries(12)))
    (whole,) = house.kept
    half = whole.with_name("half")
    shutil.copytree(whole, half)
    os.rename(half / REFUSED, half / f"{REFUSED}.new")
    house.post(body(3, entries(12, 2)))
    assert house.notes == {note(entries(12)), note(entries(12, 2))}
    assert len(house.forks()) == 1


def test_a_kept_head_that_was_changed_since_is_not_compared(house) -> None:
    house.post(body(3, entries(12)))
    (kept,) = house.kept
    (kept / REFUSED).write_bytes(b"\xff")
    assert house.post(body(3, entries(12, 2))) == 409
    assert not house.forks()
