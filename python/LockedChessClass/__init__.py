"""`LockedChessClass` under its old name; it is made in `locked_chess_game_module.locked_chess_game_class`."""

from locked_chess_game_module.locked_chess_game_class import *  # noqa: F403
from locked_chess_game_module.locked_chess_game_class import __all__ as __all__

if __name__ == "__main__":
    LockedChessClass().main()  # noqa: F405
