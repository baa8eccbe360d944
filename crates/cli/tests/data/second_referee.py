"""Reads the games of a xiangqi match and has each move judged by pyffish, the rules of Fairy-Stockfish."""

import json
import sys

import pyffish


def fairy(move):
    """Our ranks count from 0, theirs from 1."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


start = pyffish.start_fen("xiangqi")
games = plies = 0
with open(sys.argv[1]) as file:
    next(file)
    for line in file:
        game = json.loads(line)
        played = []
        for move in map(fairy, game["opening"] + game["moves"]):
            legal = pyffish.legal_moves("xiangqi", start, played)
            assert move in legal, (game["number"], len(played), move)
            played.append(move)
        # Mate and stalemate end a game for both; what repetition means, they see differently.
        if game["reason"] in ("checkmate", "stalemate"):
            assert not pyffish.legal_moves("xiangqi", start, played), game["number"]
        games, plies = games + 1, plies + len(played)
print("judged", games, "games", plies, "plies")
