"""A player with a browser of their own, by clicks."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from .texts import texts

MAX_WAIT, MAX_CLICKS = 40, 500
"""Seconds without a click, and clicks, after which a session is stuck."""
LOCALES = {"english": "en-GB", "german": "de-DE"}
NEXT = """([pays, decides, stop]) => {
  const dock = document.querySelector(".dock");
  if (!dock || dock.ariaBusy || (stop && document.querySelector(stop))) return "";
  const find = (what) => dock.querySelector(what);
  const leave = document.querySelectorAll("[data-hand]").length >= pays ? find("[data-do=leave]") : null;
  const bet = find("[data-do=bet]") ?? (find("[data-do=pass]") && find("[data-chip]"));
  if (!decides && find("[data-move=hit]")) return "";
  const move = ["decline", "stand", "reveal", "accept", "continue"]
    .map((one) => find(`[data-move=${one}]`)).find(Boolean) ?? find("[data-move]");
  const found = move ?? leave ?? find("[data-do=hash], [data-do=seed], [data-do=shoe]") ?? bet;
  const name = found ? Object.entries({ ...found.dataset })[0].join("=") : "";
  found?.click();
  return name;
}"""
"""Click what is to be done next; who has had so many hands leaves as soon as that is allowed. Who does not decide
declines an offer all the same: a dealer's ace offers insurance first. Nothing more
is clicked once there is a `stop`."""


class Player:
    """Sits down at a table as soon as it is made. `script`: runs in each page before its own."""

    def __init__(self, browser, address, name, table="t1", language="english", script="", chips=0, **options):
        self.context = browser.new_context(**{"locale": LOCALES[language], "reduced_motion": "reduce"} | options)
        self.context.add_init_script(script)
        self.texts = texts(language)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", lambda answer: self.complaints.extend([answer.url] if answer.status == 422 else []))
        self.page.goto(f"{address}/tables/{table}")
        self.page.get_by_label(self.texts["sit.name"]).fill(name)
        if chips:
            self.page.get_by_label(self.texts["sit.amount"]).fill(str(chips))
        self.page.get_by_role("button", name=self.texts["sit.do"]).click()
        expect(self.page.locator(".seat.you")).to_be_visible()

    def step(self, hands, decides=True, stop=""):
        return self.page.evaluate(NEXT, [hands, decides, stop])


def new_table(page, address, token):
    """The form by which the operator opens a table, in German; its game is to be chosen."""
    page.goto(f"{address}/operator")
    page.get_by_label("Das Token des Betreibers").fill(token)
    page.get_by_role("button", name="Weiter").click()
    page.get_by_text("Einen Tisch öffnen").click()
    return page.get_by_label("Spiel", exact=True)


def play(players, hands, done, *, decides=True, stop=""):
    """Click until `done`, and nothing once a page has what `stop` selects. Fails if there is nothing to click for
    MAX_WAIT, or after MAX_CLICKS. Returns the clicks."""
    newest, clicked = time.monotonic(), []
    while not done():
        if names := [name for each in players if (name := each.step(hands, decides, stop))]:
            newest, clicked = time.monotonic(), clicked + names
        players[0].page.wait_for_timeout(40)
        if time.monotonic() > newest + MAX_WAIT or len(clicked) > MAX_CLICKS:
            pytest.fail(f"nothing goes on: {clicked[-6:]}, {[each.page.inner_text('main') for each in players]}")
    return set(clicked)
