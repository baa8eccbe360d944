"""Catches a prover that takes a lost move for a win, overlooks a second answer, or knows another rule.

    python3 scripts/provers/test.py
"""

import sys
import unittest
from argparse import Namespace
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))

from provers import gomoku, locked, maps  # noqa: E402

WISH = Namespace(threes=0, more=0, seconds=60.0, turns=2, later=1, depth=3, margin=3.0)
WISH.map = str(Path(__file__).parent.parent.parent / "maps" / "{}.xlsx")


def board(rule, black="", white="", size=15):
    made = gomoku.Board(size, size, rule)
    return made, sum(map(made.bit, black.split())), sum(map(made.bit, white.split()))


def puzzle(game, fen, line, goal="win", **more):
    return {"game": game, "fen": fen, "line": [line], "goal": goal, **more}


class Gomoku(unittest.TestCase):
    def test_points_that_win(self):
        rows = [
            # rule, black, white, points
            ("freestyle", "f8 g8 h8 i8", "", "e8 j8"),
            ("freestyle", "f8 g8 h8 i8", "e8", "j8"),
            ("freestyle", "a1 b2 c3 d4", "", "e5"),
            ("freestyle", "l8 m8 n8 o8", "", "k8"),
            ("freestyle", "c8 d8 e8 g8 h8", "", "f8"),
            ("standard", "c8 d8 e8 g8 h8", "", ""),
            ("renju", "c8 d8 e8 g8 h8", "", ""),
            ("standard", "f8 g8 i8 j8", "", "h8"),
        ]
        for rule, black, white, points in rows:
            with self.subTest(rule=rule, black=black):
                made, own, other = board(rule, black, white)
                found = {made.name(bit) for bit in gomoku.bits(made.fives(own, other, gomoku.BLACK))}
                self.assertEqual(found, set(points.split()))

    def test_forbidden_points(self):
        rows = [
            # black, white, point, forbidden
            ("g8 h8 i8 j8 k8", "", "l8", True),
            ("f8 g8 i8 j8 k8", "", "h8", True),
            ("g8 h8 i9 i10", "", "i8", True),
            # The same with one three shut: it is none.
            ("g8 h8 i9 i10", "i11", "i8", False),
            # Two fours; XX_XX_XX; a straight four is one.
            ("f8 g8 h8 i9 i10 i11", "", "i8", True),
            ("d8 e8 g8 j8 k8", "", "h8", True),
            ("f8 g8 h8", "", "i8", False),
            # A four and a three.
            ("f8 g8 h8 i9 i10", "", "i8", False),
            # Five goes before all.
            ("e8 f8 g8 h8 i9 i10 i11 j8", "", "i8", True),
            ("e8 f8 g8 h8 i9 i10 i11 j9 k10 l11", "", "i8", False),
            # Stones of the next rank are not of this line.
            ("m8 n8 a9 b9", "", "o8", False),
        ]
        for black, white, point, is_so in rows:
            with self.subTest(black=black, point=point):
                made, own, other = board("renju", black, white)
                self.assertEqual(made.forbidden(own, other, made.bit(point), gomoku.BLACK), is_so)
                self.assertFalse(made.forbidden(own, other, made.bit(point), gomoku.WHITE))

    def test_verdicts(self):
        # Black has f8 g8 h8 beside a white stone and i9 i10: i8 makes a four and a three.
        four_three = "/".join(["15"] * 5 + ["8b6", "8b6", "4wbbb7"] + ["15"] * 7)
        # A straight four can be made at either end.
        two = "/".join(["15"] * 7 + ["5bbb7"] + ["15"] * 7)
        rows = [
            ("gomoku/freestyle", f"{four_three} b", "i8", "confirmed"),
            ("gomoku/renju", f"{four_three} b", "i8", "confirmed"),
            ("gomoku/freestyle", f"{four_three} b", "a1", "undecided"),
            ("gomoku/freestyle", f"{two} b", "e8", "refuted"),
        ]
        for game, fen, move, verdict in rows:
            with self.subTest(game=game, move=move):
                self.assertEqual(gomoku.check(puzzle(game, fen, [move]), WISH)[0], verdict)

    def test_a_four_of_the_defender_saves(self):
        """White answers the three with a five of its own."""
        made, own, other = board("freestyle", "f8 g8 h8", "a1 b1 c1 d1")
        attack = gomoku.Attack(made, gomoku.BLACK)
        self.assertFalse(attack.after(own, other, made.bit("i8"), 2))
        self.assertTrue(attack.after(own, other & ~made.bit("a1"), made.bit("i8"), 0))


class Locked(unittest.TestCase):
    START = "12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 1 - -"

    def test_turns_of_the_start(self):
        """48 and 2304, as docs/rules/locked.md's perft has them for whole turns."""
        own, theirs = locked.read(self.START)
        after = locked.turns(own, theirs)
        self.assertEqual(len(after), 48)
        self.assertEqual(sum(len(locked.turns(theirs, one)) for one in after), 2304)

    def test_verdicts(self):
        lost = "12/12/9w1w/5b6/6b5/6w5/8b3/6w5/12/11b/12/12 b 1 - -"
        two = "12/6w3w1/2b9/3b8/5w6/4w7/4b1b5/12/12/12/12/12 b 1 - -"
        rows = [
            (lost, ["l", "d", "h8", "u", "l"], "confirmed"),
            (lost, ["l", "d", "h8", "u", "r"], "undecided"),
            (lost, ["l", "l", "h8", "u", "l"], "refuted"),
            # Another turn wins with the next one.
            (two, ["l", "u", "d6", "u", "r"], "refuted"),
        ]
        for fen, turn, verdict in rows:
            with self.subTest(fen=fen, turn=turn):
                self.assertEqual(locked.check(puzzle("locked", fen, turn), WISH)[0], verdict)


class Maps(unittest.TestCase):
    def test_rules(self):
        rules = maps.load(WISH.map.format("mountains"))
        rows = [
            # FEN, how many moves, one of them
            (".,6,4,2,4,6,./8,.,8,.,8,.,8/.7/.,9,.,9,.,9,./.7/7,.,7,.,7,.,7/.,5,3,1,3,5,. r 0,0 -", 19, "4,4-3,4"),
            (".3,2,.3/.7/.7/.7/.7/.7/.3,3,.2,1 r 0,0 -", 14, "7,4-1,4"),
            # Two mountains in a row were moved: no third.
            (".3,2,.3/.7/.3,9,.3/.7/.7/.7/.3,.3,1 r 2,0 -", 3, "7,7-6,6"),
        ]
        for fen, count, move in rows:
            with self.subTest(fen=fen):
                moves = [rules.text(one) for one in rules.moves(*rules.read(fen))]
                self.assertEqual((len(moves), len(set(moves))), (count, count))
                self.assertIn(move, moves)

    def test_promotion(self):
        rules = maps.load(WISH.map.format("mountains"))
        at = rules.read(".7/7,.6/.7/.7/.2,2,.4/.7/.6,1 r 0,0 -")
        board, counts, taken = rules.play(*at, (7, 0))
        self.assertEqual((board[0], counts, taken), (15, (0, 0), 0))

    def test_verdicts(self):
        # A chariot takes the captain; beside it, it could also be taken by the other captain one move later.
        fen = ".3,2,.3/.7/.7/.7/.7/.7/.3,3,.2,1 r 0,0 -"
        rows = [
            (fen, "7,4-1,4", "win", "confirmed"),
            (fen, "7,4-7,3", "win", "undecided"),
            # Two chariots take it.
            (".3,2,.2,3/.7/.7/.7/.7/.7/.3,3,.2,1 r 0,0 -", "7,4-1,4", "win", "refuted"),
        ]
        for fen, move, goal, verdict in rows:
            with self.subTest(fen=fen, move=move):
                one = puzzle("jingbanqi", fen, [move], goal, map="mountains")
                self.assertEqual(maps.check(one, WISH)[0], verdict)


if __name__ == "__main__":
    unittest.main()
