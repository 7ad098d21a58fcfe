"""A copy of a house's log on this machine: fetched, held against its signed checkpoint, and brought up to date."""
