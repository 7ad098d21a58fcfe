"""Every round that the tests of the rules play (tests/rules), played a second time by `fairshoe/web/verifier/games`.

The results are the same, or the question to the same seat; what their `HANDS` refuse is refused there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from fairshoe.engine.cards import Stack
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import Round
from fairshoe.engine.rules import RULES
from fairshoe.engine.table import POOL
from tests.hands import CHECK, decision, played_hand

from .readings import said


def form(played: Round, decisions: list[Decision]) -> dict[str, Any]:
    """A round as `support/plays.mjs` takes it: what a log has of it."""
    table, options = played.table, dict(played.rules.options)
    told = played.rules.name in ("chinese", "pontoon") and isinstance(played._source, Stack)  # by hands_bank.pack
    return {
        "game": played.rules.name,
        "options": options,
        "bets": [{"seat": bet.seat, "amount": bet.amount} for bet in played.bets],
        "chips": [[seat, chips] for seat, chips in table.purse.items() if seat > 0],
        "dealer": max(table.bank, 0),
        "pool": table.purse.get(POOL, 0),
        "cards": played.cards,
        "shoe": played.size if told else 52 * options["packs"],
        "decisions": [
            {"seat": each.actor, "move": each.move}
            | ({"amount": each.amount} if each.amount else {})
            | ({"chosen": each.chosen} if each.chosen else {})
            for each in decisions
        ],
    }


def outcome(played: Round) -> dict[str, Any]:
    if played.ask is None:
        return {"hands": [[hand.outcome, hand.net + hand.insurance, hand.short] for hand in played.hands]}
    return {"asked": [played.ask.actor, sorted(move.name for move in played.ask.moves)]}


def hands(game: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each line with its round, and what is to come of it."""
    rules = import_module(f"tests.rules.test_{game}")
    for line in rules.HANDS.strip().splitlines():
        played, rest = played_hand(rules.start, line)
        yield line, form(played, played.decisions), outcome(played)
        for sign, _, words in CHECK.findall(rest):
            for word in words.split() if sign == "!" else ():
                refused = form(played, [*played.decisions, decision(played, word)])
                yield f"{line}, {word} refused", refused, {"refused": len(played.decisions)}


def cases(test: Any) -> Iterator[dict[str, Any]]:
    """What a test is called with."""
    marks = [mark.args for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    for names, values in marks or [((), ((),))]:
        named = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        for value in values:
            yield dict(zip(named, (value,) if len(named) == 1 else value, strict=True))


def rounds(game: str, patch: pytest.MonkeyPatch) -> Iterator[Round]:
    """The rounds that a module's tests play, but for those with fixtures."""
    made: list[Round] = []
    begin = Round.__init__

    def noted(self: Round, *given: Any, **more: Any) -> None:
        begin(self, *given, **more)
        made.append(self)

    rules = import_module(f"tests.rules.test_{game}")
    with patch.context() as patched:
        patched.setattr(Round, "__init__", noted)
        for name, test in list(vars(rules).items()):
            for case in cases(test) if name.startswith("test_") and name != "test_hands" else ():
                if set(signature(test).parameters) == set(case):
                    test(**case)
    return (each for each in made if isinstance(each._source, Stack) and not each.position)


@pytest.mark.parametrize("game", sorted(RULES))
def test_rounds_by_the_rules(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = (
        (str(number), form(each, each.decisions), outcome(each))
        for number, each in enumerate(rounds(game, monkeypatch))
    )
    lines, forms, expected = zip(*hands(game), *more, strict=True)
    (tmp_path / "rounds.json").write_text(json.dumps(forms))
    found = list(said("plays.mjs", [tmp_path / "rounds.json"]))
    assert dict(zip(lines, found, strict=True)) == dict(zip(lines, expected, strict=True))
