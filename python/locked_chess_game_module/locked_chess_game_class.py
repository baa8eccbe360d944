"""`LockedChessClass` where the original folder had it, on the rules of qiguan. A refused call changes nothing."""

from __future__ import annotations

from qiguan.locked_chess import (
    GameFailedError,
    GameFailError,
    GameHasNotStartedError,
    GameIsOverError,
    IllegalLocationError,
    IllegalOperationError,
    Program,
    Texts,
    variable,
)

__all__ = [
    "GameFailError",
    "GameFailedError",
    "GameHasNotStartedError",
    "GameIsOverError",
    "IllegalLocationError",
    "IllegalOperationError",
    "LockedChessClass",
]

_TEXTS = Texts(is_module=False)


class LockedChessClass(Program):
    """A game, which starts at once. Its variables may be read and set; each call checks them."""

    game = variable("game")
    operation_number = variable("operation_number")
    operation_oppsite = variable("operation_oppsite")
    operation_last_direction = variable("operation_last_direction")
    choose_chess_locate = variable("choose_chess_locate")
    all_operation = variable("all_operation")

    def __init__(self) -> None:
        super().__init__(_TEXTS, started=True)


if __name__ == "__main__":
    LockedChessClass().main()
