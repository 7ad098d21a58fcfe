"""The kinds of entries: their fields, their checks, and the codes of findings that arise there.

Kinds of one subject stand in one file; `audit_cli.verify.registry` collects their `KINDS` and `CODES`.
"""
