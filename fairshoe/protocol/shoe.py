"""A shoe's life: commit, contribute, seal, draw, reveal.

committed = commit("game-42", french(1), draws={"dice/0": 6})
publish(committed.commitment)
committed.contribute("alice", seed)
sealed = committed.seal()
card, dice = sealed.draw(), sealed.number("dice/0")
publish(sealed.reveal())
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ..errors import InputError, RuleError
from .commitment import check_key, commitment_of, new_key
from .deck import Deck, deck_of
from .draws import check_draws, drawn
from .proof import Proof, ReshuffleRecord
from .shuffle import dealt, shuffle_in_place
from .text import check_decimal, check_id
from .transcript import Beacon, Seed, Transcript, check_beacon, check_seeds

CUT = "cut"
Item = TypeVar("Item")


class Sealed:
    """A shoe whose order is fixed. Cards come lazily, position by position of the dealt order.

    Attributes: `transcript`, `deck`, `cut` (of the present deck), `position` of the next card,
    `gathered` (the present deck as indexes of the original one, in its order).
    """

    def __init__(
        self,
        key: bytes,
        transcript: Transcript,
        deck: Deck,
        *,
        cut: int = 0,
        draws: Mapping[str, int] | None = None,
    ) -> None:
        self._key = check_key(key)
        self.deck = deck
        self.draws = check_draws(draws or {}, len(deck))
        self.reshuffles: list[ReshuffleRecord] = []
        self.first_transcript = transcript
        self.first_cut = cut
        self._begin(transcript, deck, range(len(deck)), cut)

    def _begin(self, transcript: Transcript, present: Deck, gathered: Sequence[int], cut: int) -> None:
        check_decimal(cut, "cut", high=len(gathered) - 1)
        self.transcript = transcript
        self._present = present
        self._digest = transcript.digest
        self.gathered = gathered
        self.cut = cut
        self.position = 0
        self._indexes: Iterator[int] = dealt(self._key, self._digest, len(gathered), cut)

    def __len__(self) -> int:
        return len(self.gathered)

    @property
    def left(self) -> int:
        """Cards of the present deck that have not been drawn."""
        return len(self.gathered) - self.position

    def draw_index(self) -> int:
        """Take the next card: its index in the original deck. RuleError when none is left."""
        for index in self._indexes:
            self.position += 1
            return self.gathered[index]
        raise RuleError("the shoe is empty", where="draw", remedy="reshuffle the gathered cards")

    def draw(self) -> str:
        """Take the next card: its label."""
        return self.deck[self.draw_index()]

    def order(self) -> list[str]:
        """The whole dealt order of the present deck, as labels."""
        return self._turned(list(self._present))

    def order_indexes(self) -> list[int]:
        """The whole dealt order of the present deck, as indexes of the original one."""
        return self._turned(list(self.gathered))

    def _turned(self, items: list[Item]) -> list[Item]:
        shuffle_in_place(self._key, self._digest, items)
        return items[self.cut :] + items[: self.cut] if self.cut else items

    def number(self, name: str) -> int:
        """The value of a named draw that was listed at the commitment; no reshuffle changes it."""
        if name not in self.draws:
            raise InputError(
                f"no draw {name!r}", where="draws", expected="a name that was listed when the shoe was committed"
            )
        return drawn(self._key, self.first_transcript.digest, name, self.draws[name])

    def reshuffle(self, gathered: Sequence[int], *, cut: bool = True) -> None:
        """Gather cards in the middle of a deal and shuffle them anew under the same key.

        `gathered`: indexes of the original deck; they become the new deck in that deck's order.
        `cut`: cut by the named draw `cut` under the longer transcript; False where the game's rules
        do not cut here, which the record then shows as None.
        """
        indexes = sorted({check_decimal(index, "gathered", high=len(self.deck) - 1) for index in gathered})
        if not indexes or len(indexes) != len(gathered):
            raise InputError("not a set of cards", where="gathered", expected="distinct indexes of the deck")
        present = self.deck.pick(indexes)
        longer = self.transcript.with_reshuffle(len(present), present.hash)
        where = drawn(self._key, longer.digest, CUT, len(present)) if cut else None
        self.reshuffles.append(ReshuffleRecord(self.position, tuple(indexes), where))
        self._begin(longer, present, indexes, where or 0)

    def reveal(self) -> Proof:
        """Publish the key: a proof that anyone can verify. Call it when the last card is out."""
        return Proof(
            key=self._key.hex(),
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
    transcript = Transcript(
        check_id(shoe, "shoe"),
        len(checked),
        checked.hash,
        commitment_of(key),
        check_seeds(seeds),
        check_beacon(beacon),
    )
    return Sealed(key, transcript, checked, cut=cut, draws=draws)


def shuffle(
    *,
    key: bytes,
    shoe: str,
    deck: Sequence[str],
    seeds: Sequence[tuple[str, bytes]] = (),
    beacon: tuple[str, int, str] | None = None,
    cut: int = 0,
) -> list[str]:
    """The whole dealt order in one call.

    `key` 32 bytes; `shoe` an id; `deck` 1 to 65,536 labels; `seeds` pairs (contributor, bytes) in
    roster order; `beacon` (chain hex, round, randomness hex); `cut` 0 … n−1. Raises InputError.
    """
    return seal(key=key, shoe=shoe, deck=deck, seeds=seeds, beacon=beacon, cut=cut).order()


class Committed:
    """A shoe that is committed to and still takes contributions."""

    def __init__(self, key: bytes, shoe: str, deck: Sequence[str], draws: Mapping[str, int] | None = None) -> None:
        self._key = check_key(key)
        self.shoe = check_id(shoe, "shoe")
        self.deck = deck_of(deck)
        self.draws = check_draws(draws or {}, len(self.deck))
        self.commitment = commitment_of(key)
        self.seeds: tuple[Seed, ...] = ()
        self.beacon: Beacon | None = None
        self._sealed = False

    def contribute(self, contributor: str, seed: bytes) -> None:
        """Mix in one contributor's seed, 1 to 128 bytes; one a contributor, in this order."""
        self._still_open()
        self.seeds = check_seeds([*self.seeds, (contributor, seed)])

    def add_beacon(self, chain: str, number: int, randomness: str) -> None:
        """Mix in a public beacon's round that was named when the shoe was committed."""
        self._still_open()
        self.beacon = check_beacon((chain, number, randomness))

    def seal(self, *, cut: int = 0) -> Sealed:
        """Fix the order, cut at `cut` (0 … n−1). Nothing can be contributed afterwards. RuleError: twice."""
        self._still_open()
        sealed = seal(
            key=self._key,
            shoe=self.shoe,
            deck=self.deck,
            seeds=self.seeds,
            beacon=self.beacon,
            cut=cut,
            draws=self.draws,
        )
        self._sealed = True
        return sealed

    def _still_open(self) -> None:
        if self._sealed:
            raise RuleError("the shoe is sealed", where="shoe", remedy="commit to another shoe")


def commit(
    shoe: str, deck: Sequence[str], *, draws: Mapping[str, int] | None = None, key: bytes | None = None
) -> Committed:
    """Commit to a shuffle of `deck`: publish `.commitment` before anybody bets.

    `draws` lists further random numbers by name with their exclusive upper bound; no other counts.
    `key`: leave it out to have a fresh one made.
    """
    return Committed(new_key() if key is None else key, shoe, deck, draws)
