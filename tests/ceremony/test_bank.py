"""The question who banks: asked in pontoon after the first banker's draw (PO-37)."""

from __future__ import annotations

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.phase import deadlines, phase
from fairshoe.engine.table import HOUSE
from fairshoe.log.times import SECOND

from .search import Node
from .test_progress import contribute, table


def asked() -> tuple[Node, int]:
    """A table that asks whoever drew the black jack, and that chair."""
    node = table("pontoon", ["ann", "bob"]).step(say.AskShoe(1))
    node = contribute(node, {"ann", "bob"}, set())
    assert node.state.table.bank != HOUSE
    node = node.step(say.AskShoe(1))
    assert phase(node.state) == "bank"
    return node, node.state.table.bank


def test_the_entitled_chair_has_one_decision_limit_and_no_more() -> None:
    node, _ = asked()
    (limit, moment), *others = deadlines(node.state)
    assert (limit, others) == ("decision", [])
    assert moment == node.state.since + node.state.book.policy.decision * SECOND
    before = Node(node.state, moment - 2 * SECOND, node.key, ()).step(say.Here(1))
    assert phase(before.state) == "bank"
    after = node.step(None)
    assert after.now <= moment + SECOND
    assert phase(after.state) == "hash"


def test_the_bank_is_given_with_the_consent_of_the_other() -> None:
    node, chair = asked()
    other = 3 - chair
    rounds = node.state.book.rounds
    node = node.step(say.Decide(chair, rounds, 0, "give", 0, (other,)))
    node = node.step(say.Decide(other, rounds, 1, "agree"))
    assert node.state.table.bank == other
    assert phase(node.state) == "hash"


def test_nobody_is_put_out_while_the_bank_is_offered() -> None:
    node, chair = asked()
    other = 3 - chair
    rounds = node.state.book.rounds
    node = node.step(say.Decide(chair, rounds, 0, "give", 0, (other,))).step(say.Evict(other))
    assert other in node.state.table.players
    node = node.step(say.Decide(other, rounds, 1, "refuse"))
    assert other not in node.state.table.players
