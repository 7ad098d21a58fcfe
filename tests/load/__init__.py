"""How much a house carries: `python -m tests.load`."""
