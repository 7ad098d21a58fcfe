"""Entries as canonical bytes: RFC 8785 inside the profile, refusals outside it."""

from __future__ import annotations

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairshoe.errors import NotCanonical
from fairshoe.log.canonical import MAX_ENTRY, MAX_INTEGER, check_canonical, decode, encode, parse

ascii_keys = st.text(st.characters(min_codepoint=0, max_codepoint=127), max_size=8)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
integers = st.integers(-MAX_INTEGER, MAX_INTEGER)
values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ascii_keys, inner, max_size=3),
    max_leaves=8,
)
entries = st.dictionaries(ascii_keys, values, max_size=3)


@settings(max_examples=60)
@given(entries)
@example({'\x00\x1f\x7f"\\/': "\x00\x08\x09\x0a\x0c\x0d\x1f\x7f\u2028\u2029😀é"})
@example({"n": [MAX_INTEGER, -MAX_INTEGER, 0]})
def test_the_profile_is_canonical_as_rfc_8785_says_and_read_again(entry: dict[str, Any]) -> None:
    assert encode(entry) == rfc8785.dumps(entry)
    again = decode(encode(entry))
    assert again == entry
    assert encode(again) == encode(entry), "True is not 1"


@settings(max_examples=60)
@given(st.binary(max_size=60) | entries.map(lambda e: json.dumps(e, indent=1).encode()) | entries.map(encode))
def test_bytes_are_canonical_exactly_when_they_are_what_rfc_8785_gives(line: bytes) -> None:
    try:
        entry = decode(line)
    except NotCanonical:
        return
    assert rfc8785.dumps(entry) == line


def test_the_sample_of_rfc_8785_section_3_2_3() -> None:
    """Sorting and literals; the section's other keys and its numbers lie outside the profile."""
    sample = {"literals": [None, True, False], "string": '€$\x0f\nA\'B"\\\\"/'}
    assert (
        encode(sample)
        == rb'{"literals":[null,true,false],"string":"' + "€$".encode() + rb"\u000f\nA" + rb"""'B\"\\\\\"/"}"""
    )


REFUSED = {
    b"{": "not JSON",
    b"": "not JSON",
    b"\xff": "not JSON",
    b"[]": "not an object",
    b"1": "not an object",
    b'{"a":1.0}': "the number 1.0",
    b'{"a":1e3}': "the number 1e3",
    b'{"a":NaN}': "the number NaN",
    b'{"a":-Infinity}': "the number -Infinity",
    b'{"a":9007199254740992}': "beyond",
    b'{"a":[{"b":-9007199254740992}]}': "beyond",
    b'{"a":' + b"9" * 5000 + b"}": "not JSON",
    b'{"a":' + b"[" * 100_00 + b"]" * 100_00 + b"}": "not JSON",
    b'{"a":"' + b"x" * MAX_ENTRY + b'"}': "bytes",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_no_entry_is_refused(line: bytes) -> None:
    with pytest.raises(NotCanonical, match=REFUSED[line]) as caught:
        parse(line)
    assert (caught.value.fault, caught.value.where) == ("house", "entry")
    assert caught.value.expected


SPACED = [b'{"a": 1}', b'{"a":1} ', b'{"a":1}\r', b'{"b":1,"a":2}', b'{"a":1,"a":1}', b'{"a":-0}']
ESCAPED = [rb'{"a":"\u0062"}', rb'{"a":"\/"}', rb'{"a":"\u00e9"}', rb'{"a":"\uD800"}', rb'{"a":"\u000A"}']


@pytest.mark.parametrize("line", [*SPACED, *ESCAPED])
def test_what_is_not_in_canonical_form_is_refused(line: bytes) -> None:
    entry = parse(line)
    with pytest.raises(NotCanonical):
        check_canonical(entry, line)
    with pytest.raises(NotCanonical):
        decode(line)


def test_the_size_limit_is_of_the_line() -> None:
    room = MAX_ENTRY - len(b'{"a":""}')
    assert decode(encode({"a": "x" * room}))
    with pytest.raises(NotCanonical, match=f"{MAX_ENTRY + 1} bytes"):
        parse(encode({"a": "x" * (room + 1)}))


def test_numbers_in_strings_are_no_integers() -> None:
    assert decode(b'{"a":"1,9007199254740992"}')
    assert decode(b'{"a":9007199254740991}')
