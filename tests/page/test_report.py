"""The report in a real browser: whole at any width, in the dark, on paper, for everybody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit_cli.desk.report import ReportOptions, desk_report
from audit_cli.report.cover import Cover
from audit_cli.report.run import make
from tests.simulated import simulated

from .conftest import Readers
from .test_looks import axe, faults

__all__ = ["axe"]
CUT_OFF = """[...document.querySelectorAll("table, svg")].filter(
  each => each.getBoundingClientRect().right > each.closest("section, header").getBoundingClientRect().right + 1
).map(each => each.textContent.slice(0, 40))"""
"""The tables and charts of which a part is not to be seen."""
OPTIONS = ReportOptions(once=False, standards=())
KINDS = ("honest", "broken")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An honest log's report, and one of that log and a broken one."""
    folder = tmp_path_factory.mktemp("reports")
    log = simulated(folder / "log", ["boxes", "casino"], rounds=12, careless=0.03)
    changed = folder / "log.jsonl"
    changed.write_bytes((log / "log.jsonl").read_bytes().replace(b'"net":-', b'"net":-1', 3))
    honest, broken = make(log, key=(log / "log.vkey").read_text()), make(changed)
    pages = {
        "honest": desk_report([honest], [log], Cover(), OPTIONS, {}).html(),
        "broken": desk_report([honest, broken], [log, changed], Cover(), OPTIONS, {}).html(),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


@pytest.mark.parametrize("kind", KINDS)
def test_it_keeps_nobody_out_fits_on_a_phone_and_on_paper_and_asks_for_nothing(
    readers: Readers, files: dict[str, Path], axe: str, kind: str
) -> None:
    reader = readers(viewport={"width": 390, "height": 844})
    reader.context.set_offline(True)
    reader.open(files[kind].as_uri())
    assert reader.requests == [files[kind].as_uri()]
    if kind != "honest":  # it has what the broken one has
        assert faults(reader, axe) == []
    for width in (390, 800, 1280):
        reader.page.set_viewport_size({"width": width, "height": 844})
        assert reader.page.evaluate(CUT_OFF) == []
    paper = reader.page.pdf(format="A4")
    assert paper.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= (12 if kind == "honest" else 24)
    reader.page.set_viewport_size({"width": 718, "height": 1000})
    reader.page.emulate_media(media="print")
    assert reader.page.evaluate(CUT_OFF) == []
    assert reader.page.locator("nav").count() == 0 or not reader.page.locator("nav").is_visible()


def test_the_first_screen_says_what_to_think_and_do(readers: Readers, files: dict[str, Path]) -> None:
    reader = readers(viewport={"width": 390, "height": 844})
    for kind, says in (("honest", "Everything in this log holds"), ("broken", "1 does not hold")):
        reader.open(files[kind].as_uri())
        head = reader.page.locator("header h1")
        assert says in head.inner_text()
        box = head.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 844
        first = reader.page.locator("header li").first
        assert first.is_visible()
        place = first.bounding_box()
        assert place is not None
        assert place["y"] < 844


def test_a_keyboard_reaches_every_section(readers: Readers, files: dict[str, Path]) -> None:
    reader = readers().open(files["broken"].as_uri())
    reader.page.keyboard.press("Tab")
    assert reader.page.evaluate("document.activeElement.tagName") == "A"
    name = reader.page.evaluate("document.activeElement.hash.slice(1)")
    reader.page.keyboard.press("Enter")
    top = reader.page.evaluate("name => document.getElementById(name).getBoundingClientRect().top", name)
    assert -5 <= top < 900
