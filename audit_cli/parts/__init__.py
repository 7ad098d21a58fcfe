"""A log audited in parts, side by side, with the report that one pass gives. See docs/decisions/0029-cuts.md.

Each part is audited from a state of its tables that it assumes, and the part before shows whether that was the true
one; a part that was wrong about a table has this table audited again. Where anything is found, or anything is unusual,
nothing of this counts, and the log is audited in one pass.
"""
