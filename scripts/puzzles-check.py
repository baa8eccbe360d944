#!/usr/bin/env python3
"""How many puzzles another engine confirms.

    qiguan puzzles export --family xiangqi --count 200 --seed 1 --out puzzles.jsonl
    scripts/puzzles-check.py --engine fairy-stockfish --variant xiangqi --ranks-from 1 puzzles.jsonl
    scripts/puzzles-check.py --engine "scan hub" --hub draughts/international --referee "qiguan referee" puzzles.jsonl

Speaks UCI: each puzzle's position is searched with MultiPV 2. With --hub it speaks the first Hub protocol of draughts
(Scan 2.0), which has no second best: the position after each move, which the referee tells, is searched by itself to
--depth. A puzzle is confirmed when the engine's best move is the puzzle's first and its second best keeps the result no
more: it is worse by --margin hundredths, or only one of the two is a forced win or a forced loss. Moves that differ are
listed. Nothing of the engine enters the repository.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys

FORCED = 100_000


def start(command):
    return subprocess.Popen(
        shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )


class Engine:
    """A program that is spoken to line by line."""

    def __init__(self, command):
        self.process = start(command)

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


class Uci(Engine):
    def __init__(self, command, options):
        super().__init__(command)
        self.say("uci")
        self.until("uciok")
        for name, value in options:
            self.say(f"setoption name {name} value {value}")

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


class Hub(Engine):
    """An engine of draughts 10x10, and a referee that knows what may be played."""

    def __init__(self, command, game, referee):
        super().__init__(command)
        self.game = game
        self.referee = start(referee)
        self.say("hub")
        self.until("wait")
        self.say("init")
        self.until("ready")

    def ask(self, fen, moves):
        question = {"game": self.game, "fen": fen, "moves": moves, "ask": ["fen", "moves", "outcome"]}
        self.referee.stdin.write(json.dumps(question) + "\n")
        self.referee.stdin.flush()
        return json.loads(self.referee.stdout.readline())

    @staticmethod
    def position(fen):
        """The side to move, then a letter for each field: `W:WK3,10-12:B5` and so on."""
        turn, *sides = fen.rstrip(".").split(":")
        fields = ["e"] * 50
        for side in sides[:2]:
            for part in side[1:].split(","):
                letter = side[0].upper() if part[:1] == "K" else side[0].lower()
                ends = [int(end) for end in part.lstrip("K").split("-")] if part else []
                for field in range(ends[0], ends[-1] + 1) if ends else ():
                    fields[field - 1] = letter
        return turn.lower() + "".join(fields)

    def score(self, fen, depth):
        """Hundredths of a man, from the side to move."""
        self.say(f"pos {self.position(fen)}")
        self.say(f"depth {depth}")
        self.say("analyse")
        lines = self.until("move")
        if any("error" in line for line in lines):
            sys.exit(f"the engine does not read {fen}")
        hundredths = [int(line.split()[3]) for line in lines if line.startswith("info ")][-1]
        # Beyond, it is won or lost: no men and kings are worth so much.
        return hundredths if abs(hundredths) < 1_800 else (FORCED if hundredths > 0 else -FORCED)

    def two(self, fen, depth):
        """The two best first moves with their scores, best first."""
        scores = []
        for move in self.ask(fen, [])["moves"]:
            told = self.ask(fen, [move])
            outcome = told.get("outcome")
            if outcome:
                mover = "first" if fen[0].upper() == "W" else "second"
                worth = {mover: FORCED, None: 0}.get(outcome["winner"], -FORCED)
            else:
                worth = -self.score(told["fen"], depth)
            scores.append((move, worth))
        return sorted(scores, key=lambda one: -one[1])[:2]


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
    parser.add_argument("--hub", metavar="GAME", help="it speaks the Hub protocol, and this is the game")
    parser.add_argument("--referee", default="qiguan referee", help="the command that starts the referee")
    parser.add_argument("--nodes", type=int, default=400_000)
    parser.add_argument("--depth", type=int, default=17, help="plies, with --hub")
    parser.add_argument("--margin", type=int, default=150)
    parser.add_argument("--ranks-from", type=int, default=0, help="the number of the first rank, for the engine")
    wish = parser.parse_args()
    if wish.hub:
        engine = Hub(wish.engine, wish.hub, wish.referee)
    else:
        options = [("MultiPV", 2), ("Threads", 1), ("Hash", 64)]
        engine = Uci(wish.engine, [("UCI_Variant", wish.variant), *options] if wish.variant else options)
    confirmed = total = other = 0
    with open(wish.file, encoding="utf-8") as file:
        for line in file:
            puzzle = json.loads(line)
            two = engine.two(puzzle["fen"], wish.depth if wish.hub else wish.nodes)
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
