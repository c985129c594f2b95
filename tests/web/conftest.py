"""The browser, the program under test, and a page for each test.

STRONG4 names the program. Every test fails if the page asks another host for anything, or if
the browser complains of anything that the test does not expect: a violation of the
Content-Security-Policy, say.
"""

import os
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright
from program import Program, Server
from screen import Screen

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # For test_origins.py.
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
]

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("STRONG4") or str(ROOT / "target" / "release" / "strong4")
    if not os.path.exists(path):
        pytest.skip("the strong4 program is not built: `make build`")
    return Program(path)


@pytest.fixture(scope="session")
def servers(program):
    """A server for a board; all tests share it, so it must not be stopped."""
    started = []

    @cache
    def of(board):
        started.append(Server(program, board))
        return started[-1]

    yield of
    for server in started:
        server.kill()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pages(browser):
    """Blank pages by their settings, for a new one takes longer than most tests."""
    return defaultdict(list)


@pytest.fixture
def visit(browser, servers, pages):
    """Opens pages: of a board or an address, with settings of the browser."""
    opened = []

    def visit(
        moves="", *, board="7x6", address=None, first=".column", width=1200, height=900, **settings
    ):
        settings.setdefault("reduced_motion", "reduce")
        kept = pages[repr(sorted(settings.items()))]
        page = kept.pop() if kept else browser.new_context(**settings).new_page()
        page.set_default_timeout(10_000)
        page.set_viewport_size({"width": width, "height": height})
        screen = Screen(page, address or servers(board).address)
        opened.append((screen, kept))
        return screen.open(moves, first)

    yield visit
    for screen, kept in opened:
        screen.leave()
        kept.append(screen.page)
    for screen, _ in opened:
        screen.check()
