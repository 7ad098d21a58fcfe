"""What only chance can explain: expectations of the reference strategies, the house-luck test, the bust test.

`house.Luck` and `busts.Busts` are counts (`..counting`), fed with shoes in any order; their sums are exact integers, so
that the results do not depend on how a log is cut. docs/luck.md has the formulas, the power and the commands.
"""
