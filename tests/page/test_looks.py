"""How the page looks to everybody: a screen reader, a dark room, little motion; and that it breaks no rule."""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.proofs import proven

from .conftest import Readers
from .reading import LANGUAGES, STEPS, WEB, Reader, said, wrong_outcome

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async (rules) => (await axe.run(document, { resultTypes: ["violations"], ...rules })).violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html + " " + node.failureSummary).join(" | ")}`)"""
_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""All that is otherwise in the dark."""


@pytest.fixture(scope="module")
def axe() -> str:
    """axe-core, which is put into the page past its content security policy."""
    assert AXE.is_file(), "axe-core is not installed: tests/run does that"
    return AXE.read_text(encoding="utf-8")


def faults(reader: Reader, axe: str) -> list[str]:
    """What keeps somebody out, by light and in the dark."""
    reader.page.evaluate(f"{axe}; undefined")
    found: list[str] = reader.page.evaluate(_RUN, {})
    reader.page.emulate_media(color_scheme="dark")
    found += reader.page.evaluate(_RUN, _COLOURS)
    reader.page.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_kept_out(readers: Readers, saved: str, axe: str, language: str) -> None:
    """As it asks and says yes, with every step open, in the one language, and as it says no in the other."""
    reader = readers(locale=language, reduced_motion="reduce").open(saved).asked()
    assert reader.page.evaluate("document.documentElement.lang") == language
    if language == LANGUAGES[0]:
        reader.page.locator("details.more").evaluate_all("all => all.forEach(one => one.open = true)")
        assert faults(reader, axe) == []
        reader.give(proven("banker")).page.wait_for_selector("#verdict.pass")
        reader.page.locator(".steps details").evaluate_all("all => all.forEach(one => one.open = true)")
    else:
        reader.give(wrong_outcome("pontoon")).page.wait_for_selector("#verdict.fail")
    assert faults(reader, axe) == []


def test_the_verdict_is_told_to_who_cannot_see_it(reader: Reader, saved: str) -> None:
    reader.open(saved).asked()
    live = reader.page.get_by_role("status").first
    assert live.get_attribute("id") == "verdict", "it is there before it says anything"
    reader.give(proven("casino")).told("pass")
    text = live.inner_text()
    assert said("told.pass") in text
    assert reader.page.locator("#verdict svg").get_attribute("aria-hidden") == "true", "the word says the same"


def test_numbers_are_as_the_reader_writes_them(readers: Readers, saved: str) -> None:
    reader = readers(locale="de-DE").open(saved).asked().give(proven("casino"))
    reader.page.wait_for_selector("#verdict.pass")
    assert "100.000" in (reader.page.locator(".steps > ol > li").nth(STEPS.index("chips")).text_content() or "")


def test_who_wants_little_motion_gets_none(readers: Readers, saved: str) -> None:
    reader = readers(reduced_motion="reduce").open(saved).asked().give(proven("casino"))
    reader.told("pass")
    for _ in range(3):
        reader.button("scene.back").click()
        moving: list[Any] = reader.page.evaluate(
            "document.getAnimations().filter(one => one.effect.getComputedTiming().duration > 1).length"
        )
        assert moving == 0
