"""Games as files. The formats are those of docs/formats.md."""

from __future__ import annotations

import os
from typing import Optional, Union

from ._errors import RecordError
from ._qiguan import Record
from ._qiguan import formats as _formats
from ._qiguan import read_records

__all__ = ["formats", "load", "read", "read_all"]

MOST_BYTES = 1 << 30
"""Files that are longer are refused."""


def formats() -> dict[str, bool]:
    """The formats that are read, by their key (`json`, `pgn`, `sgf`, `pdn` …): whether they are written, too."""
    return dict(_formats())


def read_all(data: Union[bytes, str], format: Optional[str] = None, game: Optional[str] = None) -> list[Record]:
    """All games of a file's content, in order; its format is found out where none is named.

    `game` names the game of positions in the format `fen`. Raises RecordError with the place of what does not fit.
    """
    return read_records(data, format, game)


def read(data: Union[bytes, str], format: Optional[str] = None, game: Optional[str] = None) -> Record:
    """The first game of a file's content. Raises RecordError, also when there is none."""
    found = read_all(data, format, game)
    if not found:
        raise RecordError("There is no game in it.")
    return found[0]


def load(path: Union[str, "os.PathLike[str]"], format: Optional[str] = None, game: Optional[str] = None) -> list[Record]:
    """All games of a file. Raises OSError where it cannot be read, RecordError where it does not fit."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecordError(f"{os.fspath(path)} is longer than {MOST_BYTES} bytes.")
    return read_all(data, format, game)
