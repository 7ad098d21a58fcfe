"""A table as text with colours: cards, hands, chips, the shoe's ceremony."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .actions import names, waited_for

SUITS = {"c": ("♣", "black"), "d": ("♦", "red3"), "h": ("♥", "red3"), "s": ("♠", "black")}
GOOD, BAD, DIM = "bold green", "bold red", "dim"


def card(label: str | None) -> Text:
    """One card; None is a hidden one."""
    if label is None:
        return Text("▒▒▒▒", style="white on blue")
    suit, colour = SUITS[label[-1]]
    face = label[:-1].replace("T", "10")
    return Text(f"{face:>2}{suit} ", style=f"bold {colour} on grey93")


def cards(labels: Iterable[str | None]) -> Text:
    return Text(" ").join(map(card, labels))


def hand(view: Mapping[str, Any]) -> Text:
    """Its cards, total, bet and what became of it."""
    text = cards(view["cards"])
    if view.get("total") is not None:
        text.append(f"  {view['total']}", style="bold")
    if "outcome" in view:
        net = view.get("net", 0)
        text.append(f"  {view['outcome']}")
        text.append(f"  {net:+,}", style=GOOD if net > 0 else BAD if net < 0 else DIM)
    if view.get("insured"):
        text.append(f"  insured {view['insured']:,}", style=DIM)
    return text


def table(state: Mapping[str, Any]) -> RenderableType:
    """All that a seat sees of its table."""
    return Group(_ceremony(state), Text(), _round(state), Text(), _waits(state))


def _ceremony(state: Mapping[str, Any]) -> Text:
    shoe = state["shoe"]
    head = Text.assemble((f"{state['table']}", "bold"), f"  {state['rules']}", (f"   log {state['log']:,}", DIM), "\n")
    if shoe is None:
        return head.append("no shoe: nobody has bet anything yet", style=DIM)
    head.append(f"shoe {shoe['shoe']}, {shoe['cards']} cards, committed to by\n")
    head.append(shoe["commitment"], style="cyan")
    steps = [
        f"hashes {len(shoe['hashed'])} of {len(shoe['roster'])}",
        f"seeds {len(shoe['opened'])} of {len(shoe['roster'])}",
        "sealed: its order is fixed" if shoe["sealed"] else "not sealed yet",
        f"next card {shoe['position'] + 1}",
    ]
    return head.append("\n" + " · ".join(steps), style=DIM)


def _round(state: Mapping[str, Any]) -> RenderableType:
    running = state["round"]
    view = (running or {}).get("view") or (_over(state["last"]) if state["last"] and running is None else None)
    grid = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    if view is not None:
        title = "dealer" if running else f"round {view['round']}, dealer"
        grid.add_row(Text(title, style="bold"), hand(view["dealer"]), "")
    rows = view["hands"] if view else []
    shown = set()
    for number, each in enumerate(rows):
        shown.add(each["seat"])
        turn = view is not None and number == view.get("hand", -1)
        label = Text(("▶ " if turn else "  ") + _whose(state, each), style="bold" if turn else "")
        grid.add_row(label, hand(each), f"{each['bet']:,}" if "bet" in each else "")
    for seat in state["seats"]:
        chips = state["chips"].get(str(seat["seat"]), 0)
        bet = [f"{b['amount']:,}" + (f" on {b['box']}" if "box" in b else "") for b in _bets(state, seat["seat"])]
        told = f"bets {', '.join(bet)}" if bet and seat["seat"] not in shown else ""
        grid.add_row(Text("  " + names(state, [seat["seat"]])[0], style=DIM), Text(told), Text(f"{chips:,} chips"))
    pool = state["chips"].get("pool")
    if pool is not None:
        grid.add_row(Text("  pool", style=DIM), "", Text(f"{pool:,} chips"))
    return grid


def _over(last: Mapping[str, Any]) -> dict[str, Any]:
    """A round of the log as a view of it: there the cards of a hand are places among those of the round."""
    of = last["cards"]
    hands = [each | {"cards": [of[place] for place in each["cards"]]} for each in (last["dealer"], *last["hands"])]
    return {"round": last["round"], "dealer": hands[0], "hands": hands[1:]}


def _whose(state: Mapping[str, Any], each: Mapping[str, Any]) -> str:
    mine = state.get("you", {}).get("seat") == each["seat"]
    box = f", box {each['box']}" if each.get("box", each["seat"]) != each["seat"] else ""
    return ("you" if mine else names(state, [each["seat"]])[0]) + box


def _bets(state: Mapping[str, Any], seat: int) -> Iterator[Mapping[str, Any]]:
    bets = state["bets"]["in"] if state["bets"] else state["round"]["bets"] if state["round"] else ()
    return (bet for bet in bets if bet["seat"] == seat)


def _waits(state: Mapping[str, Any]) -> Text:
    text = Text.assemble("waiting for ", (waited_for(state), "bold"))
    left = seconds_left(state)
    return text if left is None else text.append(f", {left} s", style=DIM)


def seconds_left(state: Mapping[str, Any], now: datetime | None = None) -> int | None:
    """Until the table's first limit; None where none runs."""
    ends = [datetime.fromisoformat(at.replace("Z", "+00:00")) for at in state["deadlines"].values()]
    if not ends:
        return None
    return max(0, int((min(ends) - (now or datetime.now(UTC))).total_seconds()))
