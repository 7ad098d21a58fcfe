"""One browser for the tests of a file (two in one process are refused); a context of its own, without any memory, for
each reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from fairshoe.page import page

from .reading import Reader, chromium

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"),
    *("--default-tile-width=2048", "--default-tile-height=2048"),
]
"""A container has neither what the sandbox needs nor a graphics card; to imitate one costs time, and so does drawing
what nobody looks at in many small pieces."""
TIMEOUT = 40_000
"""Milliseconds that whatever is waited for may take, also on a machine that is busy with other tests."""
expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page as a file on the disk."""
    path = tmp_path_factory.mktemp("page") / "verify.html"
    path.write_text(page(), encoding="utf-8")
    return path.as_uri()


Readers = Callable[..., Reader]


@pytest.fixture
def readers(browser: Browser) -> Iterator[Readers]:
    """Makes readers; that the browser complained of nothing is looked at after the test."""
    made: list[Reader] = []

    def reader(**options: Any) -> Reader:
        given = {"locale": "en-GB", "timezone_id": "UTC", "viewport": {"width": 1280, "height": 900}} | options
        context = browser.new_context(**given)
        context.set_default_timeout(TIMEOUT)
        made.append(Reader(context))
        return made[-1]

    yield reader
    for each in made:
        each.context.close()
    assert [complaint for each in made for complaint in each.complaints] == []


@pytest.fixture
def reader(readers: Readers) -> Reader:
    return readers()
