"""The ceremony of a table as a state machine without I/O: (state, command, now, a fresh key) → (state, entries).

A command only records what somebody did; `advance` then does whatever has become possible or due.
No clock, no randomness and no database in here.
"""
