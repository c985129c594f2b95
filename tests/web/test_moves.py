"""The moves as text: to edit, to copy, to paste."""

import pytest
from playwright.sync_api import expect

PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
}"""


@pytest.mark.parametrize("text", ["4453", " 4,4, 5 3", "4 4 5 3", "http://127.0.0.1/#4453"])
def test_moves_are_entered_as_text(visit, text):
    screen = visit()
    field = screen.page.get_by_label("Moves", exact=True)
    field.fill(text)
    field.press("Enter")
    screen.shows("4453")


@pytest.mark.parametrize(
    "text, message",
    [
        ("448", "Move 3 is ‘8’: expected a column from 1 to 7."),
        ("4x", "Move 2 is ‘x’: expected a column from 1 to 7."),
        ("4444444", "Move 7 is ‘4’, but column 4 is full."),
        ("12121213", "Move 8 is ‘3’, but the game is over: Red has four in a row."),
        ("121212", None),
    ],
)
def test_wrong_moves_are_told(visit, text, message):
    screen = visit("44")
    field = screen.page.get_by_label("Moves", exact=True)
    field.fill(text)
    field.press("Enter")
    if message is None:
        screen.shows(text)
        return
    expect(screen.page.locator("#moves [role=alert]")).to_have_text(message)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value(text)
    expect(screen.page).to_have_url(screen.address + "/#44")
    screen.page.locator("body").press("Escape")
    field.fill("44")
    field.press("Enter")
    expect(screen.page.locator("#moves [role=alert]")).to_have_text("")
    screen.shows("44")


def test_columns_of_two_digits_are_explained(visit):
    screen = visit(board="12x3")
    field = screen.page.get_by_label("Moves", exact=True)
    field.fill("10 4")
    field.press("Enter")
    expect(screen.page.locator("#moves [role=alert]")).to_contain_text("may be one column or two")


def test_a_game_is_pasted_anywhere(visit):
    screen = visit()
    screen.page.evaluate(PASTE, "4453")
    screen.shows("4453")
    screen.column("1").focus()
    screen.page.evaluate(PASTE, "99")
    expect(screen.page.locator("#moves [role=alert]")).to_contain_text("Move 1 is ‘9’")
    expect(screen.page).to_have_url(screen.address + "/#4453")
    # Digits typed now are moves, not text.
    expect(screen.column("1")).to_be_focused()
    screen.press("1")
    screen.shows("44531")


def test_moves_and_link_are_copied(visit):
    screen = visit("4453", permissions=["clipboard-read", "clipboard-write"])
    screen.button("Copy moves").click()
    expect(screen.page.locator("#moves .said")).to_have_text("Moves copied")
    assert screen.page.evaluate("navigator.clipboard.readText()") == "4453"
    screen.button("Copy link").click()
    expect(screen.page.locator("#moves .said")).to_have_text("Link copied")
    assert screen.page.evaluate("navigator.clipboard.readText()") == screen.address + "/#4453"


def test_without_a_clipboard_the_text_is_selected(visit):
    screen = visit("4453")
    screen.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    screen.button("Copy moves").click()
    expect(screen.page.locator("#moves .said")).to_have_text("Copy this: 4453")
    assert screen.page.evaluate("getSelection().toString()").endswith("4453")


def test_what_is_typed_outlives_the_values(visit):
    screen = visit()
    field = screen.page.get_by_label("Moves", exact=True)
    field.fill("12")
    screen.button("Hide values").click()
    screen.button("Show values").click()
    screen.verdict("Red wins in 41 moves")
    expect(field).to_have_value("12")
