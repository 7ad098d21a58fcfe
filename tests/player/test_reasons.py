"""What the browser says of a hand beside its check: why it was paid so, by which clause, and what chance leaves."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from audit_cli.report.luck.reference import SAME
from fairshoe.ceremony.policy import Policy
from fairshoe.engine.rules import RULES

from ..simulated import simulated
from ..tables.texts import LANGUAGES, clauses, texts
from ..verifier.node import node
from .test_honest import HERE, LIMIT
from .test_signed_table import NOT_SOUND

ROOT = Path(__file__).parents[2]
LOGS = sorted(
    path for path in (ROOT / "tests/data/logs").glob("*/log.jsonl") if not path.parent.name.startswith(NOT_SOUND)
)
REASONS = (ROOT / "fairshoe/web/player/reasons.ts").read_text()
WINS = {"win", "dealer-bust", "natural", "split-natural", "ban-ban", "ban-nag", "5-dragon", "five-cards", "7-7-7"}
LOSES = {"lose", "bust", "surrender", "equal", "dealer-natural", "dealer-ban-ban", "dealer-ban-nag", "dealer-5-dragon"}
HOUSE_RULES = {"free_hand": True, "five_dragon_21_triple": True, "twenty_one_double": True}
ROUNDS = 3000
COVERED = 55
"""Pairs of rules and reason that the logs have at least."""


@pytest.fixture(scope="module")
def rounds(tmp_path_factory):
    """Every round of the honest logs and of a house that is played at random, with its rules."""
    found = []
    folder = tmp_path_factory.mktemp("log")
    made = (
        simulated(folder / "x", rounds=ROUNDS),
        simulated(folder / "y", ["chinese"], rounds=ROUNDS, options=HOUSE_RULES),
    )
    for path in (*LOGS, *(each / "log.jsonl" for each in made)):
        entries = [json.loads(line) for line in path.read_bytes().splitlines()]
        rules = {each["table"]: each["rules"] for each in entries if each["kind"] == "table"}
        found += [(rules[each["shoe"].rpartition("/")[0]], each) for each in entries if each["kind"] == "round"]
    return found


@pytest.fixture(scope="module")
def said(rounds):
    told = "".join(f"{json.dumps(each)}\n" for each in rounds)
    command = [node(), str(HERE / "reasons.mjs")]
    done = subprocess.run(command, input=told, capture_output=True, text=True, timeout=LIMIT, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_hand_of_every_log_has_a_reason_with_its_clause(rounds, said):
    """The page of the game's rules has the clause, with the ratio that was paid."""
    stated = {rules: clauses(rules) for rules in RULES}
    ratio = {key for key, text in texts("english").items() if "{pays}" in text}
    met = set()
    for (rules, entry), hands in zip(rounds, said[1:], strict=True):
        for hand, reasons in zip(entry["hands"], hands, strict=True):
            first = reasons[0]["say"]
            for each in reasons:
                text, _ = stated[rules][each["clause"]]
                paid = f"why.{each['say']}" in ratio and not (
                    each["say"] == "more-cards" and each["values"]["cards"] > 7
                )
                assert not paid or each["values"]["pays"] in text, (entry, each)
            assert (hand["net"] > 0) == (first in WINS or first in ("8-7-6", "more-cards")) or "short" in hand
            assert (hand["net"] < 0) <= (first in LOSES or (rules, first) == ("pontoon", "naturals")), (entry, first)
            met |= {(rules, each["say"]) for each in reasons}
    assert len(met) >= COVERED


HOLDS = {
    "win": lambda v, hand: v["total"] > v["dealer"] and v["dealer"] <= 21,
    "lose": lambda v, hand: v["total"] < v["dealer"] <= 21,
    "push": lambda v, hand: v["total"] == v["dealer"],
    "equal": lambda v, hand: v["total"] == v["dealer"],
    "bust": lambda v, hand: v["total"] > 21,
    "dealer-bust": lambda v, hand: v["dealer"] > 21,
    "both-bust": lambda v, hand: v["dealer"] > 21 and v["total"] > 21,
    "more-cards": lambda v, hand: v["pays"] == f"{2 ** (v['cards'] - 4)}:1",
    "five-cards": lambda v, hand: v["pays"] == "2:1",
    "natural": lambda v, hand: v["pays"] in ("3:2", "1:1", "2:1"),
}
"""What the words of a reason claim of its values."""


def test_what_a_reason_claims_is_true_of_its_hand(rounds, said):
    """CH-40, PO-27, LO-06: the dealer's total when the hand was settled, the cards that were paid, what was due."""
    checked = 0
    for (_, entry), hands in zip(rounds, said[1:], strict=True):
        for hand, reasons in zip(entry["hands"], hands, strict=True):
            for each in reasons:
                if each["say"] in HOLDS and not (each["say"] == "natural" and "short" in hand):
                    checked += 1
                    assert HOLDS[each["say"]](each["values"], hand), (entry, hand, each)
            factor = abs(hand["net"]) / hand["bet"]
            if factor >= 2 and reasons[0]["say"] in ("win", "lose", "bust", "dealer-bust", "dealer-natural"):
                assert len(reasons) > 1, (entry, hand, reasons)
    assert checked > 3000


def test_every_reason_is_said_in_both_languages():
    reasons = set(re.findall(r'"?([\w -]+?)"?: "[A-Z]{2}-\d\d"', REASONS))
    assert len(reasons) > 25
    for language in LANGUAGES:
        assert {f"why.{each.strip()}" for each in reasons} <= texts(language).keys()


def test_what_the_game_gives_is_what_the_auditor_counts_with(said):
    known = json.loads((ROOT / "audit_cli/report/luck/expectations.json").read_text())
    given, neutral = said[0]["GIVES"], said[0]["NEUTRAL"]
    assert {name: each["gives"] for name, each in given.items()} == {
        each["rules"]: [each["mean"], each["variance"], each["covariance"]] for each in known
    }
    assert {name: each["options"] for name, each in given.items()} == {
        each["rules"]: {name: value for name, value in each["options"].items() if name not in neutral} for each in known
    }
    assert {*neutral} == {*SAME}
    assert {*given} == {*RULES}, "each game, by its options: where nothing is known nothing is shown"


def test_odds_are_shown_at_the_options_for_which_they_hold(said):
    assert said[0]["others"] == [None, None, None], "another number of packs, an option that is not known, none kept"
    assert said[0]["means"] == [-0.0073764, None, None, None, None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_game_limit_move_and_outcome_has_its_texts(rounds, language):
    """A game that is added has them too, and each game's reasons have clauses."""
    wanted = {f"{group}.{name}" for group in ("rules", "about") for name in RULES}
    wanted |= {f"limit.{name}" for name in Policy()._asdict()}
    wanted |= {f"move.{each['move']}" for _, entry in rounds for each in entry["decisions"]}
    outcomes = {re.sub(r"^\d+ cards$", "cards", hand["outcome"]) for _, entry in rounds for hand in entry["hands"]}
    wanted |= {f"outcome.{outcome}" for outcome in outcomes if not re.fullmatch(r"\d(-\d)+", outcome)}
    assert wanted - texts(language).keys() == set()
    assert {*RULES} == {*re.findall(r"^  (\w+): \{\s+\S+: \"[A-Z]{2}-\d\d\"", REASONS, re.MULTILINE)}


def test_the_band_is_that_of_the_bets(said):
    """A hundred rounds with two bets of ten each, and ten won in each of them."""
    told, banked = said[0]["lucky"], said[0]["banked"]
    spread = (100 * (2 * 100 * 1.2456496 + 200 * 0.4525981)) ** 0.5
    assert told["mean"] == pytest.approx(-0.0073764 * 2000)
    assert told["high"] - told["mean"] == pytest.approx(1.96 * spread)
    assert told["share"] == pytest.approx(6.96e-8, rel=0.5)
    assert banked["mean"] == pytest.approx(-told["mean"])
    assert said[0]["few"] is None
