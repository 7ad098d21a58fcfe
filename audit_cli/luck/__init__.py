"""What only chance can explain: expectations of the reference strategies, the house-luck test, the bust test.

Pure: fed with shoes that an audit has seen (`seen`), whatever their order; sums are exact integers, so that the
results do not depend on how a log is cut. docs/luck.md has the formulas, the power and the commands.
"""
