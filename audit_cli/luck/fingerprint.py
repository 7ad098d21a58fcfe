"""A name for a rule set with its options, by which what was worked out for it is found again."""

from __future__ import annotations

from hashlib import sha256

from fairshoe.engine.rules import Rules
from fairshoe.log.canonical import encode


def rules_digest(rules: Rules) -> str:
    """SHA-256 of the canonical bytes of the rule set's name and every option, in hex."""
    return sha256(encode({"rules": rules.name, "options": rules.options})).hexdigest()
