#!/usr/bin/env python3
"""How often games are won, drawn and lost from positions of a worth: fits the two numbers of engine_core::Chances to games of the
engine against itself.

    qiguan learn games --game xiangqi --nodes 2000 --games 400 --seed 52 --balance 600 --out games.jsonl ...
    scripts/chances.py games.jsonl ...

A position is won with probability 1 / (1 + exp((half - worth) / scale)), lost with the same of -worth, and drawn else. Both numbers
are those under which the results of all positions are likeliest (maximum likelihood); a position counts by one over the number of
positions of its game. Worths beyond 3000 hundredths and forced wins are left out: there is nothing to guess. Printed besides: how
much a third number would bring that lets both grow with the phase of the game (plies so far), in the same unit, and a table of
what was expected and what came.
"""

import json
import math
import sys

MOST = 3000


def positions(path):
    with open(path, encoding="utf8") as file:
        plan = json.loads(next(file))
        games = [json.loads(line) for line in file]
    found = []
    for game in games:
        # Whose move a worth is of: sides take turns, in locked chess of five moves each; a game tells it by its opening.
        turn = 5 if plan["game"] == "locked" else 1
        first = len(game["opening"])
        taken = []
        for number, worth in enumerate(game["worth"]):
            if abs(worth) > MOST or number in game.get("doubtful", []) or (first + number) % turn:
                continue
            side = 1 if (first + number) // turn % 2 == 0 else -1
            taken.append((worth, side * game["result"], first + number))
        found += [(worth, result, ply, 1 / len(taken)) for worth, result, ply in taken]
    return plan, games, found


def likelihood(data, half, scale, phase=0.0):
    total = 0.0
    for worth, result, ply, weight in data:
        by = 1 + phase * ply / 100
        h, s = max(half * by, 0.0), max(scale * by, 1.0)
        wins = lambda n: 1 / (1 + math.exp(min(max((h - n) / s, -50), 50)))
        win, loss = wins(worth), wins(-worth)
        chance = win if result > 0 else loss if result < 0 else 1 - win - loss
        total += weight * math.log(max(chance, 1e-4))
    return total


def climb(data, start, steps):
    """The numbers with the greatest likelihood, one step along each at a time, ever smaller."""
    best, value = list(start), likelihood(data, *start)
    while max(step / max(abs(n), 0.1) for step, n in zip(steps, best)) > 0.005:
        moved = False
        for i, step in enumerate(steps):
            for way in (step, -step):
                tried = best[:i] + [best[i] + way] + best[i + 1 :]
                if tried[0] < 0 or tried[1] < 1:
                    continue
                if (found := likelihood(data, *tried)) > value:
                    best, value, moved = tried, found, True
        if not moved:
            steps = [step / 2 for step in steps]
    return best, value


def main():
    for path in sys.argv[1:]:
        plan, games, data = positions(path)
        (half, scale), value = climb(data, (60.0, 110.0), [32.0, 32.0])
        (_, _, phase), phased = climb(data, (half, scale, 0.0), [16.0, 16.0, 0.2])
        count = len(games)
        results = [sum(game["result"] == r for game in games) for r in (1, 0, -1)]
        print(f"{plan['game']}: {count} games ({results[0]} won by the first side, {results[1]} drawn, {results[2]} lost), "
              f"{len(data)} positions")
        print(f"  half {half:.0f}, scale {scale:.0f}: {value / count:.4f} a game; with phase {phase:+.2f} a hundred plies "
              f"{phased / count:.4f}")
        for low, high in ((-3000, -300), (-300, -100), (-100, -30), (-30, 30), (30, 100), (100, 300), (300, 3001)):
            part = [d for d in data if low <= d[0] < high]
            weight = sum(d[3] for d in part)
            if not weight:
                continue
            came = [sum(d[3] for d in part if d[1] == r) / weight for r in (1, 0, -1)]
            wins = lambda n: 1 / (1 + math.exp(min(max((half - n) / scale, -50), 50)))
            win, loss = (sum(d[3] * wins(sign * d[0]) for d in part) / weight for sign in (1, -1))
            print(f"  {low:6} to {high:5}: {len(part):6} positions, won {came[0]:.2f} (expected {win:.2f}), "
                  f"drawn {came[1]:.2f} ({1 - win - loss:.2f}), lost {came[2]:.2f} ({loss:.2f})")


if __name__ == "__main__":
    main()
