"""Proofs of hands that were changed, by anybody or by a house that signs anew, with the steps where that must show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from fairshoe.cards import PACK
from fairshoe.log.canonical import encode
from fairshoe.record.hand_entries import entries_for
from tests.audit.proofs import GAMES, ROUND, file_of, played, proven

Form = dict[str, Any]


class Mutation(NamedTuple):
    """`steps`: those of which one fails, and no step before it; none where nobody can say, since it may be another
    house's."""

    name: str
    proof: bytes
    steps: tuple[str, ...]


def mutations() -> Iterator[Mutation]:
    """Every change of every game's hand."""
    for rules in GAMES:
        for name, proof, steps in (*_by_anybody(rules), *_by_the_house(rules)):
            yield Mutation(f"{rules}: {name}", proof, steps)


# By anybody: the file is changed, and the house's signature is what it was.


def _by_anybody(rules: str) -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    data = proven(rules)
    form: Form = json.loads(data)
    for number, entry in enumerate(form["entries"]):
        kind = json.loads(entry["line"])["kind"]
        yield f"{kind} has another time", _with(data, _later, number), ("inclusion",)
        yield f"{kind} has another path", _with(data, _other_path, number), ("inclusion",)
    for name, change in (
        ("another tree head", _other_root),
        ("another size", _other_size),
        ("another signature", _other_signature),
    ):
        yield name, _with(data, change, 0), ("signature",)
    yield "another log's name", _with(data, _other_name, 0), ()
    yield "a space more", data.replace(b'{"checkpoint":', b'{ "checkpoint":'), ("form",)
    yield "another version", data.replace(b'"v":1}\n', b'"v":2}\n'), ()
    yield (
        "another round",
        data.replace(f'"round":"{rules}#{ROUND}"'.encode(), f'"round":"{rules}#99"'.encode()),
        ("form",),
    )


def _with(data: bytes, change: Callable[[Form, int], None], number: int) -> bytes:
    form: Form = json.loads(data)
    change(form, number)
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _later(form: Form, number: int) -> None:
    entry = form["entries"][number]
    line = json.loads(entry["line"])
    line["at"] = line["at"][:-2] + ("1" if line["at"][-2] != "1" else "2") + "Z"
    entry["line"] = encode(line).decode()


def _other_path(form: Form, number: int) -> None:
    path = form["entries"][number]["path"]
    path[-1] = ("A" if path[-1][0] != "A" else "B") + path[-1][1:]


def _other_round(form: Form, _: int) -> None:
    form["round"] = form["round"].replace(f"#{ROUND}", "#99")


def _note(form: Form, line: int, change: Callable[[str], str]) -> None:
    lines = form["checkpoint"].split("\n")
    lines[line] = change(lines[line])
    form["checkpoint"] = "\n".join(lines)


def _other_root(form: Form, _: int) -> None:
    _note(form, 2, lambda root: ("A" if root[0] != "A" else "B") + root[1:])


def _other_size(form: Form, _: int) -> None:
    _note(form, 1, lambda size: str(int(size) + 1))


def _other_signature(form: Form, _: int) -> None:
    _note(form, 4, lambda line: line[:-9] + ("A" if line[-9] != "A" else "B") + line[-8:])


def _other_name(form: Form, _: int) -> None:
    form["checkpoint"] = form["checkpoint"].replace("fairshoe.test/log", "fairshoe.test/other")


# By the house: an entry is changed, and everything is signed as if nothing were.


def _by_the_house(rules: str) -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    """A sole player sent no hash: another seed of theirs is seen by the cards."""
    chosen = list(entries_for(played(rules), f"{rules}#{ROUND}"))
    hashed = any(b'"kind":"seeds"' in line for _, line in chosen)
    for number, (_, line) in enumerate(chosen):
        entry: Form = json.loads(line)
        for name, change, steps in CHANGES.get(entry["kind"], ()):
            other: Form = json.loads(line)
            change(other)
            if other == entry:
                continue
            lines = [encode(other) if place == number else each for place, (_, each) in enumerate(chosen)]
            steps = ("shuffle",) if entry["kind"] == "opened" and not hashed else steps
            yield f"{entry['kind']}: {name}", file_of(lines, f"{rules}#{ROUND}", enumerate(lines)), steps


def _another(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _commitment(shoe: Form) -> None:
    shoe["commitment"] = _another(shoe["commitment"])


def _key(reveal: Form) -> None:
    reveal["key"] = _another(reveal["key"])


def _seed(opened: Form) -> None:
    opened["seed"] = _another(opened["seed"])


def _hash(seeds: Form) -> None:
    player = min(seeds["hashes"])
    seeds["hashes"][player] = _another(player)


def _card(round: Form, place: int) -> None:
    before = round["cards"][place]
    round["cards"][place] = next(card for card in PACK if card[1] != before[1] and card[0] == before[0])


def _swapped(round: Form) -> None:
    first, other = 0, next(place for place, card in enumerate(round["cards"]) if card != round["cards"][0])
    cards = round["cards"]
    cards[first], cards[other] = cards[other], cards[first]


def _position(round: Form) -> None:
    round["pos"] += 1


def _total(round: Form) -> None:
    round["hands"][0]["total"] += 1


def _dealers_total(round: Form) -> None:
    if "total" in round.get("dealer", {}):
        round["dealer"]["total"] += 1


def _outcome(round: Form) -> None:
    hand = round["hands"][-1]
    hand["outcome"] = "push" if hand["outcome"] != "push" else "lose"


def _net(round: Form) -> None:
    round["hands"][-1]["net"] += 10


def _account(round: Form) -> None:
    del round["chips"][min(round["chips"])]


def _decision(round: Form) -> None:
    if round["decisions"]:
        round["decisions"].pop()


def _illegal(round: Form) -> None:
    for decision in round["decisions"][:1]:
        decision["move"] = "agree"


def _draw(reveal: Form) -> None:
    for name in list(reveal.get("draws", {}))[:1]:
        reveal["draws"][name] ^= 1


CHANGES: dict[str, tuple[tuple[str, Callable[[Form], None], tuple[str, ...]], ...]] = {
    "shoe": (("another commitment", _commitment, ("commitment",)),),
    "seeds": (("another hash", _hash, ("seeds",)),),
    "opened": (("another seed", _seed, ("seeds",)),),
    "round": (
        ("the first card has another suit", lambda round: _card(round, 0), ("shuffle",)),
        ("the last card has another suit", lambda round: _card(round, -1), ("shuffle",)),
        ("two cards are exchanged", _swapped, ("shuffle",)),
        ("it begins a card later", _position, ("shuffle",)),
        ("a decision is missing", _decision, ("decisions",)),
        ("a decision that nobody may make", _illegal, ("decisions",)),
        ("the dealer counts one more", _dealers_total, ("dealer",)),
        ("a hand counts one more", _total, ("totals",)),
        ("another outcome", _outcome, ("outcome",)),
        ("ten more won", _net, ("payout",)),
        ("an account is missing", _account, ("chips",)),
    ),
    "reveal": (("another key", _key, ("commitment",)), ("another draw", _draw, ("shuffle",))),
}
