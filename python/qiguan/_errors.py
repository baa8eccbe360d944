"""What the functions of this package raise. The text of an exception is what `qiguan referee` says in English."""

from __future__ import annotations


class QiguanError(Exception):
    """Something from outside does not fit: a text, a file, a number. Nothing was changed.

    `kind` is one of the kinds of docs/referee.md (`bad-record` besides), `key` a stable name of what was
    wrong, `facts` its details by name, and `zh` the same sentence in Chinese.
    """

    kind: str = ""
    key: str = ""
    facts: dict[str, str] = {}
    zh: str = ""


class RequestError(QiguanError, ValueError):
    """An option, a limit or a map that does not go with the game (`bad-request`)."""


class UnknownGameError(QiguanError, LookupError):
    """No game has that name (`unknown-game`)."""


class FenError(QiguanError, ValueError):
    """A FEN that the game cannot read, or that no game could stand at (`bad-fen`)."""


class MapError(QiguanError, ValueError):
    """A workbook that is no map (`bad-map`)."""


class ExtensionError(QiguanError, ValueError):
    """Extensions of a map that cannot be run (`bad-extension`)."""


class IllegalMoveError(QiguanError, ValueError):
    """A move or an action that is not legal in the position (`illegal-move`)."""


class GameOverError(IllegalMoveError):
    """A move after the end of the game (`game-over`)."""


class LimitError(QiguanError, ValueError):
    """More than is done in one call: a perft too deep, too long a thought, too large an array (`limit`)."""


class RecordError(QiguanError, ValueError):
    """A record that cannot be read, replayed, or written in the format (`bad-record`)."""
