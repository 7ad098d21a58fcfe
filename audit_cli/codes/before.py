"""The log before, where one comes in its place."""

from ..findings.finding import Code

CODES = (
    Code(
        "log-before-audited",
        "completeness",
        "the house lost its log, and began this one in its place",
        "The log before was audited as well, with --before; its verdict stands here. It must reach the checkpoint that "
        "this log names, and each shoe that was in play there must be named as lost.",
        severity="note",
        next="Read its own report: `fairshoe-audit verify OLD`.",
    ),
    Code(
        "log-before-other",
        "completeness",
        "either the log given with --before is another one, or the house names a checkpoint that is none of its own",
        "The checkpoint that this log names was not signed by the key of the log before, or names another log.",
        fault="unknown",
        next="Compare the origin in `continues` with that of the log that you gave, and its key with the one that you "
        "know. If both are right, the house names a checkpoint that it did not sign: ask it.",
    ),
    Code(
        "log-before-failed",
        "completeness",
        "something does not hold in the log before this one",
        "The log before was audited, and fails by itself; the codes are named.",
        fault="unknown",
        next="Audit it by itself: `fairshoe-audit verify OLD` says what it is, and whose fault.",
    ),
    Code(
        "log-before-short",
        "completeness",
        "either this copy of the log before is an old one, or the house lost entries that it had signed",
        "The checkpoint that this log names covers more entries than the log before has. What they were, and which "
        "shoes they began, nobody can see.",
        fault="unknown",
        next="Ask for a copy that reaches the checkpoint, of the house and of everybody who keeps one. If there is "
        "none, the house lost entries that it had signed.",
    ),
    Code(
        "log-before-differs",
        "completeness",
        "the house signed two histories of the log before",
        "The entries of the log before are not those that the named checkpoint covers, and both are signed.",
        next="Keep both: the log with its checkpoint, and `continues`. Together they prove it.",
    ),
    Code(
        "log-before-longer",
        "completeness",
        "the house names an older checkpoint of the log before than it had signed",
        "The log before goes on after the checkpoint that this log calls its newest: what came after was to be "
        "forgotten.",
    ),
    Code(
        "log-before-unnamed",
        "completeness",
        "either this log has nothing to do with the one given with --before, or the house hides that it lost that one",
        "A log that comes in the place of another one names it in its first entry. This one names none.",
        fault="unknown",
        next="If the house says that this log comes after that one, keep both and ask it why this one does not say so.",
    ),
    Code(
        "lost-left-out",
        "completeness",
        "the house does not say that it lost this shoe",
        "It was in play at the end of the log before, and the log that comes in its place does not name it among the "
        "lost ones: a shoe may not end by being forgotten.",
    ),
    Code(
        "lost-key-differs",
        "commitment",
        "the house published another key for the lost shoe than it had committed to",
        "The key in `lost` does not hash to the commitment in the log before.",
    ),
)
