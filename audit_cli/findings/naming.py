"""What people call a field of an entry: `alice's payout` for `hands[0].net`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fairshoe.log.canonical import Entry

_NAME = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_STEP = re.compile(r"\A(?:\[(\d{1,6})\]|\.([^\[\]]+))", re.ASCII)
_SEAT = re.compile(r"[1-9]\d{0,3}", re.ASCII)


class Around(NamedTuple):
    """What a field stands in: an entry that may be malformed in any way, and who sits where."""

    entry: Mapping[str, Any]
    players: Mapping[int, str]

    def who(self, seat: Any) -> str:
        """Who sits there, as a person is called."""
        if seat == self.entry.get("seat") and _is_name(player := self.entry.get("player")):
            return str(player)
        return self.players.get(seat, f"seat {seat}") if type(seat) is int and 0 < seat < 10_000 else "somebody"

    def player(self) -> str:
        """Whom the entry names."""
        player = self.entry.get("player")
        return str(player) if _is_name(player) else self.who(self.entry.get("seat"))

    def items(self, name: str) -> list[Any]:
        found = self.entry.get(name)
        return found if type(found) is list else []

    def seat_of(self, name: str, index: int) -> Any:
        items = self.items(name)
        item = items[index] if index < len(items) else None
        return item.get("seat") if type(item) is dict else None

    def which(self, name: str, index: int) -> tuple[str | None, int, int]:
        """Whose item of a list it is, None where that cannot be told; the how manieth of that seat's, of how many."""
        seat = self.seat_of(name, index)
        if type(seat) is not int:
            return None, index + 1, index + 1
        same = [i for i in range(len(self.items(name))) if self.seat_of(name, i) == seat]
        return self.who(seat), same.index(index) + 1, len(same)


Path = tuple[int | str, ...]
"""What follows the first name of a field: offsets and names."""
Namer = Callable[[Around, Path], str | None]


def subject_of(field: str, entry: Entry | None, players: Mapping[int, str]) -> str | None:
    """The name of a field, given by its path; None where it has none better. `entry` is the one it stands in, where it
    is at hand and may be malformed in any way; `players` are those of its table by seat."""
    top, path = _split(field)
    around = Around({} if entry is None else entry, players)
    kind = around.entry.get("kind")
    own = KINDS.get(kind, {}).get(top) if type(kind) is str else None
    named = COMMON.get(top) if own is None else own
    if named is None or path is None:
        return None
    if isinstance(named, str):
        return named.format(player=around.player()) if not path else None
    return named(around, path)


def _split(field: str) -> tuple[str, Path | None]:
    """`hands[0].cards[1]` as `hands`, (0, cards, 1); None for the rest where it is no path."""
    top = re.split(r"[.\[]", field, maxsplit=1)[0]
    rest = field[len(top) :]
    path: list[int | str] = []
    while rest:
        step = _STEP.match(rest)
        if step is None or len(path) > 3:
            return top, None
        path.append(step[2] if step[1] is None else int(step[1]))
        rest = rest[step.end() :]
    return top, tuple(path)


def _is_name(value: Any) -> bool:
    return type(value) is str and _NAME.fullmatch(value) is not None


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, …, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _of_map(whole: str, one: str) -> Namer:
    """A map: it, or what stands in it under a name."""

    def name(_: Around, path: Path) -> str | None:
        if not path:
            return whole
        return one.format(path[0]) if len(path) == 1 and _is_name(path[0]) else None

    return name


def _of_list(whole: str, one: str) -> Namer:
    """A list: it, or one of it, counted from 1: as `{0}`, or as `{1}` with its ending."""

    def name(_: Around, path: Path) -> str | None:
        if not path:
            return whole
        if len(path) > 1 or type(path[0]) is not int:
            return None
        return one.format(path[0] + 1, ordinal(path[0] + 1))

    return name


def _parts(whole: str, **parts: str) -> Namer:
    """An object: it, or one of its parts."""

    def name(_: Around, path: Path) -> str | None:
        if not path:
            return whole
        return parts.get(path[0]) if len(path) == 1 and type(path[0]) is str else None

    return name


def _chips(around: Around, path: Path) -> str | None:
    if not path:
        return "everybody's chips"
    account = path[0]
    if len(path) > 1 or type(account) is not str:
        return None
    if account in ("house", "pool"):
        return f"the {account}'s chips"
    return f"{around.who(int(account))}'s chips" if _SEAT.fullmatch(account) else None


def _bets(whole: str, one: str) -> Namer:
    def name(around: Around, path: Path) -> str | None:
        if not path or type(path[0]) is not int:
            return None if path else whole
        listed = "uncovered" if "cover" in one else "bets"
        who, count, of = around.which(listed, path[0])
        if who is None:
            return f"{one} {path[0] + 1}" if len(path) == 1 else None
        bet = f"{who}'s {one}" if of == 1 else f"{who}'s {ordinal(count)} {one}"
        return {"": bet, "amount": bet, "box": f"the box of {bet}", "seat": f"the seat of {one} {path[0] + 1}"}.get(
            _tail(path)
        )

    return name


HAND = {
    "net": "payout",
    "bet": "bet",
    "cards": "cards",
    "total": "total",
    "outcome": "result",
    "box": "box",
    "insured": "insurance bet",
    "insurance": "insurance payout",
    "short": "missing part of the gift",
}


def _hands(around: Around, path: Path) -> str | None:
    if not path:
        return "the hands"
    if type(path[0]) is not int:
        return None
    who, count, of = around.which("hands", path[0])
    if who is None or path[1:] == ("seat",):
        hand = f"hand {path[0] + 1}"
        if path[1:] == ("seat",):
            return f"the seat of {hand}"
        return f"the {HAND[str(path[1])]} of {hand}" if len(path) == 2 and path[1] in HAND else None
    if len(path) == 1:
        return f"{who}'s hand" if of == 1 else f"{who}'s {ordinal(count)} hand"
    part = HAND.get(str(path[1]))
    if len(path) == 3 and path[1] == "cards" and type(path[2]) is int:
        part = f"{ordinal(path[2] + 1)} card"
    elif len(path) > 2 or part is None:
        return None
    return f"{who}'s {part}" if of == 1 else f"the {part} of {who}'s {ordinal(count)} hand"


def _decisions(around: Around, path: Path) -> str | None:
    if not path:
        return "the decisions"
    if type(path[0]) is not int:
        return None
    who, count, _ = around.which("decisions", path[0])
    decision = f"the {ordinal(path[0] + 1)} decision" if who is None else f"{who}'s {ordinal(count)} decision"
    return {
        "": decision,
        "move": decision,
        "amount": f"the amount of {decision}",
        "chosen": f"the seats chosen in {decision}",
        "by": f"the maker of {decision}",
        "at": f"the moment of {decision}",
        "seat": f"the seat of the {ordinal(path[0] + 1)} decision",
    }.get(_tail(path))


def _tail(path: Path) -> str:
    """The name after an offset, "" without one, and something else for anything deeper."""
    return "" if len(path) == 1 else str(path[1]) if len(path) == 2 else "…"


def _dealer(_: Around, path: Path) -> str | None:
    if len(path) == 2 and path[0] == "cards" and type(path[1]) is int:
        return f"the dealer's {ordinal(path[1] + 1)} card"
    names: dict[Path, str] = {
        (): "the dealer's hand",
        ("cards",): "the dealer's cards",
        ("total",): "the dealer's total",
    }
    return names.get(path)


def _to(around: Around, path: Path) -> str | None:
    return f"the receiver of {around.player()}'s chips" if not path else None


Names = dict[str, str | Namer]

LIMITS = _parts(
    "the time limits",
    hash="the time limit for hashes",
    seed="the time limit for opening a seed",
    cut="the time limit for the cut",
    bet="the time limit for bets",
    decision="the time limit for a decision",
    shoe="the time limit of a shoe",
)
CUT = _parts("the cut", at="the place of the cut", by="the cutter")
BEACON = _parts(
    "the public beacon",
    chain="the public beacon's chain",
    round="the public beacon's round",
    randomness="the public beacon's randomness",
    signature="the public beacon's signature",
)
COMMON: Names = {
    "v": "the entry's version",
    "kind": "the entry's kind",
    "at": "the entry's time",
    "table": "the table's name",
    "shoe": "the shoe's name",
    "round": "the round's number",
    "key": "the revealed key",
    "chips": _chips,
    "hands": _hands,
    "dealer": _dealer,
    "decisions": _decisions,
    "policy": LIMITS,
    "cut": CUT,
    "beacon": BEACON,
    "burn": "the burned card",
    "cards_root": "the root of the cards",
    "cards": _of_list("the cards", "card {0}"),
    "decision": "the next decision",
    "amount": "the bet",
    "box": "the box",
    "commitment": "the commitment",
    "bets": _bets("the bets", "bet"),
    "uncovered": _bets("the bets without cover", "bet without cover"),
    "waived": _of_list("the seats that bet without a seed", "the {1} seat that bet without a seed"),
    "passed": _of_list("the seats that passed", "the {1} seat that passed"),
    "late": _of_list("the seats that were late", "the {1} seat that was late"),
    "unfunded": _of_list("the seats without chips for a bet", "the {1} seat without chips for a bet"),
    "unheard": _of_list("the players who sent no hash", "the {1} player who sent no hash"),
    "hashes": _of_map("the hashes of the seeds", "the hash of {}'s seed"),
}
"""Names of whatever kind of entry; a finding about one entry may be about a field of an earlier one, too."""
KINDS: dict[str, Names] = {
    "table": {
        "rules": "the table's rules",
        "options": _of_map("the table's options", "the option `{}`"),
    },
    "chips": {
        "op": "the movement of {player}'s chips",
        "seat": "{player}'s seat",
        "player": "the player's name",
        "amount": "the amount that {player} moved",
        "to": _to,
        "leaves": "the note that {player} left the chair",
        "name": "{player}'s name as people write it",
        "game": "the game of {player}'s refund",
        "why": "the reason for {player}'s refund",
        "by": "the note of who had {player}'s chair left",
        "buy-in": "{player}'s buy-in",
        "refund": "{player}'s refund",
        "share": "{player}'s share of the pool",
    },
    "start": {
        "continues": "the checkpoint of the log before",
        "lost": _of_list("a lost shoe", "the {1} lost shoe"),
        "copy": "how many entries of the log before were at hand",
        "unknown": "the note that newer entries may be gone",
        "tables": _of_list("the tables whose limits begin anew", "the {1} table whose limits begin anew"),
    },
    "deck": {
        "deck": "the deck's hash",
        "part": "the number of this part of the deck",
        "parts": "the number of parts of the deck",
        "labels": _of_list("the deck's cards", "the deck's {1} card"),
    },
    "shoe": {
        "deck": "the shoe's deck",
        "cards": "the number of cards",
        "commitment": "the house's commitment",
        "roster": _of_list("the roster", "the {1} name in the roster"),
        "draws": _of_map("the promised random numbers", "the range of the random number `{}`"),
        "bank": "the banker",
        "memory": _of_map("the rules' memory", "the rules' memory of `{}`"),
        "cutter": "the named cutter",
        "purpose": "the purpose",
        "owes": _of_list("the seats left out since they owe a seed", "the {1} seat left out since it owes a seed"),
        "waits": _of_list("the seats that wait for another shoe", "the {1} seat that waits for another shoe"),
        "away": _of_list("the seats left out as away", "the {1} seat left out as away"),
        "paid": _of_list("the seats that have paid for the game", "the {1} seat that has paid for the game"),
    },
    "opened": {"player": "the player who opened a seed", "seed": "{player}'s seed"},
    "lapse": {"player": "the player who did not open a seed"},
    "late": {"player": "the player who handed in a seed", "seed": "the seed that {player} handed in"},
    "round": {
        "pos": "the position of the round's first card",
        "cards": _of_list("the round's cards", "card {0}"),
        "reshuffled": _of_list("the places of the reshuffles", "the place of the {1} reshuffle"),
    },
    "reshuffle": {
        "k": "the reshuffle's number",
        "after": "the place of the reshuffle",
        "cards": "the number of gathered cards",
        "deck": "the hash of the gathered cards",
        "cut": "the place of the cut",
    },
    "bank": {
        "why": "the reason why the bank moved",
        "to": "the new banker",
        "price": "the price of the bank",
        "cards": _of_list("the cards dealt to find a banker", "the {1} card dealt to find a banker"),
    },
    "reveal": {
        "draws": _of_map("the random numbers", "the random number `{}`"),
        "end": "the position where the shoe ended",
        "why": "the reason why the shoe ended",
    },
    "void": {"why": "the reason of the void", "by": "the player named for the void"},
}
"""By kind of entry, what its own fields are called."""
