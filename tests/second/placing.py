"""Placers a second time, from docs/placer-protocol.md alone: the transcript, the places, the chain, who judges it."""

from __future__ import annotations

import hashlib

from .protocol import demand, inclusion_path, permutation, tree_head, uniform, words


def transcript(text, name, c2):
    """`text` is the transcript of fairshoe/1 without a placer; `name` and `c2` are the placer's."""
    lines = text.split("\n")
    demand(lines[0] == "fairshoe/1" and lines[3].startswith("commitment "), "a transcript")
    return "\n".join(["fairshoe/2", *lines[1:4], f"placer {name} {c2}", *lines[4:]])


def places(key, text, size):
    stream = words(key, b"fairshoe/2 placing", text.encode(), b"")
    order = list(range(size))
    for i in range(size - 1):
        other = i + uniform(stream, size - i)
        order[i], order[other] = order[other], order[i]
    return order


def leaves(key, text, deck, cut):
    """The salts of the house's own order, and the salted cards, each with its number in the deck."""
    order = permutation(key, text.encode(), len(deck), cut)
    stream = words(key, b"fairshoe/2 opening", text.encode(), b"")
    salts = [b"".join(next(stream).to_bytes(4, "big") for _ in range(4)) for _ in order]
    return salts, [
        salt + bytes(divmod(card, 256)) + deck[card].encode() for salt, card in zip(salts, order, strict=True)
    ]


def root(key, text, deck, cut):
    return tree_head(leaves(key, text, deck, cut)[1]).hex()


def opening(key, text, deck, cut, pos):
    """The opening of the card at `pos` of the house's own order."""
    salts, salted = leaves(key, text, deck, cut)
    number = permutation(key, text.encode(), len(deck), cut)[pos]
    path = [each.hex() for each in inclusion_path(salted, pos)]
    form = {"label": deck[number], "n": len(deck), "number": number, "path": path}
    return form | {"pos": pos, "salt": salts[pos].hex()}


def dealt(key, key2, text, deck, cut):
    """H[P[i]]: the whole order as it is dealt, as indexes of the deck."""
    own = permutation(key, text.encode(), len(deck), cut)
    return [own[place] for place in places(key2, text, len(deck))]


def chain(origin, shoe, commitment, name, c2, steps):
    """The head after each of `steps`, pairs of `since` (hex or empty) and line."""
    first = ["fairshoe placing v1", f"log {origin}", f"shoe {shoe}", f"commitment {commitment}", f"placer {name} {c2}"]
    heads = [hashlib.sha256(b"".join(line.encode() + b"\n" for line in first)).digest()]
    for since, line in steps:
        data = heads[-1]
        if since:
            data += b"since " + since.encode() + b"\n"
        heads.append(hashlib.sha256(data + line.encode() + b"\n").digest())
    return heads


def since(parts):
    """What happened before a step, in hex; empty where nothing did."""
    return hashlib.sha256(b"".join(part.encode() + b"\n" for part in parts)).hexdigest() if parts else ""
