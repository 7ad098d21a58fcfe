"""Conversion between engine and log: shoes, rounds, the bank and chips as entries, and back. See docs/log.md."""
