"""A table as lines of text: cards, chairs, bets, what is waited for, and the marks of the hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.text import Text

from ..terminal.screen import printable

Form = dict[str, Any]
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED = "dh"
HIDDEN = "▒▒"
MARKS = {
    "PASS": ("✓", "green"),
    "PASS so far": ("…", "yellow"),
    "FAIL": ("✗", "bold red"),
    "CANNOT SAY": ("?", "yellow"),
}
EXPLAINED_VERDICTS = ("FAIL", "CANNOT SAY")
STAKES = ("minimum", "maximum", "gift")
NOT_DEALT = {
    "uncovered": "your bet{of} is not dealt: the chips of the bank, or your own, do not cover it",
    "yielded": "your bet{of} is not dealt: the player whose box it is bets there",
    "lapsed": "your bet{of} is not dealt: your seed was not opened in time",
    "void": "your bet{of} is not dealt: the shoe came to nothing",
    "late": "no hand for you: no bet of yours came in time",
    "unfunded": "no hand for you: your chips, or the bank's, do not cover the lowest bet",
}
"""Texts for a player's bet that is not dealt, by its `state`."""


def table_line(state: Form) -> tuple[str, str, str, str, str]:
    """Name, rules, chairs, stakes and phase of a table."""
    options = state["options"]
    stakes = [f"{name} {options[name]}" for name in STAKES if name in options]
    if who := second_dealer(state):
        stakes.append(f"{who} places the cards")
    seats = f"{len(state['seats'])} of {state['chairs']}"
    return state["table"], state["rules"], seats, ", ".join(stakes), state["phase"]


def second_dealer(state: Form) -> str:
    """Return the name of the placer's key; "" if there is none, or if the player places."""
    key: str = state.get("placer", {}).get("key", "player")
    return "" if key == "player" else key.split("+")[0]


def draw_table(state: Form, seconds: float, since: int = 0) -> Text:
    """Draw the table as a seat that sat down after round `since` sees it, `seconds` after it was looked at."""
    text = Text()
    you = state["you"]["seat"]
    parts = (
        _head(state),
        _shoe(state),
        _round(state, you, since),
        _not_dealt(state),
        _seats(state, you),
        _waits(state, you, seconds),
    )
    for part in parts:
        for line in part:
            text.append_text(line).append("\n")
    return text


def marks(found: Mapping[int, tuple[str, str]], most: int = 8) -> Text:
    """Return the last hands with their marks, how many passed before them, and every one that did not: why is told."""
    text = Text()
    last = sorted(found)[-most:]
    before = {number for number in found.keys() - last if found[number][0] == "PASS"}
    if before:
        sign, style = MARKS["PASS"]
        text.append(f"{sign} {len(before)} hand{'s' * (len(before) > 1)} before: PASS\n", style)
    for number in sorted(found.keys() - before):
        word, says = found[number]
        sign, style = MARKS[word]
        text.append(f"{sign} hand {number}: {word}", style)
        text.append(f"  {printable(says)}\n" if word in EXPLAINED_VERDICTS else "\n", style)
    return text


def bad(found: Mapping[int, tuple[str, str]]) -> bool:
    """Whether a hand did not hold, or nobody can say."""
    return any(word in EXPLAINED_VERDICTS for word, _ in found.values())


def card(label: str | None) -> Text:
    if label is None:
        return Text(f"[{HIDDEN}]", "dim")
    rank, suit = label[:-1], label[-1]
    return Text(f"[{rank.replace('T', '10')}{SUITS.get(suit, suit)}]", "bold red" if suit in RED else "bold")


def _head(state: Form) -> Iterator[Text]:
    bank = f"chair {state['bank']}" if state["bank"].isdigit() else f"the {state['bank']}"
    yield Text(f"{state['table']}: {state['rules']}, {bank} banks, rounds so far: {state['rounds']}", "bold")
    if "pool" in state["chips"]:
        yield Text(f"pool {state['chips']['pool']:,}")
    if "awaited" in state:
        yield Text("you place the cards yourself: neither house nor you know one before it lies", "green")
    elif who := second_dealer(state):
        yield Text(f"{printable(who)}, a second dealer, places the cards: nobody knows the next one", "green")
    yield Text()


def _shoe(state: Form) -> Iterator[Text]:
    shoe = state["shoe"]
    if shoe is None:
        yield Text("no shoe")
        return
    sealed = "sealed" if shoe["sealed"] else "not sealed yet"
    before = " before this round" if state["round"] is not None else ""
    line = Text(f"shoe {shoe['shoe']}, {shoe['cards']} cards, {sealed}, {shoe['position']} dealt{before}")
    if shoe["burned"]:
        line.append(", burned ")
        for label in shoe["burned"]:
            line.append_text(card(label))
    yield line
    yield Text(f"commitment {shoe['commitment']}", "cyan")
    if "awaited" not in state:
        yield Text(f"hashes {_names(shoe['hashed'])}   seeds {_names(shoe['opened'])}", "dim")
    yield Text()


def _names(names: list[str]) -> str:
    return printable(", ".join(names)) or "none"


def _round(state: Form, you: int, since: int) -> Iterator[Text]:
    if state["round"] is not None:
        view = state["round"].get("view") or state["round"].get("shown")
        yield Text(f"round {state['round']['round']}", "bold")
        if view is None:
            stand = (f"{bet['amount']} on {bet.get('box', bet['seat'])}" for bet in state["round"]["bets"])
            yield Text(f"bets stand: {', '.join(stand)}")
            return
        if view["dealer"]["cards"]:
            yield Text("  ") + _hand("bank", view["dealer"])
        for number, hand in enumerate(view["hands"]):
            pointer = "▶ " if view.get("hand") == number else "  "
            yield Text(pointer) + _hand(_whose(hand, you), hand)
        return
    last = state["last"]
    if last is not None:
        yield Text(f"last round {last['round']}", "bold")
        own = you if last["round"] > since else 0
        for whose, hand in [("bank", last.get("dealer", {})), *((_whose(each, own), each) for each in last["hands"])]:
            if hand.get("cards"):
                shown = hand | {"cards": [last["cards"][index] for index in hand["cards"]]}
                yield Text("  ") + _hand(whose, shown)
    if state["bets"] is not None:
        bets = [
            f"{bet['amount']} by {bet['seat']}" + (f" on {bet['box']}" if "box" in bet else "")
            for bet in state["bets"]["in"]
        ]
        passed = [f"{seat} passes" for seat in state["bets"]["passed"]]
        yield Text(f"bets for round {state['bets']['round']}: {', '.join(bets + passed) or 'none yet'}")


def _not_dealt(state: Form) -> Iterator[Text]:
    """Describe the player's own bets that are not dealt, and why."""
    betting = state["you"].get("betting", {"round": 0, "bets": []})
    for bet in betting["bets"]:
        if bet["state"] in NOT_DEALT:
            of = (f" of {bet['amount']}" if "amount" in bet else "") + (f" on box {bet['box']}" if "box" in bet else "")
            yield Text(f"round {betting['round']}: {NOT_DEALT[bet['state']].format(of=of)}", "yellow")


def _whose(hand: Form, you: int) -> str:
    seat = hand.get("seat", 0)
    box = hand.get("box", seat)
    return ("you" if seat == you else f"chair {seat}") + (f", box {box}" if box != seat else "")


def _hand(whose: str, hand: Form) -> Text:
    line = Text(f"{whose:<14} ")
    for label in hand["cards"]:
        line.append_text(card(label))
    if hand.get("total") is not None:
        line.append(f"  {hand['total']}")
    if hand.get("bet"):
        line.append(f"  bet {hand['bet']}")
    if hand.get("insured"):
        line.append(f"  insured {hand['insured']}")
    if hand.get("outcome"):
        net = hand.get("net", 0)
        line.append(f"  {hand['outcome']} {net:+}", "green" if net > 0 else "red" if net < 0 else "")
    return line


def _seats(state: Form, you: int) -> Iterator[Text]:
    yield Text()
    turn = ((state["round"] or {}).get("view") or {}).get("turn")
    for seat in state["seats"]:
        number = seat["seat"]
        chips = state["chips"].get(str(number), 0)
        name = printable(seat.get("name", seat["player"]))
        sign = "▶" if number == turn else " "
        own = " (you)" if number == you else ""
        yield Text(f"{sign} chair {number}  {name}{own}  {chips:,} chips", "bold" if number == you else "")


def _waits(state: Form, you: int, seconds: float) -> Iterator[Text]:
    yield Text()
    who = _awaited(state, you)
    now = datetime.fromisoformat(state["at"])
    left = [
        f"{max(0, (datetime.fromisoformat(until) - now).total_seconds() - seconds):.0f} s for {name}"
        for name, until in state["deadlines"].items()
        if name != "shoe"
    ]
    yield Text(f"waiting for {who}" + (f", {', '.join(left)}" if left else ""), "yellow")


def _awaited(state: Form, you: int) -> str:
    """Describe what the table waits for."""
    if any(not form.get("may") for form in state["you"]["expects"]):
        return "you"
    shoe, names = state["shoe"], {seat["seat"]: seat["player"] for seat in state["seats"]}
    turn = ((state["round"] or {}).get("view") or {}).get("turn")
    if turn is not None:
        return printable(names.get(turn, f"chair {turn}"))
    if state.get("placer", {}).get("awaited"):
        return f"places of {printable(second_dealer(state)) or 'the player'}; what was decided is safe"
    if shoe is not None and shoe["opens"]:
        return f"the seed of {printable(shoe['opens'][0])}"
    if state["phase"] == "hash" and shoe is not None:
        return "hashes of " + _names([who for who in shoe["roster"] if who not in shoe["hashed"]])
    if state["bets"] is not None:
        done = {bet["seat"] for bet in state["bets"]["in"]} | set(state["bets"]["passed"])
        return "bets of " + _names(
            [who for seat, who in names.items() if seat not in done and str(seat) != state["bank"]]
        )
    if state["phase"] == "bank":
        return "whoever is asked about the bank"
    return "more players, or more chips, for a shoe" if shoe is None else state["phase"]
