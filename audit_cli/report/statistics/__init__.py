"""Shuffle statistics: whether the orders in a log look like those of a uniform shuffle, and what the data could show.

`collection.OrderCount` is the count, fed by orders from anywhere or while a log is audited (`..counting`).
docs/decisions/0039-statistics-of-the-report.md has the derivations. Needs the extra `stats`: import it where it is
used. Raises InputError where that is not installed.
"""

from . import measurement as measurement
