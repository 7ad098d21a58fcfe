"""A shoe whose order is fixed: draw, reshuffle, reveal. What comes before is in `committed`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NoReturn, overload

from ..errors import InputError, RuleError
from .commitment import check_key, commitment_of
from .deck import Deck, deck_of
from .openings import BoundOrder, Opening
from .proof import Proof, ReshuffleRecord
from .text import BYTES_LIKE, as_list, check_decimal, check_id, type_name
from .transcript import PlacerCommitment, Reshuffle, Transcript, check_beacon, check_seeds
from .word_stream import check_draws, dealt, draw_named, iterate_deal

OTHER_SHOE = "commit to another shoe"
SEAL_FIRST = "call seal() first: what it returns deals, draws and reveals"


def _refusing_method(name: str, what: str, remedy: str) -> Callable[..., NoReturn]:
    """A method of the other half of a shoe's life: it raises RuleError."""

    def method(self: object, *_: object, **__: object) -> NoReturn:
        raise RuleError(what, where=name, remedy=remedy)

    method.__doc__ = f"RuleError: {what}."
    return method


def _too_early(name: str) -> Callable[..., NoReturn]:
    return _refusing_method(name, "the shoe is not sealed yet", SEAL_FIRST)


def _too_late(name: str) -> Callable[..., NoReturn]:
    return _refusing_method(name, "the shoe is sealed", OTHER_SHOE)


class NotSealed:
    """A shoe without a seal: no card, no number and no proof of it exists yet. Each method raises RuleError."""

    draw = _too_early("draw")
    draw_index = _too_early("draw_index")
    open = _too_early("open")
    order = _too_early("order")
    first = _too_early("first")
    order_indexes = _too_early("order_indexes")
    number = _too_early("number")
    reshuffle = _too_early("reshuffle")
    reveal = _too_early("reveal")


class NoLongerOpen:
    """To a sealed shoe nothing is contributed. Each method raises RuleError."""

    pledge = _too_late("pledge")
    strike = _too_late("strike")
    contribute = _too_late("contribute")
    fix_cut = _too_late("fix_cut")
    add_beacon = _too_late("add_beacon")
    seal = _too_late("seal")


CUT = "cut"


class Sealed(NoLongerOpen):
    """A shoe whose order is fixed. Cards come lazily, position by position of the dealt order.

    Attributes: `shoe`, `commitment`, `transcript`, `deck`, `cut` (of the present deck), `position` of the next card,
    `gathered` (the present deck as indexes of the original one, in its order), `bound` (the decks so far, the present
    one last).
    """

    has_placer = False

    def __init__(
        self,
        key: bytes,
        transcript: Transcript,
        deck: Deck,
        *,
        cut: int = 0,
        draws: Mapping[str, int] | None = None,
    ) -> None:
        if not isinstance(transcript, Transcript):
            remedy = "call fairshoe.seal, or fairshoe.commit(…).seal()"
            raise InputError(f"{type_name(transcript)} is not a transcript", where="transcript", remedy=remedy)
        self._key = check_key(key)
        self._proof: Proof | None = None
        self.deck = deck_of(deck)
        self.draws = {} if draws is None else check_draws(draws, len(deck))
        self.reshuffles: list[ReshuffleRecord] = []
        self.bound: list[BoundOrder] = []
        self.first_transcript = transcript
        self.first_cut = cut
        self._lines = list(transcript.reshuffles)
        self._hash = hashlib.sha256(transcript.text.encode("ascii"))
        self._begin(deck, range(len(deck)), cut)

    def _begin(self, present: Deck, gathered: Sequence[int], cut: int) -> None:
        check_decimal(cut, "cut", high=len(gathered) - 1)
        self._present = present
        self._digest = self._hash.digest()
        self.gathered = gathered
        self.cut = cut
        self.position = 0
        self._indexes: Iterator[int] = iterate_deal(self._key, self._digest, len(gathered), cut)
        self.bound.append(BoundOrder(self._key, self._digest, present, cut, numbered=self.has_placer))

    @property
    def transcript(self) -> Transcript:
        """The transcript of the present deck, with a line for each reshuffle."""
        return self.first_transcript._replace(reshuffles=tuple(self._lines))

    @property
    def shoe(self) -> str:
        """The shoe's id."""
        return self.first_transcript.shoe

    @property
    def commitment(self) -> str:
        """The commitment that was published before the deal."""
        return self.first_transcript.commitment

    @property
    def cards_root(self) -> str | None:
        """The root that binds the cards of the present deck, in hex; None after a reshuffle without a placer."""
        return self.bound[-1].root().hex() if self.has_placer or not self.reshuffles else None

    def __len__(self) -> int:
        return len(self.gathered)

    @property
    def left(self) -> int:
        """Cards of the present deck that have not been drawn."""
        return len(self.gathered) - self.position

    def go_to(self, position: int) -> None:
        """Go on behind the first `position` cards of the present deck, which were dealt before. RuleError: the key is
        revealed."""
        self._still_secret("go_to")
        self.position = check_decimal(position, "position", high=len(self))
        self._indexes = iterate_deal(self._key, self._digest, len(self.gathered), self.cut, position)

    def draw_index(self) -> int:
        """Take the next card: its index in the original deck. RuleError: none is left, or the key is revealed."""
        for index in self._indexes:
            self.position += 1
            return self.gathered[index]
        self._still_secret("draw")
        raise RuleError("the shoe is empty", where="draw", remedy="reshuffle the gathered cards")

    @overload
    def draw(self) -> str: ...
    @overload
    def draw(self, count: int) -> list[str]: ...
    def draw(self, count: int | None = None) -> str | list[str]:
        """Take the next card: its label; or the next `count`, a list of labels, for which a placer is asked at once.
        RuleError: so many are not left, or the key is revealed; none was drawn then."""
        if count is None:
            return self.deck[self.draw_index()]
        self._still_secret("draw")
        if check_decimal(count, "count", low=1) > self.left:
            what = f"{self.left} cards are left"
            raise RuleError(what, where="draw", expected=f"{count}", remedy="reshuffle the gathered cards")
        self._ask_ahead(count)
        return [self.deck[self.draw_index()] for _ in range(count)]

    def _ask_ahead(self, count: int) -> None:
        """Have the places of the next cards given, if a placer gives them."""

    def open(self, position: int) -> Opening:
        """Return the opening of the card at a position of the dealt order, which anyone verifies against `cards_root`
        before the reveal. RuleError: the present deck has no root, or a placer has not given this card."""
        if self.cards_root is None:
            raise RuleError("cards of a reshuffle have no openings", where="open", remedy="reveal the shoe")
        return self.bound[-1].open(self._place_of(check_decimal(position, "position", high=len(self) - 1)))

    def _place_of(self, position: int) -> int:
        """Return where in the house's own order the card at a position lies."""
        return position

    def order(self) -> list[str]:
        """Return the whole dealt order of the present deck, as labels."""
        return dealt(self._key, self._digest, self._present, self.cut, len(self))

    def labels_at(self) -> dict[int, str]:
        """Return the labels of the present deck by position; with a placer of the positions whose places are known."""
        return dict(enumerate(self.order()))

    def first(self, count: int) -> list[str]:
        """The first `count` labels of the dealt order, or all where there are fewer. It costs so many and the cut."""
        return dealt(self._key, self._digest, self._present, self.cut, min(check_decimal(count, "count"), len(self)))

    def order_indexes(self) -> list[int]:
        """Return the whole dealt order of the present deck, as indexes of the original one."""
        return dealt(self._key, self._digest, self.gathered, self.cut, len(self))

    def number(self, name: str) -> int:
        """Return the value of a named draw that was listed at the commitment; no reshuffle changes it."""
        if check_id(name, "name") not in self.draws:
            listed = ", ".join(sorted(self.draws)[:8]) or "none"
            raise InputError(
                f"no draw {name!r}",
                where="name",
                expected=f"a name that was listed when the shoe was committed: {listed}",
                remedy="list it in the `draws` of the next shoe: nobody may choose a name afterwards",
            )
        return draw_named(self._key, self.first_transcript.digest, name, self.draws[name])

    def reshuffle(self, gathered: Collection[int], *, cut: bool = True) -> None:
        """Gather cards in the middle of a deal and shuffle them anew under the same key.

        `gathered`: indexes of the original deck; they become the new deck in that deck's order.
        `cut`: cut by the named draw `cut` under the longer transcript; False where the game's rules
        do not cut here, which the record then shows as None. RuleError: the key is revealed.
        """
        self._still_secret("reshuffle")
        if not isinstance(cut, bool):
            remedy = "pass True for a cut at the named draw `cut`, False for none: nobody chooses here"
            raise InputError(
                f"{type_name(cut)} is not a yes or no", where="cut", expected="True or False", remedy=remedy
            )
        indexes = self._gathered(gathered)
        present = self.deck.pick(indexes)
        line = Reshuffle(len(self._lines) + 1, len(present), present.hash)
        self._lines.append(line)
        self._hash.update(line.line.encode("ascii"))
        where = draw_named(self._key, self._hash.digest(), CUT, len(present)) if cut else None
        self.reshuffles.append(ReshuffleRecord(self.position, tuple(indexes), where))
        self._begin(present, indexes, where or 0)

    def _gathered(self, given_indexes: Collection[int]) -> list[int]:
        expected = "distinct indexes of the deck"
        if not isinstance(given_indexes, Collection) or isinstance(given_indexes, (str, Mapping, *BYTES_LIKE)):
            remedy = as_list(given_indexes, "gathered", "a list of indexes, such as [0, 1, 2]")
            what = f"{type_name(given_indexes)} is not a list of cards"
            raise InputError(what, where="gathered", expected=expected, remedy=remedy)
        high = len(self.deck) - 1
        indexes = sorted({check_decimal(index, "gathered", high=high) for index in given_indexes})
        if not indexes or len(indexes) != len(given_indexes):
            raise InputError("not a set of cards", where="gathered", expected=expected)
        return indexes

    def reveal(self) -> Proof:
        """Publish the key: a proof that anyone can verify. Call it when the last card is out.

        Nothing is drawn or reshuffled afterwards; called again it gives the same proof.
        """
        if self._proof is None:
            self._proof = self._record()
            self._indexes = iter(())
        return self._proof

    def _record(self) -> Proof:
        return Proof(
            key=self._key,
            shoe=self.first_transcript.shoe,
            deck=self.deck,
            commitment=self.first_transcript.commitment,
            seeds=self.first_transcript.seeds,
            beacon=self.first_transcript.beacon,
            cut=self.first_cut,
            draws={name: (m, self.number(name)) for name, m in self.draws.items()},
            reshuffles=tuple(self.reshuffles),
            dealt=self.position,
        )

    @property
    def revealed(self) -> bool:
        """Whether `reveal` was called."""
        return self._proof is not None

    def _still_secret(self, where: str) -> None:
        if self._proof is not None:
            raise RuleError(
                "the key is revealed, and with it every card",
                where=where,
                remedy="commit to another shoe: fairshoe.commit makes a fresh key",
            )


def seal(
    *,
    key: bytes,
    shoe: str,
    deck: Sequence[str],
    seeds: Sequence[tuple[str, bytes]] = (),
    beacon: tuple[str, int, str] | None = None,
    cut: int = 0,
    draws: Mapping[str, int] | None = None,
) -> Sealed:
    """Fix the order of a shoe from everything that went into it; all arguments are checked."""
    checked = deck_of(deck)
    return Sealed(key, transcript_for(key, shoe, checked, seeds, beacon), checked, cut=cut, draws=draws)


def transcript_for(
    key: bytes,
    shoe: str,
    deck: Deck,
    seeds: Sequence[tuple[str, bytes]],
    beacon: tuple[str, int, str] | None,
    placer: PlacerCommitment | None = None,
) -> Transcript:
    """Return the transcript of a shoe. InputError."""
    return Transcript(
        check_id(shoe, "shoe"),
        len(deck),
        deck.hash,
        commitment_of(key),
        check_seeds(seeds),
        check_beacon(beacon),
        placer=placer,
    )


def shuffle(
    *,
    key: bytes,
    shoe: str,
    deck: Sequence[str],
    seeds: Sequence[tuple[str, bytes]] = (),
    beacon: tuple[str, int, str] | None = None,
    cut: int = 0,
) -> list[str]:
    """Return the whole dealt order in one call.

    `key` 32 bytes; `shoe` an id; `deck` 1 to 65,536 labels; `seeds` pairs (contributor, bytes) in
    roster order; `beacon` (chain hex, round, randomness hex); `cut` 0 … n−1. Raises InputError.
    """
    return seal(key=key, shoe=shoe, deck=deck, seeds=seeds, beacon=beacon, cut=cut).order()
