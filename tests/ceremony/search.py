"""Every state that a table can get into, breadth first: from each of them every player gets out by themselves.

Commands and limits are the edges. A state is reduced to what the ceremony looks at: not to times, numbers,
chips and cards, of which one representative each is followed.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import apply, create
from fairshoe.ceremony.acting.phase import deadlines, due, phase
from fairshoe.ceremony.acting.playing import bank_question, rebuild_round
from fairshoe.ceremony.acting.state import Keys, State
from fairshoe.ceremony.acting.view import expects
from fairshoe.ceremony.policy import Policy
from fairshoe.engine.rules import rules_of
from fairshoe.errors import FairshoeError
from fairshoe.log.times import SECOND

START = 1_800_000_000 * SECOND
CHIPS = {"lounge": 10_000}
STEPS_OUT = 120
"""In so many limits anybody is out."""


@dataclass
class Node:
    """A state at a moment, with the live shoe's key and how it was reached."""

    state: State
    now: int
    key: bytes
    path: tuple[str, ...]

    def step(self, command: say.Command | None) -> Node:
        """After a command; None: after the next limit. Raises FairshoeError."""
        now = self.now + SECOND
        if command is None:
            moment = due(self.state, self.now)
            now = now if moment is None else moment
        made = apply(self.state, command, now, Keys(lambda: self.key, fresh(self.state)))
        name = "limit" if command is None else str(command)
        return Node(made.state, now + len(made.entries), made.key or self.key, (*self.path, name))

    def seed(self, seat: int, shoe: str) -> bytes:
        return f"{self.state.table.players[seat]} {shoe}".encode()

    def commands(self) -> Iterator[say.Command]:
        """What anybody may say that changes anything, one of each kind."""
        state = self.state
        for seat in sorted(state.table.players):
            yield say.CashOut(seat, None, leave=True)
            yield from self.own(seat)
        for seat in range(1, min(3, state.rules.chairs[1]) + 1):
            if seat not in state.table.players:
                for name in ("a", "b"):
                    yield say.TakeSeat(f"{name}{seat}", chips(state), seat)
                break
        if not state.book.closed_at:
            yield say.Close()

    def own(self, seat: int) -> Iterator[say.Command]:
        state = self.state
        found = rebuild_round(state, self.key)
        for form in list(expects(state, seat, found[0] if found else None, self.now)):
            shoe = form.get("shoe", "")
            match form["do"]:
                case "shoe":
                    yield say.AskShoe(seat)
                case "hash":
                    cut = form["cut"][0] if "cut" in form else None
                    yield say.GiveHash(seat, hashlib.sha256(self.seed(seat, shoe)).hexdigest(), cut)
                case "seed":
                    yield say.GiveSeed(seat, self.seed(seat, shoe).hex())
                case "waiver":
                    yield say.Waive(seat)
                case "bets":
                    yield say.PlaceBets(seat, form["round"], (say.Stake(form["low"]),))
                    yield say.PlaceBets(seat, form["round"], ())
                case "reshuffle":
                    yield say.AskReshuffle(seat)
                case "decisions":
                    move = form["default"]
                    chosen = tuple(move.get("chosen", ()))
                    yield say.Decide(seat, form["round"], form["step"], move["move"], move.get("amount", 0), chosen)


def chips(state: State) -> int:
    return CHIPS.get(state.rules.name, 1_000_000)


def fresh(state: State) -> bytes:
    """A key that depends on the number of the shoe only, so that a search repeats."""
    return hashlib.sha256(f"{state.rules.name} {state.book.shoes}".encode()).digest()


def reduced(node: Node) -> Any:
    """What tells two states apart."""
    state, book, shoe = node.state, node.state.book, node.state.shoe
    order = sorted(book.chairs, key=lambda seat: book.chairs[seat].order_time)
    chairs = tuple((seat, book.chairs[seat].player, state.is_absent(seat)) for seat in order)
    debts = tuple(sorted((player, debt.is_paid) for player, debt in book.debts.items()))
    asked = bank_question(state).ask.actor if state.bank_decisions is not None else None  # type: ignore[union-attr]
    common = (
        chairs,
        debts,
        tuple(sorted((player, min(n, 2)) for player, n in book.lapses.items())),
        tuple(sorted(book.reshuffle_requests)),
        book.table.bank,
        bool(book.closed_at),
        state.shoe_requested,
        asked,
        phase(state),
        tuple(sorted(name for name, _ in deadlines(state))),
        tuple(sorted((seat, bool(bets)) for seat, bets in state.bets.items())),
        book.open_round is not None,
    )
    if shoe is None:
        return common
    return (
        *common,
        tuple(shoe.roster),
        shoe.alone,
        shoe.purpose,
        tuple(sorted(state.hashes)),
        tuple(sorted(shoe.hashes)),
        tuple(sorted(shoe.opened)),
        tuple(sorted(shoe.struck)),
        bool(shoe.sealed),
        tuple(sorted(state.waivers)),
        tuple(sorted(shoe.waived)),
        bool(shoe.rounds),
    )


def search(rules: str, chairs: int, most: int) -> Iterator[Node]:
    """States of a table at which `chairs` players sat down first, each once, at most so many."""
    made = create("t", rules_of(rules), Policy(), START)
    start = Node(made.state, START + 1, b"", ())
    for seat in range(1, chairs + 1):
        start = start.step(say.TakeSeat(f"a{seat}", chips(start.state), seat))
    seen = {reduced(start)}
    queue = deque([start])
    while queue and len(seen) <= most:
        node = queue.popleft()
        yield node
        for command in (None, *node.commands()):
            try:
                after = node.step(command)
            except FairshoeError:
                continue
            mark = reduced(after)
            if mark not in seen:
                seen.add(mark)
                queue.append(after)
    yield from queue


def way_out(node: Node, seat: int) -> int:
    """After how many limits the chair is left, where nobody else says anything any more; -1: never."""
    player = node.state.table.players[seat]
    for steps in range(STEPS_OUT):
        while True:
            if node.state.table.players.get(seat) != player:
                return steps
            for command in (say.CashOut(seat, None, leave=True), *urgent(node, seat)):
                try:
                    node = node.step(command)
                    break
                except FairshoeError:
                    continue
            else:
                break
        node = node.step(None)
    return -1


def urgent(node: Node, seat: int) -> Iterator[say.Command]:
    """What the chair owes to the others: its seed."""
    for command in node.own(seat):
        if isinstance(command, say.GiveSeed):
            yield command


# Tables that have come as far as a test wants them: every hash is given, or every seed is open, and nobody has bet.


def hashed(node: Node) -> Node:
    """Every chair has sent its hash, and whoever cuts has cut."""
    for seat, player in node.state.table.players.items():
        given = next(command for command in node.own(seat) if isinstance(command, say.GiveHash))
        shoe = node.state.shoe
        node = node.step(given._replace(cut=9 if shoe is not None and shoe.cutter == player else None))
    return node


def sealed(node: Node) -> Node:
    """Every seed is open too."""
    node = hashed(node)
    while node.state.shoe is not None and not node.state.shoe.sealed:
        own = [command for seat in node.state.table.players for command in node.own(seat)]
        node = node.step(next(command for command in own if isinstance(command, say.GiveSeed)))
    return node
