"""The proof file of one hand: entries of a log, each with its inclusion proof, and a signed checkpoint. See
docs/proof.md."""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..errors import InputError, VerificationError
from ..protocol.merkle import check_inclusion, heads_of, leaf_hash
from ..protocol.openings import Opening, opening_of
from ..terminal.formats import BOM
from .canonical import DECODER, MAX_ENTRY
from .checkpoint import Checkpoint, checkpoint_of, cosigned_note, open_checkpoint
from .note import Verifier, base64_of, bytes_of_base64
from .tree import Node, TreeHead, inclusion_proof

KIND = "fairshoe hand proof"
VERSION = 1
WITH_OPENINGS = 2
"""The version of a file that has openings."""
BEGINS = b'{"checkpoint":"'
"""How every proof file begins, and no log."""
MAX_PROOF = 1 << 20
"""The most bytes that a proof file may have."""
MAX_ENTRIES = 4_096
MAX_PATH = 63
_HASH = re.compile(r"[A-Za-z0-9+/]{43}=", re.ASCII)
_TOP = {"checkpoint", "entries", "kind", "round", "v"}


class ProvenEntry(NamedTuple):
    """An entry: its place in the log, from 0, its bytes, its audit path from the leaf upwards."""

    place: int
    line: bytes
    path: tuple[bytes, ...]


class HandProof(NamedTuple):
    """`round`: `TABLE#NUMBER`; `checkpoint`: the note with the house's signature and whatever cosignatures there are;
    `entries` by rising index; `openings` of the round's cards, in the order of dealing, or none."""

    round: str
    checkpoint: str
    entries: tuple[ProvenEntry, ...]
    openings: tuple[Opening, ...] = ()

    @property
    def head(self) -> Checkpoint:
        return checkpoint_of(self.checkpoint)


def build_proof(round: str, note: str, chosen: Sequence[tuple[int, bytes]], node: Node) -> HandProof:
    """Return the proof that these entries stand in the log of checkpoint `note`, whose nodes are `node`. The log's
    first signature and sorted cosignatures are kept. Raises InputError, also for too large a file."""
    head = checkpoint_of(note)
    if len(chosen) > MAX_ENTRIES:
        raise _too_large(round, f"{len(chosen)} entries", f"at most {MAX_ENTRIES}")
    proven = tuple(ProvenEntry(index, line, tuple(inclusion_proof(node, index, head.size))) for index, line in chosen)
    proof = HandProof(round, cosigned_note(note, head.origin), proven)
    if (size := len(proof_text(proof).encode())) > MAX_PROOF:
        raise _too_large(round, f"{size} bytes", f"at most {MAX_PROOF}")
    return proof


def with_openings(proof: HandProof, openings: Iterable[Opening]) -> HandProof:
    """Return the proof with the openings of its round's cards, if the file does not get too large by them."""
    opened = proof._replace(openings=tuple(openings))
    return opened if len(proof_text(opened).encode()) <= MAX_PROOF else proof


def _too_large(round: str, what: str, expected: str) -> InputError:
    remedy = "its shoe has too many entries for a file of its own: tell the hand from the whole log"
    return InputError(f"a proof of {round} would have {what}", where="round", expected=expected, remedy=remedy)


def proof_text(proof: HandProof) -> str:
    """Return the file: canonical JSON and a LF."""
    entries = [
        {
            "index": each.place,
            "line": each.line.decode(),
            "path": [base64_of(node) for node in each.path],
        }
        for each in proof.entries
    ]
    form = {"checkpoint": proof.checkpoint, "entries": entries, "kind": KIND, "round": proof.round, "v": VERSION}
    if proof.openings:
        form |= {"openings": [each.form for each in proof.openings], "v": WITH_OPENINGS}
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"


def proof_of(data: bytes) -> HandProof:
    """Read a proof file. Only the very bytes that `proof_text` writes are one. Raises InputError."""
    if len(data) > MAX_PROOF:
        raise _malformed(f"{len(data)} bytes", f"at most {MAX_PROOF}")
    if data.startswith(BOM):
        raise _malformed("a byte order mark, as an editor puts it before a text", "one JSON object")
    try:
        form = DECODER.decode(data.decode())
        proof = _read(form)
        same = proof_text(proof).encode() == data
    except (ValueError, RecursionError) as error:
        raise _malformed(f"not JSON in UTF-8: {error}", "one JSON object") from None
    if not same:
        raise _malformed("not in canonical form", "sorted keys, no white space, no duplicates, one LF at the end")
    return proof


def _read(form: Any) -> HandProof:
    if type(form) is not dict or form.keys() - {"openings"} != _TOP:
        raise _malformed("other fields", ", ".join(sorted(_TOP)))
    version = WITH_OPENINGS if "openings" in form else VERSION
    if form["kind"] != KIND or type(form["v"]) is not int or form["v"] != version:
        raise _malformed("another kind or version", f"kind {KIND!r}, v {version}")
    entries, openings = form["entries"], form.get("openings", [])
    texts = all(type(form[name]) is str for name in ("checkpoint", "round"))
    if not texts or not type(entries) is type(openings) is list:
        raise _malformed("a field of another type", "texts checkpoint and round, lists entries and openings")
    if not 1 <= len(entries) <= MAX_ENTRIES:
        raise _malformed(f"{len(entries)} entries", f"1 to {MAX_ENTRIES}")
    proven = tuple(_entry(number, each) for number, each in enumerate(entries))
    indexes = [each.place for each in proven]
    if indexes != sorted(set(indexes)):
        raise _malformed("entries out of order, or twice", "each index greater than the one before")
    try:
        return HandProof(form["round"], form["checkpoint"], proven, tuple(map(opening_of, openings)))
    except VerificationError as error:
        raise _malformed(error.what, str(error.expected), "openings") from None


def _entry(number: int, form: Any) -> ProvenEntry:
    where = f"entries[{number}]"
    if type(form) is not dict or form.keys() != {"index", "line", "path"}:
        raise _malformed("other fields", "index, line, path", where)
    index, line, path = form["index"], form["line"], form["path"]
    if type(index) is not int or not 0 <= index < 1 << MAX_PATH:
        raise _malformed("not an index", "an integer from 0", f"{where}.index")
    if type(line) is not str or not 0 < len(line) <= MAX_ENTRY:
        raise _malformed("not an entry", f"a text of at most {MAX_ENTRY} bytes", f"{where}.line")
    if type(path) is not list or len(path) > MAX_PATH:
        raise _malformed("not a path", f"a list of at most {MAX_PATH} hashes", f"{where}.path")
    return ProvenEntry(index, line.encode(), tuple(_hash(each, f"{where}.path") for each in path))


def _hash(text: Any, where: str) -> bytes:
    if type(text) is not str or not _HASH.fullmatch(text):
        raise _malformed("not a hash", "32 bytes in base64", where)
    try:
        return bytes_of_base64(text)
    except binascii.Error:
        raise _malformed("not a hash", "32 bytes in base64", where) from None


def _malformed(what: str, expected: str, where: str = "proof file") -> InputError:
    remedy = "get the file again from whoever made it, unchanged"
    return InputError(what, where=where, expected=expected, remedy=remedy)


def check_proof(proof: HandProof, verifier: Verifier) -> Checkpoint:
    """Raise VerificationError unless `verifier` signed the checkpoint and each entry stands where the file says in
    the tree that it signed. Gives the checkpoint. Of cosignatures only their form is checked."""
    try:
        head = open_checkpoint(proof.checkpoint, verifier)
        signed = cosigned_note(proof.checkpoint, verifier.name)
    except InputError as error:
        raise VerificationError(error.what, where="checkpoint", expected=error.expected) from None
    if head.origin != verifier.name:
        raise VerificationError(f"of {head.origin}", where="checkpoint", expected=f"the log {verifier.name}")
    if signed != proof.checkpoint:
        expected = f"that of {verifier.name}, then cosignatures by rising bytes, each once"
        raise VerificationError("other signatures, or in another order", where="checkpoint", expected=expected)
    for each in proof.entries:
        if not each.place < head.size:
            expected = f"below {head.size}, the size of the signed log"
            raise VerificationError("no such entry", where=f"entry {each.place}", expected=expected)
        check_inclusion(leaf_hash(each.line), each.place, head.size, each.path, head.root)
    return head


def tree_at(proven: ProvenEntry, head: Checkpoint) -> TreeHead:
    """Return the log's tree that ends with an entry of a proof that holds."""
    heads = heads_of(leaf_hash(proven.line), proven.place, head.size, proven.path)
    if heads is None:
        raise VerificationError("no inclusion proof", where=f"entry {proven.place}", expected="one that was checked")
    return TreeHead(proven.place + 1, heads[1])
