"""The moves of a game, and what a review says of them."""

from playwright.sync_api import expect

GAME = "1212121"


def reviewed(screen):
    screen.button("Review").click()
    expect(screen.page.locator("#game p")).to_contain_text("decided")
    return screen


def marks(screen):
    return screen.page.locator("#game li span").all_text_contents()


def test_the_moves_are_listed_and_lead_to_their_positions(visit):
    screen = visit("4453")
    moves = screen.page.locator("#game ol button")
    expect(moves).to_have_text(["4", "4", "5", "3"])
    expect(moves.nth(3)).to_have_attribute("aria-current", "step")
    moves.nth(1).click()
    screen.shows("44")
    # What follows is still there.
    expect(moves).to_have_count(4)
    expect(moves.nth(1)).to_have_attribute("aria-current", "step")
    moves.nth(3).click()
    screen.shows("4453")


def test_a_review_marks_each_move_and_says_what_decided(visit, program):
    screen = reviewed(visit(GAME))
    record = program.review(GAME)
    names = {"best": "★", "slower": "–", "mistake": "✗", "unknown": "?"}
    assert marks(screen) == [names[move["judgement"]] for move in record["review"]]
    move = record["review"][record["decided_by"] - 1]
    better = " or ".join(str(column) for column in move["best"])
    expect(screen.page.locator("#game p")).to_have_text(
        f"Move 6 decided: Yellow played column 2, and a draw became a loss. Better was {better}."
        if move["best_category"] == "draw"
        else f"Move 6 decided: Yellow played column 2, and a win became a loss. Better was {better}."
    )
    label = screen.page.locator("#game ol button").nth(5).get_attribute("aria-label")
    assert label.startswith("Move 6, Yellow, column 2: a ") and label.endswith(f"better was {better}")
    # The course of the game has a point for each move; a click leads there.
    points = screen.page.locator("#game circle")
    expect(points).to_have_count(7)
    points.nth(2).click()
    screen.shows("121")
    assert len(marks(screen)) == 7
    # Another game has no marks.
    screen.column("7").click()
    expect(screen.page.locator("#game li span")).to_have_count(0)


def test_what_cannot_be_reviewed_says_so(visit):
    screen = visit()
    expect(screen.button("Review")).to_have_attribute("aria-disabled", "true")
    expect(screen.page.locator("#game p")).to_have_text("No moves yet.")
    screen.open("key=4432676798595&moves=4")
    expect(screen.page.locator("#game p")).to_contain_text("Only games from the empty board")
