"""What a screen reader gets: names, roles, and news read aloud."""

import re

from playwright.sync_api import expect


def test_every_control_has_a_name_and_a_role(visit):
    screen = visit("44444265")
    screen.level("Perfect").check()
    screen.button("Hide values").click()
    screen.button("Help").click()
    snapshot = screen.page.locator("body").aria_snapshot()
    for role in ["button", "radio", "textbox", "dialog", "group", "region", "table"]:
        lines = re.findall(rf"^ *- '?{role}\b(.*)$", snapshot, re.MULTILINE)
        named = [line for line in lines if '"' in line]
        assert lines and lines == named, role


def test_the_page_has_landmarks_and_headings(visit):
    snapshot = visit().page.locator("body").aria_snapshot()
    for line in [
        "- banner:",
        "- main:",
        '- region "Game":',
        '- complementary "Settings and moves":',
        "- contentinfo:",
        '- heading "strong4" [level=1]',
        '- heading "Best line" [level=2]',
    ]:
        assert line in snapshot, line


def test_moves_and_values_are_read_aloud(visit):
    screen = visit()
    statuses = screen.page.get_by_role("status")
    screen.play("4")
    expect(statuses.nth(0)).to_contain_text("Yellow to move")
    expect(statuses.nth(0)).to_contain_text("Red played column 4")
    expect(statuses.nth(1)).to_have_text("Red wins in 40 moves")


def test_the_board_is_a_table(visit):
    screen = visit("445")
    table = screen.page.get_by_role("table", name="Stones on the board")
    expect(table.get_by_role("columnheader")).to_have_count(7)
    expect(table.get_by_role("rowheader")).to_have_count(6)
    assert screen.stones()[-1][3:5] == ["Red", "Red, last move"]
    assert screen.stones()[-2][3] == "Yellow"


def test_colour_is_never_the_only_sign(visit):
    screen = visit("44")
    board = screen.page.locator(".drawing")
    expect(board.locator(".red path.mark")).to_have_count(1)
    expect(board.locator(".yellow circle.mark")).to_have_count(1)
    steps = screen.page.locator("#line ol button")
    radius = "it => getComputedStyle(it).borderRadius"
    assert steps.nth(0).evaluate(radius) != steps.nth(1).evaluate(radius)
