"""The recorded cases of the reference program. Run: QIGUAN=target/release/qiguan python3 compat/python/test_recorded.py"""

import json
import pathlib
import re
import unittest

import locked_chess_game_module as module
from LockedChessClass import LockedChessClass
from qiguan_locked import NEEDED, REFEREE, put

DATA = pathlib.Path(__file__).parents[2] / "crates/records/tests/data/locked"

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
    return {name: getattr(game, name, None) for name in (*NEEDED, "all_operation")}


def tuples(op):
    return tuple(op) if isinstance(op, list) else op


class Recorded(unittest.TestCase):
    def tearDown(self):
        if REFEREE.process:
            REFEREE.process.stdin.close()
            REFEREE.process.wait()
            REFEREE.process.stdout.close()
            REFEREE.process = None

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
                        put(vars(game), REFEREE.ask(row["fen"]))
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


if __name__ == "__main__":
    unittest.main()
