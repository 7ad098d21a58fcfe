"""Time that did not pass."""

from __future__ import annotations

from fairshoe.ceremony.acting import playing
from fairshoe.ceremony.acting.work import Work
from fairshoe.ceremony.policy import Policy

from .unheard import Decisions


class ShortLimit(Decisions):
    name = "short-limit"
    about = "gives a second for a decision, and takes the default where that is better"
    policy = Policy(decision=1)
    tells = ()


class TooSoon(Decisions):
    name = "decided-too-soon"
    about = "takes the default after a moment, as if the limit had passed"
    tells = ()

    def wait(self) -> None:
        if self.state.dealt:
            self.forge(self.default)
        else:
            super().wait()

    def default(self, work: Work) -> None:
        found = playing.live(work.state, self.key)
        opened = work.book.open
        if found is not None and opened is not None and found[0].ask is not None:
            playing._decided(work, work.shoe(), opened, *found, found[0].ask.by_default())


TRICKS = (ShortLimit, TooSoon)
