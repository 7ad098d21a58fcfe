"""A house that knows every key and seed plays its tricks against honest seats; then its log is audited.

A row a trick: what it gains, in percent of the honest seats' stakes, above what the house wins in honest
play with the same keys; what `choices` counts that tells of it. docs/choices.md says what each trick is.

It fails where a log does not pass; where a trick gains more than three standard errors, unless docs/choices.md lists
it with a reason, as open or as for statistics alone; and where `choices` has no count of one that is listed as open.
With `--placers` the tables have a placer, whose order the house does not know: then the page's column *with a placer*
says what may gain (**gains**), and what the auditor finds (**fails**). With `--together` house and placer are one: rows
are judged as without.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from functools import cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from audit_cli.verify.findings.report import Report
from audit_cli.verify.run import verify
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer

from .crooked import ends, openers, steering, unheard
from .crooked.play import Play
from .crooked.world import ORIGIN, Sums, World

TRICKS: dict[str, type[Play]] = {
    trick.name: trick for family in (ends, openers, unheard, steering) for trick in family.TRICKS
}
PAGE = Path(__file__).parents[2] / "docs" / "choices.md"
FAR = 3
"""Standard errors."""
SIGNER = Signer(ORIGIN, b"h" * 32)
OPEN, STATISTICS = "open", "statistics"
PLACED = "with a placer"
GAINS, FAILS = "gains", "fails"
ROW = re.compile(r"\| `([a-z-]+)` \|")
CALLED = re.compile(rf" (?:\*\*({OPEN}|{STATISTICS}|{GAINS}|{FAILS})\*\*)?")


class Row(NamedTuple):
    """`gain` and its standard `error` are parts of the stakes; `codes` those that fail; `counts` what tells."""

    name: str
    gain: float
    error: float
    codes: list[str]
    counts: dict[str, int]

    def fault(self, now: str) -> str:
        """Why the row fails, "" if it does not; `now`: what the page calls the trick, `OPEN`, `STATISTICS` or "".

        One that is for statistics alone leaves no count.
        """
        if now == FAILS:
            return "" if self.codes else "the log does not fail"
        if self.codes:
            return f"the log fails: {', '.join(self.codes)}"
        if now in (OPEN, GAINS) and not self.counts:
            return "open, and not counted"
        return "gains, and is not open" if self.gain > FAR * self.error and not now else ""

    def __str__(self) -> str:
        counts = "; ".join(f"{name} {times}" for name, times in self.counts.items())
        return f"{self.name:<26} {100 * self.gain:>+7.1f} ± {100 * self.error:>4.1f}  {counts or '-'}"


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


def audited(played: Play) -> Report:
    """Audit its log, with what its placer answers about rounds that the house did not write down."""
    with tempfile.TemporaryDirectory() as directory:
        write_log(Path(directory), map(encode, played.log), SIGNER)
        notes = Path(directory) / "notes.jsonl"
        with notes.open("w", encoding="utf-8") as file:
            for text, given, note in played.unwritten:
                print(json.dumps({"questions": [SIGNER.sign(text)], "given": given, "note": note}), file=file)
        return verify(Path(directory), notes=notes)


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
    codes = {finding.code for finding in report.findings if finding.severity == "fail"}
    counts = report.choices.as_json()["log"]
    tells = {name: counts[name] for name in trick.tells if counts.get(name)}
    return Row(trick.name, *gain(crooked.sums, honest_sums(fair(trick), rounds, World.placed)), sorted(codes), tells)


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
    if args.rounds < 2:
        parser.error("--rounds: at least 2")
    now = called(column=PLACED if args.placers else "now")  # `now` where house and placer are one
    faults = 0
    for name in args.names or TRICKS:
        each = row(TRICKS[name], args.rounds)
        fault = each.fault(now.get(each.name, ""))
        faults += bool(fault)
        print(f"{each}{f'  FAULT: {fault}' if fault else ''}", flush=True)
    print(f"{faults} rows are at fault")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
