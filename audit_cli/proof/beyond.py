"""What only the whole log can show, and a proof of one hand cannot."""

from __future__ import annotations

from fairshoe.engine.rules import Rules

DELAYS = frozenset(("step-late", "step-overdue"))
COVER = frozenset(("cover-differs",))
ENDS = frozenset(("shoe-retired-early", "end-differs"))

ONLY_ONE = (
    "that the house signed no other log: another may tell this hand otherwise. Hold the checkpoint against one that "
    "others saw (`--checkpoint`), or ask for the cosignatures of witnesses that you trust (`--witness`)"
)
NOWHERE_ELSE = (
    "that no second table, shoe, round, seal or end of this name stands elsewhere in the log, with other bets, cards "
    "or payouts"
)
NOT_DEALT = (
    "that the shoe was not sealed, dealt or revealed after all, and that the seed which these entries lack was not "
    "opened: a `seal`, `round`, `reveal` or `opened` elsewhere in the log would show it"
)
BALANCES = "earlier balances: each account is taken to have had what it has after the round, less what the round won it"
CHAIRS = (
    "whether the roster, the cutter and the order of opening follow from who sat where, since when, and from who was "
    "absent, owed a seed or waited for another shoe"
)
NAMED = "whether every seat that could bet was named, and whether a bet that was not taken lacked cover"
NUMBERS = "that numbers of shoes and rounds have no gaps, and that no key or seed was used before"
LIMITS = "limits of seats that may have been absent, limits that began anew or later, and delays"
BANK = "how the bank came to its seat"
JOINED = "who had joined the game"
POSITION = "that the first card follows the last one of the round before, and that no round before it was reshuffled"
WAIVERS = "that a seat without a seed of its own had waived it in an earlier round"
SITTING = "that nobody left a chair since the commitment for somebody else to take it"
RETIRED = "whether the shoe was retired when it had to be, and where its last card lay"


def codes_beyond(rules: Rules) -> frozenset[str]:
    """The findings that rest on entries that a proof does not have."""
    return DELAYS | COVER | (frozenset() if rules.one_round else ENDS)


def only_whole_log(rules: Rules, *, void: bool = False) -> list[str]:
    """What a proof of a hand at such a table leaves open, in words; what could turn it round stands first."""
    play = [] if rules.one_round else [POSITION, SITTING, WAIVERS, RETIRED]
    joined = [] if rules.bets_freely else [JOINED]
    first = [NOT_DEALT] if void else []
    return [*first, NOWHERE_ELSE, ONLY_ONE, *play, BALANCES, CHAIRS, NAMED, *joined, BANK, NUMBERS, LIMITS]
