"""Inclusion and consistency proofs: RFC 6962's definitions, every small tree, changed proofs."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.tree import (
    Node,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    tree_head,
)

from .test_tree import LEAVES, ROOTS, definition, tree_of


def node_of(leaves: Sequence[bytes]) -> Node:
    """The nodes of the tree over `leaves`, each made from the leaves below it."""

    def node(height: int, index: int) -> bytes:
        below = list(map(leaf_hash, leaves[index << height : (index + 1) << height]))
        assert len(below) == 1 << height
        while len(below) > 1:
            below = [node_hash(*below[i : i + 2]) for i in range(0, len(below), 2)]
        return below[0]

    return node


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    """PATH(m, D[n]) of RFC 6962 section 2.1.1, as it stands there."""
    if len(leaves) == 1:
        return []
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if m < k:
        return [*path(m, leaves[:k]), definition(leaves[k:])]
    return [*path(m - k, leaves[k:]), definition(leaves[:k])]


def subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    """SUBPROOF(m, D[n], b) of section 2.1.2, as it stands there."""
    if m == len(leaves):
        return [] if whole else [definition(leaves)]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if m <= k:
        return [*subproof(m, leaves[:k], whole), definition(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), definition(leaves[:k])]


def leaves_of(size: int) -> list[bytes]:
    return [b"%d" % number for number in range(size)]


@pytest.mark.parametrize("size", ROOTS)
def test_known_roots(size: int) -> None:
    assert tree_head(node_of(LEAVES), size).hex() == ROOTS[size]


@pytest.mark.parametrize("size", [*range(1, 34), 100])
def test_proofs_are_those_of_the_definition_and_hold(size: int) -> None:
    leaves = leaves_of(size)
    node, root = node_of(leaves), definition(leaves)
    for index in range(size):
        proof = inclusion_proof(node, index, size)
        assert proof == path(index, leaves)
        check_inclusion(leaf_hash(leaves[index]), index, size, proof, root)
    for old in range(1, size + 1):
        proof = consistency_proof(node, old, size)
        assert proof == subproof(old, leaves, True)
        check_consistency(old, definition(leaves[:old]), size, root, proof)
    check_consistency(0, definition([]), size, root, [])


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 21, 64, 65])
def test_a_changed_inclusion_proof_does_not_hold(size: int) -> None:
    leaves = leaves_of(size)
    node, root = node_of(leaves), definition(leaves)
    for index in range(size):
        leaf, proof = leaf_hash(leaves[index]), inclusion_proof(node, index, size)
        others = [
            (node_hash(leaf, leaf), index, size, proof, root),
            (leaf, index, size, proof, leaf_hash(b"x")),
            (leaf, index, size, [*proof, leaf], root),
            (leaf, size, size, proof, root),
            (leaf, -1, size, proof, root),
            *((leaf, index, size, [*proof[:i], leaf_hash(b"x"), *proof[i + 1 :]], root) for i in range(len(proof))),
            *((leaf, index, size, [*proof[:i], *proof[i + 1 :]], root) for i in range(len(proof))),
            *((leaf, other, size, proof, root) for other in range(size) if other != index),
        ]
        for changed in others:
            with pytest.raises(VerificationError, match="does not lead"):
                check_inclusion(*changed)


@pytest.mark.parametrize("size", [2, 3, 7, 8, 9, 21, 64, 65])
def test_a_changed_consistency_proof_does_not_hold(size: int) -> None:
    leaves = leaves_of(size)
    node, root = node_of(leaves), definition(leaves)
    for old in range(1, size):
        before, proof = definition(leaves[:old]), consistency_proof(node, old, size)
        others = [
            (old, leaf_hash(b"x"), size, root, proof),
            (old, before, size, leaf_hash(b"x"), proof),
            (old, before, size, root, []),
            (old, before, size, root, [*proof, before]),
            (size + 1, before, size, root, proof),
            (-1, before, size, root, proof),
            (0, before, size, root, proof),
            (size, before, size, root, proof),
            *((old, before, size, root, [*proof[:i], leaf_hash(b"x"), *proof[i + 1 :]]) for i in range(len(proof))),
            *((old, before, size, root, [*proof[:i], *proof[i + 1 :]]) for i in range(len(proof))),
        ]
        for changed in others:
            with pytest.raises(VerificationError, match="extends"):
                check_consistency(*changed)


def test_two_histories_are_not_consistent() -> None:
    chance = random.Random(6962)
    for _ in range(200):
        size = chance.randrange(2, 60)
        old = chance.randrange(1, size + 1)
        leaves = leaves_of(size)
        forged = list(leaves)
        forged[chance.randrange(old)] = b"another"
        with pytest.raises(VerificationError):
            check_consistency(
                old, definition(leaves[:old]), size, definition(forged), consistency_proof(node_of(forged), old, size)
            )


def test_what_is_not_there_has_no_proof() -> None:
    node = node_of(leaves_of(5))
    for index, size in ((5, 5), (-1, 5), (0, 0)):
        with pytest.raises(InputError, match="no leaf"):
            inclusion_proof(node, index, size)
    for old, new in ((6, 5), (-1, 5)):
        with pytest.raises(InputError, match="no tree"):
            consistency_proof(node, old, new)


def test_the_tree_that_grows_has_the_same_head() -> None:
    for size in (0, 1, 5, 31, 64):
        assert tree_head(node_of(leaves_of(size)), size) == tree_of(leaves_of(size)).root
