"""Drives `qiguan engine draughts` with pydraughts' Hub wrapper, which checks each move by rules of its own."""

import os
import stat
import sys
import tempfile

import draughts
import draughts.engine

program, variant, plies = sys.argv[1], sys.argv[2], int(sys.argv[3])
# The wrapper puts the command through a shell; a script of one line is the plainest command.
with tempfile.TemporaryDirectory() as folder:
    script = os.path.join(folder, "engine.sh")
    with open(script, "w") as file:
        file.write(f'#!/bin/sh\nexec "{program}" engine hub\n')
    os.chmod(script, stat.S_IRWXU)
    engine = draughts.engine.HubEngine(script)
    engine.configure({"variant": {"standard": "normal"}.get(variant, variant), "threads": "1", "memory": "1"})
    engine.init()
    board = draughts.Board(variant=variant)
    limit = draughts.engine.Limit(movetime=0.02)
    for _ in range(plies):
        if board.is_over():
            break
        result = engine.play(board, limit, False)
        assert "cp" in engine.info["score"] or "win" in engine.info["score"], engine.info
        board.push(result.move)
    engine.ping()
    engine.quit()
    print("played", len(board.move_stack), board.fen)
