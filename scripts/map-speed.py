#!/usr/bin/env python3
"""Compares the speed of two programs on users' maps: scripts/map-speed.py BASE NEW [MAPS]

Counts move paths (`qiguan perft`) of the maps that ship with the program, and of those in MAPS, the folder of the
reference program with its folders `map` and `extensions`. The programs take turns, base, new, new, base, ROUNDS times
(a variable of the environment, 4). What is compared is the user CPU time of a program with its workers, the least of
all runs, so that other work on the machine disturbs little. A percentage above 100 says that NEW is faster. Exits with
1 when the counts differ or a line is below 95 %.
"""

import ctypes
import os
import pathlib
import resource
import subprocess
import sys

LEAST = 95.0
ROUNDS = int(os.environ.get("ROUNDS", "4"))
PR_SET_CHILD_SUBREAPER = 36


def rows(reference):
    """Name, map, extensions and depth of each line of the table."""
    own = pathlib.Path(__file__).resolve().parent.parent / "maps"
    yield "mountains", own / "mountains.xlsx", [], 7
    for name, depth in (("leap", 7), ("magnets", 8)):
        yield name, own / f"{name}.xlsx", [], depth
        yield f"{name} + 1", own / f"{name}.xlsx", [own / f"{name}.py"], 5
    if reference is None:
        return
    found = {path.stem: path for path in (reference / "map").glob("*.xlsx")}
    extension = {path.stem.split("]")[-1]: path for path in (reference / "extensions").glob("*.py")}
    chess = found["中国象棋"]
    yield "中国象棋", chess, [], 5
    yield "中国象棋 + 1", chess, [extension["中国象棋"]], 4
    yield "standard 7x7", found["standard(7x7)"], [], 6
    others = [path for name, path in sorted(extension.items()) if name != "中国象棋"]
    yield f"27A + {len(others)}", found["27A行军棋(7x7)"], others, 4


def spent(program, name, path, extensions, depth):
    """Its count, and the user CPU seconds of it and of every worker, whoever they were left to."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    words = [program, "perft", "jingbanqi", str(depth), "--map", str(path)]
    for extension in extensions:
        words += ["--extension", str(extension)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program}, {name}: {done.stderr.strip()}")
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    return done.stdout.split()[1], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    programs = sys.argv[1:3]
    reference = pathlib.Path(sys.argv[3]) if len(sys.argv) == 4 else None
    # Workers that outlive their parent come to us, and so does their time.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print(f"{'map':16} {'depth':>5} {'paths':>12} {'base s':>8} {'new s':>8} {'new/base':>9}")
    slow = False
    for name, path, extensions, depth in rows(reference):
        seconds, counts = [[], []], set()
        for which in [0, 1, 1, 0] * ROUNDS:
            count, took = spent(programs[which], name, path, extensions, depth)
            counts.add(count)
            seconds[which].append(took)
        if len(counts) > 1:
            sys.exit(f"{name}: the counts differ: {', '.join(sorted(counts))}")
        base, new = map(min, seconds)
        percent = 100.0 * base / new if new > 0 else 100.0
        slow |= percent < LEAST
        print(f"{name:16} {depth:5} {counts.pop():>12} {base:8.3f} {new:8.3f} {percent:7.1f} %", flush=True)
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
