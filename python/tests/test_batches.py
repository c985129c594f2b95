"""Many positions at once: what goes in, what comes out, and how it is stopped."""

import io
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
from games import random_game

from strong4 import NO_MOVE, Position, Solver, TableError


@pytest.fixture(scope="module")
def solver():
    return Solver(board="5x4")


@pytest.fixture
def positions(rng):
    return [position for _ in range(20) for position in random_game(rng, "5x4")]


def keys_of(positions):
    return np.array([position.key for position in positions], np.uint64)


def test_scores_are_those_of_single_questions(solver, positions):
    scores = solver.score_many(keys_of(positions))
    assert scores.dtype == np.int8 and scores.shape == (len(positions),)
    assert scores.tolist() == [solver.score(position) for position in positions]


def test_scores_of_moves_are_those_of_single_questions(solver, positions):
    scores = solver.move_scores_many(keys_of(positions))
    assert scores.dtype == np.int16 and scores.shape == (len(positions), 5)
    assert NO_MOVE == -128
    for row, position in zip(scores.tolist(), positions):
        single = solver.move_scores(position)
        assert [None if score == NO_MOVE else score for score in row] == single


def test_full_columns_never_look_best(solver):
    """A sentinel of 8 bits would wrap around: max - NO_MOVE is beyond 127."""
    positions = [Position("1111", board="5x4"), Position("11113333", board="5x4")]
    scores = solver.move_scores_many(positions)
    losses = scores.max(axis=1, keepdims=True) - scores
    masked = solver.move_scores_many(positions, masked=True)
    kept = masked.max(axis=1, keepdims=True) - masked
    for row, position in enumerate(positions):
        worst = {column for column in range(5) if losses[row, column] == losses[row].max()}
        assert worst == set(range(5)) - {column - 1 for column in position.legal}
        single = [score for score in solver.move_scores(position) if score is not None]
        assert kept[row].compressed().tolist() == [max(single) - score for score in single]
        assert masked[row].mean() == np.mean(single)
        assert int(masked[row].argmin()) + 1 in position.legal


def test_masked_scores_hide_what_is_no_move(solver, positions):
    scores = solver.move_scores_many(positions)
    masked = solver.move_scores_many(positions, masked=True)
    assert masked.dtype == np.int16 and masked.fill_value == NO_MOVE
    assert np.array_equal(masked.filled(), scores)
    assert np.array_equal(np.ma.getmaskarray(masked), scores == NO_MOVE)
    over = solver.move_scores_many([p for p in positions if p.over], masked=True)
    assert len(over) and over.mask.all()


def test_moves_keys_and_positions_come_in_any_mixture(solver, positions):
    expected = solver.score_many(positions).tolist()
    moves = [position.moves for position in positions]
    keys = [position.key for position in positions]
    mixed = [each[at % 3] for at, each in enumerate(zip(moves, keys, positions))]
    numpy_keys = [np.uint64(key) if at % 2 else key for at, key in enumerate(keys)]
    for same in (
        moves,
        tuple(moves),
        np.array(moves),
        np.array(moves, object),
        mixed,
        np.array(mixed, object),
        numpy_keys,
        [np.str_(game) for game in moves],
    ):
        assert solver.score_many(same).tolist() == expected
    assert solver.move_scores_many(moves).shape == (len(moves), 5)
    assert solver.score_many(["", "1, 2"]).tolist() == [solver.score(""), solver.score("12")]


@pytest.mark.parametrize("dtype", [object, "string", "category", None])
def test_a_column_of_pandas_will_do(solver, positions, dtype):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    moves = [position.moves for position in positions]
    column = pandas.DataFrame({"moves": pandas.Series(moves, dtype=dtype)})["moves"][::-1]
    expected = solver.score_many(positions)[::-1]
    assert np.array_equal(solver.score_many(column), expected)
    keys = pandas.Series([position.key for position in positions])[::-1]
    assert np.array_equal(solver.score_many(keys), expected)
    column = pandas.Series(["1", None])
    with pytest.raises(TypeError, match="number 2 of 2: expected moves, a key or a Position, not"):
        solver.score_many(column)


def test_moves_that_were_read_as_numbers_are_named():
    """As pandas.read_csv does with a column of moves."""
    for given in ([4453], np.array([4453])):
        with pytest.raises(ValueError, match="number 1 of 1: 4453 is not .*; moves are text: '4453'"):
            Solver().score_many(given)


def test_outcomes_are_those_of_single_questions(solver, positions):
    outcomes = solver.outcome_many(keys_of(positions))
    assert outcomes.dtype == np.int8 and outcomes.shape == (len(positions),)
    named = {1: "win", 0: "draw", -1: "loss"}
    single = [solver.outcome(position) for position in positions]
    assert [named[outcome] for outcome in outcomes.tolist()] == single
    assert outcomes.tolist() == np.sign(solver.score_many(positions)).tolist()


@pytest.mark.parametrize(
    "old, new", [("scores_of", "score_many"), ("move_scores_of", "move_scores_many")]
)
def test_old_names_work_and_warn(solver, positions, old, new):
    with pytest.warns(DeprecationWarning, match=f"Solver.{old}.. is deprecated: use {new}"):
        answers = getattr(solver, old)(positions, progress=False)
    assert np.array_equal(answers, getattr(solver, new)(positions))


def test_keys_and_bitboards_come_in_any_form(solver, positions):
    keys = keys_of(positions)
    boards = np.array([position.bitboards for position in positions], np.uint64)
    expected = solver.score_many(keys).tolist()
    twice = np.repeat(keys, 2)
    for same in (
        keys.tolist(),
        keys.astype(np.int64),
        keys.astype(">u8"),
        keys.astype(object),
        keys[::-1][::-1],
        twice[::2],
        positions,
        tuple(positions),
        boards,
        boards.tolist(),
        boards.astype(np.int64),
        np.asfortranarray(boards),
        np.repeat(np.repeat(boards, 2, axis=0), 3, axis=1)[::2, ::3],
    ):
        assert solver.score_many(same).tolist() == expected
    keys.setflags(write=False)
    assert solver.score_many(keys).tolist() == expected
    assert solver.score_many(keys.astype(np.uint32)[:0]).shape == (0,)


def test_nothing_is_a_batch_too(solver):
    for nothing in ([], (), np.zeros(0, np.uint64), np.zeros((0, 2), np.uint64)):
        assert solver.score_many(nothing).shape == (0,)
        assert solver.move_scores_many(nothing).shape == (0, 5)


EMPTY = Position(board="5x4").key
FLOATING = "number 1 of 1: no game leads to this board: stones that float, share a cell, or lie"


@pytest.mark.parametrize(
    "array, text",
    [
        ([EMPTY, 5], "number 2 of 2: 5 is not a key: the bits of column 2 are all 0"),
        ([EMPTY, 0], "number 2 of 2: 0 is not a key"),
        ([2**63], f"number 1 of 1: {2**63} is not a key: a key of 5x4 is below 2^25"),
        ([2**64 - 1], "is not a key: a key of 5x4 is below 2^25"),
        ([2**64], f"'{2**64}' is not a key: expected a whole number below 2^64"),
        ([2**64, EMPTY, -1], f"'{2**64}' is not a key"),
        ([-1], "'-1' is not a key: expected a whole number below 2^64"),
        (np.array([-1], np.int8), "'-1' is not a key: expected a whole number below 2^64"),
        ([[1, 1]], FLOATING),
        ([[2, 0]], FLOATING),
        ([[16, 0]], FLOATING),
        ([[0, 2**64 - 1]], FLOATING),
        ([[0, 1]], "number 1 of 1: no game leads to this board: the first player (X) has 0"),
        (np.zeros((2, 3), np.uint64), "an array of shape (2, 3): expected (n,) for keys or moves"),
        (np.zeros((2, 2, 2), np.uint64), "an array of shape (2, 2, 2): expected"),
        (np.zeros((0, 2, 2), np.uint64), "an array of shape (0, 2, 2): expected"),
        (np.uint64(5), "an array of shape (): expected"),
        (5, "an array of shape (): expected"),
        ([Position()], "number 1 of 1: a position on 7x6, not on 5x4"),
        (["1", "6"], "number 2 of 2: move 1 is '6': expected a column from 1 to 5"),
        (["11111"], "number 1 of 1: move 5 is '1', but column 1 is full"),
        ([Position(board="5x4"), 5], "number 2 of 2: 5 is not a key"),
        (["1", -1], "number 2 of 2: '-1' is not a key: expected a whole number below 2^64"),
    ],
)
def test_bad_arrays_are_refused(solver, array, text):
    for ask in (solver.score_many, solver.outcome_many, solver.move_scores_many):
        with pytest.raises(ValueError) as refused:
            ask(array)
        assert text in str(refused.value)


@pytest.mark.parametrize(
    "garbage",
    [
        None,
        "4453",
        b"4453",
        [["4453", "44"]],
        [b"4453"],
        [4.5],
        ["1", 4.5],
        [None],
        [True],
        ["1", True],
        {5: 6},
        {5},
        object(),
        np.zeros(3),
        np.zeros(3, np.float16),
        np.zeros(3, complex),
        np.zeros(3, bool),
        np.zeros(3, "datetime64[s]"),
        np.zeros(3, "S4"),
        np.array("1"),
        np.zeros(3, [("key", np.uint64)]),
        np.array([[None, 1]]),
    ],
    ids=repr,
)
def test_what_is_no_array_of_whole_numbers_is_a_type_error(solver, garbage):
    for ask in (solver.score_many, solver.outcome_many, solver.move_scores_many):
        with pytest.raises(TypeError):
            ask(garbage)


def test_ragged_lists_are_refused(solver):
    with pytest.raises((TypeError, ValueError)):
        solver.score_many([[1, 2], [3]])


def test_random_words_never_crash(solver):
    words = np.random.default_rng(4).integers(0, 2**64, 2000, np.uint64)
    for shift in (0, 20, 39, 50):
        for array in (words >> np.uint64(shift), (words >> np.uint64(shift)).reshape(-1, 2)):
            for word in array[:300]:
                try:
                    solver.score_many(word[None])
                except ValueError:
                    pass


# No openings of this board are built in: its empty board is a search of many minutes.
LONG = "8x7"

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="os.kill sends no signals")


def interrupted(work):
    """Presses Ctrl-C half a second into `work`; returns how long that still takes, and how
    often another thread could run meanwhile."""
    pressed, ticks = [], []

    def press():
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            ticks.append(None)
            time.sleep(0.005)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # A shell that runs the tests in the background has signals of this kind ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=press)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        end = time.monotonic()
        thread.join()
        signal.signal(signal.SIGINT, before)
    return end - pressed[0], len(ticks)


def stops_at_once(work):
    """Whether `work` ends within a tenth of a second, in the best of three times."""
    times = []
    while not times or (min(times) >= 0.1 and len(times) < 3):
        seconds, ticks = interrupted(work)
        times.append(seconds)
        # The GIL was free.
        assert ticks > 10
    return min(times) < 0.1


@needs_signals
@pytest.mark.parametrize(
    "method", ["score", "outcome", "move_scores", "best_move", "analyze", "review"]
)
def test_ctrl_c_stops_a_question(method):
    solver = Solver(LONG)
    assert stops_at_once(lambda: getattr(solver, method)(""))
    # It goes on answering.
    assert solver.score("121212") == 25


@needs_signals
@pytest.mark.parametrize("method", ["score_many", "outcome_many", "move_scores_many"])
@pytest.mark.parametrize("progress", [False, True])
def test_ctrl_c_stops_a_batch(method, progress):
    solver = Solver(LONG)
    keys = np.full(1000, Position(board=LONG).key, np.uint64)
    assert stops_at_once(lambda: getattr(solver, method)(keys, progress=progress))


@needs_signals
def test_a_handler_of_signals_decides():
    """What a handler raises is raised; if it raises nothing, the batch goes on."""
    solver = Solver("5x4", threads=1)
    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        keys = np.full(200_000, EMPTY, np.uint64)
        assert solver.score_many(keys).tolist() == [0] * len(keys)
        assert heard == [True]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_threads_share_a_solver(solver, positions):
    keys = keys_of(positions)
    expected = solver.score_many(keys).tolist()
    found = []

    def ask():
        single = [solver.score(position) for position in positions[:50]]
        found.append((solver.score_many(keys).tolist(), single))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(expected, expected[:50])] * 6


def test_progress_is_told(solver, positions, capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    solver.score_many(keys_of(positions), progress=True)
    told = capsys.readouterr().err
    assert f"{len(positions)}/{len(positions)}" in told


def test_progress_is_told_without_tqdm(solver, positions, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    told = io.StringIO()
    monkeypatch.setattr(sys, "stderr", told)
    solver.move_scores_many(keys_of(positions), progress=True)
    assert told.getvalue().endswith(f"{len(positions):,} of {len(positions):,} positions\n")


def test_an_error_of_the_bar_ends_the_batch(solver, positions, monkeypatch):
    class Broken:
        def write(self, text):
            raise OSError("broken")

        def flush(self):
            pass

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(sys, "stderr", Broken())
    with pytest.raises(OSError, match="broken"):
        solver.score_many(keys_of(positions), progress=True)


def test_tables_answer_batches(tables, positions):
    with_tables, without = Solver("5x4", tables), Solver("5x4")
    keys = keys_of(positions)
    assert np.array_equal(with_tables.move_scores_many(keys), without.move_scores_many(keys))


def test_a_table_that_is_damaged_ends_a_batch(tables, tmp_path):
    for file in tables.rglob("*.s4t"):
        (tmp_path / file.relative_to(tables)).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.relative_to(tables)).write_bytes(b"no table")
    with pytest.raises(TableError, match="tier-"):
        Solver("5x4", tmp_path).score_many([EMPTY] * 100)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_goes_on(positions, tables):
    solver = Solver("5x4", tables, threads=2)
    keys = keys_of(positions)
    expected = solver.score_many(keys).tolist(), solver.move_scores("")
    child = os.fork()
    if child == 0:
        # Nothing of pytest may run here.
        fine = False
        try:
            for own in (solver, Solver("5x4", tables, threads=2)):
                fine = (own.score_many(keys).tolist(), own.move_scores("")) == expected
        finally:
            os._exit(0 if fine else 1)
    for _ in range(300):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")
