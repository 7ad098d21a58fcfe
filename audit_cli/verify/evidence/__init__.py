"""Evidence around a log: checkpoints, signatures, remembered heads, witnesses; damage of a copy."""
