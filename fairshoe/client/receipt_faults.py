"""What is wrong with a receipt by itself, and by the answer that it came with."""

from __future__ import annotations

from typing import Any

from ..ceremony.receipts import BANK, BET, DECISION, ROUND, STANDS
from ..engine.rules import Rules, rules_of
from ..errors import InputError
from ..log.canonical import Entry
from ..log.times import is_moment, microseconds, timestamp
from ..record.forms import is_bet, table_of
from .round_faults import round_fault

Form = dict[str, Any]
ALWAYS = ("v", "table", "seat", "player", "at", "do", "view")
STEP = (*ALWAYS, "before", "size")
STANDING = (*ALWAYS, "state", "shoe", "round", "bets", "uncovered")
MOST_ENTRIES = 1_000
"""More entries than one step writes."""
SEES = ("bank", "chips", "shoe")
STOOD = (*SEES, "bets", "uncovered", "passed", "late", "waived")
SHOWN = ("shoe", "commitment", "roster", "opened", "struck", "sealed")
"""What the receipt's view of a shoe and the answer's have in common."""


def step_fault(form: Entry, what: str, sent: Form, answer: Form, seen: Form) -> str | None:
    """What a receipt of a step says that was not sent, or that the answer does not. `seen` is the table as the seat
    saw it before, {} where it did not look; where others were faster, what it was asked then is not known."""
    wanted = {*STEP, *_said(what, sent, form)}
    seen = seen if seen.get("log") == form.get("before") else {}
    sees = (*SEES, "round") if form.get("about") == ROUND else SEES
    return (
        _other_fields(form, wanted, sees)
        or _other_place(form, answer)
        or _other_shoe(form, seen, answer)
        or _other_question(form, seen, answer)
        or _other_view(form, answer)
        or (round_fault(form, answer) if form.get("about") == ROUND else None)
    )


def _said(what: str, sent: Form, form: Entry) -> set[str]:
    """The fields that a receipt has beside those of every step."""
    if what in ("seats", "chips"):
        to = {"to"} if "to" in sent else set()
        return {"op", "amount", *to, *({"leaves"} if sent.get("leave") else ())}
    if what == "bets":
        return {"state", "shoe", "round", "bets"}
    if what == "decisions":
        shoe = {"shoe"} if form.get("about") == ROUND else set()
        chosen = {name for name in ("amount", "chosen") if sent.get(name)}
        return {"about", "round", "step", "move", *shoe, *chosen}
    given = {name for name in ("hash", "seed", "cut") if sent.get(name) is not None}
    return {"shoe", *given}


def _other_fields(form: Entry, wanted: set[str], sees: tuple[str, ...]) -> str | None:
    if form.keys() != wanted:
        name = min(form.keys() ^ wanted)
        return f"it says {name}, which was not sent" if name in form else f"it says no {name}"
    if type(form["v"]) is not int or form["v"] != 1:
        return f"it is of version {form['v']!r}"
    if type(form["view"]) is not dict or form["view"].keys() != set(sees):
        return "its view is not whole"
    return None


def _other_place(form: Entry, answer: Form) -> str | None:
    """Its place in the log, against that of the answer."""
    before, size = form["before"], form["size"]
    if type(size) is not int or size != answer.get("log"):
        return f"it says that the log has {size!r} entries, the answer {answer.get('log')!r}"
    if type(before) is not int or not 0 < before <= size:
        return f"it says that the log had {before!r} entries before the step, and {size} after it"
    if form["at"] != answer.get("at"):
        return f"it is dated {form['at']!r}, the answer {answer.get('at')!r}"
    return None


def _other_shoe(form: Entry, seen: Form, answer: Form) -> str | None:
    if "shoe" not in form:
        return None
    shoe = form["shoe"]
    known = [(state.get("shoe") or {}).get("shoe") for state in (seen, answer)]
    known += [(answer.get("last") or {}).get("shoe")]
    owed = (seen.get("owed") or {}).get(form["player"], []) if form["do"] == "seed" else []
    if not _is_of(shoe, form["table"]) or (seen and shoe not in (*known, *owed)):
        return f"it is about another shoe: {shoe!r}"
    return None


def _is_of(shoe: Any, table: str) -> bool:
    try:
        return type(shoe) is str and table_of(shoe)[0] == table
    except InputError:
        return False


def _other_question(form: Entry, seen: Form, answer: Form) -> str | None:
    """A decision is about what the seat was asked."""
    if form["do"] != DECISION:
        return None
    asked = [each for each in seen.get("you", {}).get("expects", ()) if each.get("do") == "decisions"]
    about = next((each["about"] for each in asked if _same_question(each, form)), None)
    if about is None:
        about = form["about"] if form["about"] in (ROUND, BANK) else ROUND
        if about == BANK and not _moves_bank(answer):
            about = ROUND
    return None if form["about"] == about else f"it is about the {form['about']}, not the {about}"


def _same_question(asked: Form, form: Entry) -> bool:
    return (asked["round"], asked["step"]) == (form["round"], form["step"])


def _other_view(form: Entry, answer: Form) -> str | None:
    """What it says that the seat saw, against what the seat sees."""
    view, seat = form["view"], str(form["seat"])
    if (view["bank"], view["chips"]) != (answer["bank"], answer["chips"].get(seat)):
        return "it says another bank or other chips than the answer"
    shown, live = view["shoe"], answer["shoe"]
    if (shown is None) != (live is None) or (live and any(shown.get(name) != live[name] for name in SHOWN)):
        return "it says another shoe than the answer shows"
    return None


def is_whole(form: Entry) -> bool:
    """Whether a receipt that was kept has what later ones are held against; a house may have signed anything."""
    counts = [form[name] for name in ("before", "size") if form.get("state") != STANDS]
    counts += [form["round"]] if form["do"] == BET else []
    bets = form["bets"] if form["do"] == BET else []
    return is_moment(form["at"]) and all(type(each) is int for each in counts) and all(map(is_bet, bets))


def standing_fault(form: Entry, seat: int, answer: Form) -> str | None:
    """What is wrong with a receipt of bets that stand."""
    fault = _other_fields(form, {*STANDING}, STOOD)
    if fault is not None:
        return fault
    view = form["view"]
    for name in ("bets", "uncovered"):
        bets = form[name]
        if any(type(each) is not list or not all(map(is_bet, each)) for each in (bets, view[name])):
            return f"its {name} are none"
        if bets != [bet for bet in view[name] if bet["seat"] == seat]:
            return f"its {name} are not those of its view"
    if type(form["round"]) is not int or not 0 < form["round"] <= answer["rounds"]:
        return f"it is about round {form['round']!r}, of {answer['rounds']}"
    if not _is_of(form["shoe"], form["table"]):
        return f"it is about another shoe: {form['shoe']!r}"
    if not is_moment(form["at"]) or form["at"] > _after(answer):
        return f"it is dated {form['at']!r}, the answer {answer['at']!r}"
    return None


def _after(answer: Form) -> str:
    """The time from which on nothing of an answer can be: its own entries have a microsecond each."""
    return timestamp(microseconds(answer["at"]) + MOST_ENTRIES)


def forces_bets(answer: Form) -> bool:
    """Whether the rules leave nobody a choice of bets."""
    return type(_rules(answer)).forced_bets is not Rules.forced_bets


def _moves_bank(answer: Form) -> bool:
    return type(_rules(answer)).between is not Rules.between


def _rules(answer: Form) -> Rules:
    return rules_of(answer["rules"], answer["options"])
