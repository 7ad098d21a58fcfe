"""The same files, compiled: the hands of every clause, and reports that are the interpreted auditor's to the byte.

The C compiler is tcc, which takes a fiftieth of gcc's time and does not optimize, and what it makes checks its own
assumptions: what is tested is what mypyc made of the sources. `MYPYC_OPT_LEVEL=3 tests/run tests/test_compiled.py`
tests the libraries of a release, compiled by gcc.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.findings.formats import render_json
from audit_cli.verify.run import verify
from fairshoe.compiled import VARIABLE
from fairshoe.errors import LogError
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from tests.audit.frauds import FRAUDS
from tests.corpus.case import FOLDER
from tests.house import SIGNER, honest
from tests.test_distribution import TREE

ROOT = Path(__file__).parents[1]
GAMES = {
    "casino": (1, 2),
    "banker": (1,),
    "boxes": (1, 2),
    "chinese": (1, 2, 3),
    "lounge": (1, 2),
    "pontoon": (1, 2, 3),
}
TCC = """#!/bin/sh
if [ "$1" = -shared ]; then exec gcc "$@" -z noexecstack /usr/lib/*/tcc/libtcc1.a; fi
exec tcc "$@" -w
"""
"""What is called as the compiler. A -w after mypyc's -Werror, which is for gcc's warnings, takes it back."""
COPIES = 50
"""So many altered copies of an honest log of each game."""
VALUES: list[Any] = [None, True, 0, 1, -1, 7, 1 << 40, "", "house", "0" * 64, [], {}, [1], {"1": 2}]


def run(*words: str | Path, cwd: Path, given: str = "", **variables: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FAIRSHOE", "PYTEST"))}
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, env=kept | variables, input=given, capture_output=True, text=True
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with what a compiled wheel holds, and the tests and documents beside it.

    The wheel is kept in the tests' environment, and made again where anything changed that it is made of.
    """
    place, source = tmp_path_factory.mktemp("compiled"), tmp_path_factory.mktemp("source")
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("node_modules"))
        else:
            shutil.copy(ROOT / name, source / name)
    level = os.environ.get("MYPYC_OPT_LEVEL", "0")
    kept = Path(sys.prefix) / "compiled-wheels" / f"{digest_of(source)}-{level}"
    if not kept.exists():
        words = ("-m", "build", "--wheel", "--no-isolation", "--outdir", place, source)
        quick = source / "tcc"
        quick.write_text(TCC)
        quick.chmod(0o755)
        compiler = {"CC": str(quick), "LDSHARED": f"{quick} -shared"} if level == "0" else {}
        run(sys.executable, *words, cwd=source, FAIRSHOE_COMPILE="1", MYPYC_OPT_LEVEL=level, **compiler)
        shutil.rmtree(kept.parent, ignore_errors=True)
        shutil.copytree(place, kept)
    (wheel,) = kept.glob("*.whl")
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert f"-{version}-{version}-" in wheel.name, "for this Python alone"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    for name in ("tests", "docs", "README.md", "fairshoe/web/verifier"):
        (place / name).symlink_to(ROOT / name)
    return place


def digest_of(source: Path) -> str:
    """Of every file that a wheel is made of, by its name, and of what compiles it."""
    paths = [
        source / "pyproject.toml",
        *(path for name in (".build", "fairshoe", "audit_cli") for path in (source / name).rglob("*")),
    ]
    files = sorted(
        path for path in paths if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    )
    told = [sys.version, metadata.version("mypy"), metadata.version("setuptools")]
    told += [f"{path.relative_to(source)} {sha256(path.read_bytes()).hexdigest()}" for path in files]
    return sha256("\n".join(told).encode()).hexdigest()


def test_which_runs_is_said_and_may_be_chosen(compiled: Path) -> None:
    words = (sys.executable, "-m", "audit_cli.main", "--version")
    assert "(compiled, kernel: C)" in run(*words, cwd=compiled)
    assert "(interpreted, kernel: none" in run(*words, cwd=compiled, **{VARIABLE: "1"})


def test_the_rules_the_corpus_simulations_and_a_rule_file_of_a_users_own(compiled: Path) -> None:
    words = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/rules", "tests/data/test_corpus.py")
    counts = "tests/test_simulated_counts.py::test_the_same_key_repeats_and_another_differs"
    words += ("tests/ceremony", "tests/test_simulate.py", counts)
    assert " failed" not in run(*words, cwd=compiled)


def test_every_report_is_the_same(compiled: Path, tmp_path: Path) -> None:
    """Of the corpus, of what a house that holds its key would plant, and of honest logs altered anywhere."""
    places = [*sorted(path.parent for path in FOLDER.glob("*/log.jsonl")), *planted(tmp_path), *altered(tmp_path)]
    program = "from tests.test_compiled import tell_all; tell_all()"
    reports = run(sys.executable, "-c", program, cwd=compiled, given="\n".join(map(str, places))).split("\0")
    for place, report in zip(places, reports[:-1], strict=True):
        assert report == told(place), place


def told(place: Path) -> str:
    """The report on a log, or why there is none."""
    try:
        return render_json(verify(place))
    except LogError as error:
        return str(error)


def tell_all() -> None:
    """The same of each log that is named on a line of standard input."""
    for place in sys.stdin.read().splitlines():
        print(told(Path(place)), end="\0")


def planted(folder: Path) -> Iterator[Path]:
    for number, case in enumerate(FRAUDS):
        place = folder / f"planted-{number}"
        write_log(place, case.plant().lines, SIGNER)
        yield place


def altered(folder: Path) -> Iterator[Path]:
    for game, seats in GAMES.items():
        entries = [json.loads(line) for line in honest(game, 12, 3, seats, careless=0.2).lines]
        for number in range(COPIES):
            chance = random.Random(f"{game} {number}")
            copy = json.loads(json.dumps(entries))
            for _ in range(chance.randint(0, 3)):
                alter(copy, chance)
            place = folder / f"altered-{game}-{number}"
            write_log(place, map(encode, copy), SIGNER)
            yield place


def alter(entries: list[Any], chance: random.Random) -> None:
    """One entry left out, or exchanged with another, or a value anywhere in one."""
    place = chance.randrange(len(entries))
    match chance.randrange(6):
        case 0:
            del entries[place]
        case 1:
            other = chance.randrange(len(entries))
            entries[place], entries[other] = entries[other], entries[place]
        case _:
            target: Any = entries[place]
            while True:
                key = chance.choice(sorted(target) if isinstance(target, dict) else range(len(target)))
                if not isinstance(target[key], dict | list) or not target[key]:
                    break
                target = target[key]
            target[key] = chance.choice(VALUES)
