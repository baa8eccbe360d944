#!/usr/bin/env python3
"""Where the ten levels of a game stand on the scale of strengths, found by matches: each level shall beat the one below
it by about 150 Elo (70 %).

    scripts/calibrate.py GAME [PAIRS] [WORDS FOR qiguan match ...]

Each place of the scale plays the place below it, PAIRS pairs of games; where one wins nearly all, a place between them plays
both. In between Elo is taken to grow evenly, and the levels are put 150 apart, level 1 at 0. Levels count positions, so
the figures are the same on every machine. What is printed goes into the LADDER of the game's room in crates/engine;
scripts/ladder.sh then says how far it is true.
"""

import math
import os
import re
import subprocess
import sys

PROGRAM = os.environ.get("QIGUAN", "target/release/qiguan")
WANTED = 150.0
# Above this, few games say little: the step is halved.
MUCH = 350
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


def climb(low, high, match):
    """The places above low up to high, each with what it gains over the place before it."""
    gained = match(high, low)
    print(f"# {high:.3g} over {low:.3g}: {gained:+.0f}", flush=True)
    if gained < MUCH or high - low < 0.3:
        return [(high, gained)]
    middle = (low + high) / 2
    return climb(low, middle, match) + climb(middle, high, match)


def main():
    game = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    words = sys.argv[3:]
    curve = [(0.0, 0.0)]
    while curve[-1][1] < 8 * WANTED and curve[-1][0] < MOST:
        place = curve[-1][0]
        for at, gained in climb(place, place + 1, lambda high, low: play(game, words, pairs, high, low, len(curve))):
            # What loses to the place below it by chance gains nothing.
            curve.append((at, curve[-1][1] + max(gained, 1)))
    rungs = []
    for level in range(9):
        for (low, below), (high, above) in zip(curve, curve[1:]):
            if below <= level * WANTED <= above:
                rungs.append(low + (high - low) * (level * WANTED - below) / (above - below))
                break
        else:
            print("# the scale ends here", flush=True)
    print(f"{game}: [{', '.join(f'{rung:.2f}' for rung in rungs)}]", flush=True)


main()
