EX_NAME = "围王棋 / Brandubh"
EX_VERSION = "1.0"

HELP = """
爱尔兰古棋。红方八兵围攻，蓝方四卫护王。所有棋子都像车一样走，只能走到空格。走一步棋，把对方一枚子从两边夹住，就吃掉它；
四个角和空着的宫（中央）也算夹它的子。自己走进两子之间不会被吃。王走到任何一个角，蓝方获胜；王被夹住，红方获胜。
只有王能进角；王离开之后谁也不能再进宫。一方无子可动则负；连续 100 步没有吃子则和棋。

An old Irish game: red's eight soldiers besiege blue's king and his four guards. All pieces move like a chariot, to vacant
squares only. A move that shuts an enemy in between two pieces, on opposite sides of it, takes it; the corners and the empty
palace in the middle shut in, too. Whoever steps between two enemies is safe. Blue wins when the king reaches a corner,
red when the king is shut in. Only the king enters corners, and nobody enters the palace once he has left it. Whoever
cannot move has lost; after 100 moves in a row without taking the game is drawn.
"""


class Brandubh:
    def __init__(self):
        self.standing = 13
        self.quiet = 0

    def check_can_go(self, can_go, chess, arr):
        groups = [group for group in can_go if JBQ.get_chess_by_arr(group[-1]) is None]
        if chess.is_captain:
            for d in (2, 4, 5, 7):
                to = JBQ.get_arr_by_rd(arr, d, 1)
                while to and JBQ.get_chess_by_arr(to) is None:
                    to = JBQ.get_arr_by_rd(to, d, 1)
                if to and self.corner(to):
                    groups.append([to])
        return groups

    def corner(self, arr):
        last = JBQ.rl - 1
        return arr[0] in (0, last) and arr[1] in (0, last)

    def shuts_in(self, arr, side):
        # Corners and the palace are neutral pieces.
        chess = JBQ.get_chess_by_arr(arr)
        return chess is not None and chess.belong in (side, 3)

    def after_move(self, arr1, arr2):
        side = JBQ.turn
        if self.corner(arr2):
            JBQ.win(side)
            return
        for d in (2, 4, 5, 7):
            beside = JBQ.get_arr_by_rd(arr2, d, 1)
            beyond = JBQ.get_arr_by_rd(arr2, d, 2)
            if beyond is None:
                continue
            other = JBQ.get_chess_by_arr(beside)
            if other and other.belong == 3 - side and self.shuts_in(beyond, side):
                # Nothing stands on arr1: moving nothing onto a piece takes it off the board.
                JBQ.move(arr1, beside)
                if other.is_captain:
                    JBQ.win(side)
                    return
        if arr1 == (JBQ.rl // 2, JBQ.cl // 2):
            JBQ.add_chess(5, arr1)
        self.count(side)

    def count(self, side):
        squares = [(row, col) for row in range(JBQ.rl) for col in range(JBQ.cl)]
        men = [(JBQ.get_chess_by_arr(square), square) for square in squares]
        men = [(chess, square) for chess, square in men if chess and chess.belong != 3]
        self.quiet += 1
        if len(men) < self.standing:
            self.standing = len(men)
            self.quiet = 0
        if not any(chess.belong != side and self.moves(chess, square) for chess, square in men):
            JBQ.win(side)
        elif self.quiet >= 100:
            JBQ.stalemate()

    def moves(self, chess, arr):
        for d in (2, 4, 5, 7):
            to = JBQ.get_arr_by_rd(arr, d, 1)
            if to and (JBQ.get_chess_by_arr(to) is None or (chess.is_captain and self.corner(to))):
                return True
        return False


game = Brandubh()
check_can_go = game.check_can_go
after_move = game.after_move
