#!/usr/bin/env python3
"""Where the ten levels of a game stand on the scale of strengths, found by matches: nine equal steps from the foot of the
scale, whom a child can beat, to everything the engine has in a tenth of a second.

    scripts/calibrate.py GAME [PAIRS] [WORDS FOR qiguan match ...]

Each place of the scale up to 6 plays the place below it, PAIRS pairs of games; where one wins nearly all, a place between them
plays both. Then full strength plays the highest place. In between Elo is taken to grow evenly. Levels count positions, so
all but the last figure are the same on every machine. What is printed goes into the LADDER of the game's evaluation
(crates/eval-*); scripts/ladder.sh then says how far it is true.
"""

import math
import os
import re
import subprocess
import sys

PROGRAM = os.environ.get("QIGUAN", "target/release/qiguan")
# Above this, few games say little: the step is halved.
MUCH = 350
MOST = 6


def elo(score, games):
    # A score of nought or all says no more than half a game less would.
    score = min(max(score, 0.5 / games), 1 - 0.5 / games)
    return -400 * math.log10(1 / score - 1)


def play(game, words, pairs, high, low, seed):
    command = [PROGRAM, "match", "--game", game, *words, "--a", high, "--b", low]
    command += ["--pairs", str(pairs), "--seed", str(seed), "--adjudicate", "1000cp,6"]
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
    unlimited = ["--nodes", "1000000000"]

    def match(high, low):
        places = [f"our:scale={place:.2f}" for place in (high, low)]
        return play(game, words + unlimited, pairs, *places, int(100 * high))

    curve = [(0.0, 0.0)]
    for place in range(MOST):
        for at, gained in climb(float(place), place + 1.0, match):
            # What loses to the place below it by chance gains nothing.
            curve.append((at, curve[-1][1] + max(gained, 1)))
    gained = play(game, [*words, "--movetime", "100", "--margin", "3000"], pairs, "our", f"our:scale={MOST}", 1)
    print(f"# full strength over {MOST}: {gained:+.0f}", flush=True)
    # Where a level above the highest place played stands is drawn on: a million positions are the end of the scale.
    curve.append((8.0, curve[-1][1] + max(gained, 1)))
    step = curve[-1][1] / 9
    rungs = []
    for level in range(9):
        for (low, below), (high, above) in zip(curve, curve[1:]):
            if below <= level * step <= above:
                rungs.append(low + (high - low) * (level * step - below) / (above - below))
                break
    print(f"{game}: [{', '.join(f'{rung:.2f}' for rung in rungs)}], {step:.0f} Elo a step", flush=True)


main()
