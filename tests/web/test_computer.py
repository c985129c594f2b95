"""The computer as an opponent."""

import re

import pytest
from playwright.sync_api import expect


def test_the_perfect_computer_plays_the_best_move(visit, program):
    screen = visit()
    screen.level("Perfect").check()
    screen.says("Your move, Red")
    expect(screen.page.locator("#level")).to_have_text("Level 5 is perfect: it never errs.")
    screen.column("3").click()
    reply = str(program.query("3")["best"][0])
    screen.says(f"The computer played column {reply}, move 2.")
    screen.shows("3" + reply)
    screen.headline("Your move, Red")


def test_undo_takes_back_both_moves(visit):
    screen = visit()
    screen.level("Perfect").check()
    screen.column("4").click()
    screen.says("move 2.")
    moves = screen.moves()
    screen.button("Undo").click()
    screen.shows("")
    screen.headline("Your move, Red")
    screen.button("Redo").click()
    screen.shows(moves)
    # The answer of the computer is no step of the history.
    screen.page.go_back()
    screen.shows("")
    screen.headline("Your move, Red")


def test_undo_while_the_computer_thinks_stops_it(visit):
    screen = visit()
    screen.level("Perfect").check()
    screen.press("4", "u")
    screen.shows("")
    with screen.page.expect_response(re.compile("/api/watch")):
        screen.press("3")
    screen.says("The computer played")
    assert screen.moves().startswith("3") and len(screen.moves()) == 2


def test_either_side_can_be_played(visit):
    screen = visit()
    screen.level("Perfect").check()
    screen.level("You are Yellow").check()
    screen.says("The computer played column 4, move 1.")
    screen.headline("Your move, Yellow")
    expect(screen.button("Undo")).to_have_attribute("aria-disabled", "true")
    screen.button("Flip sides").click()
    expect(screen.level("You are Red, first")).to_be_checked()
    screen.says("The computer played")
    screen.headline("Your move, Red")
    assert len(screen.moves()) == 2
    screen.press("f")
    expect(screen.level("You are Yellow")).to_be_checked()
    screen.headline("Your move, Yellow")
    assert len(screen.moves()) == 3


def test_sides_are_flipped_only_against_the_computer(visit):
    screen = visit()
    expect(screen.button("Flip sides")).to_have_attribute("aria-disabled", "true")
    screen.press("f")
    screen.says("Choose a level to play against; then you can flip sides.")
    screen.shows("")


@pytest.mark.parametrize(
    "level, moves, reply, text",
    [
        ("Level 1", "1212327", "2", "Level 1 sees only its own fours."),
        ("Level 2", "11223", "4", "Level 2 sees the fours of both players, one move ahead."),
        ("Level 3", "11223", "4", "Level 3 looks 4 moves ahead."),
        ("Level 4", "11223", "4", "Level 4 looks 6 moves ahead."),
    ],
)
def test_levels_do_what_they_say(visit, level, moves, reply, text):
    screen = visit(moves)
    screen.level(level).check()
    expect(screen.page.locator("#level")).to_have_text(text)
    screen.says(f"The computer played column {reply}, move {len(moves) + 1}")


def test_a_game_against_a_beginner_is_won(visit, program):
    screen = visit()
    screen.level("Level 1").check()
    headline = screen.page.locator("#status")
    for _ in range(21):
        expect(headline).to_have_text(re.compile("Your move|You win"))
        if headline.text_content() == "You win":
            break
        before = screen.moves()
        screen.press(str(program.query(before)["best"][0]))
        expect(headline).to_have_text(re.compile("Your move|You win"))
        assert len(screen.moves()) > len(before)
    screen.headline("You win")
    screen.says("four in a row.")


def test_the_computer_waits_while_the_reader_looks_around(visit):
    screen = visit()
    screen.level("Perfect").check()
    screen.column("4").click()
    screen.says("The computer played")
    screen.page.evaluate("location.hash = '445'")
    screen.headline("The computer waits")
    screen.button("Let it move").click()
    screen.says("The computer played")
    assert len(screen.moves()) == 4
    screen.page.go_back()
    screen.shows("445")
    screen.page.go_forward()
    screen.press(".")
    screen.headline("The computer waits")


def test_the_opponent_survives_a_reload_but_not_a_new_tab(visit):
    screen = visit()
    screen.level("Level 2").check()
    screen.page.reload()
    expect(screen.level("Level 2")).to_be_checked()
    other = screen.page.context.new_page()
    other.goto(screen.address)
    expect(other.get_by_role("radio", name="Nobody")).to_be_checked()
    other.close()
