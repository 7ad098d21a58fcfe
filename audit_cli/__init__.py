"""`fairshoe-audit`: the offline auditor. Replays a log and compares; never imports the service."""
