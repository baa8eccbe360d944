"""Plain values that the extension module hands out."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Outcome(NamedTuple):
    """How a game ended."""

    kind: str
    """`win`, `draw`, or `void` when it does not count."""
    winner: Optional[int]
    """0: the side that moves first; 1: the other; None: nobody."""
    reason: str
    """A stable key, such as `checkmate`, `five-in-a-row` or `stuck`."""


class Line(NamedTuple):
    """What the engine expects to be played."""

    moves: list[str]
    """Legal moves, in order, from the position that was asked about."""
    score: Optional[int]
    """Hundredths of a man or soldier for the side to move; None where a win or loss is known."""
    win_in: Optional[int]
    """Plies to a win (turns in locked chess); None where none is known."""
    loss_in: Optional[int]
    """Plies to a loss."""
    depth: int
    """Plies that were searched in full (turns in locked chess)."""


class Best(NamedTuple):
    """The engine's answer."""

    move: str
    """What it plays: the text for `Game.play`."""
    nodes: int
    """Positions it looked at."""
    score: Optional[int]
    """Hundredths of a man or soldier for the side to move; None where unknown, or where a win or loss is known."""
    win_in: Optional[int]
    """Plies to a win (turns in locked chess); None where none is known."""
    loss_in: Optional[int]
    """Plies to a loss."""
    depth: Optional[int]
    """Plies that were searched in full; None where the move is not one of the lines."""
    lines: list[Line]
    """The best lines, best first."""


class Option(NamedTuple):
    """Something to choose about a game: a whole number."""

    key: str
    """Its name; as a keyword argument with `_` for `-`: `move_limit=120`."""
    least: int
    most: int
    usual: int
    """What it is when nobody chooses."""
    names: list[str]
    """What the values from `least` on are called; empty: plain numbers."""


class GameInfo(NamedTuple):
    """A game of the catalogue."""

    key: str
    english: str
    chinese: str
    options: list[Option]


class MapInfo(NamedTuple):
    """A built-in map of Jingbanqi."""

    key: str
    name: str
    has_extensions: bool
    """Whether it needs the program `qiguan`, which runs extensions."""
