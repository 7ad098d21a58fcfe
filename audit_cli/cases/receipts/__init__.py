"""A player's file of receipts, one for each step, compared with the log."""
