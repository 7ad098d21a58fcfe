"""What `python -m tests.long.fuzz` is made of: honest files, ways to change them, what must hold afterwards."""
