"""A browser for the tests of a file, and players in it."""

from __future__ import annotations

import pytest

from ..page.conftest import browser as browser
from ..page.test_looks import axe as axe
from .player import Player


@pytest.fixture
def sitting(browser):
    made = []

    def sit(*given, **options):
        made.append(Player(browser, *given, **options))
        return made[-1]

    yield sit
    for each in made:
        each.context.close()
    assert [complaint for each in made for complaint in each.complaints] == []
