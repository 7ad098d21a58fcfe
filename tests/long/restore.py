"""`python -m tests.long.restore`: ten backups at random moments while all six games are played, each restored.

Each backup is restored where the database was lost, once with a mirror that reaches the newest checkpoint and once with
one that was pulled some time after the backup; and once with none. Each restored house is played on over HTTP by the
chairs that sit there and at new tables, and audited: nothing is found but what the restore lost, no shoe whose key was
ever public or whose cards were shown in a round that is gone is dealt from, and every round of the old log stands.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from audit_cli.evidence.before import Before
from audit_cli.verify import verify
from fairshoe.cli import main as fairshoe
from fairshoe.client import Client, Problem, Seat
from fairshoe.client.book import Book, digest_of, new_token
from fairshoe.commands._demo import Bot
from fairshoe.engine.rules import RULES
from fairshoe.service.backup.copying import take_backup
from fairshoe.service.backup.restoring import Asked, Restored, restore
from fairshoe.service.clock import Clock
from fairshoe.service.signing import KEPT_FILE
from fairshoe.service.vault import MASTER_FILE, Vault, master_key
from tests.long.held import log_of
from tests.long.patrons import Patrons, RandomBot
from tests.long.serving import Serving

Entry = dict[str, Any]


def dealt_again(before: Sequence[Entry], after: Sequence[Entry]) -> Iterator[str]:
    """What `after` deals of the shoes in `before` and may not: of one that had ended, of one of which a round was open,
    or a card at a place that was dealt from already."""
    gone = {entry["shoe"] for entry in before if entry["kind"] in ("reveal", "void", "lost")} | _open_on_a_seal(before)
    reshuffled = {entry["shoe"] for entry in (*before, *after) if entry["kind"] == "reshuffle"}
    ends = {entry["shoe"]: _end(entry) for entry in before if entry["kind"] == "round"}
    for entry in after:
        shoe = entry.get("shoe", "")
        if entry["kind"] == "round" and shoe in gone:
            yield f"{shoe} is dealt again"
        elif entry["kind"] == "round" and shoe not in reshuffled and entry["pos"] < ends.get(shoe, 0):
            yield f"{shoe} is dealt from {entry['pos']}, and was seen up to {ends[shoe]}"


def _open_on_a_seal(entries: Sequence[Entry]) -> set[str]:
    sealed = {entry["shoe"] for entry in entries if entry["kind"] == "seal"}
    opened = Counter(entry["shoe"] for entry in entries if entry["kind"] == "open")
    over = Counter(entry["shoe"] for entry in entries if entry["kind"] == "round")
    return {shoe for shoe in sealed if opened[shoe] > over[shoe]}


def _end(entry: Entry) -> int:
    end: int = entry["pos"] + len(entry["cards"])
    return end


BACKUPS, SECONDS, PLAY = 10, 40.0, 6.0
ALLOWED = {"shoe-lost"}
IN_ANOTHER_LOG = {"shoe-lost-before", "shoes-unknown-before", "lost-left-out"}
"""Where somebody kept all of the log before; `lost-left-out` where the restore had not everything."""


class Taken(NamedTuple):
    """A backup, and a mirror that was pulled some time after it."""

    backup: Path
    mirror: Path


class Played(NamedTuple):
    """What the house had when its database was lost."""

    data: Path
    token: str
    taken: list[Taken]
    whole: Path
    lines: list[bytes]


def play_and_back_up(root: Path, backups: int, seconds: float, seed: int) -> Played:
    """All six games at once; at the end a mirror of everything, and the service is killed."""
    chance = random.Random(seed)
    data = root / "data"
    taken = []
    with Serving(data) as serving:
        operator = Client(serving.address, serving.token)
        patrons = [Patrons(operator.with_token(serving.token), name, seed) for name in sorted(RULES)]
        for each in patrons:
            each.start()
        vault = Vault(master_key(data, fresh=False))
        for number in range(backups):
            time.sleep(chance.uniform(0, seconds / backups))
            one = Taken(root / f"backup-{number}", root / f"mirror-{number}")
            take_backup(data, one.backup, vault)
            time.sleep(chance.uniform(0, seconds / backups))
            pulled(serving.address, one.mirror)
            taken.append(one)
        time.sleep(chance.uniform(0, 1))
        for each in patrons:
            each.stop()
        serving.end()
    faults = [each.fault for each in patrons if each.fault is not None]
    if faults:
        raise faults[0]
    lines = log_of(data, root / "whole")
    return Played(data, serving.token, taken, root / "whole", lines)


def pulled(address: str, target: Path) -> None:
    if fairshoe(["pull", address, str(target)]) != 0:
        raise SystemExit(f"cannot pull {target}")


class Case:
    """One restore into a directory that has the lost house's master key and newest checkpoint."""

    def __init__(self, name: str, played: Played, backup: Path, mirror: Path | None, root: Path) -> None:
        self.name = name
        self.played = played
        self.backup = backup
        self.mirror = mirror
        self.data = root / f"restored-{name}"
        self.faults: list[str] = []

    def run(self, seconds: float) -> str:
        """Restore, play on, audit; what happened, in a line."""
        self.data.mkdir()
        for kept in (MASTER_FILE, KEPT_FILE):
            path = self.data / kept
            path.write_bytes((self.played.data / kept).read_bytes())
            path.chmod(0o600)
        done = restore(Asked(self.backup, self.mirror), self.data, Clock())
        with Serving(self.data) as serving:
            rounds = play_on(Client(serving.address, done.token or self.played.token), seconds)
            serving.end()
        lines = log_of(self.data, self.data / "audited")
        self._check(done, [json.loads(line) for line in lines], lines)
        goes = f"another log, {done.newer} newer entries" if done.old_log else f"the log goes on, {done.newer} newer"
        lost = f"{len(done.lost)} of {done.live} shoes lost"
        return f"{self.name:12} {goes}; {lost}; {rounds} rounds played on; {'; '.join(self.faults) or 'clean'}"

    def _check(self, done: Restored, entries: list[Entry], lines: list[bytes]) -> None:
        given = [] if done.old_log is None else [Before(self.played.whole)]
        allowed = ALLOWED if done.old_log is None else IN_ANOTHER_LOG
        report = verify(self.data / "audited", before=given)
        codes = Counter(each.code for each in report.findings if each.severity == "fail")
        self.faults += [f"{code} x {count}" for code, count in codes.items() if code not in allowed]
        if done.old_log is not None and (codes["shoes-unknown-before"] == 1) != bool(done.missing or done.unknown):
            self.faults.append("the new log does not say how much of the old one was at hand")
        before = [json.loads(line) for line in self.played.lines]
        if done.old_log is not None:
            codes = Counter(each.code for each in verify(done.old_log).findings if each.severity == "fail")
            known = {"log-truncated"} if done.missing else set()
            self.faults += [f"old log: {code} x {count}" for code, count in codes.items() if code not in known]
            self._check_fresh(before, entries)
            return
        if lines[: len(before)] != self.played.lines:
            self.faults.append("the old entries are not those that were signed")
        self.faults += dealt_again(before, entries[len(before) :])

    def _check_fresh(self, before: list[Entry], entries: list[Entry]) -> None:
        """No key of the old log is used in the new one."""
        old = {entry["commitment"] for entry in before if entry["kind"] == "shoe"}
        if old & {entry["commitment"] for entry in entries if entry["kind"] == "shoe"}:
            self.faults.append("a shoe of the old log is played in the new one")


def play_on(operator: Client, seconds: float) -> int:
    """The chairs that sit there get new tokens and play; a new table of each game is played too. Gives the rounds."""
    bots: list[Bot] = []
    for each in operator.get("/v1/tables")["tables"]:
        table = operator.table(each["table"])
        for chair in table.state()["seats"]:
            book = Book()
            book.sit(table.name, chair["player"], new_token())
            book.seated(chair["seat"])
            body = {"token_sha256": digest_of(book.token)}
            operator.post(f"/v1/tables/{table.name}/seats/{chair['seat']}/token", body)
            own = operator.with_token(book.token).table(table.name)
            bots.append(RandomBot(Seat(own, book, own.state())))
    for name in sorted(RULES):
        table = operator.create_table(name, table=f"{name}-again")
        fewest = 1 if name in ("banker", "casino", "boxes") else 3
        public = operator.with_token(None).table(table.name)
        bots += [RandomBot(public.sit(f"again-{number}", 10_000)) for number in range(fewest)]
    before = {bot.seat.table.name: bot.seat.refresh()["rounds"] for bot in bots}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not sum(acted(bot) for bot in bots):
            time.sleep(0.05)
    after = {bot.seat.table.name: bot.seat.refresh()["rounds"] for bot in bots}
    operator.close()
    return sum(after.values()) - sum(before.values())


def acted(bot: Bot) -> bool:
    try:
        bot.seat.refresh()
        return bot.act(1 << 30)
    except Problem as problem:
        if problem.status not in (0, 409, 422):  # 0: the seed is in the book of a player who is gone
            raise
        return False


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.restore", description=__doc__)
    parser.add_argument("--backups", type=int, default=BACKUPS, metavar="N")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help="of play under backups")
    parser.add_argument("--play", type=float, default=PLAY, metavar="S", help="of play in each restored house")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        played = play_and_back_up(root, args.backups, args.seconds, args.seed)
        print(f"{len(played.lines)} entries, {args.backups} backups; the database is lost", flush=True)
        cases = []
        for number, (backup, mirror) in enumerate(played.taken):
            cases.append(Case(f"whole-{number}", played, backup, played.whole, root))
            cases.append(Case(f"mirror-{number}", played, backup, mirror, root))
        cases.append(Case("alone", played, played.taken[-1].backup, None, root))
        for case in cases:
            print(case.run(args.play), flush=True)
        faults = sum(len(case.faults) for case in cases)
    print(
        f"{faults} faults" if faults else "no card of a revealed shoe was dealt again, every audit is as it should be"
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
