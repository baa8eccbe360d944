"""Board games: xiangqi, draughts, gomoku and renju, locked chess, and games that their players make.

>>> import qiguan
>>> game = qiguan.Game("xiangqi")
>>> len(game.moves())
44
>>> game.play("炮二平五")
'h2e2'
>>> qiguan.engine.best(game, nodes=1000).move in game.moves()
True

`Game` is one game, `Batch` many at once, `Record` a game from a file. `qiguan.engine` finds moves, `qiguan.records` reads
and writes files, `qiguan.env` has environments for PettingZoo and Gymnasium. What is refused is an exception below
`QiguanError`, and has changed nothing.
"""

from __future__ import annotations

from . import engine, records
from ._errors import (
    ExtensionError,
    FenError,
    GameOverError,
    IllegalMoveError,
    LimitError,
    MapError,
    QiguanError,
    RecordError,
    RequestError,
    UnknownGameError,
)
from ._qiguan import Batch, Game, Record, __version__
from ._qiguan import games as _games
from ._qiguan import maps as _maps
from ._types import Best, GameInfo, Line, MapInfo, Option, Outcome

__all__ = [
    "Batch",
    "Best",
    "ExtensionError",
    "FenError",
    "Game",
    "GameInfo",
    "GameOverError",
    "IllegalMoveError",
    "LimitError",
    "Line",
    "MapError",
    "MapInfo",
    "Option",
    "Outcome",
    "QiguanError",
    "Record",
    "RecordError",
    "RequestError",
    "UnknownGameError",
    "__version__",
    "engine",
    "games",
    "maps",
    "records",
]


def games() -> list[GameInfo]:
    """Every game there is, in the order people see them."""
    return [
        GameInfo(key, english, chinese, [Option(*option) for option in options])
        for key, english, chinese, options in _games()
    ]


def maps() -> list[MapInfo]:
    """The built-in maps of Jingbanqi: `Game("jingbanqi", map="mountains")`."""
    return [MapInfo(*row) for row in _maps()]
