"""What the player holds, against what stands in the log: the commitment, a seed, cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from string import hexdigits
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.protocol.commitment import commitment_of

from ..findings.wording import some_of
from .watch import Hand
from .way import called

MOST_SEED = 128
MOST_CARDS = 512
"""How many cards are compared; a round has fewer."""
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+", re.ASCII)
_PREFIX = re.compile(r"^0[xX]")
_SEPARATORS = re.compile(r"[\s,;]+")
_CARDS = re.compile(r"(?:(?:10|[2-9TJQKA])[CDHS])+", re.ASCII | re.IGNORECASE)
_CARD = re.compile(r"(10|[2-9TJQKA])([CDHS])", re.ASCII | re.IGNORECASE)
_SUITS = str.maketrans(dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True)) | {"\ufe0e": "", "\ufe0f": ""})


class Holding(NamedTuple):
    """What the player says that it was; None where nothing is said. `player` is whose seed and cards."""

    commitment: str | None = None
    seed: str | None = None
    cards: tuple[str, ...] | None = None
    player: str | None = None


HELD = ("commitment", "seed", "cards")
"""What a player holds beside receipts."""


class Match(NamedTuple):
    """`what` was compared, what is `held`, what stands in the `log` (in words), and whether that is the same; `left` is
    "" but where nothing was compared: the log has `not yet` come to it, or it is `not checked` for what `log` says."""

    what: str
    held: str
    log: str
    same: bool
    left: str = ""


def holding_of(commitment: str | None, seed: str | None, cards: str | None, player: str | None) -> Holding:
    """What the options say, checked. Raises InputError."""
    return Holding(
        None if commitment is None else _hex(commitment, "--commitment", 32, 32),
        None if seed is None else _hex(seed, "--seed", 1, MOST_SEED),
        None if cards is None else cards_of(cards),
        player,
    )


def cards_of(text: str) -> tuple[str, ...]:
    """Labels as the log writes them: `Ah Tc` of `ah, 10C`, `A♥ 10♣` or `AhTc`. Raises InputError."""
    words = [word for word in _SEPARATORS.split(text) if word]
    labels = [label for word in words for label in _labels(word)]
    if not 1 <= len(labels) <= MOST_CARDS:
        raise InputError(f"{len(labels)} cards", where="--cards", expected=f"1 to {MOST_CARDS} cards, such as 'Ah Tc'")
    return tuple(labels)


def _labels(word: str) -> list[str]:
    """The cards that are written in one word."""
    plain = word.translate(_SUITS)
    if not _CARDS.fullmatch(plain):
        expected = "a rank (A 2 3 … 9 T J Q K) and a suit (c d h s), such as Ah or Tc"
        remedy = "write the cards as --cards 'Ah Tc 4d', in the order dealt"
        raise InputError(f"{word[:20]!r} is not a card", where="--cards", expected=expected, remedy=remedy)
    return [f"{'T' if rank == '10' else rank.upper()}{suit.lower()}" for rank, suit in _CARD.findall(plain)]


def _hex(text: str, where: str, low: int, high: int) -> str:
    """Hexadecimal as the log writes it, of `0xAB CD` too. Raises InputError."""
    plain = _PREFIX.sub("", "".join(text.split()))
    if not _HEX.fullmatch(plain) or not low <= len(plain) // 2 <= high:
        size = f"{low * 2}" if low == high else f"{low * 2} to {high * 2}"
        other = sorted({c for c in plain if c not in hexdigits})
        remedy = f"{other[0]!r} is no such digit" if other else f"these are {len(plain)} digits: copy all of them, once"
        expected = f"{size} digits 0-9 a-f"
        raise InputError("not hexadecimal of the right length", where=where, expected=expected, remedy=remedy)
    return plain.lower()


def compare(hand: Hand, holding: Holding) -> list[Match]:
    """Each thing that is held with what stands in the log. Raises InputError where that player has no part, and where
    something else was given: the hash of a seed, a revealed key."""
    player, logged = _player(hand, holding.player), hand.shoe.commitment
    found: list[Match] = []
    if holding.commitment is not None:
        _check_no_key(hand, holding.commitment)
        found.append(Match("commitment", holding.commitment, logged, holding.commitment == logged))
    if holding.seed is not None:
        found.append(_seed(hand, holding.seed, player))
    if holding.cards is not None:
        found.append(_cards(hand, holding.cards, player))
    return found


def _player(hand: Hand, name: str | None) -> str | None:
    """The id of the player whose things are compared."""
    if name is None:
        return None
    told = hand.shoe.told
    known = dict.fromkeys(filter(None, [*hand.before.players.values(), *told.roster]))
    if name in known:
        return name
    is_id = name in hand.ids or any(player == name for _, player in hand.names)
    found = [] if is_id else [player for player in known if hand.name_of(player) == name]
    if len(found) == 1:
        return found[0]
    names = [called(player, hand.name_of(player)) for player in found or known]
    what = f"{len(found)} players are called {name!r}" if found else f"nobody called {name!r} has a part"
    raise InputError(
        f"{what} in round {hand.name}",
        where="--player",
        expected=some_of(names) if names else "a player of this round",
        remedy="give the id, which stands first" if names else "",
    )


def _check_no_key(hand: Hand, held: str) -> None:
    """Whoever gives the key in place of the commitment made a slip. Raises InputError."""
    if held != hand.shoe.commitment and commitment_of(bytes.fromhex(held)) == hand.shoe.commitment:
        raise InputError(
            "that is the key of this shoe, which was revealed afterwards, not its commitment",
            where="--commitment",
            expected="what you noted before the deal",
            remedy=f"the commitment is the key's SHA-256: in this log {hand.shoe.commitment}",
        )


def _check_no_hash(hand: Hand, held: str) -> None:
    """Whoever gives the hash of a seed in place of the seed made a slip. Raises InputError."""
    told = hand.shoe.told
    for who, digest in told.hashes.items():
        if digest == held and held not in told.opened.values():
            raise InputError(
                f"that is the hash of the seed of {who}, as it stands in this shoe, not the seed",
                where="--seed",
                expected="the seed itself",
                remedy=f"the seed that was opened with this hash is {told.opened[who]}"
                if who in told.opened
                else "its seed was not opened in this shoe",
            )


def _seed(hand: Hand, seed: str, player: str | None) -> Match:
    told = hand.shoe.told
    _check_no_hash(hand, seed)
    owners = [who for who, opened in told.opened.items() if opened == seed]
    if player is not None:
        opened = told.opened.get(player)
        stands = "no seed was opened" if opened is None else opened
        return Match("seed", seed, f"{player}: {stands}", opened == seed)
    if owners:
        return Match("seed", seed, f"{', '.join(owners)}: {seed}", True)
    digest = sha256(bytes.fromhex(seed)).hexdigest()
    hashed = [who for who, value in told.hashes.items() if value == digest and who not in told.opened]
    if hashed:
        stands = f"{', '.join(hashed)} sent its hash, but the seed was not opened"
    else:
        stands = "; ".join(f"{who}: {value}" for who, value in told.opened.items()) or "no seed was opened"
    return Match("seed", seed, stands, False)


def _cards(hand: Hand, cards: tuple[str, ...], player: str | None) -> Match:
    held = " ".join(cards)
    hands = list(_hands(hand, player))
    able = [row for _, row in hands]
    same = list(cards) in able
    shown = [f"{who}: {' '.join(row)}" for who, row in hands if not same or row == list(cards)]
    stands = "; ".join(dict.fromkeys(shown)) or "no cards that could be read"
    if not same and any(sorted(row) == sorted(cards) for row in able):
        stands += " (the same cards in another order)"
    return Match("cards", held, stands, same)


def _hands(hand: Hand, player: str | None) -> Iterator[tuple[str, list[str]]]:
    """The rows of cards that may be meant: each hand, all of a player's in dealt order, all of the round."""
    if hand.entry is None:
        return
    own: dict[int, list[list[int]]] = {}
    for each in hand.entry["hands"]:
        own.setdefault(each["seat"], []).append(each["cards"])
    for seat, rows in own.items():
        who = hand.player(seat)
        if player is not None and who != player:
            continue
        for row in rows:
            yield who, hand.cards_of(row)
        if len(rows) > 1:
            yield f"{who}, all hands", hand.cards_of(sorted(offset for row in rows for offset in row))
    dealer = hand.entry["dealer"]["cards"]
    bank = hand.before.bank
    if player is None or hand.player(bank) == player:
        yield "the dealer", hand.cards_of(dealer)
    if player is None:
        yield "all cards of the round", list(hand.entry["cards"])
