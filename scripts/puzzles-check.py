#!/usr/bin/env python3
"""How many puzzles another engine confirms.

    qiguan puzzles export --family xiangqi --count 200 --seed 1 --out puzzles.jsonl
    scripts/puzzles-check.py --engine fairy-stockfish --variant xiangqi --ranks-from 1 puzzles.jsonl

Speaks UCI: each puzzle's position is searched with MultiPV 2. It is confirmed when the engine's best move is the
puzzle's first and its second best keeps the result no more: it is worse by --margin hundredths, or only one of the two
is a forced win or a forced loss. Moves that differ are listed. Nothing of the engine enters the repository.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys

FORCED = 100_000


class Uci:
    def __init__(self, command, options):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        self.until("uciok")
        for name, value in options:
            self.say(f"setoption name {name} value {value}")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.split()[:1] == [word]:
                return lines
        sys.exit("the engine ended")

    def two(self, fen, nodes):
        """The two best first moves with their scores, best first."""
        self.say("ucinewgame")
        self.say("isready")
        self.until("readyok")
        self.say(f"position fen {fen}")
        self.say(f"go nodes {nodes}")
        found = {}
        for line in self.until("bestmove"):
            match = re.search(r" multipv (\d+) score (cp|mate) (-?\d+) (?!upperbound|lowerbound).* pv (\S+)", line)
            if match:
                number, kind, value, move = match.groups()
                value = int(value)
                score = value if kind == "cp" else (FORCED - value if value > 0 else -FORCED - value)
                found[int(number)] = (move, score)
        return [found[n] for n in sorted(found)]


def shifted(move, by):
    """The ranks of a move counted from 0 as they are counted from `by`."""
    return re.sub(r"\d+", lambda rank: str(int(rank.group()) + by), move)


def keeps(goal, best, second, margin):
    if goal == "win" and best > FORCED // 2 > second:
        return True
    if goal == "hold" and second < -FORCED // 2 < best:
        return True
    return best - second >= margin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--engine", required=True, help="the command that starts it")
    parser.add_argument("--variant", help="the value of UCI_Variant")
    parser.add_argument("--nodes", type=int, default=400_000)
    parser.add_argument("--margin", type=int, default=150)
    parser.add_argument("--ranks-from", type=int, default=0, help="the number of the first rank, for the engine")
    wish = parser.parse_args()
    options = [("MultiPV", 2), ("Threads", 1), ("Hash", 64)]
    engine = Uci(wish.engine, [("UCI_Variant", wish.variant), *options] if wish.variant else options)
    confirmed = total = other = 0
    with open(wish.file, encoding="utf-8") as file:
        for line in file:
            puzzle = json.loads(line)
            two = engine.two(puzzle["fen"], wish.nodes)
            total += 1
            want = shifted(puzzle["line"][0][0], wish.ranks_from)
            same = bool(two) and two[0][0] == want
            alone = len(two) < 2 or keeps(puzzle["goal"], two[0][1], two[1][1], wish.margin)
            confirmed += same and alone
            other += not same
            if not (same and alone):
                print(puzzle["id"], puzzle["goal"], want, two, puzzle["fen"])
    engine.say("quit")
    print(f"{confirmed} of {total} confirmed ({100 * confirmed / max(1, total):.1f} %); {other} with another best move")


if __name__ == "__main__":
    main()
