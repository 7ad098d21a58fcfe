"""No fraud passes by being cut: whatever one pass finds the parts leave to it, and the report is the same."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from . import frauds
from .parted import here, same
from .planting import FRAUDS, Fraud

CASES = [case for case in FRAUDS if case.module.startswith(frauds.__name__)]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_planted_fraud(case: Fraud, tmp_path: Path) -> None:
    with patch("audit_cli.parts.warm.ENOUGH", 1):
        report, _ = same(tmp_path, here(8, 900), case.plant().lines)
    assert report.failed
