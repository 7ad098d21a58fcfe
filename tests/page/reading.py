"""Somebody who reads the page: a tab of a real browser, which keeps whatever it complains of and asks for."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page

from fairshoe.log.canonical import encode
from fairshoe.page import fill_page
from tests.audit.proofs import ROUND, entries_for, file_of, played
from tests.house import SIGNER

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there: the headless shell is the same engine without windows, and takes two thirds of the time."""
KEY = str(SIGNER.verifier)
"""The key of the house whose logs the tests make."""
STEPS = (
    *("form", "signature", "inclusion", "commitment", "seeds", "transcript", "shuffle"),
    *("decisions", "dealer", "totals", "outcome", "payout", "chips"),
)
"""Of the check of a hand, in order."""
WEB = Path(__file__).parents[2] / "fairshoe" / "web"
TEXTS: dict[str, list[str]] = json.loads((WEB / "verifier" / "page" / "texts.json").read_text(encoding="utf-8"))
LANGUAGES = ["en", "de"]
READ = """(() => ({
    verdict: document.getElementById("verdict").className,
    says: document.querySelector("#verdict h1")?.textContent ?? "",
    steps: [...document.querySelectorAll(".steps > ol > li > details")].map((step) => [
        step.querySelector("summary > span").textContent, step.className, step.open])}))()"""
"""What the page shows, as JavaScript."""


def chromium() -> str:
    """Where the browser is; that there is one belongs to the tests."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.fail("no Chromium on the PATH: tests/run installs chromium-headless-shell", pytrace=False)
    return found


def said(key: str, language: str = "en", **values: object) -> str:
    """What the page says there."""
    text = TEXTS[key][LANGUAGES.index(language)]
    text = re.sub(r"\{(\w+\.[\w.]+)\}", lambda part: said(part[1], language, **values), text)
    for name, value in values.items():
        words = r"\1" if value == 1 else r"\2"
        text = re.sub(rf"{{{name}\|(.*?)\|(.*?)}}", words, text.replace(f"{{{name}}}", str(value)))
        text = text.replace("#", str(value)) if isinstance(value, int) else text
    return text


_FOLDER = TemporaryDirectory()
HOST = "http://page.example"
"""Where a reader's browser finds the pages of the folder over HTTP; nobody is asked for them."""


def holding(proof: bytes, key: str = "") -> str:
    """The address of the page as a file with this hand in it."""
    text = fill_page(proof, key).encode()
    return written(Path(_FOLDER.name) / f"{sha256(text).hexdigest()}.html", text).as_uri()


def serving(proof: bytes, key: str = "") -> str:
    """The same over HTTP, for tests of what a browser remembers: of what a page from a file keeps Chromium loses some
    now and then (4 of 100 loads on a busy machine, of any page; none of 378 over HTTP)."""
    return f"{HOST}/{holding(proof, key).rsplit('/', 1)[1]}"


def spoilt(rules: str, kind: str, change: Callable[[Any], object]) -> bytes:
    """The proof of a game's hand with its entry of a kind changed, and everything signed as if nothing were."""
    name = f"{rules}#{ROUND}"
    entries = [json.loads(line) for _, line in entries_for(played(rules), name)]
    for entry in entries:
        if entry["kind"] == kind:
            change(entry)
    lines = [encode(entry) for entry in entries]
    return file_of(lines, name, enumerate(lines))


def wrong_outcome(rules: str) -> bytes:
    """A hand whose last outcome is not the one that the rules give."""

    def change(entry: Any) -> None:
        hand = entry["hands"][-1]
        hand["outcome"] = "push" if hand["outcome"] != "push" else "lose"

    return spoilt(rules, "round", change)


class Reader:
    """One tab; `complaints` of the console, exceptions and the content security policy, `requests` by address."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        context.route(f"{HOST}/*", lambda route: route.fulfill(path=_FOLDER.name + urlsplit(route.request.url).path))
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type != "log" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address: str) -> Reader:
        self.page.goto(address)
        return self

    def asked(self) -> Reader:
        """Wait until the page asks for a file."""
        self.page.wait_for_selector("#ask form")
        return self

    def told(self, verdict: str) -> dict[str, Any]:
        """Wait for a verdict; gives it with the steps by their ids, each with its status and whether it is open."""
        self.page.wait_for_selector(f"#verdict.{verdict}")
        return self.seen()

    def seen(self, language: str = "en") -> dict[str, Any]:
        return named(self.page.evaluate(READ), language)

    def trust(self) -> dict[str, Any]:
        """Come back: the browser has known the key since."""
        self.page.wait_for_timeout(200)  # Chromium hands what a page stores to its own process a little later
        self.page.reload()
        return self.told("pass")

    def button(self, key: str, language: str = "en") -> Locator:
        return self.page.get_by_role("button", name=said(key, language), exact=True)

    def pick(self, *files: Path) -> Reader:
        """By the button that asks for files."""
        with self.page.expect_file_chooser() as asked:
            self.button("ask.pick").click()
        asked.value.set_files(files)
        return self

    def give(self, proof: bytes, key: str = KEY) -> Reader:
        """By the fields of the page."""
        self.page.locator("[name=paste]").fill(proof.decode())
        self.page.locator("[name=key]").fill(key)
        self.page.locator("form.proof button.main").last.click()
        return self


def named(seen: Mapping[str, Any], language: str = "en") -> dict[str, Any]:
    """What was seen, its steps by their ids."""
    titles = {said(f"step.{each}.title", language): each for each in (*STEPS, "receipt")}
    steps = {titles[title]: (status, opened) for title, status, opened in seen["steps"]}
    return {"verdict": seen["verdict"], "says": seen["says"], "steps": steps}


def statuses(told: Mapping[str, Any]) -> dict[str, str]:
    return {name: status for name, (status, _) in told["steps"].items()}


def failed(told: Mapping[str, Any]) -> list[str]:
    return [name for name, status in statuses(told).items() if status == "fail"]


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
