"""The proof file of one hand: the audit of a few entries, whose books begin with what the `shoe` says of its table.

`making` makes one from a log; `binding` reads it and sees that it has the `parts` of this hand, no more and, with
`missing`, no less; `priming` says what the entries that are not there would have said, `beyond` what is not checked for
that reason; `run` has the audit's own handlers judge the rest.
"""
