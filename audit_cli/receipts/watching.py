"""Shows a judge of receipts the log while it is audited."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairshoe.errors import InputError
from fairshoe.log.directory import VERIFIER, read_text
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.receipts.judge import Judge
from fairshoe.receipts.kept import Case, Receipt, table_named
from fairshoe.receipts.point import Standing
from fairshoe.terminal.files import is_stdin

from ..evidence.head import verifier_given
from ..walk.audit import Audit
from ..walk.shapes import KINDS, entry_faults
from ..walk.state import Shoe, TableState
from ..walk.watching import Watcher, entry_of
from .reading import receipts_in


class ReceiptWatcher(Watcher):
    """`judge` is shown each entry of its tables. `whole`: no entry is left out, as of a proof some may be."""

    def __init__(self, receipts: Iterable[Receipt], *, whole: bool = True) -> None:
        super().__init__()
        self.judge = Judge(receipts, whole=whole)
        self._before: dict[str, Standing] = {}

    def before(self, audit: Audit, shoe: Shoe | None) -> None:
        about = audit.tables.values() if shoe is None else [] if shoe.table is None else [shoe.table]
        wanted = [state for state in about if self.judge.wants(state.id)]
        for state in wanted:
            audit.tell_of_starts(state)
        self._before = {state.id: _standing(audit, state).kept() for state in wanted}

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        if shoe is not None and (shoe.table is None or not self.judge.wants(shoe.table.id)):
            return
        entry = audit.entry or entry_of(line)
        kind = entry.get("kind")
        if type(kind) is not str or kind not in KINDS or entry_faults(entry):
            return
        if kind == "start":
            self.judge.started(entry["at"])
        name = entry.get("table") or table_named(entry.get("shoe")) or ""  # a late seed's shoe is not in play
        if self.judge.wants(name):
            state = audit.tables.get(name)
            after = None if state is None else _standing(audit, state)
            self.judge.take(audit.index, entry, self._before.get(name), after)

    def decided(self) -> list[Case]:
        """All receipts, once the log has ended."""
        return self.judge.ended("" if self.audit is None else self.audit.last_at)


def _standing(audit: Audit, state: TableState) -> Standing:
    live = None if state.book.shoe is None else audit.shoes.get(state.book.shoe.id)
    return Standing(state.book, "" if live is None else live.commitment)


def held_by(file: Path, log: Path, key: str | None) -> ReceiptWatcher:
    """What decides the receipts of a file, read by the house's key or by the one that came with the log, while the log
    is audited. Raises InputError."""
    return ReceiptWatcher(receipts_in(file, _key_of(log) if key is None else verifier_given(key)))


def _key_of(log: Path) -> Verifier:
    """The key that came with the log. Raises InputError."""
    folder = log if log.is_dir() else log.parent
    text = None if is_stdin(log) else read_text(folder / VERIFIER)
    if text is None:
        raise InputError("no key came with the log", where=str(folder / VERIFIER), expected="--key, the house's key")
    return verifier_of(text)
