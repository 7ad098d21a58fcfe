"""A log written out as tables."""
