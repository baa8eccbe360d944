"""Catches records that do not come back, and an engine that answers otherwise than it says."""

import signal
import threading
import time

import pytest

import qiguan
from test_game import EVERY, played


def test_formats():
    formats = qiguan.records.formats()
    assert formats["json"] and formats["pgn"] and formats["xqf"] and not formats["cbr"]


@pytest.mark.parametrize("key, options", EVERY)
def test_every_game_comes_back(key, options):
    game = played(key, 40, **options)
    record = qiguan.records.read(game.dump())
    assert record.game == game.key and record.moves == game.record
    assert record.replay().fen == game.fen
    assert record.options == game.options


@pytest.mark.parametrize("key, format", [("xiangqi", "pgn"), ("gomoku/renju", "sgf"), ("draughts/russian", "pdn")])
def test_other_formats(key, format):
    game = played(key, 30)
    record = game.to_record().by("甲", "乙", date="2026-11-24")
    (again,) = qiguan.records.read_all(record.write(format))
    assert again.replay().fen == game.fen and again.players == ("甲", "乙")


def test_files(tmp_path):
    file = tmp_path / "two.pgn"
    file.write_bytes(played("xiangqi", 10).dump("pgn") + b"\n" + played("xiangqi", 12, seed=1).dump("pgn"))
    assert [len(record.moves) for record in qiguan.records.load(file)] == [10, 12]
    with pytest.raises(FileNotFoundError):
        qiguan.records.load(tmp_path / "none.pgn")


def test_more_games_than_a_list_has(tmp_path):
    # What was behind the last of them was once left out without a word.
    most = "x\n" * 100_000
    assert len(qiguan.records.read_all(most, "fen", "xiangqi")) == 100_000
    file = tmp_path / "many.fen"
    file.write_text(most + "x\n")
    for refused in (
        lambda: qiguan.records.read_all(most + "x\n", "fen", "xiangqi"),
        lambda: qiguan.records.load(file, "fen", "xiangqi"),
    ):
        with pytest.raises(qiguan.LimitError) as error:
            refused()
        assert error.value.key == "python-too-many-records" and error.value.facts == {"most": "100000"}
    assert sum(1 for _ in qiguan.records.iterate(file, "fen", "xiangqi")) == 100_001
    assert qiguan.records.read(most + "x\n", "fen", "xiangqi").start == "x"


def test_games_one_after_another(tmp_path):
    file = tmp_path / "three.pgn"
    games = [played("xiangqi", plies, seed=plies).dump("pgn") for plies in (10, 11, 12)]
    file.write_bytes(b"\n".join(games))
    assert [len(record.moves) for record in qiguan.records.iterate(file)] == [10, 11, 12]
    assert list(qiguan.records.iterate(str(file), "pgn"))[2].replay().ply == 12
    file.write_bytes(b"\n".join([games[0], b'[Game "Chinese Chess"]\n\n1. a0a9 *\n', games[2]]))
    reading = qiguan.records.iterate(file)
    assert len(next(reading).moves) == 10
    with pytest.raises(qiguan.RecordError):
        next(reading)
    assert [len(record.moves) for record in reading] == [12]
    assert len(qiguan.records.read(file.read_bytes()).moves) == 10
    with pytest.raises(FileNotFoundError):
        qiguan.records.iterate(tmp_path / "none.pgn")
    with pytest.raises(qiguan.RecordError):
        qiguan.records.iterate(__file__)


@pytest.mark.parametrize("format, content, moves, facts", [
    ("pgn", '[Game "Chinese Chess"]\n\n1. h2e2 h9g7 2. a0a9 *\n', ["h2e2", "h9g7"], {"turn": "2", "where": "main"}),
    ("pdn", '[GameType "20"]\n\n1. 32-28 19-23 2. 99-98 *\n', ["32-28", "19-23"], {"turn": "2", "where": "main"}),
    ("json", '{"format":"qiguan-record","version":1,"game":"xiangqi","moves":["h2e2","a0a9"]}', ["h2e2"], {"turn": "1", "by": "second"}),
    ("json", '{"format":"qiguan-record","version":1,"game":"xiangqi","moves":["a0a9","h2e2"]}', None, None),
    # In two parts, so that this file itself begins like nothing that is known.
    ("sgf", "(" ";FF[4]GM[4]SZ[15];B[hh];W[hh])", ["h8"], {"turn": "1", "by": "second"}),
])
def test_a_cut_game_keeps_what_is_possible(tmp_path, format, content, moves, facts):
    file = tmp_path / f"game.{format}"
    file.write_text(content)
    if moves is None:
        with pytest.raises(qiguan.RecordError):
            qiguan.records.read(content, format)
        return
    for record in (qiguan.records.read(content), qiguan.records.read_all(content, format)[0],
                   next(qiguan.records.iterate(file)), qiguan.records.load(file)[0]):
        assert record.moves == moves
        assert isinstance(record.cut, qiguan.RecordError) and facts.items() <= record.cut.facts.items()
        assert "not possible" in str(record.cut) and record.tags["Cut"]
        assert record.replay().ply == len(moves)
        assert record.by("a", "b").cut.key == record.cut.key
    whole = qiguan.Game("xiangqi").to_record()
    assert whole.cut is None and qiguan.records.read(whole.write()).cut is None


@pytest.mark.parametrize("call", [
    lambda: qiguan.records.read(b"\x00\x01"),
    lambda: qiguan.records.read(""),
    lambda: qiguan.records.read("{}"),
    lambda: qiguan.records.read("x", "no-such"),
    lambda: qiguan.Game("xiangqi").dump("sgf"),
    lambda: qiguan.Game("xiangqi").dump("no-such"),
    lambda: qiguan.Game("xiangqi").to_record().write("pgn", notation="no-such"),
    lambda: qiguan.records.read('{"format":"qiguan-game","version":1,"game":"xiangqi","moves":["a0a9"]}').replay(),
])
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(qiguan.RecordError):
        call()


@pytest.mark.parametrize("key, options", EVERY)
def test_the_engine_plays_every_game(key, options):
    game = qiguan.Game(key, **options)
    best = qiguan.engine.best(game, nodes=300)
    assert best.move in game.moves() and best.nodes > 0 and best.lines[0].moves[0] in game.moves()
    assert game.ply == 0
    assert qiguan.engine.best(game, nodes=300) == best
    assert qiguan.engine.best(game, level=1, seed=3).move in game.moves()


def test_a_mate_is_told():
    game = qiguan.Game("gomoku", size=15)
    for point in "h8 a1 i8 a2 j8 a3 k8 a4".split():
        game.play(point)
    best = qiguan.engine.best(game, nodes=5000, lines=2)
    assert best.win_in == 1 and best.score is None and len(best.lines) == 2
    game.play(best.move)
    assert qiguan.engine.best(game, nodes=10) is None


def test_limits():
    game = qiguan.Game("xiangqi")
    for wrong, kind in (
        ({}, qiguan.RequestError), ({"level": 11}, qiguan.RequestError), ({"level": 0}, qiguan.RequestError),
        ({"movetime": 10**9}, qiguan.LimitError), ({"nodes": 10, "lines": 1000}, qiguan.LimitError),
        ({"nodes": -1}, OverflowError), ({"nodes": "x"}, TypeError),
    ):
        with pytest.raises(kind):
            qiguan.engine.best(game, **wrong)


@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="no signals here")
@pytest.mark.parametrize("work", [
    lambda game: qiguan.engine.best(game, movetime=60_000),
    lambda game: game.perft(7),
])
def test_ctrl_c_ends_it(work):
    # Whoever runs tests in the background has it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work(qiguan.Game("xiangqi"))
    assert time.monotonic() - began < 50
