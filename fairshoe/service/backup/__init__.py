"""Backups: taken while the service runs, checked, restored; and a new log where the old one cannot go on."""
