"""Changed proofs and decks, of which a second implementation says what they must give; words at random."""

from __future__ import annotations

import random
from typing import Any

from tests.house import SIGNER
from tests.second import protocol

from . import byte_level
from .arguments import arguments
from .corpus import decks, logs, proofs
from .forms import Case, Run, json_or_text
from .log_cases import files_of

second: Any = protocol
SHUFFLE_KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


def by_proof(source: random.Random) -> Case:
    (text, commitment), (other, _) = source.choice(proofs()), source.choice(proofs())
    name, data = byte_level.changed(text.encode(), other.encode(), source)
    known = source.random() < 0.7
    words = ["fairshoe", "verify", source.choice(("proof.json", "proof.json", "-"))]
    words += ["--commitment", commitment] if known else []
    form = json_or_text(source)
    words += ["--json"] if form == "json" else []
    code, _ = second.verdict(data, commitment if known else None)
    stdin = data if words[2] == "-" else None
    return Case(f"proof, {name}", {"proof.json": data}, [Run(tuple(words), form, exactly=code, stdin=stdin)])


def by_deck(source: random.Random) -> Case:
    name, data = byte_level.changed(source.choice(decks()), source.choice(decks()), source)
    form = json_or_text(source)
    words = ["fairshoe", "shuffle", "--key", SHUFFLE_KEY, "--shoe", "game", "--deck", "@deck.txt"]
    words += ["--json"] if form == "json" else []
    try:
        second.command(SHUFFLE_KEY, "game", data)
        code = 0
    except second.Refused:
        code = 2
    return Case(f"deck, {name}", {"deck.txt": data}, [Run(tuple(words), form, exactly=code)])


def by_arguments(source: random.Random) -> Case:
    log = source.choice(logs())
    words, stdin = arguments(log, source)
    return Case("words", files_of(log, log.text, SIGNER), [Run(tuple(words), "any", stdin=stdin)])
