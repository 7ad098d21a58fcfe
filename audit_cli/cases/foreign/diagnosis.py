"""The slips behind a hand that does not follow: another nonce, exchanged seeds, a line feed, another seed or scheme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

from fairshoe.errors import InputError

from .scheme import ForeignHand, Scheme, SchemeGame, is_hex
from .schemes import schemes

MAX_NEIGHBOURS = 5
"""How far from the given nonce others are tried, in each direction."""


def fits(game: SchemeGame, hand: ForeignHand) -> bool:
    """Whether a game of this form gives the hand's result; a form that does not suit fits nothing."""
    try:
        return game.outcome.follows(hand, game.outcome.expected(hand))
    except InputError:
        return False


def slips_of_outcome(scheme: Scheme, game: SchemeGame, hand: ForeignHand) -> Iterator[str]:
    """Yield a sentence for each slip under which the result would follow."""
    for slip, other in _variants(hand):
        if fits(game, other):
            yield f"it would follow if {slip}; one in {game.outcome.odds(hand):,} by chance"
    for each in schemes().values():
        for name, other_game in each.games.items():
            if other_game is not game and fits(other_game, hand):
                yield f"it would follow by {each.name} {name}; one in {other_game.outcome.odds(hand):,} by chance"


def _variants(hand: ForeignHand) -> Iterator[tuple[str, ForeignHand]]:
    nonce = hand.number("nonce")
    for distance in range(1, MAX_NEIGHBOURS + 1):
        for other in (nonce - distance, nonce + distance):
            if other >= 0:
                yield f"the nonce were {other}", replace(hand, nonce=str(other))
    yield "the two seeds were exchanged", replace(hand, server_seed=hand.client_seed, client_seed=hand.server_seed)
    for field in ("server_seed", "client_seed"):
        text = getattr(hand, field)
        for slip, other_text in (
            ("had no space or line feed around it", text.strip()),
            ("ended in a line feed", text + "\n"),
            ("were in lower case", text.lower()),
        ):
            if other_text != text:
                yield f"the {field.replace('_', ' ')} {slip}", replace(hand, **{field: other_text})


def slips_of_commitment(scheme: Scheme, hand: ForeignHand, other_seeds: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each slip that explains the commitment that was given."""
    given, seed = hand.commitment.strip().lower(), hand.server_seed
    told = {
        _sha(seed.strip().encode()): "it is the hash of the seed without the space around it",
        seed.lower(): "it is the server seed itself, and no hash",
        _sha(seed.encode()): "it is the hash of the seed's text, where this scheme hashes the bytes",
        _sha((seed + "\n").encode()): "it is the hash of the seed with a line feed behind it",
        _sha(hand.client_seed.encode()): "it is the hash of the client seed: the two seeds may be exchanged",
    }
    if is_hex(seed):
        told[_sha(bytes.fromhex(seed))] = "it is the hash of the seed's bytes, where this scheme hashes the text"
    if given in told:
        yield told[given]
    elif given in other_seeds:
        yield f"it is the commitment of another server seed, {other_seeds[given]}"


def _sha(data: bytes) -> str:
    return sha256(data).hexdigest()
