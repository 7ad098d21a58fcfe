"""Frauds told as the steps of a table: `play("boxes 123", "prepare, open, opened 1")`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairshoe.engine.table import Bet
from fairshoe.log.times import SECOND
from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries as forms
from tests.house import POLICY, House, Prepared, Seating, find_chairs

from .planting import Entry, Plant, Planted, at_table, caught, dealt_at, entries_in, log_open, meanwhile

SEED = b"as the house likes it"


def play(
    about: str, steps: str, index: int = -1, *, put: Entry | None = None, kind: type[Seating] = Seating, **wanted: Any
) -> Plant:
    """Plant by these steps at a table; what must be found is at the entry `index`, see `caught`. `put`: fields that the
    last entry has instead, or has not."""
    if put is None:
        return lambda: at(about, steps, kind).caught(index, **wanted)
    return lambda: at(about, steps, kind).changed(lambda entry: _put(entry, put), **wanted)


def _put(entry: Entry, fields: Entry) -> None:
    for name, value in fields.items():
        entry.pop(name, None)
        if value is not None:
            entry[name] = value


def at(about: str = "casino", steps: str = "", kind: type[Seating] = Seating) -> Play:
    """A table `RULES [SEATS] [OPTION=NUMBER]…` at which these steps were taken."""
    rules, *rest = about.split()
    options: dict[str, Any] = {
        name: int(value) for name, _, value in (one.partition("=") for one in rest if "=" in one)
    }
    seats = next((tuple(map(int, one)) for one in rest if "=" not in one), find_chairs(rules))
    return Play(at_table(rules, seats, kind, **options)).do(steps)


class Play:
    """A table, its present shoe, and the bets that stand. A step is a method's name and what it takes: chairs by their
    number, players by their chair's number or their name. What it lacks the table has."""

    shoe: Prepared
    sealed_shoe: Sealed

    def __init__(self, table: Seating) -> None:
        self.table = table
        self.house: House = table.house
        self.bets: list[Bet] = []

    def do(self, steps: str) -> Play:
        for step in filter(None, steps.split(", ")):
            verb, *rest = step.split()
            named = {name: value for name, _, value in (one.partition("=") for one in rest if "=" in one)}
            given = [int(one) if one.isdigit() else one for one in rest if "=" not in one]
            name = verb.replace("-", "_")
            getattr(self if hasattr(self, name) else self.table, name)(*given, **named)
        return self

    def caught(self, index: int = -1, **wanted: Any) -> Planted:
        return caught(self.house, index, **wanted)

    def changed(self, change: Callable[[Entry], Any], **wanted: Any) -> Planted:
        """With another last entry."""
        entries = entries_in(self.house)
        change(entries[-1])
        return caught(entries, **wanted)

    def log(self, kind: str, *about: Any, **more: Any) -> Play:
        """An entry about the present shoe, whatever the table thinks of it."""
        self.house.log(getattr(forms, f"{kind}_entry")(self.house.at(), self.shoe.id, *about, **more))
        return self

    def show_key(self) -> None:
        self.log("reveal", self.shoe.key.hex(), {}, 0, "worn")

    def who(self, who: str | int) -> str:
        return f"{self.table.name}-p{who}" if isinstance(who, int) else who

    # The shoe.

    def commit(self, purpose: str | None = None) -> None:
        self.shoe = self.table.commit(purpose)

    def ahead(self) -> None:
        """Another shoe is committed to beside the present one."""
        self.table.commit()

    def hash(self) -> None:
        self.table.hash(self.shoe)

    def prepare(self) -> None:
        self.shoe = self.table.prepare()

    def open(self) -> None:
        betting = self.table.open(self.shoe)
        self.bets = [] if betting is None else list(betting.bets)

    def opened(self, who: str | int) -> None:
        self.table.opened(self.shoe, self.who(who))

    def seeds(self) -> None:
        self.table.open_seeds(self.shoe, self.bets)

    def lapse(self, who: int, kept: str = "") -> None:
        """`kept`: the house still has the seed."""
        seed = self.shoe.seeds[self.who(who)]
        self.table.lapse(self.shoe, self.who(who))
        if kept:
            self.shoe.seeds[self.who(who)] = seed

    def seal(self) -> None:
        self.sealed_shoe = self.table.seal(self.shoe)

    def sealed(self) -> None:
        """A shoe of many rounds up to its seal."""
        self.bets = []
        self.prepare()
        self.seeds()
        self.seal()

    def round(self) -> None:
        self.table.round(self.shoe, self.sealed_shoe, self.bets)

    def deal(self, rounds: int = 1) -> None:
        dealt_at(self.table, self.shoe, self.sealed_shoe, rounds)

    def reveal(self, why: str) -> None:
        self.table.reveal(self.shoe, self.sealed_shoe, why)

    def void(self, why: str, by: str | int | None = None, number: int | None = None) -> None:
        self.table.void(self.shoe, why, None if by is None or by == "-" else self.who(by), number)

    def reshuffle(self, by: str | int) -> None:
        self.table.asked_reshuffle(None if by == "-" else self.who(by))  # type: ignore[arg-type]

    def bet(self, *seats: int, **named: str) -> None:
        """Offers of these chairs stand, whatever the table thinks of them; other chairs are `late=2`, `passed=13`."""
        others = {name: tuple(map(int, chairs)) for name, chairs in named.items()}
        self.bets = self.table.offers(list(seats))
        log_open(self.table, self.shoe, self.bets, **others)

    def bet_of(self, *amounts: str, **named: str) -> None:
        """The same of bets `CHAIR:AMOUNT`, and `uncovered` ones."""
        self.bets = list(map(_bet, amounts))
        others: dict[str, tuple[Any, ...]] = {
            name: (_bet(given),) if name == "uncovered" else tuple(map(int, given)) for name, given in named.items()
        }
        log_open(self.table, self.shoe, self.bets, **others)

    def bet_again(self) -> None:
        log_open(self.table, self.shoe, self.bets)

    def drop(self, seat: int) -> None:
        """The bets of a chair do not stand any more."""
        self.bets = [bet for bet in self.bets if bet.seat != seat]

    def swap(self, who: str | int) -> None:
        """Another seed than was hashed."""
        self.shoe.seeds[self.who(who)] = SEED

    def forget(self, who: int) -> None:
        del self.shoe.seeds[self.who(who)]

    # The table.

    def buy_in(self, seat: int, amount: int, **more: Any) -> None:
        self.table.chips("buy-in", seat, amount, **more)

    def keep(self, seat: int, chips: int) -> None:
        """A chair's chips but for so many leave the table."""
        self.table.chips("cash-out", seat, self.table.table.purse[seat] - chips)

    def cash_out(self, seat: int, amount: int, **more: Any) -> None:
        self.table.chips("cash-out", seat, amount, **more)

    def give(self, seat: int, amount: int, to: int) -> None:
        self.table.chips("transfer", seat, amount, to=to)

    def refund(self, seat: int) -> None:
        self.table.chips("refund", seat, 10_000, player=self.who(seat), game=1, why="round")

    def unopened(self) -> None:
        """Player 1, who sits longest, makes a shoe void."""
        assert self.table.unopened_seed() == self.who(1)

    def keeping(self, who: int) -> None:
        """Who owes a seed does not hand it in."""
        self.table.keeping = {self.who(who)}

    def forgiven(self) -> None:
        self.table.owing.clear()

    def hand_in(self, who: int) -> None:
        self.table.hand_in(self.who(who))

    def silent(self, *seats: int) -> None:
        self.table.silent = set(map(self.who, seats))

    def lapsing(self, *seats: int) -> None:
        self.table.lapsing = set(map(self.who, seats))

    def away(self, *seats: int) -> None:
        """Who is left out of the next rosters as away."""
        self.table.away = lambda: list(seats)  # type: ignore[method-assign]

    def claim(self, **reasons: str) -> None:
        """A commitment that gives these reasons for chairs that it leaves out, those in `away` rightly or not."""
        given = {reason: list(map(int, seats)) for reason, seats in reasons.items()}
        self.away(*given.get("away", []))
        self.table.left_out = lambda roster: given  # type: ignore[method-assign]
        self.commit()

    def roster(self, *seats: str | int) -> None:
        """The next rosters, whoever sits there."""
        names = list(map(self.who, seats))
        self.table.roster = lambda away=(): names  # type: ignore[method-assign]

    # Time.

    def wait(self, limit: str, since: str = "now") -> None:
        """A limit of the table is over that began with a step of the shoe, or now."""
        self.house.wait(POLICY[limit], self.house.now if since == "now" else getattr(self.shoe, since))

    def until(self, moment: str, seconds: int) -> None:
        """So long after a step of the shoe."""
        self.house.now = getattr(self.shoe, moment) + seconds * SECOND

    def start(self) -> None:
        self.house.start()

    def later(self, seconds: int) -> None:
        self.house.now += seconds * SECOND

    def meanwhile(self, seconds: int, starts: str = "") -> None:
        meanwhile(self.house, seconds, starts=bool(starts))


def _bet(text: str) -> Bet:
    seat, amount = map(int, text.split(":"))
    return Bet(seat, amount, seat)
