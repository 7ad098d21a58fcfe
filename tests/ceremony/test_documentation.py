"""docs/ceremony.md shows the table and the diagram that the code goes by."""

from __future__ import annotations

from pathlib import Path

from fairshoe.ceremony.acting.commands import Command
from fairshoe.ceremony.acting.machine import ACTS
from fairshoe.ceremony.acting.phase import ALWAYS, PHASES
from fairshoe.ceremony.acting.view import FORMS, OF_PLACING
from fairshoe.ceremony.policy import Policy

ALWAYS_SAID = ", ".join(f"`{do}`" for do in ALWAYS)
PAGE = (Path(__file__).parents[2] / "docs" / "ceremony.md").read_text(encoding="utf-8")


def diagram() -> str:
    """The phases as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", "    [*] --> idle"]
    for name, phase in PHASES.items():
        lines += [f"    {name} --> {to}: {event}" for event, to in phase.moves.items()]
    return "\n".join(lines) + "\n"


def table() -> str:
    """The phases as a Markdown table."""
    lines = ["| phase | what may be sent | limits | what a limit does |", "|---|---|---|---|"]
    for name, phase in PHASES.items():
        says = ", ".join(f"`{do}`" for do in phase.says).replace(ALWAYS_SAID, "*always*")
        limits = ", ".join(f"`{limit}`" for limit in phase.limits)
        lines.append(f"| `{name}` | {says} | {limits} | {phase.at_limit} |")
    return "\n".join(lines) + "\n"


def test_the_page_has_the_table_and_the_diagram() -> None:
    assert table() in PAGE
    assert f"*Always*: {ALWAYS_SAID}." in PAGE
    assert diagram() in PAGE


def test_the_table_names_commands_limits_and_phases_that_exist() -> None:
    says = {do for phase in PHASES.values() for do in phase.says}
    assert says == {route for route, _ in ACTS.values()}
    assert set(FORMS) <= says | set(OF_PLACING)
    assert {to for phase in PHASES.values() for to in phase.moves.values()} <= PHASES.keys()
    assert {limit for phase in PHASES.values() for limit in phase.limits} == set(Policy._fields) - {"cut"}


def test_every_command_has_a_route() -> None:
    assert set(ACTS) == set(Command.__args__)  # type: ignore[attr-defined]
