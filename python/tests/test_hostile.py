"""Catches a panic: whatever a function is given, it returns or raises an Exception, which PyO3's panics are not."""

import random
import subprocess
import sys

import numpy as np
import pytest

import qiguan
import qiguan._qiguan as native

THINGS = [
    None, True, 0, -1, 1, 5, 2**31, 2**64, -(2**63), 10**30, 0.5, float("nan"), "", "a", "h2e2", "xiangqi", "\x00", "😀" * 50,
    "9/" * 500, b"", b"PK\x03\x04", [], [1], [0] * 4, (), {}, set(), object(), np.zeros(3), np.zeros(4, np.int64), type, "json",
    "startpos", "u", (4, 4, "黑"), (4.0, 4, "黑"), "../../etc/passwd",
]


def calls():
    game, batch = qiguan.Game("gomoku", size=5), qiguan.Batch("gomoku", 4, size=5)
    yield qiguan.Game
    yield qiguan.Batch
    yield native.read_records
    yield native.LockedCore().play
    yield native.LockedCore().place
    for thing in (game, batch, game.to_record()):
        for name in dir(thing):
            if not name.startswith("_") and callable(getattr(thing, name)) and name != "perft":
                yield getattr(thing, name)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_panics(seed):
    chance = random.Random(seed)
    tried = 0
    for call in calls():
        for _ in range(120):
            arguments = [chance.choice(THINGS) for _ in range(chance.randrange(4))]
            try:
                call(*arguments)
            except Exception:
                pass
            tried += 1
    assert tried > 1000


def test_random_bytes_as_files():
    chance = random.Random(9)
    for format in qiguan.records.formats():
        for _ in range(60):
            data = bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
            try:
                qiguan.records.read_all(data, format, "xiangqi")
            except qiguan.RecordError:
                pass


@pytest.mark.skipif(sys.platform != "linux", reason="limits threads as Linux does")
def test_work_is_done_without_more_threads():
    text = """
import os, resource
import numpy, qiguan
game = qiguan.Game("xiangqi")
alone, batch = (qiguan.Batch("gomoku/standard", 128, seed=1, threads=threads) for threads in (1, 2))
for _ in range(3):
    alone.step(alone.sample())
if os.getuid() == 0:
    os.setuid(65534)  # root is not limited
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
for _ in range(3):
    batch.step(batch.sample())
assert batch.fens() == alone.fens()
assert game.perft(3, threads=2) == 79_666
assert qiguan.engine.best(game, nodes=2000, threads=2).move in game.moves()
"""
    subprocess.run([sys.executable, "-c", text], check=True)
