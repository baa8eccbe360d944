"""The module where the original folder had it, on the rules of qiguan. Its variables exist once `game_start()` was called.

The folder and the module in it are one game: `import locked_chess_game_module` and `from locked_chess_game_module import
locked_chess_game_module` name the same functions and variables.
"""

from __future__ import annotations

import sys
import types

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
    "game_start",
    "legal_operation",
    "loads_fen",
    "loads_game",
    "main",
    "operation",
    "return_fen",
    "return_game",
    "withdraw",
]

_program = Program(Texts(is_module=True), started=False)
game_start = _program.game_start
legal_operation = _program.legal_operation
operation = _program.operation
return_game = _program.return_game
loads_game = _program.loads_game
return_fen = _program.return_fen
loads_fen = _program.loads_fen
withdraw = _program.withdraw
main = _program.main


class _Module(types.ModuleType):
    """A module whose variables are those of the game."""

    game = variable("game", "_program")
    operation_number = variable("operation_number", "_program")
    operation_oppsite = variable("operation_oppsite", "_program")
    operation_last_direction = variable("operation_last_direction", "_program")
    choose_chess_locate = variable("choose_chess_locate", "_program")
    all_operation = variable("all_operation", "_program")

    @property
    def destroy_on_error(self) -> bool:
        return _program.destroy_on_error

    @destroy_on_error.setter
    def destroy_on_error(self, on: bool) -> None:
        _program.destroy_on_error = on


sys.modules[__name__].__class__ = _Module

if __name__ == "__main__":
    main()
