"""Whether the receipt of a decision shows the round that the answer shows."""

from __future__ import annotations

from typing import Any

from ..log.canonical import Entry

Form = dict[str, Any]


def round_fault(form: Entry, answer: Form) -> str | None:
    """What the answer, which is of the same moment or a later one, shows otherwise: another decision, other cards."""
    number, live, last = form["round"], answer.get("round"), answer.get("last") or {}
    if live is not None and live["round"] == number and "view" in live:
        found = _cards(live["view"])
    elif last.get("round") == number and last.get("shoe") == form["shoe"]:
        found = _logged_cards(last)
        if _said(form) != _made(form, last):
            return f"it says another decision than the round has at step {form['step']}"
    else:
        return None
    shown = _cards(form["view"]["round"])
    if len(shown) == len(found) and not all(map(_goes_on, shown, found)):
        return "it shows another round than the answer"
    return None


def _said(form: Entry) -> Form:
    return {"move": form["move"], "seat": form["seat"]} | {
        name: form[name] for name in ("amount", "chosen") if name in form
    }


def _made(form: Entry, last: Form) -> Form | None:
    """The decision that the logged round has at that step."""
    decisions: list[Form] = last["decisions"]
    return decisions[form["step"]] if form["step"] < len(decisions) else None


def _cards(view: Form) -> list[list[str | None]]:
    """The bank's cards, then each hand's; None for a card that is not seen."""
    return [each["cards"] for each in (view["dealer"], *view["hands"])]


def _logged_cards(last: Form) -> list[list[str | None]]:
    return [[last["cards"][offset] for offset in each["cards"]] for each in (last["dealer"], *last["hands"])]


def _goes_on(shown: list[str | None], found: list[str | None]) -> bool:
    """Whether one hand may become the other: the same cards where both are seen, and more."""
    pairs = zip(shown, found, strict=False)
    return len(shown) <= len(found) and all(a == b or None in (a, b) for a, b in pairs)
