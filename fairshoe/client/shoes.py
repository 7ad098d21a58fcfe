"""A shoe without a table over HTTP: what the game's program does with the operator's token, and what a player does."""

from __future__ import annotations

import secrets
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain, islice
from typing import Any, NamedTuple
from urllib.parse import quote

from ..ceremony.book import Gather, Shoe
from ..ceremony.contributing import openers
from ..ceremony.drawing import MAX_POSITIONS
from ..ceremony.fold import apply_entry
from ..connection import Unreachable
from ..errors import InputError, VerificationError
from ..log.canonical import Entry, parse
from ..log.hand_proof import check_proof, proof_of
from ..log.note import Verifier, verifier_of
from ..protocol.beacons import drand_quicknet
from ..protocol.openings import Opening, opening_of
from ..receipts import read_receipt, shoe_receipt, vouched_key
from .errors import Form, Problem, SeedKept, WrongReceipt
from .retries import BUSY, GATEWAY_ERRORS
from .service import POLL_PAUSE, Service

SEED_BYTES = 32


def path_of(name: str) -> str:
    """Return the path of a shoe."""
    return f"/v1/shoes/{quote(name, safe='')}"


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Raise VerificationError if what the house answered is not what its API says."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, InputError) as error:
        what = f"the house's answer cannot be read ({type(error).__name__}: {error})"
        raise VerificationError(what[:200], where=where, expected="an answer of a fairshoe service") from None


class RemoteShoe:
    """A shoe as it was seen last (`state`), and the operator's part: draw, show, reveal."""

    def __init__(self, client: Service, state: Form) -> None:
        self.client, self.state = client, state
        self.name: str = state["shoe"]
        self.tokens: dict[str, str] = state.get("tokens", {})
        self._tag = ""

    def wait_for_placer(self) -> Form:
        """Look at the shoe until nothing is awaited of its placer. Raises VerificationError, Problem, Unreachable."""
        with reading("placer"):
            while self.state["placer"] is not None and self.state["placer"]["awaited"]:
                self.wait()
        return self.state

    def refresh(self) -> Form:
        """Look at the shoe again."""
        self.state = self.client.get(path_of(self.name))
        return self.state

    def wait(self) -> Form:
        """Look at the shoe again once it has changed, or after a while. Raises Problem, Unreachable."""
        try:
            state, self._tag = self.client.newer(path_of(self.name), self._tag)
        except (Problem, Unreachable) as error:
            if isinstance(error, Problem) and error.status not in (*GATEWAY_ERRORS, *BUSY):
                raise
            time.sleep(POLL_PAUSE)
            return self.refresh()
        self.state = state or self.state
        return self.state

    def draw(
        self, count: int = 0, *, to: str = "", hidden: bool = False, draws: Sequence[str] = (), pos: int | None = None
    ) -> Form:
        """Draw the next `count` cards, public or hidden, to a player or nobody, and named draws; wait for a placer.
        With the same `pos` it gives the same cards. Raises VerificationError, Problem, Unreachable."""
        at = self.state["pos"] if pos is None else pos
        fields: Form = {
            "count": count or None,
            "to": to or None,
            "hidden": hidden or None,
            "draws": list(draws) or None,
        }
        fields = {name: value for name, value in fields.items() if value is not None}
        while (drawn := self._post("draw", pos=at, **fields)).get("awaited"):
            self.refresh()
            self.wait_for_placer()
        self.state = self.state | {"pos": max(self.state["pos"], at + count)}
        return drawn

    def reshuffle(self, out: Sequence[int] = (), *, pos: int | None = None) -> Form:
        """Gather all cards but those at the positions `out`, which were drawn, and shuffle them anew; positions go on.
        Sent again with the same `pos` after a crash it changes nothing. Raises Problem, Unreachable."""
        self.state = self._post("reshuffle", pos=self.state["pos"] if pos is None else pos, out=list(out))
        return self.state

    def show(self, *positions: int) -> dict[int, str]:
        """Show hidden cards: the player's own ones, or as the operator those of nobody; gives all that are shown."""
        self.state = self._post("show", pos=list(positions))
        return {int(pos): label for pos, label in self.state["shown"].items()}

    def reveal(self) -> Form:
        """End the shoe: its key is published."""
        self.state = self._post("reveal")
        return self.state

    def void(self) -> Form:
        """End a shoe to which nobody has sent a hash in time."""
        self.state = self._post("void")
        return self.state

    def _post(self, do: str, **fields: Any) -> Form:
        answer: Form = self.client.post(f"{path_of(self.name)}/{do}", fields)
        return answer


class HandCard(NamedTuple):
    """A card of one's own: its position, its label, the opening that shows it."""

    pos: int
    label: str
    opening: Opening


class ShoeSeat:
    """A player's part. `seed`: a fresh one for each shoe, to be kept. `key`: the house's verifier key, default: the
    first it shows. `clock`: this machine's, in seconds since 1970. `receipts`: its signed answers, for
    `fairshoe-audit receipt`."""

    def __init__(
        self,
        client: Service,
        name: str,
        seed: bytes | None = None,
        key: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.seed = seed or secrets.token_bytes(SEED_BYTES)
        self.shoe = RemoteShoe(client, client.get(path_of(name)))
        with reading("shoe"):
            self.player: str = self.shoe.state["you"]["player"]
            self.commitment: str = self.shoe.state["commitment"]
        self._client, self._clock = client, clock
        self._house: Verifier = client.key() if key is None else verifier_of(key)
        self._drawn: dict[int, int] = {}  # places of own cards, by position, as far as the signed log was asked
        self.receipts = [client.receipt_key()]
        self._receipt_key = vouched_key(self.receipts[0], self._house)

    def contribute(self, cut: int | None = None) -> bool:
        """Send what is waited for: the hash, with the cut of who may cut, or the seed; gives whether there was any.
        A hash that comes too late is none. Raises SeedKept where the signed log does not show that the seed may be
        opened, or a beacon's round is out too early by this machine's clock; Problem, Unreachable."""
        state = self.shoe.refresh()
        with reading("shoe"):
            expected = state["you"]["expects"]
        if expected == "hash":
            with reading("beacon"):
                named = 0 if state["beacon"] is None else state["beacon"]["round"]
                self._check_beacon(named, state["policy"]["seed"] * len(state["roster"]))
            more = {} if cut is None else {"cut": cut}
            try:
                self._send("hash", hash=sha256(self.seed).hexdigest(), **more)
            except Problem as error:
                with reading("shoe"):
                    if error.status != 409 or self.shoe.refresh()["you"]["expects"] == expected:
                        raise
        elif expected == "seed":
            self._check_turn()
            self._send("seed", seed=self.seed.hex())
        return expected is not None

    def play_until_sealed(self, cut: int | None = None) -> Form:
        """Contribute until the shoe is sealed, or over."""
        while self.shoe.wait_for_placer()["stage"] in ("hash", "seed"):
            if not self.contribute(cut):
                self.shoe.wait()
        return self.shoe.state

    def hand(self) -> list[HandCard]:
        """Return the own hidden cards that were not gathered, each as the signed log bound it. Raises
        VerificationError, Problem, Unreachable."""
        known, gathers = self._own_positions(), self.shoe.state["gathered"]
        form = self._client.get(f"{path_of(self.shoe.name)}/hand")
        with reading("hand"):
            cards = list(map(opening_of, form["cards"]))
        own = self._own_positions()
        if self.shoe.state["gathered"] != gathers:
            return self.hand()
        if len(cards) < len(known) or len(own) < len(cards):
            raise VerificationError("other cards than were drawn", where="hand", expected=f"positions {own}")
        if not cards and not gathers:
            return []
        own, shoe = own[: len(cards)], self._signed()
        orders = [Gather(0, (), shoe.root), *(() if shoe.told_cards is None else shoe.told_cards.gathers)]
        signed = [each._asdict() | {"out": list(each.out)} for each in orders[1 : len(gathers) + 1]]
        if signed != gathers:
            raise VerificationError("other reshuffles than the log has", where="gathered", expected=str(signed)[:200])
        starts = [order.pos for order in orders]
        places = self._places(own)
        for i, card in enumerate(cards):
            order = orders[bisect_right(starts, own[i]) - 1]
            card.verify(order.root)
            if card.pos != places[i] - (order.pos if shoe.placer is None else 0):
                raise VerificationError("other cards than were drawn", where="hand", expected=f"positions {own}")
        return [HandCard(pos, card.label, card) for pos, card in zip(own, cards, strict=True)]

    def _places(self, positions: Sequence[int]) -> list[int]:
        """Return where cards lie that the signed log has as drawn for this player: with a placer its places in the
        house's order, else the positions; -1 for other cards, which a house may have shown to somebody else too."""
        for pos in positions:
            if pos in self._drawn:
                continue
            with reading("proof"):
                for drawn in self._entries(pos):
                    if drawn["kind"] == "drawn" and drawn.get("to") == self.player:
                        run = range(drawn["pos"], drawn["pos"] + drawn["hidden"])
                        self._drawn |= zip(run, drawn["placed"]["places"] if "placed" in drawn else run, strict=True)
        return [self._drawn.get(pos, -1) for pos in positions]

    def gathered(self) -> list[int]:
        """Return the positions of the own hidden cards that a reshuffle gathered, as the house says now: they are no
        longer in the hand, and the same labels may be dealt again."""
        own = self._own_positions()
        return [pos for pos in self._drawn_positions() if pos not in own]

    def _own_positions(self) -> list[int]:
        """Return the positions of the own hidden cards that were not gathered, as the house says now."""
        state = self.shoe.refresh()
        with reading("gathered"):
            last: Form = state["gathered"][-1] if state["gathered"] else {"pos": 0, "out": []}
            return [pos for pos in self._drawn_positions() if pos >= last["pos"] or pos in last["out"]]

    def _drawn_positions(self) -> list[int]:
        """Return the positions of all cards that were drawn for this player."""
        with reading("drawn"):
            mine = [run for run in self.shoe.state["drawn"] if run.get("to") == self.player]
            runs = [range(run["pos"], run["pos"] + run["hidden"]) for run in mine]
        found = list(islice(chain.from_iterable(runs), MAX_POSITIONS + 1))
        if len(found) > MAX_POSITIONS:
            raise VerificationError("more cards than a shoe has", where="drawn", expected=f"at most {MAX_POSITIONS}")
        return found

    def show(self, *positions: int) -> dict[int, str]:
        """Show own hidden cards, and return them. Raises WrongReceipt, VerificationError, Problem, Unreachable."""
        self.shoe.wait_for_placer()
        own = {card.pos: card.label for card in self.hand()}
        self._send("show", pos=list(positions))
        with reading("shown"):
            shown = {pos: self.shoe.state["shown"][str(pos)] for pos in positions}
        wanted = {pos: own.get(pos) for pos in positions}
        if shown != wanted:
            raise VerificationError(f"shown as {shown}"[:200], where="shown", expected=str(wanted)[:200])
        return shown

    def _send(self, do: str, **fields: Any) -> None:
        """Send, and keep the receipt, which must say just that. Raises WrongReceipt."""
        self.shoe.state = state = self._client.post(f"{path_of(self.shoe.name)}/{do}", fields)
        note = state.get("receipt") if isinstance(state, dict) else None
        if type(note) is not str:
            raise WrongReceipt("the house gave no receipt", "")
        self.receipts.append(note)
        try:
            said = read_receipt(note, self._receipt_key)
        except VerificationError as error:
            raise WrongReceipt(error.what, note) from None
        if said != shoe_receipt(self.shoe.name, self.player, state.get("now", ""), do, fields):
            raise WrongReceipt("it says something else than was sent", note, expected=str(fields)[:200])

    def _check_beacon(self, number: int, limits: int = 0) -> None:
        """Raise SeedKept if the round (0: none) is out by this machine's clock before `limits` (in seconds) are over: a
        house whose clock is slow could know the order, and then say that it heard no seed."""
        if number and drand_quicknet(number).time <= self._clock() + limits:
            raise SeedKept(f"round {number} is out by this machine's clock, or before the time limits are over")

    def _check_turn(self) -> None:
        """Raise SeedKept unless a signed checkpoint holds this player's hash, and it is this player's turn."""
        shoe = self._signed()
        self._check_beacon(shoe.beacon_round)
        if shoe.hashes.get(self.player) != sha256(self.seed).hexdigest():
            raise SeedKept(f"the log has no hash of this seed for shoe {shoe.id}")
        if openers(None, shoe)[:1] != [self.player]:
            raise SeedKept(f"it is not {self.player}'s turn in shoe {shoe.id}")

    def _entries(self, pos: int | None = None) -> list[Entry]:
        """Return the shoe's entries under the newest checkpoint, with `pos` also a card's. Raises VerificationError,
        Problem if the checkpoint does not hold yet what the house says."""
        query = "" if pos is None else f"?pos={pos}"
        proof = proof_of(self._client.raw("GET", f"{path_of(self.shoe.name)}/proof{query}"))
        head = check_proof(proof, self._house)
        with reading("log"):
            behind = head.size < self.shoe.state["log"]
        if behind:
            raise Problem(0, {"detail": f"no checkpoint holds yet what the house says of shoe {self.shoe.name}"})
        entries = [parse(each.line) for each in proof.entries]
        if other := [each["shoe"] for each in entries if each["kind"] != "deck" and each["shoe"] != self.shoe.name]:
            raise SeedKept(f"the house shows entries of shoe {other[0]} for {self.shoe.name}")
        return entries

    def _signed(self) -> Shoe:
        """Return the shoe as the newest checkpoint shows it, which has all that the last state told of."""
        shoe = None
        try:
            for entry in self._entries():
                if entry["kind"] == "shoe" and (entry["shoe"], entry["commitment"]) != (
                    self.shoe.name,
                    self.commitment,
                ):
                    raise SeedKept(f"the log has another commitment for shoe {entry['shoe']}")
                if entry["kind"] != "deck":
                    shoe = apply_entry(None, shoe, entry) or shoe
        except (LookupError, TypeError, ValueError) as error:
            raise SeedKept(f"the entries about shoe {self.shoe.name} cannot be followed: {error!r}"[:300]) from None
        if shoe is None:
            raise SeedKept(f"no checkpoint holds yet what the house says of shoe {self.shoe.name}")
        return shoe
