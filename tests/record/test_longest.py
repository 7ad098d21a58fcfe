"""The longest entries that tables can make are far shorter than a log takes: nobody is there who could ask for less."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from fairshoe.cards import named_deck
from fairshoe.engine.cards import Stack
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import Round, run_round
from fairshoe.engine.rules import RULES, Rules, rules_of
from fairshoe.engine.table import MAX_BET, MAX_CHIPS, POOL, Bet, Table
from fairshoe.log.canonical import MAX_ENTRY, MAX_INTEGER, Entry, encode
from fairshoe.record.entries import seeds_entry, shoe_entry
from fairshoe.record.forms import Placement
from fairshoe.record.rounds import Betting, open_entry, round_entry

AT, HEX = "2026-01-01T00:00:00.000000Z", "f" * 64
TABLE = "t" * 32
SHOE = f"{TABLE}/{MAX_INTEGER}"
WIDEST = {"chinese": {"packs": 2}, "pontoon": {"participants": 12}}
"""The options with the most chairs."""
LONGEST = 25_000
"""Bytes: more than the longest that was measured, 20,266, of a `round` at a lounge table of 61 chairs."""


def full_table(rules: Rules) -> Table:
    """Every chair is taken by a player with the longest id, and who may bank does."""
    players = {seat: f"{seat:0>64}" for seat in range(1, rules.chairs[1] + 1)}
    table = Table(rules, players, dict.fromkeys((*players, 0), MAX_CHIPS // 4), 1 if rules.name in WIDEST else 0)
    if rules.first_account != POOL:
        return table
    memory = rules.import_memory({"game": MAX_INTEGER, "started": 1}, list(players))
    return table.after({POOL: MAX_CHIPS // 4}, bank=POOL, memory=memory)


def dealt(rules: Rules, seed: int) -> Round:
    """A round in which everybody splits and takes cards; equal ranks come one after the other, low ones first."""
    rng, table = random.Random(seed), full_table(rules)
    deck, ranks = list(named_deck(rules.deck)), rng.sample("A23456", 6)
    rng.shuffle(deck)
    deck.sort(key=lambda label: ranks.index(label[0]) if label[0] in ranks else 6)

    def choose(_: Round, ask: Ask) -> Decision:
        found = {move.name: move for move in ask.moves}
        move = next((found[name] for name in ("split", "buy", "hit") if name in found), rng.choice(ask.moves))
        return Decision(ask.actor, move.name, move.high, move.among[: move.most])

    bets = rules.forced_bets(table, list(table.players))
    if bets is None:
        bets = [Bet(seat, rules.maximum, seat) for seat in rules.acting_order(table) if seat != table.bank]
    return run_round(table, Stack(deck), bets, choose)


def entries_of(rules: Rules) -> Iterator[Entry]:
    """The longest of each kind: every decision is the table's, every card was placed."""
    table = full_table(rules)
    names = [*table.players.values()]
    fields = {"deck": rules.deck, "cards": rules.cards, "roster": names, "draws": rules.draws(), "cutter": names[0]}
    placer = {"commitment": HEX, "key": "k" * 200}
    yield shoe_entry(AT, SHOE, commitment=HEX, table=table, placer=placer, owes=[*table.players], **fields)
    yield seeds_entry(AT, SHOE, dict.fromkeys(names, HEX), {"at": 999, "by": names[0]}, names)
    bets = tuple(Bet(seat, MAX_BET, seat) for seat in table.players)
    yield open_entry(AT, SHOE, MAX_INTEGER, Betting(bets, *[tuple(table.players)] * 3, bets, tuple(table.players)))
    for seed in range(20):
        round = dealt(rules, seed)
        placed = Placement((99_999,) * len(round.cards), "s" * 200)
        entry = round_entry(AT, SHOE, MAX_INTEGER, round, placement=placed)
        yield entry | {"decisions": [each | {"at": AT, "by": "table"} for each in entry["decisions"]]}


@pytest.mark.parametrize("name", RULES)
def test_no_entry_of_a_full_table_is_too_long(name: str) -> None:
    options = WIDEST.get(name, {}) | ({} if name == "lounge" else {"maximum": MAX_BET})
    longest = max((len(encode(entry)), entry["kind"]) for entry in entries_of(rules_of(name, options)))
    assert longest[0] < LONGEST < MAX_ENTRY / 2, longest
