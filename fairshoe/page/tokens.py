"""JavaScript as tokens: enough of ECMA-262 to take comments away and to see what stands at the top level."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import InputError

SPACE, COMMENT, TEMPLATE, WORD, MARK = "space", "comment", "template", "word", "mark"
GAPS = (SPACE, COMMENT)
_OPERATORS = re.compile("return|typeof|case|in|of|instanceof|new|delete|void|do|else|yield|await|throw")
"""Words after which a `/` begins a regular expression; after any other word it divides."""
_REGEX = r"(?P<regex>/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*)|"
_PLAIN = r"""(?P<space>\s+)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<word>[\w$#]+)|%s
(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<mark>\+\+|--|.)"""
_BEFORE_OPERAND = re.compile(_PLAIN % _REGEX, re.X | re.S)
_AFTER_OPERAND = re.compile(_PLAIN % "", re.X | re.S)
_TEMPLATE = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.S)


class Token(NamedTuple):
    """`kind`: one of the above, `string` or `regex`."""

    kind: str
    text: str


def tokens(source: str, where: str) -> Iterator[Token]:
    """The tokens of a module; their texts in a row are the source. Raises InputError where a string does not end."""
    place, operand = 0, True
    inside: list[int] = []  # for each `${` that is open: how many braces are open in it
    while place < len(source):
        token = _next(source, place, operand, closes=inside[-1:] == [0])
        if token is None or token.text in ("'", '"', "`"):
            raise _endless(source, place, where)
        if token.kind == TEMPLATE:
            if token.text[0] == "}":
                inside.pop()
            if token.text[-1] == "{":
                inside.append(0)
        elif inside and token.text in ("{", "}"):
            inside[-1] += 1 if token.text == "{" else -1
        if token.kind not in GAPS:
            operand = _operand_follows(token)
        yield token
        place += len(token.text)
    if inside:
        raise _endless(source, place, where)


def _endless(source: str, place: int, where: str) -> InputError:
    line = source.count("\n", 0, place) + 1
    return InputError("a string that does not end", where=f"{where}:{line}", expected="its closing mark")


def _next(source: str, place: int, operand: bool, closes: bool) -> Token | None:
    if source[place] == "`" or (closes and source[place] == "}"):
        found = _TEMPLATE.match(source, place)
        return found and Token(TEMPLATE, found[0])
    found = (_BEFORE_OPERAND if operand else _AFTER_OPERAND).match(source, place)
    return found and Token(str(found.lastgroup), found[0])


def _operand_follows(token: Token) -> bool:
    if token.kind == WORD:
        return _OPERATORS.fullmatch(token.text) is not None
    if token.kind == TEMPLATE:
        return token.text[-1] == "{"
    return token.kind == MARK and token.text not in (")", "]", "}", "++", "--")


def plain(source: list[Token]) -> str:
    """The tokens as text without comments: one line break or space for each gap, indented by tabs."""
    text: list[str] = []
    gap = ""
    for token in source:
        if token.kind in GAPS:
            gap += token.text if token.kind == SPACE else "\n" if "\n" in token.text else " "
        else:
            text += [_gap(gap, text[-1:] in (["("], ["["])), token.text]
            gap = ""
    return "".join(text).strip()


def _gap(gap: str, opened: bool) -> str:
    if "\n" not in gap:
        return "" if opened else gap and " "
    return "\n" + "\t" * (len(gap.rpartition("\n")[2].expandtabs(2)) // 2)
