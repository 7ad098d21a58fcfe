"""One report of any number of logs: the desk's own sections, and the report of each log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError
from fairshoe.terminal.screen import printable

from ..report.blocks import Block, Chart, ReportTable, Section, Text, page
from ..report.cover import Cover
from ..report.hands_csv import csv_text
from ..report.run import ReportResult
from ..verify.findings.wording import count_text
from . import summary
from .exceptions import ReportedException, begun_text, exceptions, exceptions_of, merge, rows_of
from .histories import not_continued, two_histories
from .previous import VERSION, previous

_NO_NAME = re.compile(r"[^\w.-]+")
"""What no file's name and no anchor has."""
PRINTED = ("-verdict", "-games", "-charts", "-unseen")
"""Ends of the names of sections that are printed of each log, whatever they say."""


class ReportOptions(NamedTuple):
    """`once`: the reader looks a single time, chosen before; `standards`: profiles by name or file."""

    once: bool
    standards: Sequence[str]


class DeskReport(NamedTuple):
    """`sections` are the desk's own, the verdict first; `exceptions` as people decided them; `options`: with which the
    logs' reports were made; `asked`: questions about several logs together."""

    cover: Cover
    options: ReportOptions
    results: Sequence[ReportResult]
    sections: Sequence[Section]
    exceptions: Sequence[ReportedException]
    asked: Sequence[ReportedException] = ()

    @property
    def says(self) -> str:
        """The verdict in a sentence."""
        return self.sections[0].says

    @property
    def good(self) -> bool:
        """Whether nothing fails, and nothing is asked."""
        return all(result.good for result in self.results) and not self.asked

    @property
    def complete(self) -> bool:
        return all(result.audit.complete for result in self.results)

    def page_sections(self) -> Iterator[Section]:
        """Yield all sections as they stand on the page: with several logs each section says whose it is, and what is
        the same of each log stands once."""
        if len(self.results) == 1:
            yield from (*self.sections, *self.results[0].sections[1:])
            return
        yield from self.sections
        for number, result in enumerate(self.results, 1):
            for section in result.sections:
                if section.name == "unseen" and number < len(self.results):
                    continue
                name, title = f"{number}-{_NO_NAME.sub('-', result.name)}", f"{result.name}: {section.title}"
                blocks = [_of_log(block, name, result.name) for block in section.blocks]
                yield section._replace(name=f"{name}-{section.name}", title=title, blocks=blocks)

    def html(self, json_hash: str = "") -> str:
        """Return one page; `json_hash`: SHA-256 of the report's JSON if that is written too. Raises InputError where
        Jinja2 is not installed."""
        houses = {result.house for result in self.results}
        title = f"Audit of {houses.pop() if len(houses) == 1 else count_text(len(houses), 'house')}"
        first, *rest = self.page_sections()
        if json_hash:
            first = first._replace(blocks=[*first.blocks, Text(f"SHA-256 of this report's JSON: {json_hash}")])
        links, unprinted = rest, set()
        if len(self.results) > 1:
            own = len(self.sections) - 1
            links = rest[:own] + [each for each in rest[own:] if each.name.endswith("-verdict")]
            unprinted = {each.name for each in rest[own:] if not _is_printed(each)}
        return page(title, [first, *rest], links, unprinted)

    def text(self) -> str:
        """Return the answer of every section, a line each."""
        return "".join(f"{printable(f'{section.title}: {section.says}')}\n" for section in self.page_sections())

    def records(self) -> list[dict[str, Any]]:
        """Return the report in parts: of all logs together, then of each."""
        whole = self.as_json()
        logs = whole.pop("logs")
        return [{"type": "report", **whole}, *({"type": "log", **log} for log in logs)]

    def as_json(self) -> dict[str, Any]:
        return {
            "v": VERSION,
            "cover": self.cover.as_json(),
            "options": self.options._asdict(),
            "sections": {section.name: section.as_json() for section in self.sections},
            "logs": [result.as_json() for result in self.results],
        }

    def tables(self) -> Iterator[tuple[str, str]]:
        """Yield each table of the page as CSV, with a name for its file."""
        for section in self.page_sections():
            tables = section.tables()
            for number, table in enumerate(tables, 1):
                text = csv_text([column.title for column in table.columns], table.rows)
                yield f"{section.name}-{number}.csv" if len(tables) > 1 else f"{section.name}.csv", text


def _is_printed(section: Section) -> bool:
    """Whether a section of one log among several is printed."""
    return section.status in ("bad", "question", "look") or section.name.endswith(PRINTED)


def _of_log(block: Block, anchor: str, name: str) -> Block:
    """Return a block as it stands among those of other logs: its anchors and charts have the log's name."""
    if isinstance(block, ReportTable):
        return block._replace(anchors=[f"{anchor}-{each}" for each in block.anchors])
    return block._replace(title=f"{name}, {block.title}") if isinstance(block, Chart) else block


def desk_report(
    results: Sequence[ReportResult],
    logs: Sequence[Path],
    cover: Cover,
    options: ReportOptions,
    known: Mapping[str, ReportedException],
    *,
    before: Mapping[str, Any] | None = None,
    checked: bool = False,
    asked: Sequence[ReportedException] = (),
) -> DeskReport:
    """Put the reports of logs together. `known`: exceptions as people decided them; `before`: the last report's JSON
    if there is one, its signature `checked` or not; without it `asked` are the questions about its logs. Raises
    LogError, InputError."""
    roots = [result.audit.log.root for result in results]
    for number, root in enumerate(roots):
        if root is not None and root in roots[:number]:
            what = f"log {number + 1} has the same entries as log {roots.index(root) + 1}"
            raise InputError(what, where="LOG", remedy="give each log once")
    day = cover.date or max((result.audit.log.last or "")[:10] for result in results)
    if before is not None:
        known = known or rows_of(before, "--previous")
        asked = not_continued(before, results, logs, day)
    together = [*two_histories(results, logs, day), *asked]
    by_size = sorted(zip(results, logs, strict=True), key=lambda pair: pair[0].audit.log.size)
    found = [each for result, log in by_size for each in exceptions_of(result, log, cover.date)] + together
    merged = merge(found, known)
    begun = {
        (log.origin or "", at) for log in (each.audit.log for each in results) for at in ("", begun_text(log.first))
    }
    last = exceptions(found, merged, known, begun)
    if len(results) == 1:
        sections = [summary.with_questions(results[0].sections[0], together)]
    else:
        first = summary.with_questions(summary.verdict(results, cover, last.says), together)
        sections = [first, summary.logs(results), summary.totals(results)]
    report = DeskReport(cover, options, results, [*sections, last], merged, together)
    if before is not None:
        sections.append(previous(before, report.as_json(), asked, checked=checked))
    return report._replace(sections=[*sections, last])
