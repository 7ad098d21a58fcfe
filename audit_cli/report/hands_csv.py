"""Every settled hand of a log as one CSV file, for a spreadsheet: `fairshoe-audit report LOG --csv FILE`.

CSV is that of RFC 4180, but with LF: UTF-8, a header, a missing value empty. A row says what the log says, whether or
not it holds; whatever else somebody wants to know, docs/analysis.md asks the log itself.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import Entry, parse
from fairshoe.record.forms import table_of
from fairshoe.terminal.durable import replace_file

from ..verify.evidence.log_lines import LogLines, with_progress

Value = str | int | None
COLUMNS = (
    *("entry", "time", "table", "rules", "shoe", "round", "hand", "seat", "box", "player", "staked", "bet"),
    *("cards", "total", "dealer", "outcome", "net", "insured", "insurance", "short"),
)
"""`entry` counts from 0; `staked` is the bet before the first card, `bet` the one in the end, in the table's smallest
unit; `short` what the lounge's pool could not pay."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", " ", "＝", "＋", "－", "＠")
"""How a text begins that a spreadsheet may take for a formula; here it gets an apostrophe before it."""


def write_hands(log: Path, path: Path, progress: Callable[[int], None] = lambda _: None) -> None:
    """Write the file, whole or not at all: the header and a row for each hand. An entry that is none, or of no known
    form, has no row: a finding names it. Raises LogError, NotALog, OSError."""
    with replace_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
        out = csv.writer(text, lineterminator="\n")
        out.writerow(COLUMNS)
        hands = HandRows()
        for index, line in enumerate(with_progress(iter(LogLines(log)), progress)):
            with suppress(FairshoeError, LookupError, TypeError, AttributeError):
                out.writerows(map(spreadsheet_cell, row) for row in hands.take(index, parse(line)))
        text.detach()


class HandRows:
    """Takes the entries of a log in order, and gives the rows of a round's hands. Knows who sits where, and what was
    bet."""

    def __init__(self) -> None:
        self._rules: dict[str, str] = {}
        self._players: dict[tuple[str, int], str] = {}
        self._bets: dict[str, Mapping[tuple[int, int | None], int]] = {}

    def take(self, index: int, entry: Entry) -> list[list[Value]]:
        """Return the rows of an entry, of which only a round has any. A hostile entry raises LookupError, TypeError,
        AttributeError or FairshoeError."""
        kind = entry["kind"]
        if kind == "table":
            self._rules[entry["table"]] = entry["rules"]
        elif kind == "chips" and entry["op"] == "buy-in":
            self._players[entry["table"], entry["seat"]] = entry["player"]
        elif kind == "open":
            self._bets[entry["shoe"]] = {(bet["seat"], bet.get("box")): bet["amount"] for bet in entry["bets"]}
        elif kind == "round":
            return list(self._rows(index, entry))
        return []

    def _rows(self, index: int, entry: Entry) -> Iterator[list[Value]]:
        named = table_of(entry["shoe"])
        if named is None or named[0] not in self._rules:
            return
        table, cards = named[0], entry["cards"]
        staked = dict(self._bets.pop(entry["shoe"], {}))
        for number, hand in enumerate(entry["hands"]):
            seat, box = hand["seat"], hand.get("box")
            yield [
                *(index, entry["at"], table, self._rules[table], entry["shoe"], entry["round"], number, seat, box),
                self._players.get((table, seat)),
                staked.pop((seat, box), None),
                hand["bet"],
                _shown(cards, hand["cards"]),
                hand["total"],
                _shown(cards, entry["dealer"]["cards"]),
                *(hand["outcome"], hand["net"], hand.get("insured"), hand.get("insurance"), hand.get("short")),
            ]


def _shown(cards: list[str], offsets: list[int]) -> str:
    """Cards of a round by their offsets; one that is not there as `?`."""
    return " ".join(cards[offset] if 0 <= offset < len(cards) else "?" for offset in offsets)


def csv_text(titles: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a table as the text of a CSV file."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(titles)
    out.writerows(map(spreadsheet_cell, row) for row in rows)
    return text.getvalue()


def spreadsheet_cell(value: Any) -> Any:
    """Return a value as no spreadsheet takes it for a formula."""
    return f"'{value}" if type(value) is str and value.startswith(FORMULA) else value
