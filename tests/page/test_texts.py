"""The page's texts: each in every language with the same values, and none missing where a hand is told."""

from __future__ import annotations

import re

import pytest

from tests.audit.proofs import GAMES, proven

from .conftest import Readers
from .reading import KEY, LANGUAGES, TEXTS, holding

RAW = re.compile(r"(?:{})\.[a-z][\w.-]*".format("|".join(sorted({key.split(".")[0] for key in TEXTS if "." in key}))))
"""A text's key, as it would show where nothing is written for it."""
_ALL = """() => {
    const slider = document.querySelector(".stepper input");
    const moments = Array.from({length: Number(slider.max) + 1}, (_, step) => {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        return document.querySelector(".told").textContent;
    });
    return [document.querySelector("main").textContent, ...moments].join("\\n");
}"""


def test_every_text_is_written_in_every_language_with_the_same_values() -> None:
    assert all(len(texts) == len(LANGUAGES) and all(texts) for texts in TEXTS.values())
    values = {key: {frozenset(re.findall(r"\{\w+\}", text)) for text in texts} for key, texts in TEXTS.items()}
    assert [key for key, found in values.items() if len(found) > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_of_a_text_shows_through(readers: Readers, language: str) -> None:
    reader = readers(locale=language)
    for rules in GAMES:
        reader.open(holding(proven(rules), KEY))
        reader.page.locator("#verdict h1", has_text=f"{rules}#").wait_for()
        told = reader.page.evaluate(_ALL)
        assert RAW.findall(told) == []
