"""Slow answers, bounds, errors, and a server that goes away: all of it is shown."""

import copy

import pytest
from playwright.sync_api import expect
from program import Server
from scripted import Proxy

REFUSED = "Failed to load resource"


@pytest.fixture
def proxy(servers):
    proxy = Proxy(servers("7x6").address)
    yield proxy
    proxy.stop()


@pytest.fixture
def own_server(program):
    """A server that the test may stop."""
    server = Server(program)
    yield server
    server.kill()


def bounds(lower, upper, category=None):
    return {"category": category, "plies": None, "score": None, "lower": lower, "upper": upper}


def unknown(record):
    """A record of the same position that knows nothing."""
    record = copy.deepcopy(record)
    record.update(bounds(-19, 19), best=[], line=None)
    record["columns"] = [worth and bounds(-19, 19) for worth in record["columns"]]
    return record


def test_values_appear_column_by_column(visit, program, proxy):
    whole = program.query("4453")
    proxy.hold("/api/watch")
    screen = visit("4453", address=proxy.address)
    request = proxy.next()
    assert request.path == "/api/watch?moves=4453"
    for column in screen.columns.all():
        expect(column.locator(".score")).to_have_text("…")
    record = unknown(whole)
    request.send(record)
    for column in screen.columns.all():
        expect(column.locator(".score")).to_have_text("?")
        expect(column).to_contain_class("asking")
    screen.verdict("Who wins is not known yet")
    detail = screen.page.locator("#detail")
    expect(detail).to_have_text("Still searching: 0 of 7 scores are known …")
    record["columns"][2] = whole["columns"][2]
    request.send(record)
    screen.value("3", "−2", "loses in 36")
    expect(screen.column("4").locator(".score")).to_have_text("?")
    expect(detail).to_have_text("Still searching: 1 of 7 scores are known …")
    request.send(whole)
    screen.value("4", "−3", "loses in 34")
    screen.verdict("Yellow wins in 36 moves")
    expect(detail).to_contain_text("still following the best line")
    request.end()
    expect(detail).not_to_contain_text("still")
    expect(screen.page.locator(".asking")).to_have_count(0)


def test_bounds_are_shown_as_bounds(visit, program, proxy):
    proxy.hold("/api/watch")
    screen = visit("4453", address=proxy.address)
    record = unknown(program.query("4453"))
    bounded = [
        (bounds(1, 19, "win"), "≥ +1", "wins"),
        (bounds(2, 5, "win"), "+2 … +5", "wins"),
        (bounds(-19, -1, "loss"), "≤ −1", "loses"),
        (bounds(0, 19), "≥ 0", "does not lose"),
        (bounds(-19, 0), "≤ 0", "does not win"),
        (bounds(-3, 1), "−3 … +1", ""),
        (bounds(-19, 19), "?", ""),
    ]
    record["columns"] = [worth for worth, _, _ in bounded]
    request = proxy.next()
    request.send(record)
    request.end()
    for name, (_, score, words) in enumerate(bounded, 1):
        screen.value(name, score, words)
    expect(screen.column("2")).to_have_attribute("aria-label", "Column 2, score +2 … +5, wins")
    expect(screen.column("7")).to_have_attribute("aria-label", "Column 7, value not known")
    expect(screen.page.locator("#detail")).to_have_text("The time was up: 0 of 7 scores are known")
    screen.button("Search on").click()
    proxy.next().send(program.query("4453"))
    screen.value("5", "−4", "loses in 32")


def test_late_answers_are_dropped(visit, program, proxy):
    proxy.hold("/api/watch")
    screen = visit("4453", address=proxy.address)
    late = proxy.next()
    screen.play("4")
    request = proxy.next()
    assert request.path == "/api/watch?moves=44534"
    late.send(program.query("4453"))
    late.end()
    request.send(program.query("44534"))
    screen.verdict("Yellow wins in 33 moves")
    for name, worth in enumerate(program.query("44534")["columns"], 1):
        score = f"{worth['score']:+}".replace("-", "−")
        expect(screen.column(name).locator(".score")).to_have_text(score)
    expect(screen.page.locator("#line ol button").first).to_have_text(
        program.query("44534")["line"][0]
    )


def test_an_answer_for_another_position_is_refused(visit, program, proxy):
    proxy.hold("/api/watch")
    screen = visit("4453", address=proxy.address)
    proxy.next().send(program.query("44"))
    alert = screen.page.get_by_role("alert").filter(has_text="The server answered for the moves")
    expect(alert).to_be_visible()
    expect(screen.column("4").locator(".score")).to_have_text("?")


def test_an_error_in_the_middle_is_told_and_can_be_retried(visit, program, proxy):
    proxy.hold("/api/watch")
    screen = visit("4453", address=proxy.address)
    whole = program.query("4453")
    record = unknown(whole)
    record["columns"][2] = whole["columns"][2]
    request = proxy.next()
    request.send(record)
    screen.value("3", "−2", "loses in 36")
    request.send({"error": "a table is damaged"})
    request.end()
    alert = screen.page.get_by_role("alert").filter(has_text="a table is damaged")
    expect(alert).to_be_visible()
    # What was known before stays.
    screen.value("3", "−2", "loses in 36")
    proxy.release("/api/watch")
    screen.button("Try again").click()
    screen.value("4", "−3", "loses in 34")
    expect(alert).to_be_hidden()


def test_an_answer_that_breaks_off_is_asked_for_again(visit, program, proxy):
    proxy.hold("/api/watch")
    screen = visit("4453", address=proxy.address)
    proxy.next().end()
    alert = screen.page.get_by_role("alert").filter(has_text="The server does not answer.")
    expect(alert).to_be_visible()
    request = proxy.next()
    request.send(program.query("4453"))
    request.end()
    screen.value("4", "−3", "loses in 34")
    expect(alert).to_be_hidden()


def test_a_busy_server_is_asked_again_after_the_time_it_names(visit, proxy):
    proxy.refuse("/api/watch", 503, "too many", retry_after=2)
    screen = visit("4453", address=proxy.address)
    screen.expected.append(REFUSED)
    alert = screen.page.get_by_role("alert").filter(has_text="The server is busy.")
    expect(alert).to_have_text("The server is busy. Trying again in 2 s …")
    screen.value("4", "−3", "loses in 34")
    expect(alert).to_be_hidden()


def test_an_error_waits_for_the_reader(visit, proxy):
    proxy.refuse("/api/watch", 500, "the disk is full of stones")
    screen = visit("4453", address=proxy.address)
    screen.expected.append(REFUSED)
    alert = screen.page.get_by_role("alert").filter(has_text="the disk is full of stones")
    expect(alert).to_be_visible()
    screen.button("Try again").click()
    screen.value("4", "−3", "loses in 34")


def test_a_slow_computer_is_shown(visit, proxy):
    proxy.hold("/api/move")
    screen = visit(address=proxy.address)
    screen.level("Level 3").check()
    screen.column("4").click()
    screen.headline("The computer is thinking …")
    expect(screen.column("4")).to_have_attribute("aria-disabled", "true")
    screen.press("5")
    screen.headline("The computer is still thinking …")
    screen.shows("4")
    request = proxy.next()
    assert request.path == "/api/move?moves=4&level=3"
    request.send({"column": 1})
    request.end()
    screen.shows("41")


def test_the_game_goes_on_without_a_server(visit, own_server):
    screen = visit(address=own_server.address)
    screen.expected.append(REFUSED)
    screen.verdict("Red wins in 41 moves")
    own_server.kill()
    screen.play("44")
    alert = screen.page.get_by_role("alert").filter(has_text="The server does not answer.")
    expect(alert).to_be_visible()
    screen.verdict("The values wait for the server")
    screen.play("53")
    screen.headline("Red to move")
    for column in screen.columns.all():
        expect(column.locator(".score")).to_have_text("?")
    own_server.start()
    screen.value("4", "−3", "loses in 34")
    expect(alert).to_be_hidden()


def test_without_a_server_the_reader_moves_for_the_computer(visit, own_server):
    screen = visit(address=own_server.address)
    screen.expected.append(REFUSED)
    screen.level("Perfect").check()
    screen.verdict("Red wins in 41 moves")
    own_server.kill()
    screen.column("4").click()
    screen.headline("The computer cannot move")
    screen.play("4")
    screen.headline("Your move, Red")
    own_server.start()
    screen.button("Try again").click()
    screen.verdict("Red wins in 39 moves")
    screen.column("4").click()
    screen.says("The computer played")


def test_the_first_question_is_repeated_too(visit, proxy):
    proxy.refuse("/api/status", 503, "too many", retry_after=1)
    screen = visit("44", address=proxy.address)
    screen.expected.append(REFUSED)
    screen.verdict("Red wins in 39 moves")
