EX_NAME = "焚桥 / Burning Bridges"
EX_VERSION = "1.0"

HELP = """
后沿直线或斜线走任意格，不吃子，也不能越过任何东西。它离开的格随即起火，从此谁也不能再走。轮到走棋而无路可走的一方负。

A queen goes any distance along a line, over vacant squares only, and takes nothing. The square that it left burns from then
on, and nobody may enter it. Whoever cannot move has lost.
"""


def check_can_go(can_go, chess, arr):
    # The last square of a group is where the piece arrives.
    return [group for group in can_go if JBQ.get_chess_by_arr(group[-1]) is None]


def after_move(arr1, arr2):
    # Fire is the third piece of the table.
    JBQ.add_chess(3, arr1)
    for row in range(JBQ.rl):
        for col in range(JBQ.cl):
            chess = JBQ.get_chess_by_arr((row, col))
            if chess is None or chess.belong != 3 - JBQ.turn:
                continue
            for d in range(1, 9):
                to = JBQ.get_arr_by_rd((row, col), d, 1)
                if to and JBQ.get_chess_by_arr(to) is None:
                    return
    JBQ.win(JBQ.turn)
