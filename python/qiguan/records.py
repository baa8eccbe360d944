"""Games as files. The formats are those of docs/formats.md."""

from __future__ import annotations

import os
from typing import Iterator, Optional, Union

from ._errors import RecordError
from ._qiguan import Record
from ._qiguan import formats as _formats
from ._qiguan import iterate_records, read_record, read_records

__all__ = ["formats", "iterate", "load", "read", "read_all"]

MOST_BYTES = 1 << 30
"""Files that are longer are refused."""


def formats() -> dict[str, bool]:
    """The formats that are read, by their key (`json`, `pgn`, `sgf`, `pdn` …): whether they are written, too."""
    return dict(_formats())


def read_all(data: Union[bytes, str], format: Optional[str] = None, game: Optional[str] = None) -> list[Record]:
    """All games of a file's content, in order; its format is found out where none is named.

    `game` names the game of positions in the format `fen`. Of a game with a move that is not possible, what comes before
    it is kept, and its `cut` says where. Raises RecordError with the place of what does not fit where nothing is left,
    LimitError for more than 100 000 games.
    """
    return read_records(data, format, game)


def read(data: Union[bytes, str], format: Optional[str] = None, game: Optional[str] = None) -> Record:
    """The first game of a file's content. Raises RecordError, also when there is none."""
    found = read_record(data, format, game)
    if found is None:
        raise RecordError("There is no game in it.")
    return found


def load(path: Union[str, "os.PathLike[str]"], format: Optional[str] = None, game: Optional[str] = None) -> list[Record]:
    """All games of a file. Raises OSError where it cannot be read, RecordError where it does not fit, LimitError for more
    than 100 000 games: `iterate` reads these.
    """
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecordError(f"{os.fspath(path)} is longer than {MOST_BYTES} bytes.")
    return read_all(data, format, game)


def iterate(
    path: Union[str, "os.PathLike[str]"], format: Optional[str] = None, game: Optional[str] = None
) -> Iterator[Record]:
    """The games of a file one after another, however many they are: one is in memory at a time.

    Raises OSError where the file cannot be read, RecordError where its format is not known. Of a game with a move that is
    not possible, what comes before it is kept (see `Record.cut`). For a game of which nothing is left `next` raises
    RecordError, and called again it goes on behind that game.
    """
    return iterate_records(path, format, game)
