"""How far a proof of one hand goes: what it rests on, and what only the whole log can show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairshoe.engine.rules import Rules
from fairshoe.errors import InputError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import HandProof

from ...verify.evidence.histories import RememberedCheckpoint
from ...verify.evidence.witnesses import Cosignatures, cosignatures_form, lines_of, report_too_few
from ..outcome import Outcome
from .watcher import WatchedRound

CODES_BEYOND_PROOF = frozenset(("step-late", "step-overdue", "cover-differs"))
ENDS = frozenset(("shoe-retired-early", "end-differs"))

ONLY_ONE = (
    "that the house signed no other log: another may tell this hand otherwise. Hold the checkpoint against one that "
    "others saw (`--checkpoint`), or ask for the cosignatures of witnesses that you trust (`--witness`)"
)
UNSEEN_DUPLICATES = (
    "that no second table, shoe, round, seal or end of this name stands elsewhere in the log, with other bets, cards "
    "or payouts"
)
DEALT_AFTER_ALL = (
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


# What is not looked at of a log of which only the hand's shoe is read.

NO_SECOND = "that no second shoe or round of this name stands elsewhere in the log"
OTHERS = "other tables, and that no key or seed was used at one of them before", NO_SECOND
BEFORE_SHOE = (
    "other tables, and this one before the shoe: its balances, its bank and what it remembers are taken as the `shoe` "
    "says them",
    NO_SECOND,
    "seeds that are handed in late",
    CHAIRS,
    BANK,
    NUMBERS,
    "limits of seats that may have been absent",
)


def codes_beyond(rules: Rules) -> frozenset[str]:
    """Return the findings that rest on entries that a proof does not have."""
    return CODES_BEYOND_PROOF if rules.one_round else CODES_BEYOND_PROOF | ENDS


def only_whole_log(hand: WatchedRound) -> list[str]:
    """Describe what a proof of a hand leaves open; what could turn it round stands first."""
    rules = hand.before.rules
    play = [] if rules.one_round else [POSITION, SITTING, WAIVERS, RETIRED]
    joined = [] if rules.bets_freely else [JOINED]
    first = [DEALT_AFTER_ALL] if hand.how == "void" else []
    return [*first, UNSEEN_DUPLICATES, ONLY_ONE, *play, BALANCES, CHAIRS, NAMED, *joined, BANK, NUMBERS, LIMITS]


NOT_DEALT = "round {} was not dealt, by these entries; only the whole log shows whether its shoe was dealt after all"
NOT_OPENED = ", or the seed opened that is said to lack"
NO_KEY = "the proof has no key of its shoe; get it again when the shoe has ended"
REMEDY = (
    "with the log, or its tiles, `fairshoe-audit consistency OLD NEW LOG --key VKEY` tells; the proof file will do for "
    "OLD or NEW"
)


def check_same_size(head: Checkpoint, kept: RememberedCheckpoint) -> None:
    """Raise InputError where a proof's checkpoint and one that somebody kept do not cover as many entries: no proof of
    a hand can bridge that."""
    if kept.checkpoint.size != head.size:
        what = f"it covers {kept.checkpoint.size:,} entries, the proof's checkpoint {head.size:,}"
        raise InputError(what, where=kept.name, expected="a checkpoint of the same size", remedy=REMEDY)


class ProofScope(NamedTuple):
    """The evidence a proof file rests on: its checkpoint, which the house signed by `key`, others that this was held
    against, and the cosignatures of witnesses."""

    proof: HandProof
    head: Checkpoint
    key: str
    remembered: Sequence[RememberedCheckpoint]
    cosigned: Cosignatures

    def outcome(self, outcome: Outcome) -> Outcome:
        """The outcome of the hand, but for a house that signed two logs of one size, and for too few cosignatures:
        these fail whatever the hand is like."""
        wrong: list[str] = []
        if not all(map(self._is_same, self.remembered)):
            wrong.append(f"the house signed two logs of {self.head.size:,} entries that differ")
        if not self.cosigned.enough:
            wrong.append(report_too_few(self.cosigned))
        if not wrong:
            return outcome
        more = [outcome.what] if outcome.word == "FAIL" else []
        return Outcome("FAIL", "; ".join([*wrong, *more]), False)

    def _is_same(self, kept: RememberedCheckpoint) -> bool:
        return kept.checkpoint.root == self.head.root

    @property
    def around(self) -> Iterator[str]:
        """The evidence around the proof, in words."""
        size = f"{self.head.size:,} entries"
        for each in self.remembered:
            if self._is_same(each):
                yield f"Held against {each.name}: the same log, of {size}."
            else:
                yield (
                    f"Held against {each.name}: ANOTHER log of {size}, signed by the same key. Keep both: the two "
                    "checkpoints convict the house."
                )
        yield from lines_of(self.proof.checkpoint, self.cosigned)

    def lines(self, hand: WatchedRound, elsewhere: int) -> Iterator[str]:
        """`elsewhere`: how many things fail that are not of this hand."""
        origin, size, count = self.head.origin, self.head.size, len(self.proof.entries)
        yield f"The proof: {origin} signed a log of {size:,} entries, and these {count} stand in it."
        yield from self.around
        yield "What only the whole log can show:"
        yield from (f"  {each}" for each in only_whole_log(hand))
        if elsewhere:
            yield f"The entries also show {elsewhere:,} things that fail in another round of the shoe."

    def form(self, hand: WatchedRound) -> dict[str, Any]:
        """Return the same as JSON values."""
        return {
            "key": self.key,
            "origin": self.head.origin,
            "size": self.head.size,
            "root": self.head.root.hex(),
            "entries": [each.place for each in self.proof.entries],
            "remembered": [
                {"size": each.checkpoint.size, "root": each.checkpoint.root.hex(), "same": self._is_same(each)}
                for each in self.remembered
            ],
            "cosignatures": cosignatures_form(self.proof.checkpoint, self.cosigned),
            "only_whole_log": only_whole_log(hand),
        }


def as_far(outcome: Outcome, hand: WatchedRound) -> Outcome:
    """Return the outcome of a hand, as far as its own entries can show it."""
    if outcome.word == "PASS" and hand.how == "void":
        lacks = NOT_OPENED if any(step.kind == "void" and step.who for step in hand.steps) else ""
        return Outcome("PASS so far", NOT_DEALT.format(hand.name) + lacks, False)
    if outcome.word == "PASS so far":
        if hand.end is not None:
            return outcome._replace(what=f"{outcome.what}: get the proof again when it is")
        how = "bound to the seal, shuffle not yet checked" if hand.bound else "bound, cards not checked"
        return outcome._replace(what=f"round {hand.name} is {how}: {NO_KEY}")
    return outcome._replace(complete=False)
