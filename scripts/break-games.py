#!/usr/bin/env python3
"""The first games of a PGN of xiangqi in Chinese, some of them broken: what an import has to refuse, and nothing else.

    scripts/break-games.py games.pgn --games 100000 --broken 1000 --seed 1 --out broken.pgn --list broken.jsonl

The list has a line for each broken game: its number and its first line in the file, both from 1, and how it was broken.
"""

import argparse
import json
import random
import re

MOVE = re.compile(rb"(?<=\s)(?:[\x80-\xff]{3}|\d){4}(?=\s)")


def illegal(game, chance):
    """A general that goes five squares."""
    at = chance.choice(list(MOVE.finditer(game)))
    return game[: at.start()] + "帅五进五".encode() + game[at.end() :]


def cut(game, chance):
    """The text ends in the middle of a move."""
    at = chance.choice(list(MOVE.finditer(game)))
    return game[: at.start() + 3] + b"\n\n"


def result(game, chance):
    """A result that there is not, in the heading and at the end."""
    text = re.search(rb'\[Result "([^"]*)"\]', game)[1]
    return game.replace(text, chance.choice([b"3-0", b"won", b"1-1-0"]))


def unreadable(game, chance):
    """Bytes that are no text in UTF-8, in a move."""
    at = chance.choice(list(MOVE.finditer(game)))
    return game[: at.start()] + bytes([0xFF, 0xFE, 0x80 | chance.randrange(64)]) + game[at.start() + 3 :]


def foreign(game, chance):
    """A move of another game."""
    at = chance.choice(list(MOVE.finditer(game)))
    return game[: at.start()] + b"Qxh7#" + game[at.end() :]


WAYS = [illegal, cut, result, unreadable, foreign]


def games(file):
    lines = []
    for line in file:
        if line.startswith(b"[Game ") and lines:
            yield b"".join(lines)
            lines = []
        lines.append(line)
    if lines:
        yield b"".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--broken", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    parser.add_argument("--list", required=True)
    wish = parser.parse_args()
    chance = random.Random(wish.seed)
    chosen = set(chance.sample(range(1, wish.games + 1), wish.broken))
    line = 1
    with open(wish.file, "rb") as file, open(wish.out, "wb") as out, open(wish.list, "w", encoding="utf-8") as told:
        for number, game in zip(range(1, wish.games + 1), games(file)):
            if number in chosen:
                way = chance.choice(WAYS)
                game = way(game, chance)
                told.write(json.dumps({"game": number, "line": line, "broken": way.__name__}) + "\n")
            out.write(game)
            line += game.count(b"\n")


if __name__ == "__main__":
    main()
