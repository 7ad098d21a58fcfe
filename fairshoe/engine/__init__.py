"""The engine: rules, the round as a state machine, table life, settlement. Clause ids are those of docs/rules.md.

Sans-I/O: no clock, no storage, no randomness. A round is a fold of a table, bets, a source of cards and decisions: live
ones of the service, logged ones of the auditor, a strategy's of the simulator.
"""
