"""The ceremony of a table: who may say what, when, and what the log must say of it. No HTTP, clock or storage.

Read `acting/phase` first, then `book` (a table by its log), `fold` (what each entry changes in it), and the rules that
service and auditor share: `contributing`, `chairs`, `ending`, `policy` (limits), `choices` (what is only counted).

`acting` is the service's alone: `state` (book and what is not logged yet), `commands`, `machine` (applies one), `view`.
"""
