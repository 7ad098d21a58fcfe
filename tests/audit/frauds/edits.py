"""Single fields and entries changed in an honest log; entries of another form than the format has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit_cli.verify.findings.finding import FALSE_RESULT, RESULT_CODES
from fairshoe.record import entries as forms
from tests.house import Seating

from ..planting import Entry, Plant, Planted, after, caught, crooked, entries_of, fraud, inserted, places, planted
from ..play import play

Change = Callable[[Entry], Any]
Where = Callable[[Entry], Any]


def edit(game: str, kind: str, change: Change, where: Where = bool, *, last: bool = False, **wanted: Any) -> Plant:
    """An honest log in which the first entry of a kind, of those `where` that is so, is changed; `last`: none follows
    it."""

    def plant() -> Planted:
        entries = entries_of(game)
        index = next(i for i in places(entries, kind) if where(entries[i]))
        change(entries[index])
        return caught(entries[: index + 1] if last else entries, index, **wanted)

    return plant


def put(name: str, value: Any) -> Plant:
    """In the first entry `KIND.FIELD` that has not this field."""
    kind, _, field = name.partition(".")
    new = {field: value}
    return edit("everything", kind, lambda e: e.update(new), lambda e: field not in e, field=field, found=value)


ROUNDS: dict[str, tuple[str, Change, str]] = {
    "a total": ("total-differs", lambda e: e["hands"][0].update(total=30), "hands[0].total"),
    "the dealer's total": ("dealer-total-differs", lambda e: e["dealer"].update(total=30), "dealer.total"),
    "an outcome": ("outcome-differs", lambda e: e["hands"][0].update(outcome="surrender"), "hands[0].outcome"),
    "a bet": ("bet-differs", lambda e: e["hands"][0].update(bet=500), "hands[0].bet"),
    "a hand dropped": ("hands-differ", lambda e: e["hands"].pop(), "hands"),
    "cards of two hands": ("hand-cards-differ", lambda e: e["hands"][0]["cards"].reverse(), "hands[0].cards[0]"),
    "a decision more": ("decision-extra", lambda e: e["decisions"].append({"move": "stand", "seat": 2}), "decision"),
}
for name, (code, change, field) in ROUNDS.items():
    cause = FALSE_RESULT if code in RESULT_CODES else ""
    two = edit("casino", "round", change, lambda e: len(e["hands"]) == 2, field=field, cause=cause)
    planted({code: {f"a round changed: {name}": two}})
HIT = {"move": "hit", "seat": 1}
EMPTY = {
    "shoe": ["owes", "waits", "away", "paid"],
    "seeds": ["unheard"],
    "open": ["waived", "passed", "late", "uncovered", "unfunded"],
    "round": ["reshuffled"],
    "bank": ["decisions", "cards"],
    "start": ["lost", "tables"],
}
EMPTY_OBJECTS = {
    "shoe": ["memory", "policy", "beacon"],
    "seeds": ["cut"],
    "opened": ["cut"],
    "bank": ["chips"],
    "seal": ["beacon"],
}
NO_FIELDS = {
    "table.digest": "ab" * 32,
    "seal.seeds": {"ann": "ab"},
    "seal.cut": {"at": 7},
    "shoe.later": 1,
    "start.note": 1,
}
"""Fields that no kind lists, as an earlier form of the log had some."""
NAMES = ["", "x" * 65, "Eve\n", "Eve\x1b[2J", "\x85", 7]
"""Control characters would let a name forge lines of a report."""
VERSIONS = [0, -1, "1", "", None, True, [1], {}]
SOLD = {"where": lambda e: e["why"] == "sale", "last": True}


def refused(entry: Entry) -> None:
    del entry["decisions"][1]["amount"]
    entry["decisions"][1]["move"] = "refuse"


def by_the_table(entry: Entry) -> None:
    entry["decisions"][entry["decisions"].index(HIT)] = HIT | {"at": entry["at"], "by": "table"}


def cut_short(entry: Entry) -> None:
    del entry["cards"][3:]


def renamed(entry: Entry) -> None:
    entry["cards"][0] = "1x"


planted(
    {
        "card-unknown card-differs": {"a card that no deck has": edit("casino", "round", renamed, field="cards")},
        "cards-extra": {
            "one card too many": edit("banker", "round", lambda e: e["cards"].append("5d"), last=True, field="cards")
        },
        "cards-missing": {
            "cards dropped from the middle of a round": edit(
                "casino", "round", cut_short, lambda e: len(e["decisions"]) > 3, last=True, field="cards", found=3
            )
        },
        "decision-illegal limit-early": {
            "a decision by the table that is not its default": edit(
                "casino", "round", by_the_table, lambda e: HIT in e["decisions"], field="decision"
            )
        },
        "decision-missing": {
            "a bank sold without consent": edit(
                "everything", "bank", lambda e: e["decisions"].pop(), field="decisions", **SOLD
            )
        },
        "bank-differs": {
            "a bank sold to somebody who refused": edit(
                "everything", "bank", refused, field="why", expected="change", found="sale", **SOLD
            )
        },
        # Today's options all stand, also at their default.
        "options-differ": {
            "an option left out": edit("casino", "table", lambda e: e["options"].pop("insert"), field="options.insert")
        },
        "options-invalid": {
            "an option that does not exist": edit(
                "casino", "table", lambda e: e["options"].update(luck=1), last=True, field="options.luck"
            )
        },
        "field-invalid": {
            **{
                f"a name that cannot be written: {name}": play(
                    "casino", "buy-in 3 100 name=Eve", put={"name": name}, field="name", found=name
                )
                for name in NAMES
            },
            "a name without a buy in": play("casino", "cash-out 2 100 name=Eve", field="name", found="Eve"),
            # What says nothing is left out: of one thing there is one way to write it.
            **{
                f"a list that is empty: {kind}.{name}": put(f"{kind}.{name}", [])
                for kind, names in EMPTY.items()
                for name in names
            },
            **{
                f"an object that is empty: {kind}.{name}": put(f"{kind}.{name}", {})
                for kind, names in EMPTY_OBJECTS.items()
                for name in names
            },
            **{f"a field that no kind lists: {name}": put(name, value) for name, value in NO_FIELDS.items()},
            "a rule set that there is not": edit(
                "casino", "table", lambda e: e.update(rules="poker"), last=True, field="rules", found="poker"
            ),
            **{
                f"a delay of {delay} seconds until a beacon": edit(
                    "casino", "table", lambda e, d=delay: e.update(beacon_delay=d, v=2), last=True, field="beacon_delay"
                )
                for delay in (4, 3601)
            },
            "a bet of nothing": edit(
                "casino", "open", lambda e: e["bets"].append({"amount": 0, "seat": 1}), last=True, field="bets"
            ),
            "a log that goes on from no checkpoint": put("start.continues", "a log"),
        },
    }
)


@fraud("field-invalid", each=VERSIONS)
def a_version_that_is_none(version: Any) -> Planted:
    """It is an integer from 1."""
    entries = entries_of("casino")
    entries[1]["v"] = version
    return caught(entries, 1, field="v", found=version)


@fraud("field-invalid")
def no_version() -> Planted:
    entries = entries_of("casino")
    del entries[1]["v"]
    return caught(entries, 1, field="v", found=None)


MOMENTS: dict[str, dict[str, Any]] = {
    "the table's without": {"by": "table"},
    "a seat's with one": {"at": "2026-01-01T00:00:00.000000Z"},
    "no moment": {"at": "2026-01-01T00:00:00Z", "by": "table"},
    "nobody's": {"at": "2026-01-01T00:00:00.000000Z", "by": "house"},
}


@fraud("field-invalid", each=[f"round: {wrong}" for wrong in MOMENTS])
@fraud("field-invalid", "decision-missing", each=[f"bank: {wrong}" for wrong in MOMENTS])
def the_moment_of_a_decision(name: str) -> Planted:
    """Those of the table have one, those of seats have none."""
    kind, wrong = name.split(": ")
    entries = entries_of("everything")
    index = next(i for i in places(entries, kind) if entries[i].get("decisions"))
    decision = entries[index]["decisions"][0]
    entries[index]["decisions"][0] = {k: v for k, v in decision.items() if k not in ("at", "by")} | MOMENTS[wrong]
    return caught(entries[: index + 1], field="decisions", found=entries[index]["decisions"])


# Tables, shoes, seals.


@fraud("table-duplicate")
def a_table_opened_twice() -> Planted:
    entries = entries_of("casino")
    return caught(inserted(entries, 3, entries[0]), 3, field="table", found="casino")


@fraud("shoe-unknown")
def a_shoe_without_its_commitment() -> Planted:
    entries = entries_of("casino")
    entry = forms.seeds_entry(after(entries), "casino/77", {"casino-p1": "ab" * 32}, None)
    return caught([*entries, entry], field="shoe", expected="a shoe in play", found="casino/77")


@fraud("cards-root-differs")
def a_seal_that_binds_other_cards() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    root = entries[index]["cards_root"]
    entries[index]["cards_root"] = root[::-1]
    reveal = places(entries, "reveal", shoe="raffle")[0]
    return caught(entries, reveal, field="cards_root", expected=root, found=root[::-1])


@fraud("beacon-differs", "order-differs", "draw-differs", "cards-root-differs", each=["round", "randomness"])
def another_beacon(field: str) -> Planted:
    """Of another round than announced, or whose randomness is not the hash of its signature."""
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    entries[index]["beacon"][field] = 1001 if field == "round" else "ab" * 32
    return caught(entries, index, field="beacon" if field == "round" else "beacon.randomness")


@fraud("shoe-differs")
def a_deck_whose_labels_do_not_hash_to_its_name() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "deck")[1]
    entries[index]["labels"][0] = "ticket 99"
    return caught(entries[: index + 1], field="deck", found=entries[index]["deck"])


@fraud("number-gap")
def a_round_number_left_out() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "open")[3]
    for entry in entries[index:]:
        if "round" in entry:
            entry["round"] += 1
    return caught(entries, index, field="round", expected=4, found=5)


@fraud("kind-unknown")
def a_kind_that_nobody_knows() -> Planted:
    entries = entries_of("casino")
    return caught([*entries, {"v": 1, "kind": "whim", "at": after(entries)}], field="kind", found="whim")


@fraud("entry-not-canonical")
def a_line_written_with_a_space() -> Planted:
    lines = crooked(Seating, rounds=2)[0].lines
    lines[4] = lines[4].replace(b'"kind":', b'"kind": ')
    return Planted(lines[:5], 4)
