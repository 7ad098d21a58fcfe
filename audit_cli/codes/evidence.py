"""Signature, tree, a remembered checkpoint, syntax."""

from ..findings.finding import Code

CODES = (
    Code(
        "checkpoint-missing",
        "signature",
        "the log was copied without its checkpoint",
        "There is no signed checkpoint beside the log, so nobody stands for what it says.",
        severity="note",
        fault="unknown",
        next="Ask the house for the checkpoint and put it beside log.jsonl; until then the log is nobody's word.",
    ),
    Code(
        "checkpoint-required",
        "signature",
        "either the log was copied without its checkpoint, or somebody took it away because the log no longer fits it",
        "With --key or --checkpoint the log is held against what the house signed; there is no checkpoint beside it.",
        fault="unknown",
        next="Fetch the log again together with its checkpoint, and give the directory with both. If the house will "
        "not hand out a checkpoint, it does not stand for its log.",
    ),
    Code(
        "checkpoint-malformed",
        "signature",
        "either the file was damaged or replaced on its way, or the house wrote something else there",
        "A checkpoint has an origin, a size and a base64 root, an empty line and signatures; log.vkey beside it is one "
        "line, name+id+base64.",
        fault="unknown",
        next="Fetch the file again from the house, unchanged. If it is still like this, ask the house.",
    ),
    Code(
        "key-differs",
        "signature",
        "either the key or the log is another house's, or the key is an old one, or the house signs with two keys",
        "The checkpoint was not signed by the key that it was held against: the one given with --key, else log.vkey.",
        fault="unknown",
        next="Compare the two names and ids. If you took the wrong key or log, repeat with the right one; if both are "
        "right, the house signs with a second key: ask it why.",
    ),
    Code(
        "signature-invalid",
        "signature",
        "either the checkpoint was changed after it was signed, or damaged on its way",
        "The checkpoint names the key, and its Ed25519 signature does not fit. It is not the house's word.",
        fault="unknown",
        next="Fetch the checkpoint again from the house. If it is still wrong, keep it and ask the house.",
    ),
    Code(
        "witnesses-missing",
        "signature",
        "either the witnesses have not seen this checkpoint yet, or somebody shows you another log than them",
        "Fewer of the witnesses named with --witness cosigned the checkpoint than were asked for; each that did not is "
        "named, or its cosignature does not fit.",
        fault="unknown",
        next="Fetch the newest checkpoint that the witnesses cosigned, with its log; /v1/log/checkpoint?witnesses=N "
        "gives it. If there is none, ask the witnesses what they saw last of this log.",
    ),
    Code(
        "root-differs",
        "tree",
        "either the file was changed after the house signed it, by whoever had it, or the house changed it itself",
        "The RFC 6962 tree over the entries has another root than the signed one.",
        fault="unknown",
        next="Fetch the log and its checkpoint again from the house, unchanged, and compare: if that copy is like this "
        "too, the house does not publish what it signed.",
    ),
    Code(
        "log-truncated",
        "tree",
        "either the last entries were not copied, or somebody removed entries",
        "The signed checkpoint covers more entries than the file holds.",
        fault="unknown",
        next="Fetch the whole log again, together with its checkpoint. If entries are still missing, ask the house for "
        "them: it signed that there are more.",
    ),
    Code(
        "entries-unsigned",
        "tree",
        "either the log was copied while the house went on writing, or somebody added entries",
        "The file holds more entries than the signed checkpoint covers; nobody stands for the rest.",
        fault="unknown",
        next="Fetch both again with fairshoe pull URL DIR, which takes the entries of one checkpoint. If the house "
        "signs no checkpoint that covers these entries, do not rely on them.",
    ),
    Code(
        "tile-differs",
        "tree",
        "either a tile was changed or damaged on its way, or the house serves tiles that are not those of its log",
        "The log's entries are those that were signed or not, whatever the tiles of hashes say; but a proof that is "
        "made from such a tile does not hold.",
        fault="unknown",
        next="Fetch the tile that is named again from the house, unchanged. If it is still like this, ask the house.",
    ),
    Code(
        "logs-joined",
        "tree",
        "two logs, or two copies of one, were put into one file, one after the other",
        "After the last entry that the checkpoint covers another log begins: the first was audited, the other was not.",
        fault="reader",
        next="Take them apart at the line that is named, and audit each with its own checkpoint.",
    ),
    Code(
        "remembered-differs",
        "remembered",
        "the house rewrote entries that it had already signed",
        "The log does not extend the one that was remembered, and the house signed both. How many entries the one that "
        "differs is among is named; `fairshoe-audit fork`, given both logs, names it.",
        next="Keep this log, its checkpoint and what you remembered: together they show that the house signed two "
        "different histories. Show them to whoever oversees the house.",
    ),
    Code(
        "memory-differs",
        "remembered",
        "either the house rewrote or renamed its log, or one of the two was changed since or belongs to another log",
        "The log does not extend the one that was remembered, and it cannot be shown that the house signed both. Or "
        "they have different names (origins), though they begin with the same entry or one key signed both.",
        fault="unknown",
        next="Give the house's key with --key, and beside the log and the copy the checkpoint that belongs to each. If "
        "both turn out to be signed, the house rewrote its log.",
    ),
    Code(
        "remembered-longer",
        "remembered",
        "either this is an older copy of the log than what was remembered, or entries that had been there are gone",
        "What was remembered has more entries than this log.",
        fault="unknown",
        next="Fetch the newest log from the house. If it is still shorter than what was remembered, entries were "
        "removed: keep both and ask the house.",
    ),
    Code(
        "remembered-other-log",
        "remembered",
        "what was given with --checkpoint belongs to another log",
        "The remembered checkpoint names another origin than this log, so there is nothing to compare.",
        fault="reader",
        next="Find the checkpoint or copy of this log, by the origin in its first line, and give that one.",
    ),
    Code(
        "remembered-unsigned",
        "remembered",
        "either it was changed or noted down incompletely since, or it was signed with another key",
        "The remembered checkpoint has no signature that holds, so it says nothing and is not compared.",
        fault="unknown",
        next="Give the file as it was kept, with its signature, and the key that signed it with --key.",
    ),
    Code(
        "log-resaved",
        "syntax",
        "a program changed the line ends or put a byte order mark in front, or files were joined without a line feed",
        "The file is no longer the bytes that the house signed. The entries were audited as they had been before.",
        fault="reader",
        next="Fetch the log again and do not open and save it with an editor; then repeat the audit.",
    ),
    Code(
        "entry-cut-off",
        "syntax",
        "the download or the copying broke off",
        "The last line does not end with a line feed. Unless it is a whole entry it was left out.",
        fault="reader",
        next="Fetch the log again, to its end, and repeat the audit.",
    ),
    Code(
        "entry-not-canonical",
        "syntax",
        "the line was edited by hand or written by another program",
        "An entry is one line of the restricted JCS profile: sorted keys, no white space, integers only.",
    ),
    Code(
        "field-invalid",
        "syntax",
        "a field is missing, unknown, or of the wrong type",
        "docs/log.md lists the fields of every kind of entry.",
    ),
    Code(
        "kind-unknown",
        "syntax",
        "the entry was written by another program, or invented",
        "docs/log.md lists the kinds of entry.",
    ),
    Code(
        "entry-inexplicable",
        "syntax",
        "the entry contradicts what stands before it in a way that this auditor has no name for",
        "The entry could not be checked at all, which counts as a failure. Please report it with the log.",
    ),
)

BEFORE = (
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
"""Of the log before, where one comes in its place."""
