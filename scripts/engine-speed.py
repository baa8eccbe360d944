#!/usr/bin/env python3
"""Compares how many positions a second builds of `qiguan` look at: `scripts/engine-speed.py PROGRAM PROGRAM… [--rounds 5] [--depth N]`

The programs run the engine's `bench` in turn, so that what else the machine does touches all of them. Prints for each game the
median of positions a second, and its ratio to that of the last program.
"""
import argparse, statistics, subprocess

parser = argparse.ArgumentParser()
parser.add_argument("programs", nargs="+")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--depth", type=int)
parser.add_argument("--games", default="xiangqi,draughts,gomoku,locked")
wish = parser.parse_args()


def speed(program, game):
    engine = subprocess.Popen([program, "engine", game, "--protocol", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    engine.stdin.write(f"uci\nbench {wish.depth or ''}\n")
    engine.stdin.flush()
    for line in engine.stdout:
        if line.startswith("Nodes/second"):
            engine.communicate("quit\n")
            return int(line.split(":")[1])
    raise SystemExit(f"{program} does not tell its speed at {game}")


for game in wish.games.split(","):
    seen = [[] for _ in wish.programs]
    for _ in range(wish.rounds):
        for program, speeds in zip(wish.programs, seen):
            speeds.append(speed(program, game))
    middle = [statistics.median(speeds) for speeds in seen]
    print(game, " ".join(f"{each / 1000:.0f}k ({each / middle[-1]:.2f})" for each in middle), flush=True)
