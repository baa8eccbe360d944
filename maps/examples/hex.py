EX_NAME = "六贯棋 / Hex"
EX_VERSION = "1.0"

HELP = """
轮流从自己的碗里取一枚子，放到任意空格。每格有六个相邻的格：上、下、左、右、右上、左下。
红方先把上下两岸连通即获胜，蓝方先把左右两岸连通即获胜；不会有和棋。
蓝方第一手可以改走“交换”：把碗移到红方唯一的子上，那枚子便成为蓝方的，换到对角线另一边的对应位置。

Put a stone from your bowl on any vacant square. Each square has six neighbours: up, down, left, right, up right, down left.
Red wins by joining the upper and the lower bank, blue by joining the left and the right one; there is no draw.
Instead of its first stone blue may swap: put the bowl on red's only stone, which becomes blue's and goes to the mirrored
square, row for column.
"""


class Hex:
    def stones(self, side):
        # Kinds 1 and 2 of the table are the stones of red and blue.
        squares = [(row, col) for row in range(JBQ.rl) for col in range(JBQ.cl)]
        found = []
        for square in squares:
            chess = JBQ.get_chess_by_arr(square)
            if chess and chess.id == side:
                found.append(square)
        return found

    def check_can_go(self, can_go, chess, arr):
        if chess.name != "碗":
            return []
        last = JBQ.rl - 1
        inside = [(row, col) for row in range(1, last) for col in range(1, last)]
        groups = [[square] for square in inside if JBQ.get_chess_by_arr(square) is None]
        # One stone is missing, red's first: blue may have it.
        if chess.belong == 2 and len(groups) == len(inside) - 1 and not self.stones(2):
            groups.append(self.stones(1))
        return groups

    def after_move(self, arr1, arr2):
        side = JBQ.turn
        square = arr2
        if side == 2 and not self.stones(1):
            square = (arr2[1], arr2[0])
            if square != arr2:
                JBQ.move(arr2, square)
        JBQ.add_chess(side, square)
        JBQ.add_chess(side + 2, arr1)
        if self.joins(square, side):
            JBQ.win(side)

    def joins(self, square, side):
        # The banks belong to the sides: a group that holds both banks of its side has joined them.
        seen = {square}
        todo = [square]
        while todo:
            at = todo.pop()
            for d in (2, 3, 4, 5, 6, 7):
                to = JBQ.get_arr_by_rd(at, d, 1)
                if to is None or to in seen:
                    continue
                chess = JBQ.get_chess_by_arr(to)
                if chess and chess.belong == side:
                    seen.add(to)
                    todo.append(to)
        lines = {at[side - 1] for at in seen}
        return 0 in lines and JBQ.rl - 1 in lines


game = Hex()
check_can_go = game.check_can_go
after_move = game.after_move
