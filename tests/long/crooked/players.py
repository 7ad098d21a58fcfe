"""What players try who place, or whose placer works for them: the house is honest."""

from __future__ import annotations

from collections.abc import Iterator

from fairshoe.ceremony.acting import commands as say
from fairshoe.log.canonical import Entry
from fairshoe.protocol.placer_chain import RepeatedPlace

from .placer import Repeating
from .play import Play


class PlaceTwice(Play):
    """The placer gives places again. The house refuses each such answer, and the round waits. To show what the trick
    would gain, the house is then made to take it."""

    name = "place-twice"
    only_placed = by_player = True

    def __init__(self, rounds: int) -> None:
        self.refused = 0
        super().__init__(rounds)
        self.placer = Repeating()

    def do(self, command: say.Command | say.Answer | None) -> list[Entry]:
        try:
            return super().do(command)
        except RepeatedPlace:
            self.refused += 1
        if self.state.placer_answers is not None:
            self.state.placer_answers.place_mask = 0
        return super().do(command)

    def write(self, entry: Entry) -> None:
        super().write(entry)
        if entry["kind"] == "round" and isinstance(self.placer, Repeating):
            self.placer.seen |= zip(entry["placed"]["places"], entry["cards"], strict=True)

    def noticed(self) -> Iterator[str]:
        yield f"house: RepeatedPlace, {self.refused} answers refused"


TRICKS = (PlaceTwice,)
