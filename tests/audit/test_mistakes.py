"""What readers do wrong with an honest log: one item or one error each, the right fault, and what to do."""

from __future__ import annotations

import base64
import bz2
import gzip
import hashlib
import io
import json
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit_cli.main import main
from audit_cli.verify.registry import CATALOGUE
from fairshoe.log.directory import CHECKPOINT, ENTRIES, PACKED, VERIFIER, write_log
from fairshoe.log.note import Signer
from tests.house import SIGNER, honest

from .planting import KEY, log
from .proofs import proven
from .test_evidence import OTHER
from .tiled import export_copy

LINES = list(log("banker"))
WHOLE = b"".join(line + b"\n" for line in LINES)
OLDER = 30
"""How many entries the log had when it was remembered."""


class Told(NamedTuple):
    """What the auditor said: its exit code, the report's groups, the error."""

    exit: int
    groups: list[dict[str, Any]]
    error: str


Audit = Callable[..., Told]


@pytest.fixture
def house_log(tmp_path: Path) -> Path:
    write_log(tmp_path / "old", LINES[:OLDER], SIGNER)
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str]) -> Audit:
    def told(*args: object) -> Told:
        code = main(["verify", *map(str, args), "--format", "json"])
        out, error = capsys.readouterr()
        return Told(code, json.loads(out)["groups"] if out else [], error)

    return told


def check_item(told: Told, code: str, fault: str, *words: str, exit: int = 1) -> None:
    """One group and nothing beside it; both causes are named where it may be either's fault."""
    assert [group["code"] for group in told.groups] == [code]
    (group,) = told.groups
    assert (told.exit, told.error, group["fault"], group["count"]) == (exit, "", fault, 1)
    assert fault == "reader" or (group["cause"].startswith("either ") and " or " in group["cause"])
    for word in words:
        assert word in group["next"]


def check_error(told: Told, *words: str) -> None:
    assert (told.exit, told.groups) == (2, [])
    assert told.error.endswith("\n  fault:    reader\n")
    assert "\n  remedy:   " in told.error
    for word in words:
        assert word in told.error


PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key()
SECRET = base64.b64encode(b"\x01" + bytes(range(32))).decode()
KEYS = {
    "a key or certificate in PEM": PUBLIC.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo),
    "a private key in PEM": PRIVATE.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()),
    "a private key in PEM (keep": PRIVATE.private_bytes(
        form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption()
    ),
    "a key of OpenSSH": PUBLIC.public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH),
    "a private key (keep it secret)": f"PRIVATE+KEY+house.test+c4fdfa42+{SECRET}\n".encode(),
    "bytes in hex": PUBLIC.public_bytes_raw().hex().encode(),
    "bytes in base64": base64.b64encode(PUBLIC.public_bytes_raw()),
    "a JSON object": b'{"kty":"OKP","crv":"Ed25519"}',
    "a key of minisign": b"untrusted comment: minisign public key\nRWQf6LRCGA9i53mlYecO\n",
    "a binary file": PUBLIC.public_bytes(form.Encoding.DER, form.PublicFormat.SubjectPublicKeyInfo) + b"\xff",
    "an empty text": b"\n",
    "a checkpoint": SIGNER.sign("house\n1\nroot\n").encode(),
}


@pytest.mark.parametrize("what", KEYS)
def test_a_key_of_another_format(what: str, house_log: Path, audit: Audit) -> None:
    """In a file, or as it is on the command line."""
    data, file = KEYS[what], house_log.parent / "house.key"
    file.write_bytes(data)
    for given in filter(None, (file, "" if what == "a binary file" else data.decode().strip())):
        told = audit(house_log, "--key", given)
        check_error(told, what, "not a verifier key", "name+id+base64")
        for line in data.split():
            assert len(line) < 20 or line.decode(errors="replace") not in told.error, "never repeated"


def test_a_key_file_that_is_not_there_or_was_saved_by_an_editor(house_log: Path, audit: Audit) -> None:
    assert "no such file" in audit(house_log, "--key", "house.vkey").error
    (house_log.parent / "house.vkey").write_bytes(b"\xef\xbb\xbf" + KEY.encode() + b"\r\n")
    assert audit(house_log, "--key", house_log.parent / "house.vkey")[:2] == (0, [])


@pytest.mark.parametrize("name", [f"foreign/{CHECKPOINT}", "foreign", f"foreign/{ENTRIES}"])
@pytest.mark.parametrize("more", [(), ("--key", KEY)])
def test_a_checkpoint_of_another_origin(name: str, more: tuple[str, ...], house_log: Path, audit: Audit) -> None:
    write_log(house_log.parent / "foreign", honest("casino", 3, seed=5).lines, OTHER)
    told = audit(house_log, "--checkpoint", house_log.parent / name, *more)
    check_item(told, "remembered-other-log", "reader", "this log")


@pytest.mark.parametrize("name", [CHECKPOINT, VERIFIER])
def test_a_checkpoint_or_key_saved_by_an_editor_is_read_as_it_was(name: str, house_log: Path, audit: Audit) -> None:
    for folder in (house_log, house_log.parent / "old"):
        path = folder / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    kept = house_log.parent / "old" / CHECKPOINT
    assert audit(house_log, "--checkpoint", kept)[:2] == (0, [])
    assert audit(house_log, "--key", KEY, "--checkpoint", kept)[:2] == (0, [])


@pytest.mark.parametrize("more", [(), ("--key", KEY)])
@pytest.mark.parametrize(
    ("bom", "end", "blank"),
    [
        (b"", b"\r\n", b""),
        (b"\xef\xbb\xbf", b"\n", b""),
        (b"\xef\xbb\xbf", b"\r\n", b"\r\n"),
        (b"", b"\n", b"\n"),
        (b"", b"\n", b"\n\n\n"),
    ],
)
def test_the_log_saved_by_an_editor(
    bom: bytes, end: bytes, blank: bytes, more: tuple[str, ...], house_log: Path, audit: Audit
) -> None:
    (house_log / ENTRIES).write_bytes(bom + WHOLE.replace(b"\n", end) + blank)
    told = audit(house_log, *more, "--checkpoint", house_log.parent / "old")
    check_item(told, "log-resaved", "reader", "Fetch the log again")
    (house_log / CHECKPOINT).unlink()
    told = audit(house_log)
    assert told.exit == 1
    assert "log-resaved" in [group["code"] for group in told.groups]


@pytest.mark.parametrize("gone", [1, 2, 40, 1000])
def test_the_log_cut_inside_a_line(gone: int, house_log: Path, audit: Audit) -> None:
    """Or just before its last line feed, where no entry is missing."""
    shutil.copytree(house_log, house_log.parent / "newer")
    (house_log / ENTRIES).write_bytes(WHOLE[:-gone])
    remembered = ("--checkpoint", house_log.parent / "newer")
    for more in (
        (),
        ("--key", KEY),
        ("--key", KEY, "--checkpoint", house_log.parent / "old"),
        ("--key", KEY, *remembered),
    ):
        told = audit(house_log, *more)
        check_item(told, "entry-cut-off", "reader", "Fetch the log again")
        assert told.groups[0]["first"][0]["entry"] == WHOLE[: -max(gone, 2)].count(b"\n")
        assert ("log-truncated" in told.groups[0]["follows"]) == (gone > 1)


# No log at all.


@pytest.mark.parametrize("words", [["verify"], ["consistency", "OLD", "OLD"], ["refunds"]])
def test_an_address_is_to_be_fetched_first(
    words: list[str], house_log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = str(house_log / CHECKPOINT)
    assert main([*(old if word == "OLD" else word for word in words), "https://house.example/at"]) == 2
    assert "fairshoe pull https://house.example/at DIR" in capsys.readouterr().err


def test_a_packed_log_has_the_tree_of_the_log(house_log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = house_log.parent / "old" / CHECKPOINT, house_log / CHECKPOINT
    (house_log / PACKED).write_bytes(gzip.compress(WHOLE))
    for given in (house_log, house_log / PACKED):
        assert main(["consistency", str(old), str(new), str(given), "--key", KEY]) == 0
    (house_log / ENTRIES).unlink()
    assert main(["consistency", str(old), str(new), str(house_log), "--key", KEY]) == 0
    capsys.readouterr()


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.jsonl", data)
    return file.getvalue()


def tarred(data: bytes, *names: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name in names or (ENTRIES,):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


NO_LOGS: dict[str, tuple[bytes, str]] = {
    "a gzip file, and in it a web page": (gzip.compress(b"<html>"), "gunzip"),
    "a bzip2 file": (bz2.compress(WHOLE), "bunzip2"),
    "an xz file": (lzma.compress(WHOLE), "unxz"),
    "a zstd file": (b"\x28\xb5\x2f\xfd" + bytes(range(200)), "unzstd"),
    "a picture (PNG)": (b"\x89PNG\r\n\x1a\n" + bytes(range(200)), "get log.jsonl again"),
    "a zip file": (zipped(WHOLE), "unzip"),
    "a tar archive": (tarred(gzip.compress(WHOLE)), "tar xf"),
    "a text in UTF-16": (WHOLE.decode().encode("utf-16"), "UTF-8"),
    "a web page": (b"<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n", "get log.jsonl again"),
    "an error message": (json.dumps({"status": 404, "title": "Not Found"}, indent=1).encode(), "get log.jsonl again"),
    "a checkpoint": (SIGNER.sign(f"house\n3\n{base64.b64encode(bytes(32)).decode()}\n").encode(), "--checkpoint"),
    "a verifier key": (f"{KEY}\n".encode(), "--key"),
    "a private key": (KEYS["a private key (keep it secret)"], "give a log's directory"),
    "the proof of one shoe": (
        b'{\n "protocol": "fairshoe/1",\n "shoe": "x",\n "commitment": "0"\n}',
        "fairshoe verify",
    ),
    "the proof of one hand": (proven("banker"), "fairshoe-audit hand FILE"),
    "the proof of one hand, laid out anew": (json.dumps(json.loads(proven("banker")), indent=1).encode(), "unchanged"),
    "a file of receipts": (b'"fairshoe receipt key\\nhouse/receipt+1dca8acc+AWSq"\n', "fairshoe-audit receipt FILE"),
    "the report of an audit": (b'{\n "tool": "fairshoe-audit 0.1.0",\n "verdict": "pass"\n}', "that it is about"),
    "an empty file": (b"", "get log.jsonl again"),
    "a database (SQLite)": (b"SQLite format 3\x00" + bytes(4000), "get log.jsonl"),
    "a binary file": (bytes(100_000), "get log.jsonl again"),
    "one list in JSON": (b"[" + b",\n".join(LINES) + b"]\n", "as it is"),
    "entries that a program laid out anew": (json.dumps(json.loads(LINES[0]), indent=1).encode(), "as it is"),
    "no line of it is an entry": (b"Dear reader,\nthis is not a log.\n", "get log.jsonl again"),
}


@pytest.mark.parametrize("what", NO_LOGS)
def test_a_file_that_is_no_log(what: str, house_log: Path, audit: Audit) -> None:
    data, remedy = NO_LOGS[what]
    (house_log / ENTRIES).write_bytes(data)
    told = audit(house_log, "--key", KEY)
    check_error(told, f"no log: {what}", remedy)
    assert SECRET not in told.error


KEPT: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "without its last line feed": (lambda note: note[:-1], 0),
    "with another line feed": (lambda note: note + b"\n", 0),
    "quoted in a mail": (lambda note: b"> " + note.replace(b"\n", b"\n> "), 2),
    "in quotation marks": (lambda note: b'"' + note[:-1] + b'"\n', 2),
    "indented": (lambda note: b"  " + note.replace(b"\n", b"\n  "), 2),
    "in UTF-16": (lambda note: note.decode().encode("utf-16"), 2),
}


@pytest.mark.parametrize("what", KEPT)
def test_a_remembered_note_that_was_pasted(what: str, house_log: Path, audit: Audit) -> None:
    change, code = KEPT[what]
    kept = house_log.parent / "old" / CHECKPOINT
    kept.write_bytes(change(kept.read_bytes()))
    told = audit(house_log, "--key", KEY, "--checkpoint", kept)
    assert (told.exit, told.groups) == (code, [])
    if code:
        check_error(told, "checkpoint")


TARS: dict[str, tuple[tuple[str, ...], int]] = {
    "as a house serves it": ((ENTRIES,), 0),
    "made in the directory": ((f"./{ENTRIES}",), 0),
    "made beside the directory": (("house/log/notes.txt", f"house/log/{ENTRIES}"), 0),
    "of two logs": ((f"one/{ENTRIES}", f"two/{ENTRIES}"), 2),
    "of none": (("letter.txt",), 2),
}


@pytest.mark.parametrize("what", TARS)
def test_a_tar_archive(what: str, house_log: Path, audit: Audit) -> None:
    names, code = TARS[what]
    (house_log.parent / "log.tar").write_bytes(tarred(WHOLE, *names))
    told = audit(house_log.parent / "log.tar")
    assert told.exit == code
    assert [group["code"] for group in told.groups] == [] if code else ["checkpoint-missing"]
    if code:
        check_error(told, ENTRIES, "tar -xf")


@pytest.mark.parametrize("what", ["a bzip2 file", "a web page", "a verifier key"])
def test_a_remembered_file_that_is_neither(what: str, house_log: Path, audit: Audit) -> None:
    assert "no such file" in audit(house_log, "--checkpoint", house_log.parent / "kept").error
    (house_log.parent / "kept").write_bytes(NO_LOGS[what][0])
    check_error(audit(house_log, "--checkpoint", house_log.parent / "kept"), what, "not a checkpoint")
    (house_log.parent / "kept").write_bytes(WHOLE)
    check_error(audit(house_log, "--checkpoint", house_log.parent / "kept"), "entries, not a checkpoint", "beside it")


def test_a_directory_of_tiles_that_is_not_whole(house_log: Path, audit: Audit) -> None:
    tiles = house_log.with_name("tiles")
    export_copy(house_log, tiles)
    assert audit(tiles, "--key", KEY) == Told(0, [], "")
    check_error(audit(tiles / "tile"), "no log: the tiles of a log without its checkpoint", "the directory above")
    missing = next((tiles / "tile" / "entries").rglob("*.p/*"))
    for path in (missing, next((tiles / "tile" / "0").rglob("*.p/*"))):
        moved = path.rename(house_log / "moved")
        check_error(audit(tiles), "no such tile", str(path), "copy the directory again, whole")
        moved.rename(path)
    (tiles / CHECKPOINT).unlink()
    check_error(audit(tiles), "no such file", str(tiles / CHECKPOINT), "copy the directory again, whole")


def test_a_directory_of_something_else(tmp_path: Path, audit: Audit) -> None:
    check_error(audit(tmp_path), "an empty directory")
    for name in ("tax.pdf", "letter.txt", "cat.jpg", "dog.jpg"):
        (tmp_path / name).touch()
    check_error(audit(tmp_path), "a directory without log.jsonl", "cat.jpg, dog.jpg, letter.txt and 1 more")
    (tmp_path / "log.jsonl.zst").touch()
    check_error(audit(tmp_path), "unpack log.jsonl.zst first")


def test_a_log_that_is_not_there(tmp_path: Path, audit: Audit) -> None:
    check_error(audit(tmp_path / "nowhere"), "no such file", "nowhere")


# This copy is not what the house signed: nothing that stands in it is laid at the house's door.


DAMAGED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "double-spaced": lambda lines: [part for line in lines for part in (line, b"")][:-1],
    "a space at each line's end": lambda lines: [line + b" " for line in lines],
    "written by another program": lambda lines: [json.dumps(json.loads(line)).encode() for line in lines],
    "CR LF in some lines": lambda lines: [line + b"\r" * (i % 3 == 1) for i, line in enumerate(lines)],
    "wrapped": lambda lines: [line[i : i + 300] for line in lines for i in range(0, len(line), 300)],
    "a payout changed": lambda lines: WHOLE.replace(b'"net":', b'"net":1', 1).splitlines(),
    "a line lost in the middle": lambda lines: [*lines[:20], *lines[21:]],
}
OTHERWISE = {"a line lost in the middle": "log-truncated"}
"""What is found where it is not `root-differs`."""


@pytest.mark.parametrize("what", DAMAGED)
def test_a_copy_that_is_not_what_the_house_signed_accuses_nobody(what: str, house_log: Path, audit: Audit) -> None:
    (house_log / ENTRIES).write_bytes(b"".join(line + b"\n" for line in DAMAGED[what](LINES)))
    told = audit(house_log, "--key", KEY)
    assert told.exit == 1
    assert told.groups[0]["code"] == OTHERWISE.get(what, "root-differs")
    assert {group["fault"] for group in told.groups if group["severity"] == "fail"} == {"unknown"}
    for group in told.groups:
        assert "follows" not in group or not {"root-differs", "entries-unsigned"} & group["follows"].keys()
    for group in told.groups:
        is_of_house = CATALOGUE[group["code"]].fault == "house"
        assert group["next"].startswith("Get the log again") == is_of_house
        assert {finding["fault"] for finding in group["first"]} == {group["fault"]}


def test_what_the_house_signed_is_its_own_fault_whatever_became_of_the_file(house_log: Path, audit: Audit) -> None:
    """Line ends are told and mended, so that the entries are the signed ones."""
    lines = WHOLE.replace(b'"outcome":"lose"', b'"outcome":"other"', 1).split(b"\n")[:-1]
    write_log(house_log, lines, SIGNER)
    assert [group["fault"] for group in audit(house_log, "--key", KEY).groups] == ["house"]
    (house_log / ENTRIES).write_bytes(b"".join(line + b"\r\n" for line in lines))
    told = audit(house_log, "--key", KEY)
    assert [(group["code"], group["fault"]) for group in told.groups] == [
        ("log-resaved", "reader"),
        ("outcome-differs", "house"),
    ]


@pytest.mark.parametrize("name", [CHECKPOINT, "", ENTRIES])
def test_a_log_that_the_house_gave_another_name_is_compared(name: str, house_log: Path, audit: Audit) -> None:
    renamed = Signer(OTHER.verifier.name, hashlib.sha256(b"a signing key for tests").digest())
    assert renamed.verifier.public == SIGNER.verifier.public
    changed = [*LINES[:10], *(line.replace(b'"net":', b'"net":1') for line in LINES[10:])]
    write_log(house_log, changed, renamed)
    told = audit(house_log, "--key", str(renamed.verifier), "--checkpoint", house_log.parent / "old" / name)
    groups = {group["code"]: group for group in told.groups}
    assert "remembered-other-log" not in groups
    memory = groups["memory-differs"]
    assert (memory["fault"], memory["count"]) == ("unknown", 2)
    assert memory["first"][0]["field"] == "origin"
