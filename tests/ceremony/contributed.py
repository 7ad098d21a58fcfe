"""Tables that have come as far as a test wants them: every hash is given, or every seed is open, and nobody has bet."""

from __future__ import annotations

from fairshoe.ceremony.acting import commands as say

from .search import Node


def hashed(node: Node) -> Node:
    """Every chair has sent its hash, and whoever cuts has cut."""
    for seat, player in node.state.table.players.items():
        given = next(command for command in node.own(seat) if isinstance(command, say.GiveHash))
        shoe = node.state.shoe
        node = node.step(given._replace(cut=9 if shoe is not None and shoe.cutter == player else None))
    return node


def sealed(node: Node) -> Node:
    """Every seed is open too."""
    node = hashed(node)
    while node.state.shoe is not None and not node.state.shoe.sealed:
        own = [command for seat in node.state.table.players for command in node.own(seat)]
        node = node.step(next(command for command in own if isinstance(command, say.GiveSeed)))
    return node
