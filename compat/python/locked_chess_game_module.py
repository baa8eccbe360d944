"""The module under its old name, on the rules of qiguan. Its variables exist once `game_start()` was called."""

import qiguan_locked as _shared
from qiguan_locked import (  # noqa: F401
    GameFailedError,
    GameFailError,
    GameHasNotStartedError,
    GameIsOverError,
    IllegalLocationError,
    IllegalOperationError,
)

_TEXTS = _shared.Texts(is_module=True)


def game_start():
    _shared.game_start(globals())


def legal_operation():
    return _shared.legal_operation(globals(), _TEXTS)


def operation(x):
    _shared.operation(globals(), _TEXTS, x)


def return_game():
    return _shared.return_game(globals(), _TEXTS)


def loads_game(x):
    _shared.loads_game(globals(), _TEXTS, x)


def withdraw():
    _shared.withdraw(globals(), _TEXTS)
