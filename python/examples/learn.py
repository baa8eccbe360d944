"""The value of the first move in 5x5 gomoku, by random play of a thousand games at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import qiguan


def values(games: int, plies: int) -> npt.NDArray[np.float64]:
    """The mean result for the first player of games that begin with each action; NaN where none did."""
    batch = qiguan.Batch("gomoku/standard", games, size=5, seed=1)
    first: npt.NDArray[np.int64] = np.full(games, -1)
    total, count = np.zeros(batch.actions), np.zeros(batch.actions)
    for _ in range(plies):
        actions = batch.sample()
        first = np.where(batch.ply == 0, actions, first)
        rewards, ended, _ = batch.step(actions)
        np.add.at(total, first[ended], rewards[ended, 0])
        np.add.at(count, first[ended], 1)
    with np.errstate(invalid="ignore"):
        return total / count


def main() -> None:
    found = values(1000, 500)[:25].reshape(5, 5)
    assert np.isfinite(found).all()
    print(np.round(found, 2))


if __name__ == "__main__":
    main()
