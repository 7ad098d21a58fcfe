"""Audit a log for one round, or for those of a player and a time, and tell what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError
from fairshoe.receipts.kept import Case
from fairshoe.terminal.style import printable

from ..evidence.cosigned import Wanted as Witnesses
from ..findings.report import Report
from ..findings.wording import counted, some_of
from ..outcome import Outcome, evidence
from ..receipts.of_hand import matches
from ..receipts.watching import held_by
from ..verify import NOBODY, verify
from ..walk.watching import beside
from .holding import Holding
from .listing import Listing
from .outcome import but_for, missing
from .telling import Telling, form_of, tell, text_of
from .wanted import Wanted
from .watch import HandWatcher, Row
from .way import called


class Answer(NamedTuple):
    """What is said, as text and as JSON values; `telling` where it is of one round."""

    outcome: Outcome
    text: str
    form: Any
    telling: Telling | None = None


def answer(
    log: Path,
    wanted: Wanted,
    *,
    key: str | None = None,
    remembered: Sequence[Path] = (),
    witnesses: Witnesses = NOBODY,
    holding: Holding | None = None,
    receipts: Path | None = None,
    only_list: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Answer:
    """Audit the whole log; tell the round, or list what matches. `witnesses`: whose cosignatures the checkpoint needs;
    `receipts`: a file of them, to be compared.

    Raises InputError, LogError.
    """
    watcher = HandWatcher(wanted)
    judge = None
    if receipts is not None:
        judge = held_by(receipts, log, key)
    watch = watcher if judge is None else beside(watcher, judge)
    report = verify(
        log, key=key, remembered=remembered, wanted=witnesses, progress=progress, watch=watch, everything=True
    )
    cases = None if judge is None else judge.decided()
    holding = holding or Holding(player=wanted.player)
    if wanted.number is not None:
        return _one(watcher, report, holding, cases)
    rows = watcher.rows
    if len(rows) == 1 and watcher.hand is not None and not only_list:
        return _told(watcher, report, holding, cases)
    if cases is not None or (holding.commitment, holding.seed, holding.cards) != (None, None, None):
        raise _of_which(rows)
    return _listed(watcher, report, only_list=only_list)


def _one(watcher: HandWatcher, report: Report, holding: Holding, cases: Sequence[Case] | None) -> Answer:
    tables = list(dict.fromkeys(row.table for row in watcher.rows))
    if len(tables) > 1:
        names = some_of([f"{table}#{watcher.wanted.number}" for table in tables])
        raise InputError(f"{len(tables):,} tables have such a round", where="--round", expected=names)
    if watcher.hand is None:
        outcome = missing(watcher.wanted, watcher, report)
        lines = [outcome.line, *evidence(report), outcome.line]
        form = {"outcome": outcome.word, "says": outcome.what, "complete": False}
        return Answer(outcome, "".join(f"{printable(line)}\n" for line in lines), form)
    return _told(watcher, report, holding, cases)


def _told(watcher: HandWatcher, report: Report, holding: Holding, cases: Sequence[Case] | None) -> Answer:
    if watcher.hand is None:
        raise InputError("no round", where="--round", expected="a round of the log")
    telling = tell(watcher.hand, watcher, report, holding, matches(watcher.hand, cases))
    telling = telling._replace(outcome=but_for(telling.outcome, telling.matches))
    return Answer(telling.outcome, text_of(telling), form_of(telling), telling)


def _listed(watcher: HandWatcher, report: Report, *, only_list: bool) -> Answer:
    listing, remark = Listing(watcher, report), ""
    if not listing.rows:
        _check_player(watcher)
    elif not only_list:
        remark = f"{len(listing.rows):,} rounds match: `fairshoe-audit hand LOG --round ID` tells one of them."
    form: Any = listing.form()
    if not listing.rows and not only_list:
        form = {"outcome": listing.outcome.word, "says": listing.outcome.what, "complete": False, "rounds": []}
    return Answer(listing.outcome, listing.text(remark), form)


def _of_which(rows: Sequence[Row]) -> InputError:
    """What is held is compared with one round: which one to name."""
    shoes = {row.shoe for row in rows}
    remedy = "`fairshoe-audit hand LOG --list` shows the rounds"
    if len(shoes) == 1:
        remedy = f"all are of shoe {rows[0].shoe}: for --seed and --commitment --round '{rows[0].name}' will do"
    return InputError(
        f"{counted(len(rows), 'round')} found, and this is compared with one",
        where="--commitment, --seed, --cards, --receipt",
        expected=f"--round with {some_of([row.name for row in rows])}" if rows else "the --round that it is of",
        remedy=remedy,
    )


def _check_player(watcher: HandWatcher) -> None:
    """Somebody who is nowhere in the log is most likely a slip. Raises InputError."""
    name = watcher.wanted.player
    if name is None or watcher.unread or any(watcher.is_called(*each) for each in watcher.players):
        return
    known = sorted({called(each[1], watcher.names.get(each)) for each in watcher.players})
    expected = some_of(known) if known else "a log with rounds"
    raise InputError(f"no player {name!r} in this log", where="--player", expected=expected)
