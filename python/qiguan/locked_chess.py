"""What both old names of the locked chess program share: the variables, their checks and their error texts.

`LockedChessClass` and `locked_chess_game_module` are made of it. A position is kept by the extension module; variables
become Python values when they are read. A variable that a program set, or a set of stones that it may have changed, is
checked here before the next call, in the order and with the texts of docs/rules/locked.md, section 8. A refused call
changes nothing, and no text is ever evaluated.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any, Optional

from ._qiguan import LockedCore

NEEDED = ("game", "operation_number", "operation_oppsite", "operation_last_direction", "choose_chess_locate")
VARIABLES = (*NEEDED, "all_operation")
COLOURS = {"黑": "b", "白": "w"}
AXES = {"无": "-", "上下": "v", "左右": "h"}
LONGEST = 64 * 1024
"""Bytes of a saved game at most."""


WINDOW = (
    "这里逐行下棋。要用鼠标和窗口：运行 qiguan play locked（终端棋盘），或运行 qiguan serve 后在浏览器里打开它给出的网址。\n"
    "This plays line by line. For a board to click on, run `qiguan play locked` (in the terminal), or `qiguan serve` and "
    "open the address it prints in a browser."
)
"""Where the window of the original went, for whoever calls `main()`."""


class LockedChessError(Exception):
    """What the locked chess program raises beside TypeError and ValueError; `zh` says in Chinese what it is about."""

    zh = "锁棋程序拒绝了这次调用，棋局没有改变。"


class GameHasNotStartedError(LockedChessError):
    """A variable is missing."""

    zh = "棋局尚未开始：缺少变量。请先调用 game_start()。"


class IllegalLocationError(LockedChessError):
    """A stone is off the board, of no side, or not alone on its square."""

    zh = "棋子位置不合法：不在棋盘上、不知属于哪一方，或与别的棋子同格。"


class IllegalOperationError(LockedChessError):
    """The operation is not in the list."""

    zh = "操作不合法：不在 all_operation 之中。"


class GameFailedError(LockedChessError):
    """The game is over."""

    zh = "棋局已经结束，当前操作方已失败。请用 game_start() 开始新的一局。"


# The module and the class each had their own name for it.
GameFailError = GameIsOverError = GameFailedError


class Texts:
    """The words of the class, or of the module when it is imported."""

    def __init__(self, is_module: bool) -> None:
        self.is_module = is_module

    def name(self, name: str) -> str:
        if not self.is_module:
            return f"'{name}'"
        return (
            f"'example.{name}' if you use 'import locked_chess_game_module as example' or '{name}' if you use "
            "'from locked_chess_game_module import *'"
        )

    def not_started(self) -> str:
        return f"The game has not started yet .Please start the game with {self.name('game_start()')} ."

    def wrong_json(self, keys: str, board: str, text: object) -> str:
        if self.is_module:
            return f"Wrong json : '{text}' Please check your input."
        return f"Wrong json .'{keys} {board} {text}' Please check your input . "


class Program:
    """A game with the functions of the program. Its variables may be read, set and deleted; each call checks them."""

    __slots__ = ("__weakref__", "_changed", "_core", "_deleted", "_held", "_texts", "destroy_on_error")

    def __init__(self, texts: Texts, started: bool) -> None:
        self._texts = texts
        self._core = LockedCore()
        # What was handed out and may have been changed, or was set; what does not exist.
        self._held: dict[str, Any] = {}
        self._deleted: set[str] = set() if started else set(VARIABLES)
        self._changed = not started
        # Whether a failed check takes all variables but `operation_last_direction` away, as in the old program.
        self.destroy_on_error = False

    def _clean(self) -> None:
        if self._changed:
            self._held.clear()
            self._deleted.clear()
            self._changed = False

    def get(self, name: str) -> Any:
        if self._changed:
            if name in self._deleted:
                raise AttributeError(name)
            if name in self._held:
                return self._held[name]
        if name == "all_operation":
            value: Any = self._core.operations()
        else:
            value = getattr(self._core, name)
        # A list or a set can be changed by whoever has it.
        if name in ("game", "all_operation"):
            self._held[name] = value
            self._changed = True
        return value

    def set(self, name: str, value: Any) -> None:
        self._held[name] = value
        self._deleted.discard(name)
        self._changed = True

    def delete(self, name: str) -> None:
        if name in self._deleted:
            raise AttributeError(name)
        self._held.pop(name, None)
        self._deleted.add(name)
        self._changed = True

    def _settle(self) -> None:
        """Takes what a program set or changed into the position; raises for the first row that it breaks."""
        held, core = self._held, self._core
        if not self._deleted and (
            not held
            or (
                all(type(value) is type(before) and value == before for value, before in self._before())
                and all(type(part) is not float for stone in held.get("game", ()) for part in stone)
            )
        ):
            return
        variables = {name: self.get(name) for name in NEEDED if name not in self._deleted}
        try:
            core.place(check(variables, self._texts))
        except Exception:
            self._destroy()
            raise
        self._clean()

    def _before(self) -> list[tuple[Any, Any]]:
        return [(value, getattr(self._core, name)) for name, value in self._held.items() if name != "all_operation"]

    def _destroy(self) -> None:
        if self.destroy_on_error:
            axis = self.get("operation_last_direction") if "operation_last_direction" not in self._deleted else None
            self._held.clear()
            self._deleted = set(VARIABLES)
            self._changed = True
            if axis is not None:
                self.set("operation_last_direction", axis)

    def game_start(self) -> None:
        self._core.start()
        self._clean()

    def legal_operation(self) -> Any:
        if self._changed:
            self._settle()
            self._clean()
        return self._core.operations() or "fail"

    def operation(self, x: Any) -> None:
        if self._changed:
            self._settle()
        if self._core.play(x):
            self._clean()
            return
        self._refuse(x)

    def _refuse(self, x: Any) -> None:
        """An operation that the core does not know as it stands there: an equal one is played all the same."""
        core = self._core
        operations = core.operations()
        if not operations:
            over = f"The game is over ,and operatior '{core.operation_oppsite}' has failed ."
            raise GameFailedError(f"{over}Please start a new game with {self._texts.name('game_start()')}")
        if x not in operations:
            where = f"is not in list {self._texts.name('all_operation')} .Please check your operation ."
            raise IllegalOperationError(f"Operation '{x}' {where}")
        core.play(operations[operations.index(x)])
        self._clean()

    def return_game(self) -> str:
        if self._changed:
            self._settle()
            self._clean()
        return self._core.return_game()

    def loads_game(self, x: Any) -> None:
        try:
            self._core.place(saved(x, self._texts))
        except Exception:
            self._destroy()
            raise
        self._clean()

    def return_fen(self) -> str:
        """The position as one line of text, which every part of qiguan reads."""
        if self._changed:
            self._settle()
            self._clean()
        return self._core.fen

    def loads_fen(self, x: str) -> None:
        """Takes up the position of such a line; raises `qiguan.Problem` for a line that is none, and changes nothing."""
        self._core.place(x)
        self._clean()

    def withdraw(self) -> None:
        if self._changed:
            self._settle()
        if not self._core.withdraw():
            where = f"is not in list {self._texts.name('all_operation')} .Please check your operation ."
            raise IllegalOperationError(f"Operation '撤回' {where}")
        self._clean()

    def main(self) -> None:
        """Plays in the terminal: the board, the operations, and a prompt; an empty line ends it."""
        print(WINDOW)
        self.game_start()
        while True:
            operations = self.legal_operation()
            print("\n" + picture(self._core))
            colour = self._core.operation_oppsite
            if operations == "fail":
                other = "白" if colour == "黑" else "黑"
                print(f"{colour}方已经失败 / Operator {colour} has failed. {other}方胜 / {other} wins.")
                return
            step = self._core.operation_number
            print(f"当前操作方 / Current operator: {colour}    当前操作步数 / step: {step}")
            print("当前全部操作 / operations:", *(op if isinstance(op, str) else f"{op[0]} {op[1]}" for op in operations))
            try:
                line = input("> ").strip()
            except EOFError:
                return
            if not line:
                return
            if line in ("撤回", "b"):
                chosen: Any = None
            elif line.isalpha():
                chosen = line
            else:
                numbers = re.findall(r"\d+", line)
                chosen = (*map(int, numbers[:2]), colour) if len(numbers) >= 2 else line
            try:
                if chosen is None:
                    self.withdraw()
                else:
                    self.operation(chosen)
            except LockedChessError as error:
                print(f"{error}\n{error.zh}")

    def __getstate__(self) -> dict[str, Any]:
        return {
            "module": self._texts.is_module,
            "fen": self._core.fen,
            "held": self._held,
            "deleted": self._deleted,
            "changed": self._changed,
            "destroy": self.destroy_on_error,
            "more": getattr(self, "__dict__", {}),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        Program.__init__(self, Texts(state["module"]), True)
        self._core.place(state["fen"])
        self._held.update(state["held"])
        self._deleted.update(state["deleted"])
        self._changed = state["changed"]
        self.destroy_on_error = state["destroy"]
        if state["more"]:
            self.__dict__.update(state["more"])


def picture(core: LockedCore) -> str:
    """The board with its numbers, as the window had it."""
    at = {(x, y): colour for x, y, colour in core.game}
    lines = ["   " + "".join(f"{x:3}" for x in range(1, 13))]
    for y in range(1, 13):
        lines.append(f"{y:2} " + "".join(f" {at[x, y]}" if (x, y) in at else "  ." for x in range(1, 13)))
    return "\n".join(lines)


def check(variables: dict[str, Any], texts: Texts) -> str:
    """The position text of the variables; raises for the first row of the table that they break."""
    if any(name not in variables for name in NEEDED):
        raise GameHasNotStartedError(texts.not_started())
    game, number, oppsite, direction, choose = (variables[name] for name in NEEDED)
    stones(game, texts)
    if number not in (1, 2, 3, 4, 5):
        raise ValueError(f"The value of {texts.name('operation_number')} should be in '(1,2,3,4,5)' .")
    if not isinstance(oppsite, str) or oppsite not in COLOURS:
        raise ValueError(f"The value of {texts.name('operation_oppsite')} should be in '('黑','白')' .")
    axes = ("上下", "左右") if number in (2, 5) else ("无",)
    if direction not in axes:
        raise ValueError(f"The value of {texts.name('operation_last_direction')} is illegal .")
    own = [stone for stone in game if stone[2] == oppsite]
    if (choose not in own) if number in (4, 5) else (choose != "无"):
        raise ValueError(f"The value of {texts.name('choose_chess_locate')} is illegal .")
    at = {(x, y): COLOURS[colour] for x, y, colour in game}
    rows = ("".join(at.get((x, y), ".") for x in range(1, 13)) for y in range(1, 13))
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    chosen = square(choose) if number in (4, 5) else "-"
    return f"{board} {COLOURS[oppsite]} {int(number)} {AXES[direction]} {chosen}"


def stones(game: Any, texts: Texts) -> None:
    """Rows 2 to 9 of the table."""
    if not isinstance(game, set):
        raise TypeError(f"The type of {texts.name('game')} is not 'set' .")
    for e in game:
        if not isinstance(e, tuple):
            raise TypeError(f"The type of '{e}' in {texts.name('game')} is not 'tuple' .")
    for e in game:
        if len(e) != 3:
            raise ValueError(f"The length of the tuple '{e}' in {texts.name('game')} is wrong .")
    for e in game:
        if not all(isinstance(n, int) for n in e[:2]):
            where = f"in '{e}' in {texts.name('game')}"
            raise TypeError(f"The type of the first or second values {where} are not all 'int' .")
    for e in game:
        if not all(1 <= n <= 12 for n in e[:2]):
            raise IllegalLocationError(f"Chess '{e}' is not on the board .")
    for e in game:
        if not isinstance(e[2], str) or e[2] not in COLOURS:
            raise IllegalLocationError(f"Chess '{e}' is unknown which oppsite it belongs to .")
    for e in game:
        shared = tuple(other for other in game if other[:2] == e[:2])
        if len(shared) > 1:
            raise IllegalLocationError(f"Location '{e[:2]}' has two or more chesses: '{shared}' .")
    if any(sum(e[2] == colour for e in game) < 3 for colour in COLOURS):
        raise ValueError("The number of the chess is illegal .")


def square(stone: Any) -> str:
    return "abcdefghijkl"[int(stone[0]) - 1] + str(int(stone[1]))


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def literal(text: Any) -> Any:
    """Never evaluates: `ast.literal_eval` of a text of bounded length."""
    if isinstance(text, str) and len(text) > LONGEST:
        raise ValueError("the text is too long")
    return ast.literal_eval(text)


UNREADABLE = (ValueError, SyntaxError, TypeError, LookupError, RecursionError, MemoryError)


def saved(text: Any, texts: Texts) -> str:
    """The position text of a saved game; raises ValueError around the text of what is wrong."""
    names = "operation_number ,operation_oppsite ,operation_last_direction ,choose_chess_locate are"
    try:
        if len(text) > LONGEST:
            raise ValueError("the text is too long")
        read = json.loads(text, parse_constant=refuse_constant)
        loaded = {name: read[name] for name in NEEDED[1:]}
        if loaded["choose_chess_locate"] != "无":
            loaded["choose_chess_locate"] = literal(loaded["choose_chess_locate"])
    except UNREADABLE as e:
        raise ValueError(texts.wrong_json(f"{names} not all exist and legal :{e}.", "", texts.not_started())) from None
    keys = f"{names} all exist and legal."
    boards = [name for name in ("all_locate", "game") if name in read]
    if len(boards) != 1:
        board = f"both key 'all_locate' and 'game' are {'exist' if boards else 'not exist'} .It is illegal ."
        raise ValueError(texts.wrong_json(keys, board, texts.not_started()))
    board = "only one key 'all_locate' and 'game' is exist .It is legal ."
    try:
        loaded["game"] = literal(read[boards[0]])
        if boards == ["all_locate"]:
            loaded["game"] = from_rows(loaded["game"])
    except UNREADABLE as e:
        raise ValueError(texts.wrong_json(keys, f"{board}but {e}", texts.not_started())) from None
    try:
        return check(loaded, texts)
    except (TypeError, ValueError, IllegalLocationError) as e:
        raise ValueError(texts.wrong_json(keys, board, e)) from None


def from_rows(rows: Any) -> set[tuple[int, int, str]]:
    if len(rows) != 12:
        raise ValueError("length of key's value's eval whose name is  'all_locate' should be 12 .")
    if any(len(row) != 12 for row in rows):
        raise ValueError("length of values in key's value's eval whose name is  'all_locate' should be 12 .")
    if any(cell not in (-1, 0, 1) for row in rows for cell in row):
        raise ValueError("values in key's value's eval whose name is  'all_locate' should be only in (-1,0,1)")
    colour = {1: "黑", -1: "白"}
    return {(x, y, colour[c]) for y, row in enumerate(rows, 1) for x, c in enumerate(row, 1) if c != 0}


def variable(name: str, of: Optional[str] = None) -> property:
    """A property of a class that keeps a `Program`: itself, or what its attribute `of` is."""
    if of is None:
        return property(
            lambda self: self.get(name), lambda self, value: self.set(name, value), lambda self: self.delete(name)
        )
    return property(
        lambda self: getattr(self, of).get(name),
        lambda self, value: getattr(self, of).set(name, value),
        lambda self: getattr(self, of).delete(name),
    )
