EX_NAME = "突围棋 / Breakthrough"
EX_VERSION = "1.0"

HELP = """
兵每次向前走一格，直走或斜走。直走只能走到空格，斜走还可以吃子。先让一枚兵走到对方底线，或吃光对方的兵，即获胜。

A soldier goes one square forward, straight or diagonally: straight only to a vacant square, diagonally also by taking.
Whoever first reaches the far row wins, and so does whoever takes every enemy.
"""


def check_can_go(can_go, chess, arr):
    # A square of another column is a diagonal step, where the map has already seen to taking.
    return [group for group in can_go if group[0][1] != arr[1] or JBQ.get_chess_by_arr(group[0]) is None]


def after_move(arr1, arr2):
    far_row = 0 if JBQ.turn == 1 else JBQ.rl - 1
    if arr2[0] == far_row:
        JBQ.win(JBQ.turn)
        return
    for row in range(JBQ.rl):
        for col in range(JBQ.cl):
            chess = JBQ.get_chess_by_arr((row, col))
            if chess and chess.belong != JBQ.turn:
                return
    JBQ.win(JBQ.turn)
