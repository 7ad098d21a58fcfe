"""Tests for results that only chance can explain: expectations of the reference strategies, the house-luck test, the
bust test.

`house.Luck` and `busts.Busts` are counts (`..counting`). docs/report.md has the formulas and the power.
"""
