"""What a player kept of each step, against the log."""
