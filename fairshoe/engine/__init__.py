"""The engine: rules, the round as a state machine, table life, settlement.

Sans-I/O: no clock, no storage, no randomness. A round is a fold of a table, bets, a source of cards
and decisions; the service feeds it live decisions, the auditor logged ones, the simulator a strategy.
Clause ids (`CA-07`, `GE-12`) are those of docs/rules.md.
"""
