"""One hand as a page: every game's, with all that lay on the table at each step."""

import json
import re
from pathlib import Path

import pytest

from audit_cli.hand.page import page_of
from audit_cli.hand.play import Played
from audit_cli.hand.run import of_log
from audit_cli.hand.telling import Telling
from audit_cli.hand.wanted import round_named
from audit_cli.main import main
from fairshoe.engine.rules import RULES
from tests.simulated import simulated


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("log") / "house", rounds=90, careless=0.02)


def rounds(log: Path) -> dict[str, dict]:
    """Of each game the round with the most cards: splits, gifts and reshuffles are likely in it."""
    found: dict[str, dict] = {}
    for line in (log / "log.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["kind"] == "round":
            game = entry["shoe"].partition("-")[0]
            if game not in found or len(entry["cards"]) > len(found[game]["cards"]):
                found[game] = entry
    return found


@pytest.mark.parametrize("game", sorted(RULES))
def test_every_card_and_every_net_is_on_the_table_at_the_end(log: Path, game: str) -> None:
    entry = rounds(log)[game]
    name = f"{entry['shoe'].rpartition('/')[0]}#{entry['round']}"
    telling = of_log(log, round_named(name))
    assert isinstance(telling, Telling)
    shown = Played(telling.hand).frames
    last = shown[-1].hands
    assert sorted(card.label for lying in last for card in lying.cards) == sorted(entry["cards"])
    players = last[: len(entry["hands"])]
    assert [lying.net for lying in players] == [hand["net"] + hand.get("insurance", 0) for hand in entry["hands"]]
    assert [lying.outcome for lying in players] == [hand["outcome"] for hand in entry["hands"]]
    counts = [sum(len(lying.cards) for lying in frame.hands) for frame in shown]
    assert counts == sorted(counts)
    assert not any(card.down for lying in last for card in lying.cards)

    page = page_of(telling)
    assert "REPLAY" in page
    assert len(re.findall(r"<li>\n<strong>", page)) == len(shown)
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_face_down_card_is_down_until_it_is_shown(log: Path) -> None:
    entry = rounds(log)["casino"]
    telling = of_log(log, round_named(f"{entry['shoe'].rpartition('/')[0]}#{entry['round']}"))
    assert isinstance(telling, Telling)
    shown = Played(telling.hand).frames
    dealers = [[card.down for card in lying.cards] for f in shown for lying in f.hands if lying.who == "the dealer"]
    assert [False, True] in dealers
    assert dealers[-1] == [False] * len(dealers[-1])


def test_names_in_a_log_are_no_markup(log: Path, tmp_path: Path) -> None:
    entry = rounds(log)["casino"]
    telling = of_log(log, round_named(f"{entry['shoe'].rpartition('/')[0]}#{entry['round']}"))
    assert isinstance(telling, Telling)
    hand = telling.hand
    hand.names = {(hand.table, player): "<img src=x>" for player in hand.before.players.values()}
    page = page_of(telling)
    assert "<img" not in page
    assert "&lt;img src=x&gt;" in page


def test_the_command_writes_it(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hand.html"
    assert main(["hand", str(log), "--round", "casino-3#3", "--html", str(file)]) == 0
    assert "Replay of round casino-3#3" in file.read_text()
    assert "casino-3#3" in capsys.readouterr().out


def test_a_list_is_no_page(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hand.html"
    assert main(["hand", str(log), "--list", "--html", str(file)]) == 2
    assert "--round" in capsys.readouterr().err
    assert not file.exists()
