"""What must be refused, for docs/vectors: each case is a base and what differs from it, with what must happen."""

from __future__ import annotations

import json

from tests.second import protocol

KEY = bytes(range(32))
BASE = {
    "key": KEY.hex(),
    "shoe": "table-1/7",
    "deck": "french:1",
    "seed": ["alice=616c", "bob=00"],
    "beacon": "ab:1000:cd",
    "cut": "0",
    "draw": ["dice/0:6"],
    "first": "3",
}

NO_NUMBERS = {
    "empty": "",
    "with a sign": "+1",
    "below 0": "-1",
    "-0": "-0",
    "with a leading zero": "01",
    "two zeros": "00",
    "with a point": "1.0",
    "with an exponent": "1e1",
    "with a space": " 1",
    "with an underscore": "1_0",
    "hexadecimal": "0x1",
    "Arabic-Indic digit": "٣",
}
WRONG = {
    "key": {
        "empty": "",
        "upper case": KEY.hex().upper(),
        "31 bytes": KEY.hex()[2:],
        "33 bytes": KEY.hex() + "00",
        "an odd digit": KEY.hex() + "0",
        "not hex": "g" + KEY.hex()[1:],
        "with 0x": "0x" + KEY.hex()[2:],
        "LF at its end": KEY.hex() + "\n",
        "a space before it": " " + KEY.hex(),
        "full-width digit": "０" + KEY.hex()[1:],
    },
    "shoe": {
        "empty": "",
        "65 characters": "x" * 65,
        "a space": "a b",
        "LF at its end": "a\n",
        "a letter outside ASCII": "é",
        "a digit outside ASCII": "٣",
        "=": "a=b",
    },
    "deck": {
        "no packs": "french:0",
        "1261 packs": "french:1261",
        "without a number": "french:",
        "without a colon": "french",
        "upper case": "FRENCH:1",
        "an unknown one": "tarot:1",
        "empty": "",
        **{f"packs {name}": f"french:{text}" for name, text in NO_NUMBERS.items() if text},
    },
    "deck_file": {
        "empty": b"",
        "one LF": b"\n",
        "an empty line first": b"\na\n",
        "an empty line between": b"a\n\nb\n",
        "an empty line last": b"a\n\n",
        "CR LF": b"a\r\nb\r\n",
        "tab": b"a\tb\n",
        "NUL": b"\0\n",
        "DEL": b"\x7f\n",
        "U+0085": "\u0085\n".encode(),
        "U+009F": "\u009f\n".encode(),
        "not UTF-8": b"a\xff\n",
        "an encoded surrogate": b"\xed\xa0\x80\n",
        "an overlong NUL": b"\xc0\x80\n",
        "beyond U+10FFFF": b"\xf4\x90\x80\x80\n",
        "a label of 65 bytes": b"x" * 65,
        "33 letters of 2 bytes": "é".encode() * 33,
    },
    "seed": {
        "without =": ["alice"],
        "no contributor": ["=00"],
        "no bytes": ["alice="],
        "129 bytes": ["alice=" + "ab" * 129],
        "half a byte": ["alice=0"],
        "upper case": ["alice=AB"],
        "not hex": ["alice=zz"],
        "a second =": ["a=b=00"],
        "a contributor with a space": ["a b=00"],
        "a contributor of 65 characters": ["x" * 65 + "=00"],
        "a contributor twice": ["alice=00", "alice=01"],
        "65 contributors": [f"c{i}=00" for i in range(65)],
    },
    "beacon": {
        "empty": "",
        "two parts": "ab:1",
        "four parts": "ab:1:cd:ef",
        "no chain": ":1:cd",
        "no randomness": "ab:1:",
        "a chain in upper case": "AB:1:cd",
        "a chain of half a byte": "a:1:cd",
        "a chain of 65 bytes": "ab" * 65 + ":1:cd",
        "randomness of 65 bytes": "ab:1:" + "cd" * 65,
        "round 2^53": f"ab:{2**53}:cd",
        **{f"round {name}": f"ab:{text}:cd" for name, text in NO_NUMBERS.items()},
    },
    "cut": {"at n": "52", "2^53": str(2**53), **NO_NUMBERS},
    "draw": {
        "without a colon": ["dice"],
        "no name": [":6"],
        "a name with a space": ["a b:6"],
        "a name of 65 characters": ["x" * 65 + ":6"],
        "bound 0": ["a:0"],
        "bound 2^32 + 1": [f"a:{2**32 + 1}"],
        "bound of 5000 digits": ["a:" + "9" * 5000],
        **{f"bound {name}": [f"a:{text}"] for name, text in NO_NUMBERS.items()},
        "a name twice": ["a:6", "a:6"],
        "a name twice with two bounds": ["a:6", "a:7"],
        "cut below n - 1": ["cut:51"],
        "cut below n + 1": ["cut:53"],
        "a series that begins at 1": ["d/1:6"],
        "a gap in a series": ["d/0:6", "d/2:6"],
        "a series number 00": ["d/00:6"],
        "a series number 01": ["d/0:6", "d/01:6"],
        "a series number 01 beside 1": ["d/0:6", "d/1:6", "d/01:6"],
        "another series has the 0": ["a/0:6", "b/1:6"],
        "a series in a series that begins at 1": ["a/0/1:6"],
    },
    "first": NO_NUMBERS,
}
RIGHT = {
    "shoe": {"64 characters": "x" * 64, "-": "-", "./:": "./:"},
    "deck_file": {
        "without the last LF": b"a\nb",
        "a byte order mark": "\ufeffa\n".encode(),
        "U+2028": "a\u2028b\n".encode(),
        "spaces": b" \n  \n",
        "a label of 64 bytes": b"x" * 64,
    },
    "seed": {"two equal ones": ["a=00", "b=00"], "a contributor that begins with -": ["-a=00"]},
    "cut": {"0": "0", "n - 1": "51"},
    "draw": {
        "split at the last colon": ["a:b:6"],
        "a series backwards": ["d/1:6", "d/0:6"],
        "a series with two bounds": ["d/0:6", "d/1:2"],
        "a series in a series": ["a/0/0:6"],
        "a series of an empty name": ["/0:6"],
        "no series": ["d/:6", "d/x:6", "7:6"],
        "bound 1": ["a:1"],
        "bound 2^32": [f"a:{2**32}"],
    },
    "first": {"0": "0", "more than there are": "53"},
}


def inputs():
    for table, code in ((WRONG, 2), (RIGHT, 0)):
        for option, values in table.items():
            for what, value in values.items():
                change = {option: value.hex() if isinstance(value, bytes) else value}
                yield {"name": f"{option}: {what}", "change": change, "exit": code}


# proofs

LABELS = ["a", "b", "c", "d", "e", "f"]


def proof():
    """One that holds, with everything in it."""
    seeds, beacon = [("alice", b"al"), ("bob", b"\0")], ["ab", 1000, "cd"]
    text = protocol.transcript(KEY, BASE["shoe"], LABELS, seeds, beacon)
    _, cut, _ = protocol.reshuffled(KEY, text, LABELS, [0, 2, 3])
    bounds = [("dice/0", 6), ("dice/1", 6), ("cut", 6)]
    return {
        "protocol": "fairshoe/1",
        "shoe": BASE["shoe"],
        "deck": LABELS,
        "commitment": protocol.commitment(KEY),
        "key": KEY.hex(),
        "seeds": [[who, seed.hex()] for who, seed in seeds],
        "beacon": beacon,
        "cut": 2,
        "draws": {name: [m, protocol.draw(KEY, text, name, m)] for name, m in bounds},
        "reshuffles": [[4, [0, 2, 3], cut], [1, [1, 4], None]],
        "dealt": 1,
    }


def base_of_proofs():
    text = json.dumps(proof())
    commitment = protocol.commitment(KEY)
    return {
        "base": text,
        "commitment": commitment,
        "dealt": protocol.dealt_cards(protocol.read_proof(text.encode()), commitment),
    }


def proofs():
    """Cases as `{name, exit, step}` and one of `replace`, `text`, `hex`; `commitment` where it is another one."""
    good = proof()
    whole = json.dumps(good)
    draws, (first, second) = good["draws"], good["reshuffles"]
    other = "00" * 32

    def field(what, code, step=None, **changed):
        ((name, value),) = changed.items()
        return text(
            f"{name}: {what}", code, step, json.dumps({name: good[name]})[1:-1], json.dumps({name: value})[1:-1]
        )

    def text(what, code, step, old, new):
        return {"name": what, "exit": code, "step": step, "replace": [old, new]}

    def literal(what, written):
        return text(f"cut: {what}", 2, None, '"cut": 2,', f'"cut": {written},')

    # step 1 and what is remembered
    for what, commitment, code, step in (
        ("another one", other, 1, 1),
        ("none", None, 0, None),
        ("upper case", good["commitment"].upper(), 2, None),
        ("31 bytes", good["commitment"][2:], 2, None),
        ("empty", "", 2, None),
    ):
        yield {"name": f"remembered: {what}", "exit": code, "step": step, "commitment": commitment, "text": whole}
    yield field("another one", 1, 1, commitment=other)
    # step 2
    yield field("another one, remembered", 1, 2, commitment=other) | {"commitment": other}
    yield field("another one", 1, 2, key=other)
    # step 3
    yield field("n", 1, 3, cut=6)
    yield field("2^53 - 1", 1, 3, cut=2**53 - 1)
    yield field("cut below n - 1", 1, 3, draws=draws | {"cut": [5, 0]})
    yield field("a gap in a series", 1, 3, draws=draws | {"dice/3": [1, 0]})
    yield field("a series that begins at 1", 1, 3, draws=draws | {"d/1": [1, 0]})
    yield field("a series number 00", 1, 3, draws=draws | {"d/00": [1, 0]})
    # step 4
    value = draws["dice/0"][1]
    yield field("another value", 1, 4, draws=draws | {"dice/0": [6, (value + 1) % 6]})
    yield field("a value that is the bound", 1, 4, draws=draws | {"dice/0": [6, 6]})
    yield field("a value plus the bound", 1, 4, draws=draws | {"dice/0": [6, value + 6]})
    yield field("another bound", 1, 4, draws=draws | {"dice/0": [2**32, value]})
    yield field("another id", 1, 4, shoe="table-1/8")
    yield field("other labels", 1, 4, deck=[*LABELS[:5], "g"])
    yield field("another order", 1, 4, deck=LABELS[::-1])
    yield field("another roster order", 1, 4, seeds=good["seeds"][::-1])
    yield field("one left out", 1, 4, seeds=good["seeds"][:1])
    yield field("another round", 1, 4, beacon=["ab", 1001, "cd"])
    yield field("none", 1, 4, beacon=None)
    # step 5
    yield field("after more cards than the deck has", 1, 5, reshuffles=[[7, *first[1:]], second])
    yield field("after more cards than were gathered", 1, 5, reshuffles=[first, [4, *second[1:]]])
    yield field("nothing gathered", 1, 5, reshuffles=[first, [1, [], None]])
    yield field("gathered descends", 1, 5, reshuffles=[[4, [3, 2, 0], first[2]], second])
    yield field("gathered twice", 1, 5, reshuffles=[first, [1, [1, 1, 4], None]])
    yield field("gathered beyond the deck", 1, 5, reshuffles=[first, [1, [1, 6], None]])
    yield field("another cut", 1, 5, reshuffles=[[4, [0, 2, 3], (first[2] + 1) % 3], second])
    yield field("a cut plus the cards", 1, 5, reshuffles=[[4, [0, 2, 3], first[2] + 3], second])
    # step 6
    yield field("more than were gathered", 1, 6, dealt=3)
    # what holds, although it may not look so
    yield field("as many as were gathered", 0, dealt=2)
    yield field("none", 0, dealt=0)
    yield field("after the last card of the deck", 0, reshuffles=[[6, *first[1:]], second])
    yield field("after no card", 0, reshuffles=[[0, *first[1:]], second])
    yield field("not cut", 0, reshuffles=[[4, [0, 2, 3], None], second])
    yield field("none listed", 0, draws={})
    yield field("0", 0, cut=0)
    yield {"name": "white space around", "exit": 0, "step": None, "text": f"\n\t{whole} \r\n"}
    turned = json.dumps(dict(reversed(good.items())))
    yield {"name": "fields in another order", "exit": 0, "step": None, "text": turned}
    yield text("an escaped field name", 0, None, '"dealt"', '"d\\u0065alt"')
    # a field that breaks a limit of its own
    for name in ("commitment", "key"):
        for what, wrong in (
            ("upper case", "AB" * 32),
            ("31 bytes", "00" * 31),
            ("33 bytes", "00" * 33),
            ("not hex", "zz" * 32),
            ("null", None),
            ("a number", 1),
        ):
            yield field(what, 2, **{name: wrong})
    for what, wrong in (("fairshoe/2", "fairshoe/2"), ("null", None), ("a number", 1)):
        yield field(what, 2, protocol=wrong)
    for what, wrong in (
        ("empty", ""),
        ("a space", "a b"),
        ("65 characters", "x" * 65),
        ("null", None),
        ("a number", 1),
    ):
        yield field(what, 2, shoe=wrong)
    for what, wrong in (
        ("no cards", []),
        ("null", None),
        ("a string", "french:1"),
        ("an object", {"a": 1}),
        ("a number in it", [1, *LABELS[1:]]),
        ("an empty label", ["", *LABELS[1:]]),
        ("a label of 65 bytes", ["x" * 65, *LABELS[1:]]),
        ("a label with LF", ["a\n", *LABELS[1:]]),
        ("a label with NUL", ["\0", *LABELS[1:]]),
        ("a label with U+009F", ["\u009f", *LABELS[1:]]),
        ("an unpaired surrogate", ["\ud800", *LABELS[1:]]),
        ("a reversed pair of surrogates", ["\udc00\ud800", *LABELS[1:]]),
    ):
        yield field(what, 2, deck=wrong)
    for what, wrong in (
        ("null", None),
        ("an object", {"alice": "00"}),
        ("one part", [["alice"]]),
        ("three parts", [["alice", "00", "00"]]),
        ("a bad contributor", [["a b", "00"]]),
        ("no bytes", [["alice", ""]]),
        ("129 bytes", [["alice", "00" * 129]]),
        ("half a byte", [["alice", "0"]]),
        ("upper case", [["alice", "AB"]]),
        ("a number", [["alice", 1]]),
        ("a contributor twice", [["alice", "00"], ["alice", "01"]]),
        ("65 contributors", [[f"c{i}", "00"] for i in range(65)]),
    ):
        yield field(what, 2, seeds=wrong)
    for what, wrong in (
        ("false", False),
        ("empty", []),
        ("two parts", ["ab", 1000]),
        ("four parts", ["ab", 1000, "cd", 0]),
        ("no chain", ["", 1000, "cd"]),
        ("a chain in upper case", ["AB", 1000, "cd"]),
        ("a chain of 65 bytes", ["ab" * 65, 1000, "cd"]),
        ("no randomness", ["ab", 1000, ""]),
        ("round below 0", ["ab", -1, "cd"]),
        ("round 2^53", ["ab", 2**53, "cd"]),
        ("round as text", ["ab", "1000", "cd"]),
        ("round true", ["ab", True, "cd"]),
    ):
        yield field(what, 2, beacon=wrong)
    for what, written in (
        ("null", "null"),
        ("true", "true"),
        ("as text", '"2"'),
        ("below 0", "-1"),
        ("-0", "-0"),
        ("2.0", "2.0"),
        ("2e0", "2e0"),
        ("a leading zero", "02"),
        ("2^53", str(2**53)),
        ("5000 digits", "9" * 5000),
        ("NaN", "NaN"),
        ("nested deeply", "[" * 5000 + "]" * 5000),
    ):
        yield literal(what, written)
    for what, wrong in (
        ("null", None),
        ("an array", []),
        ("a number", draws | {"dice/0": 6}),
        ("one part", draws | {"dice/0": [6]}),
        ("three parts", draws | {"dice/0": [6, 0, 0]}),
        ("a bad name", draws | {"a b": [1, 0]}),
        ("no name", draws | {"": [1, 0]}),
        ("bound 0", draws | {"dice/0": [0, 0]}),
        ("bound 2^32 + 1", draws | {"dice/0": [2**32 + 1, 0]}),
        ("a value below 0", draws | {"dice/0": [6, -1]}),
        ("a value true", draws | {"dice/0": [6, True]}),
        ("a value null", draws | {"dice/0": [6, None]}),
    ):
        yield field(what, 2, draws=wrong)
    for what, wrong in (
        ("null", None),
        ("an object", {}),
        ("two parts", [first[:2]]),
        ("four parts", [[*first, 0]]),
        ("after null", [[None, *first[1:]]]),
        ("gathered as text", [[4, "", None]]),
        ("gathered below 0", [[4, [-1, 2], None]]),
        ("gathered as a float", [[4, [0.0, 2], None]]),
        ("cut false", [[4, [0, 2, 3], False]]),
        ("cut below 0", [[4, [0, 2, 3], -1]]),
    ):
        yield field(what, 2, reshuffles=wrong)
    for what, wrong in (("null", None), ("below 0", -1), ("a float", 2.0), ("as text", "2")):
        yield field(what, 2, dealt=wrong)
    # the file
    yield text("a field missing", 2, None, '"cut": 2, ', "")
    yield text("an unknown field", 2, None, '"cut": 2, ', '"cut": 2, "note": 0, ')
    yield text("a field twice", 2, None, '"cut": 2, ', '"cut": 2, "cut": 2, ')
    yield text("a field twice, once escaped", 2, None, '"cut": 2, ', '"cut": 2, "c\\u0075t": 2, ')
    yield text("a draw twice", 2, None, '"draws": {', '"draws": {"cut": [6, 0], ')
    yield text("a comma too many", 2, None, '"dealt": 1}', '"dealt": 1,}')
    for what, written in (
        ("empty", ""),
        ("null", "null"),
        ("an array", f"[{whole}]"),
        ("two objects", whole + whole),
        ("cut off", whole[:-1]),
        ("a comment", "// proof\n" + whole),
    ):
        yield {"name": f"file: {what}", "exit": 2, "step": None, "text": written}
    for what, data in (
        ("a byte order mark", b"\xef\xbb\xbf" + whole.encode()),
        ("UTF-16", whole.encode("utf-16-le")),
        ("not UTF-8", whole.encode().replace(b'"a"', b'"\xe9"')),
        ("an encoded surrogate", whole.encode().replace(b'"a"', b'"\xed\xa0\x80"')),
        ("a raw control character", whole.encode().replace(b'"a"', b'"\t"')),
    ):
        yield {"name": f"file: {what}", "exit": 2, "step": None, "hex": data.hex()}


def bytes_of(case, base):
    """The file that a case of `proofs` stands for."""
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    if "text" in case:
        return case["text"].encode()
    old, new = case["replace"]
    assert base.count(old) == 1, case["name"]
    return base.replace(old, new).encode()
