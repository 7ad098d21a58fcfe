"""docs/operations.md and docs/deploy name what there is, and their numbers fit the settings."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fairshoe.service.settings import Settings, settings
from fairshoe.service.vault import MASTER_VARIABLE
from fairshoe.serving.server import IDLE_SECONDS
from tests.long.serving import free_port

from .place import refusal
from .test_operations import numbers

ROOT = Path(__file__).parents[2]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
DEPLOY = ROOT / "docs" / "deploy"
UNITS = ("fairshoe.service", "fairshoe-backup.service", "fairshoe-backup.timer")


def read(name):
    return (DEPLOY / name).read_text()


def value(name, key):
    """What a unit sets a key to."""
    return re.search(rf"^{key}=(.*)$", read(name), re.M)[1]


def families(text):
    return set(re.findall(r"\bfairshoe_[a-z_]+", text))


@pytest.mark.wire
def test_every_number_is_in_the_page_and_the_other_way_round(place):
    place.casino()
    refusal(place.public.get, "/v1/nothing")
    told = {re.sub(r"_(count|sum|bucket|created)$", "", name) for name, *_ in numbers(place.operator)}
    there = {name for name in told if name.startswith("fairshoe_")}
    section = OPERATIONS.partition("## Metrics")[2].partition("\n## ")[0]
    assert families(section) == there - {"fairshoe_requests", "fairshoe_refusals"}


def test_every_check_is_in_the_page(place):
    checks = place.operator.get("/readyz")["checks"]
    table = OPERATIONS.partition("A check fails if:\n\n")[2].partition("\n\n")[0]
    assert set(re.findall(r"^- `([a-z]+)`: ", table, re.M)) == set(checks)


def test_alarms_ask_for_numbers_that_there_are_and_are_all_in_the_page():
    rules = read("fairshoe.rules.yml")
    named = {re.sub(r"_bucket$", "", name) for name in families("\n".join(re.findall(r"expr: (.*)", rules)))}
    assert named <= families(OPERATIONS)
    alarms = re.findall(r"alert: (\w+)", rules)
    assert alarms
    for alarm in alarms:
        assert f"`{alarm}`" in read("README.md")


def test_variables_are_settings():
    known = {about.variable for about in settings()} | {MASTER_VARIABLE}
    for name in ("fairshoe.env", "Containerfile", "fairshoe.service", "nginx.conf", "README.md"):
        assert set(re.findall(r"FAIRSHOE_[A-Z_]+", read(name))) <= known, name


def test_units_and_proxy_leave_the_service_its_times():
    default = Settings()
    assert int(value("fairshoe.service", "TimeoutStopSec")) > default.stop_seconds
    assert int(re.search(r"--stop-timeout (\d+)", read("README.md"))[1]) > default.stop_seconds
    assert int(re.search(r"keepalive_timeout (\d+)s", read("nginx.conf"))[1]) < IDLE_SECONDS


def test_units_and_image_use_the_same_places():
    data = re.search(r"FAIRSHOE_DATA=(.*)", read("fairshoe.env"))[1]
    for name in UNITS[:2]:
        assert data == f"/var/lib/{value(name, 'StateDirectory')}"
        assert value(name, "EnvironmentFile") == "/etc/fairshoe/fairshoe.env"
        assert "postgresql.service" in value(name, "After")
    assert f"FAIRSHOE_DATA={data}" in read("Containerfile")
    for copied in re.findall(r"^COPY (?!--)(.*) \S+$", read("Containerfile"), re.M):
        for source in copied.split():
            assert (ROOT / source).exists(), source


@pytest.mark.wire
def test_the_image_is_asked_for_its_health_at_the_port_that_it_was_given(place):
    program = json.loads(re.search(r'^    CMD (\["python3".*)$', read("Containerfile"), re.M)[1])

    def healthy(port):
        said = subprocess.run([sys.executable, *program[1:]], env={"FAIRSHOE_PORT": str(port)}, stderr=subprocess.PIPE)
        return said.returncode == 0

    assert healthy(urlsplit(place.address).port)
    assert not healthy(free_port())


def test_each_file_is_in_the_page_and_says_where_it_goes():
    page = read("README.md")
    for path in DEPLOY.iterdir():
        assert path.name == "README.md" or f"({path.name})" in page, path.name
    for name in UNITS:
        assert read(name).startswith(f"# /etc/systemd/system/{name}\n")
        assert f"docs/deploy/{name}" in page


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target, anchor in re.findall(r"\]\((?!https:)([^)#]*)#?([^)]*)\)", page.read_text()):
            path = (page.parent / target) if target else page
            assert path.exists(), (page.name, target)
            heads = re.findall(r"^#+ (.*)$", path.read_text(), re.M) if path.suffix == ".md" else []
            assert not anchor or anchor in {_anchor(head) for head in heads}, (page.name, target, anchor)


def _anchor(head):
    return re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
