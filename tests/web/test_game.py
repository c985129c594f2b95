"""Two people play: moves, the end of a game, undo, redo, new."""

from playwright.sync_api import expect


def test_a_game_is_played_by_clicks_to_its_end(visit):
    screen = visit()
    screen.headline("Red to move")
    screen.play("4")
    screen.headline("Yellow to move")
    screen.says("Red played column 4, move 1.")
    screen.play("433552")
    screen.headline("Red wins")
    screen.says("Red played column 2, move 7: four in a row.")
    assert screen.stones()[-1] == [
        "empty",
        "Red, last move, in the four",
        "Red, in the four",
        "Red, in the four",
        "Red, in the four",
        "empty",
        "empty",
    ]
    expect(screen.page.locator(".four-ring")).to_have_count(4)
    screen.column("1").click(force=True)
    screen.says("The game is over: Red has four in a row.")
    screen.shows("4433552")


def test_a_full_column_says_so(visit):
    screen = visit("444444")
    expect(screen.column("4").locator(".words")).to_have_text("full")
    expect(screen.column("4")).to_have_attribute("aria-disabled", "true")
    screen.column("4").click(force=True)
    screen.says("Column 4 is full.")
    screen.shows("444444")


def test_a_full_board_is_a_draw(visit, program):
    line = program.query("", "4x4")["line"]
    assert len(line) == 16
    screen = visit(line[:-1], board="4x4")
    screen.play(line[-1])
    screen.headline("A draw")
    screen.says("The board is full.")
    expect(screen.page.locator("#detail")).to_have_text("Final score 0")


def test_undo_redo_and_new(visit):
    screen = visit()
    for name in ["Undo", "Redo", "New"]:
        expect(screen.button(name)).to_have_attribute("aria-disabled", "true")
    screen.play("445")
    screen.button("Undo").click()
    screen.shows("44")
    screen.button("Undo").click()
    screen.shows("4")
    screen.button("Redo").click()
    screen.shows("44")
    screen.button("Redo").click()
    screen.shows("445")
    expect(screen.button("Redo")).to_have_attribute("aria-disabled", "true")
    screen.button("Undo").click()
    screen.play("1")
    expect(screen.button("Redo")).to_have_attribute("aria-disabled", "true")
    screen.button("New").click()
    screen.shows("")
    screen.headline("Red to move")


def test_the_same_move_again_keeps_what_was_undone(visit):
    screen = visit("4453")
    screen.button("Undo").click()
    screen.button("Undo").click()
    screen.play("5")
    screen.button("Redo").click()
    screen.shows("4453")


def test_stones_fall_unless_the_reader_wants_no_motion(visit):
    drop = """() => {
        document.querySelector('.column').click();
        return document.querySelector('.board .stone').getAnimations().length;
    }"""
    for motion, expected in [("no-preference", 1), ("reduce", 0)]:
        screen = visit(reduced_motion=motion)
        assert screen.page.evaluate(drop) == expected, motion
