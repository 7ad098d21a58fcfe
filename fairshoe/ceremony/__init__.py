"""The ceremony of a table: who may say what, when, and what the log must say of it. No HTTP, clock or storage.

Read `acting/phase` first: one table of what happens at a table. Then `book` (a table as its log tells it), `fold`
(what each entry changes in it), and the rules over it, which service and auditor share: `contributing`,
`chairs`, `ending`, with `policy` for the limits and
`choices` for what remains a choice.

The acting half is the service's alone: `state` (a book and what is not in the log yet), `commands`, and
`machine`, which applies one and then does everything that is possible or due; `view` shows it.
"""
