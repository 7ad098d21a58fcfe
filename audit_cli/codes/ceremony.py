"""Order, completeness, commitment, contributions, shuffle."""

from ..findings import Code

CODES = (
    Code("time-order", "order", "entries were moved, or a time was changed", "`at` must rise from entry to entry."),
    Code(
        "step-out-of-order",
        "order",
        "an entry was moved, dropped or invented",
        "Each step of the ceremony needs the one before it: shoe, seeds, seal, open, round, reveal. This entry stands "
        "where it may not.",
    ),
    Code("table-unknown", "order", "the table's first entry is missing", "A table's entries follow its `table` entry."),
    Code("table-duplicate", "order", "a table was opened twice", "A table has one `table` entry."),
    Code("shoe-unknown", "order", "the shoe's commitment is missing", "Nothing may happen to a shoe without a `shoe`."),
    Code(
        "number-gap",
        "completeness",
        "a shoe or round was dropped or added",
        "Shoes and rounds of a table are numbered 1, 2, … without gaps.",
    ),
    Code(
        "reveal-overdue",
        "completeness",
        "the house does not want to show the key",
        "A shoe must be revealed before the table's next shoe is sealed, and within its policy's time.",
    ),
    Code(
        "shoe-void",
        "completeness",
        "a shoe was closed before it was dealt, as the ceremony allows",
        "Asked for before the seal, or a hashed seed that was not opened in time. Counted, not a failure.",
        severity="note",
        fault="unknown",
    ),
    Code(
        "void-not-allowed",
        "completeness",
        "the house got rid of a shoe that it did not like",
        "A sealed shoe is dealt and revealed; an opened round is played to its end (GE-13).",
    ),
    Code(
        "key-mismatch",
        "commitment",
        "the key was exchanged after the commitment",
        "The revealed key does not hash to the commitment that was published before the bets.",
    ),
    Code(
        "commitment-reused",
        "commitment",
        "a key was used for two shoes",
        "Commitments are unique in a log: who saw the first shoe's key would know the second's cards.",
    ),
    Code(
        "shoe-differs",
        "commitment",
        "the shoe is not the one that the table's rules prescribe",
        "Deck, draws, roster and cutter of a shoe follow from the table.",
    ),
    Code(
        "seed-mismatch",
        "contributions",
        "a seed was exchanged after its hash was published",
        "An opened seed must hash to what stands in the `seeds` entry.",
    ),
    Code(
        "seed-missing",
        "contributions",
        "the house left out a player's seed",
        "Every seed whose hash was published is opened, or the shoe is void; it is never left out.",
    ),
    Code(
        "seed-uninvited",
        "contributions",
        "a seed was added that nobody had announced",
        "Only contributors of the roster whose hash was published (or the sole one) contribute.",
    ),
    Code(
        "seed-reused",
        "contributions",
        "a player's program repeats its seed, or the house replays one",
        "Client seeds are unique in a log.",
        fault="unknown",
    ),
    Code(
        "cut-differs",
        "contributions",
        "the cut was changed, or made by somebody who may not cut",
        "The cut is chosen by the cutter before any seed is opened, within the rules' range; where nobody chose it is "
        "the named draw `cut`.",
    ),
    Code(
        "beacon-differs",
        "contributions",
        "another round of the beacon was used than the one announced",
        "Chain and round of the beacon are named at the commitment; its randomness is the SHA-256 of its signature. "
        "The signature itself is not checked here: hold the randomness against what the beacon published.",
    ),
    Code(
        "entropy-house-only",
        "contributions",
        "no player contributed to the shoe",
        "The order depends on the house's key alone: the commitment still binds it, but the house could have chosen "
        "the key among many.",
        severity="note",
        fault="unknown",
    ),
    Code(
        "bet-without-seed",
        "contributions",
        "the house let a seat bet that had no part in the shuffle",
        "A bet needs the seat's own seed in the shoe or a waiver that the log shows.",
    ),
    Code(
        "draw-differs",
        "shuffle",
        "the house changed a committed random number",
        "A named draw follows from the key and the transcript.",
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
        "cards-root-differs",
        "shuffle",
        "the seal binds other cards than the key gives",
        "`cards_root` is the RFC 6962 tree head over the salted cards in dealt order.",
    ),
)
