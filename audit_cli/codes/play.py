"""Cards, decisions, dealer, settlement, chips, policy."""

from ..findings import Code

CODES = (
    Code(
        "card-differs",
        "cards",
        "a card was exchanged",
        "The card at this position is not the one that the revealed key, the seeds and the cut give.",
    ),
    Code(
        "card-unknown",
        "cards",
        "a label was changed",
        "The label is not a card of the deck.",
    ),
    Code(
        "position-differs",
        "cards",
        "cards were skipped or dealt twice",
        "A round's first card is the one after the last card of the round before.",
    ),
    Code(
        "cards-missing",
        "cards",
        "a card that was dealt is not in the log",
        "By the rules and the logged decisions one more card was dealt.",
    ),
    Code("cards-extra", "cards", "a card was dealt that nobody may draw", "More cards are logged than the rules draw."),
    Code(
        "hand-cards-differ",
        "cards",
        "a card was put into another hand",
        "The deal's order says which hand gets which card.",
    ),
    Code("total-differs", "cards", "a total was miscounted or changed", "The total follows from the hand's cards."),
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
        "The round was not over after the logged decisions.",
    ),
    Code(
        "decision-extra",
        "decisions",
        "a decision was invented",
        "The round was over before the last logged decision.",
    ),
    Code(
        "bet-illegal",
        "decisions",
        "the table took a bet that the rules forbid",
        "Outside the limits, not covered, not payable in whole units, twice, or by an empty seat.",
    ),
    Code("bet-differs", "decisions", "a bet was changed after it stood", "A hand's bet follows from the `open` entry."),
    Code(
        "dealer-cards-differ",
        "dealer",
        "the dealer drew too many or too few cards",
        "The dealer's cards follow from the rules.",
    ),
    Code(
        "dealer-stopped-early",
        "dealer",
        "the dealer did not draw although the rules say so",
        "All decisions are made and the rules make the dealer draw a card that is not in the log.",
    ),
    Code("dealer-total-differs", "dealer", "the dealer's total was changed", "The total follows from the cards."),
    Code("outcome-differs", "settlement", "a hand was settled wrongly", "The outcome follows from cards and rules."),
    Code("payout-differs", "settlement", "a hand was paid wrongly", "The payout follows from bet, outcome and rules."),
    Code("hands-differ", "settlement", "a hand was dropped or invented", "One hand a bet, two after a split."),
    Code(
        "chips-differ",
        "chips",
        "chips appeared or vanished",
        "An account's chips after an entry follow from those before it and what the entry says.",
    ),
    Code("chips-not-allowed", "chips", "chips moved when they may not", "No chips move while a round is open."),
    Code(
        "seat-differs",
        "chips",
        "chips were moved for somebody who does not sit there",
        "Chair and player of a `chips` entry must agree with who took the chair.",
    ),
    Code("options-differ", "policy", "a table option was changed", "The digest is over rule set and options."),
    Code("options-invalid", "policy", "the rule set or an option does not exist", "See docs/rules.md for the options."),
    Code(
        "shoe-not-retired",
        "policy",
        "the house dealt on from a shoe that it should have retired",
        "A round was opened although the insert card had come out (CA-07), or the rules make a new shoe.",
    ),
    Code(
        "shoe-retired-early",
        "policy",
        "the house retired a shoe before its time",
        "A shoe is revealed when it is worn, when its time is up, or when the table closes for good.",
    ),
    Code(
        "bank-differs",
        "policy",
        "the bank moved as the rules do not allow",
        "Who banks follows from the rules and the seats' decisions.",
    ),
    Code("bank-not-settled", "policy", "a bank change was skipped", "The rules settle the bank before the next shoe."),
    Code(
        "table-closed",
        "policy",
        "the table went on after it was closed",
        "A table that revealed a shoe for closing opens no further shoe.",
    ),
)
