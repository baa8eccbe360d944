#!/usr/bin/env python3
"""Where the ten levels of a game stand on the scale of strengths, found by matches: each level beats the one below it by
about 150 Elo (70 %).

    scripts/calibrate.py GAME [PAIRS] [WORDS FOR qiguan match ...]

Level 1 stands at 0. For each next one some places on the scale are tried against the level below, PAIRS pairs of games
each; Elo is taken to grow evenly in between. Levels count positions, so the figures are the same on every machine. What is
printed goes into the LADDER of the game's room in crates/engine; scripts/ladder.sh then says how far it is true.
"""

import math
import os
import re
import subprocess
import sys

PROGRAM = os.environ.get("QIGUAN", "target/release/qiguan")
WANTED = 150.0
MOST = 8.0


def elo(score, games):
    # A score of nought or all says no more than half a game less would.
    score = min(max(score, 0.5 / games), 1 - 0.5 / games)
    return -400 * math.log10(1 / score - 1)


def play(game, words, pairs, high, low, seed):
    command = [PROGRAM, "match", "--game", game, *words, "--a", f"our:scale={high:.2f}", "--b", f"our:scale={low:.2f}"]
    command += ["--nodes", "1000000000", "--pairs", str(pairs), "--seed", str(seed), "--adjudicate", "1000cp,6"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "LANG": "en"}).stdout
    percent = float(re.search(r"([\d.]+) %", said).group(1))
    return elo(percent / 100, 2 * pairs)


def main():
    game = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    words = sys.argv[3:]
    rungs, step = [0.0], 0.7
    while len(rungs) < 9:
        low, tried = rungs[-1], []
        for attempt in range(3):
            high = min(low + step, MOST)
            if any(abs(high - before) < 0.05 for before, _ in tried):
                break
            gained = play(game, words, pairs, high, low, 100 * len(rungs) + attempt)
            tried.append((high, gained))
            print(f"# level {len(rungs) + 1}: {high:.2f} over {low:.2f}: {gained:+.0f}", flush=True)
            # Least squares of a line through where nothing is gained.
            slope = sum((at - low) * g for at, g in tried) / sum((at - low) ** 2 for at, _ in tried)
            step = min(max(WANTED / slope if slope > 0 else 2 * step, step / 3, 0.08), 2 * step + 0.1, 2.0)
        rungs.append(round(min(low + step, MOST), 2))
        if rungs[-1] >= MOST:
            print("# the scale ends here", flush=True)
            break
    print(f"{game}: [{', '.join(f'{rung:.2f}' for rung in rungs)}]", flush=True)


main()
