"""What both old names of the locked chess program share: the variables, their checks and their error texts.

The rules themselves are not here: `qiguan referee` is asked for legal operations and for the position after one. The
checks and texts are those of docs/rules/locked.md, section 8, and of crates/records/src/locked_chess/facade.rs.
"""

import ast
import json
import os
import re
import subprocess

NEEDED = ("game", "operation_number", "operation_oppsite", "operation_last_direction", "choose_chess_locate")
COLOURS = {"黑": "b", "白": "w"}
AXES = {"无": "-", "上下": "v", "左右": "h"}
START = "12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 1 - -"
LONGEST = 64 * 1024  # Bytes of a saved game at most.


class GameHasNotStartedError(Exception):
    """A variable is missing."""


class IllegalLocationError(Exception):
    """A stone is off the board, of no side, or not alone on its square."""


class IllegalOperationError(Exception):
    """The operation is not in the list."""


class GameFailedError(Exception):
    """The game is over."""


# The module and the class each had their own name for it.
GameFailError = GameIsOverError = GameFailedError


class Referee:
    """One `qiguan referee`, started when first asked. The variable QIGUAN says where the program is."""

    process = None

    def ask(self, fen, moves=()):
        if self.process is None or self.process.poll() is not None:
            command = [os.environ.get("QIGUAN", "qiguan"), "referee"]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        request = {"game": "locked", "fen": fen, "moves": list(moves), "ask": ["fen", "moves", "facts"]}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer


REFEREE = Referee()


class Texts:
    """The words of the class, or of the module when it is imported."""

    def __init__(self, is_module):
        self.is_module = is_module

    def name(self, name):
        if not self.is_module:
            return f"'{name}'"
        return (
            f"'example.{name}' if you use 'import locked_chess_game_module as example' or '{name}' if you use "
            "'from locked_chess_game_module import *'"
        )

    def not_started(self):
        return f"The game has not started yet .Please start the game with {self.name('game_start()')} ."

    def wrong_json(self, keys, board, text):
        if self.is_module:
            return f"Wrong json : '{text}' Please check your input."
        return f"Wrong json .'{keys} {board} {text}' Please check your input . "


def check(variables, texts):
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


def stones(game, texts):
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


def square(stone):
    return "abcdefghijkl"[int(stone[0]) - 1] + str(int(stone[1]))


def put(variables, answer):
    """Sets the variables to what the referee answered."""
    board, side, number, axis, chosen = answer["fen"].split(" ")
    names = {letter: colour for colour, letter in COLOURS.items()}
    game = set()
    for y, row in enumerate(board.split("/"), 1):
        cells = re.sub(r"\d+", lambda run: "." * int(run[0]), row)
        game |= {(x, y, names[cell]) for x, cell in enumerate(cells, 1) if cell != "."}

    def value(move):
        return move if move in "udlr" else ("abcdefghijkl".index(move[0]) + 1, int(move[1:]), names[side])

    variables.update(
        game=game,
        operation_number=int(number),
        operation_oppsite=names[side],
        operation_last_direction={letter: axis for axis, letter in AXES.items()}[axis],
        choose_chess_locate="无" if chosen == "-" else value(chosen),
        all_operation=[value(move) for move in answer["moves"]],
    )


def game_start(variables):
    put(variables, REFEREE.ask(START))


def legal_operation(variables, texts):
    put(variables, REFEREE.ask(check(variables, texts)))
    return variables["all_operation"] or "fail"


def operation(variables, texts, x):
    fen = check(variables, texts)
    trial = {}
    put(trial, REFEREE.ask(fen))
    if not trial["all_operation"]:
        over = f"The game is over ,and operatior '{trial['operation_oppsite']}' has failed ."
        raise GameFailedError(f"{over}Please start a new game with {texts.name('game_start()')}")
    if x not in trial["all_operation"]:
        where = f"is not in list {texts.name('all_operation')} .Please check your operation ."
        raise IllegalOperationError(f"Operation '{x}' {where}")
    put(variables, REFEREE.ask(fen, [x if isinstance(x, str) else square(x)]))


def return_game(variables, texts):
    return REFEREE.ask(check(variables, texts))["facts"]["state_json"]


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def literal(text):
    """Never evaluates: `ast.literal_eval` of a text of bounded length."""
    if isinstance(text, str) and len(text) > LONGEST:
        raise ValueError("the text is too long")
    return ast.literal_eval(text)


def loads_game(variables, texts, text):
    names = "operation_number ,operation_oppsite ,operation_last_direction ,choose_chess_locate are"
    try:
        if len(text) > LONGEST:
            raise ValueError("the text is too long")
        saved = json.loads(text, parse_constant=refuse_constant)
        loaded = {name: saved[name] for name in NEEDED[1:]}
        if loaded["choose_chess_locate"] != "无":
            loaded["choose_chess_locate"] = literal(loaded["choose_chess_locate"])
    except (ValueError, SyntaxError, TypeError, LookupError, RecursionError, MemoryError) as e:
        raise ValueError(texts.wrong_json(f"{names} not all exist and legal :{e}.", "", texts.not_started())) from None
    keys = f"{names} all exist and legal."
    boards = [name for name in ("all_locate", "game") if name in saved]
    if len(boards) != 1:
        board = f"both key 'all_locate' and 'game' are {'exist' if boards else 'not exist'} .It is illegal ."
        raise ValueError(texts.wrong_json(keys, board, texts.not_started()))
    board = "only one key 'all_locate' and 'game' is exist .It is legal ."
    try:
        loaded["game"] = literal(saved[boards[0]])
        if boards == ["all_locate"]:
            loaded["game"] = from_rows(loaded["game"])
    except (ValueError, SyntaxError, TypeError, LookupError, RecursionError, MemoryError) as e:
        raise ValueError(texts.wrong_json(keys, f"{board}but {e}", texts.not_started())) from None
    try:
        fen = check(loaded, texts)
    except (TypeError, ValueError, IllegalLocationError) as e:
        raise ValueError(texts.wrong_json(keys, board, e)) from None
    put(variables, REFEREE.ask(fen))


def from_rows(rows):
    if len(rows) != 12:
        raise ValueError("length of key's value's eval whose name is  'all_locate' should be 12 .")
    if any(len(row) != 12 for row in rows):
        raise ValueError("length of values in key's value's eval whose name is  'all_locate' should be 12 .")
    if any(cell not in (-1, 0, 1) for row in rows for cell in row):
        raise ValueError("values in key's value's eval whose name is  'all_locate' should be only in (-1,0,1)")
    colour = {1: "黑", -1: "白"}
    return {(x, y, colour[c]) for y, row in enumerate(rows, 1) for x, c in enumerate(row, 1) if c != 0}


def withdraw(variables, texts):
    fen = check(variables, texts)
    board, side, number, _, _ = fen.split(" ")
    if number != "4":
        where = f"is not in list {texts.name('all_operation')} .Please check your operation ."
        raise IllegalOperationError(f"Operation '撤回' {where}")
    put(variables, REFEREE.ask(f"{board} {side} 3 - -"))
