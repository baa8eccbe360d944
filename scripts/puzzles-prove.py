#!/usr/bin/env python3
"""How many puzzles a search of its own confirms, for families that no other engine plays.

    qiguan puzzles export --family locked --count 200 --seed 1 --out puzzles.jsonl
    scripts/puzzles-prove.py puzzles.jsonl

What `scripts/provers/` has is written apart from the program's rules, solvers and searches, from docs/rules/ alone. A
puzzle is

- confirmed: its first turn keeps the result, and no other does;
- refuted: another turn keeps it, too, or its own does not;
- undecided: this search cannot tell.

gomoku, renju: the win by fours, or by fours and threes, with every legal answer tried. Every other move is tried with as
many threes as the puzzle's needed, and --more of them. locked: every turn and every answer, within --turns turns; every
other turn with --later turns more. jingbanqi: every move to --depth plies and all captures beyond; what is not a forced
end is counted in pieces, each worth the squares it reaches, and the margin is --margin of the lightest piece but a soldier's.
Nothing else of the program is used. pypy3 is ten times faster than python3 here.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

from provers import gomoku, locked, maps  # noqa: E402

FAMILIES = {"gomoku": gomoku, "locked": locked, "jingbanqi": maps}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--threes", type=int, default=3, help="gomoku: moves that are no fours, after the first")
    parser.add_argument("--more", type=int, default=1, help="gomoku: threes that other moves may have beyond it")
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor: gomoku, each move; jingbanqi, a puzzle")
    parser.add_argument("--turns", type=int, default=3, help="locked: the longest win")
    parser.add_argument("--later", type=int, default=1, help="locked: turns that others may take longer")
    parser.add_argument("--depth", type=int, default=7, help="jingbanqi: plies of every move")
    parser.add_argument("--margin", type=float, default=3.0, help="jingbanqi: squares")
    parser.add_argument("--map", default="maps/{}.xlsx", help="jingbanqi: where the built-in maps lie")
    wish = parser.parse_args()
    counts = Counter()
    begun = time.monotonic()
    with open(wish.file, encoding="utf-8") as file:
        for line in file:
            puzzle = json.loads(line)
            family = FAMILIES.get(puzzle["game"].split("/")[0])
            verdict, why = family.check(puzzle, wish) if family else ("undecided", "another family")
            counts[verdict] += 1
            counts[f"  {verdict}: {why}"] += verdict == "confirmed"
            if verdict != "confirmed":
                print(puzzle["id"], puzzle["game"], puzzle["goal"], puzzle["line"][0], verdict, why, puzzle["fen"], flush=True)
    total = sum(counts[verdict] for verdict in ("confirmed", "refuted", "undecided"))
    for verdict, count in sorted(counts.items()):
        if count:
            print(verdict, count)
    seconds = time.monotonic() - begun
    share = 100 * counts["confirmed"] / max(1, total)
    print(f"{counts['confirmed']} of {total} confirmed ({share:.1f} %) in {seconds:.0f} s")


if __name__ == "__main__":
    main()
