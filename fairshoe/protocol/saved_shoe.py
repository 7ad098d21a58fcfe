"""A live shoe over a restart: encrypted for storage, and back at the very next card.

What is kept is a header, a nonce of 12 bytes, and AES-256-GCM of a JSON object under the caller's secret, the header
authenticated with it. It is no part of the protocol: nobody but the house ever reads it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

from ..errors import InputError, RuleError
from .beacons import drand_quicknet
from .commitment import check_key
from .committed_shoe import Committed
from .placed_shoe import SecondDealer, commit_placer
from .proof import Proof
from .shoe import Sealed
from .text import PASS_BYTES, type_name
from .transcript import PlacerCommitment, check_beacon
from .verify import seal_proven

HEADER = b"fairshoe/1 kept 1\n"
NONCE = 12


def keep(shoe: Committed | Sealed, secret: bytes) -> bytes:
    """Return the present state of `shoe`, encrypted; `resume` makes the shoe again.

    `secret`: 32 bytes of `new_key()`, stored apart from what is kept. Store the result before anything that follows
    from it is shown: a state from before a draw deals the same cards again. RuleError: the shoe was sealed since, keep
    what `seal` returned.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if isinstance(shoe, Sealed):
        state = {"revealed": shoe.revealed, "proof": shoe._record().to_json()}
    elif isinstance(shoe, Committed):
        state = _committed_state(shoe)
    else:
        remedy = "pass what fairshoe.commit or .seal() returned"
        raise InputError(
            f"{type_name(shoe)} is not a shoe", where="shoe", expected="Committed or Sealed", remedy=remedy
        )
    nonce = secrets.token_bytes(NONCE)
    text = json.dumps(state, ensure_ascii=False).encode()
    return HEADER + nonce + AESGCM(check_key(secret, "secret")).encrypt(nonce, text, HEADER)


def resume(data: bytes, secret: bytes, *, placer: SecondDealer | None = None) -> Committed | Sealed:
    """Return the shoe that `keep` kept, of the class that it had; `placer` is the one that it was committed to with.
    InputError: another secret, another placer, or changed data."""
    check_key(secret, "secret")
    if not isinstance(data, bytes):
        what = f"{type_name(data)} is not what `keep` returned"
        raise InputError(what, where="data", expected="bytes", remedy=PASS_BYTES)
    state = json.loads(_decrypt(data, secret))
    return _rebuild_sealed(state, placer) if "proof" in state else _rebuild_committed(state, placer)


def _decrypt(data: bytes, secret: bytes) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce, box = data[len(HEADER) :][:NONCE], data[len(HEADER) + NONCE :]
    if data.startswith(HEADER) and len(nonce) == NONCE:
        try:
            return AESGCM(secret).decrypt(nonce, box, HEADER)
        except InvalidTag:
            pass
    raise InputError(
        "not a shoe that was kept with this secret",
        where="data",
        expected="the bytes that `keep` returned, unchanged, and the secret that it was given",
        remedy="look for an undamaged copy and the right secret; else the shoe is lost, commit to another",
    )


def _committed_state(shoe: Committed) -> dict[str, Any]:
    if shoe._sealed:
        raise RuleError("the shoe is sealed", where="shoe", remedy="keep what `seal` returned")
    return {
        "key": shoe._key.hex(),
        "shoe": shoe.shoe,
        "deck": list(shoe.deck),
        "draws": shoe.draws,
        "cut": shoe.cut,
        "beacon": shoe.beacon,
        "promised": shoe.promised and shoe.promised.number,
        "seeds": [(who, value.hex()) for who, value in shoe.seeds],
        "hashes": list(shoe._hashes.items()),
        "struck": sorted(shoe._struck),
        "placer": shoe.placer,
    }


def _rebuild_committed(state: dict[str, Any], dealer: SecondDealer | None) -> Committed:
    promised = state.get("promised")
    beacon = None if promised is None else drand_quicknet(promised)
    shoe = Committed(bytes.fromhex(state["key"]), state["shoe"], state["deck"], state["draws"], dealer, beacon)
    _check_placer(shoe.placer, state.get("placer"))
    shoe.cut = state["cut"]
    shoe.beacon = check_beacon(state["beacon"])
    shoe._hashes = dict(state["hashes"])
    shoe._struck = set(state["struck"])
    shoe._seeds = {who: bytes.fromhex(value) for who, value in state["seeds"]}
    return shoe


def _check_placer(found: PlacerCommitment | None, kept: Sequence[Any] | None) -> None:
    if tuple(found or ()) != tuple((kept or ())[:2]):
        raise InputError("another placer or commitment", where="placer", expected=kept[0] if kept else "none")


def _rebuild_sealed(state: dict[str, Any], dealer: SecondDealer | None) -> Sealed:
    proof = Proof.from_json(state["proof"])
    placer = commit_placer(dealer, proof.shoe, proof.commitment)
    _check_placer(placer, proof.placer)
    shoe = seal_proven(proof, dealer)
    for record in proof.reshuffles:
        for _ in range(record.after if placer else 0):
            shoe.draw_index()
        shoe.position = record.after
        shoe.reshuffle(record.gathered, cut=record.cut is not None)
    for _ in range(proof.dealt):
        shoe.draw_index()
    if state["revealed"]:
        shoe.reveal()
    return shoe
