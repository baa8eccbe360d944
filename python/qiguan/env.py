"""Environments for learning: PettingZoo's turn-based interface, and Gymnasium's for one side against an opponent.

Needs `pip install "qiguan[rl]"`. Actions and observations are those of `Game`; docs/python.md lists them game by game.

>>> from qiguan.env import aec
>>> env = aec("gomoku/standard")
>>> env.reset(seed=1)
>>> int(env.action_space("player_0").n)
226
"""

from __future__ import annotations

from operator import index
from typing import Any, Callable, Optional, SupportsIndex, Union

import numpy as np
import numpy.typing as npt
from gymnasium import Env, register, spaces
from pettingzoo import AECEnv

from . import engine
from ._qiguan import Game

__all__ = ["AEC", "AgainstOpponent", "aec"]

Observation = dict[str, Any]
"""`observation`: float32 (planes, ranks, files) from 0 to 1; `action_mask`: int8 (actions,), 1 where legal."""

Opponent = Union[str, SupportsIndex, Callable[[Game, np.random.Generator], int]]
"""`random`; a level of the engine, 1 to 10; or what chooses an action."""

LEVELS = range(1, 11)
STRONGEST_MS = 3000
"""How long level 10, which nothing else holds back, thinks about a move: as long as in a hall."""


def _spaces(game: Game) -> tuple[spaces.Dict, spaces.Discrete]:
    seen = spaces.Box(0.0, 1.0, game.observation_shape, np.float32)
    mask = spaces.Box(0, 1, (game.actions,), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask}), spaces.Discrete(game.actions)


def _observe(game: Game, to_move: bool) -> Observation:
    mask = game.legal_mask if to_move else np.zeros(game.actions, np.int8)
    return {"observation": game.observation(), "action_mask": mask}


def _text(game: Game) -> str:
    return f"{game.fen}  ply {game.ply}"


class AEC(AECEnv):  # type: ignore[misc]
    """A game as PettingZoo's `AECEnv`. `player_0` moves first in the usual start.

    Whoever is to move is selected, in locked chess five times in a row and in openings of gomoku as they say. Rewards come
    with the end: 1 for the winner, -1 for the loser, 0 for both when it is drawn. A game of `max_plies` plies (0: without
    end) is truncated. An action that is not legal raises IllegalMoveError and changes nothing. `name`, `fen` and options
    are those of `Game`.
    """

    metadata = {"name": "qiguan_v0", "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self, name: str, fen: Optional[str] = None, *, max_plies: int = 0, render_mode: Optional[str] = None, **options: Any
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"no render mode {render_mode!r}; there is: ansi")
        self._start = Game(name, fen, **options)
        self._game = self._start.copy()
        self._max_plies = max_plies
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        seen, acts = _spaces(self._start)
        self.observation_spaces = {agent: seen for agent in self.possible_agents}
        self.action_spaces = {agent: acts for agent in self.possible_agents}

    @property
    def game(self) -> Game:
        """The game now; play through `step`."""
        return self._game

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Begins the game anew. Nothing is left to chance, so `seed` only seeds the action spaces."""
        if seed is not None:
            for place, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(seed + place)
        self._game = self._start.copy()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._game.turn]
        self._tell_end()

    def observe(self, agent: str) -> Observation:
        to_move = not self.terminations.get(agent, True) and self.possible_agents[self._game.turn] == agent
        return _observe(self._game, to_move)

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._game.play_action(int(action) if action is not None else -1)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.agent_selection = self.possible_agents[self._game.turn]
        self._tell_end()
        self._accumulate_rewards()
        if self.render_mode is not None:
            self.render()

    def _tell_end(self) -> None:
        outcome = self._game.outcome
        if outcome is not None:
            for place, agent in enumerate(self.agents):
                if outcome.winner is not None:
                    self.rewards[agent] = 1.0 if outcome.winner == place else -1.0
                self.terminations[agent] = True
                self.infos[agent] = {"reason": outcome.reason}
        elif self._max_plies and self._game.ply >= self._max_plies:
            self.truncations = dict.fromkeys(self.agents, True)

    def render(self) -> Optional[str]:
        return _text(self._game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


def aec(name: str, fen: Optional[str] = None, **options: Any) -> AEC:
    """The environment of PettingZoo for a game; see `AEC`."""
    return AEC(name, fen, **options)


class AgainstOpponent(Env[Observation, np.int64]):
    """One side of a game against an opponent, as Gymnasium's `Env`; `gymnasium.make("qiguan/Game-v0", name="xiangqi")`.

    `side` is the side of the learner, 0 or 1. The reward is 1 for a win, -1 for a loss and 0 else. An action that is not
    legal loses, with `illegal` in the info; `info["action_mask"]` is that of the observation. The opponent's chance comes
    from the seed of `reset`. A level of the engine thinks about a move for `movetime` milliseconds at most, unless told
    otherwise 3000 at level 10; lower levels count positions and so play the same on every machine.

    Raises ValueError for an opponent, a side or a render mode that there is not, TypeError for an opponent of another type.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        name: str,
        fen: Optional[str] = None,
        *,
        side: int = 0,
        opponent: Opponent = "random",
        movetime: Optional[int] = None,
        max_plies: int = 0,
        render_mode: Optional[str] = None,
        **options: Any,
    ) -> None:
        if side not in (0, 1):
            raise ValueError(f"side must be 0 or 1, not {side!r}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"no render mode {render_mode!r}; there is: ansi")
        self._start = Game(name, fen, **options)
        self._game = self._start.copy()
        self._side = side
        self._opponent = _known(opponent)
        self._movetime = STRONGEST_MS if movetime is None and self._opponent == LEVELS[-1] else movetime
        self._max_plies = max_plies
        self.render_mode = render_mode
        self.observation_space, self.action_space = _spaces(self._start)

    @property
    def game(self) -> Game:
        """The game now; play through `step`."""
        return self._game

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._game = self._start.copy()
        self._answer()
        return self._seen()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        legal = self._game.legal_actions()
        if self._game.outcome is not None or int(action) not in legal:
            seen, info = self._seen()
            return seen, -1.0, True, False, {**info, "illegal": True}
        self._game.play_action(int(action))
        self._answer()
        seen, info = self._seen()
        outcome = self._game.outcome
        if outcome is None:
            cut = bool(self._max_plies) and self._game.ply >= self._max_plies
            return seen, 0.0, False, cut, info
        reward = 0.0 if outcome.winner is None else 1.0 if outcome.winner == self._side else -1.0
        return seen, reward, True, False, {**info, "reason": outcome.reason}

    def render(self) -> Optional[str]:  # type: ignore[override]
        return _text(self._game) if self.render_mode == "ansi" else None

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        seen = _observe(self._game, self._game.outcome is None)
        return seen, {"action_mask": seen["action_mask"]}

    def _answer(self) -> None:
        """Lets the opponent move until it is the learner's turn."""
        game = self._game
        while game.outcome is None and game.turn != self._side:
            if callable(self._opponent):
                game.play_action(int(self._opponent(game, self.np_random)))
            elif isinstance(self._opponent, int):
                seed = int(self.np_random.integers(2**31))
                found = engine.best(game, level=self._opponent, movetime=self._movetime, seed=seed)
                if found is None:
                    return
                game.play(found.move)
            else:
                legal: npt.NDArray[np.int64] = game.legal_actions()
                game.play_action(int(legal[self.np_random.integers(len(legal))]))


def _known(opponent: Any) -> Any:
    """The opponent, a level as an int; or an error where there is no such one."""
    wrong = f"no opponent {opponent!r}; there are: random, a level from 1 to 10, or a function"
    if callable(opponent):
        return opponent
    if isinstance(opponent, str):
        if opponent != "random":
            raise ValueError(wrong)
        return opponent
    try:
        level = index(opponent)
    except TypeError:
        raise TypeError(wrong) from None
    if level not in LEVELS:
        raise ValueError(wrong)
    return level


register(id="qiguan/Game-v0", entry_point="qiguan.env:AgainstOpponent")
