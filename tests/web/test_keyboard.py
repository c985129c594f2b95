"""Everything can be done with the keyboard alone."""

from playwright.sync_api import expect


def focused(screen):
    return screen.page.evaluate("document.activeElement.getAttribute('aria-label')") or ""


def test_a_game_is_played_with_keys_alone(visit):
    screen = visit()
    screen.press("4", "4", "5")
    screen.shows("445")
    screen.press("u", "u")
    screen.shows("4")
    screen.press("r")
    screen.shows("44")
    screen.press("Control+z")
    screen.shows("4")
    screen.press("Control+Shift+z")
    screen.shows("44")
    screen.press("3", "3", "5", "5", "2")
    screen.headline("Red wins")
    screen.press("n")
    screen.shows("")
    screen.press("v")
    screen.verdict("Values are hidden")
    screen.press("v")
    screen.verdict("Red wins in 41 moves")


def test_arrows_choose_a_column(visit):
    screen = visit()
    screen.press("ArrowRight")
    expect(screen.column("4")).to_be_focused()
    expect(screen.page.locator(".ghost .stone")).to_have_count(1)
    screen.press("ArrowLeft", "ArrowLeft")
    expect(screen.column("2")).to_be_focused()
    screen.press("Enter")
    screen.shows("2")
    screen.press("Space")
    screen.shows("22")
    screen.press("Home")
    expect(screen.column("1")).to_be_focused()
    screen.press("ArrowLeft")
    expect(screen.column("1")).to_be_focused()
    screen.press("End")
    expect(screen.column("7")).to_be_focused()


def test_tab_reaches_every_control(visit):
    screen = visit("4453")
    screen.value("4", "−3", "loses in 34")
    expect(screen.page.locator("#line ol li")).to_have_count(36)
    screen.level("Perfect").check()
    screen.page.evaluate("document.activeElement.blur()")
    expected = screen.page.evaluate("""() => {
        const all = [...document.querySelectorAll('button, input')];
        return all.filter((it) => it.checkVisibility() && (it.type !== 'radio' || it.checked)).length;
    }""")
    reached = set()
    # One more for the window itself, which comes after the last of them.
    for _ in range(expected + 1):
        screen.press("Tab")
        reached.add(screen.page.evaluate("""() => {
            const all = [...document.querySelectorAll('button, input')];
            const active = document.activeElement;
            // The focus of a radio button is drawn around its label.
            const seen = active.type === 'radio' ? active.nextElementSibling : active;
            return `${all.indexOf(active)} ${getComputedStyle(seen).outlineStyle !== 'none'}`;
        }"""))
    reached = {it for it in reached if not it.startswith("-1")}
    assert len(reached) == expected
    assert all(it.endswith(" true") for it in reached), reached


def test_keys_are_text_where_text_is_written(visit):
    screen = visit("44")
    field = screen.page.get_by_label("Moves", exact=True)
    field.focus()
    screen.press("End", "5", "u", "n")
    expect(field).to_have_value("445un")
    screen.press("Backspace", "Backspace", "Enter")
    screen.shows("445")


def test_a_key_held_down_is_one_move(visit):
    screen = visit()
    screen.page.keyboard.down("4")
    screen.page.keyboard.down("4")
    screen.page.keyboard.up("4")
    screen.shows("4")


def test_letters_are_columns_on_wide_boards(visit):
    screen = visit(board="12x3")
    screen.press("1", "a", "c", "b")
    screen.shows("1acb")
    screen.says("Yellow played column b, move 4.")
    screen.press("Shift+U")
    screen.shows("1ac")
    screen.press("Shift+R")
    screen.shows("1acb")
    screen.press("u", "n", "Shift+N")
    screen.shows("")
    screen.press("?")
    expect(screen.page.get_by_role("dialog")).to_contain_text("ShiftU")


def test_help_opens_and_closes(visit):
    screen = visit()
    dialog = screen.page.get_by_role("dialog", name="Help")
    screen.button("Help").focus()
    screen.press("?")
    expect(dialog).to_be_visible()
    screen.press("4")
    screen.press("Escape")
    expect(dialog).to_be_hidden()
    expect(screen.button("Help")).to_be_focused()
    screen.shows("")
    screen.button("Help").click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
