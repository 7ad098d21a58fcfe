"""The pages' texts: the same in every language, and all that is said."""

from __future__ import annotations

import re

from fairshoe.engine.rules import RULES, rules_of

from .texts import LANGUAGES, TABLES, clauses, texts, values

DOCS = TABLES.parents[2] / "docs"
MADE = {
    *(
        "about",
        "alarm",
        "banks",
        "connection",
        "ended",
        "limit",
        "mark",
        "moved",
        "option",
        "outcome",
        "phase",
        "rank",
        "rules",
        "step",
        "suit",
    ),
    *("act", "bet", "check", "move", "placed", "refund", "section", "trouble", "value", "why"),
}
"""Groups of which a page names one by a value."""


def test_both_languages_have_the_same_texts_with_the_same_values():
    english, german = map(texts, LANGUAGES)
    assert [*english] == [*german], "the same keys in the same order"
    assert [key for key in english if values(english[key]) != values(german[key])] == []
    assert len(english) > 250


def test_every_option_has_a_label():
    options = {f"option.{name}" for rules in RULES for name in rules_of(rules).options}
    assert options == {key for key in texts("english") if key.startswith("option.")}


def test_every_text_is_said_and_everything_said_is_a_text():
    source = "".join(path.read_text(encoding="utf-8") for path in TABLES.glob("*.ts"))
    said = {*re.findall(r'"([a-z]+(?:[.-][a-z-]+)*)"', source)}
    keys = {*texts("english")}
    assert {*re.findall(r'\bsay\("([^"]+)"', source)} <= keys
    assert {*re.findall(r"\bsay\(`(\w+)\.\$", source)} <= MADE
    assert [key for key in keys - said if key.partition(".")[0] not in MADE] == []


def test_every_clause_of_a_games_page_is_one_of_the_rules_with_the_same_values_in_both_languages():
    ids = set(re.findall(r"^\| ([A-Z]{2}-\d\d) \|", (DOCS / "rules.md").read_text(), re.MULTILINE))
    for rules in RULES:
        stated = clauses(rules)
        assert stated.keys() <= ids
        assert [clause for clause, (english, german) in stated.items() if values(english) != values(german)] == []


NAMED = {
    "banker": ("natural", "bust", "push"),
    "boxes": ("natural", "bust", "push"),
    "casino": ("natural", "bust", "push"),
    "chinese": ("ban-ban", "ban-nag", "5-dragon", "bust", "push", "void"),
    "lounge": ("natural", "bust"),
    "pontoon": ("natural", "bust"),
}
"""Outcomes that the felt calls by names which do not explain themselves."""


def test_the_rules_have_the_names_that_the_felt_uses():
    for rules, outcomes in NAMED.items():
        for at, language in enumerate(LANGUAGES):
            said = " ".join(clause[at] for clause in clauses(rules).values()).lower()
            names = [texts(language)[f"outcome.{outcome}"].lower() for outcome in outcomes]
            assert [name for name in names if name not in said] == [], (rules, language)
