"""Whose key counts: the one that the browser remembers, before any other of its name, until the reader says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import build_proof, proof_text
from fairshoe.log.note import Signer
from tests.audit.proofs import ROUND, entries_for, note_over, played, proven
from tests.house import SIGNER

from .conftest import Readers
from .reading import KEY, Reader, said, serving, statuses, written

ROUND_NAME = f"casino#{ROUND}"
NAME = SIGNER.verifier.name
OTHER = Signer(NAME, b"\x07" * 32)
"""A second key that goes by the same name."""


def signed(signer: Signer, extension: str = "") -> bytes:
    """The proof of a hand by this key, with another line in what is signed."""
    lines = played("casino")
    _, leaves = note_over(lines, signer)
    text = Checkpoint(signer.verifier.name, len(lines), leaves.root(len(lines))).text
    note = signer.sign(text + extension)
    return proof_text(build_proof(ROUND_NAME, note, list(entries_for(lines, ROUND_NAME)), leaves.node)).encode()


@pytest.fixture
def knowing(readers: Readers) -> Reader:
    """Somebody whose browser remembers the house's key."""
    reader = readers().open(serving(proven("casino"), KEY))
    reader.told("pass")
    return reader


def kept(reader: Reader) -> str:
    found = reader.page.evaluate("name => localStorage.getItem(`fairshoe.key ${name}`)", NAME)
    assert isinstance(found, str)
    return found


def warnings(reader: Reader) -> list[str]:
    return reader.page.locator(".trust .warn").all_inner_texts()


def test_a_pages_other_key_is_not_used_and_said_so(knowing: Reader) -> None:
    for extension in ("", "— elsewhere AAAA\n"):
        other = knowing.open(serving(signed(OTHER, extension), str(OTHER.verifier)))
        told = other.told("unsure")
        assert told["says"] == said("verdict.hand.unsure.other-key", round=ROUND_NAME)
        assert statuses(told)["signature"] == "open"
        assert warnings(other) == [said("trust.differs")]
        assert str(OTHER.verifier) not in kept(other)
        assert other.complaints == []


def test_another_key_of_the_reader_waits_until_it_replaces_the_remembered_one(knowing: Reader, tmp_path: Path) -> None:
    files = [
        written(tmp_path / "hand.json", signed(OTHER)),
        written(tmp_path / "log.vkey", str(OTHER.verifier).encode()),
    ]
    knowing.open(serving(b"")).asked().pick(*files)
    knowing.told("unsure")
    assert warnings(knowing) == [said("trust.changed")]
    assert str(OTHER.verifier) not in kept(knowing)
    knowing.button("trust.replace").click()
    knowing.told("pass")
    assert str(OTHER.verifier) in kept(knowing)
    assert KEY not in kept(knowing)


def test_a_name_that_looks_like_another_does_not(knowing: Reader) -> None:
    for name, shown in (
        (f"{NAME}\u200b", f"{NAME}\\u{{200b}}"),
        ("\u202egol/tset", "\\u{202e}gol/tset"),
        ("fаir", "f\\u{430}ir"),
    ):
        signer = Signer(name, b"\x08" * 32)
        other = knowing.open(serving(signed(signer), str(signer.verifier)))
        other.told("pass")
        assert warnings(other) == [said("trust.odd")]
        told = other.page.locator(".trust").inner_text()
        assert f"{shown}," in told
        assert f"{shown}," in told
        assert name not in other.page.locator("main").inner_text().replace(NAME + "+", "")


def test_what_a_browser_remembers_under_a_false_name_is_no_key(reader: Reader) -> None:
    other = str(Signer(f"{NAME}2", bytes(32)).verifier)
    reader.page.add_init_script(f"localStorage.setItem('fairshoe.key {NAME}', '{other}')")
    reader.open(serving(proven("casino"), KEY)).told("pass")
    assert warnings(reader) == []
    assert KEY in kept(reader)


def test_signs_that_cannot_be_seen_are_shown(reader: Reader, saved: str) -> None:
    named = proven("casino").replace(f'"round":"{ROUND_NAME}"'.encode(), '"round":"ca\u202esi\u200bno#2"'.encode())
    reader.open(saved).asked().give(named).told("fail")
    text = reader.page.locator("main").text_content() or ""
    assert "ca\\u{202e}si\\u{200b}no#2" in text
    assert not {"\u202e", "\u200b"} & set(text)
