EX_NAME = "飞跃与抢关 / Leaps and gates"
EX_VERSION = "1.0"

HELP = """
飞跃：标有 leap 的棋子可以沿“走一格”的方向越过相邻的一枚棋子（不论哪一方），落在它后面的一格；那一格须是空格或对方棋子。
抢关：首领走到对方底线即获胜。

Leaps: a piece marked "leap" may jump over any piece beside it, in the directions of its single steps, onto the
square beyond, if that is vacant or holds an enemy.
Gates: a captain that reaches the far row wins.
"""


def check_can_go(can_go, chess, arr):
    if chess.attr.get("leap") != "c":
        return can_go
    for d in chess.now_move[0]:
        over = JBQ.get_arr_by_rd(arr, d, 1)
        to = JBQ.get_arr_by_rd(arr, d, 2)
        if over is None or to is None or JBQ.get_chess_by_arr(over) is None:
            continue
        there = JBQ.get_chess_by_arr(to)
        if there is None or JBQ.can_eat(chess, there):
            can_go.append([to])
    return can_go


def after_move(arr1, arr2):
    chess = JBQ.get_chess_by_arr(arr2)
    if chess is None or not chess.is_captain:
        return
    if chess.belong == 1 and arr2[0] == 0 or chess.belong == 2 and arr2[0] == JBQ.rl - 1:
        JBQ.win(chess.belong)
