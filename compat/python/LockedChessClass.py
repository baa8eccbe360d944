"""`LockedChessClass` under its old name, on the rules of qiguan. A refused call changes nothing."""

import qiguan_locked as _shared
from qiguan_locked import (
    GameFailedError,
    GameFailError,
    GameHasNotStartedError,
    GameIsOverError,
    IllegalLocationError,
    IllegalOperationError,
)

__all__ = [
    "LockedChessClass",
    "GameFailedError",
    "GameFailError",
    "GameHasNotStartedError",
    "GameIsOverError",
    "IllegalLocationError",
    "IllegalOperationError",
]

_TEXTS = _shared.Texts(is_module=False)


class LockedChessClass:
    """A game. Its variables may be read and set; each call checks them."""

    def __init__(self):
        self.game_start()

    def game_start(self):
        _shared.game_start(self.__dict__)

    def legal_operation(self):
        return _shared.legal_operation(self.__dict__, _TEXTS)

    def operation(self, x):
        _shared.operation(self.__dict__, _TEXTS, x)

    def return_game(self):
        return _shared.return_game(self.__dict__, _TEXTS)

    def loads_game(self, x):
        _shared.loads_game(self.__dict__, _TEXTS, x)

    def withdraw(self):
        _shared.withdraw(self.__dict__, _TEXTS)
