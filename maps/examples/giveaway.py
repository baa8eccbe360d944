EX_NAME = "送吃棋 / Giveaway"
EX_VERSION = "1.0"

HELP = """
谁先把自己的棋子送光，谁就获胜。能吃必须吃，吃哪一枚自己选；王和别的子一样可以被吃。
兵向前直走或斜走一格，怎么走都能吃；走到对方底线之后可以朝八个方向走一格。无子可动的一方也获胜。
连续 100 步没有吃子，子少的一方获胜，一样多则和棋。

Whoever first has no piece left wins. Who can take must take, whichever piece they like; the king is a piece like others.
Soldiers go one square forward, straight or diagonally, and take in the same way; from the far row on they go one square in
all directions. Whoever cannot move wins, too. After 100 moves in a row without taking, the side with fewer pieces
wins; with as many the game is drawn.
"""


class Giveaway:
    def __init__(self):
        self.standing = 24
        self.quiet = 0

    def pieces(self, side):
        squares = [(row, col) for row in range(JBQ.rl) for col in range(JBQ.cl)]
        found = [(JBQ.get_chess_by_arr(square), square) for square in squares]
        return [(chess, square) for chess, square in found if chess and chess.belong == side]

    def takes(self, chess, arr):
        # Directions of single steps, then those of any distance: the first piece met may be an enemy.
        steps, rays = chess.now_move[0], chess.now_move[1]
        for d in steps:
            to = JBQ.get_arr_by_rd(arr, d, 1)
            other = JBQ.get_chess_by_arr(to) if to else None
            if other and JBQ.can_eat(chess, other):
                return True
        for d in rays:
            to = JBQ.get_arr_by_rd(arr, d, 1)
            while to and JBQ.get_chess_by_arr(to) is None:
                to = JBQ.get_arr_by_rd(to, d, 1)
            other = JBQ.get_chess_by_arr(to) if to else None
            if other and JBQ.can_eat(chess, other):
                return True
        return False

    def moves(self, chess, arr):
        for d in chess.now_move[0] + chess.now_move[1]:
            to = JBQ.get_arr_by_rd(arr, d, 1)
            if to and (JBQ.get_chess_by_arr(to) is None or JBQ.can_eat(chess, JBQ.get_chess_by_arr(to))):
                return True
        return False

    def check_can_go(self, can_go, chess, arr):
        for other, square in self.pieces(chess.belong):
            if self.takes(other, square):
                return [[group[-1]] for group in can_go if JBQ.get_chess_by_arr(group[-1])]
        return can_go

    def after_move(self, arr1, arr2):
        mine = self.pieces(JBQ.turn)
        theirs = self.pieces(3 - JBQ.turn)
        self.quiet += 1
        if len(mine) + len(theirs) < self.standing:
            self.standing = len(mine) + len(theirs)
            self.quiet = 0
        if not any(self.moves(chess, square) for chess, square in theirs):
            JBQ.win(3 - JBQ.turn)
        elif self.quiet >= 100:
            if len(mine) == len(theirs):
                JBQ.stalemate()
            else:
                JBQ.win(JBQ.turn if len(mine) < len(theirs) else 3 - JBQ.turn)


game = Giveaway()
check_can_go = game.check_can_go
after_move = game.after_move
