"""Whether a restored house deals cards that were seen before it was restored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

Entry = dict[str, Any]


def dealt_again(before: Sequence[Entry], after: Sequence[Entry]) -> Iterator[str]:
    """What `after` deals of the shoes in `before` and may not: of one that had ended, of one of which a round was open,
    or a card at a place that was dealt from already."""
    gone = {entry["shoe"] for entry in before if entry["kind"] in ("reveal", "void", "lost")} | _open_on_a_seal(before)
    reshuffled = {entry["shoe"] for entry in (*before, *after) if entry["kind"] == "reshuffle"}
    ends = {entry["shoe"]: _end(entry) for entry in before if entry["kind"] == "round"}
    for entry in after:
        shoe = entry.get("shoe", "")
        if entry["kind"] == "round" and shoe in gone:
            yield f"{shoe} is dealt again"
        elif entry["kind"] == "round" and shoe not in reshuffled and entry["pos"] < ends.get(shoe, 0):
            yield f"{shoe} is dealt from {entry['pos']}, and was seen up to {ends[shoe]}"


def _open_on_a_seal(entries: Sequence[Entry]) -> set[str]:
    sealed = {entry["shoe"] for entry in entries if entry["kind"] == "seal"}
    opened = Counter(entry["shoe"] for entry in entries if entry["kind"] == "open")
    over = Counter(entry["shoe"] for entry in entries if entry["kind"] == "round")
    return {shoe for shoe in sealed if opened[shoe] > over[shoe]}


def _end(entry: Entry) -> int:
    end: int = entry["pos"] + len(entry["cards"])
    return end
