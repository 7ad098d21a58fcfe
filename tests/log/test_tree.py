"""The Merkle tree of RFC 6962."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshoe.log.tree import EMPTY_ROOT, Tree, leaf_hash, node_hash

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
