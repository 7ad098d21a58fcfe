"""One file a kind of entry: its `KIND`, its `SHAPE`, `check(audit, entry, line)`, and the `CODES` that arise there.

`audit_cli.registry` names them all.
"""
