"""Audit many variants of one log without walking their common beginning again."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import new_audit
from audit_cli.verify.walk.audit import Audit
from fairshoe.log.canonical import encode
from fairshoe.log.tree import Tree

Entry = dict[str, Any]


def audited(lines: Iterable[bytes], audit: Audit | None = None) -> Report:
    """The report over all lines, or, once something failed, over no more than it takes to know."""
    audit = audit or new_audit(Report())
    for line in lines:
        audit.take(line)
        if audit.report.failed:
            return audit.report
    audit.finish()
    return audit.report


def full(lines: Iterable[bytes], origin: str = "") -> Report:
    """The report over all lines, whatever fails; without the `origin` of a checkpoint no placer's chain is checked."""
    audit = new_audit(Report())
    audit.origin, audit.tree = origin, Tree()
    for line in lines:
        audit.tree.append(line)  # a placer's chain names its heads
        audit.take(line)
    audit.finish()
    return audit.report


def states(lines: Sequence[bytes], indexes: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """The pickled audit before each of these entries, which ascend."""
    walked, audit = 0, new_audit(Report())
    for index in indexes:
        for line in lines[walked:index]:
            audit.take(line)
        assert not audit.report.failed
        walked = index
        audit.standing = audit.rebuilt = None  # of the entry before, for whoever looks on: a round is not kept
        yield index, pickle.dumps(audit)


def resumed(state: bytes, lines: Iterable[bytes]) -> Report:
    """The report over the lines after a state."""
    audit: Audit = pickle.loads(state)
    return audited(lines, audit)


def variants(lines: Sequence[bytes], changed: Mapping[int, bytes]) -> Iterator[tuple[int, Report]]:
    """The whole report for each of these lines in the place of the one with its number, which ascend."""
    for index, state in states(lines, changed):
        audit: Audit = pickle.loads(state)
        for line in (changed[index], *lines[index + 1 :]):
            audit.take(line)
        audit.finish()
        yield index, audit.report


def root(lines: Iterable[bytes]) -> bytes:
    tree = Tree()
    for line in lines:
        tree.append(line)
    return tree.root


def decoded(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def encoded(entries: Iterable[dict[str, Any]]) -> list[bytes]:
    return [encode(entry) for entry in entries]


def subject(entry: Entry) -> str:
    """What an entry is about: a table, a shoe without one; a `start` or a deck by itself."""
    shoe = str(entry.get("shoe", ""))
    return str(entry.get("table") or shoe.rpartition("/")[0] or shoe or entry["kind"])
