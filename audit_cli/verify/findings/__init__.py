"""Findings and the report: what is wrong, what follows from what, whose fault it is, in words."""
