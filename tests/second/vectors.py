"""Makes docs/vectors/fairshoe-1.json and -2.json with the second implementation: `python -m tests.second.vectors`.

Keys are SHA-256 of a text with a counter, so nobody can have picked a convenient one; where a vector must
meet a rejected word, the counter is the first that does, found once by search.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from tests.second import placing, protocol

PLACE = Path(__file__).parents[2] / "docs" / "vectors" / "fairshoe-1.json"
PLACED = PLACE.with_name("fairshoe-2.json")
# SHA-256("fairshoe vector rejection <cards> <counter>"): rejections are rare in small decks.
REJECTS_52 = bytes.fromhex("b68089df90924b0bf40c5ce635167247777e47cc0d0bbf4b88894c5fa09f973b")
REJECTS_312 = bytes.fromhex("3be8e641d61da74a72d97803a53136627249f2cd100e90d01234b236ab447cfd")
FULL = 104  # decks up to this size are listed whole
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"


def load(section):
    return json.loads(PLACE.read_text(encoding="ascii"))[section]


def load_vectors():
    return load("vectors")


def key_of(name, counter=0):
    return sha256(f"fairshoe vector {name} {counter}".encode()).digest()


def seed_of(who, size=16):
    return (sha256(b"seed of " + who.encode()).digest() * 4)[:size]


def labels_of(deck):
    if isinstance(deck, str):
        return protocol.french(int(deck.removeprefix("french:")))
    return [f"#{i}" for i in range(deck["numbered"])] if isinstance(deck, dict) else deck


def joined_sha256(labels):
    return sha256("\n".join(labels).encode()).hexdigest()


def discarded(key, salt, text, suffix, bounds):
    """How many words are rejected while these indexes are taken."""
    stream = protocol.words(key, salt, text, suffix)
    found = 0
    for m in bounds:
        while next(stream) >= m * (2**32 // m):
            found += 1
    return found


def discarded_by_shuffle(key, text, n):
    return discarded(key, b"fairshoe/1 shuffle", text, b"", range(n, 1, -1))


def listed(labels):
    return {"first": labels[:10], "sha256": joined_sha256(labels)} | ({"all": labels} if len(labels) <= FULL else {})


def vector(name, deck, *, key=None, shoe=None, seeds=(), beacon=None, cut=0, draws=(), reshuffles=()):
    """`draws`: pairs (name, bound); `reshuffles`: (cards dealt before it, gathered indexes, cut or not)."""
    key = key or key_of(name)
    shoe = shoe or f"vector/{name}"
    labels = labels_of(deck)
    text = protocol.transcript(key, shoe, labels, seeds, beacon)
    order = protocol.permutation(key, text, len(labels), cut)
    body = {
        "name": name,
        "key": key.hex(),
        "shoe": shoe,
        "deck": deck,
        "seeds": [[who, seed.hex()] for who, seed in seeds],
        "beacon": beacon,
        "cut": cut,
        "commitment": protocol.commitment(key),
        "transcript": text.decode(),
        "transcript_sha256": sha256(text).hexdigest(),
        "rejected": discarded_by_shuffle(key, text, len(labels)),
        "order": listed([labels[i] for i in order]),
        "cards_root": protocol.cards_root(key, text, [labels[i] for i in order]),
        "opening": protocol.opening(key, text, [labels[i] for i in order], len(order) * 2 // 3),
        "draws": [
            {
                "name": draw,
                "below": m,
                "value": protocol.draw(key, text, draw, m),
                "rejected": discarded(key, b"fairshoe/1 draw", text, b"draw " + draw.encode() + b"\n", [m]),
            }
            for draw, m in draws
        ],
        "reshuffles": [],
    }
    for after, gathered, cuts in reshuffles:
        text, where, order = protocol.reshuffled(key, text, labels, gathered, cuts)
        body["reshuffles"].append(
            {
                "after": after,
                "gathered": sorted(gathered),
                "cut": where,
                "transcript": text.decode(),
                "transcript_sha256": sha256(text).hexdigest(),
                "order": listed([labels[i] for i in order]),
                "cards_root": protocol.cards_root(key, text, [labels[i] for i in order]),
                "opening": protocol.opening(key, text, [labels[i] for i in order], len(order) * 2 // 3),
            }
        )
    return body


def with_rejection(name, size, counter):
    return vector(name, {"numbered": size}, key=key_of(name, counter))


def with_rejected_draw(name, bound, counter):
    return vector(name, "french:1", key=key_of(name, counter), draws=[("wheel", bound)])


def vectors():
    alice, bob = ("alice", seed_of("alice")), ("bob", seed_of("bob", 1))
    unicode_deck = ["Ä", "ä", "A\u0308", "心", "🂡", "🂱", " spaced ", "\u2028", "\ufeff", "x" * 64, "é" * 32, "🂡" * 16]
    yield vector("one-card", ["only"])
    yield vector("two-cards", ["heads", "tails"])
    yield vector("two-cards-cut", ["heads", "tails"], cut=1)
    yield vector("three-equal-labels", ["same", "same", "other"])
    yield vector("one-pack", "french:1")
    yield vector("key-of-zeros", "french:1", key=bytes(32))
    yield vector("key-of-ones", "french:1", key=b"\xff" * 32)
    yield vector("two-packs", "french:2", seeds=[alice])
    yield vector("six-packs", "french:6", seeds=[alice, bob])
    yield vector("six-packs-other-roster-order", "french:6", key=key_of("six-packs"), seeds=[bob, alice])
    yield vector("eight-packs", "french:8")
    yield vector("unicode", unicode_deck)
    yield vector("seed-of-1-byte", "french:1", seeds=[bob])
    yield vector("seed-of-128-bytes", "french:1", seeds=[("alice", seed_of("alice", 128))])
    crowd = [(f"player:{i}/seat-{i % 7}", seed_of(str(i), 2 * i + 1)) for i in range(64)]
    yield vector("64-contributors", "french:6", seeds=crowd)
    yield vector("id-of-64-characters", "french:1", seeds=[("a" * 64, b"\0"), ("-", b"\xff"), ("._:/-", b"\x7f\x80")])
    beacon = [QUICKNET, 1000, "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"]
    yield vector("beacon", "french:1", beacon=beacon)
    yield vector("seeds-and-beacon", "french:6", seeds=[alice, bob], beacon=beacon, cut=156)
    yield vector("beacon-round-0-and-largest", "french:1", beacon=["00", 2**53 - 1, "ff" * 64])
    yield vector("cut-at-1", "french:1", cut=1)
    yield vector("cut-at-last", "french:1", cut=51)
    yield vector("cut-of-six-packs", "french:6", seeds=[alice], cut=311)
    bounds = [("one", 1), ("two", 2), ("all", 2**32), ("high", 2**31), ("cut", 52), ("a:b", 7), ("x/y", 10)]
    yield vector("draws", "french:1", seeds=[alice], draws=bounds)
    yield vector("series", "french:1", draws=[(f"dice/{i}", 6) for i in range(12)] + [("dice/a", 6)])
    yield with_rejected_draw("draw-with-10-rejections", 2**31 + 1, 311)
    yield with_rejected_draw("draw-with-a-rejection", 3 * 2**30, 3)
    for size in (2039, 2040, 2041, 2042, 2043, 4081, 4082, 5000, 65536):
        yield vector(f"{size}-cards", {"numbered": size})
    yield vector("5000-cards-cut", {"numbered": 5000}, cut=4999)
    yield vector("rejection-in-52-cards", "french:1", key=REJECTS_52, shoe="rejection/52")
    yield vector("rejection-in-312-cards", "french:6", key=REJECTS_312, shoe="rejection/312")
    yield with_rejection("rejection-in-2041-cards", 2041, 118)
    yield with_rejection("rejection-in-5000-cards", 5000, 381)
    gathered = [*range(0, 52, 2)]
    yield vector("reshuffle", "french:1", seeds=[alice], cut=20, reshuffles=[(40, gathered, True)])
    yield vector("reshuffle-not-cut", "french:1", seeds=[alice], reshuffles=[(52, gathered, False)])
    yield vector("reshuffle-of-one-card", "french:1", draws=[("cut", 52)], reshuffles=[(52, [17], True)])
    twice = [(52, [*range(10, 45)], True), (35, [*range(40, 9, -3)], True)]
    yield vector("two-reshuffles", "french:1", seeds=[alice, bob], beacon=beacon, reshuffles=twice)
    yield vector("reshuffle-of-2500-cards", {"numbered": 5000}, reshuffles=[(5000, [*range(0, 5000, 2)], True)])


def raffle(name, entries, draws, prizes, beacon):
    pairs = [(f"#{i}", 1 + i % 3) for i in range(entries["numbered"])] if isinstance(entries, dict) else entries
    key, shoe = key_of(name), f"vector/{name}"
    found = protocol.raffle(key, shoe, pairs, draws, prizes, (QUICKNET, beacon["round"], beacon["randomness"]))
    given = {"key": key.hex(), "shoe": shoe, "entries": entries, "draws": draws, "prizes": prizes, "beacon": beacon}
    return {"name": name, **given, **found}


def raffles():
    early, late = load("beacons")
    yield raffle("one-entry", [["alice", 1]], 3, 1, early)
    yield raffle("five-entries", [[who, 1] for who in ("alice", "bob", "carol", "dave", "eve")], 20, 5, early)
    yield raffle("weights", [["alice", 1], ["bob", 97], ["carol", 2]], 400, 3, late)
    yield raffle("same-list-other-order", [["carol", 2], ["bob", 97], ["alice", 1]], 40, 2, late)
    yield raffle("unicode", [["Ä", 1], ["A\u0308", 1], ["心 x", 2], ["\U0001f0a1" * 16, 3]], 9, 3, early)
    yield raffle("all-tickets", [["alice", 2**31], ["bob", 2**31 - 1], ["carol", 1]], 12, 2, late)
    yield raffle("used-up", [["alice", 2**32 - 2], ["bob", 1], ["carol", 1]], 3, 2, late)
    yield raffle("1001-entries", {"numbered": 1001}, 30, 20, early)


def placed(name, deck, *, seeds=(), cut=0, reshuffles=()):
    """A shoe with a placer, from whose every deck two cards are dealt; something happened before the second one."""
    key, key2, shoe, labels = key_of(name), key_of(name, 2), f"vector/{name}", labels_of(deck)
    commitment, c2 = protocol.commitment(key), protocol.commitment(key2)
    text = placing.transcript(protocol.transcript(key, shoe, labels, seeds).decode(), "placer.example", c2)
    present, cut_at, indexes, steps, decks = labels, cut, [*range(len(labels))], [], []
    for gathered in (None, *reshuffles):
        if gathered is not None:
            longer, cut_at, _ = protocol.reshuffled(key, text.encode(), labels, gathered)
            text, indexes = longer.decode(), sorted(gathered)
            present = [labels[i] for i in indexes]
        given = placing.places(key2, text, len(present))
        order = [present[i] for i in placing.dealt(key, key2, text, present, cut_at)]
        root = placing.root(key, text, present, cut_at)
        digest = sha256(text.encode()).hexdigest()
        happened = [[], [], ["alice bets 10", f"deck {len(decks)}"]]
        lines = [f"shuffle {len(present)} {digest} {root}", *(f"card {i} {given[i]}" for i in range(2))]
        steps += zip(happened, lines, strict=True)
        found = {"gathered": indexes, "cut": cut_at, "transcript": text, "transcript_sha256": digest}
        opening = placing.opening(key, text, present, cut_at, given[0])
        decks.append(found | {"places": given, "order": order, "cards_root": root, "opening": opening})
    steps.append(([], "end"))
    told = [(placing.since(parts), line) for parts, line in steps]
    heads = placing.chain("house.example", shoe, commitment, "placer.example", c2, told)
    return {
        "name": name,
        "key": key.hex(),
        "placer_key": key2.hex(),
        "shoe": shoe,
        "deck": deck,
        "seeds": [[who, seed.hex()] for who, seed in seeds],
        "commitment": commitment,
        "placer": ["placer.example", c2],
        "origin": "house.example",
        "decks": decks,
        "chain": [[*step, head.hex()] for step, head in zip([([], ""), *steps], heads, strict=True)],
    }


def placed_vectors():
    alice, bob = ("alice", seed_of("alice")), ("bob", seed_of("bob", 1))
    yield placed("placed-two-cards", ["heads", "tails"])
    yield placed("placed-equal-labels", ["same", "same", "other"], cut=1)
    yield placed("placed-pack", "french:1", seeds=[alice, bob])
    yield placed("placed-cut", "french:1", seeds=[alice], cut=20)
    yield placed("placed-unicode", ["Ä", "A\u0308", "心", "\U0001f0a1"])
    yield placed("placed-reshuffles", "french:1", seeds=[alice], cut=7, reshuffles=[range(0, 52, 2), range(5, 16)])


def placed_document():
    """The file of shoes with a placer."""
    return f'{{"protocol": "fairshoe/2", "vectors": [\n{one_a_line(placed_vectors())}\n]}}\n'


def one_a_line(bodies):
    return ",\n".join(json.dumps(body, ensure_ascii=True) for body in bodies)


def document():
    """The whole file; what must be refused, and the beacons, are as they were written down once."""
    refused = load("refused")
    beacons = one_a_line(load("beacons"))
    cases = {name: one_a_line(refused[name].pop("cases")) for name in ("inputs", "proofs")}
    return (
        f'{{"protocol": "fairshoe/1", "vectors": [\n{one_a_line(vectors())}\n],\n'
        f'"beacons": [\n{beacons}\n],\n"raffles": [\n{one_a_line(raffles())}\n],\n'
        f'"refused": {{"inputs": {{{json.dumps(refused["inputs"])[1:-1]}, "cases": [\n{cases["inputs"]}\n]}},\n'
        f'"proofs": {{{json.dumps(refused["proofs"])[1:-1]}, "cases": [\n{cases["proofs"]}\n]}}}}}}\n'
    )


if __name__ == "__main__":
    PLACE.write_text(document(), encoding="ascii")
    PLACED.write_text(placed_document(), encoding="ascii")
