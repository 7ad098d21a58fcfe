"""Decisions that the table made for a seat before its time was up, or at a moment that cannot be; starts by the way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import count

from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules import rules_of
from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.record import entries as forms
from tests.house import POLICY, House, Seating

from ..planting import Entry, Planted, at_table, caught, dealt_at, fraud, log_open, sealed_at

GAMES = ["casino", "boxes"]
"""Where the limit runs from the `open`, and where it does from the `seal`."""


class Quiet(Seating):
    """Seats in `quiet` never decide; the others do what the table would."""

    quiet = frozenset(range(1, 8))

    def choose(self, ask: Ask) -> Decision:
        decision = ask.default_decision()
        return decision if ask.actor in self.quiet else decision._replace(by="seat")


SEATS = {"banker": [1], "casino": [1, 2], "boxes": [1, 2], "chinese": [2, 2, 2, 3, 3, 1]}
"""The chairs that the table decides for in one round."""
CHAIRS = {"chinese": (1, 2, 3), "pontoon": (1, 2, 3)}


@cache
def played(game: str) -> tuple[bytes, ...]:
    """A log up to the first round in which the table decides for just these chairs; in pontoon to a `bank`."""
    table = at_table(game, CHAIRS.get(game, (1, 2)[: rules_of(game).chairs[1]]), Quiet, seed=21)
    lines = table.house.lines
    if game == "pontoon":
        table.first_bank()
        table.settle_bank()
        return tuple(lines)
    shoe, sealed = sealed_at(table) if game == "casino" else (None, None)
    for number in count(len(lines)):
        while len(lines) <= number:
            if shoe is None or sealed is None:
                table.play(1)
            else:
                dealt_at(table, shoe, sealed)
        if [each["seat"] for each in json.loads(lines[number]).get("decisions", ())] == SEATS[game]:
            return tuple(lines[: number + 1])
    raise LookupError(game)


def moment(begun: int, seconds: float) -> str:
    return timestamp(begun + round(seconds * SECOND))


def decided(
    *seconds: float, game: str = "casino", at: float = 0, starts: Sequence[float] = (), tables: Sequence[str] = ()
) -> list[Entry]:
    """The table's decisions so many seconds after the limit of the first one began to run; the entry a second after the
    last, or `at`. Before it the service started, at these moments, and named these `tables`."""
    entries = [json.loads(line) for line in played(game)]
    last = entries.pop()
    begun = max(microseconds(each["at"]) for each in entries if each["kind"] in ("open", "seal", "round", "bank"))
    if game == "pontoon":
        begun = microseconds(next(each["at"] for each in entries if each["kind"] == "bank"))
    for each, made in zip(last["decisions"], seconds, strict=True):
        each["at"] = moment(begun, made)
    last["at"] = moment(begun, at or max(seconds) + 1)
    return [*entries, *(forms.entry("start", moment(begun, each), {"tables": list(tables)}) for each in starts), last]


def found(entries: list[Entry], number: int = 0) -> Planted:
    """At one of the decisions."""
    field, at = f"decisions[{number}].at", entries[-1]["decisions"][number]["at"]
    return caught(entries, field=field, found=at)


# Too early.


@fraud("limit-early", each=GAMES)
def a_decision_by_the_table_before_its_limit(game: str) -> Planted:
    return found(decided(29.999999, 60, game=game))


@fraud("limit-early", each=GAMES)
def a_second_decision_before_its_limit(game: str) -> Planted:
    """It runs from the first one, however late that came."""
    return found(decided(40, 69.999999, game=game), 1)


@fraud("limit-early")
def a_bank_decided_by_the_table_before_its_limit() -> Planted:
    """It runs from what brought the bank in question, not from what came later."""
    return found(decided(29.999999, game="pontoon"))


@fraud("limit-early", each=[2, 15, 29.9])
def a_decision_sooner_than_the_limit_after_a_start(start: float) -> Planted:
    """Who could not decide while the service was down has the whole time when it is up again."""
    return found(decided(30, 60, at=61, starts=[start]))


@fraud("limit-early")
def a_decision_sooner_than_the_limit_after_the_second_start() -> Planted:
    return found(decided(45, 80, starts=[5, 16]))


@fraud("limit-early", each=[31, 50, 59.9])
def a_second_decision_sooner_than_the_limit_after_a_start(start: float) -> Planted:
    return found(decided(30, 60, at=61, starts=[start]), 1)


@fraud("limit-early")
def a_bank_decided_sooner_than_the_limit_after_a_start() -> Planted:
    return found(decided(30, game="pontoon", starts=[15]))


@fraud("limit-early", each=["after both", "between them"])
def a_start_between_two_decisions_that_leaves_no_time_for_them(claim: str) -> Planted:
    """The first came before it or after it: either way the one or the other is too early."""
    first = 55 if claim == "after both" else 30
    return found(decided(first, 61, starts=[50]), 0 if claim == "after both" else 1)


@fraud("limit-early", each=["there", "there too"])
def a_start_at_this_table_ignored(where: str) -> Planted:
    tables = ["casino"] if where == "there" else ["casino", "another"]
    entries = decided(30, 60, starts=[10], tables=tables)
    if where != "there":
        entries.insert(1, entries[0] | {"table": "another", "at": timestamp(microseconds(entries[0]["at"]) + 1)})
    return found(entries)


@fraud("limit-early", each=["the second", "another's"])
def a_limit_not_waited_for_beside_those_that_need_no_wait(whose: str) -> Planted:
    """The third in a row of a chair comes at once: nobody waits for it any more. The second does not."""
    if whose == "the second":
        return found(decided(30, 59, 59, 89, 119, 149, game="chinese"), 1)
    return found(decided(30, 60, 60, 89, 120, 150, game="chinese"), 3)


# At moments that cannot be.


@fraud("time-order", each=["round", "bank"])
def a_decision_after_its_entry(kind: str) -> Planted:
    if kind == "bank":
        return found(decided(45, game="pontoon", at=40))
    return found(decided(30, 75, at=70), 1)


@fraud("time-order", each=[*GAMES, "pontoon"])
def a_decision_before_anybody_could_make_it(game: str) -> Planted:
    """Before the bets stood, or the order; before the bank was in question."""
    return found(decided(*([-0.1] if game == "pontoon" else [-0.1, 60]), game=game, at=61))


@fraud("time-order")
def decisions_in_another_order_than_their_moments() -> Planted:
    return found(decided(60, 30), 1)


# Starts of other tables.


@fraud("table-unknown", each=["nobody's", "opened later"])
def a_start_at_a_table_that_there_is_none(which: str) -> Planted:
    table = at_table()
    table.house.log(forms.entry("start", table.house.at(), tables=["casino", "another"]))
    index = len(table.house.lines) - 1
    if which == "opened later":
        Seating(table.house, "another", "boxes", ())
    return caught(table.house, index, table="another", found="another")


@fraud("field-invalid")
def a_start_that_names_a_table_twice() -> Planted:
    table = at_table()
    table.house.log(forms.entry("start", table.house.at(), tables=["casino", "casino"]))
    return caught(table.house, field="tables")


LIMITS = {"hash": "boxes", "seed": "boxes", "idle": "boxes", "bet": "casino"}
"""What the limit that ran decides, and a game in which it does."""


def restarted(limit: str, *tables: str) -> House:
    """A service that started when half a limit was over, at these tables, and takes it to be over in its time."""
    table = at_table(LIMITS[limit])
    house, name = table.house, table.name
    Seating(house, "other", "boxes", ())
    if limit == "bet":
        shoe, _ = sealed_at(table)
    else:
        shoe = table.prepare() if limit == "seed" else table.commit()
    if limit == "seed":
        log_open(table, shoe, table.offers([1, 2]))
    seconds = POLICY["hash" if limit == "idle" else limit]
    house.now += seconds * SECOND // 2
    house.log(forms.entry("start", house.at(), {"tables": list(tables)}))
    house.now += seconds * SECOND // 2
    if limit == "bet":
        log_open(table, shoe, table.offers([1]), late=(2,))
    elif limit == "seed":
        table.lapse(shoe, f"{name}-p2")
    elif limit == "hash":
        house.log(forms.seeds_entry(house.at(), shoe.id, {f"{name}-p1": "ab" * 32}, unheard=[f"{name}-p2"]))
    else:
        table.void(shoe, "idle")
    return house


@fraud("limit-early", each=LIMITS)
def a_limit_that_a_start_at_all_tables_began_anew(limit: str) -> Planted:
    return caught(restarted(limit), field="at")


@fraud("limit-early", each=LIMITS)
def a_limit_that_a_start_at_this_table_began_anew(limit: str) -> Planted:
    return caught(restarted(limit, "other", LIMITS[limit]), field="at")
