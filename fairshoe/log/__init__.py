"""The log: entries as canonical bytes, a Merkle tree, signed checkpoints, a log on disk. Knows no game."""
