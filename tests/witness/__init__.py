"""Witnesses, forks, consistency."""
