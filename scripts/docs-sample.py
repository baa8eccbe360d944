#!/usr/bin/env python3
"""Draws doc comments by chance, to be judged by a reader.

Usage: scripts/docs-sample.py [--seed 7] [--count 200] [--commit COMMIT]

Writes each doc comment (`///`) that was drawn from crates/*/src with its place and the line of code it belongs to; a
number, the place, the lines. The same seed draws the same docs of a commit. Without a commit, the docs of HEAD.
"""
import argparse
import pathlib
import random
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def git(*arguments):
    """Returns what git writes."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout.decode()


def docs(path, source):
    """The doc comments of a file: place, lines, and the code line behind."""
    block = []
    for number, line in enumerate(source.split("\n"), start=1):
        text = line.strip()
        if text.startswith("///") and not text.startswith("////"):
            block.append(text)
        elif block and text.startswith("#["):
            continue
        elif block:
            yield f"{path}:{number}", block, text
            block = []


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--commit", default="HEAD")
    asked = options.parse_args()
    paths = git("ls-tree", "-r", "--name-only", asked.commit, "crates").split("\n")
    paths = sorted(path for path in paths if re.fullmatch(r"crates/[^/]+/src/.*\.rs", path))
    found = [doc for path in paths for doc in docs(path, git("show", f"{asked.commit}:{path}"))]
    drawn = random.Random(asked.seed).sample(found, min(asked.count, len(found)))
    print(f"{len(drawn)} of {len(found)} doc comments of {asked.commit}, seed {asked.seed}")
    for number, (place, block, code) in enumerate(drawn, start=1):
        print(f"\n{number}. {place}", *block, code, sep="\n")


if __name__ == "__main__":
    main()
