"""`LockedChessClass` for programs that stood in the folder of the original beside `locked_chess_game_class.py`."""

from locked_chess_game_module.locked_chess_game_class import *  # noqa: F403
from locked_chess_game_module.locked_chess_game_class import __all__ as __all__

if __name__ == "__main__":
    LockedChessClass().main()  # noqa: F405
