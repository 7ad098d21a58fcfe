"""A shoe that is shuffled at once."""

from __future__ import annotations

from ..engine.cards import Stack
from ..protocol.shoe import Sealed


class Shuffled(Stack):
    """A sealed shoe that is shuffled at once, since most of it will be dealt.

    `began` is where the present round began; whoever plays sets it, by `begin`. `burned` are the cards that were
    burned in it after a reshuffle.
    """

    def __init__(self, sealed: Sealed) -> None:
        super().__init__(sealed.order())
        self.shoe = sealed
        self.began = 0
        self.on_table: set[int] = set()
        self.burned: list[str] = []

    def begin(self, position: int) -> None:
        self.began = position
        if self.on_table:
            self.on_table.clear()
            self.burned.clear()

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        sealed = self.shoe
        self.on_table.update(sealed.order_indexes()[self.began : self.position])
        sealed.reshuffle([i for i in range(self.size) if i not in self.on_table], cut=cut)
        self.present = len(sealed)
        self._rest.clear()
        self._rest.extend(sealed.order())
        if burn and self.present > 1:
            self.burned.append(self.draw())
        self.began = self.position
