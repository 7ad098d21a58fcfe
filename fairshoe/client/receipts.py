"""What the house signs of each step of a seat: checked, and kept in a file before anything else happens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..ceremony.receipts import BET, STANDS, Link, link_of
from ..errors import InputError, VerificationError
from ..log.canonical import Entry
from ..log.note import Verifier, verifier_of
from ..receipts.answers import WITH_RECEIPT, answer_fault, said_by, stands_fault
from ..receipts.kept import fault_of
from ..receipts.notes import read_receipt, vouched_key
from .errors import NotTheHouses, WrongReceipt
from .lines import append, locked_lines, whole_lines
from .replaced import check_log, log_of
from .shown import key_shown

if TYPE_CHECKING:
    from .client import Client, Form


class Past:
    """The receipts of a chair so far: those of its steps by their links, the last note of either kind."""

    def __init__(self) -> None:
        self.link = Link()
        self.note = self.stands = ""
        self.steps: dict[Link, Entry] = {}

    def remember(self, form: Entry, note: str) -> None:
        if form.get("state") == STANDS:
            self.stands = note
        else:
            self.link, self.note = link_of(form), note
            self.steps[self.link] = form

    def offered(self, form: Entry) -> list[Entry] | None:
        """The bets that the chair offered last before these stood; None where a receipt is not here."""
        link = Link(form["number"], form["before"])
        while (step := self.steps.get(link)) is not None:
            if step["do"] == BET and (step["shoe"], step["round"]) == (form["shoe"], form["round"]):
                return list(step["bets"])
            if step["number"] == 1 and step.get("op") == "buy-in":
                return []
            link = Link(link.number - 1, step["before"])
        return None

    def held_back(self, state: Form, seat: int) -> bool:
        """Whether this seat has bet on its own place in the round that opened last, and nothing says so."""
        last = next((step for step in reversed(self.steps.values()) if step["do"] == BET), None)
        if last is None or last["round"] != state["rounds"] or self.stands:
            return False
        live, over = state["shoe"] or {}, state["last"] or {}
        opened = live.get("shoe") == last["shoe"] or (over.get("shoe"), over.get("round")) == (
            last["shoe"],
            last["round"],
        )
        return opened and any(bet.get("box", seat) == seat for bet in last["bets"])


class Keeper:
    """The receipts of a seat, a JSON string of a note a line; the first is the house's note about the receipts' key.

    What stands in the file already is remembered: new receipts go on from it. `key`: the house's verifier key; without
    it the one that the service shows, as `house`. Raises InputError where the file belongs to another house,
    LogReplaced where the house says that it lost that log, NotTheHouses where the house vouches for no key,
    Unreachable, OSError.
    """

    def __init__(self, path: Path, client: Client, key: str | None = None) -> None:
        vouched = client.receipt_key()
        self.house = verifier_of(key) if key else key_shown(client.verifier(), client.address)
        self._path = path
        self._key = self._vouched(vouched, client)
        self._pasts: dict[tuple[Any, ...], Past] = {}
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
                with suppress(ValueError, TypeError, WrongReceipt):
                    note = json.loads(line)
                    form = self._read(note)
                    if fault_of(form) is None:
                        self._past(form).remember(form, note)

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
        and player; `seen` is the table as the seat saw it before, {} where a step since may not be known. Raises
        WrongReceipt."""
        if what in WITH_RECEIPT:
            note = answer.get("receipt")
            if type(note) is not str:
                raise WrongReceipt("the house gave no receipt", "")
            past = self._past(place)
            if note != past.note:  # an answer that was asked for again may have been kept already
                self._append(note)
            form = self._read(note)
            with _readable(note):
                sure = bool(seen and past.note) and "restored" not in answer and note != past.note
                after = Link() if what == "seats" else past.link if sure else None
                said = place | said_by(what, sent, place["seat"])
                fault = answer_fault(form, said, answer, seen or {}, after)
                past.remember(form, note)
                if fault is not None:
                    raise WrongReceipt(fault[:200], note)
        self.look(place, answer)

    def look(self, place: Form, answer: Form, sure: bool = True) -> Entry | None:
        """Keep the receipt of the bets that stand, if there is a new one; gives what it says. Raises WrongReceipt where
        it is not what was offered, or is held back. `sure`: no bet was sent that was not answered."""
        if "you" not in answer:
            return None
        past, note = self._past(place), answer["you"].get("receipt")
        with _readable(""):
            if type(note) is not str:
                past.stands = ""
                if past.held_back(answer, place["seat"]):
                    raise WrongReceipt(
                        f"the house gave no receipt of the bets that stand in round {answer['rounds']}", ""
                    )
                return None
        if note == past.stands:
            return None
        self._append(note)
        form = self._read(note)
        with _readable(note):
            past.remember(form, note)  # as it was given: it is not raised twice
            fault = stands_fault(form, place, answer, past.offered(form) if sure else None)
            if fault is not None:
                raise WrongReceipt(fault[:200], note)
        return form

    def _read(self, note: str) -> Entry:
        try:
            return read_receipt(note, self._key)
        except VerificationError as error:
            raise WrongReceipt(error.what, note, expected=error.expected) from None


@contextmanager
def _readable(note: str) -> Iterator[None]:
    """What cannot be read of a receipt or an answer is wrong too."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, InputError) as error:
        raise WrongReceipt(f"it or its answer is not whole: {error!r}"[:200], note) from None
