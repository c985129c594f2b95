"""The page knows the rules itself: it reads games as the program does, the errors included."""

import json
import random
import re
import subprocess

import pytest

LETTERS = "0123456789abcdefg"
READ = """async (games) => {
    const { Position, parse } = await import('/game.js');
    const [width, height] = games.shift();
    const board = { width, height };
    return games.map((text) => {
        try {
            const { columns } = parse(text, board);
            const position = columns.reduce((at, column) => at.play(column), Position.empty(board));
            const status = position.winner !== null ? 'won' : position.isFull ? 'full' : 'open';
            return { moves: text, tier: position.stones, mover: position.mover, status };
        } catch (error) {
            return { moves: text, error: error.message };
        }
    });
}"""


def as_told_by_the_page(record):
    """A record of `strong4 show --json` in the words of the page."""
    if "error" in record:
        error = record["error"].replace("the first player", "Red")
        error = error.replace("the second player", "Yellow")
        # The program counts columns here, as nowhere else.
        error = re.sub(r"column (\d\d) is", lambda it: f"column {LETTERS[int(it[1])]} is", error)
        for quote in "‘’":
            error = error.replace("'", quote, 1)
        return {"moves": record["moves"], "error": error[0].upper() + error[1:] + "."}
    mover = ["first", "second"].index(record["mover"])
    return {key: record[key] for key in ["moves", "tier", "status"]} | {"mover": mover}


@pytest.mark.parametrize("width, height", [(7, 6), (5, 4), (4, 4), (12, 3), (4, 12), (3, 9)])
def test_random_games_are_read_alike(visit, program, width, height):
    rng = random.Random(4)
    names = LETTERS[1 : width + 2]
    games = ["".join(rng.choices(names[:width], k=rng.randint(0, 30))) for _ in range(400)]
    games += ["".join(rng.choices(names, k=10)) for _ in range(20)]
    command = [program.path, "show", "-", "--json", "--quiet", "--board", f"{width}x{height}"]
    # The program reads the game without moves as ''; an empty line is an error.
    lines = "\n".join(game or "''" for game in games)
    told = subprocess.run(command, input=lines, capture_output=True, text=True)
    records = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(records) == len(games)
    page = visit(board=f"{width}x{height}").page
    assert page.evaluate(READ, [[width, height], *games]) == [
        as_told_by_the_page(record) for record in records
    ]
