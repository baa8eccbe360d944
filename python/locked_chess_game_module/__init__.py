"""The folder of the locked chess program under its old name: its module, its class, and the module's own names."""

from __future__ import annotations

import sys

from . import locked_chess_game_module as _inner
from .locked_chess_game_module import *  # noqa: F403
from .locked_chess_game_module import __all__ as __all__
from .locked_chess_game_module import _program as _program

sys.modules[__name__].__class__ = type(_inner)
