"""What the solver says, against the program and a slow twin; and what it refuses."""

import json
import pickle
import subprocess

import numpy as np
import pytest
from games import random_game

import strong4
from strong4 import Position, Solver, TableError, env


@pytest.fixture(scope="module")
def solver():
    return Solver()


@pytest.fixture(scope="module")
def small():
    return Solver(board="5x4")


def questions(solver):
    """What can be asked about one position."""
    one = (solver.score, solver.outcome, solver.move_scores, solver.best_move)
    return (*one, solver.analyze, solver.review)


def test_scores_are_the_known_ones(solver):
    assert solver.score("4453") == -2
    assert solver.move_scores("4453") == [-5, -5, -2, -3, -4, -2, -2]
    assert solver.best_move("4453") == 3
    assert solver.outcome("4453") == "loss" and solver.outcome("44") == "win"
    assert solver.score("") == 1
    assert solver.move_scores("") == [-2, -1, 0, 1, 0, -1, -2]
    assert solver.score(Position("4453")) == -2


def test_the_score_is_that_of_the_best_move(small, rng):
    """The slow twin: scores by the rules, to the end."""
    known = {}

    def score(position):
        if position not in known:
            if position.winner:
                known[position] = -((20 - position.tier) // 2 + 1)
            elif position.over:
                known[position] = 0
            else:
                known[position] = max(-score(position.play(c)) for c in position.legal)
        return known[position]

    for _ in range(10):
        for position in random_game(rng, "5x4")[10:]:
            assert small.score(position) == score(position)
            moves = [
                -score(position.play(column)) if column in position.legal else None
                for column in range(1, 6)
            ]
            assert small.move_scores(position) == moves
            if not position.over:
                best = small.best_move(position)
                assert moves[best - 1] == max(m for m in moves if m is not None)


def test_an_analysis_has_the_fields_of_the_command_line(solver, program):
    for moves in ("4453", "3145175534244665", "1212121", "44444"):
        command = [program, "query", moves, "--json"]
        told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        found = solver.analyze(moves)
        for name in ("category", "plies", "score", "best", "line", "source"):
            assert getattr(found, name) == told[name], (moves, name)
        for column, expected in zip(found.columns, told["columns"]):
            if expected is None:
                assert column is None
            else:
                assert column._asdict() == {name: expected[name] for name in column._fields}


def test_a_review_has_the_fields_of_the_command_line(solver, program):
    for moves in ("1212121", "444444556", ""):
        command = [program, "review", moves, "--json"]
        told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for game in (moves, Position(moves)):
            found = solver.review(game)
            assert found.decided_by == told["decided_by"]
            assert len(found.moves) == len(told["review"]) == len(moves)
            for move, expected in zip(found.moves, told["review"]):
                assert move._asdict() == {name: expected[name] for name in move._fields}
    with pytest.raises(ValueError, match="the moves of this position are not known"):
        solver.review(Position.from_key(Position("44").key))


@pytest.mark.parametrize("old, new", [("scores", "move_scores"), ("play", "best_move")])
def test_old_names_work_and_warn(solver, old, new):
    with pytest.warns(DeprecationWarning, match=f"Solver.{old}.. is deprecated: use {new}") as told:
        assert getattr(solver, old)("4453") == getattr(solver, new)("4453")
    assert told[0].filename == __file__


def test_columns_that_are_full_have_no_score(solver):
    assert solver.move_scores("444444")[3] is None
    assert solver.move_scores("1212121") == [None] * 7
    assert solver.analyze("1212121").category == "over"
    assert solver.analyze("1212121").best == []
    assert solver.score("1212121") == -18


def test_a_game_that_is_over_has_no_move(solver):
    with pytest.raises(ValueError, match="the game is over: the first player has four in a row"):
        solver.best_move("1212121")
    with pytest.raises(ValueError, match="the game is over: the board is full"):
        Solver(board="3x2").best_move("112233")


def test_tables_are_used(tables, rng):
    with_tables, without = Solver(board="5x4", tables=tables), Solver(board="5x4")
    for position in random_game(rng, "5x4"):
        assert with_tables.move_scores(position) == without.move_scores(position)
    assert with_tables.analyze("").source == "table"
    assert with_tables.analyze("").score == without.analyze("").score
    assert with_tables.missed_tiers == []
    assert with_tables.tables == tables and without.tables is None
    assert Solver("5x4", str(tables)).score("") == 0


def test_folders_without_tables_are_table_errors(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere", "nowhere", "a\0b", "\udc80"):
        with pytest.raises(TableError, match="there are no tables of 7x6|cannot|cannot"):
            Solver(tables=folder)


def test_tables_of_another_board_are_refused(tables):
    with pytest.raises(ValueError, match="holds tables of 5x4, not of 7x6$"):
        Solver(tables=tables)


def test_damaged_tables_are_table_errors(tables, tmp_path):
    import shutil

    for damage in (lambda data: b"no table", lambda data: data[:-1], flip_last):
        folder = tmp_path / "damaged"
        shutil.copytree(tables, folder)
        for file in folder.rglob("*.s4t"):
            file.write_bytes(damage(file.read_bytes()))
        solver = Solver("5x4", folder)
        with pytest.raises(TableError, match=r"tier-\d\d.s4t: "):
            solver.analyze("")
        with pytest.raises(TableError, match=r"number 1 of 1: .*tier-\d\d.s4t: "):
            solver.move_scores_many([Position(board="5x4").key])
        assert Solver("5x4").score("") == 0
        shutil.rmtree(folder)


def flip_last(data):
    return data[:-1] + bytes([data[-1] ^ 0xFF])


def test_a_table_error_is_an_exception_of_its_own():
    assert issubclass(TableError, Exception) and not issubclass(TableError, ValueError)
    assert TableError.__module__ == "strong4"


@pytest.mark.parametrize("threads", [0, -1, 1025, 10**30])
def test_numbers_of_threads_are_those_of_the_command_line(threads):
    text = f"'{threads}' is not a number of threads: expected a whole number from 1 to 1024"
    with pytest.raises(ValueError) as refused:
        Solver(threads=threads)
    assert str(refused.value) == text


def test_answers_do_not_depend_on_threads():
    assert Solver(threads=1).move_scores("445") == Solver(threads=4).move_scores("445")


BAD_MOVES = ["448", "1111111", "12121213", "4x", "0", "4,4,9", "é", "4" * 1000]
BAD_KEYS = [0, 5, 2**49, 2**64 - 1, 4432676798592, 4432676798592 + 6]


def refusal(program, arguments, line):
    """What the command line says of a line."""
    command = [program, "query", *arguments, "-", "--json", "--quiet"]
    ran = subprocess.run(command, input=f"{line}\n", capture_output=True, text=True)
    assert ran.returncode == 2
    return json.loads(ran.stdout)["error"]


@pytest.mark.parametrize("moves", BAD_MOVES)
def test_bad_moves_are_refused_as_on_the_command_line(solver, program, moves):
    text = refusal(program, [], moves)
    for ask in (*questions(solver), Position):
        with pytest.raises(ValueError) as refused:
            ask(moves)
        assert str(refused.value) == text


@pytest.mark.parametrize("key", BAD_KEYS + [2**64, 2**70, -1])
def test_bad_keys_are_refused_as_on_the_command_line(program, key):
    with pytest.raises(ValueError) as refused:
        Position.from_key(key)
    assert str(refused.value) == refusal(program, ["--key"], key)


def test_bad_drawings_are_refused_as_on_the_command_line(program):
    rows = ["......."] * 5
    for last in ("XX.....", ".......", "X?.....", "......", "OX....."):
        drawing = "\n".join(rows + [last])
        if last in (".......", "OX....."):
            assert Position.from_drawing(drawing)
            continue
        command = [program, "query", "--board-file", "-", "--json", "--quiet"]
        ran = subprocess.run(command, input=drawing, capture_output=True, text=True)
        with pytest.raises(ValueError) as refused:
            Position.from_drawing(drawing)
        assert str(refused.value) == json.loads(ran.stdout)["error"]


def test_positions_of_another_board_are_refused(solver):
    for ask in questions(solver):
        with pytest.raises(ValueError, match="a position on 5x4, not on 7x6"):
            ask(Position(board="5x4"))


@pytest.mark.parametrize("garbage", [None, 4453, 4.5, b"4453", [4, 4], object(), Position, np.nan])
def test_what_is_no_position_is_a_type_error(solver, garbage):
    for ask in questions(solver):
        with pytest.raises(TypeError, match="expected moves, such as '4453', or a Position, not"):
            ask(garbage)


def test_solvers_are_pickled_by_what_they_are_made_from(tables):
    solver = pickle.loads(pickle.dumps(Solver("5x4", tables, threads=1)))
    assert solver.board == "5x4" and solver.tables == tables
    assert solver.score("") == 0


def test_everything_has_a_docstring():
    for module in (strong4, env):
        assert module.__doc__
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing):
                assert thing.__doc__, name
            if isinstance(thing, type):
                for attribute, value in vars(thing).items():
                    if not attribute.startswith("_") and thing not in (TableError,):
                        assert value.__doc__, f"{name}.{attribute}"
