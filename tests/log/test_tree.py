"""The Merkle tree of RFC 6962 and its proofs: the definitions of the RFC, every small tree, changed proofs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.tree import EMPTY_ROOT, Node, Tree, check_consistency, consistency_proof, inclusion_proof, tree_head
from fairshoe.protocol.merkle import check_inclusion, leaf_hash, node_hash

LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
"""transparency-dev/merkle; published vectors."""


def tree_of(leaves: list[bytes]) -> Tree:
    tree = Tree()
    for leaf in leaves:
        tree.append(leaf)
    return tree


def definition(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 section 2.1, as it stands there."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + definition(leaves[:k]) + definition(leaves[k:])).digest()


@pytest.mark.parametrize("size", ROOTS)
def test_known_roots(size: int) -> None:
    tree = tree_of(LEAVES[:size])
    assert tree.root.hex() == ROOTS[size]
    assert tree.size == size
    assert tree_head(node_of(LEAVES), size).hex() == ROOTS[size]


@given(st.lists(st.binary(max_size=8), max_size=70))
def test_the_root_is_that_of_the_definition(leaves: list[bytes]) -> None:
    assert tree_of(leaves).root == definition(leaves)


@given(st.lists(st.binary(max_size=4), max_size=40), st.lists(st.binary(max_size=4), max_size=40))
def test_a_tree_goes_on_from_its_peaks(first: list[bytes], more: list[bytes]) -> None:
    kept = tree_of(first)
    again = Tree(kept.size, kept.peaks)
    for leaf in more:
        again.append(leaf)
    assert again.root == definition(first + more)
    assert len(again.peaks) == (len(first) + len(more)).bit_count()
    assert kept.root == definition(first), "the other tree is untouched"


@given(st.lists(st.lists(st.binary(max_size=4), max_size=20), max_size=8))
def test_leaves_in_one_go_are_leaves_one_by_one(batches: list[list[bytes]]) -> None:
    tree, leaves = Tree(), [leaf for batch in batches for leaf in batch]
    for batch in batches:
        tree.extend(iter(batch))
    alone = tree_of(leaves)
    assert (tree.size, tree.peaks) == (alone.size, alone.peaks)
    assert tree.root == definition(leaves)


def test_leaves_and_nodes_are_told_apart() -> None:
    assert tree_of([]).root == EMPTY_ROOT
    inner = leaf_hash(b"a") + leaf_hash(b"b")
    assert node_hash(leaf_hash(b"a"), leaf_hash(b"b")) != leaf_hash(inner)


# Inclusion and consistency proofs.


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


def test_what_is_not_there_has_no_proof() -> None:
    node = node_of(leaves_of(5))
    for index, size in ((5, 5), (-1, 5), (0, 0)):
        with pytest.raises(InputError, match="no leaf"):
            inclusion_proof(node, index, size)
    for old, new in ((6, 5), (-1, 5)):
        with pytest.raises(InputError, match="no tree"):
            consistency_proof(node, old, new)
