"""At a table with a placer: whether the house bound each card before its place was given (docs/placer-protocol.md).

The seat asks for the openings of cards as they come. Each must lead to the signed root, at the given place, with the
label that the deck and the table show.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from ..cards import named_deck
from ..errors import VerificationError
from ..protocol.openings import opening_of
from ..record.openings import Binding
from .errors import Form
from .service import Service

BATCH = 64
"""Openings of one answer."""
LOOKS, PAUSE = 10, 0.1
"""How often openings are asked for, and the pause in seconds: the house may show a card before its opening."""


class CardOpenings:
    """Of one seat. `root` returns a shoe's root in the signed log, "" if not known. `last`: the newest, as evidence."""

    def __init__(self, client: Service, root: Callable[[str], str]) -> None:
        self._client, self._root = client, root
        self.last: list[Any] = []
        self._shoe = ""
        self._binding: Binding | None = None
        self._places: list[int | None] = []
        self._open: set[int] = set()
        self._checked = 0
        self._round, self._reshuffled = (0, 0), False

    def check_state(self, state: Form) -> None:
        """Check the cards that a state shows. Raises VerificationError, Problem, Unreachable."""
        shoe = state.get("shoe") or {}
        if "placer" not in shoe or not shoe["sealed"] or "you" not in state:
            return
        if shoe["shoe"] != self._shoe:
            self._shoe, self._binding, self._places, self._open, self._checked = shoe["shoe"], None, [], set(), 0
            self._round, self._reshuffled = (0, 0), False
        root = self._root(self._shoe)
        if self._binding is None and root:
            self._binding = Binding(root, list(named_deck(shoe["deck"])))
        if self._binding is None:
            return
        position, live = shoe["position"], self._round_places(state)
        self._check_position(state["round"] or {}, position, live)
        self._keep_places(state, position, live)
        if position + len(live or ()) > self._checked or any(card < position for card in self._open):
            for _ in range(LOOKS):
                missing = self._check(self._binding, state, position, live)
                if not missing:
                    return
                time.sleep(PAUSE)
            raise VerificationError(missing, where="openings")

    def _round_places(self, state: Form) -> list[int] | None:
        """The places of the open round's cards; None where it shows none, or was reshuffled: then its shoe ends."""
        round = state["round"] or {}
        if "view" not in round or round.get("reshuffled"):
            return None
        return [step["given"] for step in round["placed"]["steps"] if "given" in step]

    def _check_position(self, round: Form, position: int, live: list[int] | None) -> None:
        """Each round begins after all cards that were dealt before it, and none after one that was reshuffled."""
        if "view" not in round:
            return
        number, began = self._round
        if number != round["round"]:
            began = position if position >= self._checked and not self._reshuffled else -1
        if position != began:
            what = f"the house says that round {round['round']} began after {position} cards of {self._shoe}"
            raise VerificationError(
                what, where="openings", expected=f"after all that were dealt, {self._checked} or more"
            )
        self._round, self._reshuffled = (round["round"], position), live is None

    def _keep_places(self, state: Form, position: int, live: list[int] | None) -> None:
        last, places = state["last"] or {}, self._places
        places += [None] * (position + len(live or ()) - len(places))
        if last.get("shoe") == self._shoe and "reshuffled" not in last:
            given = last["placed"]["places"]
            places[last["pos"] : last["pos"] + len(given)] = given
        if live is not None:
            places[position : position + len(live)] = live

    def _check(self, binding: Binding, state: Form, position: int, live: list[int] | None) -> str:
        """Check new openings; return what they leave out, "" for nothing. Raises VerificationError for a false one."""
        start = min({self._checked, *self._open})
        shown = Counter(label for label in _cards_in(state) if label) if live is not None else Counter[str]()
        last = state["last"] or {}
        logged = dict(enumerate(last["cards"], last["pos"])) if last.get("shoe") == self._shoe else {}
        end = position + len(live or ())
        forms = self._fetch(start)
        if forms is None:
            return ""
        if len(forms) < end - start:
            return f"{len(forms)} openings of {end - start} cards"
        for card, form in enumerate(forms[: end - start], start):
            if form is None and card >= position:
                self._open.add(card)
                continue
            opening, place = opening_of(form), self._places[card]
            binding.take(opening, opening.pos if place is None else place, logged.get(card))
            self._open.discard(card)
        self._checked = max(self._checked, end)
        if live is not None:
            opened = (binding.openings.get(place) for place in live)
            bound = Counter(opening.label for opening in opened if opening is not None)
            if shown - bound:
                return f"the round shows {_list_cards(shown - bound)}, and the house bound {_list_cards(bound - shown)}"
        return ""

    def _fetch(self, start: int) -> list[Any] | None:
        """Return the openings from this card on; None if another shoe is in play by now."""
        found: list[Any] = []
        path = f"/v1/tables/{self._shoe.rpartition('/')[0]}/openings"
        while True:
            form = self._client.get(f"{path}?from={start + len(found)}")
            if form["shoe"] != self._shoe:
                return None
            found += form["openings"]
            self.last = found
            if len(form["openings"]) < BATCH:
                return found


def _cards_in(state: Form) -> list[str | None]:
    view = state["round"]["view"]
    return [card for hand in (*view["hands"], view["dealer"]) for card in hand["cards"]]


def _list_cards(cards: Counter[str]) -> str:
    return " ".join(sorted(cards.elements())) or "none of them"
