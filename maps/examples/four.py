EX_NAME = "四子棋 / Four in a Row"
EX_VERSION = "1.0"

HELP = """
轮流从自己的碗里取一枚子投进七列之一，子落到这一列最低的空格。先在横、竖、斜任一方向上连成四枚的一方获胜。放满了还没有人连成则和棋。

Drop a stone from your bowl into one of seven columns, where it falls to the lowest vacant square. Whoever first has four in a
row, along a row, a column or a diagonal, wins. When everything is full the game is drawn.
"""


class Four:
    def check_can_go(self, can_go, chess, arr):
        if chess.name != "碗":
            return []
        groups = []
        for col in range(1, JBQ.cl - 1):
            # The top row stays free, and so does the wall below.
            for row in range(JBQ.rl - 2, 0, -1):
                if JBQ.get_chess_by_arr((row, col)) is None:
                    groups.append([(row, col)])
                    break
        return groups

    def count(self, arr, d):
        # Stones of the side to move that follow arr in a direction.
        number = 0
        square = JBQ.get_arr_by_rd(arr, d, 1)
        while square:
            chess = JBQ.get_chess_by_arr(square)
            if chess is None or chess.id != JBQ.turn:
                break
            number += 1
            square = JBQ.get_arr_by_rd(square, d, 1)
        return number

    def after_move(self, arr1, arr2):
        # Kinds 1 and 2 of the table are the stones, 3 and 4 the bowls.
        JBQ.add_chess(JBQ.turn, arr2)
        JBQ.add_chess(JBQ.turn + 2, arr1)
        for d in (1, 2, 3, 4):
            # 8, 7, 6 and 5 lead the other way.
            if 1 + self.count(arr2, d) + self.count(arr2, 9 - d) >= 4:
                JBQ.win(JBQ.turn)
                return


game = Four()
check_can_go = game.check_can_go
after_move = game.after_move
