"""`python -m locked_chess_game_module`: plays in the terminal."""

from . import main

main()
