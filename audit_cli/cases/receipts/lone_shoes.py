"""Receipts of steps at shoes without a table: whether the log has what the house signed that it heard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from fairshoe.ceremony.contributing import cutters
from fairshoe.ceremony.receipts import HASH, SEED
from fairshoe.log.canonical import Entry
from fairshoe.receipts import SHOW, is_of_lone_shoe
from fairshoe.record.hand_entries import ENDS

from ...verify.walk.audit import Audit
from ...verify.walk.state import AuditedShoe
from ...verify.walk.watcher import Watcher, entry_of
from .case import SERVICE_RESTARTED, Receipt, ReceiptCase
from .statements import NEEDS_WHOLE_LOG, is_logged_cut

ACT = "act"
VOID_BEFORE = "the shoe came to nothing before the hashes were logged, which tells nobody anything"


class ShoeReceiptJudge(Watcher):
    """Decides receipts of shoes without a table. A hash stands in `seeds`, beside its cut where that counts, a seed in
    `opened`, each position that was shown in `shown`; a step that the log says did not come differs. `whole`: no entry
    is left out, as of a proof some may be."""

    def __init__(self, receipts: Iterable[Receipt], *, whole: bool = True) -> None:
        super().__init__()
        lone = [each for each in receipts if not each.refused and is_of_lone_shoe(each.says)]
        self.cases = [ReceiptCase(receipt, open_parts={ACT}) for receipt in lone]
        self._whole = whole
        self._of: dict[str, list[ReceiptCase]] = defaultdict(list)
        for case in self.cases:
            self._of[case.form["shoe"]].append(case)
        self._labels: dict[str, dict[str, str]] = defaultdict(dict)
        self._start = ""

    def after_entry(self, audit: Audit, shoe: AuditedShoe | None, line: bytes) -> None:
        entry = audit.entry or entry_of(line)
        kind, name = entry.get("kind"), entry.get("shoe")
        if kind == "start":
            self._start = entry["at"]
        if not audit.followed or type(name) is not str or name not in self._of:
            return
        if kind == "shown":
            self._labels[name] |= entry["cards"]
        for case in self._of[name]:
            if not case.word:
                self._judge(case, audit.index, entry, shoe)

    def _judge(self, case: ReceiptCase, place: int, entry: Entry, shoe: AuditedShoe | None) -> None:
        form, kind = case.form, entry["kind"]
        player, do = form["player"], form["do"]
        if do == HASH and kind == "seeds":
            found, cut = entry["hashes"].get(player), entry.get("cut")
            able = [] if shoe is None else cutters(None, shoe.book_shoe)
            same = found == form["hash"]
            if same and ("cut" not in form or is_logged_cut(form, cut or {}, able)):
                case.agree(ACT, place)
            elif found is None and not self._whole:
                case.decide("not decided", place, NEEDS_WHOLE_LOG)
            elif (same or found is None) and self._start > form["at"]:
                case.decide("not decided", place, SERVICE_RESTARTED)
            elif same:
                case.differs(place, "cut", {"at": form["cut"], "by": player}, cut)
            else:
                case.differs(place, f"hashes.{player}", form["hash"], found)
        elif do == SEED and kind == "opened" and entry["player"] == player:
            if entry["seed"] == form["seed"]:
                case.agree(ACT, place)
            else:
                case.differs(place, "seed", form["seed"], entry["seed"])
        elif do == SEED and player in (entry.get("player" if kind == "lapse" else "by"),):
            case.differs(place, "player" if kind == "lapse" else "by", form["seed"], player, "it was heard")
        elif do == SHOW and self._labels[form["shoe"]].keys() >= set(map(str, form["pos"])):
            case.agree(ACT, place)
        elif do == HASH and kind == "void":
            case.decide("not decided", place, VOID_BEFORE)
        elif kind in ENDS and entry["at"] > form["at"]:
            self._miss(case, place, "ends the shoe without it")

    def _miss(self, case: ReceiptCase, place: int | None, why: str) -> None:
        """Decide about what is not there: a hash may be lost with what the house did not log before it started."""
        if not self._whole:
            case.decide("not decided", None, NEEDS_WHOLE_LOG)
        elif case.form["do"] == HASH and self._start > case.form["at"]:
            case.decide("not decided", place, SERVICE_RESTARTED)
        else:
            case.decide("missing", place, why)

    def judge_rest(self) -> list[ReceiptCase]:
        """All cases, each with its word, once the log has ended."""
        last = "" if self.audit is None else self.audit.last_at
        for case in self.cases:
            if not case.word and self._whole and (case.form["do"] == HASH or last <= case.form["at"]):
                case.decide("not decided", None, "the log ends before it shows")
            elif not case.word:
                self._miss(case, None, "the log goes on, and has no such entry")
        return self.cases
