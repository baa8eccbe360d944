EX_NAME = "暗棋 / Banqi"
EX_VERSION = "1.0"

HELP = """
轮到时翻开一枚暗子（点它，再点它自己），或走一枚自己的明子。翻开的第一枚子归翻它的一方，由此定下双方的颜色。
棋子每次横走或直走一格，可以吃同级或更低的子：帅仕相车马炮兵，依次降低。例外：兵能吃帅，帅不能吃兵；炮不能吃相邻的子，
而是沿直线隔着恰好一枚子（明暗皆可）吃任何明子。对方无子可动即获胜；连续 60 步没有翻子也没有吃子则和棋。
哪枚子翻出来由机会决定，翻开之前谁也不知道。

Turn a hidden piece over (choose it, then itself), or move one of yours. The first piece turned over belongs to whoever
turned it: that decides the colours.
A piece goes one square along a row or a column and takes what ranks as high or lower: general, advisor, elephant,
chariot, horse, cannon, soldier. But a soldier takes the general and the general no soldier; a cannon takes nothing beside
it, and anything open in its line with exactly one piece, open or hidden, between. Whoever leaves the other side without
a move wins. After 60 moves in a row without taking or turning over the game is drawn.
What turns up is decided by chance in that moment; nobody knows it before.
"""


class Banqi:
    def __init__(self):
        self.bag = None
        self.swapped = None
        self.standing = 32
        self.quiet = 0

    def takes(self, chess, other):
        if not JBQ.can_eat(chess, other):
            return False
        mine = chess.attr["rank"]
        theirs = other.attr["rank"]
        if mine == 1 and theirs == 7:
            return True
        return mine >= theirs and not (mine == 7 and theirs == 1)

    def goes(self, chess, arr):
        if chess.belong == 3:
            return [[arr]]
        groups = []
        cannon = chess.attr.get("cannon") == "c"
        for d in (2, 4, 5, 7):
            beside = JBQ.get_arr_by_rd(arr, d, 1)
            if beside is None:
                continue
            other = JBQ.get_chess_by_arr(beside)
            if other is None or (not cannon and self.takes(chess, other)):
                groups.append([beside])
            if cannon:
                target = self.beyond_one(arr, d)
                if target and JBQ.can_eat(chess, JBQ.get_chess_by_arr(target)):
                    groups.append([target])
        return groups

    def beyond_one(self, arr, d):
        # The second piece in a direction.
        met = 0
        for steps in range(1, 8):
            square = JBQ.get_arr_by_rd(arr, d, steps)
            if square is None:
                return None
            if JBQ.get_chess_by_arr(square):
                met += 1
                if met == 2:
                    return square
        return None

    def check_can_go(self, can_go, chess, arr):
        return self.goes(chess, arr)

    def fill_bag(self):
        # Every piece of the table as often as its column says, without those that lie open.
        self.bag = []
        for number, kind in enumerate(JBQ.map_data.chesses):
            count = kind[-1].get("count", 0)
            self.bag += [number + 1] * count
        for square in self.squares():
            chess = JBQ.get_chess_by_arr(square)
            if chess and chess.id in self.bag:
                self.bag.remove(chess.id)

    def squares(self):
        return [(row, col) for row in range(JBQ.rl) for col in range(JBQ.cl)]

    def after_move(self, arr1, arr2):
        import random

        if self.bag is None:
            self.fill_bag()
        self.quiet += 1
        if arr1 == arr2:
            self.quiet = 0
            drawn = self.bag.pop(random.randrange(len(self.bag)))
            JBQ.add_chess(drawn, arr2)
            chess = JBQ.get_chess_by_arr(arr2)
            if self.swapped is None:
                self.swapped = chess.belong != JBQ.turn
            if self.swapped:
                chess.belong = 3 - chess.belong
        pieces = [(JBQ.get_chess_by_arr(square), square) for square in self.squares()]
        pieces = [(chess, square) for chess, square in pieces if chess]
        if len(pieces) < self.standing:
            self.standing = len(pieces)
            self.quiet = 0
        if not any(chess.belong != JBQ.turn and self.goes(chess, square) for chess, square in pieces):
            JBQ.win(JBQ.turn)
        elif self.quiet >= 60:
            JBQ.stalemate()


game = Banqi()
check_can_go = game.check_can_go
after_move = game.after_move
