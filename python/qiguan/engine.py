"""Our engine, for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ._qiguan import think
from ._types import Best, Line

if TYPE_CHECKING:
    from ._qiguan import Game

__all__ = ["best"]


def best(
    game: Game,
    *,
    level: Optional[int] = None,
    nodes: Optional[int] = None,
    movetime: Optional[int] = None,
    depth: Optional[int] = None,
    lines: int = 1,
    seed: int = 0,
    threads: int = 1,
) -> Optional[Best]:
    """The engine's move in `game`; None when the game is over. The game is left as it is.

    At least one limit must be given; the first that is reached ends the search:

    level     1, whom a child can beat, to 10, everything it has
    nodes     positions
    movetime  milliseconds, 600 000 at most; so many where it is not given
    depth     plies; turns in locked chess

    Levels 1 to 9 count positions. Nothing holds level 10 back: alone it thinks for ten minutes, with `movetime=3000` as
    in a hall.

    `lines` (1 to 64) asks for so many of the best moves, `seed` decides what a level's chance decides, `threads` search
    together. With `nodes` or `depth` and one thread the answer is the same on every machine. The GIL is free meanwhile;
    Ctrl-C ends it.

    Raises RequestError without a limit or for a level that does not exist, LimitError for more than may be asked.
    """
    told = think(game, level, nodes, movetime, depth, lines, seed, threads)
    if told is None:
        return None
    found = [
        Line(line["moves"], line.get("score"), line.get("win_in"), line.get("loss_in"), line["depth"])
        for line in told["lines"]
    ]
    return Best(
        told["move"], told["nodes"], told.get("score"), told.get("win_in"), told.get("loss_in"), told.get("depth"), found
    )
