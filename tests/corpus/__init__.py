"""The frozen corpus: small logs, honest and tampered, proof files of hands and files of receipts (`tests/data`), with
what is said of each. Nothing that exists is ever changed.

`python -m tests.corpus` writes a log for each code of finding that has none yet, from the planted frauds, and takes
down what the auditor says of logs and hands that somebody has put there.
"""
