#!/usr/bin/env python3
"""Plays levels of our engine against weak movers on the example maps: scripts/aims.py PROGRAM [--maps hex,halma] [--json FILE]

For each map, level and opponent a match of PAIRS pairs of games (`qiguan match`), each pair from two random plies. `random`
plays any legal move, `greedy` the one after which its evaluation likes the board best. A level counts positions; MOVETIME
milliseconds end a move earlier. Prints the points of the level in percent; `--least 90` exits with 1 when one is below.
"""
import argparse
import json
import pathlib
import subprocess
import sys

MAPS = pathlib.Path(__file__).resolve().parent.parent / "maps"

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("--maps", help="names of maps; without it all examples")
parser.add_argument("--levels", default="5,8")
parser.add_argument("--opponents", default="random,greedy")
parser.add_argument("--pairs", type=int, default=10)
parser.add_argument("--movetime", type=int, default=300)
parser.add_argument("--plies", type=int, default=200, help="a game is drawn after so many plies")
parser.add_argument("--search", help="alpha-beta or playouts; without it the one that won the match on the map")
parser.add_argument("--least", type=float, help="the least percentage")
wish = parser.parse_args()


def files(name):
    """The workbook of a map and its extensions."""
    shared = {"breakthrough-2": "breakthrough", "hex-2": "hex", "losing-2": "losing"}
    if name in shared:
        return MAPS / f"{shared[name]}.xlsx", []
    book = MAPS / "examples" / f"{name}.xlsx"
    extension = book.with_suffix(".py")
    return book, [extension] if extension.exists() else []


def score(name, level, opponent):
    """Won, drawn and lost games of a level."""
    book, extensions = files(name)
    search = f",search={wish.search}" if wish.search else ""
    words = [wish.program, "match", "--game", "jingbanqi", "--map", book]
    for extension in extensions:
        words += ["--extension", extension]
    words += ["--a", f"our:level={level}{search}", "--b", opponent, "--pairs", wish.pairs, "--opening-plies", 2]
    words += ["--balance", 0, "--seed", 7, "--movetime", wish.movetime, "--margin", 60_000, "--hash", 4]
    words += ["--max-plies", wish.plies, "--json"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stderr.strip()}")
    games = json.loads(done.stdout.splitlines()[-1])["games"]
    return games["won"], games["drawn"], games["lost"]


examples = sorted(path.name.removesuffix(".cases.toml") for path in (MAPS / "examples").glob("*.cases.toml"))
columns = [(int(level), opponent) for level in wish.levels.split(",") for opponent in wish.opponents.split(",")]
print("| map | " + " | ".join(f"level {level}, {opponent}" for level, opponent in columns) + " |")
print("|---|" + "---|" * len(columns), flush=True)
is_low = False
for name in wish.maps.split(",") if wish.maps else examples:
    cells = []
    for level, opponent in columns:
        won, drawn, lost = score(name, level, opponent)
        percent = 100 * (won + drawn / 2) / max(1, won + drawn + lost)
        is_low |= wish.least is not None and percent < wish.least
        cells.append(f"{percent:.0f} % ({won}, {drawn}, {lost})")
    print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)
sys.exit(1 if is_low else 0)
