"""The examples run, and the agent never loses a won game."""

import random
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT

from strong4 import NO_MOVE, Position, Solver

sys.path.insert(0, str(ROOT / "examples"))


def connectx():
    reason = "kaggle-environments is not installed"
    return pytest.importorskip("kaggle_environments", reason=reason).make


# A search of the first tiers takes seconds, a game of 5x4 none.
BOARDS = {"5x4": ["random", "negamax"], "7x6": ["random", "negamax"]}


@pytest.mark.parametrize(
    "board, opponent", [(board, other) for board, others in BOARDS.items() for other in others]
)
@pytest.mark.parametrize("mine", [0, 1], ids=["first", "second"])
def test_the_agent_never_loses_a_won_game(board, opponent, mine):
    make = connectx()
    from connectx_agent import agent

    random.seed(4)
    columns, rows = map(int, board.split("x"))
    worth = Solver(board)
    for _ in range(2):
        # Time is not what is tested here.
        env = make(
            "connectx",
            configuration={"columns": columns, "rows": rows, "actTimeout": 600},
            debug=True,
        )
        agents = [opponent, opponent]
        agents[mine] = agent
        env.run(agents)
        reward = env.state[mine].reward
        # What the game was worth, before each move of the agent.
        best = -1
        for step in env.steps:
            position = Position.from_array(step[0].observation.board, "connectx", board=board)
            if not position.over and position.mover == mine + 1:
                best = max(best, int(np.sign(worth.score(position))))
        assert reward >= best
        if board == "7x6" and mine == 0:
            assert reward == 1


def test_the_agent_refuses_another_game():
    from connectx_agent import agent

    configuration = SimpleNamespace(columns=7, rows=6, inarow=5)
    with pytest.raises(ValueError, match="four in a row, not 5"):
        agent(SimpleNamespace(board=[0] * 42, mark=1), configuration)


def test_a_data_set_is_labelled(tmp_path):
    file = tmp_path / "positions.npz"
    example = ROOT / "examples" / "label_dataset.py"
    command = [sys.executable, str(example), "--tier", "28", "--positions", "50", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    data = np.load(file)
    assert data["planes"].shape == (50, 3, 6, 7) and data["keys"].shape == (50,)
    assert len(set(data["keys"].tolist())) == 50
    assert np.array_equal(data["move_scores"].max(axis=1), data["scores"])
    for planes, key, scores in zip(data["planes"], data["keys"], data["move_scores"]):
        position = Position.from_array(planes, "openspiel")
        assert position.key == key and position.tier == 28
        assert [column + 1 for column in range(7) if scores[column] != NO_MOVE] == position.legal


def test_errors_of_random_players_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    file = tmp_path / "errors.png"
    example = ROOT / "examples" / "random_errors.py"
    command = [sys.executable, str(example), str(file), "10"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "tier 20: " in told
    assert file.read_bytes().startswith(b"\x89PNG")
