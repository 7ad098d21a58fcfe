"""Benchmarks: `python -m tests.bench [NAME]...`. Every figure is a ratio to something measured in the same run."""
