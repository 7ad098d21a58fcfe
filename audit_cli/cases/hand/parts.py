"""The entries of a proof file: can they be followed, and are they just those that its hand needs; and one made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fairshoe.ceremony.book import PLAYER
from fairshoe.engine.rules import rules_of
from fairshoe.errors import InputError, NotALog, NotCanonical, VerificationError
from fairshoe.log.canonical import Entry, decode
from fairshoe.log.checkpoint import checkpoint_of, open_checkpoint
from fairshoe.log.directory import CHECKPOINT
from fairshoe.log.hand_proof import HandProof, build_proof, with_openings
from fairshoe.log.note import Verifier
from fairshoe.log.tree import Leaves
from fairshoe.protocol.openings import Opening
from fairshoe.record import hand_entries
from fairshoe.record.forms import newest, version_of
from fairshoe.record.openings import places_of_hand

from ...verify.evidence.head import read_beside
from ...verify.evidence.log_lines import LogLines, with_progress
from ...verify.evidence.openings import find_openings, openings_in
from ...verify.walk.shapes import ENVELOPE, KINDS, entry_faults

WHOLE_LOG = "get the proof again; if it is the same, audit the whole log: `fairshoe-audit verify`"


class ProofRefused(VerificationError):
    """A proof file that shows nothing: whoever changed it, or left something out, is not to be told from it."""

    fault = "unknown"


def refused(error: VerificationError) -> ProofRefused:
    """Return the error with nobody's fault."""
    return ProofRefused(error.what, where=error.where, expected=error.expected, remedy=error.remedy)


class LocatedEntry(NamedTuple):
    """An entry with its place in the log, from 0, and its bytes."""

    place: int
    line: bytes
    entry: Entry


class ProofEntries:
    """The entries of one hand in the log's order, with what is asked of them. `seats` is who of the roster sat where at
    the commitment, `chairs` all that were taken then."""

    def __init__(self, name: str, parts: list[LocatedEntry]) -> None:
        self.table, self.number = hand_entries.round_of(name)
        self.all = parts
        shoe = self.of("shoe")[0].entry
        self.chairs = hand_entries.chairs_in(shoe)
        self.seats = hand_entries.seated(shoe)

    def of(self, *kinds: str) -> list[LocatedEntry]:
        return [part for part in self.all if part.entry["kind"] in kinds]

    def round(self, number: int) -> Entry | None:
        """Return the `round` that ended the round of this number."""
        return next((part.entry for part in self.of("round") if part.entry["round"] == number), None)

    @property
    def openers(self) -> list[str]:
        """The players in the order of their turns to open a seed, as the log has it."""
        turns = [part.entry["player"] for part in self.of("opened", "lapse")]
        return turns + [part.entry["by"] for part in self.of("void") if "by" in part.entry]

    def sitting(self, seat: int, before: int) -> tuple[str, str] | None:
        """Return who sat in a chair before entry number `before`, and since when: "" if that was before the shoe."""
        since = [part.entry for part in self.of("chips") if part.place < before and part.entry["seat"] == seat]
        if since:
            return None if since[-1].get("leaves") else (since[-1]["player"], since[-1]["at"])
        return (self.seats[seat], "") if seat in self.seats else None

    @property
    def deals_many(self) -> bool:
        """Whether a shoe serves many rounds by the table's rules, so that its seal stands before the bets."""
        table = self.of("table")[0].entry
        try:
            return not rules_of(table["rules"], table["options"]).one_round
        except InputError:
            return False


def faults_of(proof: HandProof) -> Iterator[str]:
    """Describe what nobody can follow in the entries that the house signed. Raises InputError if one is of a newer
    version than this."""
    for place, line, _ in proof.entries:
        try:
            entry = decode(line)
        except NotCanonical as error:
            yield f"entry {place}: {error.what}"
            continue
        if type(entry.get("v")) is int and entry["v"] > newest():
            what, expected = "written by a newer fairshoe", f"v up to {newest()}"
            raise InputError(what, where=f"entry {place}", expected=expected, remedy="take the newest fairshoe-audit")
        if faults := _faults(entry):
            yield f"entry {place}: malformed: {', '.join(faults)}"


def _faults(entry: Entry) -> list[str]:
    """Return the fields that are missing, unknown or of another form."""
    kind = entry.get("kind")
    if type(kind) is not str or kind not in KINDS:
        return ["kind"]
    stated = {name: value for name, value in entry.items() if name not in ENVELOPE}
    return entry_faults(entry) or ([] if entry["v"] == version_of(kind, stated) else ["v"])


def parts_of(proof: HandProof) -> ProofEntries:
    """The entries of a proof without faults. Raises ProofRefused where they are not all of this hand, or not all that
    it needs; InputError where the file names no round."""
    table, number = hand_entries.round_of(proof.round)
    parts = [LocatedEntry(place, line, decode(line)) for place, line, _ in proof.entries]
    needed = hand_entries.HandEntries(table, number)
    for part in parts:
        needed.take(part.place, part.line)
    try:
        lines = needed.lines
    except InputError:
        what, expected = f"there is no round {proof.round} in it", "the `table`, `shoe` and `open` of that round"
        raise _not_whole(what, expected) from None
    stray = sorted({part.place for part in parts} - {index for index, _ in lines})
    if stray:
        what, expected = "it is not of this hand, or not needed", f"entries of round {proof.round}"
        raise _not_whole(what, expected, f"entry {stray[0]}")
    whole = ProofEntries(proof.round, parts)
    for missing in _missing(whole):
        raise _not_whole(f"it lacks {missing}", "every entry that the hand needs")
    return whole


def _not_whole(what: str, expected: str, where: str = "proof") -> ProofRefused:
    return ProofRefused(what, where=where, expected=expected, remedy=WHOLE_LOG)


# What must stand there and does not was taken out, or the house never logged it. Either way nothing is said: else a
# proof of an honest log could be made to look like one of a house that left something out.


def _missing(parts: ProofEntries) -> Iterator[str]:
    """Describe the missing entries of a hand. A proof made before the hand's end may lack the later ones."""
    revealed = bool(parts.of("reveal"))
    if revealed and parts.round(parts.number) is None:
        yield f"`round` {parts.number}"
    if not parts.of("seal") and (revealed or parts.of("round", "reshuffle") or parts.deals_many):
        yield "the `seal`"
    yield from _missing_seeds(parts)
    listed = [part.entry for part in parts.of("reshuffle")]
    if [each["k"] for each in listed] != list(range(1, len(listed) + 1)):
        yield "a `reshuffle`"
    for number in {part.entry["round"] for part in parts.of("open")}:
        logged = parts.round(number)
        if logged is not None and len(logged.get("reshuffled", ())) != sum(each["round"] == number for each in listed):
            yield f"a `reshuffle` of round {number}"
    yield from _missing_seats(parts)
    if any("placer" in part.entry for part in parts.of("shoe")):
        yield from _missing_rounds(parts)


def _missing_rounds(parts: ProofEntries) -> Iterator[str]:
    """Of a shoe with a placer every round before this one, each of which begins where the one before it ended."""
    numbers = [part.entry["round"] for part in parts.of("open")]
    if numbers != list(range(parts.number - len(numbers) + 1, parts.number + 1)):
        yield "an `open`"
    position: int | None = sum("burn" in part.entry for part in parts.of("seal"))
    for number in numbers:
        logged = parts.round(number)
        if logged is None and number < parts.number:
            yield f"`round` {number}"
        elif logged is not None:
            if position not in (None, logged["pos"]):
                yield f"a round before round {number}"
            position = None if "reshuffled" in logged else logged["pos"] + len(logged["cards"])


def _missing_seeds(parts: ProofEntries) -> Iterator[str]:
    if parts.of("table")[0].entry.get("placer") == PLAYER:
        return
    seeds, seal = parts.of("seeds"), parts.of("seal")
    if len(parts.chairs) == len(parts.seats) == 1 and not parts.deals_many:
        if (seal or _lacks_beacon(parts)) and not parts.of("opened"):
            yield "the `opened`"
        return
    if not seeds:
        yield "the `seeds`"
        return
    begun = seeds[0].place if parts.deals_many else parts.of("open")[-1].place
    gone = {part.entry["player"] for part in parts.of("chips") if part.entry.get("leaves") and part.place < begun}
    left = seeds[0].entry["hashes"].keys() - gone
    struck = {part.entry["player"] for part in parts.of("lapse")}
    waited = left.difference(parts.openers)
    for player in sorted(waited) if seal else ():
        yield f"the `opened` or `lapse` of {player}"
    if _lacks_beacon(parts) and waited and (parts.of("opened") or len(waited) == 1):
        yield "an `opened`, without which a seed is owed"
    for part in parts.of("void"):
        if "by" in part.entry and len(left - struck) > 1 and not parts.of("opened"):
            yield "an `opened`, without which nobody's seed makes a shoe void"
        elif "by" not in part.entry and part.entry["why"] == "seed":
            yield from (f"the `lapse` of {player}" for player in sorted(_bettors(parts) - struck))


def _lacks_beacon(parts: ProofEntries) -> bool:
    return any(part.entry["why"] == "beacon" for part in parts.of("void"))


def _bettors(parts: ProofEntries) -> set[str]:
    """Return the players who bet on this round."""
    opened = parts.of("open")[-1]
    sitting = (parts.sitting(bet["seat"], opened.place) for bet in opened.entry["bets"])
    return {who[0] for who in sitting if who is not None}


def _missing_seats(parts: ProofEntries) -> Iterator[str]:
    """Of whom an `open` names, and who may have no seed in the shoe, it must be told how the chair was taken."""
    contributors = {part.entry["player"] for part in parts.of("opened")}
    for part in parts.of("open"):
        sitting = {seat: parts.sitting(seat, part.place) for seat in hand_entries.named_in(part.entry)}
        names = Counter(who[0] for who in sitting.values() if who is not None)
        sealed = any(seal.place < part.place for seal in parts.of("seal"))
        for seat in hand_entries.newcomers_in(part.entry) if sealed else ():
            player, since = sitting[seat] or ("", "")
            own = player in contributors and seat not in part.entry.get("waived", ())
            if not (since or own) or names[player] > 1:
                yield f"the `chips` by which seat {seat} was taken"


# Made of a log.


def make(
    log: Path, round: str, verifier: Verifier | None = None, progress: Callable[[int], None] | None = None
) -> HandProof:
    """The proof of a round, `TABLE#NUMBER`, under the checkpoint beside the log. Raises InputError where there is no
    such round or checkpoint, NotALog, VerificationError where the key did not sign it."""
    hand = (
        hand_entries.DrawEntries(*hand_entries.draw_of(round))
        if "@" in round
        else hand_entries.HandEntries(*hand_entries.round_of(round))
    )
    leaves = Leaves()
    note = read_beside(log, CHECKPOINT)
    if note is None:
        remedy = "give the log's directory, with its checkpoint"
        raise InputError("no checkpoint beside the log", where=str(log), expected=CHECKPOINT, remedy=remedy)
    head = checkpoint_of(note) if verifier is None else open_checkpoint(note, verifier)
    lines = iter(LogLines(log))
    leaves.extend(_shown(hand, islice(lines if progress is None else with_progress(lines, progress), head.size)))
    if len(leaves) < head.size or leaves.root(head.size) != head.root:
        expected = f"the {head.size} entries that the checkpoint covers"
        remedy = "fairshoe-audit verify says what is wrong with it"
        raise NotALog("the log is not the one that was signed", where=str(log), expected=expected, remedy=remedy)
    if isinstance(hand, hand_entries.DrawEntries) and not hand.lines:
        raise InputError(f"no card {round} in this log", where="--round", expected="SHOE@POSITION of a card drawn")
    proof, file = build_proof(round, note, hand.lines, leaves.node), find_openings(log)
    if file is None or isinstance(hand, hand_entries.DrawEntries):
        return proof
    return with_openings(proof, _openings_of(parts_of(proof), openings_in(file)))


def _openings_of(parts: ProofEntries, openings: Mapping[str, Sequence[Opening]]) -> list[Opening]:
    """Return the openings of the hand's cards, if all are there and lead to the root in the seal."""
    entries = [part.entry for part in parts.all]
    places = places_of_hand(entries, parts.number)
    root = next((entry["cards_root"] for entry in entries if "cards_root" in entry), "") if places else ""
    found: dict[int, Opening] = {}
    for each in openings.get(parts.of("shoe")[0].entry["shoe"], ()) if places else ():
        with suppress(VerificationError):
            each.verify(root)
            found[each.pos] = each
    return [found[place] for place in places] if found.keys() >= set(places) else []


def _shown(hand: hand_entries.HandEntries | hand_entries.DrawEntries, lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same lines, each taken by `hand`."""
    for index, line in enumerate(lines):
        hand.take(index, line)
        yield line
