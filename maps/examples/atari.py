EX_NAME = "吃子围棋 / Atari Go"
EX_VERSION = "1.0"

HELP = """
学围棋的第一步：先提到对方任何一枚子的一方获胜。轮流从自己的碗里取一枚子，放到空格上；一块上下左右相连的子旁边没有空格（“气”）时就被提掉。
不许自杀：放下之后自己的一块没有气，又没有提掉对方的子，这样的格不能放。没有格可放则和棋。开局时中央已有交叉的四枚子。

The first step to Go: whoever first takes a stone wins. Put a stone from your bowl on a vacant square; stones that touch
along rows and columns are a group, and a group without a vacant square beside it is taken. A stone may not be put where its
own group would have none, unless it takes something. Where nothing can be put the game is drawn. Four crossed stones
stand in the middle at the start.
"""


class AtariGo:
    def beside(self, arr):
        found = [JBQ.get_arr_by_rd(arr, d, 1) for d in (2, 4, 5, 7)]
        return [square for square in found if square]

    def dies(self, arr, filled):
        # Whether the group on arr has no vacant square beside it once a stone lies on filled.
        side = JBQ.get_chess_by_arr(arr).belong
        seen = {arr}
        todo = [arr]
        while todo:
            for square in self.beside(todo.pop()):
                if square == filled or square in seen:
                    continue
                chess = JBQ.get_chess_by_arr(square)
                if chess is None:
                    return False
                if chess.belong == side:
                    seen.add(square)
                    todo.append(square)
        return True

    def may_put(self, arr, side):
        for square in self.beside(arr):
            chess = JBQ.get_chess_by_arr(square)
            if chess is None:
                return True
            if chess.belong == side and not self.dies(square, arr):
                return True
            if chess.belong == 3 - side and self.dies(square, arr):
                return True
        return False

    def check_can_go(self, can_go, chess, arr):
        if chess.name != "碗":
            return []
        squares = [(row, col) for row in range(JBQ.rl) for col in range(JBQ.cl)]
        vacant = [square for square in squares if JBQ.get_chess_by_arr(square) is None]
        return [[square] for square in vacant if self.may_put(square, chess.belong)]

    def after_move(self, arr1, arr2):
        # Kinds 1 and 2 of the table are the stones, 3 and 4 the bowls.
        JBQ.add_chess(JBQ.turn, arr2)
        JBQ.add_chess(JBQ.turn + 2, arr1)
        for square in self.beside(arr2):
            chess = JBQ.get_chess_by_arr(square)
            if chess and chess.belong == 3 - JBQ.turn and self.dies(square, arr2):
                JBQ.win(JBQ.turn)
                return


game = AtariGo()
check_can_go = game.check_can_go
after_move = game.after_move
