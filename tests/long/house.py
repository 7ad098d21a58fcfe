"""A house that knows every key and seed plays its tricks against honest seats; then its log is audited.

A row a trick: what it gains, in percent of the honest seats' stakes, above what the house wins in honest
play with the same keys (or, where players play it, what they gain of the house); what `choices` counts that tells of
it; who finds it, and how: the audit of the log alone, `openings`, `notes`, a client or the house itself.
docs/decisions/0038-what-tricks-gain.md says what each trick is.

It fails where a log does not pass; where a trick gains more than three standard errors, unless that page lists it with
a reason, as open or as for statistics alone; and where `choices` has no count of one that is listed as open.
With `--placers` the tables have a placer, whose order the house does not know: then the page's column *with a placer*
says what may gain (**gains**), what the audit of the log alone finds (**fails**), and what somebody else finds
(**found**). With `--together` house and placer are one: rows are judged as without.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from audit_cli.verify.findings.report import Report
from audit_cli.verify.run import verify
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer, signatures_of
from fairshoe.log.times import HOUR, timestamp
from fairshoe.protocol.placer_chain import parse_question, receipt_text
from fairshoe.record.entries import start_entry

from .crooked import ends, openers, players, steering, unheard
from .crooked.play import Play
from .crooked.world import ORIGIN, Sums, World

TRICKS: dict[str, type[Play]] = {
    trick.name: trick for family in (ends, openers, unheard, steering, players) for trick in family.TRICKS
}
PAGE = Path(__file__).parents[2] / "docs" / "decisions" / "0038-what-tricks-gain.md"
FAR = 3
"""Standard errors."""
MAX_HOURS = 32
"""For which a log goes on that is looked at a day later."""
MAX_EVIDENCE = 200
"""Rounds of which more than the log is looked at."""
SIGNER = Signer(ORIGIN, b"h" * 32)
OPEN, STATISTICS = "open", "statistics"
PLACED = "with a placer"
GAINS, FAILS, FOUND = "gains", "fails", "found"
ROW = re.compile(r"\| `([a-z-]+)` \|")
CALLED = re.compile(rf" (?:\*\*({OPEN}|{STATISTICS}|{GAINS}|{FAILS}|{FOUND})\*\*)?")


class Row(NamedTuple):
    """`gain` and its standard `error` are parts of the stakes; `codes` those that fail; `counts` what tells; `found`
    who finds it with more than the log, and how."""

    name: str
    gain: float
    error: float
    codes: list[str]
    counts: dict[str, int]
    found: tuple[str, ...] = ()

    def fault(self, now: str) -> str:
        """Why the row fails, "" if it does not; `now`: what the page calls the trick, `OPEN`, `STATISTICS` or "".

        One that is for statistics alone leaves no count.
        """
        if now == FAILS:
            return "" if self.codes else "the log does not fail"
        if now == FOUND and not self.found:
            return "nobody finds it"
        if self.codes:
            return f"the log fails: {', '.join(self.codes)}"
        if now in (OPEN, GAINS, FOUND) and not self.counts:
            return "open, and not counted"
        return "gains, and is not open" if self.gain > FAR * self.error and not now else ""

    def __str__(self) -> str:
        counts = "; ".join(f"{name} {times}" for name, times in self.counts.items())
        found = "; ".join([f"log: {', '.join(self.codes)}"] * bool(self.codes) + [*self.found])
        told = f"{counts or '-'}" + (f"  FOUND by {found}" if found else "")
        return f"{self.name:<26} {100 * self.gain:>+7.1f} ± {100 * self.error:>4.1f}  {told}"


def called(page: Path = PAGE, column: str = "now") -> dict[str, str]:
    """What the page's table calls each trick in a column: `OPEN`, `STATISTICS`, `GAINS`, `FAILS`, or "" where the house
    gets nothing by it."""
    rows = [line.split("|") for line in page.read_text(encoding="utf-8").splitlines() if ROW.match(line)]
    tricks = {row[1].strip(" `"): row for row in rows if row[1].strip(" `") in TRICKS}
    place = {"now": -2, PLACED: 4}[column]
    return {name: (CALLED.match(row[place]) or [""] * 2)[1] or "" for name, row in tricks.items()}


def gain(crooked: dict[int, Sums], honest: dict[int, Sums]) -> tuple[float, float]:
    """What the one wins above the other, as parts of the stakes, and its standard error: paired by shoe."""
    residuals: dict[int, float] = {}
    mean = 0.0
    for sums, sign in ((crooked, 1), (honest, -1)):
        staked = sum(stakes for _, stakes in sums.values())
        ratio = sum(won for won, _ in sums.values()) / staked
        mean += sign * ratio
        for shoe, (won, stakes) in sums.items():
            residuals[shoe] = residuals.get(shoe, 0.0) + sign * (won - ratio * stakes) / staked
    return mean, sqrt(sum(residual**2 for residual in residuals.values()))


def audited(played: Play, *evidence: Entry, openings: bool = False, hours: int = 0) -> Report:
    """Audit its log, which goes on for so many hours, with what its placer answers about rounds that the house did not
    write down, and more lines of evidence; `openings`: with those of the cards."""
    starts = (start_entry(timestamp(played.now + hour * HOUR)) for hour in range(hours))
    with tempfile.TemporaryDirectory() as directory:
        write_log(Path(directory), map(encode, [*played.log, *starts]), SIGNER)
        answers = [
            {"questions": [SIGNER.sign(text)], "given": given, "note": note} for text, given, note in played.unwritten
        ]
        opened = [{"shoe": shoe, "opening": each.form} for shoe, each in played.openings]
        notes, cards = write(Path(directory) / "notes", [*answers, *evidence]), write(Path(directory) / "cards", opened)
        return verify(Path(directory), notes=notes if answers else None, openings=cards if openings else None)


def write(path: Path, lines: list[Entry]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def receipts(played: Play) -> Iterator[Entry]:
    """What the house answers to whoever hands in the placer's last answer about each such round, and a day later."""
    notes = {parse_question(text).chain.shoe: signatures_of(note)[0] for text, _, note in played.unwritten}.values()
    for note in notes:
        for hours in (0, MAX_HOURS - 1):
            receipt = receipt_text(note, timestamp(played.now + hours * HOUR))
            yield {"answer_receipt": SIGNER.sign(receipt)}


def failing(report: Report) -> set[str]:
    return {finding.code for finding in report.findings if finding.severity == "fail"}


def finders(played: Play) -> Iterator[str]:
    """Who finds the trick with more than the log, and how."""
    if played.openings:
        yield f"openings: {', '.join(sorted(failing(audited(played, openings=True))))}"
    if played.unwritten:
        later = failing(audited(played, hours=MAX_HOURS))
        more = failing(audited(played, *receipts(played), hours=MAX_HOURS)) - later
        yield f"notes: {', '.join(sorted(more))}"
    yield from played.noticed()


@cache
def honest_sums(name: str, rounds: int, placed: bool) -> dict[int, Sums]:
    """At tables as they are now; `placed` tells these from the others."""
    return TRICKS[name].honest_house(rounds).sums


def fair(trick: type[Play]) -> str:
    """The first trick whose honest house is the same."""
    return next(name for name, other in TRICKS.items() if other.honest_table() == trick.honest_table())


def row(trick: type[Play], rounds: int) -> Row:
    crooked = trick(rounds).play()
    report = audited(crooked)
    counts = report.choices.as_json()["log"]
    tells = {name: counts[name] for name in trick.tells if counts.get(name)}
    fairly = crooked.fair_sums if trick.decides else honest_sums(fair(trick), rounds, World.placed)
    won, error = gain(crooked.sums, fairly)
    found = tuple(finders(crooked if rounds <= MAX_EVIDENCE else trick(MAX_EVIDENCE).play()))
    return Row(trick.name, -won if trick.by_player else won, error, sorted(failing(report)), tells, found)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.long.house", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(TRICKS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5_000, metavar="N")
    parser.add_argument("--placers", action="store_true", help="at tables with a placer, which the house does not know")
    parser.add_argument("--together", action="store_true", help="with a placer that works with the house")
    args = parser.parse_args(words)
    World.placed, World.together = args.placers or args.together, args.together
    if unknown := set(args.names) - set(TRICKS):
        parser.error(f"no trick {', '.join(sorted(unknown))}")
    names = args.names or [name for name, trick in TRICKS.items() if World.placed or not trick.only_placed]
    if only := [name for name in names if TRICKS[name].only_placed and not World.placed]:
        parser.error(f"{only[0]}: only with --placers")
    if args.rounds < 2:
        parser.error("--rounds: at least 2")
    now = called(column=PLACED if args.placers else "now")  # `now` where house and placer are one
    faults = 0
    for name in names:
        each = row(TRICKS[name], args.rounds)
        fault = each.fault(now.get(each.name, ""))
        faults += bool(fault)
        print(f"{each}{f'  FAULT: {fault}' if fault else ''}", flush=True)
    print(f"{faults} rows are at fault")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
