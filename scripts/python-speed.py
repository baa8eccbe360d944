#!/usr/bin/env python3
"""Measures the package for Python beside others, in one run: random play, and the calls of the locked chess program.

    make wheel && target/wheels/venv/bin/python scripts/python-speed.py

What is not installed is named and left out: pyffish (xiangqi), pydraughts (draughts), open_spiel (Go has no counterpart
here; checkers and Hex are its nearest). Every line plays whole games by legal moves chosen by chance, counts plies, and says
how many were played a second. `QIGUAN_SECONDS` is how long each line takes, usually 3.
"""

from __future__ import annotations

import importlib
import os
import platform
import random
import subprocess
import sys
import time
from typing import Callable, Optional

import numpy as np

import qiguan

SECONDS = float(os.environ.get("QIGUAN_SECONDS", "3"))
REFERENCE = 6_800  # operations a second of the locked chess program in pure Python, by its own measurement


def there(name: str) -> Optional[object]:
    try:
        return importlib.import_module(name)
    except Exception:
        print(f"  {name} is not installed: left out")
        return None


def rate(work: Callable[[float], int]) -> float:
    """`work` goes on until a moment and returns how much it did."""
    began = time.perf_counter()
    done = work(began + SECONDS)
    return done / (time.perf_counter() - began)


def say(what: str, rate: float, unit: str = "plies/s") -> None:
    print(f"  {what:<58}{rate:>14,.0f} {unit}")


def batch(key: str, threads: int, games: int = 4096, **options: int) -> Callable[[float], int]:
    def work(until: float) -> int:
        played = qiguan.Batch(key, games, seed=1, threads=threads, **options)
        plies = 0
        while time.perf_counter() < until:
            played.step(played.sample())
            plies += games
        return plies

    return work


def watched(key: str, games: int = 1024, **options: int) -> Callable[[float], int]:
    """The same with what a learner reads: observations and masks of every position."""

    def work(until: float) -> int:
        played = qiguan.Batch(key, games, seed=1, **options)
        plies = 0
        while time.perf_counter() < until:
            played.observe()
            played.legal_mask()
            played.step(played.sample())
            plies += games
        return plies

    return work


def single(key: str, **options: int) -> Callable[[float], int]:
    """One `Game` after another, with moves as text."""

    def work(until: float) -> int:
        chance = random.Random(1)
        plies = 0
        while time.perf_counter() < until:
            game = qiguan.Game(key, **options)
            while moves := game.moves():
                game.play(chance.choice(moves))
                plies += 1
                if time.perf_counter() >= until:
                    break
        return plies

    return work


def pyffish_play(pyffish: object) -> Callable[[float], int]:
    def work(until: float) -> int:
        chance = random.Random(1)
        start = pyffish.start_fen("xiangqi")  # type: ignore[attr-defined]
        plies = 0
        while time.perf_counter() < until:
            moves: list[str] = []
            fen = start
            while True:
                legal = pyffish.legal_moves("xiangqi", fen, [])  # type: ignore[attr-defined]
                if not legal or len(moves) >= 300 or time.perf_counter() >= until:
                    break
                move = chance.choice(legal)
                fen = pyffish.get_fen("xiangqi", fen, [move])  # type: ignore[attr-defined]
                moves.append(move)
                plies += 1
        return plies

    return work


def pydraughts_play(draughts: object) -> Callable[[float], int]:
    def work(until: float) -> int:
        chance = random.Random(1)
        plies = 0
        while time.perf_counter() < until:
            board = draughts.Board(variant="standard")  # type: ignore[attr-defined]
            for _ in range(300):
                legal = list(board.legal_moves())
                if not legal or time.perf_counter() >= until:
                    break
                board.push(chance.choice(legal))
                plies += 1
        return plies

    return work


def spiel_play(pyspiel: object, name: str) -> Callable[[float], int]:
    def work(until: float) -> int:
        chance = random.Random(1)
        game = pyspiel.load_game(name)  # type: ignore[attr-defined]
        plies = 0
        while time.perf_counter() < until:
            state = game.new_initial_state()
            while not state.is_terminal() and time.perf_counter() < until:
                state.apply_action(chance.choice(state.legal_actions()))
                plies += 1
        return plies

    return work


def locked_chess(game: object) -> Callable[[float], int]:
    def work(until: float) -> int:
        operations = 0
        while time.perf_counter() < until:
            game.game_start()  # type: ignore[attr-defined]
            legal_operation, operation = game.legal_operation, game.operation  # type: ignore[attr-defined]
            for _ in range(200):
                legal = legal_operation()
                if legal == "fail":
                    break
                operation(legal[-1])
                operations += 1
        return operations

    return work


def imported() -> float:
    """Milliseconds of `import qiguan`, the best of five, beside an interpreter that imports nothing."""

    def run(text: str) -> float:
        best = 1e9
        for _ in range(5):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", text], check=True)
            best = min(best, time.perf_counter() - began)
        return best * 1000

    return run("import qiguan") - run("pass")


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()}, numpy {np.__version__}")
    print(f"qiguan {qiguan.__version__}: import takes {imported():.0f} ms")
    print("random play, batches of 4096 games, arrays in and out")
    for key in ("gomoku/standard", "gomoku/freestyle", "xiangqi", "draughts/international", "draughts/russian", "locked"):
        say(f"{key}, one core", rate(batch(key, 1)))
        say(f"{key}, all cores", rate(batch(key, 0)))
    print("the same with every observation and mask, 1024 games, all cores")
    for key in ("gomoku/standard", "xiangqi", "draughts/international"):
        say(key, rate(watched(key)))
    print("one game at a time, one core, moves as Python values")
    say("qiguan.Game gomoku/standard", rate(single("gomoku/standard")))
    say("qiguan.Game xiangqi", rate(single("xiangqi")))
    say("qiguan.Game draughts/international", rate(single("draughts/international")))
    say("qiguan.Game draughts/english", rate(single("draughts/english")))
    if pyffish := there("pyffish"):
        say("pyffish xiangqi", rate(pyffish_play(pyffish)))
    if draughts := there("draughts"):
        say("pydraughts international", rate(pydraughts_play(draughts)))
    if pyspiel := there("pyspiel"):
        for name in ("checkers", "hex(board_size=15)"):
            say(f"OpenSpiel {name}", rate(spiel_play(pyspiel, name)))
    print("locked chess, the calls legal_operation() and operation(), one core")
    import locked_chess_game_module as module
    from LockedChessClass import LockedChessClass

    for name, game in (("class", LockedChessClass()), ("module", module)):
        found = rate(locked_chess(game))
        say(f"drop-in, {name}: {found / REFERENCE:.0f} x the reference's {REFERENCE:,}", found, "operations/s")


if __name__ == "__main__":
    main()
