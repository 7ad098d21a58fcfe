"""Frauds of a house that holds the signing key and rewrites what follows: one case each, by what they touch."""

from . import bank, cards, chips, contributions, decisions, shoes

__all__ = ["bank", "cards", "chips", "contributions", "decisions", "shoes"]
