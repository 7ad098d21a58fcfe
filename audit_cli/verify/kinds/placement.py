"""The placer of a shoe: whether it is the table's; its chain, rebuilt at each entry with places; its key (`placed`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from fairshoe.ceremony.book import PLAYER, LoggedPlacer
from fairshoe.ceremony.contributing import placer_of, transcript_of
from fairshoe.ceremony.fold import apply_entry, run_of
from fairshoe.ceremony.placer_steps import PlacerSteps, chain_of, check_note, final_question, record_steps
from fairshoe.engine.cards import LoggedCards
from fairshoe.errors import InputError, VerificationError
from fairshoe.log.canonical import Entry
from fairshoe.log.note import verifier_of
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placer_chain import Chain, RepeatedPlace, take_places
from fairshoe.protocol.transcript import Reshuffle, Transcript
from fairshoe.protocol.word_stream import places
from fairshoe.record.forms import placement_of

from ..findings.finding import Place, codes_of
from ..walk.audit import Audit, EntryKind
from ..walk.shapes import count, hex32, identifier, list_of, non_empty, number, record, shape, text
from ..walk.state import AuditedShoe, AuditedTable, ImpliedStep, PlacedRow

CODES = codes_of("""
placer-differs: commitment
  the house committed to a shoe with another placer than the table's
  `placer` of a shoe is that of its table, with a commitment of its own. Where the player places the key is that of the
  buy-in that took the chair, which has one there, in the player's name, and nowhere else.
placing-differs: cards
  the house asked a placer for another card than the log has next, or changed the log afterwards
  A placer signs the head of a chain of all that it was asked for, and of the bets and decisions before each card. Built
  again from the log, the chain has another head, or places are missing, or too many.
  next: Ask house and placer for the questions and notes of this shoe, which both keep: at the first step that differs
  the house is at fault where it signed a question that is not what the log has, else the placer.
place-repeated: cards
  the house dealt a card from a place that the placer had given before, or that no deck has
  A placer gives each place once under one digest, and a house takes none twice: whoever knows the card there could deal
  it again. The placer is at fault too.
place-differs: cards, placer
  the placer gave another place than its key gives
  Each place that a placer gives follows from its key and the transcript. The house chose this placer.
  next: The cards are those of the place that was given, so no card shows it: ask that placer, and the house, for the
  questions and notes of this shoe, which both keep.
player-place-differs: cards, note, player
  the player who places gave another place than the player's own key gives
  The house could not know it before that key was out, and nobody else plays at this table: it is the player's fault,
  and never fails the log of the house.
placer-key-overdue: completeness, placer
  the placer's key is missing thirty days after its shoe was over
  Without it nobody can check the places that it gave. The house chose this placer.
placed-and-void: completeness
  the house asked for cards of a shoe, and then made it void
  Of a void shoe a placer is asked for its key, and for nothing before.
""")


def verifier(value: Any) -> bool:
    """Whether a JSON value is a verifier key whose name is an id."""
    try:
        return type(value) is str and str(verifier_of(value)) == value and identifier(value.partition("+")[0])
    except InputError:
        return False


def verifier_or_player(value: Any) -> bool:
    """Whether it is such a key, or names the player."""
    return value == PLAYER or verifier(value)


COMMITTED = record({"commitment": hex32, "key": verifier})
PLACED = record({"places": non_empty(list_of(count)), "signature": text})
SHAPE = shape(shoe=identifier, key=hex32, steps=number, signature=text)


# At the commitment.


def check_committed(audit: Audit, state: AuditedTable | None, entry: Entry, place: Place) -> None:
    """Check the placer of a new shoe."""
    placer: Mapping[str, str] | None = entry.get("placer")
    found = placer["key"] if placer else ""
    wanted = placer_of(state.book) if state is not None else found if "told" in entry else ""
    audit.has_placer |= placer is not None
    if found != wanted:
        audit.find("placer-differs", place, field="placer", expected=wanted or None, found=found or None)
    if placer is not None and not (audit.origin and audit.tree is not None):
        audit.unchecked["cards", "shoes with a placer of a log without its checkpoint: the placer's chain"] += 1


# At each entry that shows places.


class RebuiltSteps(PlacerSteps):
    """The steps as a log implies them. `rows`: by deck its digest and size, the first card's place, how many."""

    def __init__(self, audit: Audit, shoe: AuditedShoe, placer: LoggedPlacer, entry: Entry) -> None:
        placement = placement_of(entry)
        self.places = placement.places if placement is not None else ()
        super().__init__(chain_of(audit.origin, shoe.book_shoe, placer, shoe.commitment), self.places)
        self._steps = audit.steps
        self.rows: list[tuple[str, int, int, int]] = []
        self.repeated: list[int] = []
        self._shoe = shoe

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        super().shuffle(size, digest, root)
        self.rows.append((digest.hex(), size, 0, 0))

    def card(self, place: int) -> int:
        digest, size, start, many = self.rows[-1]
        self.rows[-1] = digest, size, start if many else place, many + 1
        return super().card(place)

    def add_step(self, line: str, since: str) -> None:
        before = self.chain
        super().add_step(line, since)
        try:
            self._shoe.place_mask = take_places(self._shoe.place_mask, [line])
            wrong = line.startswith("card") and int(line.rpartition(" ")[2]) >= self.size
        except RepeatedPlace:
            wrong = True
        if wrong:
            self.repeated.append(sum(many for *_, many in self.rows) - 1)
        if self._steps is not None:
            self._steps.setdefault(before.placer, []).append(ImpliedStep(before, line, since))

    @property
    def is_complete(self) -> bool:
        """Whether the placer gave just a place for each card."""
        return len(self.places) == sum(many for *_, many in self.rows)

    def placed_rows(self, entry: int, number: int) -> Iterator[PlacedRow]:
        """Yield the rows with the places that were given."""
        given = iter(self.places)
        for digest, size, start, many in self.rows:
            yield PlacedRow(entry, number, digest, size, start, list(islice(given, many)))


def rebuild_steps(audit: Audit, shoe: AuditedShoe, entry: Entry, *, deals: bool = True) -> RebuiltSteps | None:
    """The steps of an entry, of which those before its first card are taken; None for a shoe without a placer."""
    if shoe.book_shoe.placer is None:
        return None
    asking = RebuiltSteps(audit, shoe, shoe.book_shoe.placer, entry)
    asking.begin_entry(shoe.book_shoe, dealing=False)
    asking.shuffle(shoe.book_shoe.cards, _transcript(shoe).digest, partial(_root, shoe.cards_root))
    if deals:
        asking.begin_entry(shoe.book_shoe, dealing=True)
    return asking


def _root(logged: str | None) -> bytes:
    """Return the root that an entry shows; where it shows none no chain fits."""
    return bytes.fromhex(logged or "")


def _transcript(shoe: AuditedShoe) -> Transcript:
    return transcript_of(shoe.book_shoe, shoe.commitment, shoe.deck)


class PlacedCards:
    """The cards that an entry shows, with its placer told of each."""

    def __init__(self, dealt: LoggedCards, asking: PlacerSteps, shoe: AuditedShoe) -> None:
        self.cards, self.asking, self.shoe = dealt, asking, shoe

    @property
    def position(self) -> int:
        return self.cards.position

    @property
    def left(self) -> int:
        return self.cards.left

    @property
    def present(self) -> int:
        return self.cards.present

    @property
    def size(self) -> int:
        return self.cards.size

    def draw(self) -> str:
        place, label = self.cards.position, self.cards.draw()
        self.asking.card(place)
        return label

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        """Under the transcript with the reshuffles that the log shows."""
        self.cards.reshuffle(cut=cut, burn=burn)
        logged = [] if self.shoe.table is None else self.shoe.table.reshuffles
        shown = [each.entry for each in logged[: len(self.cards.reshuffles)]]
        lines = tuple(Reshuffle(entry["k"], entry["cards"], entry["deck"]) for entry in shown)
        root = shown[-1].get("cards_root") if shown else None
        digest = _transcript(self.shoe)._replace(reshuffles=lines).digest
        self.asking.shuffle(self.cards.present, digest, partial(_root, root))
        if burn and self.cards.present > 1:
            self.asking.card(0)


def judge(
    audit: Audit, shoe: AuditedShoe, entry: Entry, asking: RebuiltSteps | None, place: Place, *, played: bool = True
) -> None:
    """Hold what an entry shows of its placer against the steps. `played`: it could be followed to its end."""
    told, placement = shoe.book_shoe, placement_of(entry)
    if asking is None or told.placer is None:
        if placement is not None:
            audit.find("placing-differs", place, field="placed", found=len(placement.places))
        return
    shoe.rows += asking.placed_rows(audit.index, place.round or 0)
    for i in asking.repeated:
        audit.find("place-repeated", place, field=f"placed.places[{i}]", found=asking.places[i])
    if shoe.astray is not None:
        return
    if not played:
        _lose(audit, shoe)
    elif placement is None or not asking.is_complete:
        found = len(asking.places)
        audit.find("placing-differs", place, field="placed", expected="a place for each card", found=found)
        _lose(audit, shoe)
    elif _is_signed(audit, asking.chain, told.placer, placement.signature, place, "placed.signature"):
        record_steps(told, asking.chain)
    else:
        _lose(audit, shoe)


def _is_signed(
    audit: Audit, chain: Chain, placer: LoggedPlacer, signature: str, place: Place, field: str, key: bytes = b""
) -> bool:
    """Whether the placer's signature is under its chain, so far as the log's tree is known; else it is reported."""
    if not audit.origin or audit.tree is None:
        return True
    audit.report.checked("cards")
    try:
        check_note(chain, placer, signature, key)
    except VerificationError as error:
        expected = f"a signature of {placer.name} under step {chain.steps}, head {chain.head.hex()}"
        audit.find("placing-differs", place, field=field, expected=expected, found=error.what)
        return False
    return True


def _lose(audit: Audit, shoe: AuditedShoe) -> None:
    shoe.astray = audit.index
    audit.unchecked["cards", "shoes whose placer's chain could not be followed: the rest of it"] += 1


def is_whole(audit: Audit, shoe: AuditedShoe) -> bool:
    """Whether the log has a place for each card of a shoe with a placer: without, nobody can say what lay there."""
    if shoe.book_shoe.placer is None:
        return True
    cards = sum(len(dealt.cards) + sum(made.burn for made in dealt.gatherings) for dealt in shoe.rounds)
    cards += sum(run_of(entry).size for _, entry in shoe.told_entries if entry["kind"] == "drawn")
    shown = sum(len(row.places) for row in shoe.rows)
    if shown >= cards + (shoe.burn is not None):
        return True
    audit.unchecked["cards", "shoes of which places are missing: their cards"] += 1
    return False


class LoggedPlaces:
    """The places that a log shows, as they lead into the house's own order."""

    def __init__(self, shoe: AuditedShoe) -> None:
        self._decks: dict[bytes, dict[int, int]] = {}
        for row in shoe.rows:
            deck = self._decks.setdefault(bytes.fromhex(row.digest), {})
            for place, given in enumerate(row.places, row.start):
                deck.setdefault(place, given)  # of a deck whose reshuffle cannot be read: what lay there before

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        self._deck, self._size = self._decks.get(digest, {}), size

    def card(self, place: int) -> int:
        found = self._deck[place]
        if found >= self._size:
            raise LookupError(place)
        return found


# The end.


def check_placed(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.unplaced.get(entry["shoe"])
    placer = None if shoe is None else shoe.book_shoe.placer
    if shoe is None or placer is None:
        wanted = "the placer's key of a shoe that is over, once"
        audit.wrong_step(Place(shoe=entry["shoe"]) if shoe is None else shoe.place, wanted, "placed")
        return
    audit.check_unplaced(shoe, entry["at"])
    key, place = bytes.fromhex(entry["key"]), shoe.place
    audit.report.checked("commitment")
    if commitment_of(key) != placer.commitment:
        found = f"hashes to {commitment_of(key)}"
        audit.find("key-mismatch", place, field="key", expected=placer.commitment, found=found)
        audit.unchecked["cards", "shoes whose key does not fit: their cards"] += 1
    else:
        _check_end(audit, shoe, placer, key, entry)
        _check_places(audit, shoe, key)
    apply_entry(shoe.book, None, entry)
    del audit.unplaced[shoe.id]


def _check_end(audit: Audit, shoe: AuditedShoe, placer: LoggedPlacer, key: bytes, entry: Entry) -> None:
    """The chain ends with the shoe, and has no step that the log does not show."""
    if shoe.astray is not None or shoe.beyond:
        return
    chain = final_question(shoe.book_shoe, chain_of(audit.origin, shoe.book_shoe, placer, shoe.commitment)).answered(())
    if entry["steps"] != chain.steps:
        code = "placing-differs" if shoe.book_shoe.sealed else "placed-and-void"
        audit.find(code, shoe.place, field="steps", expected=chain.steps, found=entry["steps"])
    else:
        _is_signed(audit, chain, placer, entry["signature"], shoe.place, "signature", key)


def _check_places(audit: Audit, shoe: AuditedShoe, key: bytes) -> None:
    """Check that each place that the placer signed is the key's."""
    code = "player-place-differs" if shoe.book_shoe.player_places else "place-differs"
    orders: dict[str, list[int]] = {}
    for row in shoe.rows:
        if shoe.astray is not None and row.line >= shoe.astray:
            return  # nobody has signed these
        if row.digest not in orders:
            if not audit.may_order(shoe):
                return
            orders[row.digest] = places(key, bytes.fromhex(row.digest), row.size)
        order = orders[row.digest]
        audit.report.checked("cards")
        for i, found in enumerate(row.places):
            wanted = order[row.start + i] if row.start + i < len(order) else None
            if found != wanted:
                where, field = shoe.round(row.number), f"placed.places[{i}]"
                audit.find(code, where, entry=row.line, field=field, expected=wanted, found=found)


KINDS = (EntryKind("placed", SHAPE, check_placed),)
