"""Sections on the audit: the first screen, what was checked, what was found, what the ceremony left somebody to choose;
and how to make the report again, and what no audit sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..verify.findings.finding import FALSE_RESULT, RESULT_CODES, Finding
from ..verify.findings.report import MAX_FINDINGS, Group, Report
from ..verify.findings.wording import count_text, describe_player_faults, join_words, left, sentence, verdict
from .blocks import LEVEL, Block, Cell, Items, ReportTable, Section, Status, Text, columns
from .counting.choices import ShoeChoices
from .cover import Cover

OWNER_NAMES = {
    "house": "the house's",
    "player": "a player's",
    "placer": "that of a placer, whom the house chose",
    "reader": "the reader's, who can mend it",
    "unknown": "nobody's that can be told",
}
NUMBERS = {
    "games": "what came back",
    "luck": "the house's luck",
    "busts": "hits and busts",
    "shuffles": "the shuffles",
    "outcomes": "naturals",
}
"""The sections without which nothing is said of the numbers, and what each asks about."""
CHECK_MEANINGS = {
    "signature": "the house signed these entries",
    "tree": "the entries are those of the signed checkpoint, all and in order",
    "remembered": "the log goes on from what somebody remembered of it",
    "syntax": "each entry has its form",
    "order": "the steps of each shoe and round stand in their order, with rising times",
    "completeness": "numbers have no gaps; every shoe ends, and its key comes in time",
    "commitment": "each revealed key is the one that was committed to",
    "contributions": "each seed is the one whose hash was sent, and who may contribute did",
    "shuffle": "key, seeds and cut give the order, the draws and the burned cards",
    "cards": "each card that was dealt is the one at its place in that order",
    "decisions": "each decision was legal, and none is missing",
    "dealer": "the dealer drew and stood as the rules say",
    "settlement": "each total, outcome and payout follows",
    "chips": "no chip comes from nowhere or vanishes",
    "policy": "limits, the life of shoes, the bank and the pool are as the rules have them",
}
STATES: dict[str, Status] = {"pass": "good", "fail": "bad", "not-checked": "unknown"}
MAX_CAUSES = 2
"""How many kinds of failure the first line tells, beside false results."""
MAX_TOLD = 50
"""Of so many kinds the first places are told."""
MAX_CHOICES = 20
CHOICES = {
    "banked without a seed": "the banker had no seed of its own in the shoe",
    "bet without cover": "a bet was not taken, since the bank could not pay it",
    "bust": "a hand went over 21 by its player's own cards",
    "card without opening": "no opening shows that the house bound a card, and the shoe's key is not out",
    "cards left in shoes ended before they were worn": "cards that were in order and were never dealt",
    "closed after a seal": "a table was closed while a sealed shoe was in play",
    "closed in an opening": "a table was closed while the seeds of a shoe were being opened",
    "decision by the table": "the time limit decided for a player",
    "decision of the bank": "a banker chose how to play, or what to do with the bank",
    "hash not heard": "a player who could have contributed has no seed in the shoe",
    "lapse": "a player did not open the seed in time",
    "left out as away": "a chair was left out, since it had let two limits pass",
    "left a shoe in its opening": "a player whose seed was open left before the shoe was sealed",
    "put out by the house": "the house had a player leave",
    "refund": "the house gave a buy-in back",
    "sealed without a root": "until the reveal nothing shows that a hand of this shoe of many rounds is bound",
    "seed handed in late": "a seed was opened after its shoe was void",
    "seed not handed in by the shoe's age": "a seed was never opened",
    "sole contributor": "one player alone made the order, with the house",
    "start": "the service started",
    "start while a shoe was in play": "the service started, and limits that ran began anew",
}
"""Meanings of the counts of docs/ceremony.md; a name that is not here explains itself."""
LIMITS = (
    "That a key was random. A report asks about what chance seldom gives; a chosen key that looks like chance is not "
    "seen.",
    "That nobody who held a key sat at the table, or told somebody there. A report's bust test and the results of "
    "players can hint at it.",
    "That a seed was fresh: only who made it knows.",
    "That a decision, a hash or a seed that is marked as late was really not sent. A player's receipts show it.",
    "That the house did not refuse a bet that it disliked. A player's program shows it.",
    "That every order of the cards can occur: 2^256 keys are fewer than the orders of six packs.",
    "That this log is the only one, and was written when it says. Remembered checkpoints, receipts or witnesses do.",
)


def head(audit: Report, sections: Sequence[Section], cover: Cover | None) -> Section:
    """`sections`: all the others; `cover`: None where that of several logs stands elsewhere."""
    asked = [section for section in sections if section.status == "question"]
    seldom = [section for section in sections if section.status == "look"]
    little = [section for section in sections if section.status == "unknown" and section.name in NUMBERS]
    status: Status
    if audit.failed:
        status, says = "bad", _failed(audit)
    elif asked:
        status = "question"
        names = join_words([NUMBERS.get(section.name, section.title.lower()) for section in asked])
        says = f"Every entry holds, but {count_text(len(asked), 'question')} should be asked of this house: {names}"
    elif not audit.complete:
        status, says = "unknown", "All that could be checked in this log holds; not all of it could be"
    elif seldom:
        names = join_words([NUMBERS[section.name] for section in seldom])
        status, says = "look", f"Everything in this log holds; look at {names}: more play decides what it was"
    elif little:
        names = join_words([NUMBERS[section.name] for section in little])
        status, says = "unknown", f"Everything in this log holds; too little was played to judge {names}"
    else:
        status, says = "good", "Everything in this log holds, and its numbers look like those of an honest house"
    blocks: list[Block] = [Items(_todo(audit, [*asked, *seldom, *little])), _cover(audit, cover)]
    return Section("verdict", "The verdict", status, says, blocks, verdict(audit))


def _failed(audit: Report) -> str:
    groups = _failing(audit)
    faults = sorted({OWNER_NAMES[group.code.fault] for group in groups})
    fault = f"the fault {' and '.join(faults)}"
    wrong = [finding for finding in audit.findings if finding.code in RESULT_CODES]
    false = [finding for finding in wrong if finding.cause == FALSE_RESULT]
    told = [
        _results([finding for finding in wrong if finding not in false], "outcome", "wrong", len(wrong)),
        _results(false, "logged result", "false though the chips moved as the rules say", len(wrong)),
    ]
    more = [group for group in groups if not (wrong and group.code.code in RESULT_CODES)]
    told += [f"{group.cause}{_times(group)}" for group in more[:MAX_CAUSES]]
    if len(more) > MAX_CAUSES:
        told.append(f"{count_text(len(more) - MAX_CAUSES, 'more kind')} of failure")
    return f"This log does not hold: {'; '.join(filter(None, told))} ({fault})"


def _times(group: Group) -> str:
    return f", {group.count:,} times" if group.count > 1 else ""


def summarize(audit: Report, sections: Sequence[Section]) -> list[str]:
    """Return what fails and what is asked of a log, a line each, with the place of the first of each kind."""
    fails = [f"{group.code.code}{_times(group)}: {sentence(group.first[0])}" for group in _failing(audit)]
    return fails + [f"{section.title}: {ask.text}" for section in sections for ask in section.asks]


def _results(found: Sequence[Finding], what: str, how: str, listed: int) -> str:
    """Count the hands of these findings, and the chips by which they are off; empty if there are none."""
    if not found:
        return ""
    hands = {(finding.entry, (finding.field or "").partition(".")[0]) for finding in found}
    off = [(each.found, each.expected) for each in found if type(each.found) is type(each.expected) is int]
    chips = f", by {count_text(sum(abs(found - due) for found, due in off), 'chip')}" if off else ""
    least = "at least " if listed >= MAX_FINDINGS else ""
    return f"{least}{count_text(len(hands), what)} {'is' if len(hands) == 1 else 'are'} {how}{chips}"


def _failing(audit: Report) -> list[Group]:
    """Return the failures, those of outcomes of hands first: they are what a player lost."""
    groups = [group for group in audit.groups if group.code.severity == "fail"]
    return sorted(groups, key=lambda group: group.code.code not in RESULT_CODES)


def _cover(audit: Report, cover: Cover | None) -> ReportTable:
    """Make the section on the report's scope: period, maker, tools."""
    log, rules = audit.log, sorted({table["rules"] for table in audit.tables})
    counts = (len(audit.tables), "table"), (audit.shoes, "shoe"), (audit.rounds, "round"), (audit.cards, "card")
    rows: list[tuple[Cell, ...]] = [
        ("house", log.origin),
        ("period", f"{_minute(log.first)} to {_minute(log.last or log.first)}" if log.first else None),
        (
            "scope",
            f"{log.size:,} entries: {join_words([count_text(*each) for each in counts])} "
            f"({', '.join(rules) or 'no game'})",
        ),
        *(cover.rows() if cover is not None else ()),
        ("the house's key", audit.parameters.get("key") or "none given: whose log it is was not checked"),
    ]
    return ReportTable("This report", columns("what", "here"), rows)


ASKING = {"question": "Ask about", "look": "Look at", "unknown": "Too little to judge"}


def _todo(audit: Report, wanting: Sequence[Section]) -> list[str]:
    """List what to do, the most urgent first; `wanting`: the sections that do not hold, but did not fail."""
    todo = []
    for says, group in zip(("Look first at", "Then at"), _failing(audit), strict=False):
        todo += [f"{says}: {sentence(group.first[0])}", group.first[0].next]
    todo += [f"{ASKING[section.status]} {NUMBERS.get(section.name, 'it')}: {section.says}" for section in wanting]
    todo += [f"{line}." for line in describe_player_faults(audit)]
    todo += [f"Not checked: {left(each)}." for each in audit.unchecked]
    if audit.parameters.get("key") is None:
        todo.append("Ask the house, by another way than this log, for its key, and run the report again with --key.")
    if not audit.parameters.get("remembered") and audit.log.origin:
        todo.append(
            "Keep this log's checkpoint. Next time give it with --checkpoint, and this log alone: then a change of the "
            "past shows."
        )
    return [each for each in todo if each]


def _minute(at: str) -> str:
    """Return the time of an entry as people write it."""
    return f"{at[:10]} {at[11:16]} UTC"


def checks(audit: Report) -> Section:
    failing: Counter[str] = Counter()
    for group in audit.groups:
        if group.code.severity == "fail":
            failing[group.code.check] += group.count
    rows = []
    for name, state in audit.checks.items():
        unseen = "; ".join(map(left, audit.unchecked_of(name)))
        rows.append((name, CHECK_MEANINGS[name], STATES[state], failing[name], unseen or None))
    states = Counter(audit.checks.values())
    says = f"{states['pass']} of {len(rows)} checks held, {states['fail']} failed, {states['not-checked']} saw nothing."
    status: Status = "bad" if states["fail"] else "good" if audit.complete else "unknown"
    titles = columns("check", "that", "result:status", "findings:count", "not checked")
    anchors = tuple(f"check-{name}" for name in audit.checks)
    table = ReportTable("Checks, in the order in which they are decided", titles, rows, anchors)
    return Section("checks", "What was checked", status, says, [table])


def findings(audit: Report) -> Section:
    groups = audit.groups
    fails = sum(group.code.severity == "fail" for group in groups)
    status: Status = "bad" if fails else "good" if audit.rounds or audit.shoes else "plain"
    if not groups:
        return Section("findings", "What was found", status, "Nothing.", data=[])
    notes = count_text(len(groups) - fails, "kind")
    says = f"{count_text(fails, 'kind')} of failure, {notes} of note, which decides nothing."
    rows = [_row(group) for group in groups]
    titles = columns("finding:code", "severity", "fault", "check", "count:count", "likely cause")
    anchors = tuple(f"finding-{group.code.code}" for group in groups)
    blocks: list[Block] = [
        ReportTable("Of each shoe the first failure; what is counted beneath it is added", titles, rows, anchors)
    ]
    for group in groups[:MAX_TOLD]:
        if group.code.severity == "fail":
            blocks += [Text(f"{group.code.code}: {group.code.explain}"), Items(_told(group))]
    return Section("findings", "What was found", status, says, blocks, [group.as_json() for group in groups])


def _row(group: Group) -> tuple[Cell, ...]:
    code = group.code
    count = group.count + sum(group.follows.values())
    return code.code, code.severity, code.fault, code.check, count, group.cause


def _told(group: Group) -> list[str]:
    told = [sentence(finding) for finding in group.first]
    if group.count > len(told):
        told.append(f"and {group.count - len(told):,} more")
    return [*told, *([group.first[0].next] if group.first[0].next else [])]


def choices(audit: Report, by_shoe: ShoeChoices) -> Section:
    counts = audit.choices.as_json()
    rows = [(name, count, CHOICES.get(name)) for name, count in counts["log"].items()]
    says = (
        "Somebody who knows the cards could use these. Each by itself is honest; a count that stands out is a question."
    )
    blocks: list[Block] = [
        ReportTable("How often, in the whole log", columns("choice", "times:count", "that is"), rows)
    ]
    people = sorted(
        (-count, name, table, player)
        for table, players in counts["players"].items()
        for player, chosen in players.items()
        for name, count in chosen.items()
    )
    if people:
        shown = [(name, table, player, -count) for count, name, table, player in people[:MAX_CHOICES]]
        titles = columns("choice", "table", "player", "times:count")
        caption = "By player, the most frequent first"
        blocks.append(ReportTable(f"{caption}: {len(shown)} of {len(people):,}", titles, shown))
    if not rows:
        blocks = [Text("Nothing was.")]
    return Section("choices", "What was left to choose", "plain", says, blocks, by_shoe.variances(audit.choices))


def reproduce(audit: Report, once: bool) -> Section:
    log, given = audit.log, audit.parameters
    rows: list[tuple[Cell, ...]] = [
        ("tree head (RFC 6962, hex)", log.root),
        ("first entry", log.first),
        ("last entry", log.last),
        ("level", f"the chance of any false alarm is at most {LEVEL:g}"),
        ("looking", "once, at a time chosen before" if once else "luck and busts as often as one likes, the rest once"),
    ]
    rows += [(name, "none given" if value in (None, []) else str(value)) for name, value in sorted(given.items())]
    tables = []
    for table in audit.tables:
        options = ", ".join(f"{name} {value}" for name, value in sorted(table["options"].items()))
        tables.append((table["table"], table["rules"], options, table["shoes"], table["rounds"], table["chips"]))
    titles = columns("table", "rules", "options", "shoes:count", "rounds:count", "chips left:money")
    says = "The same log, program and parameters give the same bytes."
    blocks = [ReportTable("Parameters", columns("what", "value:code"), rows), ReportTable("Tables", titles, tables)]
    data = {"log": log._asdict(), "parameters": given}
    return Section("reproduce", "How to make this report again", "plain", says, blocks, data)


def unseen() -> Section:
    says = "These are matters for people, whatever stands above."
    return Section("unseen", "What no audit of a log can see", "plain", says, [Items(LIMITS)], list(LIMITS))
