"""Signature, tree, a remembered checkpoint, syntax."""

from ..findings import Code

CODES = (
    Code(
        "checkpoint-missing",
        "signature",
        "the log was copied without its checkpoint",
        "There is no signed checkpoint beside the log, so nobody stands for what it says. Ask the house for it.",
        severity="note",
    ),
    Code(
        "signature-invalid",
        "signature",
        "the checkpoint was changed after it was signed, or signed with another key",
        "The checkpoint's Ed25519 signature does not fit the key. What follows is not the house's word.",
    ),
    Code(
        "checkpoint-malformed",
        "signature",
        "the file is not a C2SP checkpoint",
        "A checkpoint has an origin, a size and a base64 root, an empty line and a signature.",
    ),
    Code(
        "root-differs",
        "tree",
        "an entry was changed after the checkpoint was signed",
        "The RFC 6962 tree over the entries has another root than the signed one.",
    ),
    Code(
        "log-truncated",
        "tree",
        "entries were cut off the end",
        "The signed checkpoint covers more entries than the file holds.",
    ),
    Code(
        "entries-unsigned",
        "tree",
        "entries were added after the checkpoint was signed",
        "The file holds more entries than the signed checkpoint covers; nobody stands for the rest.",
    ),
    Code(
        "remembered-differs",
        "remembered",
        "the house rewrote entries that it had already signed",
        "The log does not extend the one that was remembered. With an earlier copy of the log the first entry that "
        "differs is named; with checkpoints alone, the range between the last that fits and the first that does not.",
    ),
    Code(
        "remembered-longer",
        "remembered",
        "the house dropped entries that it had already signed",
        "The remembered log had more entries than this one.",
    ),
    Code(
        "remembered-other-log",
        "remembered",
        "the checkpoint is another log's",
        "The remembered checkpoint names another origin than this log's checkpoint.",
    ),
    Code(
        "entry-not-canonical",
        "syntax",
        "the line was edited by hand or written by another program",
        "An entry is one line of the restricted JCS profile: sorted keys, no white space, integers only.",
    ),
    Code(
        "entry-cut-off",
        "syntax",
        "the file was cut off, or its writer died",
        "The last line does not end with a line feed.",
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
        "the entry comes from a newer or another program",
        "docs/log.md lists the kinds of entry.",
    ),
    Code(
        "version-unknown",
        "syntax",
        "the entry comes from a newer program",
        "This auditor reads entries of version 1.",
    ),
    Code(
        "entry-inexplicable",
        "syntax",
        "the entry contradicts what stands before it in a way that this auditor has no name for",
        "The entry could not be checked at all, which counts as a failure. Please report it with the log.",
    ),
    Code(
        "findings-capped",
        "syntax",
        "there are more findings than are listed",
        "Only the first findings are listed; mend or ask about those first.",
        severity="note",
    ),
)
