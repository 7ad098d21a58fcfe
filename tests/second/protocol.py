"""The shuffle protocol a second time, from the design's text alone and with the standard library only.

It shares no code with `fairshoe` and no habit either: whole chunks, one word at a time, no laziness, no fast
path, and every text is taken apart by hand. What the two disagree about is a defect of one of them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from itertools import count

ID_CHARACTERS = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-")
DIGITS = set("0123456789")
HEX_DIGITS = set("0123456789abcdef")
PROOF_FIELDS = {
    *("protocol", "shoe", "deck", "commitment", "key", "seeds"),
    *("beacon", "cut", "draws", "reshuffles", "dealt"),
}
CONTROL = {chr(c) for c in (*range(0x20), *range(0x7F, 0xA0))}


class Refused(ValueError):
    """The design does not allow this input."""


def demand(condition, reason):
    if not condition:
        raise Refused(reason)


# RFC 5869


def hkdf(ikm, salt, info, length):
    prk = hmac.new(salt, ikm, hashlib.sha256).digest()
    block, output = b"", b""
    for number in range(1, -(-length // 32) + 1):
        block = hmac.new(prk, block + info + bytes([number]), hashlib.sha256).digest()
        output += block
    return output[:length]


def words(key, salt, transcript, suffix):
    """Every word of a stream, without end."""
    for chunk in count():
        info = hashlib.sha256(transcript).digest() + suffix + b"chunk " + str(chunk).encode() + b"\n"
        data = hkdf(key, salt, info, 8160)
        for place in range(0, 8160, 4):
            yield int.from_bytes(data[place : place + 4], "big")


def uniform(stream, m):
    while True:
        word = next(stream)
        if word < m * (2**32 // m):
            return word % m


# checks


def check_name(text, what):
    demand(isinstance(text, str) and 1 <= len(text) <= 64 and set(text) <= ID_CHARACTERS, f"{what} {text!r}")


def check_hex(text, low, high, what):
    demand(set(text) <= HEX_DIGITS and len(text) % 2 == 0, f"{what} is not hex")
    demand(2 * low <= len(text) <= 2 * high, f"{what} has the wrong length")


def number(text, low, high, what):
    demand(text and set(text) <= DIGITS and (text == "0" or text[0] != "0"), f"{what} {text!r} is no decimal")
    demand(len(text) <= 20, f"{what} is too long")
    demand(low <= int(text) <= high, f"{what} {text} is out of range")
    return int(text)


def check_labels(deck):
    demand(1 <= len(deck) <= 65536, "deck size")
    for label in deck:
        demand(not any(0xD800 <= ord(c) <= 0xDFFF for c in label), "surrogate in a label")
        demand(1 <= len(label.encode("utf-8")) <= 64, "label length")
        demand(not set(label) & CONTROL, "control character in a label")


def check_draws(draws, cards):
    demand(len({name for name, _ in draws}) == len(draws), "a draw twice")
    series = {}
    for name, m in draws:
        check_name(name, "draw")
        demand(1 <= m <= 2**32, "bound of a draw")
        demand(name != "cut" or m == cards, "bound of the cut")
        if "/" in name and set(name[name.rindex("/") + 1 :]) <= DIGITS and not name.endswith("/"):
            stem, last = name[: name.rindex("/")], name[name.rindex("/") + 1 :]
            demand(last == "0" or last[0] != "0", "leading zero in a series")
            series.setdefault(stem, []).append(int(last))
    for members in series.values():
        demand(sorted(members) == list(range(len(members))), "gap in a series")


# the protocol


def french(packs):
    return [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"] * packs


def commitment(key):
    return hashlib.sha256(key).hexdigest()


def deck_hash(deck):
    state = hashlib.sha256()
    for label in deck:
        state.update(label.encode("utf-8"))
        state.update(b"\n")
    return state.hexdigest()


def transcript(key, shoe, deck, seeds=(), beacon=None):
    text = "fairshoe/1\n"
    text += "shoe " + shoe + "\n"
    text += "deck " + str(len(deck)) + " " + deck_hash(deck) + "\n"
    text += "commitment " + commitment(key) + "\n"
    for who, seed in seeds:
        text += "seed " + who + " " + seed.hex() + "\n"
    if beacon is not None:
        text += "beacon " + beacon[0] + " " + str(beacon[1]) + " " + beacon[2] + "\n"
    return text.encode("ascii")


def permutation(key, text, n, cut):
    """Indexes of the deck in dealt order."""
    stream = words(key, b"fairshoe/1 shuffle", text, b"")
    places = [*range(n)]
    for i in range(n - 1):
        j = i + uniform(stream, n - i)
        places[i], places[j] = places[j], places[i]
    return [places[(cut + i) % n] for i in range(n)]


def draw(key, text, name, m):
    return uniform(words(key, b"fairshoe/1 draw", text, b"draw " + name.encode() + b"\n"), m)


def reshuffled(key, text, deck, gathered, cut=True):
    """After a reshuffle in the middle of a deal: (longer transcript, cut or None, dealt order as indexes)."""
    k = text.count(b"\nreshuffle ") + 1
    indexes = sorted(gathered)
    labels = [deck[i] for i in indexes]
    longer = text + f"reshuffle {k} {len(labels)} {deck_hash(labels)}\n".encode()
    where = draw(key, longer, "cut", len(labels)) if cut else None
    return longer, where, [indexes[i] for i in permutation(key, longer, len(labels), where or 0)]


# openings


def tree_head(leaves):
    """RFC 6962 section 2.1, for one leaf or more, by its recursive definition."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    return hashlib.sha256(b"\1" + tree_head(leaves[:half]) + tree_head(leaves[half:])).digest()


def cards_root(key, text, order):
    """The root over `salt_p ‖ label_p` of the dealt order, under the transcript of the seal."""
    stream = words(key, b"fairshoe/1 opening", text, b"")
    salts = [b"".join(next(stream).to_bytes(4, "big") for _ in range(4)) for _ in order]
    return tree_head([salt + label.encode() for salt, label in zip(salts, order, strict=True)]).hex()


def inclusion_path(leaves, place):
    """RFC 6962 section 2.1.1, by its recursive definition: the leaf's sibling first."""
    if len(leaves) == 1:
        return []
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    if place < half:
        return [*inclusion_path(leaves[:half], place), tree_head(leaves[half:])]
    return [*inclusion_path(leaves[half:], place - half), tree_head(leaves[:half])]


def opening(key, text, order, pos):
    """The opening of the card at `pos` of a dealt order, under the transcript of the seal."""
    stream = words(key, b"fairshoe/1 opening", text, b"")
    salts = [b"".join(next(stream).to_bytes(4, "big") for _ in range(4)) for _ in order]
    leaves = [salt + label.encode() for salt, label in zip(salts, order, strict=True)]
    path = [each.hex() for each in inclusion_path(leaves, pos)]
    return {"label": order[pos], "n": len(order), "path": path, "pos": pos, "salt": salts[pos].hex()}


# raffles


def raffle(key, shoe, entries, draws, prizes, beacon):
    """All of a raffle, section 13: `entries` are pairs (id, weight), `beacon` is a line's three parts."""
    leaves, owners = [], []
    for who, weight in entries:
        leaves.append(f"{sum(w for _, w in owners)} {weight} {who}".encode())
        owners.append((who, weight))
    tickets = sum(weight for _, weight in entries)
    deck = ["raffle", str(len(entries)), str(tickets), str(draws), str(prizes), tree_head(leaves).hex()]
    text = transcript(key, shoe, deck, beacon=beacon)
    numbers = [draw(key, text, f"pick/{i}", tickets) for i in range(draws)]
    winners = []
    for drawn in numbers:
        rest, at = drawn, 0
        while rest >= entries[at][1]:
            rest, at = rest - entries[at][1], at + 1
        if len(winners) < prizes and entries[at][0] not in [who for _, who in winners]:
            winners.append([drawn, entries[at][0]])
    winners = winners if len(winners) == prizes else []
    paths = [[each.hex() for each in inclusion_path(leaves, at)] for at in (0, len(leaves) - 1)]
    return {"deck": deck, "transcript": text.decode(), "numbers": numbers, "winners": winners, "paths": paths}


# the command line's texts


def labels_of_file(data):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("deck file is not UTF-8") from None
    labels, label = [], ""
    for character in text:
        if character == "\n":
            labels.append(label)
            label = ""
        else:
            label += character
    return [*labels, label] if label else labels


def command(key, shoe, deck, seeds=(), beacon=None, cut=None, draws=(), first=None):
    """What `fairshoe shuffle --json` says. Texts as on the command line; `deck` a text, or a file's bytes."""
    check_hex(key, 32, 32, "key")
    key = bytes.fromhex(key)
    check_name(shoe, "shoe")
    if isinstance(deck, bytes):
        labels = labels_of_file(deck)
    else:
        demand(deck.startswith("french:"), "deck")
        labels = french(number(deck[7:], 1, 1260, "packs"))
    check_labels(labels)
    contributions = []
    for text in seeds:
        demand("=" in text, "seed without =")
        who, seed = text[: text.index("=")], text[text.index("=") + 1 :]
        check_name(who, "contributor")
        check_hex(seed, 1, 128, "seed")
        contributions.append((who, bytes.fromhex(seed)))
    demand(len(contributions) <= 64, "too many contributors")
    demand(len({who for who, _ in contributions}) == len(contributions), "a contributor twice")
    if beacon is not None:
        demand(beacon.count(":") == 2, "beacon")
        chain, round_number, randomness = beacon.split(":")
        check_hex(chain, 1, 64, "chain")
        check_hex(randomness, 1, 64, "randomness")
        beacon = (chain, number(round_number, 0, 2**53 - 1, "round"), randomness)
    at = 0 if cut is None else number(cut, 0, len(labels) - 1, "cut")
    bounds = []
    for text in draws:
        demand(":" in text, "draw without a bound")
        bounds.append((text[: text.rindex(":")], number(text[text.rindex(":") + 1 :], 1, 2**32, "bound")))
    check_draws(bounds, len(labels))
    limit = len(labels) if first is None else number(first, 0, 2**53 - 1, "first")
    text = transcript(key, shoe, labels, contributions, beacon)
    order = [labels[i] for i in permutation(key, text, len(labels), at)][:limit]
    return {
        "commitment": commitment(key),
        "transcript": text.decode("ascii"),
        "order": order,
        "draws": {name: draw(key, text, name, m) for name, m in bounds},
    }


def as_json(found):
    return json.dumps(found, sort_keys=True)


# proofs


class Numeral:
    """A number of a JSON text, as it was written."""

    def __init__(self, text):
        self.text = text


class Fails(Exception):
    """The step of section 10 that does not hold."""


def once_each(pairs):
    demand(len({name for name, _ in pairs}) == len(pairs), "a field twice")
    return dict(pairs)


def integer(value, low=0, high=2**53 - 1):
    demand(isinstance(value, Numeral), "not a number")
    return number(value.text, low, high, "integer")


def array(value, length=None):
    demand(isinstance(value, list) and length in (None, len(value)), "not such an array")
    return value


def string(value):
    demand(isinstance(value, str), "not a string")
    return value


def hex_bytes(value, low, high, what):
    check_hex(string(value), low, high, what)
    return bytes.fromhex(value)


def read_proof(data):
    """The fields of a proof file, each within the limits that concern it alone; else Refused."""
    try:
        text = data.decode("utf-8")
        body = json.loads(
            text, object_pairs_hook=once_each, parse_int=Numeral, parse_float=Numeral, parse_constant=Numeral
        )
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise Refused("not JSON in UTF-8") from None
    demand(isinstance(body, dict) and set(body) == PROOF_FIELDS, "fields")
    demand(body["protocol"] == "fairshoe/1", "protocol")
    check_name(body["shoe"], "shoe")
    check_labels([string(label) for label in array(body["deck"])])
    hex_bytes(body["commitment"], 32, 32, "commitment")
    body["key"] = hex_bytes(body["key"], 32, 32, "key")
    seeds = []
    for who, seed in (array(pair, 2) for pair in array(body["seeds"])):
        check_name(who, "contributor")
        seeds.append((who, hex_bytes(seed, 1, 128, "seed")))
    demand(len(seeds) <= 64 and len({who for who, _ in seeds}) == len(seeds), "contributors")
    if body["beacon"] is not None:
        chain, round_number, randomness = array(body["beacon"], 3)
        hex_bytes(chain, 1, 64, "chain")
        hex_bytes(randomness, 1, 64, "randomness")
        body["beacon"] = (chain, integer(round_number), randomness)
    demand(isinstance(body["draws"], dict), "draws")
    draws = []
    for name, pair in body["draws"].items():
        check_name(name, "draw")
        bound, value = array(pair, 2)
        draws.append((name, integer(bound, 1, 2**32), integer(value)))
    reshuffles = [
        (integer(after), [integer(index) for index in array(gathered)], None if cut is None else integer(cut))
        for after, gathered, cut in (array(record, 3) for record in array(body["reshuffles"]))
    ]
    numbers = {"cut": integer(body["cut"]), "dealt": integer(body["dealt"])}
    return body | numbers | {"seeds": seeds, "draws": draws, "reshuffles": reshuffles}


def require(step, condition):
    if not condition:
        raise Fails(step)


def dealt_cards(proof, remembered):
    """Steps 1 to 6 of section 10: the cards dealt by every shuffle; else Fails."""
    key, deck = proof["key"], proof["deck"]
    require(1, remembered in (None, proof["commitment"]))
    require(2, commitment(key) == proof["commitment"])
    require(3, proof["cut"] < len(deck))
    try:
        check_draws([(name, m) for name, m, _ in proof["draws"]], len(deck))
    except Refused:
        raise Fails(3) from None
    text = transcript(key, proof["shoe"], deck, proof["seeds"], proof["beacon"])
    require(4, all(draw(key, text, name, m) == value for name, m, value in proof["draws"]))
    order = permutation(key, text, len(deck), proof["cut"])
    dealt = []
    for after, gathered, cut in proof["reshuffles"]:
        require(5, after <= len(order))
        require(5, gathered and sorted(set(gathered)) == gathered and gathered[-1] < len(deck))
        dealt.append([deck[i] for i in order[:after]])
        text, where, order = reshuffled(key, text, deck, gathered, cut is not None)
        require(5, cut == where)
    require(6, proof["dealt"] <= len(order))
    return [*dealt, [deck[i] for i in order[: proof["dealt"]]]]


def verdict(data, remembered=None):
    """What `fairshoe verify` says of a file's bytes: (exit code, failed step or None)."""
    try:
        if remembered is not None:
            check_hex(remembered, 32, 32, "commitment")
        proof = read_proof(data)
    except Refused:
        return 2, None
    try:
        dealt_cards(proof, remembered)
    except Fails as step:
        return 1, step.args[0]
    return 0, None
