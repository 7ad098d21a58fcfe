"""What no audit of a log can see."""

from __future__ import annotations

from ..blocks import Items, Section
from ..facts import Facts

NAME, TITLE = "unseen", "What no audit of a log can see"
LIMITS = (
    "That a key was random. What chance seldom gives is above; a key that was chosen and looks like chance is not.",
    "That nobody who held a key sat at the table, or told somebody there. The bust test and the results of players are "
    "what can hint at it.",
    "That a seed was fresh: only who made it knows.",
    "That a decision, a hash or a seed that is marked as late was really not sent. A player's receipts show it.",
    "That the house did not refuse a bet that it disliked. A player's program shows it.",
    "That every order of the cards can occur: 2^256 keys are fewer than the orders of six packs.",
    "That this log is the only one, and was written when it says. Remembered checkpoints, receipts or witnesses do.",
)


def build(facts: Facts) -> Section:
    return Section(
        NAME, TITLE, "plain", "These are matters for people, whatever stands above.", [Items(LIMITS)], list(LIMITS)
    )
