"""The page is one file that asks nobody: its policy, its size, its hashes, and that it is what is documented."""

from __future__ import annotations

import base64
import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

from fairshoe.page import BUILT, fill_page, page, policy
from tests.audit.proofs import proven

from .reading import LANGUAGES, TEXTS, Reader

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = 'script type="module"'
MAX_PAGE_BYTES, MAX_SENT = 200_000, 82_300
"""Bytes of the page, and of what a service sends of it."""


def inside(tag: str) -> str:
    (found,) = re.findall(rf"<{tag}>(.*?)</{tag.split()[0]}>", page(), re.S)
    assert isinstance(found, str)
    return found


def hash_of(tag: str) -> str:
    """What a policy calls the element's text."""
    return f"sha256-{base64.b64encode(sha256(inside(tag).encode()).digest()).decode()}"


def test_it_is_small() -> None:
    data = page().encode()
    assert len(data) < MAX_PAGE_BYTES
    assert len(gzip.compress(data)) < MAX_SENT


def test_what_it_reads_or_shows_has_its_own_names() -> None:
    """The build shortens names; a field of a log, proof or receipt, a label and a text's value keep theirs."""
    (shortened,) = re.findall(r"const INNER = `([^`]*)`", (BUILT.parent / "build.mjs").read_text(encoding="utf-8"))
    data = Path(__file__).parents[1] / "data"
    read = [*DOCS.glob("*.schema.json"), *DOCS.glob("vectors/proofs/*.json"), DOCS / "protocol.md", DOCS / "proof.md"]
    read += [*data.glob("logs/*/log.jsonl"), *data.glob("hands/*.json")]
    fields = {name for path in read for name in re.findall(rb'"(\w+)\\*":', path.read_bytes())}
    values = {name for texts in TEXTS.values() for name in re.findall(r"\{(\w+)[|}]", texts[0])}
    labels = {key.split(".")[1] for key in TEXTS if key.startswith(("item.", "field.", "step."))}
    assert b"commitment" in fields
    assert "round" in values
    assert "cards" in labels
    assert not {name.decode() for name in fields} & set(shortened.split())
    assert not (values | labels) & set(shortened.split())


def test_its_hash_is_documented() -> None:
    told = re.findall(r"SHA-256 of the page: `([0-9a-f]{64})`", (DOCS / "verify-page.md").read_text(encoding="utf-8"))
    assert told == [sha256(page().encode()).hexdigest()], "node fairshoe/web/build.mjs writes it"


def test_its_policy_allows_its_own_script_and_styles_and_no_address() -> None:
    rules = dict(rule.split(" ", 1) for rule in policy().split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'{hash_of(SCRIPT)}'",
        "style-src": f"'{hash_of('style')}'",
        "img-src": "data:",
        "connect-src": "'none'",
        "worker-src": "blob:",
        "form-action": "'none'",
        "base-uri": "'none'",
    }
    assert page().index("Content-Security-Policy") < min(page().index("<style"), page().index("<script"))


def test_it_names_nothing_elsewhere() -> None:
    assert not re.search(
        r"\bsrc=|@import|url\((?!['\"]?(?:data:|#))|\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket", page()
    )


def test_what_fills_it_stays_data() -> None:
    text = fill_page(b"</script><script>alert(1)</script>", "<!--<script>+0+0")
    assert text.count("<script") == page().count("<script")
    assert text.count("<!--") == page().count("<!--")
    data = re.search(r'id="filled">(.*?)</script>', text, re.S)
    assert data
    form = json.loads(data[1])
    assert base64.b64decode(form["proof"]) == b"</script><script>alert(1)</script>"
    assert form["key"] == "<!--<script>+0+0"


def test_it_needs_no_webcrypto_and_no_storage(reader: Reader, saved: str) -> None:
    """As over http on a local network, in a browser that forbids to remember."""
    reader.page.add_init_script(
        "delete Crypto.prototype.subtle;"
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    reader.open(saved).asked().give(proven("casino")).told("pass")
    assert reader.page.locator("[href^='/']").count() == 0, "a file on a disk leads to no house"


def test_every_text_is_written_in_every_language_with_the_same_values() -> None:
    assert all(len(texts) == len(LANGUAGES) and all(texts) for texts in TEXTS.values())
    values = {key: {frozenset(re.findall(r"\{(\w+)", text)) for text in texts} for key, texts in TEXTS.items()}
    assert [key for key, found in values.items() if len(found) > 1] == []
