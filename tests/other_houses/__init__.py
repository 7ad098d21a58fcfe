"""Hands of other houses: real results, altered ones, and both languages held against each other."""
