EX_NAME = "跳棋 / Halma"
EX_VERSION = "1.0"

HELP = """
先把自己的十枚棋子全部走进对面的营地（对方开局所在的角）即获胜。每次走一格，或者连跳：越过相邻的一枚棋子（不论哪一方）跳到它后面的空格，
可以一直跳下去。不吃子。营地填满时，只要其中有自己的子就算完成，对方赖着不走也没有用。
双方各走满 80 步时，离对面的角更近的一方获胜，一样近则和棋。

Whoever first has all ten pieces in the camp opposite, the corner where the other side began, wins. A piece goes one square,
or hops over a piece beside it, of any side, to the vacant square beyond, and on and on if it can. Nothing is taken. A camp
that is full counts as reached as soon as one of yours is in it, so that nobody can win by staying at home. After 80
moves each, the side that is nearer to the corner opposite wins; as near is a draw.
"""


class Halma:
    def __init__(self):
        self.plies = 0

    def hops(self, arr):
        # Every square that hop after hop leads to.
        found = []
        todo = [arr]
        while todo:
            square = todo.pop()
            for d in range(1, 9):
                over = JBQ.get_arr_by_rd(square, d, 1)
                to = JBQ.get_arr_by_rd(square, d, 2)
                if to is None or to == arr or to in found or over == arr:
                    continue
                if JBQ.get_chess_by_arr(over) and JBQ.get_chess_by_arr(to) is None:
                    found.append(to)
                    todo.append(to)
        return found

    def check_can_go(self, can_go, chess, arr):
        steps = [group for group in can_go if JBQ.get_chess_by_arr(group[0]) is None]
        return steps + [[square] for square in self.hops(arr)]

    def far(self, arr, side):
        # Steps along rows and columns to the corner where the side wants to go.
        steps = arr[0] + arr[1]
        return steps if side == 1 else JBQ.rl + JBQ.cl - 2 - steps

    def after_move(self, arr1, arr2):
        side = JBQ.turn
        self.plies += 1
        distance = [0, 0, 0]
        held = own = 0
        for row in range(JBQ.rl):
            for col in range(JBQ.cl):
                chess = JBQ.get_chess_by_arr((row, col))
                if chess is None:
                    continue
                distance[chess.belong] += self.far((row, col), chess.belong)
                if self.far((row, col), side) < 4:
                    held += 1
                    if chess.belong == side:
                        own += 1
        if held == 10 and own > 0:
            JBQ.win(side)
        elif self.plies >= 160:
            if distance[1] == distance[2]:
                JBQ.stalemate()
            else:
                JBQ.win(1 if distance[1] < distance[2] else 2)


game = Halma()
check_can_go = game.check_can_go
after_move = game.after_move
