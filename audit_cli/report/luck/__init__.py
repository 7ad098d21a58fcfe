"""Tests for results that only chance can explain: expectations of the reference strategies, the house-luck test, the
bust test.

`house.Luck` and `busts.Busts` are counts (`..counting`).
docs/decisions/0039-statistics-of-the-report.md has the formulas.
"""
