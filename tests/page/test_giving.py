"""How a file comes to the page: pasted, dropped, picked; on a phone, by keyboard alone."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from fairshoe.page import fill_page, page
from tests.audit.proofs import ROUND, played, proven

from .conftest import Readers
from .reading import KEY, Reader, failed, said, serving, spoilt, statuses, written, wrong_outcome

NAME = f"casino#{ROUND}"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
_NARROW = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
_CUT = """() => [...document.querySelectorAll(".game .wide")]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"""
_SMALL = """() => [...document.querySelectorAll("button, summary, select, input:not([type=file])")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)"""

OUTLINE = """(() => {
    const look = getComputedStyle(document.activeElement);
    const seen = look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
    return [document.activeElement.outerHTML.slice(0, 80), seen || document.activeElement === document.body];
})()"""
"""Where the focus is, and whether that can be seen."""


def assert_whole(told: Mapping[str, Any], name: str = NAME) -> None:
    assert told["says"] == said("verdict.hand.pass", round=name)
    assert set(statuses(told).values()) == {"pass"}


def assert_fails_openly(reader: Reader, told: Mapping[str, Any], step: str) -> None:
    """The step that failed is open, has the focus, and says what was expected and found."""
    assert failed(told) == [step]
    assert told["steps"][step] == ("fail", True)
    focused = reader.page.evaluate("document.activeElement.closest('details')?.className")
    assert focused == "fail"
    fault = reader.page.locator("details.fail .fault").inner_text()
    assert said("fault.expected") in fault
    assert said("fault.found") in fault


def test_a_proof_and_then_a_key_pasted_by_the_keys_that_paste(reader: Reader, saved: str) -> None:
    reader.open(saved).asked()
    paste(reader, proven("casino").decode())
    assert reader.told("pass")["says"] == said("verdict.hand.pass.key", round=NAME)
    paste(reader, KEY)
    reader.page.get_by_role("heading", name=said("verdict.hand.pass", round=NAME), exact=True).wait_for()
    assert_whole(reader.seen())


def paste(reader: Reader, text: str) -> None:
    """From another page, onto no field."""
    clip(reader, text)
    reader.page.locator("body").click(position={"x": 2, "y": 2})
    reader.page.keyboard.press("Control+V")


def clip(reader: Reader, text: str) -> None:
    """Have the text in the clipboard, as from another page."""
    other = reader.context.new_page()
    other.set_content("<textarea></textarea>")
    other.locator("textarea").fill(text)
    other.keyboard.press("Control+A")
    other.keyboard.press("Control+C")
    other.close()
    reader.page.bring_to_front()


def test_a_file_dropped_onto_the_page(reader: Reader, saved: str, tmp_path: Path) -> None:
    reader.open(saved).asked()
    reader.page.locator("[name=key]").fill(KEY)
    drop(reader, written(tmp_path / "hand.json", proven("casino")))
    assert_whole(reader.told("pass"))
    drop(reader, written(tmp_path / "other.json", wrong_outcome("casino")))
    assert_fails_openly(reader, reader.told("fail"), "outcome")


def drop(reader: Reader, path: Path) -> None:
    """Drag a file over the page and let it go, as the browser itself has it."""
    session = reader.context.new_cdp_session(reader.page)
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for event in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": event, "x": 200, "y": 200, "data": data})
    session.detach()


def test_a_changed_file_says_what_is_wrong_and_whose_fault_it_is(reader: Reader, saved: str) -> None:
    told = (
        reader.open(saved)
        .asked()
        .give(spoilt("casino", "reveal", lambda entry: entry.update(key="ab" * 32)))
        .told("fail")
    )
    assert_fails_openly(reader, told, "commitment")
    assert said("whose.house") in reader.page.locator("details.fail .fault").inner_text()
    assert "pass" not in {statuses(told)[each] for each in ("shuffle", "decisions", "payout", "chips")}


STRANGE_FILES = [
    (page().encode(), "web"),
    (b"<!doctype html>404", "web"),
    (b"\x89PNG\r\n\x1a\n", "binary"),
    (b"%PDF-1.7\n", "binary"),
    ("once".encode("utf-16"), "binary"),
    (gzip.compress(proven("casino")), "binary"),
    (b"checkpoint\0\0house.test/log\n1\n" + b"A" * 43 + b"=\n\n\xe2\x80\x94 house.test/log A\n", "binary"),
    (b"", "empty"),
    (b'Say "fairshoe receipt v1\\n" and fairshoe receipt key', "other"),
    (b'{"a": 1}', "other"),
]
"""Files that are nothing of ours, and the kind that the page names."""


def test_what_is_nothing_of_ours_cannot_be_read_and_the_page_says_what_it_is(
    reader: Reader, saved: str, tmp_path: Path
) -> None:
    reader.open(saved).asked()
    for data, kind in STRANGE_FILES:
        reader.pick(written(tmp_path / "given", data))
        says = said("verdict.unreadable.format", format=said(f"format.{kind}"))
        expect(reader.page.locator("#verdict h1")).to_have_text(says)
        assert reader.told("unreadable")["steps"] == {}
    assert reader.button("ask.pick").is_visible(), "another one may be given at once"
    reader.give(proven("casino"))
    assert_whole(reader.told("pass"))


def test_a_saved_page_is_given_as_the_hand_in_it(reader: Reader, saved: str, tmp_path: Path) -> None:
    reader.open(saved).asked().pick(written(tmp_path / "verify.html", fill_page(proven("casino"), KEY).encode()))
    assert reader.told("pass")["says"] == said("verdict.brought", round=NAME)
    assert statuses(reader.seen())["signature"] == "open", "the key came with the page, and not from the reader"


def test_a_check_of_nothing_asks_for_a_file(reader: Reader, saved: str) -> None:
    """It was headed as if a file could not be read."""
    reader.open(saved).asked()
    reader.button("ask.check").click()
    assert reader.told("unreadable")["says"] == said("verdict.nothing")
    expect(reader.page.locator("#verdict .word")).to_have_text(said("ask.pick"))


def test_a_key_that_is_none_is_told_as_that_and_convicts_no_hand(reader: Reader, saved: str, tmp_path: Path) -> None:
    """A true hand was headed "Does not hold"."""
    reader.open(saved).asked().page.locator("[name=key]").fill("nonsense")
    reader.pick(written(tmp_path / "hand.json", proven("casino")))
    assert reader.told("pass")["says"] == said("verdict.hand.pass.key", round=NAME)
    expect(reader.page.locator(".trust")).to_contain_text(said("trust.unread"))


def test_the_evidence_that_a_browser_saved_is_given_as_its_hand(reader: Reader, saved: str, tmp_path: Path) -> None:
    """It was called damaged."""
    form = {"kind": "fairshoe evidence", "v": 1, "proof": proven("casino").decode(), "receipts": ""}
    data = json.dumps(form, separators=(",", ":")).encode()
    reader.open(saved).asked().pick(written(tmp_path / "evidence.json", data))
    assert reader.told("pass")["says"] == said("verdict.hand.pass.key", round=NAME)


def test_a_page_that_a_player_never_played_from_lists_no_hands_and_stores_nothing(reader: Reader, saved: str) -> None:
    for address in (saved, serving(b"")):
        reader.open(address).asked()
        assert reader.page.locator(".kept").count() == 0
        assert reader.page.evaluate("indexedDB.databases().then((all) => all.length)") == 0


def test_a_hand_is_compared_with_the_seed_and_the_commitment_of_the_reader(readers: Readers, saved: str) -> None:
    lines = [json.loads(line) for line in played("casino")]
    shoe = next(line["shoe"] for line in lines if line["kind"] == "open" and line["round"] == ROUND)
    seed = next(line["seed"] for line in lines if line["kind"] == "opened" and line["shoe"] == shoe)
    commitment = next(line["commitment"] for line in lines if line["kind"] == "shoe" and line["shoe"] == shoe)
    reader = readers().open(saved).asked().give(proven("casino"))
    reader.told("pass")
    game = reader.page.locator(".game").inner_text()
    assert said("word.casino") in game
    assert said("option.packs") in game
    unseen = reader.page.locator(".unseen li").all_inner_texts()
    assert unseen[0] == said("unseen.seen-cards")
    assert said("unseen.own-seed") in unseen[:3]
    own(reader, seed, commitment)
    reader.page.get_by_text(said("own.compared")).wait_for()
    assert_whole(reader.told("pass"))
    own(reader, "00" * 32, commitment)
    assert failed(reader.told("fail")) == ["seeds"]
    own(reader, seed, "00" * 32)
    reader.page.locator("#step-commitment.fail").wait_for()
    assert failed(reader.seen()) == ["commitment"]


def own(reader: Reader, seed: str, commitment: str) -> None:
    reader.page.locator("form.compare [name=seed]").fill(seed)
    reader.page.locator("form.compare [name=commitment]").fill(commitment)
    reader.page.locator("form.compare button").click()


def test_nothing_is_too_small_or_too_wide_for_a_phone(readers: Readers, saved: str) -> None:
    reader = readers(**PHONE).open(saved).asked()
    assert_fits(reader)
    for proof, verdict in ((proven("pontoon"), "pass"), (wrong_outcome("casino"), "fail")):
        reader.give(proof).told(verdict)
        reader.page.locator(".steps details").evaluate_all("all => all.forEach(one => one.open = true)")
        assert_fits(reader)
        reader.button("act.another").click()


def assert_fits(reader: Reader) -> None:
    for width in (390, 320):
        reader.page.set_viewport_size({"width": width, "height": 640})
        assert reader.page.evaluate(_NARROW), width
        assert reader.page.evaluate(_SMALL) == []
        assert reader.page.evaluate(_CUT) == []


def test_a_hand_by_the_keyboard_alone(reader: Reader, saved: str) -> None:
    reader.open(saved).asked()
    press = reader.page.keyboard.press
    reach(reader, "[name=paste]")
    reader.page.keyboard.insert_text(proven("casino").decode())
    reach(reader, "[name=key]")
    reader.page.keyboard.insert_text(KEY)
    press("Enter")
    assert_whole(reader.told("pass"))
    assert reader.page.evaluate("document.activeElement.id") == "verdict"
    reach(reader, "input[type=range]")
    told = reader.page.locator(".scene .told")
    before = told.inner_text()
    press("ArrowLeft")
    assert told.inner_text() != before
    reach(reader, ".steps summary")
    press("Enter")
    assert reader.seen()["steps"]["form"] == ("pass", True)
    press("Space")
    assert reader.seen()["steps"]["form"] == ("pass", False)
    reach(reader, "#speak-de", "Shift+Tab")
    press("Enter")
    assert reader.page.locator("#verdict h1").inner_text() == said("verdict.hand.pass", "de", round=NAME)
    assert reader.page.evaluate("document.activeElement.id") == "speak-de"


def reach(reader: Reader, selector: str, key: str = "Tab") -> None:
    """Go there with the tabulator; wherever it stops, that can be seen."""
    for _ in range(80):
        reader.page.keyboard.press(key)
        where, visible = reader.page.evaluate(OUTLINE)
        assert visible, where
        if reader.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached")
