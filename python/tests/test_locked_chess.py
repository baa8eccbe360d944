"""The drop-in for the locked chess program against the recorded cases of the original: loads, operations, games."""

import copy
import json
import pathlib
import pickle
import re
import subprocess
import sys
import unittest
import zlib

import locked_chess_game_module as module
from LockedChessClass import LockedChessClass

import qiguan
from qiguan._qiguan import LockedCore
from qiguan.locked_chess import NEEDED, VARIABLES

FOLDER = pathlib.Path(__file__).parents[1]
# The sources beside the tests have no extension module.
INSTALLED = pathlib.Path(qiguan.__file__).parents[1]
DATA = pathlib.Path(__file__).parents[2] / "crates/records/tests/data/locked"
GAMES = pathlib.Path(__file__).parents[2] / "crates/locked/tests/data/games.jsonl"

# The module raised UnboundLocalError, or both variants KeyError or SyntaxError: a ValueError with a table text here.
BETTER = {"choose-enemy-5", "choose-list", "game-quote-in-item", "game-newline-in-item"}
# Written with whole numbers here.
WHOLE = {"odd-number-float"}
# The details are CPython's own and differ from version to version.
DETAIL = re.compile(r"(legal :|legal \.but )(?!length|values).*?(\.  | )(?=The game has not)")


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def raised(call, *args):
    try:
        call(*args)
    except Exception as e:
        return e
    return None


def state(game):
    return {name: copy.copy(getattr(game, name, None)) for name in VARIABLES}


def put(game, fen):
    """Sets the variables to a position, as a program would."""
    core = LockedCore()
    core.place(fen)
    for name in NEEDED:
        setattr(game, name, getattr(core, name))


def tuples(op):
    return tuple(op) if isinstance(op, list) else op


class Recorded(unittest.TestCase):
    def games(self):
        module.game_start()
        return (("class", LockedChessClass()), ("module", module))

    def test_loads(self):
        for case in rows("loads_game.jsonl"):
            for column, game in self.games():
                then, before = case[column], state(game)
                error = raised(game.loads_game, case["input"])
                with self.subTest(case=case["name"], column=column):
                    self.assertEqual(error is None, then["ok"])
                    if error is None:
                        written = then["return_game"].replace("=input", case["input"])
                        written = written.replace(" 1.0,", " 1,") if case["name"] in WHOLE else written
                        self.assertEqual(game.return_game(), written)
                        continue
                    self.assertEqual(state(game), before)
                    self.assertIs(type(error), ValueError)
                    if case["name"] not in BETTER and then["error"] == "ValueError":
                        self.assertEqual(DETAIL.sub(r"\1…\2", str(error)), DETAIL.sub(r"\1…\2", then["message"]))

    def test_operations(self):
        for row in rows("operation_errors.jsonl"):
            for column, game in self.games():
                if column not in row:
                    continue
                then, op = row[column], tuples(row.get("op"))
                if "before_start" in row:
                    for name in NEEDED:
                        delattr(game, name)
                    call = getattr(game, row["before_start"])
                    error = raised(call, *(["u"] if row["before_start"] == "operation" else []))
                else:
                    if "fen" in row:
                        put(game, row["fen"])
                    for step in row.get("setup", []):
                        game.operation(tuples(step))
                    error = raised(game.operation, op)
                with self.subTest(row=row, column=column):
                    self.assertEqual(error is None, then["ok"])
                    if error:
                        self.assertEqual(str(error), then["message"])
                        self.assertIs(type(error), getattr(module, then["error"]))

    def test_places(self):
        """Rows of the table that no recorded case reaches."""
        for stone, text in (
            ((0, 1, "黑"), "Chess '(0, 1, '黑')' is not on the board ."),
            ((1, 1, "红"), "Chess '(1, 1, '红')' is unknown which oppsite it belongs to ."),
            ((4, 4, "白"), "Location '(4, 4)' has two or more chesses: '"),
        ):
            for _, game in self.games():
                game.game.add(stone)
                error = raised(game.legal_operation)
                self.assertIs(type(error), module.IllegalLocationError)
                self.assertTrue(str(error).startswith(text), error)

    def test_withdraw(self):
        for _, game in self.games():
            for op in ("u", "l", (3, 3, "黑")):
                game.operation(op)
            game.withdraw()
            self.assertEqual((game.operation_number, game.choose_chess_locate), (3, "无"))
            self.assertIs(type(raised(game.withdraw)), module.IllegalOperationError)

    def test_variables_are_minded_wherever_they_come_from(self):
        for _, game in self.games():
            game.operation("u")
            shifted = game.game
            game.operation("l")
            self.assertEqual(len(shifted), 8, "what was handed out does not change later")
            game.game.discard((3, 3, "黑"))
            self.assertNotIn((3, 3, "黑"), game.legal_operation(), "a set that was changed counts")
            game.operation_number = 1
            self.assertEqual(game.legal_operation(), ["u", "d", "l", "r"])
            game.operation_number = 1.0
            game.operation("u")
            self.assertEqual(game.return_game().count("1.0"), 0)
            del game.operation_number
            self.assertFalse(hasattr(game, "operation_number"))
            self.assertIs(type(raised(game.operation, "l")), module.GameHasNotStartedError)

    def test_a_failed_check_takes_the_variables_away_when_asked(self):
        for _, game in self.games():
            game.destroy_on_error = True
            game.game = []
            self.assertIs(type(raised(game.legal_operation)), TypeError)
            self.assertFalse(hasattr(game, "game"))
            self.assertEqual(game.operation_last_direction, "无")
            game.destroy_on_error = False

    def test_copies_and_pickles(self):
        game = LockedChessClass()
        game.operation("u")
        for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            self.assertIs(type(again), LockedChessClass)
            self.assertEqual(state(again), state(game))
            again.operation("l")
            self.assertEqual((game.operation_number, again.operation_number), (2, 3))

    def test_programs_written_for_the_original_folder_import(self):
        """Each way of importing, in a fresh interpreter."""
        for program in (
            "from locked_chess_game_module import locked_chess_game_module as m; m.game_start(); m.operation('u')",
            "from locked_chess_game_module.locked_chess_game_class import LockedChessClass; m = LockedChessClass(); m.operation('u')",
            "import locked_chess_game_module as m; m.game_start(); m.operation('u')",
            "import locked_chess_game_module.locked_chess_game_module as m; m.game_start(); m.operation('u')",
            "from LockedChessClass import LockedChessClass; m = LockedChessClass(); m.operation('u')",
            "from locked_chess_game_class import LockedChessClass; m = LockedChessClass(); m.operation('u')",
        ):
            told = subprocess.run(
                [sys.executable, "-c", f"{program}; print(m.operation_number, m.all_operation, m.return_game()[:15])"],
                capture_output=True,
                text=True,
                cwd=INSTALLED,
            )
            self.assertEqual(told.stdout, "2 ['l', 'r'] {\"all_locate\": \n", told.stderr)

    def test_the_folder_and_its_module_are_one_game(self):
        from locked_chess_game_module import locked_chess_game_module as inner

        module.game_start()
        module.operation("u")
        self.assertEqual((inner.operation_number, inner.game), (2, module.game))
        inner.operation_number = 1
        inner.operation_last_direction = "无"
        self.assertEqual(module.legal_operation(), ["u", "d", "l", "r"])

    def test_a_position_leaves_and_comes_as_a_line(self):
        for _, game in self.games():
            start = game.return_fen()
            game.operation("u")
            there = game.return_fen()
            self.assertTrue(there.endswith(" b 2 v -"), there)
            game.loads_fen(start)
            self.assertEqual(game.operation_number, 1)
            game.loads_fen(there)
            self.assertEqual(game.legal_operation(), ["l", "r"])
            self.assertIs(type(raised(game.loads_fen, "nothing")), qiguan.FenError)
            self.assertEqual(game.return_fen(), there)

    def test_main_says_where_a_window_is(self):
        told = subprocess.run(
            [sys.executable, "-m", "locked_chess_game_module"], input="\n", capture_output=True, text=True, cwd=INSTALLED
        )
        self.assertIn("qiguan play locked", told.stdout, told.stderr)

    def test_every_recorded_game(self):
        """What the original listed and wrote before each operation of its games, and that it plays them to the end."""
        steps = 0
        for row in rows(GAMES):
            game = LockedChessClass()
            if row["start"] != "startpos":
                put(game, row["start"])
            for legal, op, crc in row["steps"]:
                self.assertEqual(f"{zlib.crc32(game.return_game().encode('ascii')):08x}", crc)
                steps += 1
                if op:
                    colour = game.operation_oppsite
                    stone = len(op) > 1
                    game.operation((ord(op[0]) - 96, int(op[1:]), colour) if stone else op)
        self.assertTrue(steps > 1000)


if __name__ == "__main__":
    unittest.main()
