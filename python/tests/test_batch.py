"""Catches a batch that plays otherwise than single games do, or tells arrays of another shape than it says."""

import threading

import numpy as np
import pytest

import qiguan
from test_game import EVERY


@pytest.mark.parametrize("key, options", EVERY)
def test_a_batch_plays_what_games_play(key, options):
    batch = qiguan.Batch(key, 3, seed=7, threads=1, **options)
    games = [qiguan.Game(key, **options) for _ in range(3)]
    for _ in range(120):
        assert batch.over.any() or len(batch.legal_actions()[0]) == sum(len(game.moves()) for game in games)
        actions = batch.sample()
        rewards, ended, cut = batch.step(actions, autoreset=False)
        assert rewards.shape == (3, 2) and rewards.dtype == np.float32 and not cut.any()
        for nth, game in enumerate(games):
            before = game.outcome
            if before is None:
                game.play_action(int(actions[nth]))
            outcome = game.outcome
            assert bool(ended[nth]) == (before is None and outcome is not None)
            if ended[nth]:
                winner = outcome.winner
                assert rewards[nth].tolist() == ([0, 0] if winner is None else [1, -1] if winner == 0 else [-1, 1])
            else:
                assert rewards[nth].tolist() == [0, 0]
        assert batch.fens() == [game.fen for game in games]
        assert batch.turn.tolist() == [game.turn for game in games]
        assert batch.ply.tolist() == [game.ply for game in games]
    assert (batch.legal_mask() == np.stack([game.legal_mask for game in games])).all()
    assert (batch.observe() == np.stack([game.observation() for game in games])).all()
    flat, ends = batch.legal_actions()
    for nth, game in enumerate(games):
        assert flat[ends[nth]:ends[nth + 1]].tolist() == game.legal_actions().tolist()
    assert batch.game(1).record == games[1].record


def test_games_begin_anew():
    batch = qiguan.Batch("gomoku/standard", 64, seed=3, size=5)
    start, ended_once, total = batch.fens()[0], np.zeros(64, bool), 0.0
    for _ in range(60):
        rewards, ended, _ = batch.step(batch.sample())
        ended_once |= ended
        total += float(np.abs(rewards).sum())
        assert all(fen == start for fen, over in zip(batch.fens(), ended) if over)
        assert not batch.over.any()
    assert ended_once.all() and total > 0


def test_games_are_cut_off():
    batch = qiguan.Batch("locked", 2, max_plies=4)
    for ply in range(1, 5):
        _, ended, cut = batch.step(batch.sample(), autoreset=False)
        assert cut.tolist() == [ply == 4] * 2 or ended.any()
    assert batch.over.all() and batch.sample().tolist() == [-1, -1]


def test_the_same_seed_plays_the_same_on_any_number_of_threads():
    def fens(threads):
        batch = qiguan.Batch("xiangqi", 500, seed=11, threads=threads)
        for _ in range(30):
            batch.step(batch.sample())
        return batch.fens()

    assert fens(1) == fens(3)
    batch = qiguan.Batch("xiangqi", 10, seed=5)
    first = batch.sample()
    batch.step(first)
    batch.reset(seed=5)
    assert (batch.sample() == first).all()


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_games_of_a_batch_go_their_own_ways(seed):
    # A number drawn was once drawn again by the next game a ply later, so that games became the same.
    batch = qiguan.Batch("gomoku/standard", 1000, seed=seed, size=5)
    moves, first = [[] for _ in range(1000)], np.ones(1000, bool)
    for _ in range(25):
        actions = batch.sample()
        for nth in np.flatnonzero(first):
            moves[nth].append(int(actions[nth]))
        _, ended, _ = batch.step(actions)
        first &= ~ended
    assert len(set(map(tuple, moves))) == 1000

    # In one position: no four numbers in a row are drawn twice, by whichever games.
    batch = qiguan.Batch("gomoku/freestyle", 64, seed=seed, size=20)
    drawn = np.stack([batch.sample() for _ in range(40)], axis=1).tolist()
    runs = [tuple(numbers[at:at + 4]) for numbers in drawn for at in range(37)]
    assert len(set(runs)) == len(runs)


@pytest.mark.parametrize("actions, kind", [
    ([0], ValueError),
    ([0, 0, 0], qiguan.IllegalMoveError),
    ([-1, -1, -1], qiguan.IllegalMoveError),
    (np.array([2**62] * 3), qiguan.IllegalMoveError),
    (np.zeros((3, 1), np.int64), TypeError),
    (np.zeros(3), TypeError),
    ("abc", TypeError),
    (None, TypeError),
])
def test_what_does_not_fit_plays_nothing(actions, kind):
    batch = qiguan.Batch("xiangqi", 3)
    before = batch.fens()
    with pytest.raises(kind):
        batch.step(actions)
    assert batch.fens() == before


def test_int32_and_slices_are_taken():
    batch = qiguan.Batch("xiangqi", 3)
    batch.step(batch.sample().astype(np.int32))
    twice = np.repeat(batch.sample(), 2)
    batch.step(twice[::2])
    assert batch.ply.tolist() == [2, 2, 2]


@pytest.mark.parametrize("games", [0, -1, 2**21, 2**70])
def test_how_many(games):
    with pytest.raises((ValueError, OverflowError)):
        qiguan.Batch("xiangqi", games)


def test_too_large_an_array_is_refused():
    batch = qiguan.Batch("draughts/canadian", 2**16)
    with pytest.raises(qiguan.LimitError):
        batch.legal_mask()


def test_another_thread_is_told_to_wait():
    batch = qiguan.Batch("xiangqi", 5000, seed=1)
    told = []

    def work():
        for _ in range(200):
            try:
                batch.sample()
            except RuntimeError as error:
                told.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(20):
        try:
            batch.reset()
        except RuntimeError as error:
            told.append(str(error))
    thread.join()
    assert all("borrowed" in text for text in told)
