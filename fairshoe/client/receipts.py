"""What the house signs of each step of a seat: checked, and kept in a file before anything else happens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..ceremony.receipts import BET, CHIPS, DECISION, OFFERED, STANDS, offered_form, says
from ..errors import InputError, VerificationError
from ..log.canonical import Entry
from ..log.note import Verifier, verifier_of
from ..log.receipts import read_receipt, vouched_key
from .chip_faults import chips_fault
from .errors import NotTheHouses, WrongReceipt
from .lines import append, locked_lines, whole_lines
from .moments import Moments
from .past import Past
from .receipt_faults import forces_bets, is_whole, standing_fault, step_fault
from .replaced import check_log, log_of
from .shown import key_shown

if TYPE_CHECKING:
    from .client import Client, Form

WITH_RECEIPT = {"seats": CHIPS, "chips": CHIPS, "hash": "hash", "seed": "seed", "waiver": "waiver", "bets": BET}
WITH_RECEIPT |= {"decisions": DECISION}
"""The routes that are answered with a receipt, and what it is one of."""


class Keeper:
    """The receipts of a seat, a JSON string of a note a line; the first is the house's note about the receipts' key.

    What stands in the file already is remembered, and new receipts are held against it: a seat is played through one
    file, and several programs may write into it. `key`: the house's verifier key; without it the one that the service
    shows, as `house`. `moments` are those of new receipts, to be held against the signed log. Raises InputError where
    the file belongs to another house, LogReplaced where the house says that it lost that log, NotTheHouses where the
    house vouches for no key, Unreachable, OSError.
    """

    def __init__(self, path: Path, client: Client, key: str | None = None) -> None:
        vouched = client.receipt_key()
        self.house = verifier_of(key) if key else key_shown(client.verifier(), client.address)
        self._path = path
        self._key = self._vouched(vouched, client)
        self._pasts: dict[tuple[Any, ...], Past] = {}
        self.moments = Moments()
        self._begin(vouched)

    def _vouched(self, note: str, client: Client) -> Verifier:
        """The receipts' key that the house vouches for in the note that the service shows."""
        log = log_of(note)
        if not log:
            raise client.no_service("the service shows no key of receipts", "/v1/log/receipts")
        check_log(client, {self.house.name, self._begun_with()} - {log})
        try:
            return vouched_key(note, self.house)
        except VerificationError as error:
            remedy = "check the address, and the key"
            raise NotTheHouses(error.what, where=client.address, expected=error.expected, remedy=remedy) from None

    def _begun_with(self) -> str:
        """The log that the receipts in the file are of, "" where that is not to be known."""
        with suppress(OSError, ValueError, AttributeError), self._path.open("rb") as file:
            return log_of(json.loads(file.readline()))
        return ""

    def _begin(self, vouched: str) -> None:
        """Go on with a file that is there: without a line that was not written to its end."""
        with locked_lines(self._path) as file:
            for line in self._begun(file, vouched):
                with suppress(ValueError, KeyError, IndexError, TypeError, AttributeError):
                    note = json.loads(line)
                    form = json.loads(note.split("\n")[1])
                    if is_whole(form):
                        self._past(form).remember(form, note)
        for past in self._pasts.values():
            past.reopen()

    def _begun(self, file: BinaryIO, vouched: str) -> list[bytes]:
        """The lines of receipts, after the first line."""
        first = json.dumps(vouched).encode()
        lines, rest = whole_lines(file)
        if lines[0] != first if lines else not first.startswith(rest):
            what = "receipts of another house, or another file"
            raise InputError(what, where=str(self._path), remedy="name another file")
        if not lines:
            append(file, vouched)
        elif rest:
            append(file)
        return lines[1:]

    def _past(self, place: Form) -> Past:
        return self._pasts.setdefault((place["table"], place["seat"], place["player"]), Past())

    def _append(self, note: str) -> None:
        with locked_lines(self._path) as file:
            append(file, note)

    def keep(self, place: Form, what: str, sent: Form, answer: Form, seen: Form | None = None) -> None:
        """Keep the receipt of what was sent by the route `what`, and say where it is not one. `place` are table, seat
        and player; `seen` is the table as the seat saw it before, all of whose steps since then are known: else {} or
        None. Raises WrongReceipt."""
        if what in WITH_RECEIPT:
            note = answer.get("receipt")
            if type(note) is not str:
                raise WrongReceipt("the house gave no receipt", "")
            past = self._past(place)
            if note != past.note:  # an answer that was asked for again may have been kept already
                self._append(note)
            form = self._read(note)
            self._hold(note, form, place | {"do": WITH_RECEIPT[what]} | said(what, sent, place["seat"]))
            with _readable(note):
                before = {} if seen is None or seen.get("log", 0) > form["before"] else seen
                again = None if note == past.note else past.fault(form)
                self._find(note, step_fault(form, what, sent, answer, before) or again)
                past.remember(form, note)
                self.moments.add(note, form)
                self._find(note, chips_fault(place, before, answer, form))
        self.look(place, answer, {} if what in WITH_RECEIPT else seen)

    def unsure(self, place: Form, sent: Form) -> None:
        """These bets were sent, and nobody has said whether they were taken."""
        bets = said("bets", sent, place["seat"])
        self._past(place).unsure(bets["round"], bets["bets"])

    def look(self, place: Form, answer: Form, seen: Form | None = None) -> Entry | None:
        """Keep the receipt of the bets that stand, if there is a new one; gives what it says. Raises WrongReceipt where
        it is not what was offered, or held back, or the chips since the table was `seen` are not explained."""
        if "you" not in answer:
            return None
        with _readable(""):
            self._find("", chips_fault(place, seen or {}, answer))
            return self._look(place, answer)

    def _look(self, place: Form, answer: Form) -> Entry | None:
        past, note = self._past(place), answer["you"].get("receipt")
        past.begin(answer, place["seat"])
        if type(note) is not str or note == past.stands:
            self._find("", past.held_back(answer, place["seat"]))
            return None
        self._append(note)
        form = self._read(note)
        self._hold(note, form, place | {"do": BET, "state": STANDS})
        self._find(note, standing_fault(form, place["seat"], answer))
        wanted = past.wanted(form, place["seat"])
        past.remember(form, note)  # as it was given: it is not raised twice
        if wanted is not None and not forces_bets(answer):
            stand = sorted(form["bets"] + form["uncovered"], key=lambda bet: int(bet.get("box", place["seat"])))
            if stand not in wanted:
                raise WrongReceipt("other bets stand than were offered", note, expected=repr(wanted[0])[:200])
        self._find(note, past.held_back(answer, place["seat"]))
        return form

    def _read(self, note: str) -> Entry:
        try:
            return read_receipt(note, self._key)
        except VerificationError as error:
            raise WrongReceipt(error.what, note, expected=error.expected) from None

    def _hold(self, note: str, form: Entry, sent: Form) -> None:
        if not says(form, sent):
            wrong = next(name for name in sent if not says(form, {name: sent[name]}))
            what = f"it says another {wrong}: {form.get(wrong)!r}"
            raise WrongReceipt(what[:200], note, expected=repr(sent[wrong])[:200])

    def _find(self, note: str, fault: str | None) -> None:
        if fault is not None:
            raise WrongReceipt(fault[:200], note)


@contextmanager
def _readable(note: str) -> Iterator[None]:
    """What cannot be read of a receipt or an answer is wrong too."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, InputError) as error:
        raise WrongReceipt(f"it or its answer is not whole: {error!r}"[:200], note) from None


def said(what: str, sent: Form, seat: int) -> dict[str, Any]:
    """What a receipt must say of what was sent by a route."""
    if what == "bets":
        bets = [(bet["amount"], bet.get("box", seat)) for bet in sent["bets"]]
        return {"state": OFFERED, "round": sent["round"], "bets": offered_form(bets, seat)}
    if what == "seats":
        return {"op": "buy-in", "amount": sent["amount"]}
    if what == "chips":
        kept = {name: sent[name] for name in ("op", "amount", "to") if name in sent}
        return kept | ({"leaves": True} if sent.get("leave") else {})
    names = {"hash": ("hash", "cut"), "seed": ("seed", "cut"), "decisions": ("round", "step", "move")}
    optional = ("amount", "chosen") if what == "decisions" else ()
    fields = {name: sent[name] for name in names.get(what, ()) if name in sent}
    return fields | {name: sent[name] for name in optional if sent.get(name)}
