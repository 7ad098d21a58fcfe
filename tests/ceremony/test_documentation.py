"""The documents show the tables and the diagram that the code goes by."""

from __future__ import annotations

from pathlib import Path

from fairshoe.ceremony.acting.commands import Command
from fairshoe.ceremony.acting.machine import ACTS
from fairshoe.ceremony.acting.view import FORMS, OF_PLACING
from fairshoe.ceremony.policy import Policy
from fairshoe.ceremony.stages import PHASES, diagram, order_table, phase_table

DOCS = Path(__file__).parents[2] / "docs"


def test_the_pages_have_what_the_table_of_stages_prints() -> None:
    for page, parts in {"log.md": [order_table()], "ceremony.md": [phase_table(), diagram()]}.items():
        text = (DOCS / page).read_text(encoding="utf-8")
        assert [part for part in parts if part not in text] == [], "see `python -m fairshoe.ceremony.stages`"


def test_the_table_names_commands_limits_and_phases_that_exist() -> None:
    says = {do for phase in PHASES.values() for do in phase.says}
    assert says == {route for route, _ in ACTS.values()}
    assert set(FORMS) <= says | set(OF_PLACING)
    assert {limit for phase in PHASES.values() for limit in phase.limits} == {*Policy._fields, "beacon"} - {"cut"}


def test_every_command_has_a_route() -> None:
    assert set(ACTS) == set(Command.__args__)  # type: ignore[attr-defined]
