"""Names of an entry's fields for people: `alice's payout` for `hands[0].net`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fairshoe.log.canonical import Entry

_NAME = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_INDEX = re.compile(r"\[(\d{1,6})\]", re.ASCII)
_SEAT = re.compile(r"[1-9]\d{0,3}", re.ASCII)


def subject_of(field: str, entry: Entry | None, players: Mapping[int, str]) -> str | None:
    """Return the name of a field by its path, or None. `entry`: the one with it, perhaps malformed; `players` by
    seat."""
    entry = {} if entry is None else entry
    top, _, member = field.partition(".")
    indexes = [int(index) for index in _INDEX.findall(field)]
    if top == "chips" and member:
        return _account(member, entry, players)
    items, _, part = _INDEX.sub("[]", field).partition("[]")
    if items in ITEMS and indexes:
        return _of_item(items, part.removeprefix("."), indexes, entry, players)
    kind = entry.get("kind")
    key = f"{top}.*" if top in MAPS and _NAME.fullmatch(member) else _INDEX.sub("[]", field)
    name, number = _named(kind, key), indexes[0] + 1 if indexes else 0
    if name is None and key.endswith("[]"):
        whole = _named(kind, key.removesuffix("[]"))
        name = None if whole is None else f"the {{nth}} of {whole}"
    if name is None:
        return None
    return name.format(player=_player(entry, players), name=member, number=number, nth=ordinal(number))


def _named(kind: Any, key: str) -> str | None:
    own = OF_KIND.get((kind, key)) if type(kind) is str else None
    return COMMON.get(key) if own is None else own


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, …, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _who(seat: Any, entry: Entry, players: Mapping[int, str]) -> str:
    """Return the name of the player in a chair."""
    if seat == entry.get("seat") and _is_name(entry.get("player")):
        return str(entry["player"])
    return players.get(seat, f"seat {seat}") if type(seat) is int and 0 < seat < 10_000 else "somebody"


def _player(entry: Entry, players: Mapping[int, str]) -> str:
    """Return the player whom the entry names."""
    player = entry.get("player")
    return str(player) if _is_name(player) else _who(entry.get("seat"), entry, players)


def _is_name(value: Any) -> bool:
    return type(value) is str and _NAME.fullmatch(value) is not None


def _account(account: str, entry: Entry, players: Mapping[int, str]) -> str | None:
    if account in ("house", "pool"):
        return f"the {account}'s chips"
    return f"{_who(int(account), entry, players)}'s chips" if _SEAT.fullmatch(account) else None


def _of_item(items: str, part: str, indexes: list[int], entry: Entry, players: Mapping[int, str]) -> str | None:
    """A hand, a bet, a decision, or a part of it, by whose it is and by its number among that seat's."""
    one, parts = ITEMS[items]
    index = indexes[0]
    number = f"the {ordinal(index + 1)} decision" if items == "decisions" else f"{one} {index + 1}"
    if part == "seat":
        return f"the seat of {number}"
    if part not in parts:
        return None
    name = parts[part].format(ordinal(indexes[-1] + 1))
    seats = _seats(entry.get(items))
    seat = seats[index] if index < len(seats) else None
    if type(seat) is not int:
        return f"the {name} of {number}" if name else number
    who, before = _who(seat, entry, players), seats[:index].count(seat)
    if seats.count(seat) == 1 and items != "decisions":
        item, own = f"{who}'s {one}", f"{who}'s {name}"
    else:
        item = f"{who}'s {ordinal(before + 1)} {one}"
        own = f"the {name} of {item}"
    return (own if items == "hands" else f"the {name} of {item}") if name else item


def _seats(items: Any) -> list[Any]:
    """Return the seat that each item of a list names."""
    return [item.get("seat") if type(item) is dict else None for item in items] if type(items) is list else []


BET = {"": "", "amount": "", "box": "box"}
HAND = {
    "": "",
    "net": "payout",
    "bet": "bet",
    "cards": "cards",
    "cards[]": "{} card",
    "total": "total",
    "outcome": "result",
    "box": "box",
    "insured": "insurance bet",
    "insurance": "insurance payout",
    "short": "missing part of the gift",
}
DECISION = {"": "", "move": "", "amount": "amount", "chosen": "chosen seats", "by": "maker", "at": "moment"}
ITEMS = {
    "hands": ("hand", HAND),
    "bets": ("bet", BET),
    "uncovered": ("bet without cover", BET),
    "decisions": ("decision", DECISION),
}
"""Lists whose items are somebody's: what one is called, and its parts."""
MAPS = frozenset(("options", "hashes", "draws", "memory", "policy", "beacon"))
COMMON: dict[str, str] = {
    "v": "the entry's version",
    "kind": "the entry's kind",
    "at": "the entry's time",
    "table": "the table's name",
    "shoe": "the shoe's name",
    "round": "the round's number",
    "key": "the revealed key",
    "chips": "everybody's chips",
    "hands": "the hands",
    "dealer": "the dealer's hand",
    "dealer.cards": "the dealer's cards",
    "dealer.cards[]": "the dealer's {nth} card",
    "dealer.total": "the dealer's total",
    "decisions": "the decisions",
    "policy": "the time limits",
    "policy.*": "the time limit `{name}`",
    "cut": "the cut",
    "cut.at": "the place of the cut",
    "cut.by": "the cutter",
    "beacon": "the public beacon",
    "beacon.*": "the public beacon's {name}",
    "burn": "the burned card",
    "cards_root": "the root of the cards",
    "placer": "the placer",
    "placed": "what the placer gave",
    "placed.places": "the places that the placer gave",
    "placed.places[]": "place {number} that the placer gave",
    "placed.signature": "the placer's signature",
    "cards": "the cards",
    "cards[]": "card {number}",
    "decision": "the next decision",
    "amount": "the bet",
    "box": "the box",
    "commitment": "the commitment",
    "bets": "the bets",
    "uncovered": "the bets without cover",
    "waived": "the seats that bet without a seed",
    "passed": "the seats that passed",
    "late": "the seats that were late",
    "unfunded": "the seats without chips for a bet",
    "unheard": "the players who sent no hash",
    "hashes": "the hashes of the seeds",
    "hashes.*": "the hash of {name}'s seed",
}
"""Names in whatever kind of entry; a finding about one entry may be about a field of an earlier one, too."""
OF_KIND: dict[tuple[str, str], str] = {
    ("table", "rules"): "the table's rules",
    ("table", "options"): "the table's options",
    ("table", "options.*"): "the option `{name}`",
    ("table", "lapses"): "the limits after which a player is put out",
    ("chips", "op"): "the movement of {player}'s chips",
    ("chips", "seat"): "{player}'s seat",
    ("chips", "player"): "the player's name",
    ("chips", "amount"): "the amount that {player} moved",
    ("chips", "to"): "the receiver of {player}'s chips",
    ("chips", "leaves"): "the note that {player} left the chair",
    ("chips", "name"): "{player}'s name as people write it",
    ("chips", "game"): "the game of {player}'s refund",
    ("chips", "why"): "the reason for {player}'s refund",
    ("chips", "by"): "the note of who had {player}'s chair left",
    ("chips", "lapsed"): "the note that {player} let too many limits pass",
    ("chips", "placer"): "the key by which {player} places",
    ("chips", "buy-in"): "{player}'s buy-in",
    ("chips", "refund"): "{player}'s refund",
    ("chips", "share"): "{player}'s share of the pool",
    ("start", "continues"): "the checkpoint of the log before",
    ("start", "lost"): "the lost shoes",
    ("start", "copy"): "how many entries of the log before were at hand",
    ("start", "unknown"): "the note that newer entries may be gone",
    ("start", "tables"): "the tables whose limits begin anew",
    ("deck", "deck"): "the deck's hash",
    ("deck", "part"): "the number of this part of the deck",
    ("deck", "parts"): "the number of parts of the deck",
    ("deck", "labels"): "the deck's cards",
    ("shoe", "deck"): "the shoe's deck",
    ("shoe", "cards"): "the number of cards",
    ("shoe", "commitment"): "the house's commitment",
    ("shoe", "roster"): "the roster",
    ("shoe", "roster[]"): "the {nth} name in the roster",
    ("shoe", "draws"): "the promised random numbers",
    ("shoe", "draws.*"): "the range of the random number `{name}`",
    ("shoe", "bank"): "the banker",
    ("shoe", "memory"): "the rules' memory",
    ("shoe", "memory.*"): "the rules' memory of `{name}`",
    ("shoe", "cutter"): "the named cutter",
    ("shoe", "purpose"): "the purpose",
    ("shoe", "owes"): "the seats left out since they owe a seed",
    ("shoe", "waits"): "the seats that wait for another shoe",
    ("shoe", "away"): "the seats left out as away",
    ("shoe", "paid"): "the seats that have paid for the game",
    ("shoe", "told"): "the note that the log tells the shoe's cards",
    ("shoe", "rules_hash"): "the hash of the rules",
    ("shoe", "beacon_round"): "the beacon's round",
    ("table", "beacon_delay"): "the delay until a shoe's beacon",
    ("seal", "beacon_signature"): "the beacon's signature",
    ("gathered", "pos"): "the position of the first card of the new order",
    ("gathered", "out"): "the positions of the cards that stay out",
    ("drawn", "pos"): "the position of the first drawn card",
    ("drawn", "hidden"): "the number of hidden cards",
    ("drawn", "to"): "the player who sees the drawn cards",
    ("drawn", "draws"): "the drawn random numbers",
    ("drawn", "gathered"): "the number of reshuffles before the drawn cards",
    ("token", "seat"): "the seat of the token",
    ("token", "player"): "the player of the token",
    ("opened", "player"): "the player who opened a seed",
    ("opened", "seed"): "{player}'s seed",
    ("lapse", "player"): "the player who did not open a seed",
    ("late", "player"): "the player who handed in a seed",
    ("late", "seed"): "the seed that {player} handed in",
    ("round", "pos"): "the position of the round's first card",
    ("round", "cards"): "the round's cards",
    ("round", "reshuffled"): "the places of the reshuffles",
    ("reshuffle", "k"): "the reshuffle's number",
    ("reshuffle", "after"): "the place of the reshuffle",
    ("reshuffle", "cards"): "the number of gathered cards",
    ("reshuffle", "deck"): "the hash of the gathered cards",
    ("reshuffle", "cut"): "the place of the cut",
    ("bank", "why"): "the reason why the bank moved",
    ("bank", "to"): "the new banker",
    ("bank", "price"): "the price of the bank",
    ("bank", "cards"): "the cards dealt to find a banker",
    ("placed", "key"): "the placer's key",
    ("placed", "steps"): "the number of the placer's steps",
    ("placed", "signature"): "the placer's signature",
    ("reveal", "draws"): "the random numbers",
    ("reveal", "draws.*"): "the random number `{name}`",
    ("reveal", "end"): "the position where the shoe ended",
    ("reveal", "why"): "the reason why the shoe ended",
    ("void", "why"): "the reason of the void",
    ("void", "by"): "the player named for the void",
}
"""By kind of entry, what its own fields are called."""
