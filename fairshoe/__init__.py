"""fairshoe: provably fair shuffles for any game.

    import fairshoe

    shoe = fairshoe.commit("table-1/7", fairshoe.french(6), draws={"dice/0": 6})
    print(shoe.commitment)                      # publish before anybody bets
    shoe.pledge("alice", hash_of_her_seed)      # SHA-256 in hex; everybody's, before the first seed
    shoe.contribute("alice", her_seed)
    sealed = shoe.seal()                        # the order is fixed now
    cards = [sealed.draw() for _ in range(5)]
    dice = sealed.number("dice/0") + 1
    proof = sealed.reveal()                     # publish when the game is over
    fairshoe.verify(proof, commitment=shoe.commitment)

The first of these names that is used loads the shuffle protocol; importing the package loads nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from . import compiled as compiled  # first: it decides what is loaded of the rest

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .library import *  # noqa: F403
else:

    def __getattr__(name):
        """Return a name of `fairshoe.library`, which the first use of one loads."""
        library = import_module("fairshoe.library")
        if name != "__all__" and name not in library.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(library, name)

    def __dir__():
        """Return the names of the package and of its library."""
        return sorted({*globals(), *__getattr__("__all__")})
