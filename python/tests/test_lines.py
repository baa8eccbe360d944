"""The law of several lines: as many as are wanted, or as there are moves; each with another move; the best first; played is the
first. In every family, on positions by chance."""

import random

import pytest

import qiguan

POSITIONS = 50
WANTED = 4


def worth(line):
    if line.win_in is not None:
        return 1_000_000 - line.win_in
    return line.loss_in - 1_000_000 if line.loss_in is not None else line.score


@pytest.mark.parametrize("key, options", [
    ("xiangqi", {}), ("draughts/international", {}), ("gomoku/renju", {}), ("locked", {}), ("jingbanqi", {"map": "mountains"}),
])
def test_lines_obey_the_law(key, options):
    chance = random.Random(52)
    for plies in range(3, 3 + POSITIONS):
        game = qiguan.Game(key, **options)
        while game.ply < plies and game.outcome is None:
            game.play(chance.choice(game.moves()))
        best = qiguan.engine.best(game, nodes=200 + 40 * plies, lines=WANTED)
        if best is None:
            continue
        lines = best.lines
        # Amid a turn of locked chess several moves may come to the same.
        moves = 1 if key == "locked" and game.ply % 5 else len(game.moves())
        assert min(WANTED, moves) <= len(lines) <= WANTED
        turn = 5 if key == "locked" else 1
        assert len({tuple(line.moves[:turn]) for line in lines}) == len(lines)
        assert [worth(line) for line in lines] == sorted(map(worth, lines), reverse=True)
        assert lines[0].moves[0] == best.move
