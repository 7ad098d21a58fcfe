"""Check steps 1 and 2 of docs/proof.md: python check.py PROOF KEY. Needs `cryptography`."""

import base64
import hashlib
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def must(holds, what="not the form of docs/proof.md"):
    """Raise ValueError if a step does not hold."""
    if not holds:
        raise ValueError(what)


def head_of(note, vkey):
    """Size and tree head of a checkpoint that the key signed."""
    text, below = note.split("\n\n")
    signature, *cosignatures = below.splitlines(keepends=True)
    must(cosignatures == sorted(set(cosignatures)), "cosignatures out of order")
    must(all(len(base64.b64decode(line[:-1].split(" ")[2], validate=True)) == 76 for line in cosignatures))
    dash, name, encoded = signature.removesuffix("\n").split(" ")
    key_name, key_id, key = vkey.strip().split("+", 2)
    public, data = base64.b64decode(key, validate=True), base64.b64decode(encoded, validate=True)
    identity = hashlib.sha256(key_name.encode() + b"\n" + public).digest()[:4]
    must(public[:1] == b"\x01" and identity == bytes.fromhex(key_id) == data[:4])
    must(dash == "—" and name == key_name and signature == f"— {name} {base64.b64encode(data).decode()}\n")
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(data[4:], (text + "\n").encode())
    origin, size, root = text.split("\n")
    must(origin == key_name)
    return int(size), base64.b64decode(root, validate=True)


def root_from(leaf, index, size, path):
    """The tree head to which a path leads (RFC 9162 section 2.1.3.2)."""
    place, last, node = index, size - 1, leaf
    for sibling in path:
        must(last > 0, "a hash too many")
        left = place % 2 == 1 or place == last
        node = hashlib.sha256(b"\x01" + (sibling + node if left else node + sibling)).digest()
        if left:
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        place, last = place // 2, last // 2
    must(last == 0, "a hash too few")
    return node


def entries_of(data, vkey):
    """The entries of a proof file, each shown to stand in the signed log."""
    form = json.loads(data)
    must(data == json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    must(form.keys() - {"openings"} == {"checkpoint", "entries", "kind", "round", "v"})
    version = 2 if "openings" in form else 1
    must((form["kind"], form["v"], type(form["v"])) == ("fairshoe hand proof", version, int))
    size, root = head_of(form["checkpoint"], vkey)
    before = -1
    for entry in form["entries"]:
        must(entry.keys() == {"index", "line", "path"} and type(entry["index"]) is int)
        must(before < entry["index"] < size)
        before = entry["index"]
        path = [base64.b64decode(node, validate=True) for node in entry["path"]]
        must([base64.b64encode(node).decode() for node in path] == entry["path"])
        must(all(len(node) == 32 for node in path))
        leaf = hashlib.sha256(b"\x00" + entry["line"].encode()).digest()
        must(root_from(leaf, before, size, path) == root, "not the signed tree head")
        yield before, json.loads(entry["line"])


if __name__ == "__main__":
    file, key = sys.argv[1:]
    for index, entry in entries_of(Path(file).read_bytes(), Path(key).read_text()):
        print(index, entry["kind"])
