"""Catches a game that plays, tells, copies or refuses otherwise than it says."""

import copy
import gc
import glob
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import qiguan

SIMPLE = [info.key for info in qiguan.games() if info.key != "jingbanqi"]
EVERY = [(key, {}) for key in SIMPLE] + [("jingbanqi", {"map": "mountains"})]


def played(key, plies, seed=0, **options):
    game = qiguan.Game(key, **options)
    random = np.random.default_rng(seed)
    for _ in range(plies):
        moves = game.moves()
        if not moves:
            break
        game.play(moves[random.integers(len(moves))])
    return game


def test_xiangqi_as_people_write_it():
    game = qiguan.Game("xiangqi")
    assert (len(game.moves()), game.sides, game.turn) == (44, ("red", "black"), 0)
    assert game.play("炮二平五") == "h2e2"
    assert game.names("chinese") == ["炮二平五"]
    assert game.record == ["h2e2"] and game.ply == 1 and game.turn == 1
    assert game.undo() == "h2e2" and game.undo() is None
    assert [game.perft(depth) for depth in range(4)] == [1, 44, 1920, 79666]
    assert game.perft(4, threads=2) == 3290240


def test_an_end_is_told():
    game = qiguan.Game("gomoku", size=15)
    for point in "h8 a1 i8 a2 j8 a3 k8 a4 l8".split():
        game.play(point)
    assert game.outcome == qiguan.Outcome("win", 0, "five-in-a-row")
    assert game.moves() == [] and not game.legal_mask.any()
    with pytest.raises(qiguan.GameOverError) as error:
        game.play("b1")
    assert error.value.kind == "game-over" and error.value.zh


@pytest.mark.parametrize("call, kind, key", [
    (lambda: qiguan.Game("chess"), qiguan.UnknownGameError, "unknown-game"),
    (lambda: qiguan.Game("xiangqi", "nonsense"), qiguan.FenError, None),
    (lambda: qiguan.Game("xiangqi", "9" * 5000), qiguan.FenError, "fen-too-long"),
    (lambda: qiguan.Game("gomoku", size=99), qiguan.RequestError, "option-out-of-range"),
    (lambda: qiguan.Game("gomoku", colour=1), qiguan.RequestError, "unknown-option"),
    (lambda: qiguan.Game("jingbanqi"), qiguan.RequestError, "map-needed"),
    (lambda: qiguan.Game("xiangqi", map="mountains"), qiguan.RequestError, "map-not-needed"),
    (lambda: qiguan.Game("jingbanqi", map="/no/such.xlsx"), qiguan.MapError, "map-file"),
    (lambda: qiguan.Game("jingbanqi", map=b"no workbook"), qiguan.MapError, None),
    (lambda: qiguan.Game("xiangqi").play("a9a1"), qiguan.IllegalMoveError, None),
    (lambda: qiguan.Game("xiangqi").play_action(-1), qiguan.IllegalMoveError, "action-not-legal"),
    (lambda: qiguan.Game("xiangqi").play_action(2**40), qiguan.IllegalMoveError, "action-not-legal"),
    (lambda: qiguan.Game("xiangqi").perft(60), qiguan.LimitError, "perft-too-deep"),
    (lambda: qiguan.Game("xiangqi", size=2**70), TypeError, None),
    (lambda: qiguan.Game("xiangqi", size="big"), TypeError, None),
    (lambda: qiguan.Game(3), TypeError, None),
    (lambda: qiguan.Game("jingbanqi", map=3), TypeError, None),
    (lambda: qiguan.Game("xiangqi").play(None), TypeError, None),
    (lambda: qiguan.Game("xiangqi").play("\ud800"), Exception, None),
    (lambda: qiguan.Game("xiangqi").names("klingon"), ValueError, None),
    (lambda: qiguan.Game("xiangqi").perft(-1), OverflowError, None),
])
def test_what_does_not_fit_is_refused(call, kind, key):
    with pytest.raises(kind) as error:
        call()
    if key is not None:
        assert error.value.key == key and str(error.value) and error.value.zh
    again = pickle.loads(pickle.dumps(error.value))
    assert str(again) == str(error.value)


def test_words_are_those_of_the_referee():
    program = os.environ.get("QIGUAN")
    if program is None:
        pytest.skip("the variable QIGUAN names no program")
    asked = '{"game": "xiangqi", "moves": ["a0a9"]}\n'
    answer = subprocess.run([program, "referee"], input=asked, capture_output=True, text=True, check=True).stdout
    with pytest.raises(qiguan.IllegalMoveError) as error:
        qiguan.Game("xiangqi").play("a0a9")
    assert str(error.value) in answer


@pytest.mark.parametrize("key, options", EVERY)
def test_every_game(key, options):
    game = played(key, 60, **options)
    start = qiguan.Game(key, **options)
    mask = game.legal_mask
    assert mask.dtype == np.int8 and mask.shape == (game.actions,) and mask.sum() == len(game.moves())
    assert [game.text_of(int(action)) for action in game.legal_actions()] == game.moves()
    assert [game.action(text) for text in game.moves()] == game.legal_actions().tolist()
    seen = game.observation()
    assert seen.shape == game.observation_shape == start.observation_shape and len(game.planes) == len(seen)
    assert seen.dtype == np.float32 and 0 <= seen.min() and seen.max() <= 1
    pieces = len(game.planes) - 5
    assert seen[:pieces].sum() == len(game.pieces())
    assert (seen[pieces] == (game.turn == 0)).all()
    for again in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert (again.fen, again.record, again.moves(), again.options) == (
            game.fen, game.record, game.moves(), game.options)
        if again.moves():
            again.play(again.moves()[0])
            assert again.ply == game.ply + 1
    while game.undo() is not None:
        pass
    assert game.fen == start.fen and game.position_key == start.position_key


def test_a_map_from_a_file_and_from_its_bytes(tmp_path):
    file = os.path.join(os.path.dirname(__file__), "../../maps/mountains.xlsx")
    with open(file, "rb") as opened:
        data = opened.read()
    games = [qiguan.Game("jingbanqi", map=file), qiguan.Game("jingbanqi", map=data)]
    assert games[0].moves() == games[1].moves() == qiguan.Game("jingbanqi", map="mountains").moves()
    assert pickle.loads(pickle.dumps(games[1])).moves() == games[1].moves()


def test_extensions_need_the_program(monkeypatch):
    monkeypatch.delenv("QIGUAN", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(qiguan.ExtensionError) as error:
        qiguan.Game("jingbanqi", map="leap")
    assert error.value.key == "map-extensions-not-run"


def test_extensions_in_worker_processes():
    program = os.environ.get("QIGUAN")
    if program is None:
        pytest.skip("the variable QIGUAN names no program")
    game = played("jingbanqi", 10, map="leap", program=program)
    assert game.ply > 0
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again.moves() == game.moves()


def workers():
    """The processes that this one started and that have not ended."""
    found = set()
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(path.split("/")[2]))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as Linux lists them")
@pytest.mark.parametrize("first", [
    lambda game, batch: qiguan.engine.best(game, nodes=20).move in game.moves(),
    lambda game, batch: batch.step(batch.sample()) is not None,
    lambda game, batch: game.perft(2) > 0,
    lambda game, batch: game.moves() == game.copy().moves() and game.play(game.moves()[0]),
])
def test_a_fork_leaves_the_workers_of_its_parent_alone(first):
    program = os.environ.get("QIGUAN")
    if program is None:
        pytest.skip("the variable QIGUAN names no program")
    before = workers()
    held = [
        played("jingbanqi", 10, map="leap", program=program), qiguan.Batch("jingbanqi", 3, map="leap", program=program)
    ]
    held[1].step(held[1].sample())
    ours = workers() - before
    assert ours
    assert forked(lambda: first(*held))
    assert forked(lambda: held.clear() or gc.collect() >= 0), "who has them no more ends no worker either"
    assert workers() - before == ours
    held[1].step(held[1].sample())
    assert len(held[0].moves()) > 0
    assert workers() - before == ours, "they were asked again, and not started anew"


def forked(check):
    """Whether `check` holds in a forked process, which may take a minute."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if check() else 1)
        finally:
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_plays_on():
    game = played("xiangqi", 20)
    batch = qiguan.Batch("xiangqi", 256, seed=1)
    batch.step(batch.sample())
    assert forked(lambda: game.perft(2, threads=2) > 0 and batch.step(batch.sample()) and game.play(game.moves()[0]))
    assert batch.step(batch.sample()) is not None


def test_games_from_many_threads():
    game = qiguan.Game("draughts/international")
    failed = []

    def work():
        try:
            for _ in range(200):
                mine = game.copy()
                mine.play(mine.moves()[0])
                assert game.perft(3) == 658
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_games_go_away_when_nobody_has_them():
    game = qiguan.Game("xiangqi")
    gone = weakref.ref(game)
    del game
    gc.collect()
    assert gone() is None


def test_a_thousand_games_are_small():
    text = (
        "import resource, qiguan\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "games = [qiguan.Game('xiangqi') for _ in range(1000)]\n"
        "import itertools\n"
        "for game in games:\n"
        "    for move in itertools.islice(itertools.cycle(['h2e2', 'h7e7', 'e2h2', 'e7h7']), 8): game.play(move)\n"
        "    for _ in range(12):\n"
        "        moves = game.moves()\n"
        "        if not moves: break\n"
        "        game.play(moves[-1])\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print((after - before) // 1024)\n"
    )
    told = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 50, f"{told.stdout} MB"


def test_import_brings_no_heavy_module():
    text = "import sys, qiguan; print(sorted({'numpy', 'gymnasium', 'pettingzoo'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_spawned_process_takes_games():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(len_of_moves, [qiguan.Game("xiangqi")]) == [44]


def len_of_moves(game):
    return len(game.moves())
