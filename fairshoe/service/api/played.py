"""Rounds in answers: the open one as somebody may see it, and the last one as the log has it."""

from __future__ import annotations

from marshmallow import Schema, fields

from .shapes import flag, mapping, moment, names, numbers, part, several, text, whole, word
from .wanted import MoveForm
from .words import DECIDED_BY, MOVES


class BetForm(Schema):
    amount = whole("The wager")
    seat = whole("Whose bet it is")
    box = whole("The betting place, where it is not the chair's own", required=False)


class HandView(Schema):
    """A hand as you may see it. The dealer's has no bet, seat or box."""

    cards = several("Labels, in dealt order; a hidden card is null", fields.String(allow_none=True))
    total = whole("What it counts; null while a card is hidden", none=True)
    bet = whole("The wager", required=False)
    box = whole("The betting place", required=False)
    seat = whole("Whose hand it is", required=False)
    insured = whole("The insurance", required=False)
    net = whole("What it won, below zero what it lost; once it is settled", required=False)
    outcome = text("How it was settled", required=False)
    short = whole("What the bank could not pay", required=False)


class RoundView(Schema):
    """The open round as you may see it."""

    chips = mapping("Chips by account, without those that lie on the table", fields.Integer(strict=True))
    dealer = part(HandView, "The dealer's hand", none=False)
    hands = several("The players' hands, in acting order", part(HandView, "", none=False))
    over = flag("Whether it is over")
    turn = whole("Whose turn it is", required=False)
    hand = whole("Which of `hands` is played, from 0, or -1; only where it is your turn", required=False)
    moves = several("Your legal moves; only where it is your turn", part(MoveForm, "", none=False), required=False)
    step = whole("How many decisions were made; only where it is your turn", required=False)


class RoundFields(Schema):
    round = whole("Its number")
    bets = several("The bets, in acting order", part(BetForm, "", none=False))
    view = part(RoundView, "The round as you may see it; a hidden card is null", required=False, none=False)
    reshuffled = numbers("Cards dealt in this round before each reshuffle in it", required=False)
    burned = names("Cards burned by those reshuffles, by label", required=False)


class LoggedDecision(Schema):
    move = word("The move", MOVES)
    seat = whole("Who made it")
    amount = whole("Its amount, where it has one", required=False)
    chosen = numbers("The chairs chosen, where it chooses any", required=False)
    by = word("`table`: the time limit decided", DECIDED_BY, required=False)


class LoggedHand(Schema):
    cards = numbers("Offsets into the round's cards")
    total = whole("What it counts")
    bet = whole("The wager")
    seat = whole("Whose hand it is")
    box = whole("The betting place, where it is not the chair's own", required=False)
    net = whole("What it won, below zero what it lost")
    outcome = text("How it was settled")
    insurance = whole("What the insurance won or lost", required=False)
    insured = whole("The insurance", required=False)
    short = whole("What the bank could not pay", required=False)


class LoggedDealer(Schema):
    cards = numbers("Offsets into the round's cards")
    total = whole("What it counts")


class LoggedRound(Schema):
    """The log's `round` entry; docs/log.md says what each field is."""

    v = whole("The version of the entry's form")
    kind = word("The entry's kind", ["round"])
    at = moment("When it was over")
    shoe = text("The shoe's id")
    round = whole("Its number")
    pos = whole("The position of its first card in the shoe")
    cards = names("Labels of all its cards, in dealt order")
    dealer = part(LoggedDealer, "The dealer's hand", none=False)
    hands = several("The players' hands, in acting order", part(LoggedHand, "", none=False))
    decisions = several("What was decided, in order", part(LoggedDecision, "", none=False))
    chips = mapping("The accounts that took part, afterwards", fields.Integer(strict=True))
    reshuffled = numbers("Cards dealt before each reshuffle in it", required=False)
