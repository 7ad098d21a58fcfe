"""The report for people."""
