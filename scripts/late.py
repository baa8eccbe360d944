#!/usr/bin/env python3
"""How much later than asked our engine answers: each game, some levels, one game against itself at a fixed time a move.

    scripts/late.py [PROGRAM] [MILLISECONDS] [MOVES]

On a busy machine the figures are those of the system's schedule, too: run `stress` or a build beside it to see them.
"""

import subprocess
import sys
import time

program = sys.argv[1] if len(sys.argv) > 1 else "target/release/qiguan"
asked = int(sys.argv[2]) if len(sys.argv) > 2 else 100
count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
GAMES = ["xiangqi", "draughts/international", "gomoku/freestyle", "locked", "maps/mountains.xlsx"]


class Engine:
    def __init__(self, game):
        what = ["jingbanqi", "--map", game] if game.endswith(".xlsx") else [game]
        words = [program, "engine", "uci", *what]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("uci")
        self.until("uciok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return line.split()
        sys.exit(f"the engine ended before it said {word}")


def main():
    print(f"| game | level | answers | later than {asked} ms: mean | worst |\n|---|---|---|---|---|")
    for game in GAMES:
        engine = Engine(game)
        for level in [1, 3, 5, 7, 9, 0]:
            engine.say(f"setoption name Level value {level}")
            engine.say("isready")
            engine.until("readyok")
            moves, late = [], []
            while len(late) < count:
                engine.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
                began = time.monotonic()
                engine.say(f"go movetime {asked}")
                move = engine.until("bestmove")[1]
                late.append((time.monotonic() - began) * 1000 - asked)
                if move in ("(none)", "0000"):
                    moves = []
                else:
                    moves.append(move)
            mean, worst = sum(late) / len(late), max(late)
            print(f"| {game} | {level or 10} | {len(late)} | {mean:+.1f} ms | {worst:+.1f} ms |", flush=True)
        engine.say("quit")
        engine.process.wait()


main()
