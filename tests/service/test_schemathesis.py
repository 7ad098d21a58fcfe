"""Some cases of each operation of `python -m tests.long.schemathesis`, which says what must hold."""

from __future__ import annotations

from tests.long.schemathesis import fuzz


def test_no_answer_is_one_that_the_description_does_not_have(tmp_path):
    seen = fuzz(1, tmp_path)
    assert seen.faults == []
    assert all(each.requests for each in seen.told)
    assert {"200", "201", "401", "403", "404", "409", "422"} <= set(seen.statuses)
