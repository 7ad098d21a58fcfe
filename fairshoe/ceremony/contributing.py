"""Rules for contributions: contributors and their order, cutter, commitment, order of cards; and for bets."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from ..engine.rules import Rules
from ..engine.table import Bet, Table
from ..errors import IllegalBet
from ..log.times import SECOND, microseconds
from ..protocol.beacons import drand_quicknet, first_round_from
from ..protocol.commitment import commitment_of
from ..protocol.deck import Deck
from ..protocol.placed_shoe import PlacedShoe, PlaceSource
from ..protocol.shoe import CUT, Sealed
from ..protocol.transcript import PlacerCommitment, Seed, Transcript
from ..protocol.word_stream import check_draws, draw_named
from ..record.rounds import Betting
from .book import Book, Cut, Shoe, has_part, has_seed
from .policy import min_beacon_delay

# The commitment.


def may_be_away(book: Book) -> list[int]:
    """Return the chairs that may be left out of a roster: they let two limits in a row pass, and do not bank."""
    return [seat for seat in sorted(book.chairs) if book.chairs[seat].is_absent and seat != book.table.bank]


def roster(book: Book, away: Collection[int] = ()) -> list[int]:
    """The chairs of all who sit here, but for `away`, and as long as others can play without them who owe a seed.

    After a void for a seed newcomers wait for the next seal like those who have handed a seed in: else two
    seats could keep a table from ever dealing by coming back as the newest in turn. That is no mere delay for who
    banks, or has paid for a game: they do not wait.
    """
    waits = book.first_void if book.rules.bets_freely else ""
    present = sorted(set(book.chairs).difference(away))
    if not book.debts and not waits:
        return present
    debts = {seat: book.debts.get(book.chairs[seat].player) for seat in present}
    paid = [seat for seat, debt in debts.items() if debt is None or debt.is_paid]
    never_owed = settled = [seat for seat, debt in debts.items() if debt is None]
    if waits:
        settled = [seat for seat in settled if book.chairs[seat].seated_at <= waits or seat == book.table.bank]
    return next((seats for seats in (settled, never_owed, paid) if can_play(book, seats)), paid or present)


def left_out(book: Book, chosen: Sequence[int]) -> dict[str, list[int]]:
    """Return the chairs that are not in a roster, by the reason: the first that holds of `owes`, `waits`, `away`."""
    if len(chosen) == len(book.chairs):
        return {}
    waits = book.first_void if book.rules.bets_freely else ""
    reasons: dict[str, list[int]] = {"owes": [], "waits": [], "away": []}
    for seat in sorted(set(book.chairs).difference(chosen)):
        chair = book.chairs[seat]
        newcomer = bool(waits) and chair.seated_at > waits and seat != book.table.bank
        reasons["owes" if chair.player in book.debts else "waits" if newcomer else "away"].append(seat)
    return reasons


def can_play(book: Book, seats: Sequence[int]) -> bool:
    """Whether a shoe of these contributors would come to something: one of them could bet on it, or be dealt for it."""
    if next_shoe_purpose(book) is not None:
        return any(seat in book.rules.bank_candidates(book.table) for seat in seats)
    return any(can_bet(book.table, seat) for seat in seats)


def is_alone(book: Book, names: Sequence[str], purpose: str | None) -> bool:
    """Whether no hash is asked for: the sole player of a one-round shoe, or a player who places."""
    if book.player_places:
        return True
    return book.rules.one_round and purpose is None and len(names) == len(book.table.players) == 1


def next_shoe_purpose(book: Book) -> str | None:
    """`bank` where the next shoe is to find the first banker (PO-04)."""
    return "bank" if book.rules.needs_first_bank(book.table) else None


def turn_to_cut(book: Book) -> int:
    """Return the chair whose turn it is to cut the next shoe, where the rules name one; else 0."""
    rules = book.rules
    if book.player_places or rules.cut_range() is None or not rules.waits_for_cut or not book.table.players:
        return 0
    return next(iter(rules.cutters(book.table, book.turn)), 0)


def next_shoe_fields(book: Book, away: Sequence[int], at: str) -> dict[str, Any]:
    """Return the fields of the next `shoe` entry but id and commitment; `away`: chairs that the house leaves out."""
    rules, table = book.rules, book.table
    chosen = roster(book, away)
    names = [book.chairs[seat].player for seat in chosen]
    cutter = table.players.get(turn_to_cut(book))
    return {
        "deck": rules.deck,
        "cards": rules.cards,
        "roster": names,
        "draws": rules.draws(),
        "table": table,
        "cutter": cutter if cutter in names else None,
        "purpose": next_shoe_purpose(book),
        "beacon_round": _next_beacon_round(book, len(names), at) if book.beacon_delay else 0,
        **left_out(book, chosen),
    }


def _next_beacon_round(book: Book, players: int, at: str) -> int:
    low = min_beacon_delay(book.policy, players, one_round=book.rules.one_round)
    return delayed_round(at, max(book.beacon_delay, low))


def delayed_round(at: str, delay: int) -> int:
    """Return the first round of drand's quicknet that comes out so many seconds after `at` or later."""
    return first_round_from(-(-microseconds(at) // SECOND) + delay).number


def placer_of(book: Book) -> str:
    """Return the verifier key of the placer of the table's next shoe, "" if it has none."""
    return next((chair.placer for chair in book.chairs.values()), "") if book.player_places else book.placer


def may_place(rules: Rules) -> bool:
    """Whether a table of these rules can have its player as its placer: they can be played by one."""
    return rules.players_needed == 1


def first_bank_chairs(book: Book, shoe: Shoe) -> list[int]:
    """Return the chairs that a first banker's shoe is dealt to: those of the roster that sit and cover (PO-04)."""
    here = [who for who in shoe.roster if who not in shoe.struck]
    return [seat for seat in book.rules.bank_candidates(book.table) if book.chairs[seat].player in here]


# Hashes and the cut.


def missing_hashes(book: Book | None, shoe: Shoe, hashes: Container[str]) -> list[str]:
    """Return the players of the roster who are waited for and have sent no hash."""
    silent = [who for who in shoe.roster if who not in hashes and who not in shoe.struck]
    if book is None:
        return silent
    waited = {chair.player for chair in book.chairs.values() if not chair.is_absent}
    return [who for who in silent if who in waited]


def cutters(book: Book | None, shoe: Shoe) -> list[str]:
    """Return the players who may cut, in the order in which their cuts count."""
    if book is None:
        return list(shoe.roster) if shoe.cutter is None else [shoe.cutter]
    rules = book.rules
    if rules.cut_range() is None or shoe.purpose is not None:
        return []
    if rules.waits_for_cut:
        return [] if shoe.cutter is None else [shoe.cutter]
    players = book.table.players
    return [players[seat] for seat in rules.cutters(book.table, book.turn) if players[seat] in shoe.roster]


def cut_range(rules: Rules | None, shoe: Shoe) -> tuple[int, int]:
    """Return the lowest and highest cut that a player may choose."""
    return (rules.cut_range() if rules is not None else None) or (0, shoe.cards - 1)


def cut_that_counts(book: Book | None, shoe: Shoe, cuts: Mapping[str, int]) -> Cut | None:
    """Return the one cut that counts of those that came with the hashes."""
    return next((Cut(cuts[player], player) for player in cutters(book, shoe) if player in cuts), None)


def is_cut(shoe: Shoe) -> bool:
    """Whether the deck is cut at all: by who may, or at the named draw where nobody did."""
    return CUT in shoe.draws


# The opening.


def openers(book: Book | None, shoe: Shoe) -> list[str]:
    """Return the players who have still to open a seed: the newest chair first; without a table the roster's last."""
    promised = () if shoe.player_places else shoe.roster if shoe.alone else shoe.hashes
    left = [who for who in shoe.roster if who in promised and who not in shoe.opened and who not in shoe.struck]
    if book is None or not left:
        return left[::-1]
    taken = {chair.player: chair.order_time for chair in book.chairs.values()}
    return sorted((who for who in left if who in taken), key=lambda who: taken[who], reverse=True)


def only_strikes(book: Book | None, shoe: Shoe) -> bool:
    """Whether an unopened seed is struck, and does not make the shoe void: nobody has opened, and others remain."""
    return not shoe.opened and len(openers(book, shoe)) > 1


def owes_seed(book: Book | None, shoe: Shoe) -> bool:
    """Whether the shoe is void if the player whose turn it is opens no seed in time: that seed is owed."""
    return shoe.allows("opened") and bool(openers(book, shoe)) and not only_strikes(book, shoe)


def may_seal(book: Book | None, shoe: Shoe) -> bool:
    """Whether every needed seed is open; at a table, or with a beacon and a roster, at least one. See
    `awaits_beacon`."""
    if not shoe.allows("seal") or openers(book, shoe):
        return False
    if book is None and not (shoe.beacon_round and shoe.roster):
        return True
    return bool(shoe.opened or shoe.player_places)


def awaits_beacon(book: Book | None, shoe: Shoe) -> bool:
    """Whether only the signature of its beacon's round is missing for the seal."""
    return bool(shoe.beacon_round) and may_seal(book, shoe)


def beacon_time(shoe: Shoe) -> int:
    """Return when the round of a shoe's beacon comes out (microseconds)."""
    return drand_quicknet(shoe.beacon_round).time * SECOND


def is_beacon_out(shoe: Shoe, now: int) -> bool:
    """Whether the beacon's round of an unsealed shoe is out at this moment (microseconds): whoever knows it chooses
    nothing any more, so no entry stands that changes the order, takes bets on it or throws it away by choice."""
    return bool(shoe.beacon_round) and not shoe.sealed and now >= beacon_time(shoe)


def seeds_in_order(shoe: Shoe) -> tuple[Seed, ...]:
    """Return the seeds that are open, in the order in which the transcript has them: the roster's."""
    return tuple(Seed(who, bytes.fromhex(shoe.opened[who])) for who in shoe.roster if who in shoe.opened)


def transcript_of(shoe: Shoe, commitment: str, deck: Deck) -> Transcript:
    """All that goes into the order of a sealed shoe but the keys."""
    placer = None if shoe.placer is None else PlacerCommitment(*shoe.placer[:2])
    return Transcript(shoe.id, len(deck), deck.hash, commitment, seeds_in_order(shoe), shoe.beacon, placer=placer)


def order_of(shoe: Shoe, key: bytes, deck: Deck, placing: PlaceSource | None = None) -> Sealed:
    """Return the shoe with its order fixed and cut, where needed at the named draw. `placing`: the source of places of
    a shoe with a placer. Raises InputError where `cut` does not fit the deck."""
    transcript = transcript_of(shoe, commitment_of(key), deck)
    if shoe.cut is not None:
        cut = shoe.cut.at
    elif CUT in shoe.draws:
        cut = draw_named(key, transcript.digest, CUT, check_draws(shoe.draws, len(deck))[CUT])
    else:
        cut = 0
    if placing is not None:
        return PlacedShoe(key, transcript, deck, placing, cut=cut, draws=shoe.draws)
    return Sealed(key, transcript, deck, cut=cut, draws=shoe.draws)


# Bets.


def can_bet(table: Table, seat: int) -> bool:
    """Whether a lowest bet of the chair by itself would be taken."""
    if seat == table.bank:
        return False
    try:
        table.rules.check_enough_players(table)
        table.rules.check_round_bets(table, [Bet(seat, table.rules.lowest_bet, seat)])
    except IllegalBet:
        return False
    return True


def may_waive(book: Book, shoe: Shoe, seat: int) -> bool:
    """A waiver is for a shoe of many rounds, by a chair taken after its commitment that has no seed in it."""
    chair = book.chairs[seat]
    if shoe.player_places:
        return False
    late = chair.seated_at > shoe.at and seat != book.table.bank and chair.player not in book.debts
    return late and not book.rules.one_round


def bettors(book: Book, shoe: Shoe) -> list[int]:
    """Return the chairs that are asked for a bet: they have a part in the shoe and could bet."""
    return [seat for seat in players_of(book, shoe) if can_bet(book.table, seat)]


def players_of(book: Book, shoe: Shoe, but: Collection[int] = ()) -> list[int]:
    """The chairs that an `open` must name, without those of `but`: they have a part in the shoe and do not bank."""
    seats = [seat for seat in sorted(book.chairs) if seat != book.table.bank and seat not in but]
    return [seat for seat in seats if has_part(book, shoe, seat)]


def forced_bets_of(book: Book, shoe: Shoe) -> list[Bet] | None:
    """Return the bets where the rules leave nobody a choice (LO-05, LO-09); else None."""
    if book.rules.bets_freely:
        return None
    return book.rules.forced_bets(book.table, [seat for seat in book.chairs if has_seed(book, shoe, seat)])


def close_betting(
    book: Book, shoe: Shoe, offered: Mapping[int, Sequence[Bet]], waivers: Sequence[int] = ()
) -> Betting | None:
    """Close the betting with these bets by chair (none: a pass). Return None if no bet counts."""
    bets = forced_bets_of(book, shoe)
    if bets is not None:
        return Betting(tuple(bets)) if bets else None
    taken, uncovered = book.rules.partition_covered(book.table, [bet for own in offered.values() for bet in own])
    if not taken:
        return None
    others = players_of(book, shoe, [seat for seat, own in offered.items() if own])
    silent = [seat for seat in others if can_bet(book.table, seat)]
    waived = sorted({bet.seat for bet in (*taken, *uncovered)} & set(waivers)) if waivers else ()
    return Betting(
        tuple(taken),
        waived=tuple(waived),
        passed=tuple([seat for seat in silent if seat in offered]),
        late=tuple([seat for seat in silent if seat not in offered]),
        uncovered=tuple(uncovered),
        unfunded=tuple([seat for seat in others if seat not in silent]),
    )
