"""What a finding, or an entry that was left out, puts in doubt, and which findings such a doubt explains.

A doubt is about one table or one shoe. It lasts until the log says anew what it is about: from there on the auditor
follows the log again, and a finding of that kind has a cause of its own.
"""

from __future__ import annotations

UNREAD = frozenset(("entry-not-canonical", "field-invalid", "kind-unknown", "entry-inexplicable"))
"""Findings about an entry as such."""

TABLE, TURN, CHAIRS, BANK, CHIPS, ROUNDS, SHOES = "table", "turn", "chairs", "bank", "chips", "rounds", "shoes"
CUTTER = "cutter"
UNKNOWN, OPENING, ORDER, PLAY, POSITION, TIME = "unknown", "opening", "order", "play", "position", "time"
OF_SHOE = frozenset((UNKNOWN, OPENING, ORDER, PLAY, POSITION, TIME))
"""Doubts about a shoe: whether there is one; its steps up to the seal; the order of its cards; its rounds and its end;
where its pointer stands; when its steps were. The others are about a table: what it is at all; which of its shoes has
its turn; who sits there; who banks and what the rules remember; its chips; how many rounds and shoes it had; whose
turn it is to cut."""

SHOWN: dict[str, frozenset[str]] = {
    OPENING: frozenset(
        [
            "step-out-of-order",
            "seed-missing",
            "seed-out-of-turn",
            "seed-uninvited",
            "cut-differs",
            "bet-without-seed",
            "lapse-not-allowed",
            "void-not-allowed",
            "bets-not-forced",
            "seats-unaccounted",
            "seed-not-owed",
            "shoe-retired-early",
        ]
    ),
    ORDER: frozenset(
        [
            "order-differs",
            "card-differs",
            "burn-differs",
            "reshuffle-differs",
            "draw-differs",
            "cards-root-differs",
            "cut-differs",
            "shoe-retired-early",
            "shoe-not-retired",
        ]
    ),
    PLAY: frozenset(
        [
            "number-gap",
            "step-out-of-order",
            "shoe-retired-early",
            "shoe-not-retired",
            "end-differs",
            "void-not-allowed",
            "reshuffle-differs",
            "bet-without-seed",
        ]
    ),
    POSITION: frozenset(("position-differs", "reshuffle-differs")),
    TIME: frozenset(
        [
            "time-order",
            "limit-early",
            "step-late",
            "step-overdue",
            "shoe-not-retired",
            "shoe-retired-early",
            "end-differs",
            "seed-out-of-turn",
            "void-not-allowed",
            "table-closed",
        ]
    ),
    TURN: frozenset(["step-out-of-order", "time-order", "shoe-not-retired", "table-closed", "shoe-retired-early"]),
    CHAIRS: frozenset(
        [
            "decision-extra",
            "seat-differs",
            "seats-unaccounted",
            "bets-not-forced",
            "bet-illegal",
            "bet-without-seed",
            "cover-differs",
            "seed-out-of-turn",
            "seed-uninvited",
            "seed-missing",
            "seed-not-owed",
            "chips-not-allowed",
            "away-not-allowed",
            "cut-differs",
            "limit-early",
            "table-closed",
            "refund-not-owed",
            "step-out-of-order",
            "shoe-retired-early",
            "void-not-allowed",
            "lapse-not-allowed",
        ]
    ),
    BANK: frozenset(
        [
            "decision-extra",
            "decision-missing",
            "bank-differs",
            "bank-not-settled",
            "shoe-not-retired",
            "shoe-retired-early",
            "end-differs",
            "bet-illegal",
            "decision-illegal",
            "chips-not-allowed",
            "bets-not-forced",
            "seats-unaccounted",
            "void-not-allowed",
            "cut-differs",
            "step-out-of-order",
            "cover-differs",
            "limit-early",
        ]
    ),
    CHIPS: frozenset(("bet-illegal", "cover-differs", "seats-unaccounted", "bets-not-forced", "bank-differs")),
    ROUNDS: frozenset(),
    SHOES: frozenset(),
}
"""The findings that a doubt explains, besides those that name what is in doubt; of an unknown shoe or table all."""
EVERYTHING = (CUTTER, TURN, CHAIRS, BANK, CHIPS, ROUNDS, SHOES, UNKNOWN, OPENING, ORDER, PLAY, POSITION, TIME)
"""What is in doubt without an entry of which nobody knows the kind."""

_STEP = (TURN, PLAY, ROUNDS, CHIPS, POSITION, BANK)
CASTS: dict[str, tuple[str, ...]] = {
    "time-order": (TIME,),
    "limit-early": (TIME,),
    "step-overdue": (TIME,),
    "number-gap": (*_STEP, SHOES, CHAIRS),
    "shoe-unknown": (UNKNOWN, SHOES, *_STEP),
    "table-unknown": (TABLE,),
    "options-invalid": (TABLE,),
    "seed-mismatch": (ORDER,),
    "seed-missing": (ORDER, OPENING),
    "seed-uninvited": (ORDER, OPENING),
    "seed-out-of-turn": (OPENING,),
    "lapse-not-allowed": (OPENING,),
    "cut-differs": (ORDER,),
    "beacon-differs": (ORDER,),
    "order-differs": (ORDER,),
    "seat-differs": (CHAIRS,),
    "chips-not-allowed": (CHAIRS,),
    "bet-illegal": (PLAY, POSITION, BANK),
    "bets-not-forced": (PLAY,),
    "decision-illegal": (PLAY, POSITION, BANK),
    "decision-missing": (PLAY, POSITION, BANK),
    "decision-extra": (PLAY, POSITION, BANK),
    "cards-extra": (POSITION,),
    "cards-missing": (PLAY, POSITION, BANK),
    "card-unknown": (PLAY, POSITION, BANK),
    "dealer-stopped-early": (PLAY, POSITION, BANK),
    "bank-differs": (BANK, CHAIRS, CHIPS, TURN),
    "bank-not-settled": (BANK,),
    "void-not-allowed": (TURN, CHAIRS),
}
"""What each finding that has a cause of its own puts in doubt; what an entry out of step does, its kind says."""

MISSING: dict[str, tuple[str, ...]] = {
    "table": (TABLE,),
    "chips": (CHAIRS, CHIPS, BANK),
    "shoe": (UNKNOWN, SHOES, *_STEP),
    "seeds": (OPENING, ORDER, TURN, CHAIRS, BANK),
    "opened": (OPENING, ORDER, TURN, CHAIRS),
    "lapse": (OPENING, ORDER, TURN, CHAIRS),
    "late": (CHAIRS,),
    "seal": (OPENING, ORDER, TURN, PLAY, POSITION, CUTTER),
    "open": (*_STEP, OPENING, CUTTER),
    "round": _STEP,
    "reshuffle": (PLAY,),
    "bank": (BANK, CHAIRS, CHIPS, TURN, PLAY, POSITION),
    "reveal": (TURN, PLAY),
    "void": (TURN, PLAY, CHAIRS),
    "lost": (TURN, PLAY, CHAIRS),
    "close": (TURN,),
    "start": (),
    "deck": (),
    "at": (TIME,),
}
"""What is in doubt without an entry of this kind."""
STEPS = MISSING | {"shoe": (TURN, CHAIRS), "reveal": _STEP, "void": (*_STEP, CHAIRS), "lost": (*_STEP, CHAIRS)}
"""What is in doubt where an entry of this kind stands where it may not: something before it is missing."""
NO_END = "the end of this shoe before the next one has its turn"
"""What a step out of order expects that puts nothing but the turn in doubt."""

FIELDS = {
    "roster": (CHAIRS, OPENING, ORDER),
    "cutter": (CHAIRS, CUTTER),
    "owes": (CHAIRS,),
    "waits": (CHAIRS,),
    "away": (CHAIRS,),
    "paid": (CHAIRS,),
    "purpose": (CHAIRS, BANK, OPENING),
    "bank": (BANK,),
    "memory": (BANK,),
    "deck": (ORDER,),
    "cards": (ORDER,),
    "draws": (ORDER,),
}
"""Which doubt a differing field of a `shoe` belongs to, or casts."""

_FIRST = (
    "kind-unknown",
    "entry-not-canonical",
    "field-invalid",
    "time-order",
    "table-unknown",
    "table-duplicate",
    "shoe-unknown",
    "step-out-of-order",
    "number-gap",
)
_LAST = ("shoe-retired-early", "shoe-not-retired", "end-differs", "step-late", "step-overdue", "limit-early")


def rank(code: str) -> int:
    """Which of several findings about an entry is the likelier cause of the others: the lower one."""
    if code in _FIRST:
        return _FIRST.index(code) - len(_FIRST)
    return 2 if code == "chips-differ" else int(code in _LAST)


OUT_OF_ORDER = frozenset(("time-order", "step-out-of-order", "shoe-unknown"))
"""Findings that follow from any earlier one that says that entries of the same shoe are out of order."""
BREAKS = OUT_OF_ORDER | frozenset(("seed-missing", "seed-out-of-turn", "seed-uninvited"))
SOFT = (
    frozenset().union(*SHOWN.values(), ("number-gap", "shoe-unknown", "table-unknown")) - SHOWN[ORDER] - SHOWN[POSITION]
)
"""Findings that follow from a likelier cause in the same entry."""
SOFT |= frozenset(("shoe-retired-early", "shoe-not-retired", "cut-differs", "table-duplicate"))
AGAIN = frozenset(("seed-reused", "commitment-reused", "seed-not-owed", "chips-differ", "shoe-differs"))
"""Findings about an entry that stands where it may not, or a second time, that say no more than that."""
CHIPS_MOVED = frozenset(("seat-differs", "chips-not-allowed", "refund-not-owed", "step-out-of-order", "time-order"))
"""Findings about a `chips` entry, whose chips differ for the same cause."""
OF_FILE = frozenset(("log-resaved", "entry-cut-off"))
"""Findings about the file itself: as those about signature, tree and memory they follow from no entry."""
