"""Two levels of the engine play a game of gomoku against each other."""

from __future__ import annotations

import qiguan


def main() -> None:
    game = qiguan.Game("gomoku/standard")
    while game.outcome is None:
        best = qiguan.engine.best(game, level=2 + game.turn, seed=game.ply)
        assert best is not None
        game.play(best.move)
    outcome = game.outcome
    winner = "nobody" if outcome.winner is None else game.sides[outcome.winner]
    print(f"{winner} after {game.ply} moves: {outcome.reason}")
    print(" ".join(game.record))


if __name__ == "__main__":
    main()
