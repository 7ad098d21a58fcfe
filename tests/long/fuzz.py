"""Changed logs, checkpoints, keys, proofs and decks before every command that reads one: python -m tests.long.fuzz

    python -m tests.long.fuzz [--files 100000] [--seed N] [--jobs N]
    python -m tests.long.fuzz --seed N --case NUMBER --keep DIR     # one case again, its files kept in DIR

Each file is an honest one changed: byte by byte, line by line, or field by field and signed again. The commands run in
this process through their `main(argv)`. What must hold of each: exit code 0, 1 or 2; no exception, not even one that
the auditor catches and calls inexplicable; no pass of what was not signed, not remembered so, or impossible; no control
character, nothing that turns a line around, UTF-8; output that reads as the format asked for; the same bytes when
asked again. What a proof or deck must give, `tests/second` says. Exit code 1 where something did not hold.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path
from typing import NamedTuple

from .fuzzing.cases import case
from .fuzzing.checks import faults
from .fuzzing.forms import Case, Run
from .fuzzing.running import Outcome, run

BLOCK = 25
"""Cases that a process takes at a time."""
AGAIN = 8
"""Of so many runs one is made twice."""
SHOWN = 30


class Fault(NamedTuple):
    """What did not hold, and how to see it again."""

    number: int
    name: str
    words: tuple[str, ...]
    what: str


class Seen(NamedTuple):
    """Of some cases: how many commands ran, their exit codes, the digest of all that they said, what did not hold."""

    runs: int
    codes: Counter[int | None]
    digest: bytes
    faults: list[Fault]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.fuzz", description="Fuzz both command lines.")
    parser.add_argument("--files", type=int, default=100_000, help="how many changed files (default 100000)")
    parser.add_argument("--seed", type=int, default=1, help="where they come from (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a processor)")
    parser.add_argument("--case", type=int, help="only the case of this number, with all that it says")
    parser.add_argument("--keep", type=Path, help="where to keep that case's files")
    args = parser.parse_args(arguments)
    if args.case is not None:
        return shown(args.seed, args.case, args.keep)
    began = time.monotonic()
    seen = fuzzed(args.seed, args.files, args.jobs)
    seconds = time.monotonic() - began
    print(summary(seen, args.files, args.seed, seconds))
    return 1 if seen.faults else 0


def fuzzed(seed: int, files: int, jobs: int = 1) -> Seen:
    """So many cases, in so many processes; the number of processes changes nothing."""
    blocks = [range(first, min(first + BLOCK, files)) for first in range(0, files, BLOCK)]
    if jobs == 1:
        return gathered(map(partial(some, seed), blocks), files)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return gathered(pool.imap(partial(some, seed), blocks), files)


def gathered(parts: Iterable[Seen], files: int) -> Seen:
    runs, codes, digest, found = 0, Counter[int | None](), hashlib.sha256(), list[Fault]()
    began = time.monotonic()
    for done, part in enumerate(parts, 1):
        runs += part.runs
        codes.update(part.codes)
        digest.update(part.digest)
        found += part.faults
        if sys.stderr.isatty():
            number = min(done * BLOCK, files)
            left = (time.monotonic() - began) / number * (files - number)
            line = f"{number:,} of {files:,} files, {len(found)} faults, {left:,.0f} s left"
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return Seen(runs, codes, digest.digest(), found)


def some(seed: int, numbers: Iterable[int]) -> Seen:
    runs, codes, digest, found = 0, Counter[int | None](), hashlib.sha256(), list[Fault]()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory if memory.is_dir() else None) as name, chdir(name):
        for number in numbers:
            changed = case(seed, number)
            for place, (command, outcome) in enumerate(outcomes(changed)):
                runs += 1
                codes[outcome.code] += 1
                digest.update(repr((outcome.code, outcome.out, outcome.err)).encode())
                wrong = list(faults(command, outcome))
                if (number + place) % AGAIN == 0 and outcome != said(command):
                    wrong.append("said something else when asked again")
                found += [Fault(number, changed.name, command.words, what) for what in wrong]
    return Seen(runs, codes, digest.digest(), found)


def outcomes(changed: Case) -> Iterator[tuple[Run, Outcome]]:
    """The case's files in an empty working directory, and what its commands say of them."""
    empty(Path())
    for name, data in changed.files.items():
        place = Path(name)
        if place.parent.name:
            place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    for command in changed.runs:
        yield command, said(command)


def said(command: Run) -> Outcome:
    """What a command says, to standard output or to its file."""
    outcome = run(command.words, command.stdin)
    file = Path(command.output)
    if not command.output or not file.is_file():
        return outcome
    data = file.read_bytes()
    file.unlink()
    return outcome._replace(out=outcome.out + data)


def empty(folder: Path) -> None:
    for item in folder.iterdir():
        if item.is_dir() and not item.is_symlink():
            shutil.rmtree(item)
        else:
            item.unlink()


def summary(seen: Seen, files: int, seed: int, seconds: float) -> str:
    codes = ", ".join(f"exit {code}: {count:,}" for code, count in sorted(seen.codes.items(), key=str))
    head = f"{files:,} files, {seen.runs:,} commands, seed {seed}, {seconds:,.0f} s; {codes}"
    tail = f"digest {seen.digest.hex()[:16]}, {len(seen.faults):,} faults"
    kinds: dict[str, list[Fault]] = {}
    for fault in seen.faults:
        kinds.setdefault(f"{fault.words[0]} {fault.words[1]}: {kind(fault.what)}", []).append(fault)
    lines = [head, tail]
    for what, some_faults in sorted(kinds.items(), key=lambda item: -len(item[1]))[:SHOWN]:
        first = some_faults[0]
        lines.append(f"{len(some_faults):6,} x {what!a}")
        lines.append(f"         --seed {seed} --case {first.number}: {first.name[:150]!a}")
    return "\n".join(lines)


def kind(what: str) -> str:
    """A fault without what differs from case to case."""
    return re.sub(r"U\+\w{4,5} in ['\"].*|no honest log has .*", "…", what, flags=re.DOTALL)[:150]


def shown(seed: int, number: int, keep: Path | None) -> int:
    """Everything about one case."""
    changed = case(seed, number)
    print(ascii(changed.name))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) if keep is None else keep
        folder.mkdir(parents=True, exist_ok=True)
        wrong = 0
        with chdir(folder):
            for command, outcome in outcomes(changed):
                print(f"$ {' '.join(map(ascii, command.words))}\nexit code {outcome.code} {outcome.crash}")
                print(*map(ascii, (outcome.out + outcome.err).decode(errors="replace").split("\n")), sep="\n")
                for what in faults(command, outcome):
                    wrong = 1
                    print(f"FAULT {what!a}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
