"""The first pages of a report of several logs: the verdict on all, each log's own, and totals by house and game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ..report.blocks import WORST, Block, Cell, Items, ReportTable, Section, Status, columns
from ..report.cover import Cover
from ..report.run import ReportResult
from ..report.verdict import summarize
from ..verify.findings.wording import MAX_NAMES, count_text, join_words
from .exceptions import ReportedException

VERDICTS = {
    "bad": ("does not hold", "do not hold"),
    "question": ("raises questions", "raise questions"),
    "look": ("has a number to look at", "have a number to look at"),
    "unknown": ("holds as far as it could be judged", "hold as far as they could be judged"),
    "good": ("holds", "hold"),
}
TOTALS = ("rounds", "staked", "net")
NAMED = ("bad", "question")
"""Verdicts whose logs the first line names."""
MAX_LINES = 4
"""How many lines the first page has of one log."""


def verdict(results: Sequence[ReportResult], cover: Cover, exceptions: str) -> Section:
    """Make the first screen: the gravest verdict stands for all; then which log has what."""
    states: dict[Status, list[str]] = defaultdict(list)
    for result in results:
        states[result.sections[0].status].append(result.name)
    worst = [status for status in WORST if states[status]]
    told = []
    for status in worst:
        names = states[status]
        named = (
            f" ({join_words(names[:MAX_NAMES] + [f'{len(names) - MAX_NAMES:,} more'] * (len(names) > MAX_NAMES))})"
            if status in NAMED
            else ""
        )
        told.append(f"{len(names)} {VERDICTS[status][len(names) > 1]}{named}")
    says = f"Of {count_text(len(results), 'log')}: {join_words(told)}"
    first = []
    for result in sorted(results, key=lambda each: WORST.index(each.sections[0].status)):
        lines = summarize(result.audit, result.sections)
        more = [f"{count_text(len(lines) - MAX_LINES, 'more kind')}: see its own part"] * (len(lines) > MAX_LINES)
        first += [f"{result.name} ({result.house}): {line}" for line in (*lines[:MAX_LINES], *more)]
    rows: list[tuple[Cell, ...]] = [("logs", len(results)), ("exceptions", exceptions), *cover.rows()]
    blocks: list[Block] = [Items(first), ReportTable("This report", columns("what", "here"), rows)]
    return Section("verdict", "The verdict", worst[0], says, blocks)


def with_questions(first: Section, asked: Sequence[ReportedException]) -> Section:
    """Add to the first screen what is asked about several logs together."""
    if not asked:
        return first
    status = min(first.status, "question", key=WORST.index)
    says = f"{first.says}; {count_text(len(asked), 'question')} on how logs go on"
    questions = Items([each.what for each in asked])
    return first._replace(status=status, says=says, blocks=[first.blocks[0], questions, *first.blocks[1:]])


def logs(results: Sequence[ReportResult]) -> Section:
    """Make the list of the logs, each with its verdict."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        log = result.audit.log
        period = f"{(log.first or '')[:10]} to {(log.last or log.first or '')[:10]}" if log.first else None
        counts = (result.audit.shoes, result.audit.rounds)
        rows.append((result.name, log.origin, period, log.size, *counts, result.sections[0].status, result.says))
    titles = columns(
        "log", "house", "period", "entries:count", "shoes:count", "rounds:count", "verdict:status", "that is"
    )
    houses = {result.house for result in results}
    says = f"{count_text(len(rows), 'log')} of {count_text(len(houses), 'house')}."
    if len(houses) < len(rows):
        says += (
            " Logs of one house that begin alike were compared; others are logs of their own, as a room's or a month's."
        )
    return Section("logs", "The logs", "plain", says, [ReportTable("Each log has its own part below", titles, rows)])


def totals(results: Sequence[ReportResult]) -> Section:
    """Make the sums by house and game."""
    sums: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    kept: dict[str, bool] = {}
    for result in results:
        house = result.audit.log.origin or ""
        data = next(section.data for section in result.sections if section.name == "games") or {}
        for game in data.values():
            rules = game["rules"]
            kept[rules] = game["kept"]
            for of in (("", ""), (house, ""), ("", rules), (house, rules)):
                sums[of].update({each: game[each] for each in TOTALS})
    rows: list[tuple[Cell, ...]] = []
    for (house, rules), found in sorted(sums.items()):
        kinds = {kept[name] for of, name in sums if name and (name == rules or (not rules and of == house))}
        chips = [found[name] if len(kinds) == 1 else None for name in TOTALS[1:]]
        share = kinds.pop() + found["net"] / found["staked"] if chips[0] and (rules or len(kept) == 1) else None
        rows.append((house or "all houses", rules or "all games", found["rounds"], *chips, share))
    titles = columns("house", "game", "rounds:count", "staked:money", "players won:money", "RTP:percent")
    caption = "Chips in each table's smallest unit; tables may count different money"
    if not all(kept.values()):
        caption += ". Where a pool pays, what was played for stands as staked, and RTP is the gifts for each 100 of it"
    left = sum(result.audit.rounds for result in results) - sums["", ""]["rounds"]
    says = f"{count_text(sums['', '']['rounds'], 'settled round')}."
    if left:
        says += f" Left out: {count_text(left, 'round')} that failed or could not be played again."
    held = [(result.name, sum(table["chips"] for table in result.audit.tables)) for result in results]
    on_tables = ReportTable(
        "Chips that players had on the tables at each log's end", columns("log", "chips:money"), held
    )
    blocks: list[Block] = [ReportTable(caption, titles, rows), on_tables] if rows else []
    return Section("totals", "Totals by house and game", "plain", says, blocks)
