"""Shoes without a table whose cards the log tells: a card game with hidden hands, dice, and a game without players."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from fairshoe.cards import named_deck
from fairshoe.ceremony.book import Gather
from fairshoe.ceremony.drawing import replay_gathers
from fairshoe.ceremony.placer_steps import draw_text
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placed_shoe import KeyPlaces, seal_placed
from fairshoe.protocol.placer_chain import Chain, new_chain, shuffle_line, since_of
from fairshoe.protocol.shoe import Sealed
from fairshoe.protocol.transcript import PlacerCommitment
from fairshoe.protocol.word_stream import places
from fairshoe.record import entries

from .everything import Raffle
from .house import POLICY, SIGNER, House, Seating

DECK = "french:1"
PLACER = Signer("placer.example", b"p" * 32)
RULES = sha256(b"the rules of this game").hexdigest()


class ToldGame(Raffle):
    """A shoe from its commitment to its seal; then cards are drawn, hidden and shown."""

    order: list[str]
    live: Sealed
    placer: Places | None = None
    pos = 0

    def __init__(
        self,
        house: House,
        name: str,
        roster: list[str],
        draws: dict[str, int] | None = None,
        cut: int | None = None,
        *,
        placed: bool = False,
        **more: Any,
    ) -> None:
        more |= {"named": DECK, "told": True, "rules_hash": RULES}
        if placed:
            self.placer = Places(house, name)
            more["placer"] = {"commitment": self.placer.commitment, "key": str(PLACER.verifier)}
        super().__init__(house, name, named_deck(DECK), roster, draws or {}, **more)
        if roster:
            self.contribute(None if cut is None else {"at": cut, "by": roster[0]})
        self.fix_order(cut=cut or 0)

    def contribute(self, cut: dict[str, Any] | None) -> None:
        self.hash(set(), cut)
        self.open(set())

    def fix_order(self, *, cut: int) -> None:
        self.seal_as(self.sealed(cut=cut) if self.placer is None else self.placer.seal(self, cut))

    def seal_as(self, sealed: Sealed, **more: Any) -> None:
        self.live, self.order, self.gathers = sealed, sealed.order(), list[Gather]()
        self.house.log(entries.entry("seal", self.house.at(), shoe=self.name, cards_root=sealed.cards_root, **more))

    def draw(self, size: int, *names: str) -> None:
        """Draw cards in public, and tell the numbers of these names."""
        cards = self.order[self.pos : self.pos + size]
        self._drawn(size, cards=cards, draws={name: self.live.number(name) for name in names})

    def hide(self, size: int, to: str = "") -> None:
        self._drawn(size, hidden=size, to=to)

    def _drawn(self, size: int, **fields: Any) -> None:
        entry = entries.drawn_entry(self.house.at(), self.name, self.pos, gathered=len(self.gathers), **fields)
        if self.placer is not None and size:
            entry["placed"] = self.placer.place(entry, size)
        self.house.log(entry)
        self.pos += size

    def gather(self, *out: int) -> None:
        """Shuffle anew, but for cards at these positions."""
        self.gathers.append(Gather(self.pos, out))
        live = self.sealed(cut=self.live.cut, beacon=self.live.first_transcript.beacon)
        indexes = replay_gathers(live, self.gathers)
        self.order = [self.deck[indexes[pos]] for pos in sorted(indexes)]
        root = live.bound[-1].root().hex()
        self.house.log(entries.gathered_entry(self.house.at(), self.name, self.pos, out, root))

    def show(self, *positions: int) -> None:
        cards = {pos: self.order[pos] for pos in positions}
        self.house.log(entries.shown_entry(self.house.at(), self.name, cards))

    def end(self, why: str = "worn") -> None:
        numbers = {name: self.live.number(name) for name in self.live.draws}
        reveal = entries.reveal_entry(self.house.at(), self.name, self.key.hex(), numbers, self.pos, why)
        self.house.log(reveal)
        if self.placer is not None:
            self.placer.end(self.placer.stand())


class Places:
    """An honest placer of a shoe, and what the house asks it. `size`, `root` of the log's tree that its next step
    names: of all entries so far."""

    def __init__(self, house: House, shoe: str) -> None:
        self.house, self.shoe, self.key = house, shoe, house.random.randbytes(32)
        self.commitment = commitment_of(self.key)
        self.chain: Chain | None = None

    def seal(self, game: ToldGame, cut: int) -> Sealed:
        """The shoe with the order that both give."""
        self.unsealed = self.stand()
        placer = PlacerCommitment(PLACER.verifier.name, self.commitment)
        more = {"key": game.key, "shoe": game.name, "deck": game.deck, "seeds": list(game.seeds.items())}
        sealed = seal_placed(placer=placer, placing=KeyPlaces(self.key), draws=game.draws, cut=cut, **more)
        self.digest, self.root = sealed.transcript.digest, sealed.bound[0].root()
        self.order = places(self.key, self.digest, len(game.deck))
        name, origin = PLACER.verifier.name, SIGNER.verifier.name
        self.chain = new_chain(origin, self.shoe, commitment_of(game.key), name, self.commitment)
        return sealed

    def stand(self) -> tuple[str, str]:
        tree = Tree()
        for line in self.house.lines:
            tree.append(line)
        return str(tree.size), tree.root.hex()

    def place(self, entry: dict[str, Any], size: int) -> dict[str, Any]:
        """The places of a draw."""
        assert self.chain is not None
        if not self.chain.steps:
            line = shuffle_line(len(self.order), self.digest, self.root)
            self.chain = self.chain.extend(line, since_of(self.unsealed))
        given = self.order[entry["pos"] : entry["pos"] + size]
        lines = [f"card {entry['pos'] + i} {place}" for i, place in enumerate(given)]
        self.chain = self.chain.extend_all(lines, since_of((*self.stand(), draw_text(entry))))
        return {"places": given, "signature": self.signed(self.chain.note())}

    def signed(self, text: str) -> str:
        return PLACER.sign(text).rstrip("\n").rpartition(" ")[2]

    def end(self, stand: tuple[str, str]) -> None:
        """`stand`: the tree at the end of the shoe."""
        assert self.chain is not None
        self.chain = self.chain.extend("end", since_of(stand))
        signature = self.signed(self.chain.note(self.key))
        house = self.house
        house.log(entries.placed_entry(house.at(), self.shoe, self.key.hex(), self.chain.steps, signature))


def card_game(house: House, *, placed: bool = False) -> ToldGame:
    """Two hands of five, one card of nobody, three in public; ann shows all of hers, bob two; a die."""
    game = ToldGame(house, "game", ["ann", "bob"], {"cut": 52, "die/0": 6, "die/1": 6}, cut=7, placed=placed)
    game.hide(5, "ann")
    game.hide(5, "bob")
    game.hide(1)
    game.draw(3, "die/0")
    game.draw(0, "die/1")
    game.show(0, 1, 2, 3, 4)
    game.show(6, 8)
    game.draw(2)
    game.show(10)
    game.end()
    return game


def rummy(house: House) -> ToldGame:
    """Hands stay out while the rest is shuffled anew, twice; at last all cards are."""
    game = ToldGame(house, "rummy", ["ann", "bob"], {"cut": 52}, cut=3)
    game.hide(3, "ann")
    game.hide(3, "bob")
    game.draw(40)
    game.gather(*range(6))
    game.draw(2)
    game.hide(1, "ann")
    game.show(1, 48)
    game.gather(0, 2, 3, 4, 5, 48)
    game.draw(46)
    game.gather()
    game.draw(1)
    game.end()
    return game


def house_only(house: House) -> None:
    """Nobody contributes, and the shoe gets too old."""
    game = ToldGame(house, "dice", [], {"die": 6})
    game.draw(0, "die")
    house.wait(POLICY["shoe"], house.now)
    game.end("age")


def told_shoes(seed: int = 1) -> House:
    """A log with such shoes beside a table."""
    house = House(seed)
    table = Seating(house, "boxes", "boxes", (1, 2))
    card_game(house)
    table.play(1)
    house_only(house)
    rummy(house)
    table.play(1)
    return house
