"""The worked example of docs/protocol.md is what the protocol gives."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from fairshoe import Sealed, french, seal
from tests.second import protocol as second

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
KEY = bytes(range(32))
BEACON = (
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    1000,
    "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
)


def example(cut: int = 0) -> Sealed:
    return seal(
        key=KEY,
        shoe="table-1/7",
        deck=french(1),
        seeds=[("alice", b"alice's own entropy"), ("bob", b"\0")],
        beacon=BEACON,
        cut=cut,
        draws={"dice/0": 6, "cut": 52},
    )


def test_commitment_deck_and_transcript() -> None:
    transcript = example().transcript
    assert transcript.text in PAGE
    assert f"These are {len(transcript.text)} bytes" in PAGE
    assert transcript.digest.hex() in PAGE
    assert f"$ KEY={KEY.hex()}" in PAGE
    assert all(f"`french:{n}` | `{french(n).hash}`" in PAGE for n in (1, 6))


def test_words_and_order() -> None:
    text = example().transcript.text.encode()
    words = list(islice(second.words(KEY, b"fairshoe/1 shuffle", text, b""), 8))
    assert " ".join(f"{word:08x}" for word in words) in PAGE
    order = example().order()
    for i, word in enumerate(words[:3]):
        j = word % (52 - i)
        assert f"| {i} | `{word:08x}` = {word} | {52 - i} | {j} | {i}, {i + j} | `{order[i]}` |" in PAGE
    assert " ".join(order[:26]) + "\n" + " ".join(order[26:]) in PAGE
    assert f"`{' '.join(example(20).order()[:5])}`" in PAGE


def test_draws_reshuffle_and_openings() -> None:
    shoe = example()
    for name, m in shoe.draws.items():
        suffix = f"draw {name}\n".encode()
        first = next(second.words(KEY, b"fairshoe/1 draw", shoe.transcript.text.encode(), suffix))
        info = suffix.hex() + " " + b"chunk 0\n".hex()
        assert f"| `{name}`, m = {m} | `{info}` | `{first:08x}` | {shoe.number(name)} |" in PAGE
    digest = shoe.transcript.digest
    salts = second.hkdf(KEY, b"fairshoe/1 opening", digest + b"chunk 0\n", 32)
    assert f"`{salts[:16].hex()}` and `salt_1` = `{salts[16:].hex()}`" in PAGE
    text = shoe.transcript.text.encode()
    uncut, at_20 = (second.cards_root(KEY, text, example(at).order()) for at in (0, 20))
    assert f"`{at_20}` with the cut at 20, and would be `{uncut}` without" in PAGE
    shoe.reshuffle([0, 1, 2, 3, 13], cut=False)
    assert shoe.transcript.text.splitlines()[-1] in PAGE
    assert shoe.transcript.digest.hex() in PAGE
    assert f"The shuffle gives `{' '.join(shoe.order())}`" in PAGE
    cut = example()
    cut.reshuffle([0, 1, 2, 3, 13])
    assert f"the draw `cut` is {cut.cut}, and the dealt order is `{' '.join(cut.order())}`" in PAGE
