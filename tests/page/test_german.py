"""The page for who reads German: hands, logs and receipts, by no word that is not one of the German texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.proofs import GAMES, ROUND, proven
from tests.house_table import NAMES as PLAYERS
from tests.tables.texts import MONTHS, SEEN, WORD

from .conftest import Readers
from .reading import LANGUAGES, STEPS, TEXTS, Reader, said, statuses, wrong_outcome
from .test_log import ROWS, edited, signed

NAMES = (*GAMES, *PLAYERS.values(), "fairshoe.test/log", "UTC")
GERMAN = {*WORD.findall(" ".join(texts[LANGUAGES.index("de")] for texts in TEXTS.values())), *MONTHS.split()} | {
    *WORD.findall(" ".join(NAMES))
}


def strange(reader: Reader) -> set[str]:
    """The words of the page, with all that it folds, that are in no German text and in no name."""
    reader.page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    seen = " ".join(reader.page.evaluate(SEEN))
    return {*WORD.findall(seen)} - GERMAN


@pytest.mark.parametrize("rules", GAMES)
def test_a_hand_of_each_game_is_checked_in_german(readers: Readers, saved: str, rules: str) -> None:
    """With the network off, by the page on the disk."""
    reader = readers(locale="de-DE", offline=True).open(saved).asked()
    assert strange(reader) == set()
    reader.give(proven(rules)).page.wait_for_selector("#verdict.pass")
    told = reader.seen("de")
    sole = ".sole" if rules == "banker" else ""
    assert told["says"] == said(f"verdict.hand.pass{sole}", "de", round=f"{rules}#{ROUND}")
    assert statuses(told) == dict.fromkeys(STEPS, "pass")
    assert strange(reader) == set()
    for _ in range(100):
        if reader.page.locator(".stepper .earlier").is_disabled():
            break
        reader.page.locator(".stepper .earlier").click()
        assert strange(reader) == set()


def test_a_wrong_hand_and_a_whole_log_are_told_in_german(readers: Readers, saved: str, tmp_path: Path) -> None:
    reader = readers(locale="de-DE").open(saved).asked().give(wrong_outcome("pontoon"))
    reader.page.wait_for_selector("#verdict.fail")
    assert strange(reader) == set()
    files = signed(tmp_path / "log", edited("casino", net=1))
    reader.open(saved).asked().page.locator("#ask input[type=file]").set_input_files(files)
    reader.page.wait_for_selector("#verdict.fail")
    assert strange(reader) == set()
    reader.page.locator(f"{ROWS}.fail").first.click()
    reader.page.locator("#step-payout").wait_for()
    assert strange(reader) == set()
