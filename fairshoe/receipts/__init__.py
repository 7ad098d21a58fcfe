"""Receipts: who signed them, how a chair's hang together, and whether a log says what they say."""

from .judge import Judge
from .kept import Case, Receipt
from .notes import read_receipt, vouched_key

__all__ = ["Case", "Judge", "Receipt", "read_receipt", "vouched_key"]
