"""Values: what stands under the columns is what the command line says, and can be hidden."""

import pytest
from playwright.sync_api import expect

POSITIONS = [
    ("7x6", ""),
    ("7x6", "4453"),
    ("7x6", "44444265"),
    ("7x6", "112233"),
    ("7x6", "3145175534244665"),
    ("7x6", "6436777131311127722"),
    ("7x6", "1212121"),
    ("5x4", "3321"),
    ("5x5", ""),
    ("12x3", "111222333444555666777888"),
]


def words(worth):
    """What the page should say of a value."""
    match worth["category"]:
        case "win":
            return f"wins in {worth['plies']}"
        case "loss":
            return f"loses in {worth['plies']}"
    return "draw"


def signed(score):
    return f"{score:+}".replace("-", "−") if score else "0"


@pytest.mark.parametrize("board, moves", POSITIONS)
def test_values_are_those_of_the_command_line(visit, program, board, moves):
    record = program.query(moves, board)
    screen = visit(moves, board=board)
    for column, worth in zip(screen.columns.all(), record["columns"], strict=True):
        name = column.get_attribute("data-column")
        if worth is None:
            expect(column.locator(".score")).to_have_text("")
            continue
        score = signed(worth["score"])
        is_best = int(name, 36) in record["best"]
        screen.value(name, score, words(worth))
        label = f"Column {name}, score {score}, {words(worth)}" + ", best" * is_best
        expect(column).to_have_attribute("aria-label", label)
        star = column.locator(".number").evaluate("it => getComputedStyle(it, '::after').content")
        assert ("★" in star) == is_best


@pytest.mark.parametrize(
    "moves, verdict, detail",
    [
        ("", "Red wins in 41 moves", "Score +1 for Red, from the built-in openings in "),
        ("4453", "Yellow wins in 36 moves", "Score −2 for Red, from the built-in openings in "),
        ("44444265", "A draw, if both play their best", "Score 0, from the built-in openings in "),
        ("112233", "Red wins with the next move", "Score +18 for Red, "),
        ("3145175534244665", "Red wins in 15 moves", "Score +6 for Red, found by search in "),
        ("1212121", "", "Final score +18 for Red"),
    ],
)
def test_the_position_is_judged_in_a_sentence(visit, moves, verdict, detail):
    screen = visit(moves)
    screen.verdict(verdict)
    expect(screen.page.locator("#detail")).to_contain_text(detail)


def test_values_follow_the_moves(visit, program):
    screen = visit()
    for moves in ["4", "44", "445"]:
        screen.play(moves[-1])
        for name, worth in enumerate(program.query(moves)["columns"], 1):
            screen.value(name, signed(worth["score"]), words(worth))


def test_hidden_values_are_not_asked_for(visit):
    screen = visit("4453")
    screen.value("4", "−3", "loses in 34")
    screen.button("Hide values").click()
    asked = []
    screen.page.on("request", lambda it: "/api/" in it.url and asked.append(it.url))
    screen.verdict("Values are hidden")
    screen.play("12")
    for column in screen.columns.all():
        expect(column.locator(".score")).to_have_text("")
        expect(column).not_to_have_class("best")
    expect(screen.page.locator("#line ol li")).to_have_count(0)
    assert asked == []
    screen.page.reload()
    screen.verdict("Values are hidden")
    screen.button("Show values").click()
    screen.verdict("A draw, if both play their best")


def test_values_can_be_revealed_for_one_position(visit):
    screen = visit("4453")
    screen.button("Hide values").click()
    screen.button("Reveal once").click()
    screen.value("4", "−3", "loses in 34")
    screen.verdict("Yellow wins in 36 moves")
    screen.play("4")
    screen.verdict("Values are hidden")
    expect(screen.column("4").locator(".score")).to_have_text("")


def test_the_best_line_is_stepped_through(visit, program):
    moves = "3145175534244665"
    line = program.query(moves)["line"]
    screen = visit(moves)
    steps = screen.page.locator("#line ol button")
    expect(steps).to_have_text(list(line))
    forward = screen.button("One move on along the best line")
    back = screen.button("One move back along the best line")
    expect(back).to_have_attribute("aria-disabled", "true")
    forward.click()
    screen.shows(moves + line[:1])
    forward.click()
    screen.shows(moves + line[:2])
    expect(steps).to_have_text(list(line))
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    back.click()
    screen.shows(moves + line[:1])
    screen.press(",")
    screen.shows(moves)
    screen.press(".", ".", ".")
    screen.shows(moves + line[:3])
    steps.last.click()
    screen.shows(moves + line)
    screen.headline("Red wins")
    expect(forward).to_have_attribute("aria-disabled", "true")
    steps.first.click()
    screen.shows(moves + line[:1])


def test_the_best_line_is_left_by_another_move(visit, program):
    screen = visit("4453")
    steps = screen.page.locator("#line ol button")
    expect(steps).to_have_text(list(program.query("4453")["line"]))
    screen.play("1")
    expect(steps).to_have_text(list(program.query("44531")["line"]))
