"""Games of players who keep their receipts, and the house's log of them, written again as it likes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from audit_cli.verify.findings.report import Report
from audit_cli.verify.kinds.reveal import rebuild_order
from audit_cli.verify.registry import new_audit
from audit_cli.verify.walk.audit import Audit
from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.book import standing_bets
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import SEAT, TABLE, Ask, Decision
from fairshoe.engine.round import Round
from fairshoe.errors import FairshoeError, IllegalDecision
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.protocol.commitment import commitment_of
from fairshoe.receipts import receipt_name, vouching_note, write_receipt
from fairshoe.record.forms import decision_of
from fairshoe.record.rounds import round_entry
from tests.ceremony.walk import SIGNER, Walk

Entry = dict[str, Any]


class Played(NamedTuple):
    """A game's log, its house's key, the file of receipts of each player, the keys of its shoes by commitment."""

    lines: list[bytes]
    signer: Signer
    files: dict[str, str]
    keys: dict[str, bytes]

    @property
    def entries(self) -> list[Entry]:
        return [json.loads(line) for line in self.lines]

    def write(self, folder: Path, lines: list[bytes] | None = None) -> Path:
        """The log, or another one in its place, and the files; gives the log's folder."""
        write_log(folder / "log", self.lines if lines is None else lines, self.signer)
        for player, text in self.files.items():
            (folder / player).write_text(text)
        return folder / "log"


class Keeping(Walk):
    """Two players, or as many as there are chairs, who decide as they like; `keys` are those of its shoes."""

    def __init__(self, rules: str, rng: random.Random) -> None:
        self.keys: dict[str, bytes] = {}
        super().__init__(rules, rng, 0, seats=2)

    def apply(self, command: say.Command | None) -> list[Entry]:
        made = super().apply(command)
        self.keys |= {commitment_of(self.key): self.key} if self.key else {}
        return made

    def move_chips(self) -> None:
        """Out, in, and from one to another, where that may be."""
        last = max(self.state.table.players)
        for command in (say.CashOut(1, 30), say.BuyIn(last, 500), say.Transfer(1, 70, last)):
            with suppress(FairshoeError):
                self.do(command)


@cache
def played(rules: str, rounds: int = 5, seed: int = 1) -> Played:
    """A game in which chips move, and what its players keep of it."""
    walk = Keeping(rules, random.Random(f"{rules} {seed}"))
    walk.move_chips()
    while walk.state.book.rounds < rounds or walk.state.book.open_round is not None:
        walk.turn()
    walk.move_chips()
    game = Played([encode(entry) for entry in walk.log], SIGNER, {}, walk.keys)
    for (_, player), told in walk.receipts.items():
        game.files[player] = "".join(f"{json.dumps(note)}\n" for note in notes_saying(game, told))
    return game


def notes_saying(game: Played, told: list[Entry]) -> list[str]:
    """The house's word for the receipts' key, and receipts by which it says all this."""
    signer = Signer(receipt_name(game.signer.verifier.name), b"r" * 32)
    return [vouching_note(game.signer, signer.verifier), *(write_receipt(form, signer) for form in told)]


Change = Callable[[Entry], Entry]
Choose = Callable[[Ask], Decision]
Choices = dict[tuple[int, int], Choose]


def forms(game: Played) -> list[Entry]:
    """What all receipts of a game say."""
    notes = [json.loads(line) for text in game.files.values() for line in text.splitlines()[1:]]
    return [json.loads(note.split("\n")[1]) for note in notes]


def index_of(game: Played, **fields: Any) -> int:
    """The number of the first entry that says this."""
    return next(i for i, e in enumerate(game.entries) if all(e.get(name) == value for name, value in fields.items()))


def altered_decisions(game: Played) -> Iterator[tuple[Entry, int, Choices]]:
    """Each receipt of a decision in a round, the number of that round's entry, and another move in its place; it raises
    IllegalDecision where there is none."""

    def other_than(form: Entry) -> Choose:
        def another(ask: Ask) -> Decision:
            move = next((move for move in ask.moves if move.name != form["move"]), None)
            if move is None:
                raise IllegalDecision("nothing else may be chosen", where="decision")
            return Decision(ask.actor, move.name, move.low, move.among[: move.fewest])

        return another

    for form in forms(game):
        if form["do"] == "decision" and form["about"] == "round":
            entry = index_of(game, kind="round", shoe=form["shoe"], round=form["round"])
            yield form, entry, {(entry, form["step"]): other_than(form)}


def altered_bets(game: Played, unit: int) -> Iterator[tuple[Entry, int, Change]]:
    """Each receipt of bets that stand, the number of the round's `open`, and a change that makes them a unit more."""

    def more_than(form: Entry) -> Change:
        def more(logged: Entry) -> Entry:
            bets = [bet | {"amount": bet["amount"] + unit * (bet in form["bets"])} for bet in logged["bets"]]
            return logged | {"bets": bets}

        return more

    for form in forms(game):
        if form.get("state") == "stands" and form["bets"]:
            yield form, index_of(game, kind="open", shoe=form["shoe"], round=form["round"]), more_than(form)


def altered_seeds(game: Played) -> Iterator[tuple[Entry, int, int, dict[int, Change]]]:
    """Each receipt of a seed that was opened, the numbers of its `seeds` and `opened`, and the changes that put another
    seed, and its hash, in their place. A sole player sent no hash: both are the number of `opened`."""

    def of_another(player: str, fake: bytes) -> tuple[Change, Change]:
        def other_hash(logged: Entry) -> Entry:
            return logged | {"hashes": logged["hashes"] | {player: sha256(fake).hexdigest()}}

        def other_seed(logged: Entry) -> Entry:
            return logged | {"seed": fake.hex()}

        return other_hash, other_seed

    for form in forms(game):
        opened = [i for i, e in enumerate(game.entries) if e["kind"] == "opened" and e["seed"] == form.get("seed")]
        if form["do"] == "seed" and opened:
            other_hash, other_seed = of_another(form["player"], sha256(form["seed"].encode()).digest())
            hashed = [i for i, e in enumerate(game.entries) if (e["kind"], e.get("shoe")) == ("seeds", form["shoe"])]
            changes: dict[int, Change] = dict.fromkeys(hashed, other_hash)
            yield form, [*hashed, *opened][0], opened[0], changes | {opened[0]: other_seed}


def altered(game: Played, changes: dict[int, Change], choices: Choices | None = None) -> list[bytes] | None:
    """The same as `rewritten`, None where the rules refuse it."""
    try:
        return rewritten(game, changes, choices)
    except FairshoeError:
        return None


def rewritten(game: Played, changes: dict[int, Change], choices: Choices | None = None) -> list[bytes]:
    """The log with some entries changed and all that follows from it: cards, payouts, chips, draws. `choices` are
    other decisions, by entry and step. Raises whatever the rules refuse."""
    audit = new_audit(Report())
    lines: list[bytes] = []
    for index, entry in enumerate(game.entries):
        entry = changes.get(index, dict)(entry)
        if entry["kind"] == "seal":
            entry = _seal(game, audit, entry)
        elif entry["kind"] == "round":
            chosen = {step: choose for (i, step), choose in (choices or {}).items() if i == index}
            entry = _round(game, audit, entry, chosen)
        elif entry.get("leaves"):
            entry["amount"] = audit.tables[entry["table"]].book.table.purse[entry["seat"]]
        lines.append(_as_rebuilt(audit, entry))
    return lines


def _as_rebuilt(audit: Audit, entry: Entry) -> bytes:
    """Have the auditor take the entry as it says itself that it should be."""
    rebuilt = [entry]

    def compare(self: Audit, expected: Entry, *_: Any) -> bool:
        rebuilt.append(expected)
        return True

    with patch.object(Audit, "compare", compare):
        audit.take(encode(entry))
    return encode(rebuilt[-1])


def _key(game: Played, audit: Audit, entry: Entry) -> bytes:
    return game.keys[audit.shoes[entry["shoe"]].commitment]


def _seal(game: Played, audit: Audit, entry: Entry) -> Entry:
    """The burned card follows from key and seeds."""
    if "burn" in entry:
        entry["burn"] = rebuild_order(audit.shoes[entry["shoe"]], _key(game, audit, entry)).draw()
    return entry


def _round(game: Played, audit: Audit, entry: Entry, chosen: dict[int, Choose]) -> Entry:
    """The round with the cards that the key gives, and the decisions that were made as long as they can be."""
    shoe = audit.shoes[entry["shoe"]]
    assert shoe.book is not None
    assert shoe.book.open_round is not None
    sealed = rebuild_order(shoe, _key(game, audit, entry))
    for _ in range(shoe.book_shoe.position):
        sealed.draw_index()
    dealt = Round(shoe.book.table, ShoeCards(sealed), standing_bets(shoe.book, shoe.book_shoe, shoe.book.open_round))
    made = list(map(decision_of, entry["decisions"]))
    at = {step: form["at"] for step, form in enumerate(entry["decisions"]) if "at" in form}
    step = 0
    while dealt.ask is not None:
        if step in chosen:
            dealt.decide(chosen[step](dealt.ask))
        elif step < len(made) and dealt.ask.allows(made[step]):
            dealt.decide(made[step])
        else:
            dealt.decide(dealt.ask.default_decision()._replace(by=SEAT))
        step += 1
    moments = [at[step] for step, each in enumerate(dealt.decisions) if each.by == TABLE]
    return round_entry(entry["at"], shoe.id, shoe.book.open_round.number, dealt, moments)
