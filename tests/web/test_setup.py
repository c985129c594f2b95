"""Positions that are set up, and addresses of them."""

import json
import subprocess

import pytest
from playwright.sync_api import expect


def put(screen, colour, columns):
    screen.page.get_by_role("radio", name=colour, exact=True).check()
    for name in columns:
        screen.column(name).click()


def begin(screen):
    screen.button("Set up").click()
    screen.button("Clear").click()
    return screen


def error(screen):
    return screen.page.locator("#setting-up .error")


def test_a_position_is_set_up_and_played_on(visit, program):
    screen = begin(visit("44"))
    put(screen, "Yellow", "4")
    put(screen, "Red", "445")
    put(screen, "Yellow", "3")
    put(screen, "Remove", "3")
    put(screen, "Yellow", "5")
    assert [row.count("Red") + row.count("Yellow") for row in screen.stones()] == [0, 0, 0, 1, 2, 2]
    screen.button("Play from here").click()
    screen.headline("Yellow to move")
    key = screen.page.url.split("key=")[1].split("&")[0]
    record = program.key(key)
    for name, worth in zip("1234567", record["columns"]):
        text = f"{worth['score']:+}".replace("-", "−").replace("+0", "0")
        expect(screen.column(name).locator(".score")).to_have_text(text)
    screen.column("1").click()
    expect(screen.page).to_have_url(f"{screen.address}/#key={key}&moves=1")
    # The address leads back there.
    screen.page.reload()
    screen.headline("Red to move")
    screen.button("Undo").click()
    screen.headline("Yellow to move")
    screen.level("Perfect").check()
    screen.page.get_by_text("You are Red, first").click()
    expect(screen.page.locator("#game ol button")).to_have_count(1)


@pytest.mark.parametrize(
    "red, yellow, red_again, reason",
    [
        ("12", "", "", "2 Red stones and 0 Yellow stones: Red begins"),
        ("", "1", "", "0 Red stones and 1 Yellow stone: Red begins"),
        ("", "12", "12", "No order of moves, Red and Yellow in turn, leads to these stones."),
        ("1234", "1567", "", "Red has four in a row, but"),
    ],
)
def test_what_cannot_arise_says_why(visit, red, yellow, red_again, reason):
    screen = begin(visit())
    put(screen, "Red", red)
    put(screen, "Yellow", yellow)
    put(screen, "Red", red_again)
    screen.button("Play from here").click()
    expect(error(screen)).to_contain_text(reason)
    screen.button("Cancel").click()
    screen.headline("Red to move")
    screen.shows("")


def test_keys_in_addresses_are_those_of_the_command_line(visit, program):
    for moves in ["4", "4453", "1122334", "3145175534244665"]:
        key = json.loads(
            subprocess.run([program.path, "show", moves, "--json"], check=True, capture_output=True).stdout
        )["key"]
        screen = visit(f"key={key}&moves=")
        stones = screen.stones()
        other = visit(moves)
        plain = [[cell.replace(", last move", "") for cell in row] for row in other.stones()]
        assert stones == plain
    screen = visit("key=5&moves=")
    expect(screen.page.get_by_role("alert").first).to_contain_text("5 is the key of no position.")
