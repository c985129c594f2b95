"""The address names the game, and the browser's buttons go through it."""

from playwright.sync_api import expect


def test_a_link_opens_its_game(visit):
    screen = visit("4453")
    screen.shows("4453")
    screen.says("Yellow played column 3, move 4.")
    expect(screen.page).to_have_title("4453 – strong4")


def test_each_move_is_a_step_of_the_history(visit):
    screen = visit()
    screen.play("445")
    screen.page.go_back()
    screen.shows("44")
    screen.page.go_back()
    screen.shows("4")
    screen.page.go_forward()
    screen.shows("44")
    screen.page.go_back()
    screen.page.go_back()
    screen.shows("")
    screen.button("Redo").click()
    screen.shows("4")


def test_undo_is_a_step_of_the_history(visit):
    screen = visit()
    screen.play("44")
    screen.button("Undo").click()
    screen.shows("4")
    screen.page.go_back()
    screen.shows("44")


def test_the_address_can_be_edited(visit):
    screen = visit("4453")
    screen.page.evaluate("location.hash = '12'")
    screen.shows("12")
    screen.page.go_back()
    screen.shows("4453")


def test_a_bad_address_says_what_is_wrong(visit):
    screen = visit("4448x")
    alert = screen.page.get_by_role("alert").filter(has_text="The address names no game.")
    expect(alert).to_contain_text("Move 4 is ‘8’: expected a column from 1 to 7.")
    assert all(cell == "empty" for row in screen.stones() for cell in row)
    screen.play("4")
    expect(alert).to_be_hidden()


def test_addresses_are_read_like_text(visit):
    for text in ["4,4,5,3", "4%204%205%203", "%"]:
        screen = visit(text)
        if text == "%":
            expect(screen.page.get_by_role("alert").first).to_contain_text("Move 1 is ‘%’")
        else:
            expect(screen.page.get_by_label("Moves", exact=True)).to_have_value("4453")


def test_a_reload_keeps_the_game(visit):
    screen = visit()
    screen.play("44")
    screen.page.reload()
    screen.shows("44")
