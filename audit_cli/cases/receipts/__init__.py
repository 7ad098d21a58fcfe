"""What a player kept of each step: a file of receipts, read and held against the log."""
