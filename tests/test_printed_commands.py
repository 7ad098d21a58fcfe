"""Each `fairshoe` and `fairshoe-audit` command that README and the pages print is taken as it is printed, with a house,
a log and names of its own in the place of those that the page leaves to its reader.

Pages whose commands are one story are run as a whole elsewhere; so are programs that serve.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import NamedTuple

import pytest

import fairshoe
from fairshoe.commands._demo import play
from tests.cli.process import call
from tests.service.place import Place
from tests.simulated import simulated

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
AS_A_WHOLE = {"embedding.md", "games.md", "operations.md", "raffle.md", "service.md", "witness.md"}
"""Pages that tests/client, tests/protocol, tests/service and tests/witness run from end to end."""
SERVING = {"demo", "placer", "play", "serve"}
"""Commands that tests/service, tests/placer and tests/playing start as processes."""
ELSEWHERE = {"NEW", "OLDVKEY", "HANDS.csv", "$(cat DIR/log.vkey)"}
"""What only commands name that other tests run: of a log before another one (tests/audit/test_log_before.py), of hands
of other houses, and of a log that a command above made (tests/test_simulate.py)."""
ROUND = "casino#1"
KEY = bytes(range(32)).hex()


class Printed(NamedTuple):
    """A command of a page."""

    page: str
    words: tuple[str, ...]


def commands() -> Iterator[Printed]:
    for page in PAGES:
        if page.name in AS_A_WHOLE:
            continue
        for block in re.findall(r"^ *```sh\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.M | re.S):
            for line in block.splitlines():
                for part in re.findall(r"(?:^ *|&& |while )(?:\.venv/bin/)?(fairshoe(?:-audit)? [^|>&;]*)", line):
                    words = tuple(shlex.split(re.sub(r"\s#.*", "", part)))
                    if words[1] not in SERVING:
                        yield Printed(page.name, words)


COMMANDS = [each for each in commands() if not ELSEWHERE & {*each.words}]


def test_the_pages_print_many_commands() -> None:
    assert len(COMMANDS) > 20
    assert {each.words[0] for each in COMMANDS} == {"fairshoe", "fairshoe-audit"}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What stands for the names of the pages: a house, its log and what a player has of it, the proof of a shoe."""
    folder = tmp_path_factory.mktemp("printed")
    shoe = fairshoe.commit("game-42", fairshoe.french(1))
    (folder / "PROOF.json").write_text(shoe.seal().reveal().to_json())
    with Place(folder / "house", direct=False) as place:
        play(place.operator, "casino", 2, 2, lambda _: None, receipts=folder / "alice.receipts")
        (folder / "hand.json").write_text(place.public.proof(ROUND))
        assert call("fairshoe", "pull", place.address, folder / "log").returncode == 0
        copy(folder / "log" / "checkpoint", folder / "old")
        names = {"LOG": folder / "log", "DIR": folder / "pulled", "OLD": folder / "old", "STATE": folder / "state"}
        names |= {"fairshoe-demo": folder / "log", "alice.seat.receipts": folder / "alice.receipts"}
        names |= {name: folder / name for name in ("hand.json", "PROOF.json")}
        for house, log in (("north", folder / "log"), ("south", simulated(folder / "south", ("casino",), rounds=4))):
            names |= {f"logs/{house}": log, f"keys/{house}.vkey": log / "log.vkey"}
        texts = dict.fromkeys(("https://house.example", "URL"), place.address)
        texts |= dict.fromkeys(("casino#17", "t1#17", "TABLE#NUMBER"), ROUND)
        texts |= {"VKEY": (folder / "log" / "log.vkey").read_text().strip(), "HEX": shoe.commitment, "$KEY": KEY}
        yield texts | {name: str(path) for name, path in names.items()}


@pytest.mark.parametrize("printed", COMMANDS, ids=[f"{each.page}: {' '.join(each.words)}" for each in COMMANDS])
def test_a_printed_command(
    printed: Printed, given: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRSHOE_HOUSES", str(tmp_path / "houses"))
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    program, *words = printed.words
    names = given
    if words[0] == "pull":
        names = given | {"LOG": given["DIR"]}
    if "simulate" in (words[0], printed.page.partition(".")[0]):  # so many rounds, in a log that is made anew
        names = given | {"DIR": str(tmp_path / "DIR"), "1000000": "20", "100000": "20"}
    done = call(program, *(names.get(word, word) for word in words))
    assert done.returncode == 0, (words, done.stdout, done.stderr)
