"""The log that there is at the end, and what the auditor says of it."""

from __future__ import annotations

from pathlib import Path

from audit_cli.verify import verify
from fairshoe.log.directory import write_log
from fairshoe.service.house import open_house


def log_of(data: Path, copy: Path) -> list[bytes]:
    """The whole log of a data directory, written to `copy` as well. Raises Unusable."""
    house = open_house(data)
    lines = list(house.sequencer.log_lines(0, house.sequencer.log_size()))
    write_log(copy, lines, house.sequencer.signer)
    house.database.close()
    return lines


def audit_faults(copy: Path) -> list[str]:
    return [f"audit: {finding}" for finding in verify(copy).findings if finding.severity == "fail"]
