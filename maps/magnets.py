EX_NAME = "磁石 / Magnets"
EX_VERSION = "1.0"

HELP = """
磁石（磁）可以原地发动：点它自己。上、下、左、右四个方向上离它最近的棋子（不论哪一方）各被吸近一格，紧挨着它的不动，石头不动。
发动之后变成“铁”，走一步才能再次发动。
兵旁边（八个方向）有己方棋子时才可以斜走：位置条件 F[n] 表示相邻的己方棋子不少于 n 枚。

A magnet (磁) may be set off where it stands: choose it, then itself. Up, down, left and right of it the nearest piece,
of any side, is drawn one square closer; what stands right beside it stays, and so do stones.
Then it is mere iron (铁) until it has moved.
A soldier goes diagonally only with a friend beside it: the place F[n] holds where at least n friends stand around.
"""


def friends(args, arr):
    chess = JBQ.get_chess_by_arr(arr)
    count = 0
    for d in range(1, 9):
        at = JBQ.get_arr_by_rd(arr, d, 1)
        other = JBQ.get_chess_by_arr(at) if at else None
        if other and other.belong == chess.belong:
            count += 1
    return count >= args[0]


loc_rules = {"F": friends}


def check_can_go(can_go, chess, arr):
    if chess.attr.get("magnet") != "c" or chess.attr.get("spent", False):
        return can_go
    for d in (2, 4, 5, 7):
        steps = 1
        while True:
            at = JBQ.get_arr_by_rd(arr, d, steps)
            if at is None:
                break
            other = JBQ.get_chess_by_arr(at)
            if other:
                if steps > 1 and other.belong != 3:
                    can_go.append([arr])
                    return can_go
                break
            steps += 1
    return can_go


def after_move(arr1, arr2):
    chess = JBQ.get_chess_by_arr(arr2)
    if chess is None or chess.attr.get("magnet") != "c":
        return
    if arr1 != arr2:
        chess.attr["spent"] = False
        chess.name = "磁"
        return
    chess.attr["spent"] = True
    chess.name = "铁"
    for d in (2, 4, 5, 7):
        steps = 1
        while True:
            at = JBQ.get_arr_by_rd(arr2, d, steps)
            if at is None:
                break
            other = JBQ.get_chess_by_arr(at)
            if other:
                if steps > 1 and other.belong != 3:
                    JBQ.move(at, JBQ.get_arr_by_rd(arr2, d, steps - 1))
                break
            steps += 1
