"""Pages of another origin, and another name for the server: neither gets an answer, unless allowed."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect
from program import Server

# The browser resolves this name to 127.0.0.1, as a name server of an attacker may: see conftest.py.
ELSEWHERE = "evil.example"


class Elsewhere(BaseHTTPRequestHandler):
    """An empty page."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()


@pytest.fixture
def elsewhere():
    """The origin of a page on another port, under another name."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{ELSEWHERE}:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser, elsewhere):
    """A page of the other origin."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.goto(elsewhere)
    yield page
    context.close()


FETCH = """async ([address, options]) => {
    try {
        const answer = await fetch(address, options);
        return [answer.type, answer.status, await answer.text()];
    } catch (error) {
        return [error.name];
    }
}"""

LINES = {"method": "POST", "body": "4453\n"}
JSON = {**LINES, "headers": {"content-type": "application/x-ndjson"}}


@pytest.mark.parametrize("options", [{}, LINES, JSON])
def test_a_page_of_another_origin_reads_nothing(servers, page, options):
    address = f"{servers('7x6').address}/api/analyze" + ("" if options else "?moves=4453")
    assert page.evaluate(FETCH, [address, options]) == ["TypeError"]


@pytest.mark.parametrize("options", [{}, LINES])
def test_a_page_of_another_origin_is_not_even_answered(servers, page, options):
    address = f"{servers('7x6').address}/api/analyze" + ("" if options else "?moves=4453")
    with page.expect_response(address) as response:
        assert page.evaluate(FETCH, [address, {**options, "mode": "no-cors"}])[0] == "opaque"
    assert response.value.status == 403


def test_a_page_of_another_origin_on_the_same_host_is_refused(servers, page, elsewhere):
    page.goto(elsewhere.replace(ELSEWHERE, "127.0.0.1"))
    address = f"{servers('7x6').address}/api/move?moves=44"
    with page.expect_response(address) as response:
        assert page.evaluate(FETCH, [address, {"mode": "no-cors"}])[0] == "opaque"
    assert response.value.status == 403


def test_a_page_of_an_allowed_origin_is_answered(program, page, elsewhere):
    server = Server(program, "7x6", "--allow-origin", elsewhere)
    try:
        address = f"{server.address}/api/analyze"
        expected = program.query("4453")["columns"]
        for path, options in [("?moves=4453", {}), ("", LINES), ("", JSON)]:
            kind, status, text = page.evaluate(FETCH, [address + path, options])
            assert (kind, status) == ("cors", 200)
            assert page.evaluate("text => JSON.parse(text).columns", text) == expected
    finally:
        server.kill()


def test_a_link_leads_to_the_page(servers, page):
    address = f"{servers('7x6').address}/#4453"
    page.evaluate("address => { location.href = address; }", address)
    expect(page.locator('.column[data-column="4"] .score')).to_have_text("−3")


def test_a_link_asks_no_question(servers, page):
    address = f"{servers('7x6').address}/api/analyze?moves=4453"
    with page.expect_response(address) as response:
        page.evaluate("address => { location.href = address; }", address)
    assert response.value.status == 403


def test_another_name_for_the_server_is_refused(browser, servers):
    context = browser.new_context()
    page = context.new_page()
    port = servers("7x6").port
    assert page.goto(f"http://{ELSEWHERE}:{port}/").status == 421
    assert page.evaluate(FETCH, ["/api/analyze?moves=4453", {}])[:2] == ["basic", 421]
    assert page.goto(f"http://localhost:{port}/").status == 200
    context.close()
