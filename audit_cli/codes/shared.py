"""What findings of several kinds have in common: order, limits, cards, chips."""

from ..findings.finding import Code

CODES = (
    Code(
        "time-order",
        "order",
        "entries were moved, or a time was changed",
        "`at` must rise from entry to entry.",
        next="Look at the entries before and after it: one of them stands in another place than it was "
        "written, or its time was changed. Ask the house.",
    ),
    Code(
        "step-out-of-order",
        "order",
        "an entry was moved, dropped or invented",
        "Each step of the ceremony needs those before it: shoe, seeds, opened, seal, open, round, reveal. This entry "
        "stands where it may not.",
        next="Look at the entries around it: one that is needed is missing before it, or this one does "
        "not belong there. Ask the house for the entry.",
    ),
    Code("table-unknown", "order", "the table's first entry is missing", "A table's entries follow its `table` entry."),
    Code("shoe-unknown", "order", "the shoe's commitment is missing", "Nothing may happen to a shoe without a `shoe`."),
    Code(
        "table-closed",
        "policy",
        "the table went on after it was closed",
        "A closed table takes no new player and begins no shoe, but for a game that has begun (LO-04).",
    ),
    Code(
        "number-gap",
        "completeness",
        "a shoe or round was dropped or added",
        "Shoes and rounds of a table are numbered 1, 2, … without gaps.",
        next="Ask the house for the entries that are missing before this one, and the players what happened then.",
    ),
    Code(
        "limit-early",
        "policy",
        "somebody was not given the time that the table's limits promise, or a time was changed",
        "What a limit decided stands in the log at least that much later than the entry that began the wait, or the "
        "service's last start.",
        next="Ask the player concerned whether they were cut off. The limits stand in the `table` entry.",
    ),
    Code(
        "policy-invalid",
        "policy",
        "a time limit is missing or out of bounds",
        "Every limit is stated: hash, seed, cut, bet and decision 5 to 3,600 seconds, shoe 1 to 30 days.",
    ),
    Code(
        "step-late",
        "completeness",
        "the service was down, or the house waited with it",
        "A step stands in the log more than an hour after it was due, or is still missing at its end. Of a gap between "
        "two entries an hour counts: an outage is no delay.",
        severity="note",
        next="Nothing, if it happens once. Ask the house why, if it often does.",
    ),
    Code(
        "step-overdue",
        "completeness",
        "the house does not want to go on, or to show the key",
        "A step stands in the log more than a day after it was due, or is still missing at its end. Of a gap between "
        "two entries an hour counts: the house went on writing, and left this out.",
        next="Ask the house for the step, and for the reason of the delay. What depends on it is not settled before.",
    ),
    Code(
        "key-mismatch",
        "commitment",
        "the key was exchanged after the commitment",
        "The revealed key does not hash to the commitment that was published before the bets.",
        next="Compare the commitment with the one that a player saw before the bets; then ask the "
        "house for the right key. Until then the cards of this shoe are not checked.",
    ),
    Code(
        "shoe-differs",
        "commitment",
        "the shoe is not the one that the ceremony prescribes",
        "Deck, draws, roster, cutter and the table as it stands follow from the log before the `shoe`.",
    ),
    Code(
        "seed-mismatch",
        "contributions",
        "a seed was exchanged after its hash was published",
        "An opened seed must hash to what stands in the `seeds` entry.",
        next="Ask the player for the seed that they sent, or its receipt, and hold it against the log: fairshoe-audit "
        "hand LOG --round ID.",
    ),
    Code(
        "seed-uninvited",
        "contributions",
        "a hash or seed was added that nobody was asked for",
        "Hashes come from the roster, seeds from those whose hash was published and who are not struck.",
    ),
    Code(
        "seed-reused",
        "contributions",
        "a player's program repeats its seed, or the house replays one",
        "A seed's hash stands once in a log, void shoes included.",
        fault="unknown",
        next="Ask the player whether their program makes a fresh seed for each shoe. If it does, ask the house.",
    ),
    Code(
        "seed-out-of-turn",
        "contributions",
        "the house let somebody see a seed before opening their own",
        "Seeds are opened one after the other, the newest chair first; without a table the roster's last first.",
    ),
    Code(
        "cut-differs",
        "contributions",
        "the cut was changed, or made by somebody who may not cut",
        "The cut is chosen by who may cut before any seed is opened, within the rules' range; where nobody chose it is "
        "the named draw `cut`.",
    ),
    Code(
        "burn-differs",
        "shuffle",
        "another card was burned than the top one",
        "The burned card is the first card of the shuffled deck (PO-06).",
    ),
    Code(
        "reshuffle-differs",
        "shuffle",
        "the cards gathered in the middle of a deal are not those that were out of play",
        "Number, size, deck hash, place and cut of a reshuffle follow from the key and the round.",
    ),
    Code(
        "card-differs",
        "cards",
        "a card was exchanged",
        "The card at this position is not the one that the revealed key, the seeds and the cut give.",
        next="Compare with the cards that the players saw: fairshoe-audit hand LOG --round shows what "
        "the key gives and what is logged. Ask the house which of them was dealt.",
    ),
    Code(
        "position-differs",
        "cards",
        "cards were skipped or dealt twice",
        "A round's first card is the one after the last card of the round before.",
    ),
    Code(
        "bet-illegal",
        "decisions",
        "the table took a bet that the rules forbid",
        "Outside the limits, not covered, not payable in whole units, twice, or by an empty seat.",
    ),
    Code(
        "decision-illegal",
        "decisions",
        "the table let a seat do what the rules forbid, or the log was changed",
        "The decision was not among the legal moves at that step.",
    ),
    Code(
        "decision-missing",
        "decisions",
        "a decision is not in the log",
        "The round, or the move of the bank, was not over after the logged decisions.",
    ),
    Code(
        "chips-differ",
        "chips",
        "chips appeared or vanished",
        "An account's chips after an entry follow from those before it and what the entry says.",
        next="Ask the player how many chips they had before and after, and compare with the entry. Ask the house.",
    ),
    Code(
        "shoe-not-retired",
        "policy",
        "the house dealt on from a shoe that it should have retired",
        "A round was opened although the shoe was worn, too old, or the bank had moved.",
    ),
    Code("bank-not-settled", "policy", "a bank change was skipped", "The rules settle the bank before the next shoe."),
)
