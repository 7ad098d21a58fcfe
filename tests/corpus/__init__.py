"""The frozen corpus: small logs, honest and tampered, with what an audit says of them (`tests/data/logs`).

`python -m tests.corpus` makes cases that are missing; those that exist stay as they are, and so does their verdict.
"""
