"""What a commitment must say: who contributes and why a chair does not, who cuts and has paid, the table as it stands;
when it may be made. Whom the hashes must name as not heard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairshoe.log.times import HOUR, SECOND
from tests.house import POLICY

from ..planting import Entry, Plant, Planted, caught, entries_of, fraud, places, planted
from ..play import at, play

AWAY = "silent 3, away, play 2"
"""Chair 3 has let two limits pass, and was not left out."""
ALONE = "silent 2, away, play 2, away 2, commit"
OWING = "keeping 1, buy-in 4 100, commit"
"""Player 1 made a shoe void, and owes a seed; 4 sat down since."""
NO_AWAY: dict[str, Any] = {"field": "away", "expected": "some of []"}


def unheard(steps: str, claim: Sequence[str] | None, *expected: str, about: str = "boxes 123") -> Plant:
    """Hashes, and what the entry says of those that were waited for and not heard."""
    return play(about, steps, put={"unheard": claim}, field="unheard", expected=list(expected), found=claim)


def reasons(steps: str, given: Entry, **wanted: Any) -> Plant:
    """A commitment with these reasons."""
    return play("boxes 123", steps, put={"owes": None, "waits": None, "away": None, **given}, **wanted)


def left_out(given: Entry) -> Plant:
    field = "owes" if given.get("owes") != [1] else "waits"
    return reasons(f"unopened, {OWING}", given, field=field, found=given.get(field))


def paid(claim: list[int] | None, *expected: int, steps: str = "commit") -> Plant:
    wanted = list(expected)
    return play("lounge 123 gift=1000", steps, put={"paid": claim}, field="paid", expected=wanted, found=claim)


def other_payer(claim: list[int]) -> Plant:
    return play("lounge 123 gift=1000", "commit", put={"paid": claim}, field="paid[2]", expected=3, found=claim[2])


planted(
    {
        "away-not-allowed shoe-differs": {
            "somebody left out as away: nobody": play("boxes 123", "play 1, claim away=7", **NO_AWAY, found=[7]),
            "somebody said to be away who has another reason: owes": reasons(
                f"unopened, {OWING}", {"waits": [4], "away": [1]}, **NO_AWAY
            ),
            "somebody said to be away who has another reason: waits": reasons(
                f"unopened, {OWING}", {"owes": [1], "away": [4]}, **NO_AWAY
            ),
        },
        "away-not-allowed": {
            "somebody left out as away: acts": play("boxes 123", "play 1, claim away=3", **NO_AWAY, found=[3]),
            "somebody left out as away: one limit": play(
                "boxes 123", "silent 3, play 1, claim away=3", **NO_AWAY, found=[3]
            ),
            "somebody left out as away who acted since": play(
                "boxes 123", f"{AWAY}, buy-in 3 10, away 3, commit", field="away", found=[3]
            ),
        },
        "shoe-differs": {
            "somebody left out without a word": play(
                "boxes 123", "roster 1 3, claim", field="roster", found=["boxes-p1", "boxes-p3"]
            ),
            "somebody in the roster who does not sit": play(
                "boxes", "roster 1 2 shill, commit", field="roster", expected=["boxes-p1", "boxes-p2"]
            ),
            # Who owes, and who sat down since, stand where they belong, and only there.
            **{
                f"the reasons for a chair left out: {name}": left_out(given)
                for name, given in {
                    "none": {},
                    "owes alone": {"owes": [1]},
                    "waits alone": {"waits": [4]},
                    "both owe": {"owes": [1, 4]},
                    "both wait": {"waits": [1, 4]},
                    "twice": {"owes": [1], "waits": [1, 4]},
                    "somebody of the roster": {"owes": [1], "waits": [2, 4]},
                    "an empty chair": {"owes": [1], "waits": [4, 6]},
                }.items()
            },
            "a debtor and a newcomer exchanged": reasons(
                f"unopened, {OWING}", {"owes": [4], "waits": [1]}, field="owes[0]", expected=1, found=4
            ),
            "somebody who handed in said to wait as a newcomer": reasons(
                "unopened, hand-in 1, buy-in 4 100, commit", {"waits": [1, 4]}, field="owes", expected=[1], found=None
            ),
            # Two limits have lapsed, so that the chair may be left out; but it owes nothing and is no newcomer.
            **{
                f"somebody away left out for another reason: {reason}": reasons(
                    f"{AWAY}, away 3, commit", given, field="away" if given else "roster"
                )
                for reason, given in (("owes", {"owes": [3]}), ("waits", {"waits": [3]}), ("none", {}))
            },
            # They are dealt in, and the pool is theirs.
            "those who paid for the game: nobody": paid(None, 1, 2, 3),
            "those who paid for the game: two of three": paid([1, 2], 1, 2, 3),
            "those who paid for the game: one more": paid([1, 2, 3, 4], 1, 2, 3),
            "those who paid for the game: twice": paid([1, 1, 2, 3], 1, 2, 3),
            "others said to have paid: [1, 2, 4]": other_payer([1, 2, 4]),
            "others said to have paid: [1, 3, 2]": other_payer([1, 3, 2]),
            "a chair that was refunded said to have paid": paid([1, 2, 3], 1, 2, steps="refund 3, commit"),
            "who paid where nobody pays": play(
                "boxes", "commit", put={"paid": [1, 2]}, field="paid", expected=None, found=[1, 2]
            ),
            # As it once stood.
            "who paid told by the rules memory": lambda: at("lounge 12 gift=1000", "commit").changed(
                lambda entry: entry["memory"].update({"1": 1}), field="memory.1", expected=None, found=1
            ),
        },
        "step-out-of-order": {
            # It would wait, sealed by nobody, for whoever sits down.
            "a shoe committed to at an empty table": play(
                "boxes", "leave-all, commit", expected="a table where somebody sits", found="boxes/1"
            ),
            # Left out as away, rightly; but then the only contributor sends a hash like everybody.
            "somebody treated as alone while another sits there: seal": play("boxes", f"{ALONE}, log seal"),
        },
        "step-out-of-order bet-without-seed": {
            "somebody treated as alone while another sits there: open": play("boxes", f"{ALONE}, bet 1")
        },
        "step-out-of-order seed-uninvited": {
            "somebody treated as alone while another sits there: opened": play("boxes", f"{ALONE}, opened 1")
        },
        # Nobody has checked its signature: the house may choose what it said.
        "beacon-at-table": {
            "a beacon at a table": play(
                "casino", "commit", put={"beacon": {"chain": "ab" * 32, "round": 1000}}, field="beacon"
            )
        },
        "table-closed": {
            "a shoe committed to after the closing": play("casino", "close, commit", found="casino/1"),
            "hashes of a shoe that is void since the table is closed": play(
                "casino", "commit, close, hash", found="casino/1"
            ),
            "bets on a shoe that is void since the table is closed": play(
                "boxes", "prepare, close, open", expected="the shoe void", found="boxes/1"
            ),
            "a table closed twice": play("casino", "close, close", shoe=None, expected="a table is closed once"),
        },
        "seeds-differ": {
            # The house hides whom it left out, or blames somebody whom it heard.
            **{
                f"somebody not heard: {name}": unheard("silent 2 3, prepare", claim, "boxes-p2", "boxes-p3")
                for name, claim in {
                    "nobody": None,
                    "one of two": ["boxes-p2"],
                    "another's": ["boxes-p1", "boxes-p2"],
                    "in another order": ["boxes-p3", "boxes-p2"],
                    "twice": ["boxes-p2", "boxes-p2", "boxes-p3"],
                    "a stranger too": ["boxes-p2", "boxes-p3", "eve"],
                }.items()
            },
            "somebody heard said to be silent": unheard("prepare", ["boxes-p2"]),
            # Two limits have lapsed: nobody waits any more.
            "somebody absent said to be waited for": unheard(f"{AWAY}, prepare", ["boxes-p3"]),
            # Who leaves before the opening is struck, and stays so.
            "somebody who left said to be waited for: left": unheard("commit, leave 3, forget 3, hash", ["boxes-p3"]),
            "somebody who left said to be waited for: came back": unheard(
                "commit, leave 3, buy-in 3 100, forget 3, hash", ["boxes-p3"]
            ),
            # Without a part in the shoe, whatever it sends.
            "a newcomer said to be waited for": unheard("commit, buy-in 3 100, hash", ["boxes-p3"], about="boxes"),
        },
        "shoe-not-retired": {
            # The house's banker leaves, its other seats cannot bank for a moment, and the newcomer has the same chair.
            "a newcomer in the bankers chair banks a shoe of the others": play(
                "chinese 123 chips=1000",
                "settle-bank, prepare, leave 1, cash-out 2 999, cash-out 3 999, buy-in 1 600 player=newcomer, "
                "settle-bank, buy-in 2 5000, buy-in 3 5000, bet-of 2:100 3:100",
                expected="a new shoe after the bank left",
                found="chinese/1",
            )
        },
        # They would have no part in it, and it may use up the pool.
        "chips-not-allowed": {
            "players who pay for a game whose first shoe is made already": play(
                "lounge 123 gift=9000", "prepare, buy-in 4 10000 player=newcomer", field="op", found="buy-in"
            )
        },
        "step-overdue": {
            "a pool that nobody gets": play(
                "lounge 12 gift=1000", f"play 1, leave 1, leave 2, meanwhile {25 * HOUR // SECOND}", table="lounge"
            )
        },
    }
)


@fraud(
    "shoe-differs", each=["chips.1", "chips.house", "bank", "memory.held", "draws.cut", "cards", "purpose", "policy"]
)
def a_table_that_stands_otherwise(field: str) -> Planted:
    top, _, name = field.partition(".")
    whole = {"bank": "2", "cards": 77, "purpose": "bank", "policy": dict(POLICY)}

    def change(entry: Entry) -> None:
        entry[top] = entry[top] | {name: 77} if name else whole[top]

    return at("chinese 123", "settle-bank, commit").changed(change, field=field)


@fraud("shoe-differs", each=["bank", "chips", "memory", "draws.insert"])
def a_table_of_which_nothing_is_said(field: str) -> Planted:
    top, _, name = field.partition(".")
    table = at("chinese 123" if field == "memory" else "casino 123", "settle-bank, commit")
    return table.changed(lambda entry: (entry[top] if name else entry).pop(name or top), field=field)


@fraud("shoe-differs")
def a_raffle_with_a_tables_chips() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "shoe", shoe="raffle")[0]
    entries[index]["chips"] = {"1": 5}
    return caught(entries[: index + 1], field="chips", found={"1": 5})


@fraud("away-not-allowed", each=["away"])
@fraud("shoe-differs", each=["waits", "owes"])
def a_newcomer_who_banks_left_out_of_the_roster(reason: str) -> Planted:
    """Whoever sits down after a void for a seed waits; but not who banks."""
    play = at("chinese 1234 chips=1000", "settle-bank")
    table = play.table
    table.keeping = {table.unopened_seed()}
    play.do("buy-in 5 600 player=newcomer, keep 2 1, keep 3 1, keep 4 1, keep 1 1, settle-bank")
    assert table.table.bank == 5
    play.do("buy-in 2 5000, buy-in 3 5000, buy-in 4 5000")
    honest = table.roster()
    assert "newcomer" in honest
    table.roster = lambda away=(): [who for who in honest if who != "newcomer"]  # type: ignore[method-assign]
    left_out = {"owes": [1], reason: [5] if reason == "away" else [1, 5]}
    table.left_out = lambda roster: left_out  # type: ignore[method-assign]
    play.do("commit")
    if reason == "away":
        return play.caught(**NO_AWAY, found=[5])
    return play.caught(field="roster", expected=honest)
