"""Catches environments that PettingZoo's and Gymnasium's own checks refuse."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import qiguan
from qiguan.env import AgainstOpponent, aec
from test_game import EVERY


@pytest.mark.parametrize("key, options", EVERY)
def test_pettingzoo(key, options):
    with warnings.catch_warnings():
        # It expects observations that are plain arrays and says so.
        warnings.simplefilter("ignore", UserWarning)
        api_test(aec(key, **options), num_cycles=60)


@pytest.mark.parametrize("key, options", EVERY)
def test_gymnasium(key, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(AgainstOpponent(key, **options), skip_render_check=True)


def test_a_game_to_its_end():
    env = aec("gomoku/standard", size=5)
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        total[agent] += reward
        env.step(None if ended or cut else env.action_space(agent).sample(seen["action_mask"]))
    assert sum(total.values()) == 0
    outcome = env.game.outcome
    assert outcome is not None and (outcome.winner is None or total[f"player_{outcome.winner}"] == 1.0)


def test_a_side_moves_five_times_in_a_row():
    env = aec("locked")
    env.reset()
    movers = []
    for _ in range(10):
        movers.append(env.agent_selection)
        env.step(int(env.game.legal_actions()[0]))
    assert movers == ["player_0"] * 5 + ["player_1"] * 5


def test_an_illegal_action_changes_nothing():
    env = aec("xiangqi")
    env.reset()
    with pytest.raises(qiguan.IllegalMoveError):
        env.step(0)
    assert env.game.ply == 0


def test_games_are_cut_off():
    env = aec("xiangqi", max_plies=2)
    env.reset()
    for _ in range(2):
        env.step(int(env.game.legal_actions()[0]))
    assert all(env.truncations.values())


@pytest.mark.parametrize("opponent", ["random", 1, lambda game, random: game.legal_actions()[-1]])
@pytest.mark.parametrize("side", [0, 1])
def test_opponents(opponent, side):
    env = gymnasium.make(
        "qiguan/Game-v0", disable_env_checker=True, name="gomoku/standard", size=5, opponent=opponent, side=side
    )
    seen, info = env.reset(seed=2)
    for _ in range(30):
        assert env.unwrapped.game.turn == side
        action = int(np.flatnonzero(seen["action_mask"])[0])
        seen, reward, ended, _, info = env.step(action)
        if ended:
            assert reward in (-1.0, 0.0, 1.0) and "reason" in info
            return
    raise AssertionError("a board of 25 points is full")


@pytest.mark.parametrize("opponent, kind", [
    (0, ValueError), (11, ValueError), (np.int64(11), ValueError), ("10", ValueError), ("", ValueError),
    (None, TypeError), (3.5, TypeError), (b"random", TypeError), ([3], TypeError), (np.array([3, 4]), TypeError),
])
def test_an_opponent_that_there_is_not_is_refused(opponent, kind):
    with pytest.raises(kind):
        AgainstOpponent("gomoku/standard", size=5, opponent=opponent)


def test_a_level_is_any_whole_number():
    env = AgainstOpponent("gomoku/standard", size=5, side=1, opponent=np.int64(3))
    env.reset(seed=1)
    assert env.game.ply == 1


def test_the_strongest_level_thinks_as_long_as_in_the_hall(monkeypatch):
    asked = []

    def best(game, **limits):
        asked.append(limits["movetime"])
        return original(game, **{**limits, "movetime": 10})

    original = qiguan.engine.best
    monkeypatch.setattr(qiguan.engine, "best", best)
    for options in ({"opponent": 10}, {"opponent": 10, "movetime": 50}, {"opponent": 9}, {"opponent": 9, "movetime": 50}):
        AgainstOpponent("gomoku/standard", side=1, **options).reset(seed=1)
    assert asked == [3000, 50, None, 50]


def test_wrong_words():
    for wrong in ({"side": 2}, {"opponent": "best"}, {"render_mode": "human"}):
        with pytest.raises(ValueError):
            AgainstOpponent("xiangqi", **wrong)
    with pytest.raises(ValueError):
        aec("xiangqi", render_mode="human")
