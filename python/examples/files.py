"""Writes a game as PGN in three notations, reads it back, and says what is wrong with another one."""

from __future__ import annotations

import qiguan


def main() -> None:
    game = qiguan.Game("xiangqi")
    for move in ("炮二平五", "馬8進7", "馬二進三"):
        game.play(move)
    record = game.to_record().by("甲", "乙", date="2026-11-24")
    for notation in ("chinese", "wxf", "iccs"):
        text = record.write("pgn", notation=notation)
        assert qiguan.records.read(text).replay().fen == game.fen
        print(text.decode())
    try:
        game.play("a0a9")
    except qiguan.IllegalMoveError as error:
        print(error.key, error, error.zh)


if __name__ == "__main__":
    main()
