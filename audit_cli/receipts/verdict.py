"""What is decided about a receipt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from dataclasses import field as made
from typing import Any, Literal

from fairshoe.ceremony.receipts import BET, DECISION, STANDS
from fairshoe.log.canonical import Entry

from .reading import Receipt

Word = Literal["agrees", "differs", "missing", "not yet", "not checked", "refused", "unfinished"]
CONVICTS = ("differs", "missing")
"""What shows that the house said one thing and logged another."""
BAD: tuple[Word, ...] = ("differs", "missing", "refused")
"""What fails."""
TIME, VIEW, ACT = "time", "view", "act"
MOST_SHOWN = 160


@dataclass(slots=True)
class Case:
    """A receipt that is being decided: `left` are the parts that agree only when the log has come so far.

    `word` is "" until then. `entry` is the entry that decides, `field` what differs, `says` and `log` what the receipt
    and the log say there. `superseded`: a bet that its seat changed afterwards.
    """

    receipt: Receipt
    word: Word | Literal[""] = ""
    entry: int | None = None
    field: str | None = None
    says: Any = None
    log: Any = None
    remark: str = ""
    superseded: bool = False
    left: set[str] = made(default_factory=lambda: {TIME, VIEW, ACT})

    @property
    def form(self) -> Entry:
        return self.receipt.says

    def decide(self, word: Word, entry: int | None = None, remark: str = "") -> None:
        """The first word counts."""
        if not self.word:
            self.word, self.entry, self.remark = word, entry, remark

    def differs(self, entry: int, field: str, says: Any, log: Any) -> None:
        if not self.word:
            self.field, self.says, self.log = field, says, log
        self.decide("differs", entry)

    def refuse(self, cause: str) -> None:
        self.receipt = self.receipt._replace(refused=cause)
        self.decide("refused")

    def contradict(self, field: str, why: str) -> None:
        """The house signed what no log can hold."""
        if not self.word:
            self.field, self.says = field, self.form[field]
        self.decide("differs", None, why)

    def agree(self, part: str, entry: int, remark: str = "") -> None:
        """One part agrees; the receipt does when all do."""
        self.left.discard(part)
        self.remark = self.remark or ("" if self.word else remark)
        if not self.left:
            self.decide("agrees", entry, self.remark)

    @property
    def about(self) -> str:
        """What it is a receipt of, in words."""
        form = self.form
        if not form:
            return "unreadable"
        what = f"{form['table']} seat {form['seat']} {form['player']}: {form['do']}"
        if form["do"] == DECISION:
            return f"{what} {form['move']}, {form['about']} {form['round']}, step {form['step']}"
        if form["do"] == BET:
            return f"{what} that {form['state'] if form['state'] == STANDS else 'was offered'}, round {form['round']}"
        return f"{what} {form['op']}" if "op" in form else f"{what}, shoe {form['shoe']}"

    @property
    def line(self) -> str:
        """What is decided, in a line."""
        line = f"{self.about}: {self.word}"
        at = "" if self.entry is None else f" entry {self.entry}"
        if self.word == "differs" and self.entry is None:
            return f"{line}: field {self.field}: the receipt says {_shown(self.says)}, but {self.remark}"
        if self.word == "differs":
            return f"{line}:{at}, field {self.field}: the receipt says {_shown(self.says)}, the log {_shown(self.log)}"
        if self.receipt.refused:
            return f"{line}: {self.receipt.refused}"
        remark = f": {self.remark}" if self.remark else ""
        return f"{line}{remark}" if self.word != "missing" else f"{line}:{at} {self.remark}"

    def as_json(self) -> dict[str, Any]:
        return {
            "place": self.receipt.place,
            "about": self.about,
            "verdict": self.word,
            "entry": self.entry,
            "field": self.field,
            "receipt": self.says,
            "log": self.log,
            "remark": self.receipt.refused or self.remark,
        }


def _shown(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
