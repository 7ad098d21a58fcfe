"""What each kind of entry may have as fields, what checks one, and the codes of findings that arise there.

Kinds of one subject stand in one file; `audit_cli.verify.registry` collects their `KINDS` and `CODES`.
"""
