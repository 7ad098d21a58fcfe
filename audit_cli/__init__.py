"""`fairshoe-audit`: the offline auditor. Replays a log and compares; never imports the service."""

import fairshoe  # noqa: F401 - it decides whether compiled modules are loaded, before one is
