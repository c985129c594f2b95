"""Nothing that Python does crashes the process."""

import itertools
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import strong4
from strong4 import NO_MOVE, Position, Solver, TableError

REFUSED = (ValueError, TypeError, TableError, OverflowError, MemoryError, ZeroDivisionError)


class Hostile:
    """Fails whatever it is asked."""

    def fail(self, *_, **__):
        return 1 // 0

    __index__ = __int__ = __float__ = __iter__ = __len__ = __array__ = __getitem__ = fail
    __str__ = __fspath__ = __bool__ = __eq__ = __hash__ = fail

    def __repr__(self):
        return "Hostile()"


class Liar:
    """Says that it is a number, and is none."""

    def __index__(self):
        return 4.5

    def __fspath__(self):
        return 5

    def __array__(self, *_, **__):
        return "array"


GARBAGE = [
    None,
    True,
    0,
    -1,
    7,
    2**31,
    2**63,
    2**64,
    -(2**64),
    10**4000,
    10**5000,
    1.5,
    float("nan"),
    float("inf"),
    1j,
    "",
    "x",
    "7x6",
    "0x0",
    "64x64",
    "99999999999999999999x1",
    "\0",
    "\ud800",
    "4" * 100_000,
    "🂡",
    b"4453",
    bytearray(b"\xff" * 10),
    memoryview(b"1234"),
    [],
    [[]],
    [None],
    [1, [2]],
    [2**64],
    ["4", 4],
    (),
    {},
    {1: 2},
    {1},
    range(5),
    itertools.repeat(4),
    iter([1, 2]),
    object(),
    object,
    len,
    Ellipsis,
    Hostile(),
    Liar(),
    Position(),
    Position(board="5x4"),
    Position,
    np.uint64(2**64 - 1),
    np.float64(4),
    np.int8(-128),
    np.array(5),
    np.zeros(0),
    np.zeros((0, 2)),
    np.zeros((6, 7)),
    np.zeros((6, 7), object),
    np.full((6, 7), None),
    np.zeros((6, 7), "S3"),
    np.full((3, 6, 7), np.nan),
    np.zeros((1,) * 30),
    np.zeros((6, 7, 2))[::-1, ::-1],
    np.broadcast_to(np.uint64(5), (1000,)),
    np.broadcast_to(np.uint64(5), (1000, 2)),
    np.zeros(4, [("a", int), ("b", float)]),
    np.ma.masked_array([1, 2], [True, False]),
    np.array(["2020"], "datetime64[Y]"),
]


@pytest.fixture(scope="module")
def solver():
    return Solver("5x4")


def callables(solver):
    position = Position("12", board="5x4")
    return [
        Position,
        lambda value: Position(board=value),
        Position.from_key,
        lambda value: Position.from_key(5, board=value),
        Position.from_drawing,
        Position.from_array,
        lambda value: Position.from_array(value, "connectx"),
        lambda value: Position.from_array(value, "openspiel", player=2),
        lambda value: Position.from_array(value, "pettingzoo"),
        lambda value: Position.from_array(np.zeros((6, 7)), value),
        lambda value: Position.from_array(np.zeros((6, 7)), player=value),
        lambda value: Position.from_array(np.zeros((6, 7)), board=value),
        position.play,
        position.to_array,
        lambda value: position.to_array("openspiel", player=value),
        position.__eq__,
        lambda value: Position._restore(value, value, value),
        lambda value: Position._restore("7x6", value, value),
        Solver,
        lambda value: Solver("5x4", tables=value),
        lambda value: Solver("5x4", threads=value),
        solver.score,
        solver.move_scores,
        solver.outcome,
        solver.analyze,
        solver.review,
        solver.best_move,
        solver.choose,
        lambda value: solver.choose("", value),
        lambda value: solver.choose("", 1, seed=value),
        lambda value: strong4.sample(value, board="5x4"),
        lambda value: strong4.sample(3, value, board="5x4"),
        lambda value: strong4.sample(3, seed=value, board="5x4"),
        lambda value: strong4.sample(3, board=value),
        lambda value: strong4.positions(value, board="5x4"),
        strong4.to_arrays,
        lambda value: strong4.to_arrays([], value),
        lambda value: strong4.to_arrays([], "openspiel", player=value),
        strong4.from_arrays,
        lambda value: strong4.from_arrays(value, "openspiel", player="mover"),
        solver.score_many,
        solver.outcome_many,
        solver.move_scores_many,
        lambda value: solver.score_many([], progress=value),
    ]


@pytest.mark.parametrize("number", range(len(callables(Solver("5x4")))))
def test_garbage_is_refused(number, solver):
    call = callables(solver)[number]
    for value in GARBAGE:
        try:
            call(value)
        except REFUSED:
            pass


@pytest.mark.parametrize("board", ["1x1", "1x63", "63x0", "6x1", "2x2", "3x3", "4x4", "2x9"])
def test_boards_of_all_shapes(board):
    try:
        solver = Solver(board)
    except ValueError:
        assert board == "63x0"
        return
    scores = solver.move_scores("")
    assert solver.score("") == max(scores)
    assert solver.move_scores_many([Position(board=board)]).tolist() == [scores]
    full = Position(board=board)
    while not full.over:
        full = full.play(full.legal[0])
    assert set(solver.move_scores_many([full]).ravel().tolist()) == {NO_MOVE}


def test_arrays_may_change_while_they_are_read(solver):
    """A batch works on what it was given, whatever happens to the array then."""
    keys = np.full(20_000, Position(board="5x4").key, np.uint64)
    stop = threading.Event()

    def scribble():
        while not stop.is_set():
            keys[:] = 0
            keys[:] = Position(board="5x4").key

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        for _ in range(20):
            try:
                assert not solver.score_many(keys).any()
            except ValueError as refused:
                assert "0 is not a key" in str(refused)
    finally:
        stop.set()
        thread.join()


def run(program, *interpreter):
    """Runs a program of its own; its exit code, and what it says."""
    command = [sys.executable, *interpreter, "-c", textwrap.dedent(program)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return ran.returncode, ran.stdout + ran.stderr


def test_python_may_end_while_a_question_is_open():
    code, told = run(
        """
        import threading, time
        from strong4 import Solver
        solver = Solver("8x7")
        for _ in range(3):
            threading.Thread(target=solver.score, args=("",), daemon=True).start()
        time.sleep(0.3)
        print("the end")
        """
    )
    assert (code, told) == (0, "the end\n")


def test_memory_is_given_back():
    code, told = run(
        """
        import resource
        import numpy as np
        from strong4 import Position, Solver
        solver = Solver("5x4")
        keys = np.full(1000, Position(board="5x4").key, np.uint64)
        def work(times):
            for _ in range(times):
                solver.move_scores_many(keys)
                Position.from_array(Position("4453").to_array())
                try:
                    solver.score("9")
                except ValueError:
                    pass
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        before = work(50)
        after = work(300)
        assert after - before < 20_000, (before, after)
        """
    )
    assert (code, told) == (0, "")
