"""A log's tables shared out among processes, with the report that one pass gives. See docs/decisions/0029-jobs.md.

Each worker reads the whole file and audits some tables from the log's beginning to its end. Where anything is found, or
anything is unusual, nothing of this counts, and the log is audited in one pass.
"""
