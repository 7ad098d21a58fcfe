"""Changes the code in small ways, and sees which of the changes no test notices: python -m tests.mutants

    python -m tests.mutants [PACKAGE …] [--sample 300] [--seed 1] [--jobs 1] [--only TEXT]

Of each package so many mutants are taken by chance, or all with `--sample 0`; with `--only`, of those that are printed
with this text (`chinese.py`, `base.py:96`). Each is a small change to one module (`making` says which), and the tests
in `TESTS` are asked about it in a process of its own that never touches the working tree (`running`). Printed are those
that live, to be read: no test asks for what the changed line does, or the change alters nothing. Exit code 1 where less
than 90 % of a package's were killed.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from .making import ROOT, Mutant, modules_of, mutants_of
from .running import Stages, fates, measured

TESTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "fairshoe.engine.rules": (("tests/rules/test_[a-o]*.py", "tests/rules/test_pontoon.py", "tests/rules/test_s*.py"),),
    "fairshoe.ceremony": (
        ("tests/ceremony/test_*.py", "tests/audit/test_choices.py", "tests/audit/test_counts.py"),
        ("tests/data/test_corpus.py", "tests/audit/test_frauds.py"),
        ("tests/ceremony/test_machine.py", "tests/ceremony/test_progress.py"),
    ),
    "fairshoe.ceremony.acting": (
        ("tests/ceremony/test_*.py",),
        ("tests/ceremony/test_machine.py", "tests/ceremony/test_progress.py"),
    ),
}
"""The test files that are asked for each package, in stages, fast ones first. A file belongs to the last stage that
names it."""
WANTED = 0.9


def stages_of(package: str) -> list[list[Path]]:
    named = [[path for pattern in stage for path in sorted(ROOT.glob(pattern))] for stage in TESTS[package]]
    return [[path for path in stage if not any(path in late for late in named[n:])] for n, stage in enumerate(named, 1)]


def stages_for(mutant: Mutant, stages: Stages) -> Stages:
    """The same, but first of all the test file that is named for the changed module."""
    own = [path for stage in stages for path in stage if path.name == f"test_{mutant.path.name}"]
    rest = [[path for path in stage if path not in own] for stage in stages]
    return [stage for stage in (own, *rest) if stage]


def taken(package: str, sample: int, seed: int, only: str) -> tuple[list[Mutant], int]:
    """The mutants to be asked in the order of their lines, and of how many."""
    every = [mutant for mutant in mutants_of(modules_of(package)) if only in str(mutant)]
    if not 0 < sample < len(every):
        return every, len(every)
    chosen = sorted(random.Random(f"{seed} {package}").sample(range(len(every)), sample))
    return [every[number] for number in chosen], len(every)


def asked(package: str, sample: int, seed: int, jobs: int, only: str) -> bool:
    """Print what came of a package; whether enough were killed."""
    mutants, of = taken(package, sample, seed, only)
    stages = stages_of(package)
    limits = measured(stages)
    each = [(mutant, stages_for(mutant, stages)) for mutant in mutants]
    live = late = 0
    for done, (mutant, code) in enumerate(fates(each, limits, jobs), 1):
        late += code < 0
        if code == 0:
            live += 1
            progress("")
            print(mutant, flush=True)
        progress(f"{package}: {done} of {len(mutants)}, {live} live")
    progress("")
    killed = len(mutants) - live
    share = killed / max(1, len(mutants))
    print(f"{package}: {killed} of {len(mutants)} killed, {share:.1%}; {late} of them took too long")
    print(f"taken of {of:,} with seed {seed}\n", flush=True)
    return share >= WANTED


def progress(line: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Which changes no test notices.")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"of {', '.join(TESTS)} (default: all)")
    parser.add_argument("--sample", type=int, default=300, help="mutants of a package (default 300; 0: all)")
    parser.add_argument("--seed", type=int, default=1, help="which are taken (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (default 1)")
    parser.add_argument("--only", default="", metavar="TEXT", help="those that are printed with this text")
    args = parser.parse_args(arguments)
    unknown = [package for package in args.packages if package not in TESTS]
    if unknown:
        parser.error(f"no tests are named for {unknown[0]}; there are {', '.join(TESTS)}")
    packages = args.packages or list(TESTS)
    enough = [asked(name, args.sample, args.seed, args.jobs, args.only) for name in packages]
    return 0 if all(enough) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
