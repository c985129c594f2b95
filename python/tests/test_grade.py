"""Exams for players of all kinds, against a slow twin that holds each move against the scores."""

import math
import os
import shlex
import signal
import sys
import threading
import time

import numpy as np
import pytest
from games import random_game

import strong4
from strong4 import Exam, Position, Solver, env

BOARD = "5x4"


@pytest.fixture(scope="module")
def solver():
    return Solver(BOARD)


@pytest.fixture(scope="module")
def exam(solver):
    import random

    rng = random.Random(4)
    positions = [position for _ in range(15) for position in random_game(rng, BOARD)]
    return Exam(positions, solver, "twin")


def positions_of(exam):
    return [Position.from_key(int(key), exam.board) for key in exam.keys]


def scattered(position):
    """A column that looks random, and is the same each time; sometimes a full one."""
    return position.key * 2654435761 % 2**32 % position.width + 1


def test_exams_know_the_scores(exam, solver):
    assert (exam.name, exam.version, exam.board) == ("twin", 1, BOARD)
    assert len(exam) > 100 and exam.left_out > 15
    assert np.array_equal(exam.move_scores, solver.move_scores_many(exam.keys))
    for row in exam.move_scores:
        legal = row[row != strong4.NO_MOVE]
        assert legal.min() < legal.max()
    again = Exam.parse(str(exam))
    assert str(again) == str(exam) and np.array_equal(again.keys, exam.keys)
    assert repr(exam) == f"<Exam twin 1 of 5x4: {len(exam)} positions>"
    made = Exam.make("played", solver, 5, seed=2)
    assert len(made) == 5 and str(made) == str(Exam.make("played", solver, 5, seed=2))


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: Exam.standard("easy"), "'easy' is not a standard exam: expected one of uniform"),
        (lambda: Exam.make("easy", Solver(BOARD)), "'easy' is not an exam"),
        (lambda: Exam.parse("x"), "expected 'strong4 exam NAME VERSION WxH' in the first line"),
        (lambda: Exam(["9"], Solver(BOARD)), "number 1 of 1: move 1 is '9'"),
        (lambda: strong4.grade(1, "easy"), "'easy' is not a standard exam"),
        (lambda: strong4.grade(6, "hard"), "'6' is not a level"),
        (lambda: strong4.grade(len, "hard", kind="net"), "'net' is not a kind of player"),
        (lambda: strong4.grade(len, "hard", kind="batch"), "needs the layout of its arrays"),
    ],
)
def test_bad_exams_and_players_are_refused(make, text):
    with pytest.raises(ValueError) as refused:
        make()
    assert text in str(refused.value)


def test_what_is_no_player_is_a_type_error(exam):
    for garbage in (None, 4.5, {}, object(), [4]):
        with pytest.raises(TypeError):
            strong4.grade(garbage, exam)


def marks_of(exam, choose):
    """Perfect, good, top three and loss of each move, by the definition; None for no legal move."""
    marks = []
    for position, scores in zip(positions_of(exam), exam.move_scores.tolist()):
        legal = {at: score for at, score in enumerate(scores) if score != strong4.NO_MOVE}
        score, best = legal.get(choose(position) - 1), max(legal.values())
        if score is None:
            marks.append((False, False, False, None))
            continue
        better = sum(other > score for other in legal.values())
        marks.append((score == best, np.sign(score) == np.sign(best), better < 3, best - score))
    return marks


def test_marks_are_those_of_the_definition(exam):
    report = strong4.grade(scattered, exam)
    marks = marks_of(exam, scattered)
    for at, name in enumerate(("perfect", "good", "top_three")):
        hits = [mark[at] for mark in marks]
        share = getattr(report, name)
        assert (share.hits, share.of) == (sum(hits), len(exam)), name
        assert report.arrays[name].tolist() == hits
        assert 0 < share.low < share.share < share.high < 1
    losses = [mark[3] for mark in marks if mark[3] is not None]
    assert report.loss.count == len(losses) < len(exam)
    assert report.loss.mean == pytest.approx(np.mean(losses))
    assert report.troubles["illegal"] == len(exam) - len(losses) > 0
    assert report.outcomes.sum() == len(losses)
    assert (report.player, report.exam, report.positions) == ("scattered", "twin", len(exam))
    tiers = report.by_tier
    assert tiers["positions"].sum() == len(exam)
    stones = np.array([position.tier for position in positions_of(exam)])
    assert report.arrays["tier"].tolist() == stones.tolist()
    for tier, share, low, high in zip(*(tiers[k] for k in ("tier", "good", "good_low", "good_high"))):
        assert share == np.mean([mark[1] for mark, at in zip(marks, stones) if at == tier])
        assert low <= share <= high
    outcomes = [report.groups[name].positions for name in ("won", "drawn", "lost") if name in report.groups]
    assert sum(outcomes) == len(exam)
    assert report.seconds.count == len(exam) and report.slowest >= report.seconds.mean > 0


def test_a_perfect_player_has_perfect_marks(exam, solver):
    for player in (solver.best_move, 5):
        report = strong4.grade(player, exam)
        assert report.perfect[:1] == report.good[:1] == (1.0,) and report.loss.mean == 0
    weak = strong4.grade(1, exam, seed=2)
    assert weak.player == "level 1" and weak.good.share < 1


# Functions of many positions.


def columns_of(arrays):
    """The first column with room, in a grid."""
    return (arrays[:, 0] == 0).argmax(axis=1) + 1


def first_legal(position):
    return position.legal[0]


@pytest.mark.parametrize("batch", [1, 7, 10_000])
def test_batches_have_the_marks_of_functions(exam, batch):
    expected = strong4.grade(first_legal, exam)
    sizes = []

    def net(arrays):
        sizes.append(len(arrays))
        return columns_of(arrays)

    report = strong4.grade(net, exam, layout="grid", batch=batch)
    assert report.outcomes.tolist() == expected.outcomes.tolist()
    assert report.perfect == expected.perfect and report.loss == expected.loss
    assert sum(sizes) == len(exam) and max(sizes) <= batch


def test_nets_see_the_layout_that_they_want(exam):
    positions = positions_of(exam)
    for layout, player in [("connectx", None), ("pettingzoo", None), ("openspiel", "mover")]:
        seen = []

        def net(arrays):
            seen.append(arrays)
            return np.ones(len(arrays), int)

        strong4.grade(net, exam, layout=layout, player=player, batch=50)
        expected = strong4.to_arrays(positions, layout, board=BOARD, player=player)
        assert np.array_equal(np.concatenate(seen), expected)


@pytest.mark.parametrize("kind", ["function", "batch"])
def test_probabilities_and_values_are_graded(exam, kind):
    scores = dict(zip(exam.keys.tolist(), exam.move_scores.tolist()))

    def one(position):
        row = [score == max(scores[position.key]) for score in scores[position.key]]
        return [hit * 0.5 / sum(row) + 0.1 for hit in row], float(np.sign(max(scores[position.key])))

    def many(arrays):
        keys = strong4.from_arrays(arrays).tolist()
        both = [one(Position.from_key(key, BOARD)) for key in keys]
        return np.array([row for row, _ in both]), np.array([value for _, value in both])

    report = strong4.grade(one, exam) if kind == "function" else strong4.grade(many, exam, layout="grid")
    rows = exam.move_scores.tolist()
    best = [[at for at, score in enumerate(row) if score == max(row)] for row in rows]
    mass = np.mean([0.5 + 0.1 * len(columns) for columns in best])
    assert report.perfect_mass.mean == pytest.approx(mass, abs=1e-6)
    assert report.good_mass.mean >= report.perfect_mass.mean
    assert report.perfect.share == report.agreement.share == 1
    assert report.error.mean == 0 and report.miscalibration == 0
    assert report.calibration.shape == (10, 3) and report.calibration[:, 2].sum() == len(exam)

    values = strong4.grade(lambda arrays: np.zeros(len(arrays)), exam, layout="grid")
    assert values.perfect.of == 0 and math.isnan(values.perfect.share)
    assert values.error.mean == pytest.approx(np.mean([max(row) != 0 for row in rows]))
    assert "perfect" not in repr(values) and "error of values" in repr(values)
    alone = strong4.grade(lambda position: 0.25, exam)
    assert alone.error.count == len(exam) and alone.perfect.of == 0


def test_mistakes_of_batches_are_named(exam):
    n = len(exam)
    with pytest.raises(ValueError, match="column 0: columns count from 1"):
        strong4.grade(lambda arrays: columns_of(arrays) - 1, exam, layout="grid")
    for wrong in (np.ones((n, 2)), np.ones(n - 1), np.array(["4"] * n), None, np.ones((n, 5), int)):
        with pytest.raises(TypeError, match=r"expected \d+ columns \(ints\), probabilities"):
            strong4.grade(lambda arrays: wrong, exam, layout="grid", batch=n)
    with pytest.raises(ZeroDivisionError):
        strong4.grade(lambda arrays: 1 // 0, exam, layout="grid")
    with pytest.raises(ValueError, match="'0' is not a size of batches"):
        strong4.grade(columns_of, exam, layout="grid", batch=0)
    logits = strong4.grade(lambda arrays: np.full((len(arrays), 5), 3.0), exam, layout="grid")
    assert logits.troubles["nonsense"] == n
    beyond = strong4.grade(lambda arrays: np.full(len(arrays), 99), exam, layout="grid")
    assert beyond.troubles["illegal"] == n


def test_functions_that_fail_are_graded_all_the_same(exam):
    calls = []

    def moody(position):
        calls.append(position)
        if len(calls) % 3 == 0:
            raise RuntimeError("no idea")
        return [first_legal(position), None, "4", b"4", object(), -1][len(calls) % 6]

    report = strong4.grade(moody, exam)
    assert report.troubles["crash"] == len(exam) // 3
    assert report.troubles["nonsense"] > 0 and report.troubles["illegal"] > 0
    assert len(report.remarks) == 5 and "RuntimeError: no idea" in report.remarks[0]


def test_functions_that_only_fail_raise(exam):
    def broken(position):
        raise RuntimeError("always")

    with pytest.raises(RuntimeError, match="always"):
        strong4.grade(broken, exam)

    def interrupted(position):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strong4.grade(interrupted, exam)


# Players of other packages.


def test_agents_of_kaggle_are_graded(exam, tmp_path):
    expected = strong4.grade(first_legal, exam)

    def agent(observation, configuration):
        return observation.board[: configuration.columns].index(0)

    for player, options in ((agent, {}), (agent, {"kind": "kaggle"})):
        assert strong4.grade(player, exam, **options).perfect == expected.perfect
    pytest.importorskip("kaggle_environments", reason="kaggle-environments is not installed")
    file = tmp_path / "agent.py"
    file.write_text("def f(observation):\n    return observation.board[:5].index(0)\n")
    assert strong4.grade(file, exam).perfect == expected.perfect
    report = strong4.grade("negamax", exam, kind="kaggle")
    assert report.player == "negamax" and 0.3 < report.perfect.share < 1


def test_bots_and_policies_of_openspiel_are_graded(exam):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    from open_spiel.python.policy import UniformRandomPolicy

    expected = strong4.grade(first_legal, exam)
    bot = env.openspiel_bot(first_legal)
    assert strong4.grade(bot, exam).perfect == expected.perfect
    bots = [pyspiel.make_uniform_random_bot(player, 4) for player in (0, 1)]
    assert strong4.grade(bots, exam).perfect.of == len(exam)
    game = pyspiel.load_game("connect_four", {"rows": 4, "columns": 5})
    policy = strong4.grade(UniformRandomPolicy(game), exam)
    shares = []
    for row in exam.move_scores:
        legal = row[row != strong4.NO_MOVE]
        shares.append(np.mean(legal == legal.max()))
    assert policy.perfect_mass.mean == pytest.approx(np.mean(shares), abs=1e-6)


def test_policies_of_pettingzoo_are_graded(exam):
    def policy(observation):
        return int(np.flatnonzero(observation["action_mask"])[0])

    report = strong4.grade(policy, exam, kind="pettingzoo")
    assert report.perfect == strong4.grade(first_legal, exam).perfect


# Programs.

needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="there is no shell")


@needs_shell
def test_programs_are_graded(exam):
    expected = strong4.grade(lambda position: 1, exam)
    report = strong4.grade("while read moves; do echo 1; done", exam, name="one")
    assert report.perfect == expected.perfect and report.player == "one"
    code = "import sys\nfor line in sys.stdin: print(1, flush=True)"
    assert strong4.grade([sys.executable, "-c", code], exam).perfect == expected.perfect
    keys = "import sys\nfor line in sys.stdin: print(1 if int(line) else 0, flush=True)"
    command = shlex.join([sys.executable, "-c", keys])
    assert strong4.grade(command, exam, format="key").perfect == expected.perfect


@needs_shell
@pytest.mark.parametrize("move_time", [0, -1, float("nan"), float("inf")])
def test_times_of_programs_are_checked(exam, move_time):
    with pytest.raises(ValueError, match="is not a time: expected seconds above 0"):
        strong4.grade("cat", exam, move_time=move_time)


@needs_shell
def test_programs_that_say_nothing_are_errors(exam):
    with pytest.raises(ValueError, match="exit 3 has not answered once: crash"):
        strong4.grade("exit 3", exam)
    with pytest.raises(ValueError, match="is not a format"):
        strong4.grade("cat", exam, format="xml")


@needs_shell
def test_ctrl_c_ends_a_program_that_hangs(exam):
    def press():
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=press)
    thread.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            strong4.grade("sleep 60", exam, move_time=50)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 10


# Reports.


def test_players_are_compared(exam, solver):
    perfect, weak = strong4.grade(solver.best_move, exam), strong4.grade(first_legal, exam)
    comparison = perfect.compare(weak)
    gap = comparison.gaps[0, 1]["perfect"]
    assert gap.difference == pytest.approx(1 - weak.perfect.share)
    assert gap.low < gap.difference < gap.high and gap.chance < 1e-6
    assert gap.positions == len(exam)
    back = strong4.compare(weak, perfect).gaps[0, 1]
    assert back["loss"].difference == pytest.approx(weak.loss.mean)
    assert comparison.gaps[0, 1]["good"].chance == back["good"].chance
    same = strong4.compare(weak, weak).gaps[0, 1]["good"]
    assert (same.difference, same.chance) == (0, 1)
    assert "best_move - first_legal: perfect +" in repr(comparison)
    other = strong4.grade(first_legal, Exam(["1", "12"], solver, "other"))
    assert strong4.compare(weak, other).gaps == {}
    assert len(strong4.compare(weak, perfect, weak).gaps) == 3


def test_reports_are_shown(exam, solver):
    report = strong4.grade(first_legal, exam, name="<b>")
    assert repr(report).startswith("strong4 exam twin 1: <b>: ")
    for shown in (report, strong4.compare(report, strong4.grade(1, exam))):
        page = shown._repr_html_()
        assert "&lt;b&gt;" in page and "<b>" not in page
        assert "<table>" in page and "data:image/svg+xml;base64," in page
        assert "nan" not in page
    assert report.groups["won"].perfect.of == report.groups["won"].positions
    assert repr(report.groups["won"]).startswith("<won: ")


def test_reports_are_plotted(exam):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    report = strong4.grade(first_legal, exam)
    for plotted in (report, strong4.compare(report, strong4.grade(1, exam))):
        for mark in ("perfect", "loss"):
            figure, axes = pyplot.subplots()
            assert plotted.plot(axes, mark) is axes
            assert len(axes.containers) == (1 if plotted is report else 2)
            pyplot.close(figure)
    tiers = axes.containers[0].lines[0].get_xdata()
    assert set(tiers) <= set(report.by_tier["tier"])
    assert report.plot() is not None
    pyplot.close("all")


def test_tiers_are_a_table_of_pandas(exam):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    report = strong4.grade(first_legal, exam)
    frame = pandas.DataFrame(report.by_tier)
    assert len(frame) == len(report.by_tier["tier"]) and frame["positions"].sum() == len(exam)
    assert len(pandas.DataFrame(report.arrays)) == len(exam)


def test_progress_is_told(exam, capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    for player, options in ((first_legal, {}), (columns_of, {"layout": "grid"}), (1, {})):
        strong4.grade(player, exam, progress=True, **options)
        assert f"{len(exam)}/{len(exam)}" in capsys.readouterr().err


# Real players, on the standard exams.


def part_of(name, every):
    """Every so-many-th position of a standard exam."""
    head, *lines = str(Exam.standard(name)).splitlines()
    return Exam.parse("\n".join([head, *lines[::every]]) + "\n")


@pytest.mark.parametrize("name", ["uniform", "played", "hard"])
def test_bitbully_is_perfect(name):
    """A perfect player that shares nothing with strong4, neither code nor openings."""
    bitbully = pytest.importorskip("bitbully", reason="bitbully is not installed")
    bully = bitbully.BitBully()

    def player(position):
        moves = [env.action(int(move)) for move in position.moves]
        return env.column(bully.best_move(bitbully.Board(moves)))

    report = strong4.grade(player, part_of(name, 25))
    assert report.perfect.of == 40
    assert (report.perfect.share, report.good.share) == (1, 1), report


@pytest.mark.parametrize("name", ["uniform", "played", "hard"])
def test_a_random_player_errs_as_often_as_chance_will_have_it(name):
    exam = Exam.standard(name)
    rng = np.random.default_rng(4)
    report = strong4.grade(lambda position: int(rng.choice(position.legal)), exam)
    assert len(exam) == report.positions == 1000
    shares = []
    for row in exam.move_scores:
        legal = row[row != strong4.NO_MOVE]
        shares.append(np.mean(legal == legal.max()))
    assert report.perfect.low - 0.02 < np.mean(shares) < report.perfect.high + 0.02
    if name == "hard":
        assert report.groups["1 keeps"].positions == 1000


# Whole games.


def test_games_are_those_of_the_program(program):
    import json
    import subprocess

    command = [program, "grade", "--level", "2", "--games", "8", "--against", "3", "--board", BOARD]
    done = subprocess.run([*command, "--json", "--quiet"], check=True, capture_output=True, text=True)
    expected = [row for row in map(json.loads, done.stdout.splitlines()) if "game" in row]
    games = strong4.play_games(2, 8, against=3, solver=Solver(BOARD))
    assert len(games) == len(expected) == 8
    for game, row in zip(games.games, expected):
        assert game.moves == row["moves"] and game.opening == row["opening"]
        assert (game.player, game.result) == ({"first": 1, "second": 2}[row["as"]], row["result"])
        assert (game.forfeit, game.first_mistake) == (row["forfeit"], row["first_mistake"])


def test_functions_play_games_against_players_of_all_kinds(solver):
    opponents = [1, first_legal, strong4.Player(columns_of, layout="grid"), "while read m; do echo 1; done"]
    for opponent in opponents:
        games = strong4.play_games(solver.best_move, 4, opponent, solver=solver, seed=3)
        assert games.results()[2] == 0 and games.first_mistake.count == 0
        assert [game.player for game in games.games] == [1, 2, 1, 2]
        assert games.games[0].opening == 0 < games.games[2].opening
        for game in games.games:
            end = Position(game.moves, BOARD)
            assert end.over or game.forfeit
            won = end.winner == game.player or (game.forfeit is not None)
            assert game.result == ("win" if won else "draw")
        assert games.report.perfect.share == 1 and "best_move: " in repr(games)
        assert sum(games.results(1)) == sum(games.results(2)) == 2
        assert games.points.mean == np.mean([{"win": 1, "draw": 0.5}[game.result] for game in games.games])


def test_what_is_wrong_with_games(solver):
    def broken(position):
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        strong4.play_games(broken, 4, solver=solver)
    with pytest.raises(RuntimeError, match="no idea"):
        strong4.play_games(1, 4, broken, solver=solver)
    with pytest.raises(ValueError, match="has not answered once"):
        strong4.play_games(1, 4, "exit 3", solver=solver)
    with pytest.raises(ValueError, match="'9' is not a level"):
        strong4.play_games(1, 4, 9, solver=solver)
    with pytest.raises(TypeError, match="given its name already"):
        strong4.grade(strong4.Player(1), name="one")
    full = strong4.play_games(lambda position: 1, 4, 1, solver=solver, name="ones")
    assert any(game.forfeit == "illegal" and game.result == "loss" for game in full.games)
