"""What a log says of what a seat said: one function for each place where it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairshoe.ceremony.contributing import cutters
from fairshoe.ceremony.receipts import (
    BANK,
    BET,
    CHIPS,
    DECISION,
    HASH,
    ROUND,
    SEED,
    STANDS,
    WAIVER,
    bets_left,
    stands_receipt,
    stood_bets,
)
from fairshoe.engine.cards import Dealt
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import replay
from fairshoe.engine.table import HOUSE, Bet, Table
from fairshoe.engine.view import view
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds
from fairshoe.record.forms import decision_form, decision_of

from ..walk.differ import differences
from ..walk.state import Shoe
from .verdict import ACT, Case

if TYPE_CHECKING:
    from .judge import Dealing

ENDS = ("reveal", "void", "lost")


def same(case: Case, part: str, index: int, log: Any, says: Any, path: str = "") -> None:
    """Hold what a receipt says against the log: the first difference decides."""
    found = next(differences(log, says, path), None)
    if found is None:
        case.agree(part, index)
    else:
        case.differs(index, found.path, found.found, found.expected)


# Entries of a seat's own.


def own_entry(case: Case, index: int, entry: Entry) -> None:
    """A seed or a move of chips is the first entry of its step."""
    form = case.form
    wanted, logged = _chips(form, entry) if form["do"] == CHIPS else _seed(form, entry)
    if (entry.get("kind"), *(logged.get(name) for name in ("table", "shoe", "player"))) != (
        wanted["kind"],
        *(wanted.get(name) for name in ("table", "shoe", "player")),
    ):
        about = entry.get("shoe") or entry.get("table") or ""
        case.decide("missing", index, f"is another one ({entry.get('kind', 'unreadable')} {about}".rstrip() + ")")
        return
    same(case, ACT, index, logged, wanted)


def _chips(form: Entry, entry: Entry) -> tuple[Entry, Entry]:
    names = ("op", "amount", "to", "leaves")
    wanted = {"kind": "chips", **{name: form[name] for name in ("table", "player", "at", "seat")}}
    wanted |= {name: form[name] for name in names if name in form}
    logged = {name: entry[name] for name in (*wanted, *names, "by") if name in entry}
    return wanted, logged


def _seed(form: Entry, entry: Entry) -> tuple[Entry, Entry]:
    """`opened`, with which a sole contributor may cut, or `late`."""
    kind = "late" if entry.get("kind") == "late" else "opened"
    wanted = {"kind": kind, "shoe": form["shoe"], "player": form["player"], "at": form["at"], "seed": form["seed"]}
    logged = {name: entry[name] for name in wanted if name in entry}
    if "cut" in form:
        wanted["cut"], logged["cut"] = {"at": form["cut"], "by": form["player"]}, entry.get("cut")
    return wanted, logged


# Hashes.


def hashed(case: Case, index: int, shoe: Shoe, entry: Entry) -> None:
    """`seeds`: the hash stands there, unless the seat left before; and the cut, if it is the one that counts."""
    form, told = case.form, shoe.told
    if form["do"] != HASH:
        return
    player = form["player"]
    logged = entry.get("hashes", {}).get(player)
    if logged is None and player in told.struck:
        case.agree(ACT, index, "the seat was left before")
    elif logged != form["hash"]:
        case.differs(index, f"hashes.{player}", form["hash"], logged)
    elif "cut" in form and (found := _other_cut(form, shoe, entry)) is not None:
        case.differs(index, found, {"at": form["cut"], "by": player}, entry.get("cut"))
    else:
        case.agree(ACT, index)


def _other_cut(form: Entry, shoe: Shoe, entry: Entry) -> str | None:
    """The field where the log has another cut than this one, although this one counts."""
    cut = entry.get("cut") or {}
    if cut.get("by") == form["player"]:
        return None if cut.get("at") == form["cut"] else "cut.at"
    able = cutters(shoe.book, shoe.told)
    if form["player"] not in able:
        return None
    earlier = able[: able.index(form["player"])]
    return None if cut.get("by") in earlier else "cut.by"


# Bets and waivers.


def opened(case: Case, index: int, shoe: Shoe, commitment: str, entry: Entry) -> None:
    """`open`: bets stand."""
    form = case.form
    if form["do"] == WAIVER:
        _waived(case, index, entry)
    elif form["do"] not in (BET, DECISION) or entry["round"] < form["round"]:
        return
    elif entry["round"] > form["round"] or form["do"] == DECISION:
        if entry["round"] > form["round"]:
            case.decide("missing", index, f"opens round {entry['round']}; round {form['round']} is not in the log")
    elif form["state"] == STANDS:
        book, told = shoe.book, shoe.told
        stood = {} if book is None else stood_bets(book, told, commitment)
        logged = stands_receipt(form["table"], stood, form["seat"]) if stood else None
        if logged is None:
            case.differs(index, "bets", form["bets"], None)
        else:
            same(case, ACT, index, logged, form)
    else:
        _offered(case, index, shoe, entry)


def _waived(case: Case, index: int, entry: Entry) -> None:
    """A waiver shows with the first bet that needs it."""
    seat = case.form["seat"]
    if seat in entry.get("waived", ()):
        case.agree(ACT, index)
    elif any(bet["seat"] == seat for bet in [*entry["bets"], *entry.get("uncovered", ())]):
        case.differs(index, "waived", [seat], entry.get("waived"))


def _offered(case: Case, index: int, shoe: Shoe, entry: Entry) -> None:
    """The last bets that a seat offered stand, but for a box that was given way to its own chair."""
    form, seat = case.form, case.form["seat"]
    players = {} if shoe.book is None else shoe.book.table.players
    if case.superseded:
        case.agree(ACT, index, "it was changed afterwards")
        return
    if players.get(seat) != form["player"]:
        case.agree(ACT, index, "the seat was left before")
        return
    logged = [*entry["bets"], *entry.get("uncovered", ())]
    wanted = bets_left(form["bets"], logged, seat)
    own = sorted((bet for bet in logged if bet["seat"] == seat), key=lambda bet: bet.get("box", seat))
    if own != wanted or (form["bets"] == [] and seat in entry.get("late", ())):
        case.differs(index, "bets", form["bets"], own)
        case.remark = "a bet could be changed until then"
    else:
        case.agree(ACT, index)


# Decisions.


def round(case: Case, index: int, dealing: Dealing, entry: Entry) -> None:
    """`round`: the decision stands there, and what the seat saw after it."""
    form = case.form
    if form["do"] != DECISION or dealing.number != form["round"]:
        return
    if not decision(case, index, entry):
        return
    at = dealing.position, dealing.present, dealing.size
    played = seen(entry, form, table=dealing.table, bets=dealing.bets, at=at)
    if played is None:
        case.differs(index, "cards", form["view"].get("round"), "a round that cannot be played")
        return
    same(case, ACT, index, played, form["view"].get("round"), "view.round")


def seen(entry: Entry, form: Entry, *, table: Table, bets: Sequence[Bet], at: tuple[int, int, int]) -> Entry | None:
    """What a seat saw of a round after the decision `form`, by the `round` entry; None where it cannot be played.

    `at`: the first card's position, how many cards were there, of a deck of how many.
    """
    position, present, size = at
    source = Dealt(entry["cards"], position=position, present=present, size=size)
    try:
        played = replay(table, source, bets, map(decision_of, entry["decisions"]))
    except (RuleError, KeyError):
        return None
    return view(played, form["seat"], form["step"] + 1)


def decision(case: Case, index: int, entry: Entry) -> bool:
    """Whether the decision stands in its place among the entry's."""
    form, step = case.form, case.form["step"]
    wanted = decision_form(Decision(form["seat"], form["move"], form.get("amount", 0), tuple(form.get("chosen", ()))))
    logged = [{name: made[name] for name in made if name != "at"} for made in entry.get("decisions", ())]
    found = next(differences(logged[step], wanted, f"decisions[{step}]"), None) if step < len(logged) else None
    if found is not None:
        case.differs(index, found.path, found.found, found.expected)
    elif step >= len(logged):
        case.differs(index, f"decisions[{step}]", wanted, None)
    return not case.word


def banked(case: Case, index: int, entry: Entry) -> None:
    """`bank`: the decision stands there; a shoe that ended before left the bank where it was."""
    kind = entry["kind"]
    if kind == "bank" and entry.get("why") != "first":
        if decision(case, index, entry):
            case.agree(ACT, index)
    elif kind in ("reveal", "void", "lost", "bank"):
        case.agree(ACT, index, "the bank was not in question any more")
    else:
        case.decide("missing", index, f"({kind}) comes without a decision about the bank")


# The end of a shoe.


def _was_bet(case: Case, shoe: Shoe, entry: Entry) -> bool:
    """Whether a bet was offered for so long that the round had to open: on the seat's own place, which nobody else
    takes, of a seat that sits, where the house banks and covers every bet."""
    form = case.form
    book, seat = shoe.book, form["seat"]
    if book is None or case.superseded or not form["bets"] or any("box" in bet for bet in form["bets"]):
        return False
    waited = microseconds(form["at"]) + shoe.told.policy.bet * SECOND <= microseconds(entry["at"])
    return waited and book.table.bank == HOUSE and book.table.players.get(seat) == form["player"]


def over(case: Case, index: int, entry: Entry) -> None:
    """An entry from before the receipt's step, by its own word, after which there can be no such step."""
    form, kind, later = case.form, entry["kind"], entry.get("round", 0) > case.form.get("round", 0)
    this = later or entry.get("round") == form.get("round")
    about = form.get("about")
    if (
        (kind in ENDS and about != BANK)
        or (kind == "seeds" and form["do"] == HASH)
        or (kind == "open" and ((form["do"] == BET and this) or (form["do"] == DECISION and later)))
        or (kind == "round" and about == ROUND and this)
    ):
        case.differs(index, "before", form["before"], f"the {kind} that ends the time for it")


def ended(case: Case, index: int, shoe: Shoe, entry: Entry) -> None:
    """A shoe has ended without the entry that would have had it."""
    form, why = case.form, entry.get("why")
    if form["do"] == DECISION or (form["do"] == BET and form["state"] == STANDS):
        case.decide("missing", index, f"ends the shoe ({entry['kind']}) without it")
    elif form["do"] == HASH and why == "idle" and form["player"] not in shoe.told.struck:
        case.differs(index, "why", f"a hash of {form['player']}", "idle: nobody sent one")
    elif form["do"] == HASH and entry["kind"] == "reveal":
        case.decide("missing", index, "reveals the key, and no hashes came before")
    elif form["do"] == BET and why in ("left", "idle") and _was_bet(case, shoe, entry):
        case.differs(index, "why", form["bets"], f"{why}: nobody bet")
    elif form["do"] != SEED:
        case.agree(ACT, index, f"the shoe ended before ({why or entry['kind']})")
