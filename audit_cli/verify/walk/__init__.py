"""The walk through a log's entries: each is built again from what it follows from, and compared."""
