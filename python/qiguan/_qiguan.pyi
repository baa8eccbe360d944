import os
from typing import Any, Iterator, Optional, Union

import numpy as np
import numpy.typing as npt

from ._errors import RecordError
from ._types import Outcome

__version__: str

_Path = Union[str, os.PathLike[str]]
_Actions = Union[npt.NDArray[np.int64], npt.NDArray[np.int32], list[int]]

class Game:
    """A game of any kind with its past.

    `name` is a key of `qiguan.games()`, a family (its first game) or a variant alone: `draughts/russian`, `gomoku`, `renju`.
    `fen` is where it begins; usually the usual start. Other keywords are options of the game: `Game("gomoku", size=15)`.

    `map` is for Jingbanqi: the path of a workbook, its bytes, or the name of a built-in map; `extensions` are paths of its
    extensions, which the program `qiguan` runs in locked worker processes: `program`, or that of the variable QIGUAN, or
    `qiguan` on PATH.

    Raises UnknownGameError, FenError, MapError, ExtensionError, or RequestError for an option that does not fit.

    Games can be copied, deep-copied and pickled; the past comes along. Used by two threads at once, calls wait for the
    GIL; in a forked process a game with extensions starts workers of its own.
    """

    def __init__(
        self,
        name: str,
        fen: Optional[str] = None,
        *,
        map: Union[_Path, bytes, None] = None,
        extensions: Optional[list[_Path]] = None,
        program: Optional[_Path] = None,
        **options: int,
    ) -> None: ...
    @property
    def key(self) -> str:
        """The key of the game: `gomoku/renju`."""
    @property
    def family(self) -> str:
        """The part of the key before the `/`."""
    @property
    def options(self) -> dict[str, int]:
        """Every option with its value."""
    @property
    def sides(self) -> tuple[str, str]:
        """The names of the sides, in order of moving: `('red', 'black')`."""
    @property
    def turn(self) -> int:
        """The side to move: 0 for the one that moves first in the usual start, 1 for the other."""
    @property
    def ply(self) -> int:
        """The number of moves played."""
    @property
    def fen(self) -> str:
        """The position as one line of text (docs/rules)."""
    @property
    def start_fen(self) -> str:
        """The position the game began with."""
    @property
    def position_key(self) -> int:
        """64 bits, equal whenever the rules call two positions the same; equal on every machine."""
    @property
    def record(self) -> list[str]:
        """The moves from the start, as machine texts."""
    @property
    def outcome(self) -> Optional[Outcome]:
        """The outcome of the game, repetition included; None while it goes on."""
    def moves(self) -> list[str]:
        """The legal moves as machine texts, in the game's own order; none once the game is over."""
    def play(self, text: str) -> str:
        """Plays a move, written as players write it, and returns its machine text.

        Raises IllegalMoveError with the reason, GameOverError after the end; nothing has changed then.
        """
    def read(self, text: str) -> str:
        """The machine text of the legal move that `text` names. Plays nothing; raises as `play`."""
    def undo(self) -> Optional[str]:
        """Takes the last move back and returns it; None at the start."""
    @property
    def notations(self) -> list[str]:
        """The notations that players of this game read, the usual one first: `['chinese', 'wxf', 'iccs']`."""
    def texts(self) -> dict[str, dict[str, str]]:
        """Other names of each legal move, by notation."""
    def names(self, notation: Optional[str] = None) -> list[str]:
        """The moves from the start in that notation; machine texts without one. Raises ValueError for an unknown one."""
    def forbidden(self) -> dict[str, str]:
        """Moves that may be played but lose by the rules, with the reason (renju)."""
    def facts(self) -> dict[str, Any]:
        """Other facts about the game, by name: docs/referee.md."""
    def pieces(self) -> list[tuple[str, Optional[int], str]]:
        """The pieces on the board: place, owner (None: neutral) and face, by rising cell."""
    def perft(self, depth: int, *, threads: int = 1) -> int:
        """The number of move paths of that length; draws that are declared do not end a path.

        The GIL is free meanwhile; Ctrl-C ends it. Raises LimitError
        when it would be more than 2e10 plies, or deeper than 1000.
        """
    @property
    def actions(self) -> int:
        """The number of actions the game has, in all its positions: docs/python.md."""
    def legal_actions(self) -> npt.NDArray[np.int64]:
        """The actions that are legal now, in the order of `moves()`. Shape (number of moves,), int64."""
    @property
    def legal_mask(self) -> npt.NDArray[np.int8]:
        """1 for each action that is legal now. Shape (actions,), int8."""
    def action(self, text: str) -> Optional[int]:
        """The action of a legal move; None where it has none. Raises as `play`."""
    def text_of(self, action: int) -> str:
        """The machine text of a legal action. Raises IllegalMoveError, GameOverError."""
    def play_action(self, action: int) -> None:
        """Plays a legal action. Raises IllegalMoveError, GameOverError; nothing has changed then."""
    @property
    def planes(self) -> list[str]:
        """The names of the planes of an observation: `first:chariot` …, `turn`, `step`, `chosen`, `counter`,
        `stood-before`."""
    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Planes, ranks, files."""
    def observation(self) -> npt.NDArray[np.float32]:
        """The position as planes: shape (planes, ranks, files), float32 from 0 to 1, the top rank first, seen by the side
        that moves first."""
    def to_record(self) -> Record:
        """The game as a record, with its map where it has one."""
    def dump(self, format: str = "json") -> bytes:
        """The game as a file. Raises RecordError for a format that does not hold this game."""
    def copy(self) -> Game:
        """A game with the same past, which goes its own way."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: Any) -> Game: ...

class Batch:
    """Many games of one kind that are played together: arrays in, arrays out, no Python object for a move.

    Work is spread over `threads` (0: all cores) without the GIL. A batch is used by one thread of Python at a time; another
    gets RuntimeError. `seed` decides what `sample` draws. Games of `max_plies` plies (0: without end) are cut off.
    `name`, `fen`, `map`, `extensions`, `program` and options are those of `Game`.

    Raises ValueError unless 1 <= games <= 1 048 576, and what `Game` raises.
    """

    def __init__(
        self,
        name: str,
        games: int,
        fen: Optional[str] = None,
        *,
        seed: int = 0,
        threads: int = 0,
        max_plies: int = 0,
        map: Union[_Path, bytes, None] = None,
        extensions: Optional[list[_Path]] = None,
        program: Optional[_Path] = None,
        **options: int,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def key(self) -> str:
        """The key of the game."""
    @property
    def actions(self) -> int:
        """The number of actions the game has."""
    @property
    def planes(self) -> list[str]:
        """The names of the planes of an observation."""
    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Planes, ranks, files."""
    def reset(self, seed: Optional[int] = None) -> None:
        """Starts all games again; with a seed, the random numbers of `sample` start again, too."""
    def step(
        self, actions: _Actions, *, autoreset: bool = True
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Plays an action in each game. Shape of `actions`: (games,); games that are over ignore theirs.

        Returns rewards (games, 2) float32, 1 for the winner, -1 for the loser and 0 else, in the order of moving; whether
        the game ended with this ply, (games,) bool; whether it was cut off for its length, (games,) bool. With `autoreset`
        such games stand at their start already, otherwise they are `over`.

        Raises IllegalMoveError for the first action that is not legal, TypeError and ValueError for another type or shape;
        nothing was played then.
        """
    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action by chance in each game, -1 where it is over. Shape (games,), int64."""
    def legal_mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action. Shape (games, actions), int8. Raises LimitError for more than 2**30 numbers."""
    def legal_actions(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """All legal actions one after another, and where they begin: those of game i are flat[ends[i]:ends[i + 1]].
        Shapes (all,) and (games + 1,), int64."""
    def observe(self) -> npt.NDArray[np.float32]:
        """The positions as planes, as `Game.observation`. Shape (games, planes, ranks, files), float32."""
    @property
    def turn(self) -> npt.NDArray[np.int8]:
        """The side to move in each game, 0 or 1. Shape (games,), int8."""
    @property
    def ply(self) -> npt.NDArray[np.int64]:
        """The number of moves played in each game. Shape (games,), int64."""
    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """True for games that are over or cut off. Shape (games,), bool."""
    def fens(self) -> list[str]:
        """The positions as text."""
    def game(self, index: int) -> Game:
        """A copy of one game. Raises IndexError."""

class Record:
    """A recorded game. Made by `qiguan.records` and `Game.to_record`; it does not change."""

    @property
    def game(self) -> str:
        """The key of its game."""
    @property
    def options(self) -> dict[str, int]:
        """The options it was set up with."""
    @property
    def start(self) -> Optional[str]:
        """The start FEN; None: the usual start."""
    @property
    def players(self) -> tuple[str, str]:
        """The player of each side, in order of moving; empty where it is not known."""
    @property
    def result(self) -> Optional[str]:
        """`first`, `second`, `draw` or `void`; None: the file does not say."""
    @property
    def reason(self) -> Optional[str]:
        """The reason of the result: a key; empty where the file does not say."""
    @property
    def date(self) -> str:
        """The day, as much of `2026-11-21` as is known."""
    @property
    def clock(self) -> str:
        """The clock, in words or figures such as `300+5`."""
    @property
    def tags(self) -> dict[str, str]:
        """The other tags of the file, by PGN's names."""
    @property
    def moves(self) -> list[str]:
        """The main line as move texts; `replay` says whether they are legal."""
    @property
    def cut(self) -> Optional[RecordError]:
        """The error that a file's game was cut at, as it would have been raised: what comes before it is here. None: the game
        is whole."""
    def by(self, first: str, second: str, *, date: Optional[str] = None) -> Record:
        """The same game with its players and day."""
    def replay(
        self,
        *,
        map: Optional[_Path] = None,
        extensions: Optional[list[_Path]] = None,
        program: Optional[_Path] = None,
    ) -> Game:
        """The game after its main line. Raises RecordError with the ply that the rules refuse."""
    def write(self, format: str = "json", *, notation: Optional[str] = None) -> bytes:
        """The record as a file; `notation` is that of xiangqi's moves in PGN. Raises RecordError where it does not fit."""

class Records:
    """The records of a file, read as they are asked for: one is in memory at a time. Raises RecordError for a game that
    cannot be read; the next call reads what is behind it."""

    def __iter__(self) -> Iterator[Record]: ...
    def __next__(self) -> Record: ...

class LockedCore:
    def __init__(self) -> None: ...
    def start(self) -> None: ...
    def play(self, x: Any) -> bool: ...
    def operations(self) -> list[Any]: ...
    @property
    def game(self) -> set[tuple[int, int, str]]: ...
    @property
    def operation_number(self) -> int: ...
    @property
    def operation_oppsite(self) -> str: ...
    @property
    def operation_last_direction(self) -> str: ...
    @property
    def choose_chess_locate(self) -> Any: ...
    def return_game(self) -> str: ...
    def withdraw(self) -> bool: ...
    @property
    def fen(self) -> str: ...
    def place(self, fen: str) -> None: ...

def think(
    game: Game,
    level: Optional[int],
    nodes: Optional[int],
    movetime: Optional[int],
    depth: Optional[int],
    lines: int,
    seed: int,
    threads: int,
) -> Optional[dict[str, Any]]: ...
def games() -> list[tuple[str, str, str, list[tuple[str, int, int, int, list[str]]]]]: ...
def maps() -> list[tuple[str, str, bool]]: ...
def formats() -> list[tuple[str, bool]]: ...
def read_records(data: Union[bytes, str], format: Optional[str], game: Optional[str]) -> list[Record]: ...
def read_record(data: Union[bytes, str], format: Optional[str], game: Optional[str]) -> Optional[Record]: ...
def iterate_records(path: _Path, format: Optional[str], game: Optional[str]) -> Records: ...
