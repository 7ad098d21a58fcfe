"""Receipts are held against the signed log that a seat follows: what it refutes is raised before a seed leaves."""

from __future__ import annotations

import json

import pytest

from fairshoe.client import Client, WrongReceipt
from fairshoe.client.moments import Moments
from fairshoe.log.times import SECOND, timestamp

from ..service.place import at
from .test_explained import resigned

START = 1_700_000_000 * SECOND


def moment(seconds):
    return timestamp(START + int(seconds * SECOND))


def log(*seconds, kind="open"):
    return {n: json.dumps({"at": moment(at), "kind": kind}).encode() for n, at in enumerate(seconds)}


def held(form, size, lines):
    moments = Moments()
    moments.add("note", {"at": moment(form[0]), "before": form[1], "size": form[2]})
    wanted = moments.wanted(size)
    moments.hold(size, {number: line for number, line in lines.items() if number in wanted})
    return moments


@pytest.mark.parametrize(
    ("form", "size", "told"),
    [
        ((2.5, 3, 3), 3, ""),  # a step without an entry
        ((2.5, 3, 3), 5, ""),
        ((3, 3, 4), 5, ""),  # and with one
        ((3, 3, 5), 4, ""),  # the last of its own entries is not signed yet
        ((2, 3, 3), 5, "entry 2, which was there before"),
        ((1, 3, 3), 3, "entry 2, which was there before"),
        ((3.5, 3, 3), 5, "entry 3, which came then or later"),
        ((9, 3, 4), 4, "entry 3, which came then or later"),
        ((2.5, 7, 7), 5, "the log had 7 entries at"),
        ((3, 3, 7), 5, "the log had 7 entries at"),
        ((9, 7, 7), 5, ""),
    ],
)
def test_what_a_signed_log_refutes(form, size, told):
    lines = {n: line for n, line in log(0, 1, 2, 3, 4).items() if n < size}
    if told:
        with pytest.raises(WrongReceipt, match=told) as caught:
            held(form, size, lines)
        assert (caught.value.note, caught.value.fault) == ("note", "house")
    else:
        held(form, size, lines)


def test_own_entries_have_a_microsecond_each():
    lines = log(0, 1, 2, 3, 3.000001, 3.000002)
    held((3, 3, 7), 6, lines)
    with pytest.raises(WrongReceipt):
        held((3, 3, 7), 6, log(0, 1, 2, 3, 3.000001, 3.1))


def test_a_clock_that_was_set_back_before_a_start_is_no_lie():
    held((9, 3, 3), 4, log(0, 1, 2) | {3: log(0, 1, 2, 3, kind="start")[3]})


def test_a_receipt_waits_until_the_log_has_come_to_it():
    moments = held((3.5, 3, 3), 3, log(0, 1, 2))
    assert moments.wanted(5) == {2, 3, 4}
    with pytest.raises(WrongReceipt, match="entry 3, which came then or later"):
        moments.hold(5, {n: line for n, line in log(0, 1, 2, 3, 4).items() if n in (3, 4)})
    moments = held((2.5, 3, 3), 5, log(0, 1, 2, 3, 4))
    assert moments.wanted(6) == {5}


class Lying(Client):
    """A connection to a house whose answers say that the time is an hour on, the receipt too."""

    place = None

    def with_token(self, token):
        return type(self)(self.address, token)

    def _json(self, method, path, *more):
        answer = super()._json(method, path, *more)
        if method == "POST" and path.endswith("/hash") and self.place is not None:
            answer["at"] = "2099" + answer["at"][4:]
            resigned(self.place, answer, lambda form: form.update(at=answer["at"]))
        return answer


@pytest.mark.parametrize("lies", [True, False])
def test_no_seed_leaves_for_a_log_that_refutes_a_receipt(place, tmp_path, lies, monkeypatch):
    monkeypatch.setattr(Lying, "place", place if lies else None)
    place.operator.create_table("casino", table="t1")
    seats = [Lying(place.address).table("t1").sit(name, 1000, receipts=tmp_path / name) for name in ("alice", "bob")]
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    last = next(seat for seat in seats if (at(seat).next() or {}).get("do") == "seed")
    if lies:
        with pytest.raises(WrongReceipt, match=r"it is dated 2099-.*which came then or later"):
            last.contribute()
        assert place.of_kind("opened") == []
    else:
        last.contribute()
        assert len(place.of_kind("opened")) == 1
