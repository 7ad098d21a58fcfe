"""The page that checks: one hand of another house, in a browser, without a network."""

from __future__ import annotations

import pytest

from tests.other_houses.test_foreign import REAL

from .reading import Reader

LIQD = next(hand for hand in REAL if hand.payout == "4.6")


def answered(reader: Reader, saved: str, **fields: str) -> dict[str | None, str | None]:
    """Fill the form in and read the three answers."""
    reader.page.goto(saved)
    reader.page.locator("details:has(form.foreign) > summary").click()
    form = reader.page.locator("form.foreign")
    form.locator("details summary").click()
    form.locator("[name=game]").select_option(fields.pop("game", ""))
    for name, text in fields.items():
        form.locator(f"[name={name}]").fill(text)
    form.locator("button.main").click()
    items = form.locator("[data-answer]").all()
    return {item.get_attribute("data-answer"): item.get_attribute("data-state") for item in items}


GIVEN = {
    "game": "liqd blackjack",
    "server_seed": LIQD.server_seed,
    "client_seed": LIQD.client_seed,
    "nonce": LIQD.nonce,
    "remembered": LIQD.commitment,
    "result": LIQD.result,
    "bet": LIQD.bet,
    "actions": LIQD.actions,
    "payout": LIQD.payout,
}


@pytest.mark.parametrize(
    ("changed", "answers"),
    [
        ({}, ("follows", "follows", "follows")),
        ({"payout": "4.5"}, ("follows", "follows", "differs")),
        ({"nonce": "1"}, ("follows", "differs", "not checked")),
        ({"remembered": "0" * 64}, ("differs", "not checked", "not checked")),
        ({"game": ""}, ("not checked", "not checked", "not checked")),
    ],
)
def test_the_three_answers(reader: Reader, saved: str, changed: dict[str, str], answers: tuple[str, str, str]) -> None:
    found = answered(reader, saved, **GIVEN | changed)
    assert found == dict(zip(("commitment", "outcome", "payout"), answers, strict=True))


def test_a_field_that_cannot_be_read_is_named(reader: Reader, saved: str) -> None:
    assert answered(reader, saved, **GIVEN | {"server_seed": "xyz"}) == {}
    assert reader.page.locator("#foreign .warn").count() == 1
