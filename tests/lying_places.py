"""Houses that lie to a player who places: what they ask, and say to have happened. Each question is signed by the
house's key, and stands where the player's chain ends, unless that is the lie."""

from __future__ import annotations

import json

from fairshoe.log.note import Signer, signatures_of
from fairshoe.log.tree import Tree
from fairshoe.protocol.placer_chain import parse_question, since_of
from fairshoe.service.placement_file import FILE

from .lying import AnotherCommitment, Lie, name_of

STAND = '{"move":"stand","seat":1}'
HIT = '{"move":"hit","seat":1}'
NEXT = "the next card"
"""In the place of the line that asks for it."""


class ToPlacer(Lie):
    """`forged`: the questions that it made up."""

    placer = "player"

    def __init__(self):
        super().__init__()
        self.forged = []

    @property
    def own(self):
        return self.house.place.house.sequencer.signer

    def state(self, form):
        for each in form["awaited"]["questions"]:
            question = parse_question(signatures_of(each["question"])[0])
            changed = self.question(question.lines, each["since"], form)
            if changed is not None:
                lines, since = changed
                self.show(each, question.chain.question(lines, since_of(since)), since)
        if not form["awaited"]["questions"]:
            self.ask(form)

    def question(self, lines, since, form):
        """Other lines and parts than the honest house has; None: the same."""

    def ask(self, form):
        """Ask where the honest house asks nothing."""

    def show(self, each, text, since):
        each |= {"question": self.signer(self.own).sign(text), "since": list(since)}
        self.forged.append(each["question"])

    def kept(self, form):
        """Each question with its answer, of the shoe in play."""
        lines = (self.house.place.directory / FILE).read_text().splitlines()
        about = f" {form['shoe']['shoe']}\n" if form["shoe"] else "no shoe"
        return [each for each in map(json.loads, lines) if about in each["notes"][0]]

    def after_newest(self, form, lines, since=(), hidden=0):
        """A question after the player's newest note of the shoe in play; so many cards more than four lie hidden."""
        own = self.kept(form)
        if own:
            asked_for = [line for each in own for line in each["questions"][0].splitlines() if line.startswith("card")]
            lines = [f"card {len(asked_for)}" if line == NEXT else line for line in lines]
            newest = signatures_of(own[-1]["notes"][0])[0].split("\n")
            view = form["round"]["view"]
            (hand,), dealer = view["hands"], view["dealer"]
            cards = [hand["cards"][0], dealer["cards"][0], hand["cards"][1], dealer["cards"][1]] + [None] * hidden
            told = [f"since {since_of(since)}"] if since else []
            each = {"shoe": form["shoe"]["shoe"], "cards": cards}
            self.show(each, "\n".join(["fairshoe question v1", *newest[1:5], *told, *lines, ""]), since)
            form["awaited"]["questions"].append(each)
            if "you" in form:
                form["you"]["expects"].insert(0, {"do": "places", "shoe": each["shoe"]})

    def tree(self, size):
        """Size and root of the log that it made up, as parts."""
        tree = Tree()
        for line in self.house.lines()[:size]:
            tree.append(line)
        return [str(size), tree.root.hex()]


def turn(form):
    """Whether the player is to decide."""
    return form["phase"] == "round" and form["round"] and "step" in form["round"]["view"]


class AnotherBet(ToPlacer):
    """The `open` has twice the bet that was sent."""

    code = "bet-changed"

    def line(self, entry):
        if entry["kind"] == "open":
            return entry | {"bets": [bet | {"amount": 2 * bet["amount"]} for bet in entry["bets"]]}
        return entry

    def question(self, lines, since, form):
        return (lines, self.tree(int(since[0]))) if lines[0] == "card 0" else None


class AnotherDecision(ToPlacer):
    """A hit is said to have been sent, where it was a stand."""

    code = "decision-changed"
    rounds = 8

    def question(self, lines, since, form):
        return (lines, [HIT]) if since == [STAND] else None


class DecisionByTheTable(ToPlacer):
    """The stand that was sent is said to be the table's."""

    code = "decision-changed"
    rounds = 8

    def question(self, lines, since, form):
        by_table = f'{{"at":"{form["at"]}","by":"table","move":"stand","seat":1}}'
        return (lines, [by_table]) if since == [STAND] else None


class DecisionBeforeItsLimit(ToPlacer):
    """The table says to have decided at once, before anything was sent."""

    code = "decision-changed"
    rounds = 8

    def ask(self, form):
        if turn(form):
            by_table = f'{{"at":"{form["at"]}","by":"table","move":"stand","seat":1}}'
            self.after_newest(form, [NEXT], [by_table])


class DecisionNeverSent(DecisionBeforeItsLimit):
    """The player is said to have hit, and has sent nothing."""

    def ask(self, form):
        if turn(form):
            self.after_newest(form, [NEXT], [HIT])


class CardAhead(ToPlacer):
    """The next card is wanted before the decision."""

    code = "place-too-early"
    rounds = 8

    def ask(self, form):
        if turn(form):
            self.after_newest(form, [NEXT])


class HiddenCard(ToPlacer):
    """The player is made to hit; the card is said to lie hidden, and the next one is wanted before the decision: with
    that card the player could have 21, and the dealer would draw."""

    code = "place-too-early"
    rules = "banker"
    rounds = 30

    def state(self, form):
        for wish in form["you"]["expects"] if "you" in form else ():
            if wish["do"] == "decisions" and {"move": "hit"} in wish["moves"]:
                wish["default"] = {"move": "hit"}
        super().state(form)

    def ask(self, form):
        if turn(form):
            (hand,) = form["round"]["view"]["hands"]
            first = sum(10 if card[0] in "TJQK" else int(card[0]) for card in hand["cards"][:2] if card[0] != "A")
            if len(hand["cards"]) == 3 and first >= 10:
                self.after_newest(form, [NEXT], hidden=1)


class AnotherCardThanBound(ToPlacer):
    """It asks honestly for each place, and says of one what card it likes."""

    code = "card-not-bound"
    rounds = 8

    def state(self, form):
        super().state(form)
        if turn(form):
            cards = form["round"]["view"]["hands"][0]["cards"]
            cards[0] = ("2" if cards[0][0] != "2" else "3") + cards[0][1]
            self.forged.append(cards[0])


class FewerCardsDealt(AnotherCardThanBound):
    """It also says of the shoe that no more cards were dealt than those that were looked at."""

    def state(self, form):
        super().state(form)
        placed = (form["round"] or {}).get("placed")
        if form["shoe"]:
            form["shoe"]["position"] = -sum("given" in step for step in placed["steps"]) if placed else 0


class MoreCards(ToPlacer):
    """Two cards are wanted for one decision."""

    code = "place-too-early"
    rounds = 8

    def question(self, lines, since, form):
        return ([*lines, f"card {int(lines[0].split()[1]) + 1}"], since) if since == [STAND] else None


class MoreFirstCards(ToPlacer):
    """Five cards are wanted at once."""

    code = "place-too-early"

    def question(self, lines, since, form):
        return ([*lines, "card 4"], since) if len(lines) == 4 else None


class AskedTwice(ToPlacer):
    """The first step is asked for once more, after another log."""

    code = "asked-twice"

    def question(self, lines, since, form):
        if lines[0] != "card 0" or self.forged:
            return
        first = parse_question(signatures_of(self.kept(form)[0]["questions"][0])[0])
        (each,) = form["awaited"]["questions"]
        self.show(each, first.chain.question(first.lines, since_of(["3", "0" * 64])), ["3", "0" * 64])
        return


class KeyBeforeTheEnd(ToPlacer):
    """The key is wanted, and the shoe goes on."""

    code = "place-too-early"
    rounds = 8

    def ask(self, form):
        if turn(form):
            self.after_newest(form, ["end"], self.tree(len(self.house.lines())))


class QuestionByAnotherKey(ToPlacer):
    """The question is signed by another key of the same name."""

    code = "other-key"

    def question(self, lines, since, form):
        (each,) = form["awaited"]["questions"]
        each["question"] = Signer(self.own.verifier.name, b"s" * 32).sign(signatures_of(each["question"])[0])
        self.forged.append(each["question"])


class AnotherTree(ToPlacer):
    """A question names another log than the signed one."""

    code = "place-too-early"

    def question(self, lines, since, form):
        return (lines, [since[0], "0" * 64]) if lines[0] == "card 0" else None


class AnotherCommitmentLogged(ToPlacer):
    """The log has another commitment than the key was made for."""

    code = "other-commitment"
    line = AnotherCommitment.line

    def question(self, lines, since, form):
        return lines, self.tree(int(since[0]))


TO_PLACERS = {f"places-{name_of(lie)}": lie for lie in (*ToPlacer.__subclasses__(), DecisionNeverSent, FewerCardsDealt)}
