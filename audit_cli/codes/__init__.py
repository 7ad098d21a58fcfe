"""Codes of finding that belong to no one kind of entry: those of the frame, and those that several kinds share."""
