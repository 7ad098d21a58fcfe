"""One hand told, from a log or from a proof file: the audit with another ending.

`run` begins. Of a log the hand's `shoe` is audited, or the whole, and `watcher` keeps the round that is asked for; of a
proof file `parts` sees that it has the entries of this hand and no others. Where books begin in the middle
`initial_books` sets them for what is not there, and the audit's own handlers judge the entries under the same watcher;
`reach` says what only the whole log can show. `outcome` says what it comes to, `formats` tells it with `story` and
`cards`, `listing` tells many.
"""
