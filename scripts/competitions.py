#!/usr/bin/env python3
"""Holds our competitions to py4swiss (MIT): scripts/competitions.py PROGRAM [--seeds 120]

Makes competitions by seed, reads each report with py4swiss's strict parser, writes it with that and reads it again with ours, and pairs the next
round with both: ours, and the Dutch system there. Prints how many reports differ (none may) and the average difference in points
between the two at a board. Needs `pip install py4swiss`.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import TrfParser
except ImportError:
    sys.exit("py4swiss is not installed: pip install py4swiss")

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("--seeds", type=int, default=120)
wish = parser.parse_args()


def ours(*words):
    done = subprocess.run([wish.program, "competition", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.stderr.strip()}")
    return done.stdout


differ, boards, gaps, same = [], 0, [0.0, 0.0], 0
with tempfile.TemporaryDirectory() as folder:
    report, back = pathlib.Path(folder, "ours.trf"), pathlib.Path(folder, "back.trf")
    for seed in range(1, wish.seeds + 1):
        entrants = 6 + seed % 37
        rounds = min(3 + seed % 6, entrants // 2 - 2) or 1
        text = ours("make", "--entrants", entrants, "--rounds", rounds, "--seed", seed)
        report.write_text(text.replace(f"XXR {rounds}", f"XXR {rounds + 1}"))
        parsed = TrfParser.parse(report, strict=True)
        parsed.write_to_file(back)
        ranking = ours("rank", report, "--json")
        if ranking != ours("rank", back, "--json"):
            differ.append(seed)
        points = {line["number"]: float(line["values"]["PTS"]) for line in map(json.loads, ranking.splitlines())}
        own = [tuple(map(int, line.split())) for line in ours("pair", report).splitlines()[1:]]
        dutch = [(pair.white, pair.black) for pair in DutchEngine.generate_pairings(parsed)]
        boards += len(own)
        for at, pairs in enumerate([own, dutch]):
            gaps[at] += sum(abs(points[a] - points[b]) for a, b in pairs if b)
        same += len({frozenset(pair) for pair in own} & {frozenset(pair) for pair in dutch})
print(f"{wish.seeds} reports, {len(differ)} differ {differ[:9]}; points apart at a board: "
      f"{gaps[0] / boards:.3f} ours, {gaps[1] / boards:.3f} Dutch; the same two at {same / boards:.0%} of {boards} boards")
sys.exit(bool(differ))
