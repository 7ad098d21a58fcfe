"""A raffle of a crowd: the entries are bound before a beacon's round that nobody knows yet, and named draws pick the
winners (docs/raffle.md; bytes: docs/protocol.md section 13).

It is a shoe without cards to deal: six labels, which the transcript binds, say what is drawn from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from math import exp, lgamma, log, log1p
from typing import Any, NamedTuple

from ..errors import InputError, VerificationError
from .beacons import MAX_ROUND, QUICKNET, SIGNATURE_BYTES, BeaconRound, check_round, drand_quicknet
from .commitment import commitment_of_hex, new_key
from .committed_shoe import Committed
from .proof import Proof, read_json
from .shoe import Sealed
from .text import MAX_DECIMAL, bytes_of_hex, check_decimal, check_id, is_list, parse_decimal, type_name
from .tickets import MAX_TICKETS, Entries
from .verify import verify

PROTOCOL = "fairshoe/1 raffle"
MAX_RAFFLE_DRAWS = 65_536
MAX_CHANCE_OF_NO_RESULT = 1e-6
"""A raffle is announced without a warning if its draws are used up more rarely than this."""
LABEL_NAMES = "entries", "tickets", "draws", "prizes", "root"
OTHER_LIST = "lines of the list, weights or their order were changed since the raffle was announced, or it is another"
RAFFLE_FORM = "the form in docs/protocol.md section 13"


class Winner(NamedTuple):
    """An entrant with the ticket that won."""

    ticket: int
    entrant: str


class RaffleNotice(NamedTuple):
    """What is published before the beacon's round: it fixes the raffle but for the beacon."""

    shoe: str
    commitment: str
    entries: int
    tickets: int
    draws: int
    prizes: int
    root: str
    beacon: BeaconRound

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the shoe's deck."""
        return ("raffle", *map(str, (self.entries, self.tickets, self.draws, self.prizes)), self.root)

    @property
    def bounds(self) -> dict[str, int]:
        """The draws by name, with their bound."""
        return {f"pick/{number}": self.tickets for number in range(self.draws)}

    def resume(self, entries: Entries, key: bytes) -> Raffle:
        """Make the announced raffle again, to draw it. InputError: these entries or this key give another notice."""
        found = Raffle(entries, self._replace(entries=len(entries), tickets=entries.tickets, root=entries.root), key)
        if found.notice != self:
            what, remedy = "these entries or this key give another notice", "give what was announced, and its key"
            raise InputError(what, where="notice", remedy=remedy)
        return found

    def check_list(self, entries: Entries) -> None:
        """Raise VerificationError unless this is the list that was announced."""
        numbers = (("entries", len(entries)), ("tickets", entries.tickets), ("root", entries.root))
        for name, found in numbers:
            _same(name, found, getattr(self, name), OTHER_LIST)

    def to_json(self) -> str:
        """Return the notice as one JSON object."""
        return json.dumps({"protocol": PROTOCOL, **self._asdict()}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> RaffleNotice:
        """Read it back. InputError."""
        form = read_json(text)
        if not isinstance(form, dict) or set(form) != {"protocol", *cls._fields} or form.pop("protocol") != PROTOCOL:
            raise InputError("no notice of a raffle", where="notice", expected=RAFFLE_FORM)
        beacon = form.pop("beacon")
        if not is_list(beacon) or len(beacon) != 2 or beacon[0] != QUICKNET:
            raise InputError("no round of drand's quicknet", where="beacon", expected=RAFFLE_FORM)
        check_id(form["shoe"], "shoe")
        commitment_of_hex(form["commitment"])
        bytes_of_hex(form["root"], "root", low=32, high=32)
        tickets = check_decimal(form["tickets"], "tickets", low=1, high=MAX_TICKETS)
        check_decimal(form["entries"], "entries", low=1, high=tickets)
        _check_prizes(form["prizes"], form["draws"], form["entries"])
        return cls(**form, beacon=drand_quicknet(beacon[1]))


class RaffleProof(NamedTuple):
    """What is published after the draw: the shoe's proof, the beacon's signature and the winners, in their order."""

    proof: Proof
    signature: str
    winners: tuple[Winner, ...]

    def to_json(self) -> str:
        """Return the proof as one JSON object."""
        body = {"protocol": PROTOCOL, "proof": json.loads(self.proof.to_json()), "signature": self.signature}
        return json.dumps({**body, "winners": self.winners}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> RaffleProof:
        """Read it back. InputError; whether it holds is for `check_raffle`."""
        form = read_json(text)
        names = {"protocol", "proof", "signature", "winners"}
        if not isinstance(form, dict) or set(form) != names or form["protocol"] != PROTOCOL:
            raise InputError("no proof of a raffle", where="proof", expected=RAFFLE_FORM)
        bytes_of_hex(form["signature"], "signature", low=SIGNATURE_BYTES, high=SIGNATURE_BYTES)
        pairs = form["winners"]
        if not is_list(pairs) or not all(
            is_list(each) and [*map(type, each)] == [int, str] and 0 <= each[0] <= MAX_DECIMAL for each in pairs
        ):
            raise InputError("no list of winners", where="winners", expected=RAFFLE_FORM)
        return cls(
            Proof.from_json(json.dumps(form["proof"])), form["signature"], tuple(Winner(*each) for each in pairs)
        )


class DrawnRaffle:
    """A raffle whose winners are fixed; `sealed` is its shoe."""

    def __init__(self, sealed: Sealed, entries: Entries, prizes: int, signature: str) -> None:
        self.sealed, self.entries, self.prizes, self.signature = sealed, entries, prizes, signature

    @property
    def winners(self) -> tuple[Winner, ...]:
        """The distinct winners, one for each prize; none if the draws are used up."""
        return winners_of(self.entries, map(self.sealed.number, self.sealed.draws), self.prizes)

    def reveal(self) -> RaffleProof:
        """Publish the key and the winners; if the draws are used up there are none, and the proof shows that."""
        return RaffleProof(self.sealed.reveal(), self.signature, self.winners)


class Raffle:
    """A raffle that is announced: publish `notice` and the entries before the beacon's round comes out."""

    def __init__(self, entries: Entries, unsealed: RaffleNotice, key: bytes) -> None:
        self.entries = entries
        self._committed = Committed(key, unsealed.shoe, unsealed.labels, unsealed.bounds, beacon=unsealed.beacon)
        self.notice = unsealed._replace(commitment=self._committed.commitment)

    def draw(self, signature: str) -> DrawnRaffle:
        """Draw with the signature of the beacon's round, in hex. VerificationError: it is another's. InputError: the
        extra `beacon` is not installed. RuleError: it was drawn before."""
        return DrawnRaffle(self._committed.seal(signature=signature), self.entries, self.notice.prizes, signature)


def raffle(
    shoe: str,
    entries: Entries | Sequence[str | tuple[str, int]] | Mapping[str, int],
    *,
    prizes: int,
    draws: int,
    beacon: BeaconRound,
    now: int,
    key: bytes | None = None,
) -> Raffle:
    """Announce a raffle: publish `.notice` and the entries before `beacon`, such as `drand_quicknet(round)`, comes out.

    `entries`: ids, pairs (id, weight), a mapping of ids to weights, or `Entries`. `prizes`: how many win. `draws`: how
    many numbers are drawn at most, 1 to 65,536; take more than there are prizes, since an entrant wins once:
    `draws_needed` says how many. `now`: the time by the caller's clock, whole seconds since 1970; the round must come
    out later. `key`: 32 bytes of `new_key()`; store them, `notice.resume(entries, key)` makes the same raffle again.
    """
    listed = entries if isinstance(entries, Entries) else Entries(entries)
    _check_prizes(prizes, draws, len(listed))
    if check_round(beacon).time <= check_decimal(now, "now", high=MAX_ROUND):
        remedy = "take one that comes out after everybody has seen the notice"
        raise InputError(
            f"round {beacon.number} is out already", where="beacon", expected="a round to come", remedy=remedy
        )
    listed.check_spelling()
    unsealed = RaffleNotice(shoe, "", len(listed), listed.tickets, draws, prizes, listed.root, beacon)
    return Raffle(listed, unsealed, new_key() if key is None else key)


def winners_of(entries: Entries, numbers: Iterable[int], prizes: int) -> tuple[Winner, ...]:
    """Return the first distinct holders of the tickets that were drawn, one for each prize; none if the numbers are
    used up before."""
    found: dict[str, int] = {}
    for ticket in numbers:
        found.setdefault(entries.holder(ticket), ticket)
        if len(found) == prizes:
            return tuple(Winner(ticket, entrant) for entrant, ticket in found.items())
    return ()


def chance_of_no_result(entries: Entries, prizes: int, draws: int) -> float:
    """Return an upper bound of the chance that the draws are used up before each prize has a winner.

    While fewer have won than there are prizes they hold at most the tickets of the heaviest `prizes` − 1, so that each
    draw finds a new winner with at least the chance of the other tickets: the bound is that of a binomial.
    """
    heaviest = sorted(map(entries.weight, range(len(entries))), reverse=True)[: prizes - 1]
    new = 1 - sum(heaviest) / entries.tickets
    if new == 1:
        return 0.0

    def term(wins: int) -> float:
        ways = lgamma(draws + 1) - lgamma(wins + 1) - lgamma(draws - wins + 1)
        return exp(ways + wins * log(new) + (draws - wins) * log1p(-new))

    return min(1.0, sum(map(term, range(prizes))))


def draws_needed(entries: Entries, prizes: int) -> int:
    """Return how many draws make it certain but for a chance of 1 in 1,000,000 that each prize has a winner; at most
    65,536."""
    low, high = prizes, MAX_RAFFLE_DRAWS
    while low < high:
        middle = (low + high) // 2
        enough = chance_of_no_result(entries, prizes, middle) <= MAX_CHANCE_OF_NO_RESULT
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def _check_prizes(prizes: int, draws: int, entries: int) -> None:
    check_decimal(draws, "draws", low=1, high=MAX_RAFFLE_DRAWS)
    remedy = f"there are {entries} entries and {draws} draws, and an entrant wins once"
    check_decimal(prizes, "prizes", low=1, high=min(entries, draws), remedy=remedy)


class CheckedRaffle(NamedTuple):
    """A raffle that holds; it has no winners if the draws are used up. `not_checked`: `notice` if none was remembered,
    since then the entries may have been changed after the beacon was known; `beacon` if the extra `beacon` is not
    installed."""

    winners: tuple[Winner, ...]
    notice: RaffleNotice
    not_checked: tuple[str, ...]


def check_raffle(proof: RaffleProof, entries: Entries, *, notice: RaffleNotice | None = None) -> CheckedRaffle:
    """Check a raffle against the published entries and the `notice` that you kept from before the draw. Raises
    VerificationError, of which StepFailed names a step of section 10."""
    for name, value, kind in (("proof", proof, RaffleProof), ("entries", entries, Entries)):
        if not isinstance(value, kind):
            raise InputError(f"{type_name(value)} is none", where=name, expected=f"a {kind.__name__}")
    if notice is not None and not isinstance(notice, RaffleNotice):
        raise InputError(f"{type_name(notice)} is none", where="notice", expected="a RaffleNotice or None")
    shown = _notice_of(proof.proof, entries)
    if notice is not None:
        for name, value in notice._asdict().items():
            _same(name, getattr(shown, name), value, "this is another raffle than the one that was announced")
    found = verify(proof.proof, commitment=shown.commitment, signature=proof.signature)
    winners = winners_of(entries, [found.draws[name] for name in shown.bounds], shown.prizes)
    for place, (said, drawn) in enumerate(zip_longest(proof.winners, winners), start=1):
        if said != drawn:
            remedy = "the draws give other winners" if winners else "the draws are used up, and nobody wins"
            what = f"winner {place} is {_shown(said)}"
            raise VerificationError(what, where="winners", expected=_shown(drawn), remedy=remedy)
    return CheckedRaffle(winners, shown, (() if notice else ("notice",)) + found.not_checked)


def _notice_of(proof: Proof, entries: Entries) -> RaffleNotice:
    """Return the notice of the raffle that a proof must be of; what is not fixed by a notice must be absent."""
    if proof.beacon is None or proof.beacon.chain != QUICKNET or not 1 <= proof.beacon.round <= MAX_ROUND:
        raise VerificationError("no round of drand's quicknet", where="beacon", expected="the round that was announced")
    beacon = drand_quicknet(proof.beacon.round)
    try:
        prizes = parse_decimal(proof.deck[4], "prizes")
        _check_prizes(prizes, len(proof.draws), len(entries))
    except (InputError, IndexError):
        raise VerificationError("not the deck of a raffle", where="deck", expected=RAFFLE_FORM) from None
    sizes = len(entries), entries.tickets, len(proof.draws), prizes
    shown = RaffleNotice(proof.shoe, proof.commitment, *sizes, entries.root, beacon)
    for name, told, found in zip_longest(("", *LABEL_NAMES), proof.deck, shown.labels):
        if told != found:
            what = f"the list has {name} {found}"
            raise VerificationError(what, where="deck", expected=f"{name} {told}, as the proof has", remedy=OTHER_LIST)
    if {name: bound for name, (bound, _) in proof.draws.items()} != shown.bounds:
        expected = f"pick/0 to pick/{shown.draws - 1}, each below {shown.tickets}"
        raise VerificationError("the draws have other names or bounds", where="draws", expected=expected)
    if (proof.seeds, proof.cut, proof.reshuffles, proof.dealt, proof.placer) != ((), 0, (), 0, None):
        expected = "no seed, cut, card or placer"
        raise VerificationError("something was mixed in", where="proof", expected=expected)
    return shown


def _shown(value: Any) -> str:
    """Write a value for people."""
    if isinstance(value, BeaconRound):
        return f"round {value.number}"
    if isinstance(value, Winner):
        return f"{value.entrant} with ticket {value.ticket}"
    return "none" if value is None else f"{value!s:.200}"


def _same(where: str, found: Any, expected: Any, remedy: str) -> None:
    if found != expected:
        raise VerificationError(f"{where} is {_shown(found)}", where=where, expected=_shown(expected), remedy=remedy)
