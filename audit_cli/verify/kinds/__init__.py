"""The kinds of entries: their fields, checks and codes, by subject; `audit_cli.verify.registry` collects them."""
