"""The acting half of the ceremony: (state, command, now, keys) → (state, entries). The service calls it."""
